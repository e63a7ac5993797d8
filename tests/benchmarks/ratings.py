"""What ratings of a large league take, from arrays in memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from leagues.rating.bootstrap import bootstrap
from leagues.rating.pairs import pairs_of
from leagues.rating.ratings import rate_arrays
from leagues.results import GameResult
from leagues.standings import LeagueFacts, standings_of
from tests.rating_games import Drawn, drawn_games
from tests.sample_results import game_result

ENTRANTS = 100
GAMES = 100_000
ROTATIONS = 4
CLASS = 30
CLASS_GAMES = 10_000
REPLICATES = 1000
"""How many bootstraps the figure is for; as many are drawn as there is time for."""
BATCH = 50


def large_league() -> Drawn:
    """Draw the games of a league, each block from the same cards."""
    return drawn_games(GAMES, entrants=ENTRANTS, seed=1, rotations=ROTATIONS, luck=0.5)


def class_league() -> tuple[LeagueFacts, list[GameResult]]:
    """Draw the results of a class of thirty, as its store has them."""
    drawn = drawn_games(CLASS_GAMES, entrants=CLASS, seed=2)
    names = tuple(f"bot{number}" for number in range(CLASS))
    games = [
        game_result(
            number,
            [
                (names[seat], int(place))
                for seat, place in zip(row, places, strict=True)
            ],
            deals=9,
        )
        for number, (row, places) in enumerate(
            zip(drawn.seats, drawn.places, strict=True), start=1
        )
    ]
    facts = LeagueFacts(
        name="class",
        state="running",
        entrants=names,
        players=4,
        tricks=13,
        has_moon=True,
        has_queen=True,
        rules="arena",
        rules_hash="",
        games_planned=CLASS_GAMES,
        commitment="",
        practice_seed=None,
    )
    return facts, games


def standings_10k_s(seconds: float) -> float:
    """Measure how long standings take from the results of ten thousand games."""
    facts, games = class_league()
    return _median_s(lambda: standings_of(facts, games), seconds)


def rate_100k_s(league: Drawn, seconds: float) -> float:
    """Measure how long it takes to rate everybody, with errors and tiers."""
    return _median_s(
        lambda: rate_arrays(*league.games, entrants=ENTRANTS).tiers(), seconds
    )


def _median_s(work: Callable[[], object], seconds: float) -> float:
    """Do something for so long, at least once, and return what it takes."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        start = time.process_time()
        work()
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
