"""The commands by which a host decides about a league, and the one that audits it."""

import getpass
import json
import shutil
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.record import read_record, write_record
from leagues.audit import genesis
from leagues.commands.league import report_outcome
from leagues.running.progress import Outcome
from leagues.storage.store import Store
from tests.command_line import Arena, Done
from tests.league_appeals import config, play
from tests.league_games import league_config


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a secret league of ten games, six of them played."""
    directory = tmp_path_factory.mktemp("league") / "data"
    with Store.open(directory, command="a test") as store:
        store.open_league(config())
        play(store, config(), *range(1, 7))
    return directory


@pytest.fixture
def data(origin: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(origin, tmp_path / "data")
    return tmp_path / "data"


def league(arena: Arena, data: Path, *words: object, reason: str = "so") -> Done:
    """Decide something."""
    return arena("league", *words, "--reason", reason, "--data", data)


def standings(arena: Arena, data: Path, form: str = "text") -> str:
    """The standings of the newest league."""
    return arena("league", "standings", "--format", form, "--data", data).out


def test_a_withdrawal_and_its_end(arena: Arena, data: Path) -> None:
    """Both say what becomes of games, and the standings say who has withdrawn."""
    gone = league(arena, data, "withdraw", "demo", "fox", reason="its owner left")
    again = league(arena, data, "withdraw", "demo", "fox")
    during = standings(arena, data)
    found = json.loads(standings(arena, data, "json"))
    balance = arena("league", "report", "demo", "balance", "--data", data).out
    back = league(arena, data, "reinstate", "demo", "fox")

    assert (
        "fox has withdrawn from league demo: what it has played counts, and the games "
        "that are left are planned anew without it when the league is run the next "
        "time\n"
    ) == gone.out
    assert "entry 1 of the audit log of demo; its head is now" in gone.error
    assert (2, True) == (again.code, "already: its owner left" in again.error)
    assert "Withdrawn, with what they have played: fox\n" in during
    assert ({"fox": "its owner left"}, []) == (found["withdrawn"], found["joined"])
    assert "fox" in {row["entrant"] for row in found["standings"]}
    assert "fox withdrew and has played" in balance.replace("\n", " ")
    assert (
        "fox is back in league demo: the games that are left are planned anew with it "
        "when the league is run the next time\n"
    ) == back.out
    assert "Withdrawn" not in standings(arena, data)


def test_a_pause_and_its_end(arena: Arena, data: Path) -> None:
    """Both say what happens now, and the standings say what is in force."""
    paused = league(arena, data, "pause", "demo", reason="fire alarm")
    again = league(arena, data, "pause", "demo")
    during = standings(arena, data)
    listed = arena("league", "list", "--data", data).out
    value = json.loads(arena("league", "list", "--json", "--data", data).out)
    resumed = league(arena, data, "resume", "demo", "--by", "Ms. Hopper")
    after = standings(arena, data)

    assert (0, 2, 0) == (paused.code, again.code, resumed.code)
    assert "no more start until `arena league resume demo`" in paused.out
    assert "paused already: fire alarm" in again.error
    assert f"Paused by {getpass.getuser()}: fire alarm\n" in during
    assert "league demo goes on when the league is run the next time\n" == resumed.out
    assert "demo    stopped, paused  6/10 " in listed
    assert "fire alarm" == value[0]["paused"]
    assert "Paused" not in after
    assert "Z pause, by " in after
    assert "Z resume, by Ms. Hopper: so\n" in after


@pytest.mark.parametrize("game", ["3", "demo-3"])
def test_a_void_game(arena: Arena, data: Path, game: str) -> None:
    """Its number is taken with or without the league's name."""
    done = league(arena, data, "void", "demo", game)
    again = league(arena, data, "void", "demo", game)

    expected = (
        "game demo-3 does not count any more, and is played again when the league is "
        "run the next time\n"
    )
    assert (0, expected) == (done.code, done.out)
    assert "entry 1 of the audit log of demo; its head is now " in done.error
    assert (2, True) == (again.code, "demo-3 is not finished" in again.error)
    assert "demo: stopped, 5 of 10 games" in standings(arena, data)


def test_a_void_game_that_is_not_played_again(arena: Arena, data: Path) -> None:
    """The command says so, and so does the log."""
    done = league(arena, data, "void", "demo", "3", "--no-replay")

    assert "game demo-3 does not count any more, and is not played again\n" == done.out
    assert "void game 3, not played again, by" in standings(arena, data)


def test_a_void_game_of_who_is_excluded_waits_for_its_return(
    arena: Arena, data: Path
) -> None:
    """No game is promised that is not played."""
    league(arena, data, "exclude", "demo", "fox")
    with Store.open_read_only(data) as store:
        number = next(n for n in range(1, 7) if "fox" in store.league("demo").seats(n))
    done = league(arena, data, "void", "demo", str(number))

    assert done.out.endswith("is not played again as long as fox is excluded\n")


