"""Who plays whom, in which seats and in which order.

A schedule is a list of seatings, game 1 first. It depends on the number of
entrants, games and seats alone, and a longer schedule begins with the shorter
one, so that a league can be prolonged. Every beginning is as even as can be:
stopping early favours nobody.
"""

from itertools import islice
from math import comb

from leagues.balance import Seating
from leagues.rounds import round_seatings
from leagues.subsets import subset_seatings

SUBSETS_MAX = 126
"""Up to so many sets of entrants all of them play: nine entrants at four seats."""


def schedule(entrants: int, *, games: int, seats: int = 4) -> list[Seating]:
    """Plan `games` games of `seats` seats between the entrants 0 to entrants - 1.

    Up to nine entrants at four seats, or ten at seven, every set of them plays; up
    to five seats in every cyclic order and every rotation before anything comes
    again. More entrants play in balanced rounds.

    Raises:
        ValueError: There are fewer entrants than seats, or `games` is negative.
    """
    if entrants < seats:
        raise ValueError(f"{entrants} entrants cannot fill {seats} seats")
    if games < 0:
        raise ValueError(f"a schedule of {games} games")
    if comb(entrants, seats) <= SUBSETS_MAX:
        return list(islice(subset_seatings(entrants, seats), games))
    return list(islice(round_seatings(entrants, seats), games))
