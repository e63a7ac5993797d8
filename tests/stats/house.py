"""Leagues of house bots, played by the real engine in this process.

A game is one deal, which is enough to have all that makes real games differ from drawn
ones: ties, moons, and cards that are good for whoever holds them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hearts.local import play
from leagues.rating.pairs import Floats, Integers
from leagues.rating.ratings import Ratings, rate_arrays
from leagues.scheduling.schedule import schedule

BOTS = ("careful", "daring", "dodger", "ducker", "lowest")
GAMES = 25
"""How many seatings a league has: 20 blocks for each bot."""
SEATS = 4

Places = Integers
"""By seating, rotation and league, the places of those who sit there."""


def seatings() -> list[tuple[int, ...]]:
    """Who sits where in each game, the same in every league."""
    return [tuple(seats) for seats in schedule(len(BOTS), games=GAMES)]


def places_of(seating: int, rotation: int, leagues: int) -> Integers:
    """Play one game in so many leagues, each from cards of its own.

    Rotations of a seating have the same cards, and the bots have moved on by a seat.

    Returns:
        A row for each league, of places in the order of the seating.
    """
    seats = seatings()[seating]
    moved = [seats[(seat + rotation) % SEATS] for seat in range(SEATS)]
    results = play(
        [BOTS[bot] for bot in moved],
        games=leagues,
        seed=seating,
        rules={"preset": "arena", "target": 1},
    )
    return np.array(
        [
            [(game.places or ())[(seat - rotation) % SEATS] for seat in range(SEATS)]
            for game in results
        ]
    )


def all_places(leagues: int, *, rotations: int) -> Places:
    """Play all games of so many leagues, each block in so many rotations."""
    return np.array(
        [
            [places_of(seating, rotation, leagues) for rotation in range(rotations)]
            for seating in range(GAMES)
        ]
    )


def house_leagues(places: Places) -> Iterator[tuple[Ratings, Floats]]:
    """Rate leagues, and take all of them together for the truth."""
    rotations, leagues = places.shape[1:3]
    seats = np.repeat(np.array(seatings()), rotations, axis=0)
    blocks = np.repeat(np.arange(GAMES), rotations)
    rows = places.transpose(2, 0, 1, 3).reshape(leagues, GAMES * rotations, SEATS)
    everything = rate_arrays(
        np.tile(seats, (leagues, 1)),
        rows.reshape(-1, SEATS),
        np.repeat(np.arange(leagues * GAMES), rotations),
        entrants=len(BOTS),
    )
    for row in rows:
        yield rate_arrays(seats, row, blocks, entrants=len(BOTS)), everything.elo