def test_a_game_that_can_not_be_shown_says_why(arena: Arena, data: Path) -> None:
    """Whoever asks for a void game is told so, and where its record is."""
    league(arena, data, "void", "demo", "3", "--no-replay", reason="the network")
    void = arena("games", "show", "demo-3", "--data", data)
    later = arena("games", "show", "demo-9", "--data", data)
    league(arena, data, "exclude", "demo", "fox")
    with Store.open(data, command="a test") as store:
        left = store.missing_games("demo")
        play(store, config(), *left)
        store.stop_run("demo")
    (never, *_) = {7, 8, 9, 10}.difference(left)
    over = arena("games", "show", f"demo-{never}", "--data", data)

    assert "game demo-3 is void, and was not played again so far: the network" in (
        void.error
    )
    assert "`arena games export demo --void` writes its record" in void.error
    assert "game demo-9 is not finished yet" in later.error
    assert f"demo-{never} was not played, and the league is finished" in over.error


def test_who_is_excluded_is_compared_with_nobody(arena: Arena, data: Path) -> None:
    """It has games, and they do not count: that is what is said."""
    league(arena, data, "exclude", "demo", "fox", reason="a pair")
    words = ("head-to-head", "careful", "fox", "--data", data)
    done = arena("league", "report", "demo", *words)

    assert 2 == done.code
    assert "fox is excluded from league demo, so that none of its games" in done.error


def test_an_excluded_entrant_and_its_return(arena: Arena, data: Path) -> None:
    """The standings are without it, and then as they were."""
    before = json.loads(standings(arena, data, "json"))
    done = league(arena, data, "exclude", "demo", "fox", reason="a pair")
    lifted = arena("league", "lift", "demo", "fox", "--data", data)
    found = json.loads(standings(arena, data, "json"))
    back = league(arena, data, "reinstate", "demo", "fox")
    after = json.loads(standings(arena, data, "json"))

    assert (2, True) == (
        lifted.code,
        "`arena league reinstate demo fox`" in lifted.error,
    )
    out = before["games_finished"] - found["games_counted"]
    assert f"fox is excluded from league demo: {out} finished game" in done.out
    assert {"fox": "a pair"} == found["excluded"]
    assert "fox" not in {row["entrant"] for row in found["standings"]}
    assert before["records_digest"] == found["records_digest"]
    assert "fox is back in league demo: its games count again, and those" in back.out
    assert before["standings"] == after["standings"]
    assert [1, 2] == [entry["number"] for entry in after["audit"]]


