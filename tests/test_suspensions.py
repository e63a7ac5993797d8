"""Suspensions in leagues: kept, told, lifted; and slow bots that hold up nobody."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar, TypeVarTuple

import pytest
import sqlalchemy as sa
import trio
from trio.testing import MockClock

from arena.introduction import Introduction
from arena.record import Fault, GivenUp
from leagues.config import (
    EntrantKind,
    LeagueConfig,
    Suspended,
    SuspensionRules,
    parse_league,
)
from leagues.reports.standings import FORMATS
from leagues.running.discipline import Discipline
from leagues.running.runner import Outcome, run_league
from leagues.running.suspensions import Suspensions
from leagues.storage import schema
from leagues.storage.store import Store
from leagues.storage.suspended import conduct_of, lift, suspensions_of
from leagues.versions import Versions
from tests.command_line import runner
from tests.hosted_runs import at_once
from tests.league_games import NAMES, league_config, league_spec, played
from tests.league_server import FakeServer

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


async def slowly(
    call: Callable[[*Arguments], Result],
    /,
    *arguments: *Arguments,
    limiter: trio.CapacityLimiter | None = None,
) -> Result:
    """Run a call after a second of virtual time."""
    await trio.sleep(1)
    return call(*arguments)


def config(games: Suspended = Suspended.STAND_IN) -> LeagueConfig:
    """Six entrants, thirty games, and patience for two given-up games in a row."""
    return replace(
        league_config(games=30, entrants=6),
        suspension=SuspensionRules(after=2, games=games),
        tables_max=3,
    )


async def run(
    store: Store, league: LeagueConfig, *, unsteady: str = "fox", version: str = "1"
) -> tuple[FakeServer, Outcome, list[str]]:
    """Play a league whose bots are there, one of them late again and again."""
    server = FakeServer(unsteady=frozenset({unsteady}))
    server.introductions["fox"] = Introduction("fox", version=version)
    server.come(NAMES)
    notes: list[str] = []
    outcome = await run_league(
        server, store, league, on_note=notes.append, in_thread=at_once
    )
    return server, outcome, notes


def games_of(store: Store, entrant: str) -> list[int]:
    """The numbers of an entrant's games, planned ones too."""
    league = store.league("demo")
    return [n for n in range(1, 31) if entrant in league.seats(n)]


async def test_a_suspended_version_is_stood_in_for(
    store: Store, autojump_clock: MockClock
) -> None:
    """All games are played; later ones without it, and everybody is told."""
    server, outcome, notes = await run(store, config())
    without = [number for number, seats in server.given_up_seats.items() if seats]
    (known,) = suspensions_of(store, "demo")

    assert "finished" == outcome.reason
    assert 3 <= len(without) < len(games_of(store, "fox"))
    assert set(without) <= set(games_of(store, "fox"))
    assert [
        "suspended: fox (version 1): given up in 2 games in a row; its remaining"
        " games are played by the stand-in"
    ] == notes
    assert ("fox", f"league demo: {notes[0]}") in server.told
    assert ("fox", "1") == (known.entrant, known.version)
    text = FORMATS["text"](store.standings("demo"))
    assert "Suspended: fox (version 1): given up in 2 games in a row" in text


async def test_games_that_end_at_once_suspend_once(
    store: Store, autojump_clock: MockClock
) -> None:
    """While a suspension is being stored, one more given-up game is no other one."""
    server, league = FakeServer(), config()
    stored = store.open_league(league)
    notes: list[str] = []
    discipline = Discipline(
        server,
        store,
        league,
        suspensions=Suspensions(),
        in_thread=slowly,
        say=notes.append,
    )
    chosen = games_of(store, "fox")[:4]
    async with trio.open_nursery() as nursery:
        for number in chosen:
            record = played(league_spec(league, stored, number))
            seat = stored.seats(number).index("fox")
            given_up = (GivenUp(cause="faults", deal=1, seat=seat, trick=3),)
            nursery.start_soon(discipline.judge, replace(record, given_up=given_up))
    discipline.tell()
    with store.database.read() as connection:
        rows = connection.execute(sa.select(schema.suspensions.c.reason)).all()

    assert ["given up in 2 games in a row"] == [row.reason for row in rows]
    assert 1 == len(notes)
    assert "fox (version 1): given up in 2 games in a row; its" in notes[0]


