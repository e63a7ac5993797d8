"""
How likely hands are to hold, to lack and to beat cards: tables for counted cards.

Chances are integers in thousandths, so that every machine makes the same decisions.
"""

from functools import cache
from typing import Final

SURE: Final = 1000
"""What is certain."""

OVERTAKE: Final = 0.15
"""How often a seat wins a trick that it need not win."""

COPIES: Final = 13
"""How many cards of a suit one pack has."""


class Odds:
    """
    Tables for so many packs; `seats_max` is how many seats may stand in them.
    """

    __slots__ = ("has_none", "holds", "share_heart", "share_plain")

    def __init__(self, *, packs: int, seats_max: int) -> None:
        counts = range(packs * COPIES + 1)
        self.share_plain = [[_share(low, out, 1.3) for low in counts] for out in counts]
        """How sure a card is to win its trick, with so many `low` cards of the `out`
        ones below it: `share_plain[out][low]`."""

        self.share_heart = [
            [_share(low, out, 0.975) for low in counts] for out in counts
        ]
        """The same for a heart."""

        self.has_none = [[SURE for _ in counts]]
        """How likely one of the seats that may hold a suit has none of its `out`
        cards: `has_none[holders][out]`."""

        for holders in range(1, seats_max):
            self.has_none.append(
                [_thousandths((1 - 1 / holders) ** out if out else 1) for out in counts]
            )
        self.holds = [
            [_holds_table(max(holders, 1), after, counts) for holders in seats]
            for seats in [range(seats_max)]
            for after in seats
        ]
        """How likely a card wins that so many cards are below and above, with `after`
        seats to play: `holds[after][holders][low][high]`."""


def _thousandths(value: float) -> int:
    return round(SURE * value)


def _share(low: int, out: int, power: float) -> int:
    # Some places of the table have more low cards than there are; nobody looks there.
    return _thousandths((low / out) ** power) if out else 0


def _holds_table(holders: int, after: int, counts: range) -> list[list[int]]:
    share = 1 - 1 / holders
    table = []
    for low in counts:
        no_low = share**low if low else 1.0
        row = []
        for high in counts:
            has_high = 1 - share**high if high else 0.0
            beats = no_low * has_high + OVERTAKE * (1 - no_low) * has_high
            row.append(_thousandths((1 - beats) ** after))
        table.append(row)
    return table


@cache
def odds_of(packs: int) -> Odds:
    """
    The tables for games with one pack or two, made when they are first asked for.
    """
    return Odds(packs=packs, seats_max=8 if packs == 1 else 11)