def test_what_is_not_played_any_more_is_not_left_to_play(
    arena: Arena, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that was stopped counts the games that running it again would play."""
    league(arena, data, "exclude", "demo", "fox")
    with Store.open_read_only(data) as store:
        known = store.league("demo")
        left = sum("fox" not in known.seats(number) for number in range(7, 11))
    code = report_outcome(data, Outcome(known, "drained"), [])

    assert 0 < left < 4
    assert 1 == code
    assert f"error: {left} game" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("void", "demo", "x"), "'x' is no game; expected its number, such as 17"),
        (("void", "demo", "²"), "is no game"),
        (("exclude", "demo", "fox@2"), "about all versions of a bot, so say fox"),
        (("withdraw", "demo", "fox@2"), "about all versions of a bot, so say fox"),
        (("reinstate", "demo", "fox@2"), "about all versions of a bot, so say fox"),
        (("void", "demo", "11"), "league demo has games 1 to 10, but no 11"),
        (("void", "demo", "9"), "game demo-9 is not finished"),
        (("exclude", "demo", "foxx"), "did you mean 'fox'?"),
        (("reinstate", "demo", "fox"), "fox is not excluded"),
        (("resume", "demo"), "is not paused"),
        (("pause", "other"), "there is no league 'other'; there are: demo"),
        (("pause", "demo", "--by", "a\nb"), r"--by has the character '\n'"),
        (("pause", "demo", "--by", "b" * 61), "--by has 61 characters"),
    ],
)
def test_what_is_refused(
    arena: Arena, data: Path, words: tuple[str, ...], problem: str
) -> None:
    """It is one line with what is wrong, and nothing has changed."""
    done = league(arena, data, *words)

    assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
    assert problem in done.error
    with Store.open_read_only(data) as store:
        assert () == store.decisions("demo")


@pytest.mark.parametrize(
    ("reason", "problem"),
    [
        ("", "--reason is empty"),
        ("x" * 301, "--reason has 301 characters; expected at most 300"),
        ("\x1b[2J", r"--reason has the character '\x1b'"),
    ],
)
def test_a_reason_that_is_none(
    arena: Arena, data: Path, reason: str, problem: str
) -> None:
    """Everybody is to read it, so it is short, and a line of text."""
    done = league(arena, data, "pause", "demo", reason=reason)

    assert (2, True) == (done.code, problem in done.error)


def test_a_reason_is_needed(arena: Arena, data: Path) -> None:
    """Nothing is decided without one."""
    done = arena("league", "pause", "demo", "--data", data)

    assert (2, True) == (done.code, "--reason" in done.error)


def test_decisions_while_an_arena_holds_the_directory(arena: Arena, data: Path) -> None:
    """They are taken, and the commands say that they are heard within seconds."""
    with Store.open(data, command="arena league run") as store:
        store.start_run("demo")
        done = league(arena, data, "void", "demo", "3")
        assert [3, 7, 8, 9, 10] == store.missing_games("demo")

    assert "is played again, within seconds\n" in done.out


def decided(arena: Arena, data: Path) -> str:
    """Decide three times; return the head of the log after the second time."""
    league(arena, data, "void", "demo", "3")
    league(arena, data, "void", "demo", "4", "--no-replay")
    head = json.loads(standings(arena, data, "json"))["audit_head"]
    league(arena, data, "exclude", "demo", "fox")
    return str(head)


def test_an_audit_of_a_league(arena: Arena, data: Path) -> None:
    """It shows the log with both heads, and says that nothing was changed."""
    head = decided(arena, data)
    done = arena("league", "audit", "demo", "--head", head, "--data", data)
    wrong = arena("league", "audit", "--head", genesis("x"), "--data", data)
    value = json.loads(arena("league", "audit", "--json", "--data", data).out)

    assert (0, "") == (done.code, done.error)
    assert ["1.", "2.", "3."] == [line[:2] for line in done.out.splitlines()[:3]]
    assert "league demo: 3 entries, 4 games: nothing was changed" in done.out
    assert (1, True) == (wrong.code, "since that was noted" in wrong.error)
    assert (True, [], 3) == (value["is_right"], value["wrong"], len(value["audit"]))


def tampered(data: Path, statement: str, *values: object) -> None:
    """Write to the file as one may who has it, past all that protects it."""
    connection = sqlite3.connect(data / "arena.sqlite")
    for trigger in connection.execute("SELECT name FROM sqlite_master").fetchall():
        if trigger[0].startswith(("audit_", "void_games_")):
            connection.execute(f"DROP TRIGGER {trigger[0]}")
    connection.execute(statement, values)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE audit SET reason = 'else' WHERE number = 2", "entry 2 of the audit"),
        ("UPDATE audit SET time = 'x' WHERE number = 1", "entry 1 of the audit"),
        ("DELETE FROM audit WHERE number = 1", "entry 1 of the audit log is wrong"),
        ("DELETE FROM void_games WHERE entry = 2", "game 4, which entry 2"),
        ("UPDATE seats SET place = 5 - place", "the result of game demo-1 is not"),
        ("UPDATE games SET record_hash = 'aa'", "the result of game demo-1 is not"),
    ],
)
def test_an_audit_finds_what_was_changed(
    arena: Arena, data: Path, statement: str, problem: str
) -> None:
    """Whoever changes the file is found out, by the place where it was done."""
    decided(arena, data)
    tampered(data, statement)
    done = arena("league", "audit", "demo", "--data", data)

    assert (1, True) == (done.code, problem in done.error)


@pytest.mark.parametrize(
    "change", ["reason = 'else'", "digest = 'no hash'", "action = 'forgive'"]
)
def test_nothing_is_added_to_a_log_that_was_changed(
    arena: Arena, data: Path, change: str
) -> None:
    """A log that is no longer itself is like a damaged file."""
    decided(arena, data)
    tampered(data, f"UPDATE audit SET {change} WHERE number = 2")
    done = league(arena, data, "pause", "demo")

    assert (2, True) == (done.code, "put a backup in its place" in done.error)
    assert "entry 2 of" in done.error
    assert "was changed" in done.error


def test_an_audit_finds_a_record_that_was_changed(arena: Arena, data: Path) -> None:
    """A record no longer has the hash that it says."""
    with Store.open_read_only(data) as store:
        text = store.record("demo", 2).replace('"totals":[', '"totals":[1')
    packed = zlib.compress(text.encode())
    tampered(data, "UPDATE games SET record = ? WHERE number = 2", packed)
    done = arena("league", "audit", "--data", data)

    assert (1, True) == (done.code, "record of game demo-2 was changed" in done.error)


class Export:
    """What a host gives away of a league."""

    def __init__(self, arena: Arena, data: Path, folder: Path) -> None:
        self.arena = arena
        self.file = folder / "demo.json"
        self.records = folder / "demo.jsonl"
        self.void = folder / "void.jsonl"
        self.file.write_text(standings(arena, data, "json"))
        for path, more in ((self.records, ()), (self.void, ("--void",))):
            arena("games", "export", "demo", *more, "-o", path, "--data", data)

    def audit(self, *more: str) -> Done:
        """Check it without a data directory."""
        files = ("--file", self.file, "--records", self.records, "--void", self.void)
        return self.arena("league", "audit", *files, *more, "--data", "/nowhere")


def test_an_export_can_be_checked_anywhere(
    arena: Arena, data: Path, tmp_path: Path
) -> None:
    """Standings, records and void games are all that it takes."""
    head = decided(arena, data)
    export = Export(arena, data, tmp_path)
    done = export.audit("--head", head)
    lines = export.void.read_text().splitlines()

    assert (0, "") == (done.code, done.error)
    assert "3 entries, 4 games: nothing was changed" in done.out
    assert [3, 4] == [read_record(line).block for line in lines]
    assert 4 == len(export.records.read_text().splitlines())


def test_a_rotated_export_can_be_checked_anywhere(arena: Arena, tmp_path: Path) -> None:
    """Games of one block are several, and each stands once."""
    rotated = league_config(games=16, luck="rotate")
    with Store.open(tmp_path / "data", command="a test") as store:
        store.open_league(rotated)
        play(store, rotated, *range(1, 11))
    done = Export(arena, tmp_path / "data", tmp_path).audit()

    assert (0, "") == (done.code, done.error)
    assert "0 entries, 10 games: nothing was changed" in done.out


def test_records_of_another_league_are_refused(
    arena: Arena, data: Path, tmp_path: Path
) -> None:
    """Games that the standings can say nothing of are named."""
    export = Export(arena, data, tmp_path)
    export.records.write_text(
        export.records.read_text().replace('"league":"demo"', '"league":"monday"')
    )
    done = export.audit()

    assert (2, True) == (
        done.code,
        "'demo-1' is no game of league 'demo'" in done.error,
    )


def _without_last_line(path: Path) -> None:
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))


def _other_reason(export: Export) -> None:
    document = json.loads(export.file.read_text())
    document["audit"][1]["reason"] = "else"
    export.file.write_text(json.dumps(document))


def _other_record(export: Export) -> None:
    lines = export.records.read_text().splitlines()
    lines[0] = lines[0].replace('"totals":[', '"totals":[1')
    export.records.write_text("\n".join(lines))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (_other_reason, "entry 2 of the audit log is wrong"),
        (lambda export: _without_last_line(export.records), "records of 3 games"),
        (lambda export: _without_last_line(export.void), "game 4, which entry 2"),
        (_other_record, "the record of game demo-1 was changed"),
    ],
)
def test_an_export_that_was_changed_is_found_out(
    arena: Arena,
    data: Path,
    tmp_path: Path,
    change: Callable[[Export], None],
    problem: str,
) -> None:
    """What does not fit is named."""
    decided(arena, data)
    export = Export(arena, data, tmp_path)
    change(export)
    done = export.audit()

    assert (1, True) == (done.code, problem in done.error)


def test_files_that_can_not_be_audited(arena: Arena, tmp_path: Path) -> None:
    """What is missing or no standings is one line."""
    file = tmp_path / "x.json"
    file.write_text("[]")
    no_file = arena("league", "audit", "--records", file)
    no_standings = arena("league", "audit", "--file", file)
    both = arena("league", "audit", "demo", "--file", file)

    assert [2, 2, 2] == [no_file.code, no_standings.code, both.code]
    assert "--records and --void go with --file" in no_file.error
    assert "expected an object" in no_standings.error
    assert "not both" in both.error


def test_void_games_are_exported_alone(arena: Arena, data: Path) -> None:
    """They go with no other source of games."""
    done = arena("games", "export", "--void", "--after", "3", "--data", data)
    none = arena("games", "export", "--void", "--data", data)

    assert (2, True) == (done.code, "--void takes no" in done.error)
    assert (0, "") == (none.code, none.out)


def test_a_record_is_written_as_it_was(arena: Arena, data: Path) -> None:
    """A void game is exported in every form that games are."""
    with Store.open_read_only(data) as store:
        record = read_record(store.record("demo", 3))
    decided(arena, data)
    lines = arena("games", "export", "--void", "--data", data).out.splitlines()
    told = arena("games", "export", "--void", "--format", "text", "--data", data).out

    assert write_record(record) == lines[0]
    assert "demo-3" in told
