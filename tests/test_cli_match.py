"""`arena match` before it plays, and the report of a match afterwards."""

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from rich.console import Console

from arena.rules import RuleSet, preset
from arena.terminal import CommandError
from leagues.commands import match as command
from leagues.commands.league import consequence
from leagues.commands.match_choice import differences, named_match, next_match
from leagues.commands.match_live import match_display
from leagues.commands.rate import _anchor_note
from leagues.config import LeagueConfig, Suspended, SuspensionRules
from leagues.match import Claims
from leagues.match_config import Side, match_config
from leagues.running.failures import ProgramFailure
from leagues.running.game_spec import game_spec
from leagues.running.progress import Progress
from leagues.storage.store import Store
from tests.command_line import Arena
from tests.league_games import league_config, league_spec, played

SIDES = (Side("new", house="careful"), Side("old", house="lowest"))


def config(name: str, *, blocks: int = 2, claims: Claims | None = None) -> LeagueConfig:
    """A match of short games."""
    return match_config(
        name,
        SIDES,
        rules=RuleSet(target=10),
        blocks=blocks,
        claims=claims,
        practice_seed="1",
    )


def play(folder: Path, match: LeagueConfig, *, games: int) -> None:
    """Play the first games of a match."""
    with Store.open(folder, command="a test") as store:
        league = store.open_league(match)
        store.start_run(league.name)
        for number in range(1, games + 1):
            record = played(league_spec(match, league, number))
            store.finish_game(league.name, record)
        store.stop_run(league.name)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--sprt", "0"), "--sprt '0': expected two effects, such as 0,0.1"),
        (("--sprt", "a,b"), "--sprt 'a,b': expected two effects, such as 0,0.1"),
        (("--sprt", "0,nan"), "the two effects must be finite"),
        (("--sprt", "0,inf"), "the two effects must be finite"),
        (("--sprt", "0.1,0"), "d0 must be less than d1"),
        (("--sprt", "0,1", "--alpha", "0.7"), "error: --alpha 0.7: expected a number"),
        (
            ("--sprt", "0,1", "--beta", "0"),
            "error: --beta 0: expected a number above 0",
        ),
        (("--sprt", "0,1", "--beta", "nan"), "error: --beta nan: expected a number"),
        (("--alpha", "0.1"), "--alpha is for --sprt D0,D1 only"),
        (("--beta", "0.1"), "--beta is for --sprt D0,D1 only"),
        (("--name", "a b"), "--name: 'a b' is none"),
        (("--blocks", "2000000"), "above 10,000,000"),
        (("--rules", "chess"), "chess"),
    ],
)
def test_what_can_be_no_match_is_refused(
    arena: Arena, tmp_path: Path, options: tuple[str, ...], problem: str
) -> None:
    """In one line, before anything is started or stored."""
    done = arena("match", "careful", "lowest", "--data", tmp_path / "data", *options)

    assert (2, "") == (done.code, done.out)
    assert problem in " ".join(done.error.split())
    assert not (tmp_path / "data").exists()


