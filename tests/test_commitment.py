"""Commitments: what a league has settled beforehand, and `arena verify` works out."""

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from arena.commitment import Settled, read_schedule, write_schedule
from arena.document import DocumentError
from arena.record import read_record
from arena.replay import VerifyError
from leagues.roster import settled_plans
from leagues.store import Store
from tests.command_line import Arena, Done
from tests.league_appeals import play
from tests.league_games import league_config, play_run
from tests.league_rosters import league, with_more, withdraw

GAMES = 3


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished secret league: its data, records and secret."""
    folder = tmp_path_factory.mktemp("commitment")
    with Store.open(folder / "data", command="a test") as store:
        config = league_config(games=GAMES, seed=None)
        known = play_run(store, config, finished=GAMES)
        lines = [line for _, line in store.records("demo")]
    (folder / "records.jsonl").write_text("".join(line + "\n" for line in lines))
    (folder / "secret").write_text(known.secret.hex())
    return folder


@pytest.fixture
def verify(arena: Arena, made: Path, tmp_path: Path) -> Callable[..., Done]:
    """Verify the league's records with its schedule, or with a changed one."""
    data = ("--data", made / "data")
    text = arena("league", "schedule", "demo", *data).out
    secret = (made / "secret").read_text()

    def run(*words: object, change: Callable[[str], str] = str) -> Done:
        file = tmp_path / "schedule.json"
        file.write_text(change(text))
        known = ("--secret", secret, "--schedule", file)
        return arena("verify", made / "records.jsonl", *known, *words)

    return run


def commitment(made: Path) -> str:
    """What the league published before its first game."""
    with Store.open_read_only(made / "data") as store:
        return store.league("demo").commitment.hex()


def settled_of(made: Path) -> list[tuple[Settled, bytes]]:
    """What the league has settled."""
    with (
        Store.open_read_only(made / "data") as store,
        store.database.read() as connection,
    ):
        return settled_plans(connection, store.league("demo"))


def test_the_commitment_is_worked_out(made: Path, verify: Callable[..., Done]) -> None:
    """Secret, roster, rules and schedule give what was published, and is told."""
    known = commitment(made)
    done = verify("--commitment", known.upper())
    told = json.loads(verify("--json").out)

    assert (0, "") == (done.code, done.error)
    assert f"dealt from the secret and seated as settled, commitment {known}" in (
        done.out
    )
    assert (True, known) == (told["is_right"], told["commitment"])


