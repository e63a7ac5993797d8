"""Leagues whose time is limited, and those that their host ends."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from leagues.audit import Action
from leagues.config import ConfigError, LeagueConfig, parse_league
from leagues.reports.standings import FORMATS
from leagues.running.pacing_choice import end_after
from leagues.running.runner import Outcome, Progress, run_league
from leagues.running.threads import Arguments, InThread, Result
from leagues.scheduling.balance import balance_of
from leagues.scheduling.schedule import schedule
from leagues.scheduling.stops import Stops
from leagues.storage.audited import decide
from leagues.storage.moments import moment_of, seconds_of, utc_text
from leagues.storage.store import LeagueChanged, LeagueOverError, Store
from tests.hosted_runs import at_once, decide_beside
from tests.league_appeals import entry
from tests.league_games import NAMES, league_config
from tests.league_server import FakeServer
from tests.simulation.clockwork import name_of

HOURS = 2
"""How long the leagues of these tests have from when they are created."""


def timed(
    *, entrants: int = 6, games: int = 100_000, luck: str = "none"
) -> LeagueConfig:
    """A league that has two hours from now on."""
    until = datetime.now(UTC).replace(second=0) + timedelta(hours=HOURS)
    league = league_config(games=games, entrants=entrants, seed=None, luck=luck)
    return replace(league, until=until.isoformat(timespec="minutes"), tables_max=4)


class Night:
    """A timed league as its runs play it, begun so many seconds before its end."""

    def __init__(self, store: Store, league: LeagueConfig, *, seconds: float) -> None:
        self.store, self.league = store, league
        self.server = FakeServer()
        self.server.game_seconds_max = 8.0  # type: ignore[misc]
        self.server.come(name for name in NAMES if name in entrants(league))
        self.drain = trio.Event()
        self.last: Progress | None = None
        self.until = seconds_of(store.open_league(league).until)
        self.begun = self.until - seconds
        self.started = trio.current_time()

    def now(self) -> float:
        """The time of day on the night's clock."""
        return self.begun + trio.current_time() - self.started

    async def play(self) -> Outcome:
        """Run the league until it must stop."""
        return await run_league(
            self.server,
            self.store,
            self.league,
            drain=self.drain,
            on_progress=self._report,
            in_thread=at_once,
            wall=self.now,
        )

    def _report(self, progress: Progress) -> None:
        self.last = progress

    def counts(self) -> list[int]:
        """How many games each entrant has played."""
        counts = Counter(
            seat.entrant for game in self.store.results("demo") for seat in game.seats
        )
        return sorted(counts[name] for name in entrants(self.league))


def entrants(league: LeagueConfig) -> list[str]:
    """The names of those who take part."""
    return [entrant.name for entrant in league.entrants]


