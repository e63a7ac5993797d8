"""What the commands that run an arena are made of, without processes."""

import errno
import io
import logging
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from rich.console import Console

from arena.record import Fault
from arena.rules import RuleSet, preset
from arena.server import PortTakenError, Presence, open_server
from arena.spec import TimeControl
from arena.terminal import CommandError
from leagues.commands.games import fitted_rows
from leagues.commands.live import display
from leagues.commands.play_summary import print_summary
from leagues.commands.running import (
    logging_to,
    run_arena,
)
from leagues.commands.serve import tell_unseated
from leagues.commands.stopping import (
    StoppedError,
)
from leagues.programs.sparring import Sparring, SparringError, SparringPlan
from leagues.running.runner import Progress
from leagues.running.started import StartedTokens
from leagues.standings import LeagueFacts, standings_of
from leagues.storage.lock import PassingStoreError
from leagues.storage.store import StoreError
from tests.sample_records import sample_record
from tests.test_verdict import answered

PLAN = SparringPlan(
    bot="fox",
    command=("fox",),
    opponents=("careful", "fox", "careful"),
    rules=RuleSet(),
    seed="7",
    time_control=TimeControl(),
    start_seconds=60.0,
)
LATE = Fault(deal=1, kind="late", offered="", reason="", seat=0, trick=3)
ILLEGAL = replace(LATE, kind="illegal", offered="2C", reason="illegal")
PROGRESS = Progress(
    league="demo", finished=3, planned=9, running=2, waiting_for=("owl",), voids=1
)


class TestSparring:
    """The games of `arena play`."""

    def test_everybody_at_the_table_has_a_name_of_its_own(self) -> None:
        """House bots that come twice, or have the bot's name, are numbered."""
        assert ("fox", "careful", "fox-2", "careful-2") == PLAN.names()

    @pytest.mark.parametrize(
        ("rules", "series"),
        [
            (preset("arena"), "7"),
            (preset("black_maria"), "black_maria-3seats-7"),
            (preset("party", players=6), "party-6seats-7"),
            (preset("spot", target=50), "spot-4seats-HASH-7"),
            (preset("standard_first_hearts_only"), "4seats-HASH-7"),
        ],
    )
    def test_games_under_other_rules_have_other_names(
        self, rules: RuleSet, series: str
    ) -> None:
        """The rules and the seats stand in them, and what tells options apart."""
        opponents = ("careful",) * (rules.players - 1)
        plan = replace(PLAN, rules=rules, opponents=opponents)
        expected = series.replace("HASH", rules.hash[:6])

        assert expected == plan.series
        assert f"play-{expected}-2" == plan.spec(2).game_id

    def test_the_bot_moves_on_by_a_seat_each_game(self) -> None:
        """In four games the bot sits in all four seats, in the same order of bots."""
        specs = [PLAN.spec(number) for number in range(1, 5)]
        seats = [[seat.bot for seat in spec.seats].index("fox") for spec in specs]

        assert [0, 1, 2, 3] == seats
        assert {0} == {
            spec.seats[(seat + 1) % 4].bot != "careful"
            for spec, seat in zip(specs, seats, strict=True)
        }

    def test_the_seed_decides_the_deals(self) -> None:
        """Equal seeds deal alike, others do not, nor do other games and attempts."""
        seeds = [
            PLAN.spec(1).sequence_seed,
            replace(PLAN, bot="owl").spec(1).sequence_seed,
            replace(PLAN, seed="8").spec(1).sequence_seed,
            PLAN.spec(2).sequence_seed,
            PLAN.spec(1, attempt=1).sequence_seed,
        ]

        assert seeds[0] == seeds[1]
        assert 4 == len(set(seeds))

    async def test_a_late_turn_is_noticed_while_its_game_runs(
        self, autojump_clock: trio.testing.MockClock
    ) -> None:
        """Faults of other kinds are passed over, and nothing comes before the time."""

        class SlowServer:
            looks = 0

            async def faults_of(self, bot: str) -> tuple[Fault, ...]:
                self.looks += 1
                return (ILLEGAL, LATE)[: self.looks - 1]

        server = SlowServer()
        sparring = Sparring(PLAN, server)  # type: ignore[arg-type]

        assert await sparring.first_late_turn() == LATE
        assert 3 == server.looks

    async def test_no_game_has_no_faults(self) -> None:
        """An arena without games knows of no fault."""
        async with open_server(tokens=StartedTokens()) as server:
            assert () == await server.faults_of("fox")


