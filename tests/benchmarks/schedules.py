"""What the schedule of a large league takes."""

from __future__ import annotations

import time
from statistics import median

from leagues.scheduling.schedule import design_of, schedule

ENTRANTS = 100
ROUNDS = 100


def schedule_100_s(seconds: float) -> float:
    """Measure how long it takes to plan 100 rounds of 100 bots."""
    games = ROUNDS * design_of(ENTRANTS).tables
    times: list[float] = []
    end = time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        start = time.process_time()
        schedule(ENTRANTS, games=games)
        times.append(time.process_time() - start)
    return median(times)