@pytest.mark.parametrize("luck", ["none", "rotate"])
@pytest.mark.parametrize("count", [5, 6])
async def test_a_timed_league_ends_in_time_with_even_counts(
    store: Store, autojump_clock: MockClock, luck: str, count: int
) -> None:
    """It uses nearly all of its time, ends in time, and is finished."""
    night = Night(store, timed(entrants=count, luck=luck), seconds=400)
    outcome = await night.play()
    facts = outcome.league.facts()
    texts = FORMATS["text"](store.standings("demo"))
    counts = night.counts()

    assert ("finished", "finished") == (outcome.reason, outcome.league.state)
    assert 370 < night.now() - night.begun <= 400
    assert max(counts) - min(counts) <= (4 if luck == "rotate" else 1)
    assert ("time", sum(counts) // 4) == (facts.stopped_by, facts.games_planned)
    assert "\nEnded by the time\n" in texts
    assert night.last is not None
    assert facts.games_planned == night.last.planned


async def test_a_killed_timed_league_ends_when_it_would_have(
    store: Store, autojump_clock: MockClock
) -> None:
    """A later run of the same file has the same end."""
    league = timed()
    night = Night(store, league, seconds=400)
    with trio.move_on_after(150):
        await night.play()
    before = len(store.results("demo"))
    text = FORMATS["text"](store.standings("demo"))
    await trio.sleep(100)
    outcome = await night.play()
    counts = night.counts()

    assert "finished" == outcome.reason
    assert f"League demo: stopped, {before} games so far\n" in text
    assert 0 < before < len(store.results("demo"))
    assert 370 < night.now() - night.begun <= 400
    assert max(counts) - min(counts) <= 1


async def test_a_run_after_the_time_ends_the_rounds_that_were_begun(
    store: Store, autojump_clock: MockClock
) -> None:
    """It begins no more, so that everybody has played equally often."""
    night = Night(store, timed(), seconds=100)
    with trio.move_on_after(50):
        await night.play()
    before = len(store.results("demo"))
    await trio.sleep(100)
    outcome = await night.play()
    counts = night.counts()

    assert "finished" == outcome.reason
    # What was begun is what ran and a round.
    assert before <= len(store.results("demo")) <= before + 3 * 4 + 6
    assert max(counts) - min(counts) <= 1


async def test_a_league_whose_first_games_take_longer_than_its_time_plays_a_round(
    store: Store, autojump_clock: MockClock
) -> None:
    """No league ends without a single round."""
    night = Night(store, timed(), seconds=0.0)
    outcome = await night.play()

    assert "finished" == outcome.reason
    assert 1 <= len(store.results("demo")) <= 3


async def test_games_of_absent_bots_are_not_waited_for_after_the_time(
    store: Store, autojump_clock: MockClock
) -> None:
    """The league is finished soon after, and says what was left unplayed."""
    night = Night(store, timed(), seconds=400)

    async def leave() -> None:
        await trio.sleep(200)
        night.server.go("fox")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(leave)
        outcome = await night.play()
    left = outcome.league.games_planned - len(store.results("demo"))
    text = FORMATS["text"](store.standings("demo"))

    assert "finished" == outcome.reason
    assert 400 <= night.now() - night.begun < 420
    assert left > 0
    assert f"Ended by the time, {left} games left unplayed" in text


async def test_bots_that_become_slow_have_a_tenth_of_the_time_more(
    store: Store, autojump_clock: MockClock
) -> None:
    """Then no game begins any more, whatever was planned."""
    night = Night(store, timed(), seconds=400)

    async def tire() -> None:
        await trio.sleep(390)
        night.server.serial = dict.fromkeys(NAMES, 60.0)
        night.server._computers = {n: trio.CapacityLimiter(1) for n in NAMES}

    async with trio.open_nursery() as nursery:
        nursery.start_soon(tire)
        outcome = await night.play()
    grace = 0.1 * 3600 * HOURS

    assert "finished" == outcome.reason
    # Those that run by then end.
    assert night.now() - night.begun <= 400 + grace + 4 * 4 * 60


async def test_a_schedule_that_is_played_before_the_time_ends_the_league(
    store: Store, autojump_clock: MockClock
) -> None:
    """Then it was not the time that has ended it."""
    night = Night(store, timed(games=60), seconds=3600)
    outcome = await night.play()

    assert (60, "") == (len(store.results("demo")), outcome.league.stopped_by)


async def test_the_time_may_be_changed_until_the_league_is_finished(
    store: Store, autojump_clock: MockClock
) -> None:
    """What was settled for the old one is forgotten; a finished league is final."""
    league = timed()
    store.open_league(league)
    end_after(store, "demo", 9, why="time")
    later = datetime.now(UTC) + timedelta(hours=9)
    changed = replace(league, until=later.isoformat(timespec="minutes"))
    opened = store.open_league(changed)
    night = Night(store, changed, seconds=60)
    await night.play()

    assert (None, "") == (opened.ends_after, opened.stopped_by)
    assert utc_text(later.replace(second=0)) == opened.until
    with pytest.raises(LeagueChanged, match=r"\(refused: the league is finished\)"):
        store.open_league(league)


def test_a_time_that_is_over_is_refused(store: Store) -> None:
    """A league can't begin after its end."""
    with pytest.raises(LeagueOverError, match="until: '2020-01-01 07:00' is over"):
        store.open_league(replace(timed(), until="2020-01-01T07:00"))
    assert [] == store.leagues()


# What its host ends


async def test_a_league_that_its_host_ends_plays_running_games_to_their_ends(
    store: Store, autojump_clock: MockClock
) -> None:
    """They count, no more begin, and the league is finished."""
    server = FakeServer()
    server.come(NAMES)
    league = replace(league_config(games=1000, entrants=6, seed=None), tables_max=5)

    async def end() -> None:
        await trio.sleep(60)
        decide_beside(store, entry(Action.END, "the lesson is over"))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(end)
        outcome = await run_league(server, store, league, in_thread=at_once)
    text = FORMATS["text"](store.standings("demo"))

    assert ("finished", "host") == (outcome.reason, outcome.league.stopped_by)
    assert 60 < trio.current_time() < 65
    assert len(server.seeds) == len(store.results("demo")) < 1000
    assert f"Ended by its host, {1000 - len(server.seeds)} games left unplayed" in text
    assert "end, by ada: the lesson is over" in text
    again = await run_league(server, store, league, in_thread=at_once)
    assert ("finished", len(server.seeds)) == (
        again.reason,
        again.league.games_finished,
    )


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_league_that_is_ended_as_its_run_begins_plays_nothing(
    store: Store, autojump_clock: MockClock, moment: str
) -> None:
    """Else games would be dealt from a secret that is published."""
    server = FakeServer()
    server.come(NAMES)

    class Ending(InThread):
        async def __call__(
            self,
            call: Callable[[*Arguments], Result],
            /,
            *arguments: *Arguments,
            limiter: trio.CapacityLimiter | None = None,
        ) -> Result:
            is_start = name_of(call) == "start_run"
            if is_start and moment == "before":
                decide(store, "demo", entry(Action.END))
            result = call(*arguments)
            if is_start and moment == "after":
                decide(store, "demo", entry(Action.END))
            return result

    outcome = await run_league(
        server, store, league_config(games=50, seed=None), in_thread=Ending()
    )

    assert ("finished", "finished") == (outcome.reason, outcome.league.state)
    assert [] == server.seeds


def test_nobody_is_excluded_whom_the_rest_needs_for_a_table(store: Store) -> None:
    """The league would be finished at once; once it was ended it is no matter."""
    store.open_league(league_config(games=50, entrants=6, seed=None))
    for name in NAMES[:2]:
        decide(store, "demo", entry(Action.WITHDRAW, entrant=name))
    out = entry(Action.EXCLUDE, entrant=NAMES[2])
    with pytest.raises(ValueError, match=r"could play no more games: .*; end it first"):
        decide(store, "demo", out)
    decide(store, "demo", entry(Action.END))
    decide(store, "demo", out)

    assert {NAMES[2]} == store.agenda("demo").appeals.excluded.keys()


def test_a_league_that_does_not_run_is_finished_at_once(store: Store) -> None:
    """Its secret is published; nothing more can be decided that plays a game."""
    store.open_league(league_config(seed=None))
    decide(store, "demo", entry(Action.END))
    league = store.league("demo")

    assert ("finished", "host") == (league.state, league.stopped_by)
    assert league.secret.hex() == league.facts().secret
    with pytest.raises(ValueError, match="league demo is finished already"):
        decide(store, "demo", entry(Action.END))
    with pytest.raises(ValueError, match="so there is nothing to pause"):
        decide(store, "demo", entry(Action.PAUSE))


# Where schedules may end


@given(
    entrants=st.integers(5, 14),
    games=st.integers(1, 120),
    block=st.sampled_from((1, 4)),
)
def test_stops_are_ends_of_rounds_with_even_counts(
    entrants: int, games: int, block: int
) -> None:
    """All others leave somebody two tables behind, or end within a round."""
    tables = schedule(entrants, games=games)
    stops = Stops([table for table in tables for _ in range(block)], block=block)
    found = {stops.first(number) for number in range(1, block * games + 1)} - {None}

    expected = set()
    seated: set[int] = set()
    for count, table in enumerate(tables, start=1):
        seated |= set(table)
        played = balance_of(tables[:count], entrants=entrants).games
        # Who never plays in so short a schedule is none of its business.
        some = [played[one] for one in {one for each in tables for one in each}]
        if count == len(tables) or seated & set(tables[count]):
            seated = set()
            if max(some) - min(some) <= 1:
                expected.add(count * block)
    assert expected == found


def test_equal_counts_are_worth_a_tenth_of_the_games() -> None:
    """The best stop is the last one with equal counts, unless it is far away."""
    stops = Stops(schedule(13, games=13 * 3 * 40))
    # A cycle has 39 games; after it all have played 12.
    assert [0, 3, 36, 39, 39] == [stops.best(n) for n in (2, 5, 38, 39, 41)]
    assert 390 == stops.best(420)
    assert None is stops.first(13 * 3 * 40 + 1)


# What a file says


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('"07:00"', "07:00"),
        ("07:00:00", "07:00"),
        ('"2026-03-02 07:00"', "2026-03-02T07:00"),
        ("2026-03-02T07:00:30", "2026-03-02T07:00"),
        ('"2026-03-02T07:00Z"', "2026-03-02T07:00Z"),
        ("2026-03-02T07:00:00+01:00", "2026-03-02T07:00+01:00"),
    ],
)
def test_times_are_read(written: str, read: str) -> None:
    """As text or as TOML's own, with or without a day."""
    assert read == parse_league(_file(f"until = {written}"), file="a.toml").until