def test_anybody_can_do_so_by_hand(made: Path, arena: Arena) -> None:
    """The hash is over the file's own members, in their canonical form."""
    text = arena("league", "schedule", "demo", "--data", made / "data").out
    (document,) = json.loads(text)["settled"]
    published = document.pop("commitment")
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
    secret = bytes.fromhex((made / "secret").read_text())

    assert sha256(b"hearts/1/commitment" + secret + canonical).hexdigest() == published


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"schedule":[[', '"schedule":[[0,1,2,3],['),
        ('"roster":["careful","fox"', '"roster":["fox","careful"'),
        ('"overrides":{"target":"10"}', '"overrides":{"target":"11"}'),
        ('"league":"demo"', '"league":"mode"'),
    ],
)
def test_what_was_not_settled_is_told(
    made: Path, verify: Callable[..., Done], old: str, new: str
) -> None:
    """Another schedule, roster, rule or name does not come to the commitment."""
    done = verify(change=lambda text: text.replace(old, new, 1))
    message = f"the commitment {commitment(made)} does not hold: the secret, the roster"

    assert 1 == done.code
    assert message in done.error
    assert "seated as settled" not in done.out


def test_a_league_made_up_afterwards_is_told(verify: Callable[..., Done]) -> None:
    """Whoever has noted the commitment sees that it is another one."""
    noted = "ab" * 32
    done = verify("--commitment", noted)

    assert 1 == done.code
    assert f"the commitment {noted}, which you have noted, is none of these" in (
        done.error
    )


def test_games_that_seat_others_are_told(made: Path) -> None:
    """A record has to be one of the games that were settled, with those rules."""
    settled, _ = settled_of(made)[-1]
    record = read_record((made / "records.jsonl").read_text().splitlines()[0])
    settled.check(record)
    turned = replace(settled, schedule=[(*s[1:], s[0]) for s in settled.schedule])
    shorter = replace(settled, schedule=())
    other = replace(settled, league="mode")
    rules = replace(settled, rules=replace(settled.rules, hash="ab" * 32))

    for wrong, message in (
        (turned, "it seats .*, as was settled before the first game"),
        (shorter, "the schedule of league demo has no such game"),
        (other, "the schedule of league mode has no such game"),
        (rules, "its rules are .*, expected abab"),
    ):
        with pytest.raises(VerifyError, match=message):
            wrong.check(record)


def test_a_schedule_is_read_as_it_was_written(made: Path) -> None:
    """Nothing is lost on the way, also of a league that has settled things anew."""
    last, published = settled_of(made)[-1]
    first = Settled(
        league="demo",
        roster=("careful", "fäux", "lowest", "dares"),
        rules=last.rules,
        schedule=((3, 2, 1, 0),),
    )
    known = [(first, bytes(32)), (last, published)]

    assert known == read_schedule(write_schedule(known))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not JSON"),
        ("{}", "format: expected hearts-schedule/1, got null"),
        ('{"format":"hearts-schedule/1"}', "the key 'settled' is missing"),
        ('{"format":"hearts-schedule/1","settled":[]}', "settled: expected at least"),
        (
            '{"format":"hearts-schedule/1","settled":[{}]}',
            "settled\\[0\\]: the key 'co",
        ),
    ],
)
def test_what_is_no_schedule_is_refused(text: str, message: str) -> None:
    """Other text is refused with the place of what is wrong."""
    with pytest.raises(DocumentError, match=message):
        read_schedule(text)


def test_entrants_of_a_schedule_are_in_its_roster(made: Path, arena: Arena) -> None:
    """A number without a name is refused."""
    text = arena("league", "schedule", "demo", "--data", made / "data").out
    head, _, rest = text.partition('"schedule":[[')

    with pytest.raises(
        DocumentError, match=r"schedule\[0\]\[0\]: expected a number fr"
    ):
        read_schedule(f'{head}"schedule":[[9{rest[1:]}')


def test_options_that_need_each_other(arena: Arena, made: Path) -> None:
    """A schedule proves nothing without the secret, a commitment without either."""
    records = made / "records.jsonl"
    alone = arena("verify", records, "--schedule", records)
    noted = arena("verify", records, "--commitment", "ab")

    assert (2, 2) == (alone.code, noted.code)
    assert "--schedule goes with --secret, which commitments hide" in alone.error
    assert "--commitment goes with --schedule" in noted.error


def test_what_was_planned_anew_is_checked_too(arena: Arena, tmp_path: Path) -> None:
    """Of a league whose entrants came and went all its commitments hold."""
    with Store.open(tmp_path / "data", command="a test") as store:
        config = league(entrants=5)
        store.open_league(config)
        play(store, config, 1, 2)
        store.open_league(with_more(config, "random"))
        play(store, config, 3, 4)
        withdraw(store, "fox")
        known = store.open_league(with_more(config, "random"))
    data = ("--data", tmp_path / "data")
    file, records = tmp_path / "schedule.json", tmp_path / "records.jsonl"
    file.write_text(arena("league", "schedule", "demo", *data).out)
    arena("games", "export", "demo", "-o", records, *data)
    words = ("verify", "--secret", known.secret.hex(), "--schedule", file)
    first = arena(*words, "--commitment", known.commitment.hex(), records)
    settled = json.loads(file.read_text())
    settled["settled"][1]["roster"][-1] = "ducker"
    file.write_text(json.dumps(settled))
    changed = arena(*words, records)

    assert [5, 6, 6] == [len(one["roster"]) for one in settled["settled"]]
    assert (0, "") == (first.code, first.error)
    last = settled["settled"][-1]["commitment"]
    assert f"seated as settled, commitment {last}" in first.out
    assert 1 == changed.code
    assert f"commitment {settled['settled'][1]['commitment']} does not hold" in (
        changed.error
    )
