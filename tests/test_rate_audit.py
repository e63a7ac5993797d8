"""`arena rate --audit`: what a host has decided counts for files of games too."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena.record import read_record, seal, write_record
from leagues.audit import Action
from leagues.storage.audited import decide, void_records
from leagues.storage.store import Store
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
    assert "standings.json: digest and table checked against these" in done.error


def test_games_that_are_void_do_not_count(arena: Arena, files: Path) -> None:
    """A file from before has them still; those that were played again are missing."""
    audit = ("--audit", files / "standings.json")
    done = arena("rate", files / "early.jsonl", *audit)
    bot = json.loads((files / "standings.json").read_text())["roster"][-1]

    assert 1 == done.code
    assert "there are records of 18 games, but 19 are finished" in done.error
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


def lines_of(files: Path) -> list[str]:
    """The records of all games."""
    return (files / "records.jsonl").read_text().splitlines()


def test_records_that_were_changed_are_not_rated(
    arena: Arena, files: Path, tmp_path: Path
) -> None:
    """By its own hash, or the digest where that was made anew; nor are doubled ones."""
    whole = lines_of(files)
    record = read_record(whole[4])
    assert record.places is not None
    forged = replace(record, places=record.places[::-1])

    def error(lines: list[str]) -> str:
        file = tmp_path / "games.jsonl"
        file.write_text("\n".join(lines))
        done = arena("rate", file, "--audit", files / "standings.json")
        assert (1, "") == (done.code, done.out)
        return done.error

    def with_fifth(line: str) -> list[str]:
        return [*whole[:4], line, *whole[5:]]

    assert f"games.jsonl:5: the record of game '{record.game}' was changed" in (
        error(with_fifth(write_record(forged)))
    )
    assert "the records are not those of the standings: their digest" in (
        error(with_fifth(write_record(seal(forged))))
    )
    assert f"games.jsonl:20: game '{record.game}' stands twice" in (
        error([*whole, whole[4]])
    )


def test_games_that_are_missing_are_told(
    arena: Arena, files: Path, tmp_path: Path
) -> None:
    """What is there is rated, but it is not the league."""
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(lines_of(files)[:-1]))
    done = arena("rate", file, "--audit", files / "standings.json")

    assert 1 == done.code
    assert "there are records of 18 games, but 19 are finished" in done.error
    assert "of 18 games" in done.out
    assert "checked against" not in done.error


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("elo", 1999.0, "it says elo 1999, but the games come to "),
        ("games", 1, "it says games 1, but the games come to "),
        ("points_per_deal", 0.5, "it says points_per_deal 0.5, but the games come to "),
        ("tier", [7, 9], "it says tier 7 to 9, but the games come to "),
        ("half_width", None, "it says half_width none, but the games come to "),
        ("entrant", "ada", "'ada' has played none of the games that count"),
        ("mark", "?", "it says mark '?', but the games come to '"),
        ("los", 0.5123, "it says los 0.512, but the games come to "),
        ("given_up", 5, "it says given_up 5, but the games come to 0"),
        ("deals", 9999, "it says deals 9999, but the games come to "),
        ("blocks", 3, "it says blocks 3, but the games come to "),
        ("score", 0.1234, "it says score 0.123, but the games come to "),
        ("places", [1, 1, 1, 1], "it says places 1 to 1 to 1 to 1, but the games"),
        ("faults", {"slow": 2}, "it says faults."),
    ],
)
def test_a_table_that_does_not_follow_from_the_games_is_told(
    arena: Arena, files: Path, tmp_path: Path, key: str, value: object, told: str
) -> None:
    """The first figure that differs is named; what is printed is what games give."""
    known = json.loads((files / "standings.json").read_text())
    known["standings"][1][key] = value
    file = tmp_path / "forged.json"
    file.write_text(json.dumps(known))
    done = arena("rate", files / "records.jsonl", "--audit", file, "--format", "csv")

    assert 1 == done.code
    assert f"{file}: the table is not that of these games: " in done.error
    assert told in done.error
    assert (files / "standings.csv").read_text() == done.out


@pytest.mark.parametrize(
    ("key", "value"),
    [("blocks", 31), ("players", 3), ("rules_hash", "0" * 64), ("unit", "deal")],
)
def test_what_a_table_says_of_its_games_is_theirs(
    arena: Arena, files: Path, tmp_path: Path, key: str, value: object
) -> None:
    """On these hangs which other tables compare with it."""
    known = {**json.loads((files / "standings.json").read_text()), key: value}
    file = tmp_path / "forged.json"
    file.write_text(json.dumps(known))
    done = arena("rate", files / "records.jsonl", "--audit", file)

    assert 1 == done.code
    assert f"it says {key} " in done.error


def test_a_row_that_is_left_out_is_told(
    arena: Arena, files: Path, tmp_path: Path
) -> None:
    """Whoever has played has a row; and as many games count as it says."""
    known = json.loads((files / "standings.json").read_text())
    file = tmp_path / "forged.json"
    words = ("rate", files / "records.jsonl", "--audit", file)
    gone = known["standings"].pop()
    file.write_text(json.dumps(known))
    row = arena(*words)
    known["standings"].append(gone)
    known["games_counted"] += 1
    file.write_text(json.dumps(known))
    count = arena(*words)

    assert (1, 1) == (row.code, count.code)
    assert f"it has no row for {gone['entrant']!r}" in row.error
    assert "games count in it, but " in count.error


def test_the_anchor_of_a_table_is_no_difference(arena: Arena, files: Path) -> None:
    """Whoever is rated 1500 here, the table is compared as it was made."""
    words = ("--audit", files / "standings.json", "--anchor", "fox")
    done = arena("rate", files / "records.jsonl", *words)

    assert 0 == done.code
    assert "digest and table checked against these games" in done.error


def test_results_have_the_hashes_alone(
    arena: Arena, files: Path, tmp_path: Path
) -> None:
    """Those that count are all that is published; their figures are not proven."""
    out = tmp_path / "results.jsonl"
    data = ("--data", files / "data")
    arena("games", "export", "demo", "--format", "results", "-o", out, *data)
    audit = ("--audit", files / "standings.json")
    done = arena("rate", out, *audit)
    lines = out.read_text().splitlines()
    out.write_text("\n".join(lines[:-1]))
    missing = arena("rate", out, *audit)

    assert (0, 1) == (done.code, missing.code)
    assert f"Not proven: the figures of {len(lines)} results" in done.error
    assert "standings.json: table checked against these games" in done.error
    assert f"records of {len(lines) - 1} games, but 19 are finished" in missing.error


def test_the_audit_of_files_says_what_it_does_not_check(
    arena: Arena, files: Path
) -> None:
    """No hash covers the figures of the table."""
    words = ("league", "audit", "--file", files / "standings.json")
    whole = arena(*words, "--records", files / "records.jsonl")
    told = json.loads(arena(*words, "--json").out)

    assert 0 == whole.code
    assert (
        "Checked: log, records; the table's figures are not: arena rate RECORDS "
        "--audit FILE works them out again.\n"
    ) in whole.out
    assert told["is_table_checked"] is False