@pytest.mark.parametrize(
    "written",
    ['"7"', '""', "7", '"25:00"', '"2026-03-02"', "2026-03-02", '"07:00Z"', '"soon"'],
)
def test_what_is_no_time_is_refused(written: str) -> None:
    """The error says what was expected."""
    with pytest.raises(ConfigError, match=r'a.toml:1: until: .*such as "07:00"'):
        parse_league(_file(f"until = {written}"), file="a.toml")


def test_a_deadline_beside_a_time_is_refused() -> None:
    """Two ends are one too many."""
    with pytest.raises(ConfigError, match="deadline_minutes: leave it out"):
        parse_league(_file("until = '07:00'\ndeadline_minutes = 5"), file="a.toml")


def _file(line: str) -> str:
    entrants = "".join(f"[[entrant]]\nhouse = '{name}'\n" for name in NAMES[:4])
    return f"{line}\nname = 'a'\n{entrants}"


@pytest.fixture
def in_berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This machine's clock shows the time of Berlin."""
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("in_berlin")
@pytest.mark.parametrize(
    ("now", "until", "expected"),
    [
        ("2026-06-01T20:00:00Z", "07:00", "2026-06-02T05:00:00Z"),
        ("2026-06-01T04:59:00Z", "07:00", "2026-06-01T05:00:00Z"),
        ("2026-06-01T05:00:00Z", "07:00", "2026-06-02T05:00:00Z"),
        # The night in which clocks are put back has an hour more.
        ("2026-10-24T20:00:00Z", "07:00", "2026-10-25T06:00:00Z"),
        ("2026-03-28T20:00:00Z", "07:00", "2026-03-29T05:00:00Z"),
        ("2026-01-01T00:00:00Z", "2026-01-05T07:00", "2026-01-05T06:00:00Z"),
        ("2026-01-01T00:00:00Z", "2026-01-05T07:00+09:00", "2026-01-04T22:00:00Z"),
    ],
)
def test_a_time_of_day_is_the_next_one(now: str, until: str, expected: str) -> None:
    """As the clock on the wall shows it, also where it is put back that night."""
    assert expected == utc_text(moment_of(until, now=datetime.fromisoformat(now)))


def test_no_such_day_is_refused(store: Store) -> None:
    """A day that the calendar lacks is told when the league is created."""
    with pytest.raises(LeagueOverError, match="day is out of range"):
        store.open_league(replace(timed(), until="2999-02-30T07:00"))
