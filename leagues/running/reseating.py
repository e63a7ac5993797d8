"""Seating anew while a league runs: the store plans, and the queue follows it."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

import trio

from leagues.audit import Action, AuditEntry
from leagues.running.queue import Queue
from leagues.running.threads import InThread
from leagues.storage.league import League
from leagues.storage.store import Store

__all__ = ["seat_anew"]


async def seat_anew(
    store: Store,
    league: League,
    queue: Queue,
    *,
    running: Collection[int],
    pausing: Collection[int],
    set_aside: Collection[int],
    through: int,
    blocks_begun: Collection[int],
    heard: Callable[[], Sequence[AuditEntry]],
    in_thread: InThread,
    limit: trio.CapacityLimiter,
) -> League:
    """Plan the games anew that have not begun, where entrants came or went.

    No game may start meanwhile, while others may end or break down.

    Args:
        store: The store; its owner is this process.
        league: The league as the run knows it.
        queue: The games that wait. Those that are not to be played leave it, and the
            others stay in it with those who sit there from now on.
        running: The games that run, kept up to date.
        pausing: Those that broke down and wait for a while, kept up to date.
        set_aside: Those that are not begun again.
        through: The last game that may begin by now.
        blocks_begun: The blocks that share deals and of which a game was begun.
        heard: Returns the audit log as far as the run has taken it up.
        in_thread: Runs the store's calls, which block.
        limit: Lets these calls and the storing of games come one after the other.

    Returns:
        The league as it is then.
    """
    busy = {*running, *pausing, *set_aside}
    begun = {*running, *(n for one in blocks_begun for n in league.blocks.games(one))}
    plan = partial(store.seat_anew, league.name, begun)
    league = await in_thread(plan, limiter=limit)
    agenda = await in_thread(partial(store.agenda, league.name), limiter=limit)
    # What was put back meanwhile waits, and is to go on waiting.
    busy = (busy - queue.waiting()) | set(pausing)
    wanted = {number for number in agenda.wanted(league.seats) if number <= through}
    # A game that is void waits once the run has heard of it, no sooner and no later.
    known, taken_up = agenda.appeals.entries, heard()
    wanted -= _void(known[len(taken_up) :])
    wanted |= _void(taken_up[len(known) :]) & queue.waiting()
    queue.seat_anew(league, wanted - busy)
    return league


def _void(entries: Sequence[AuditEntry]) -> set[int]:
    """Return the games that these entries make void."""
    return {entry.game for entry in entries if entry.action == Action.VOID}
