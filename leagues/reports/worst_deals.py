"""Worst deals: in which each bot took most beyond what the others took."""

from dataclasses import dataclass
from typing import Final

from arena.record import DealRecord
from leagues.reports.deals import GameRecord

__all__ = ["KEPT", "WorstDeal", "WorstDeals"]

KEPT: Final = 5
"""How many deals are kept of each bot."""


@dataclass(frozen=True, slots=True)
class WorstDeal:
    """A deal as one bot saw it."""

    excess: float
    """Its points less what the others took on average."""
    number: int
    """The number of the game."""
    deal: int
    """The number of the deal, from 1."""
    points: int
    others: tuple[int, ...]
    """What the others took, from the left neighbour on."""
    hand: str
    """The cards that it was dealt."""
    passed: str
    """The cards that it passed; empty where there was no pass."""
    shooter: str
    """Who shot the moon or the sun; empty when nobody did."""

    @property
    def order(self) -> tuple[float, int, int]:
        """By what deals are sorted, the worst first."""
        return (-self.excess, self.number, self.deal)


class WorstDeals:
    """The worst deals of each bot among the games so far."""

    def __init__(self) -> None:
        self._kept: dict[str, list[WorstDeal]] = {}

    def add(self, game: GameRecord) -> None:
        """Look through one game more."""
        result, record = game
        names = [seat.entrant for seat in result.seats]
        for number, deal in enumerate(record.deals, start=1):
            for seat, name in enumerate(names):
                kept = self._kept.setdefault(name, [])
                kept.append(_seen(deal, seat, names, game=result.number, number=number))
                kept.sort(key=lambda item: item.order)
                del kept[KEPT:]

    def of(self, name: str) -> tuple[WorstDeal, ...]:
        """Return the worst deals of a bot, the worst first; no better than the rest."""
        return tuple(item for item in self._kept.get(name, ()) if item.excess > 0)


def _seen(
    deal: DealRecord, seat: int, names: list[str], *, game: int, number: int
) -> WorstDeal:
    points = deal.points or (0,) * len(names)
    others = (*points[seat + 1 :], *points[:seat])
    return WorstDeal(
        excess=points[seat] - sum(others) / len(others),
        number=game,
        deal=number,
        points=points[seat],
        others=others,
        hand=deal.hands[seat],
        passed=deal.passes[seat] if deal.passes else "",
        shooter=names[deal.moon.seat] if deal.moon else "",
    )
