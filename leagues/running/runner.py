"""The runner: plays the missing games of a league, as its bots come and go.

    outcome = await run_league(server, store, config)

A game starts when all its bots are present and have a place free. A finished game
is in the store before it counts; a void one is played again. Run again after any
end, however violent, the league goes on where it stopped.
"""

import logging
import math
import os
import time
from collections.abc import Callable, Mapping
from typing import Final

import trio

from arena.logs import Event
from leagues.config import LeagueConfig
from leagues.programs.breakdowns import VOIDS_MAX
from leagues.running.attempts import known_attempts
from leagues.running.attendance import UnableEntrantError
from leagues.running.discipline import Discipline
from leagues.running.game_server import GameServer
from leagues.running.hearing import Hearing
from leagues.running.pacing_choice import pacing_of
from leagues.running.progress import Outcome, Progress, StuckGame
from leagues.running.queue import Renew
from leagues.running.run import Run
from leagues.running.suspensions import Suspensions
from leagues.running.threads import InThread
from leagues.storage.roster import is_left
from leagues.storage.store import Store
from leagues.storage.versions_played import versions_played

__all__ = [
    "VOIDS_MAX",
    "GameServer",
    "InThread",
    "Outcome",
    "Progress",
    "StuckGame",
    "UnableEntrantError",
    "run_league",
]

log = logging.getLogger("leagues.running.runner")

_CORES: Final = len(os.sched_getaffinity(0))


async def run_league(
    server: GameServer,
    store: Store,
    config: LeagueConfig,
    *,
    suspensions: Suspensions | None = None,
    drain: trio.Event | None = None,
    broken: trio.Event | None = None,
    drain_seconds: float = math.inf,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_note: Callable[[str], None] = lambda text: None,
    in_thread: InThread = trio.to_thread.run_sync,
    renew: Renew | None = None,
    wall: Callable[[], float] = time.time,
    cores: int = _CORES,
) -> Outcome:
    """Play the missing games of a league until all are played or it must stop.

    Args:
        server: Plays the games.
        store: Keeps them; its owner is this process.
        config: The league, which is created where it is missing.
        suspensions: Learns from outside which programs will not come back.
        drain: Once it is set no more games are started; those running end.
        drain_seconds: How long they have for it, also after the deadline; those
            that are not over by then are played again in the next run.
        broken: The same, when that is since an entrant can't play at all.
        on_progress: Called when a game starts or ends, or bots come or go.
        on_note: Called with what the host should know: who was suspended, and whose
            games are held back.
        in_thread: Runs the store's calls, which block.
        renew: Ends the programs that could remember a deal, and starts them afresh;
            `None` where there are none. Needed where games share their deals only.
        wall: Tells the time of day, in seconds since 1970, for a league with a time.
        cores: How many processors this machine has.

    Raises:
        LeagueChanged: The league exists with another form.
        StoreError: A game cannot be stored.
        UnableEntrantError: A program that the arena starts can't play by the rules.
    """
    league = await in_thread(store.open_league, config)
    agenda = await in_thread(store.agenda, league.name)
    run = Run(server, store, config, league, agenda, cores=cores, on_note=on_note)
    pacing = pacing_of(store, league, agenda, in_thread=in_thread, wall=wall)
    known: Mapping[int, int] = {}
    if league.blocks.are_shared:
        known = await in_thread(known_attempts, store, league.name)
    run.prepare(pacing, known, renew)
    run.on_progress, run.in_thread = on_progress, in_thread
    run.attendance.admission.know(await in_thread(versions_played, store, league.name))
    run.hearing = Hearing(store, league.name, agenda.appeals, in_thread=in_thread)
    run.discipline = Discipline(
        server,
        store,
        config,
        suspensions=Suspensions() if suspensions is None else suspensions,
        in_thread=in_thread,
        say=on_note,
    )
    run.drain_seconds = drain_seconds
    if not is_left(league, agenda):
        await run.close()
        run.report()
    else:
        commitment = league.commitment.hex()
        log.info(Event("committed", league=league.name, commitment=commitment))
        await run.play(
            trio.Event() if drain is None else drain,
            trio.Event() if broken is None else broken,
        )
    return run.outcome()