async def test_a_suspended_seat_is_no_program_that_died(
    store: Store, autojump_clock: MockClock
) -> None:
    """The standings tell why its games are played without it, and from which one."""
    server, _, _ = await run(store, config())
    without = sorted(number for number, seats in server.given_up_seats.items() if seats)

    def told() -> list[str]:
        """The lines on seats that were given up from the first card."""
        text = FORMATS["text"](store.standings("demo"))
        return [line for line in text.splitlines() if "deal 1, pass" in line]

    def move(**values: str) -> None:
        """Change when the suspension was, against games that began at one time."""
        with store.database.write() as connection:
            connection.execute(sa.update(schema.suspensions).values(**values))

    place = f"in {len(without)} games, first demo-{without[0]}, deal 1, pass"
    dead = f"  given up: its program did not stay alive, {place}"
    suspended = (
        f"  given up: its version is suspended (given up in 2 games in a row), {place}"
    )
    move(since="2026-01-01T12:00:01Z")
    assert [dead] == told()
    move(since="2026-01-01T12:00:00Z")
    assert [suspended] == told()
    move(since="2025-12-01T12:00:00Z", lifted="2025-12-31T12:00:00Z")
    assert [dead] == told()
    move(lifted="2026-01-01T12:00:00Z")
    assert [suspended] == told()


async def test_games_of_a_suspended_version_may_be_left_out(
    store: Store, autojump_clock: MockClock
) -> None:
    """Only its games are missing, and the run ends and says why."""
    league = config(Suspended.LEAVE_OUT)
    server, outcome, notes = await run(store, league)
    missing = store.missing_games("demo")

    assert ("suspended", "stopped") == (outcome.reason, outcome.league.state)
    assert missing
    assert set(missing) < set(games_of(store, "fox"))
    assert not any(server.given_up_seats.values())
    assert notes[0].endswith("its remaining games are left out")


async def test_a_suspension_lasts_until_it_is_lifted(
    store: Store, autojump_clock: MockClock
) -> None:
    """Run again, its games stay left out; once it is lifted, they are played."""
    league = config(Suspended.LEAVE_OUT)
    await run(store, league)
    missing = store.missing_games("demo")
    _, again, _ = await run(store, league, unsteady="")
    was = [lift(store, "demo", "fox"), lift(store, "demo", "fox")]
    _, after, _ = await run(store, league, unsteady="")

    assert ("suspended", missing) != (again.reason, [])
    assert [True, False] == was
    assert "finished" == after.reason
    assert [] == suspensions_of(store, "demo")


async def test_another_version_lifts_a_suspension(
    store: Store, autojump_clock: MockClock
) -> None:
    """A bot that comes back with a new version plays on, where new ones may."""
    league = replace(config(Suspended.LEAVE_OUT), versions=Versions.ALL)
    await run(store, league)
    _, outcome, notes = await run(store, league, unsteady="", version="2")

    assert "finished" == outcome.reason
    assert ["fox has come with another version and plays again"] == notes


