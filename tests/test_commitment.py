"""Commitments: what a league has settled beforehand, and `arena verify` works out."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import pytest

from arena.commitment import Plans, Settled, read_schedule, write_schedule
from arena.document import DocumentError
from arena.record import Record, read_record, write_record
from arena.replay import VerifyError
from leagues.audit import Action
from leagues.storage.roster import settled_plans
from leagues.storage.store import Store
from tests.command_line import Arena, Done
from tests.league_appeals import play
from tests.league_games import STARTED, league_config, play_run
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
    log = arena("verify", records, "--audit", records)

    assert (2, 2, 2) == (alone.code, noted.code, log.code)
    assert "--audit goes with --schedule" in log.error
    assert "--schedule goes with --secret, which commitments hide" in alone.error
    assert "--commitment goes with --schedule" in noted.error


def planned_anew(made: Path) -> tuple[Settled, Settled]:
    """A plan of three games, and a later one that seats the last of them anew."""
    first, _ = settled_of(made)[-1]
    anew = (*first.schedule[:2], first.schedule[2][::-1])
    return first, replace(first, schedule=anew)


def begun(record: Record, time: str) -> Record:
    """The same game at another time, which its hash does not cover."""
    return replace(record, times=replace(record.times, started=time))


def test_games_sit_as_in_all_plans_in_force_since_they_began(made: Path) -> None:
    """What began before a plan is as the plan before had it, and is kept by it."""
    first, second = planned_anew(made)
    lines = (made / "records.jsonl").read_text().splitlines()
    two, three = map(read_record, lines[1:3])
    kept = Plans((first, second), since=["2026-03-01T12:00:00Z"])
    undone = Plans((second, first), since=["2026-03-01T12:00:00Z"])
    early, late = "2026-03-01T11:59:59.999Z", "2026-03-01T12:00:00.001Z"

    kept.check(begun(two, early))
    kept.check(begun(two, late))
    undone.check(begun(three, late))
    with pytest.raises(VerifyError, match="was settled before the first game"):
        undone.check(begun(three, early))
    for time in (early, late):
        expected = "in plan 2, in force since 2026-03-01T12:00:00Z"
        with pytest.raises(VerifyError, match=expected):
            kept.check(begun(three, time))
    with pytest.raises(VerifyError, match="nobody can tell under which plan it began"):
        kept.check(begun(two, ""))


def test_a_game_that_is_void_may_be_seated_anew(made: Path) -> None:
    """It is as the plan had it that was in force, whatever came later."""
    first, second = planned_anew(made)
    record = read_record((made / "records.jsonl").read_text().splitlines()[2])
    times = ["2026-03-01T12:00:00Z"]
    plans = Plans((first, second), since=times, void={record.hash})
    undone = Plans((second, first), since=times, void={record.hash})

    plans.check(begun(record, "2026-03-01T11:00:00.000Z"))
    with pytest.raises(VerifyError, match="was settled before the first game"):
        undone.check(begun(record, "2026-03-01T11:00:00.000Z"))


def test_planning_anew_changes_neither_rules_nor_league_nor_who_was_there(
    made: Path,
) -> None:
    """A later plan that does so is none."""
    first, second = planned_anew(made)
    other = replace(
        second, league="mode", rules=replace(first.rules, hash="ab" * 32), roster=()
    )

    assert [] == list(Plans((first, second)).problems())
    assert [
        "plan 2 is of another league than plan 1",
        "plan 2 has other rules than plan 1",
        "plan 2 has lost entrants of plan 1",
    ] == list(Plans((first, other)).problems())


@dataclass(frozen=True)
class Changed:
    """A league whose entrants came and went, as it was published."""

    secret: str
    schedule: Path
    records: Path
    standings: Path

    @property
    def words(self) -> tuple[object, ...]:
        """What verifies it, but for the log."""
        known = ("--secret", self.secret, "--schedule", self.schedule)
        return ("verify", *known, self.records)

    @property
    def marks(self) -> list[str]:
        """The commitments of its plans."""
        settled = json.loads(self.schedule.read_text())["settled"]
        return [one["commitment"] for one in settled]


@pytest.fixture
def changed(arena: Arena, tmp_path: Path) -> Changed:
    """A league with three plans, and two games from before the later ones."""
    with Store.open(tmp_path / "data", command="a test") as store:
        config = league(entrants=5)
        store.open_league(config)
        play(store, config, 1, 2)
        store.open_league(with_more(config, "random"))
        play(store, config, 3, 4)
        withdraw(store, "fox")
        known = store.open_league(with_more(config, "random"))
        log = store.standings("demo").appeals.entries
        lines = [line for _, line in store.records("demo")]
    joined = next(entry.time for entry in log if entry.action == Action.PLAN)
    records = [read_record(line) for line in lines]
    records[2:] = [begun(record, joined) for record in records[2:]]
    data = ("--data", tmp_path / "data")
    files = Changed(known.secret.hex(), *map(tmp_path.joinpath, ("s", "r", "t")))
    files.records.write_text("".join(write_record(one) + "\n" for one in records))
    files.schedule.write_text(arena("league", "schedule", "demo", *data).out)
    standings = arena("league", "standings", "demo", "--format", "json", *data)
    files.standings.write_text(standings.out)
    return files


def test_what_was_planned_anew_is_checked_too(arena: Arena, changed: Changed) -> None:
    """Of a league whose entrants came and went all its commitments hold."""
    audit = ("--audit", changed.standings)
    marks = changed.marks
    known = json.loads(changed.standings.read_text())
    done = arena(*changed.words, *audit, "--commitment", marks[0])
    later = arena(*changed.words, *audit, "--commitment", marks[2])
    told = json.loads(arena(*changed.words, *audit, "--json").out)

    assert [(0, ""), (0, "")] == [(one.code, one.error) for one in (done, later)]
    assert "3 plans of league demo:\n" in done.out
    assert f"  1. commitment {marks[0]}, before the first game\n" in done.out
    assert f"  3. commitment {marks[2]}, entry {len(known['audit'])} of the" in done.out
    assert f"Head of the audit log {known['audit_head']}: is it one" in done.out
    assert done.out.endswith("seated as the 3 plans settle\n")
    assert (marks, known["audit_head"]) == (told["commitments"], told["audit_head"])


def test_later_plans_prove_nothing_without_the_log(
    arena: Arena, changed: Changed
) -> None:
    """Whoever has played what he liked can write a last plan that says so."""
    done = arena(*changed.words, "--commitment", changed.marks[0])

    assert 2 == done.code
    assert "of its 3 plans only the first was settled before the first" in done.error
    assert "give --audit FILE" in done.error
    assert "wrong" not in done.error
    assert "" == done.out


def test_a_plan_that_the_log_does_not_have_is_told(
    arena: Arena, changed: Changed
) -> None:
    """It was made up, or is in another place, or the log was changed."""
    schedule = json.loads(changed.schedule.read_text())
    standings = json.loads(changed.standings.read_text())

    def errors(plans: list[object], log: object = standings) -> str:
        changed.schedule.write_text(json.dumps({**schedule, "settled": plans}))
        changed.standings.write_text(json.dumps(log))
        done = arena(*changed.words, "--audit", changed.standings)
        assert 1 == done.code
        assert "seated as" not in done.out
        return done.error

    one, two, three = schedule["settled"]
    missing = "the audit log has 2 plans after the first, but this file has"
    assert f"{missing} 3" in errors([two, one, two, three])
    assert f"{missing} 1" in errors([one, three])
    assert f"{two['commitment']} of plan 3 is not that of entry" in (
        errors([one, three, two])
    )
    emptied = {**standings, "audit": standings["audit"][:-1]}
    assert "the audit log has lost its end" in errors([one, two], emptied)
    renamed = {**standings, "league": "mode"}
    assert "the audit log is of league 'mode'" in errors([one, two, three], renamed)
    wrong = {**two, "roster": [*two["roster"][:-1], "ducker"]}
    assert f"the commitment {two['commitment']} does not hold" in (
        errors([one, wrong, three])
    )


def test_games_from_before_a_plan_are_held_against_the_one_before(
    arena: Arena, changed: Changed
) -> None:
    """A game that began earlier than its plan was not settled when it began."""
    records = map(read_record, changed.records.read_text().splitlines())
    early = [begun(record, STARTED) for record in records]
    changed.records.write_text("".join(write_record(one) + "\n" for one in early))
    done = arena(*changed.words, "--audit", changed.standings)

    assert 1 == done.code
    assert ", as was settled before the first game" in done.error
