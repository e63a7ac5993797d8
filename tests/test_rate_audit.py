"""`arena rate --audit`: what a host has decided counts for files of games too."""

import json
from pathlib import Path

import pytest

from leagues.audit import Action
from leagues.audited import decide, void_records
from leagues.store import Store
from tests.command_line import Arena
from tests.league_appeals import config, entry, play, void

GAMES = 30


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a league has published before and after its host has decided things.

    Before: `early.jsonl`. After: `records.jsonl`, `results.jsonl`, `standings.json`
    and `standings.csv`. Game 2 was played again, game 3 was not, one bot is excluded.
    """
    folder = tmp_path_factory.mktemp("audit")
    with Store.open(folder / "data", command="a test") as store:
        league = config(games=GAMES)
        store.open_league(league)
        play(store, league, *range(1, 21))
        lines = [line for _, line in store.records("demo")]
        (folder / "early.jsonl").write_text("\n".join(lines))
        decide(store, "demo", void(2))
        decide(store, "demo", void(3, is_replayed=False))
        excluded = store.league("demo").entrants[-1]
        decide(store, "demo", entry(Action.EXCLUDE, "plays by hand", entrant=excluded))
        play(store, league, 2, run=2)
        assert 2 == len(void_records(store, "demo"))
    return folder


@pytest.fixture
def files(made: Path, arena: Arena) -> Path:
    """The same folder, with what commands export from it."""
    data = ("--data", made / "data")
    for form in ("json", "csv"):
        done = arena("league", "standings", "demo", "--format", form, *data)
        (made / f"standings.{form}").write_text(done.out)
    arena("games", "export", "demo", "-o", made / "records.jsonl", *data)
    return made


def test_whoever_has_the_log_has_the_standings(arena: Arena, files: Path) -> None:
    """Records and the log give the host's own standings, down to both heads."""
    words = ("--audit", files / "standings.json", "--format", "csv")
    done = arena("rate", files / "records.jsonl", *words)

    assert 0 == done.code
    assert (files / "standings.csv").read_text() == done.out


def test_games_that_are_void_do_not_count(arena: Arena, files: Path) -> None:
    """A file from before has them still; those that were played again are missing."""
    audit = ("--audit", files / "standings.json")
    done = arena("rate", files / "early.jsonl", *audit)
    bot = json.loads((files / "standings.json").read_text())["roster"][-1]

    assert "18 of 18 games" in done.out
    assert "Left out: 2 games made void by the host.\n" in done.error
    assert f"Excluded: {bot}; games that count: " in done.out
    assert "void game 3, not played again, by ada: so" in done.out


def test_a_league_beside_another_has_its_own_log(
    arena: Arena, files: Path, tmp_path: Path
) -> None:
    """Decisions of one league touch no game of the other, and are told as notes."""
    with Store.open(tmp_path / "data", command="a test") as store:
        other = config(games=GAMES)
        other = type(other)(name="other", entrants=other.entrants, rules=other.rules)
        store.open_league(other)
        play(store, other, 1, 2, 3)
    data = ("--data", tmp_path / "data")
    arena("games", "export", "other", "-o", tmp_path / "other.jsonl", *data)
    both = (files / "records.jsonl", tmp_path / "other.jsonl")
    done = arena("rate", *both, "--audit", files / "standings.json")
    counted = json.loads((files / "standings.json").read_text())["games_counted"]

    assert f"{counted + 3} of {counted + 3} games" in done.out
    assert f"Left out: {19 - counted} games with excluded bots." in done.error


def test_a_log_whose_chain_does_not_hold_is_refused(
    arena: Arena, files: Path, tmp_path: Path
) -> None:
    """Nothing is rated by a log from which an entry was changed or taken."""
    known = json.loads((files / "standings.json").read_text())
    file = tmp_path / "forged.json"
    known["audit"][0]["reason"] = "another one"
    file.write_text(json.dumps(known))
    changed = arena("rate", files / "records.jsonl", "--audit", file)
    known["audit"] = []
    file.write_text(json.dumps(known))
    emptied = arena("rate", files / "records.jsonl", "--audit", file)

    assert [(1, ""), (1, "")] == [(done.code, done.out) for done in (changed, emptied)]
    assert f"{file}: entry 1 of the audit log is wrong: its digest" in changed.error
    assert f"{file}: the audit log has lost its end: entry 1 is" in emptied.error


def test_what_does_not_fit_is_told(arena: Arena, files: Path, tmp_path: Path) -> None:
    """A log of another league, two of one, and another record of a void game."""
    known = files / "standings.json"
    twice = arena("rate", files / "records.jsonl", "--audit", known, "--audit", known)
    renamed = tmp_path / "renamed.jsonl"
    renamed.write_text(
        (files / "records.jsonl").read_text().replace('"league":"demo"', '"league":"x"')
    )
    missing = arena("rate", renamed, "--audit", known)
    lines = (files / "records.jsonl").read_text().splitlines()
    game = lines[5].replace('"demo-7"', '"demo-3"')
    (tmp_path / "other.jsonl").write_text(game)
    other = arena("rate", tmp_path / "other.jsonl", "--audit", known)
    none = arena("rate", files / "records.jsonl", "--audit", files / "early.jsonl")

    assert {2} == {done.code for done in (twice, missing, other, none)}
    assert "there are two audit logs of league demo" in twice.error
    assert "an audit log of league demo, but no game of it in these" in missing.error
    assert "'demo-3' is void and not played again, but this is not" in other.error
    assert "early.jsonl: " in none.error
