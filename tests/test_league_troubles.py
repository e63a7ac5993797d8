"""The runner in trouble: pauses, lateness, and bots that are lost again and again."""

from dataclasses import replace

import trio
from trio.testing import MockClock

from arena.spec import GameSpec
from arena.table import Loss
from leagues.excuses import EXCUSES_MAX, Excuses
from leagues.running.runner import Outcome, Progress, run_league
from leagues.storage.store import Store
from tests.league_games import NAMES, league_config
from tests.league_server import FakeServer


def open_server(**options: object) -> FakeServer:
    """A server with all bots connected."""
    server = FakeServer(**options)  # type: ignore[arg-type]
    server.come(NAMES)
    return server


async def test_while_the_arena_pauses_no_game_starts(
    store: Store, autojump_clock: MockClock
) -> None:
    """The league waits, says why, and goes on when the pause is over."""
    server = open_server(paused="many bots were lost at once")
    seen: list[Progress] = []
    has_begun = trio.Event()

    def note(progress: Progress) -> None:
        seen.append(progress)
        has_begun.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            lambda: run_league(server, store, league_config(games=4), on_progress=note)
        )
        await has_begun.wait()
        await trio.sleep(100)

        assert [] == server.seeds
        assert {"many bots were lost at once"} == {progress.paused for progress in seen}
        server.go_on()

    assert [] == store.missing_games("demo")
    assert "" == seen[-1].paused


async def test_fewer_tables_run_while_the_arena_is_late(
    store: Store, autojump_clock: MockClock
) -> None:
    """The host is told why, and no more than that many games run at once."""
    warnings: list[str] = []
    server = open_server(lateness=lambda: 0.03)
    config = replace(league_config(games=400, entrants=5), tables_max=8)
    late: list[int] = []

    def note(progress: Progress) -> None:
        if len(warnings) == 5:
            late.append(progress.running)

    await run_league(server, store, config, on_progress=note, on_note=warnings.append)

    assert 8 == server.tables_max
    assert 2 == max(late[len(late) // 2 :])
    assert [
        "6 tables at once instead of 8",
        "5 tables at once instead of 6",
        "4 tables at once instead of 5",
        "3 tables at once instead of 4",
        "2 tables at once instead of 3",
    ] == [warning.split(": ")[2].split(";")[0] for warning in warnings]


async def lost_again_and_again(
    store: Store, *, times: int
) -> tuple[Outcome, FakeServer]:
    """Play games one at a time, of which the first so many void by a loss of `fox`."""
    count = 0

    def breakdown(spec: GameSpec, begun: int) -> str:
        nonlocal count
        fox = [seat.bot for seat in spec.seats].index("fox")
        if count >= times or fox in spec.unexcused:
            return ""
        count += 1
        return "network incident: fox, ducker were lost at once"

    server = open_server(
        breakdown=breakdown, losses=lambda spec: (Loss("fox", 1000.0 * count),)
    )
    config = replace(league_config(games=8, entrants=4), tables_max=1)
    return await run_league(server, store, config), server


async def test_an_excuse_wears_out(store: Store, autojump_clock: MockClock) -> None:
    """After three incidents the bot's seat is judged alone, and the host is told."""
    outcome, server = await lost_again_and_again(store, times=100)
    excused = [not unexcused for unexcused in server.unexcused]

    assert ("finished", ("fox",)) == (outcome.reason, outcome.unexcused)
    assert [True] * EXCUSES_MAX + [False] * 8 == excused


async def test_a_few_incidents_change_nothing(
    store: Store, autojump_clock: MockClock
) -> None:
    """Up to two incidents leave every seat its excuse."""
    outcome, server = await lost_again_and_again(store, times=EXCUSES_MAX - 1)

    assert ("finished", ()) == (outcome.reason, outcome.unexcused)
    assert {frozenset()} == set(server.unexcused)


def test_losses_at_one_time_are_one_incident() -> None:
    """However many games a lost bot made void, it was lost once."""
    excuses = Excuses()
    used_up = [
        excuses.note([Loss("fox", at), Loss("hen", at)])
        for at in (100.0, 100.0, 130.0, 160.0, 500.0, 900.0, 1300.0)
    ]

    assert [[], [], [], [], [], ["fox", "hen"], []] == used_up
    assert ("fox", "hen") == excuses.used_up