class TestPlaySummary:
    """What `arena play` says after its games."""

    PLAN = replace(PLAN, opponents=("careful", "lowest", "dares"))

    def test_several_games_end_with_a_table(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        """All four have a row, and the worst game is named with its command."""
        games = [sample_record(seed, target=26) for seed in (1, 2)]
        file = tmp_path / "fox.jsonl"
        log = tmp_path / "fox.log"
        is_fine = print_summary(
            self.PLAN, games, None, file=file, log=log, is_full=False
        )
        printed = capsys.readouterr()
        rows = printed.out.splitlines()

        assert not is_fine
        assert "Bot 1st 2nd 3rd 4th Mean place Pts/deal" == " ".join(rows[0].split())
        assert set(self.PLAN.names()) == {row.split()[0] for row in rows[1:5]}
        assert rows[6].startswith("fox: 2 games, 0 won, mean place ")
        assert f"arena replay {file} --game demo-17 --transcript full" in printed.err

    def test_a_table_of_any_size_has_a_column_for_each_place(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Three seats have three places, and eight have eight."""
        for seats in (3, 8):
            opponents = tuple(f"bot{number}" for number in range(2, seats + 1))
            game = sample_record(1, target=26)
            seat = game.seats[0]
            record = replace(
                game,
                seats=tuple(replace(seat, bot=name) for name in ("fox", *opponents)),
                places=tuple(range(1, seats + 1)),
                totals=tuple(range(seats)),
            )
            plan = replace(self.PLAN, opponents=opponents)
            where = Path("fox.jsonl")
            print_summary(plan, [record] * 2, None, file=where, log=None, is_full=False)
            rows = capsys.readouterr().out.splitlines()

            assert f"{seats}th" in rows[0] or "3rd Mean" in " ".join(rows[0].split())
            assert ["fox", "2", *["0"] * (seats - 1)] == rows[1].split()[: seats + 1]

    def test_late_answers_are_explained(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        """Whoever was late learns what that may come from, and sees its log."""
        record = sample_record(146, target=40)
        late = sum(fault.kind == "late" for fault in record.faults)
        log = tmp_path / "fox.log"
        log.write_text("thinking\n")
        print_summary(self.PLAN, [record], None, file=log, log=log, is_full=True)
        printed = capsys.readouterr()

        assert late > 0
        assert f"{late} turn" in printed.err
        assert "had no answer within 5 s: does fox think too long" in printed.err
        assert f"its log {log} ends:\n    thinking\n" in printed.err
        assert "Bot" not in printed.out

    def test_a_late_answer_has_its_verdict(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        """Where the record tells why a turn was late, so does the summary."""
        record = sample_record(146, target=40)
        missed = tuple(
            replace(
                answered(9, 5_009, charged_ms=5_000, limit_ms=5_000),
                deal=f.deal,
                trick=f.trick,
                seat=f.seat,
            )
            for f in record.faults
        )
        record = replace(record, times=replace(record.times, missed=missed))
        file = tmp_path / "fox.jsonl"
        print_summary(self.PLAN, [record], None, file=file, log=None, is_full=True)

        assert (
            "had no answer within 5 s; the first of them: it was thinking: its own "
            "clock says 5,009 ms of the 5,000 ms it had\n"
        ) in capsys.readouterr().err


class TestErrors:
    """What can go wrong outside becomes one line."""

    @pytest.mark.parametrize(
        ("error", "code"),
        [
            (StoreError("the file is damaged"), 2),
            (PassingStoreError("the disk is full"), 75),
            (OSError(errno.ENOSPC, "the disk is full"), 75),
            (PortTakenError("the port is taken"), 2),
            (SparringError("the bot did not come"), 1),
            (StoppedError("stopped"), 130),
        ],
    )
    def test_known_errors_keep_their_text(self, error: Exception, code: int) -> None:
        """Errors are found in whatever nurseries have wrapped around them."""

        async def fail() -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(trio.sleep_forever)
                raise error

        with pytest.raises(CommandError) as raised:
            run_arena(fail)

        text = getattr(error, "strerror", None) or str(error)
        assert (text, code) == (str(raised.value), raised.value.exit_code)

    def test_bugs_stay_bugs(self) -> None:
        """An error of our own passes as it is."""

        async def fail() -> None:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            run_arena(fail)


def test_progress_is_plain_lines_without_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a terminal there is a line now and then, and messages at once."""
    monkeypatch.setattr("leagues.commands.live._LINE_SECONDS", 0.0)
    with display() as shown:
        shown.update(PROGRESS)
        shown.say("hello [there]")

    assert (
        "demo: 3 of 9 games, 2 running, 1 void and played again, waiting for owl\n"
        "hello [there]\n"
    ) == capsys.readouterr().err


def test_who_is_waited_for_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Beside a terminal too it is said at once when nothing runs for lack of a bot."""
    idle = replace(PROGRESS, running=0, voids=0)
    with display(dial_in=["owl", "elk"]) as shown:
        shown.update(replace(idle, waiting_for=("careful",)))
        shown.update(replace(idle, waiting_for=("careful", "elk", "owl")))
        shown.update(replace(idle, waiting_for=("elk", "owl")))
        shown.update(PROGRESS)
        shown.update(replace(idle, waiting_for=("owl",)))

    assert [
        "demo: 3 of 9 games; waiting for elk, owl",
        "demo: 3 of 9 games; waiting for owl",
    ] == capsys.readouterr().err.splitlines()


def test_progress_is_a_board_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal the bar tells the same, and messages stand above it."""
    terminal = io.StringIO()
    monkeypatch.setattr(
        "leagues.commands.live.Console",
        lambda stderr: Console(file=terminal, force_terminal=True, width=120),
    )
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with display() as shown:
        shown.update(PROGRESS)
        shown.say("hello [there]")

    assert "hello [there]" in terminal.getvalue()
    assert "3/9" in terminal.getvalue()
    assert "waiting for owl" in terminal.getvalue()


@pytest.mark.parametrize(
    ("state", "shown_state"), [("stopped", "starting"), ("running", "running")]
)
def test_a_league_that_is_shown_live_has_not_stopped(
    monkeypatch: pytest.MonkeyPatch, state: str, shown_state: str
) -> None:
    """Before its first game the board says that the league is starting."""
    terminal = io.StringIO()
    monkeypatch.setattr(
        "leagues.commands.live.Console",
        lambda stderr: Console(file=terminal, force_terminal=True, width=80),
    )
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    facts = LeagueFacts(
        name="demo",
        state=state,
        entrants=("careful", "fox", "lowest", "dares"),
        players=4,
        tricks=13,
        has_moon=True,
        has_queen=True,
        rules="arena",
        rules_hash="ab" * 32,
        games_planned=9,
        commitment="cd" * 32,
        practice_seed=None,
    )
    with display() as shown:
        shown.show(standings_of(facts, []))

    assert f"League demo: {shown_state}, 0 of 9 games" in terminal.getvalue()


def test_the_log_is_written_while_the_block_lasts(tmp_path: Path) -> None:
    """What the arena logs goes to a file of the data directory, and only then."""
    with logging_to(tmp_path) as path:
        logging.getLogger("arena.test").info("game=%s", "demo-1")
    logging.getLogger("arena.test").error("nobody hears")
    text = path.read_text()

    assert tmp_path / "logs" / "arena.log" == path
    first, line, last = text.splitlines()
    assert first.endswith(" starting")
    assert line.endswith(" INFO arena.test game=demo-1")
    assert last.endswith(" INFO leagues.commands stopped")


def test_the_log_says_why_an_arena_has_stopped(tmp_path: Path) -> None:
    """What ends the block is in its last line."""
    with pytest.raises(StoreError), logging_to(tmp_path) as path:
        raise StoreError("the disk is full")

    last = path.read_text().splitlines()[-1]
    assert last.endswith('why="StoreError: the disk is full" stopped')


@pytest.mark.parametrize("module", ["arena.server", "leagues.running.runner"])
def test_without_a_log_nothing_is_logged_to_the_terminal(module: str) -> None:
    """What has no log, such as `arena play`, shows no lines of one."""
    code = f"import logging, {module} as it; it.log.error('kind=lag')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert ("", "") == (done.stdout, done.stderr)


class SeatlessServer:
    """A server whose only news is that two bots are there."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []

    def presence(self) -> dict[str, Presence]:
        """Return an entrant, a stranger, and a house bot of the practice tables."""
        names = ("lee", "kim", "careful (house)")
        return {name: Presence(1, 8, 0) for name in names}

    def tell(self, bot: str, message: str, waiting_for: tuple[str, ...] = ()) -> None:
        """Keep what a bot is told."""
        self.told.append((bot, message))

    async def presence_changed(self) -> None:
        """Wait until cancelled."""
        await trio.sleep_forever()


async def test_a_bot_without_a_league_is_told_so(autojump_clock: object) -> None:
    """Who has no seat in any league hears of practice; entrants hear nothing."""
    server: Any = SeatlessServer()
    with trio.move_on_after(1):
        await tell_unseated(server, frozenset({"lee"}))
    ((bot, message),) = server.told

    assert "kim" == bot
    assert "HEARTS_PRACTICE=1" in message


def test_a_long_list_of_entrants_is_broken_between_them() -> None:
    """At 80 columns a table of eight takes two lines, and elsewhere one."""
    heads = ("Game", "Deals", "Entrants")
    entrants = "  ".join(f"a-bot-{number} 10{number}" for number in range(1, 9))
    rows = [("g-1", "6", entrants), ("g-2", "4", "ann 3  ben 4")]
    first, second = entrants[: 5 * 13 - 2], entrants[5 * 13 :]

    assert rows == fitted_rows(heads, rows, width=None)
    assert [
        ("g-1", "6", first),
        ("", "", second),
        ("g-2", "4", "ann 3  ben 4"),
    ] == fitted_rows(heads, rows, width=80)
    assert ["ann 3", "ben 4"] == [
        row[-1] for row in fitted_rows(heads, rows[1:], width=10)
    ]