async def test_conduct_goes_on_where_a_run_stopped(
    store: Store, autojump_clock: MockClock
) -> None:
    """What the store holds leads to the same suspension, unless it is forgiven."""
    rules = SuspensionRules(after=2)
    league = replace(config(), suspension=SuspensionRules())
    await run(store, league)

    def next_game() -> bool:
        """Whether one more game that is given up is too much."""
        conduct = conduct_of(store, "demo", rules)
        return conduct.note("fox", "1", cause="faults") is not None

    with store.database.write() as connection:
        games = connection.execute(
            sa.select(schema.games.c.id).order_by(schema.games.c.id)
        ).scalars()
        mine = [game for game in games if game in _games_in_store(connection)]
        connection.execute(sa.delete(schema.given_up))
        row = {"seat": _seat(connection, mine[-1]), "deal": 1, "trick": 2}
        connection.execute(
            sa.insert(schema.given_up),
            {"game_id": mine[-1], "cause": "faults", **row},
        )

    assert next_game()
    assert conduct_of(store, "demo", rules).note("owl", "1", cause="left") is None


@pytest.mark.parametrize("kind", ["away", "late", "left"])
async def test_who_was_gone_is_so_once_before_and_after_a_restart(
    store: Store, kind: str
) -> None:
    """Five games that ran side by side suspend nobody who was gone from all of them."""
    league = replace(config(), suspension=SuspensionRules(after=2))
    stored = store.open_league(league)
    suspensions = Suspensions()
    discipline = Discipline(
        FakeServer(),
        store,
        league,
        suspensions=suspensions,
        in_thread=at_once,
        say=lambda text: None,
    )
    for minute, number in enumerate(games_of(store, "fox")[:5], start=10):
        seat = stored.seats(number).index("fox")
        cause = "left" if kind == "left" else "faults"
        record = played(league_spec(league, stored, number))
        faults = () if kind == "left" else _three_faults(seat, kind)
        span = f"2026-01-01T12:00:{minute - 10:02}.000Z", f"2026-01-01T12:{minute}:00Z"
        record = replace(
            record,
            given_up=(GivenUp(cause=cause, deal=1, seat=seat, trick=3),),
            faults=faults,
            times=replace(record.times, started=span[0], ended=span[1]),
        )
        assert store.finish_game("demo", record)
        await discipline.judge(record)
    again = conduct_of(store, "demo", SuspensionRules(after=3))
    found = again.note("fox", "1", cause="faults") or again.note(
        "fox", "1", cause="faults"
    )

    assert ({"fox"} if kind == "late" else set()) == set(suspensions.names)
    expected = "given up in 6 games in a row"
    if kind != "late":
        expected = "given up in 3 games in a row, those of one departure as one"
    assert found is not None
    assert expected == found.reason


def _three_faults(seat: int, kind: str) -> tuple[Fault, ...]:
    """One kind of fault in the third trick, after two of another."""
    return tuple(
        Fault(deal=1, kind=kind, offered="", reason="", seat=seat, trick=trick)
        for kind, trick in (("late", 1), ("late", 2), (kind, 3))
    )


def _games_in_store(connection: sa.Connection) -> set[int]:
    table = schema.seats
    query = sa.select(table.c.game_id).where(table.c.entrant == "fox")
    return set(connection.execute(query).scalars())


def _seat(connection: sa.Connection, game: int) -> int:
    table = schema.seats
    query = sa.select(table.c.seat).where(
        table.c.game_id == game, table.c.entrant == "fox"
    )
    return int(connection.execute(query).scalar_one())


def test_a_store_without_suspensions_gets_them(store: Store) -> None:
    """A directory of the version before is brought up to date and keeps its league."""
    store.open_league(league_config())
    with store.database.write() as connection:
        for table in (
            schema.plans,
            schema.void_games,
            schema.audit,
            schema.suspensions,
        ):
            table.drop(connection)
        connection.execute(sa.update(schema.schema_version).values(version=1))
    store.close()
    with Store.open(store.directory, command="a test") as newer:
        assert [] == suspensions_of(newer, "demo")
        assert ["demo"] == [league.name for league in newer.leagues()]


