"""Games of entrants of known strength, drawn at random for tests of ratings."""

from dataclasses import dataclass

import numpy as np

from leagues.rating.pairs import Floats, Games, Integers


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Games as arrays, and the strengths they came from in points of Elo."""

    seats: Integers
    places: Integers
    blocks: Integers
    elo: Floats

    @property
    def games(self) -> Games:
        """The arrays in the form that ratings take."""
        return Games(self.seats, self.places, self.blocks)


def drawn_games(
    count: int,
    *,
    entrants: int,
    seed: int,
    seats: int = 4,
    rotations: int = 1,
    luck: float = 0.0,
    spread: float = 150.0,
    has_ties: bool = False,
) -> Drawn:
    """Draw games in which the better one comes out ahead with its odds.

    In games of Plackett and Luce each seat's strength has a chance of its own added
    to it, and the order of the sums is that of the places.

    Args:
        count: How many games there are.
        entrants: How many entrants there are; all play about equally often.
        seed: What decides everything.
        seats: How many sit at a table.
        rotations: How many games make a block, of the same entrants.
        luck: How much of the chance in a block's games is the same for each, from 0
            to 1: it then helps the same entrant in all of them.
        spread: The standard deviation of the strengths, in points of Elo.
        has_ties: Whether the first two share a place, the next two and so on.
    """
    random = np.random.default_rng(seed)
    elo = random.normal(0, spread, entrants)
    blocks = count // rotations
    order = np.argsort(random.random((blocks * seats // entrants + 1, entrants)))
    tables = order[:, : entrants // seats * seats].reshape(-1, seats)
    while len(tables) < blocks:
        tables = np.concatenate([tables, tables])
    seated = np.repeat(tables[:blocks], rotations, axis=0)
    shared = np.repeat(random.gumbel(size=(blocks, seats)), rotations, axis=0)
    own = random.gumbel(size=seated.shape)
    worth = elo[seated] * np.log(10) / 400 + luck * shared + (1 - luck) * own
    places = np.argsort(np.argsort(-worth, axis=1), axis=1) + 1
    if has_ties:
        places = (places + 1) // 2
    return Drawn(seated, places, np.repeat(np.arange(blocks), rotations), elo)