def test_a_command_needs_a_sandbox(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without one it is refused, and told why it could not play without."""
    monkeypatch.setattr("leagues.programs.sandbox.BWRAP", "no-such-program")
    done = arena("match", "python mybot.py", "careful", "--data", tmp_path / "data")

    assert (2, "") == (done.code, done.out)
    assert "a bot that remembers them knows all hands" in done.error
    assert "needs bubblewrap" in done.error
    assert not (tmp_path / "data").exists()


def chosen(
    data: Path, make: Callable[[str], LeagueConfig] = config
) -> tuple[str, LeagueConfig]:
    """Which match the command would play."""
    found = next_match(data, SIDES, make)
    return found.name, found


def test_a_match_goes_on_until_it_is_over(tmp_path: Path) -> None:
    """A stopped one is taken up again, a finished one is followed by another."""
    fresh, match = chosen(tmp_path)
    play(tmp_path, match, games=7)
    stopped, _ = chosen(tmp_path)
    play(tmp_path, match, games=12)
    finished, _ = chosen(tmp_path)

    assert ("new-old", "new-old", "new-old-2") == (fresh, stopped, finished)


def test_another_match_of_the_same_bots_has_another_name(tmp_path: Path) -> None:
    """One that was stopped does not go on with other claims."""
    play(tmp_path, config("new-old", claims=Claims(0, 0.1)), games=3)
    play(tmp_path, config("new-old-2"), games=3)
    other, _ = chosen(tmp_path, lambda name: config(name, claims=Claims(0, 0.2)))
    same, _ = chosen(tmp_path)

    assert ("new-old-3", "new-old-2") == (other, same)


def test_a_match_that_was_left_half_way_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whoever gives other options by mistake sees which match does not go on."""
    play(tmp_path, config("new-old", claims=Claims(0, 0.1, beta=0.2)), games=3)
    chosen(tmp_path)
    told = capfd.readouterr().err
    play(tmp_path, config("new-old-2"), games=12)
    chosen(tmp_path, lambda name: config(name, claims=Claims(0, 0.1, beta=0.2)))
    goes_on = capfd.readouterr().err

    assert (
        "match new-old is unfinished, begun with --sprt 0,0.1 --beta 0.2; beginning "
        "new-old-2\n"
    ) == told
    assert "match new-old goes on: 3 games of it are finished\n" == goes_on


LEAVING_OUT = replace(
    league_config(), suspension=SuspensionRules(games=Suspended.LEAVE_OUT)
)
CHANGED = replace(SIDES[0], program="2")


@pytest.mark.parametrize(
    ("other", "texts"),
    [
        ({}, []),
        ({"blocks": 3}, ["--blocks 2"]),
        ({"claims": Claims(0, 0.1), "blocks": 900}, ["no --sprt"]),
        ({"practice_seed": "2"}, ["--seed 1"]),
        ({"practice_seed": None}, ["--seed 1"]),
        ({"rules": RuleSet(target=20)}, ["--rule target=10"]),
        ({"rules": preset("cancellation", players=6, target=10)}, ["--players 4"]),
        ({"sides": (CHANGED, SIDES[1])}, ["programs that have changed since"]),
        (
            {"sides": (SIDES[0], Side("old", house="daring"))},
            ["other bots, or the same ones run otherwise"],
        ),
    ],
)
def test_a_finished_match_is_told_in_options(
    tmp_path: Path, other: dict[str, object], texts: list[str]
) -> None:
    """Nobody has written its file, so what differs is what was given before."""
    play(tmp_path, config("mine"), games=12)
    options: dict[str, object] = {
        "rules": RuleSet(target=10),
        "blocks": 2,
        "practice_seed": "1",
        "sides": SIDES,
    }
    options |= other
    asked = match_config("mine", options.pop("sides"), **options)  # type: ignore[arg-type]
    with Store.open_read_only(tmp_path) as store:
        found = differences(store.league("mine"), asked)
    if not texts:
        assert asked == named_match(tmp_path, asked)
    else:
        with pytest.raises(
            CommandError, match="--name: match mine is finished"
        ) as told:
            named_match(tmp_path, asked)
        assert texts[0] in str(told.value)

    assert texts == [text for text in found if text in texts]
    assert bool(texts) == bool(found)


def test_the_name_of_a_league_is_not_that_of_a_match(tmp_path: Path) -> None:
    """A league that is no match can't go on as one."""
    play(tmp_path, league_config(name="demo"), games=0)

    with pytest.raises(CommandError, match="demo is a league and no match"):
        named_match(tmp_path, config("demo"))


@pytest.mark.parametrize(
    ("made", "has_connected", "expected"),
    [
        (config("m"), False, "The match stops, since fox-1 has never connected."),
        (config("m"), True, "The games of fox-1 are not played any more."),
        (league_config(), True, "The seats of fox-1 are given up."),
        (LEAVING_OUT, True, "The games of fox-1 are left out in this run."),
    ],
)
def test_a_match_has_no_advice_of_leagues(
    made: LeagueConfig, has_connected: bool, expected: str
) -> None:
    """It has neither a file nor an option to play on without a program."""
    failure = ProgramFailure("fox-1", ("fox",), 4, 1, has_connected, Path("log"), "")

    assert expected == consequence(made, failure, gives_up_broken=False)


@pytest.mark.parametrize(
    ("is_named", "has_failed", "ending"),
    [
        (False, False, "the same command again goes on"),
        (False, True, "with a program that was mended it begins a new match"),
        (True, True, "that was mended it has to have another --name"),
    ],
)
def test_what_the_same_command_does_again(
    tmp_path: Path, is_named: bool, has_failed: bool, ending: str
) -> None:
    """A program that is mended makes it another match, and that is said before."""
    play(tmp_path, config("mine"), games=3)
    with Store.open_read_only(tmp_path) as store:
        text = command._rest(
            store.league("mine"), is_named=is_named, has_failed=has_failed
        )

    assert text.endswith(ending)


def test_open_matches_have_the_same_dice_under_any_name(tmp_path: Path) -> None:
    """What bots draw their chances from is no more of the name than the deals are."""

    def dice(name: str, seed: str | None) -> bytes:
        made = match_config(name, SIDES, rules=RuleSet(), blocks=2, practice_seed=seed)
        with Store.open(tmp_path, command="a test") as store:
            league = store.open_league(made)
        spec = game_spec(made, league, 1, attempt=0)
        return spec.table_key

    assert dice("new-old", "7") == dice("new-old-2", "7")
    assert dice("secret", None) != dice("secret-2", None)


def test_the_report_of_a_match(arena: Arena, tmp_path: Path) -> None:
    """It can be told again at any time, from what the store has."""
    play(tmp_path, config("new-old"), games=7)
    running = arena("league", "report", "new-old", "match", "--data", tmp_path)
    play(tmp_path, config("new-old"), games=12)
    done = arena(
        *("league", "report", "new-old", "match", "--data", tmp_path),
        *("--format", "json"),
    )
    (row,) = json.loads(done.out)["rows"]
    standings = arena("league", "standings", "new-old", "--data", tmp_path).out
    balance = arena("league", "report", "new-old", "balance", "--data", tmp_path).out

    assert "Even between the two sides, which sit in all arrangements" in balance
    assert "1 block; unit: game" in running.out
    assert (2, True, "new") == (row["blocks"], row["is_over"], row["a"])
    assert "Match of new against old: `arena league report new-old match` tells" in (
        standings
    )
    assert "deals: the same in all arrangements of the two" in standings
    assert "Too few blocks" not in standings
    assert "each two bots in all 6 arrangements with the same deals" in standings


def test_other_leagues_are_no_match(arena: Arena, tmp_path: Path) -> None:
    """The report says so, and what makes one."""
    play(tmp_path, league_config(games=2), games=2)
    done = arena("league", "report", "demo", "match", "--data", tmp_path)

    assert 2 == done.code
    assert "league demo is no match of two bots; `arena match` plays" in done.error


PROGRESS = Progress(
    league="new-old", finished=7, planned=12, running=2, waiting_for=("new-1",), voids=0
)


@pytest.mark.parametrize(
    ("claims", "told"),
    [
        (None, "1 block, new worse by "),
        (Claims(0, 0.1), "1 block, LLR -0.05 (-2.94 to +2.94), new worse by "),
    ],
)
async def test_lines_tell_how_a_match_stands(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    claims: Claims | None,
    told: str,
) -> None:
    """Beside a terminal there is a line now and then with figures and tables."""
    monkeypatch.setattr("leagues.commands.match_live._LINE_SECONDS", 0.0)
    play(tmp_path, config("new-old", claims=claims), games=7)
    with (
        Store.open_read_only(tmp_path) as store,
        match_display("new-old", is_fixed=claims is None) as shown,
    ):
        shown.update(PROGRESS)
        with trio.move_on_after(0.5):
            await shown.keep(store, "new-old")
        shown.update(PROGRESS)
    first, *_, last = capsys.readouterr().err.splitlines()

    assert first.startswith("new-old: starting; 7")
    assert last.startswith(f"new-old: {told}")
    games = "7 games" if claims else "7 of 12 games"
    assert last.endswith(f"; {games}, 2 running")


def test_a_bar_tells_how_a_match_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal the bar tells the same, and messages stand above it."""
    terminal = io.StringIO()
    monkeypatch.setattr(
        "leagues.commands.match_live.Console",
        lambda stderr: Console(file=terminal, force_terminal=True, width=120),
    )
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with match_display("new-old", is_fixed=True) as shown:
        shown.update(PROGRESS)
        shown.say("hello [there]")

    assert "hello [there]" in terminal.getvalue()
    assert "7 of 12 games, 2 running" in terminal.getvalue()


@pytest.mark.parametrize(
    ("entrants", "is_told"),
    [
        (("careful-1", "new-1"), True),
        (("careful", "careful-1"), False),
        (("new-1", "old-1"), False),
    ],
)
def test_a_match_that_is_rated_elsewhere_has_its_anchor_named(
    entrants: tuple[str, ...], is_told: bool
) -> None:
    """Files do not say that a bot is the house's own, so somebody has to."""
    assert is_told == ("--anchor careful-1 rates" in _anchor_note(entrants))