def test_the_command_that_lifts(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says whether there was anything to lift, and knows the entrants."""
    store.open_league(league_config())
    arena = runner(capsys)
    done = arena("league", "lift", "demo", "fox", "--data", store.directory)
    wrong = arena("league", "lift", "demo", "foxx", "--data", store.directory)

    assert (0, "fox is not suspended in league demo\n") == (done.code, done.out)
    assert (2, True) == (wrong.code, "fox" in wrong.error)


async def test_a_finished_league_keeps_its_suspensions(
    store: Store, capsys: pytest.CaptureFixture[str], autojump_clock: MockClock
) -> None:
    """Nothing will be played, so the command says that and changes nothing."""
    await run(store, config())
    arena = runner(capsys)
    done = arena("league", "lift", "demo", "fox", "--data", store.directory)
    other = arena("league", "lift", "demo", "lowest", "--data", store.directory)
    finished = "league demo is finished, and nothing more will be played; "

    assert 0 == done.code == other.code
    assert f"{finished}its standings go on to say that fox was suspended\n" == done.out
    assert f"{finished}lowest is not suspended in it\n" == other.out
    assert "Suspended: fox" in FORMATS["text"](store.standings("demo"))


QUICK = tuple(f"quick{number}" for number in range(9))
SHARE_MAX = 1.48
"""How much longer the others' games may take for a slow bot. At a quarter of the tables
it is 1.3 to 1.42, by which games chance lets begin first; with all its places 1.55."""


def crowd(games: int) -> LeagueConfig:
    """Nine quick bots and a slow one, which all dial in."""
    bots = "".join(f"[[entrant]]\nbot = '{bot}'\n" for bot in (*QUICK, "slow"))
    head = f"name = 'demo'\ngames = {games}\npractice_seed = '1'\n"
    return parse_league(f"{head}{bots}[rules]\ntarget = 10\n", file="demo.toml")


async def last_quick_game(
    directory: Path, *, is_slow_here: bool, games: int = 840
) -> tuple[float, FakeServer]:
    """Play until all games without the slow bot are over; say how long that took."""
    server = FakeServer(
        serial={"slow": 5.0}, charged=dict.fromkeys(QUICK, 0.001) | {"slow": 0.2}
    )
    server.come(QUICK)
    if is_slow_here:
        server.come(["slow"])
    began = trio.current_time()
    with Store.open(directory, command="a test") as store:
        league = store.open_league(crowd(games))
        quick = {n for n in range(1, games + 1) if "slow" not in league.seats(n)}
        over = trio.Event()

        def look(_: object) -> None:
            if quick <= server.ended.keys():
                over.set()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(
                lambda: run_league(
                    server, store, crowd(games), on_progress=look, in_thread=at_once
                )
            )
            await over.wait()
            nursery.cancel_scope.cancel()
    return max(server.ended[number] for number in quick) - began, server


async def test_one_slow_bot_holds_up_nobody(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """The others' games end about as soon as in a league that it never comes to."""
    without, _ = await last_quick_game(tmp_path / "without", is_slow_here=False)
    beside, server = await last_quick_game(tmp_path / "beside", is_slow_here=True)

    assert beside <= SHARE_MAX * without
    assert 5 == server.games_max["slow"]


@pytest.mark.parametrize("kind", [EntrantKind.HOUSE, EntrantKind.COMMAND])
async def test_house_bots_are_never_heavy(
    store: Store, autojump_clock: MockClock, kind: EntrantKind
) -> None:
    """On a busy machine they seem to think; unlike other programs they are known."""
    house = league_config(games=20, entrants=6)
    entrants = [replace(entrant, kind=kind) for entrant in house.entrants]
    server = FakeServer(charged=dict.fromkeys(NAMES, 0.02))
    server.come(NAMES)
    notes: list[str] = []
    await run_league(
        server,
        store,
        replace(house, entrants=tuple(entrants), tables_max=5),
        on_note=notes.append,
        in_thread=at_once,
        cores=2,
    )

    is_house = kind == EntrantKind.HOUSE
    assert (5 if is_house else 1) == server.tables_max
    assert ([] if is_house else sorted(NAMES[:6])) == sorted(
        note.partition(" thinks for 20 ms a turn on this machine")[0] for note in notes
    )
