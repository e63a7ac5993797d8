"""What ratings of a large league take, from arrays in memory."""

from __future__ import annotations

import time
from statistics import median

from leagues.rating.bootstrap import bootstrap
from leagues.rating.pairs import pairs_of
from leagues.rating.ratings import rate_arrays
from tests.rating_games import Drawn, drawn_games

ENTRANTS = 100
GAMES = 100_000
ROTATIONS = 4
REPLICATES = 1000
"""How many bootstraps the figure is for; as many are drawn as there is time for."""
BATCH = 50


def large_league() -> Drawn:
    """Draw the games of a league, each block from the same cards."""
    return drawn_games(GAMES, entrants=ENTRANTS, seed=1, rotations=ROTATIONS, luck=0.5)


def rate_100k_s(league: Drawn, seconds: float) -> float:
    """Measure how long it takes to rate everybody, with errors and tiers."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        start = time.process_time()
        rate_arrays(*league.games, entrants=ENTRANTS).tiers()
        times.append(time.process_time() - start)
    return median(times)


def bootstrap_1000_s(league: Drawn, seconds: float) -> float:
    """Measure how long a thousand bootstraps take, from as many as there is time."""
    pairs = pairs_of(league.games, entrants=ENTRANTS)
    count = 0
    start = now = time.process_time()
    while not count or now < start + seconds:
        bootstrap(pairs, replicates=BATCH, seed=count, prior=1.0)
        count += BATCH
        now = time.process_time()
    return (now - start) * REPLICATES / count
