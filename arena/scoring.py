"""
The score of a deal, in the one order that holds for all rules.

1. The moon and the sun are decided by the cards that were taken, never by points.
2. Where the rules let the shooter choose, it is asked, with the totals before the
   deal; otherwise the rules say how the moon or the sun scores.
3. A subtraction stops at the floor of the moon.
4. The bonus card scores, down to its own floor.
5. A seat that is given up has the worst score of the deal.
6. A total that hits the target exactly changes.
7. The end is tested, then ties and winners.

The functions here are 1 to 6; `arena.game` does the rest.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from arena.cards import CardSet
from arena.deal import Deal
from arena.rules import MoonChoice, RuleSet


@dataclass(frozen=True, slots=True)
class Shot:
    """A moon or a sun that the rules reward."""

    seat: int
    """The shooter."""
    is_sun: bool
    """Whether it took every trick, in rules with a sun."""
    value: int
    """What it is worth, in points, with the bonus card where that is folded in."""
    mode: str
    """How it scores: `choice`, `add`, `subtract` or `auto`."""


def shot_of(deal: Deal) -> Shot | None:
    """Return the moon or sun of a deal that is over, None where there is none."""
    seat = deal.shooter()
    if seat is None:
        return None
    rules = deal.rules
    tricks = deal.trick_count
    is_sun = rules.sun != "off" and deal.tricks_won[seat] == tricks == rules.hand_size
    mode = rules.sun if is_sun else rules.moon
    bonus = deal.taken[seat] & rules.bonus_cards
    if mode == "off" or (
        rules.moon_needs_bonus == "true" and bonus != rules.bonus_cards
    ):
        return None
    value = rules.sun_points if is_sun else rules.moon_points
    if rules.folds_bonus:
        value -= rules.bonus_value * bonus.bit_count()
    return Shot(seat, is_sun, value, mode)


def best_choice(shot_value: int, seat: int, totals: Sequence[int]) -> MoonChoice:
    """
    Return how a moon serves its shooter best.

    To add, unless somebody would then have a lower total than the shooter.

    Args:
        shot_value: What the moon or the sun is worth.
        seat: The shooter.
        totals: The totals before the deal, by seat.
    """
    others = [total for other, total in enumerate(totals) if other != seat]
    if min(others) + shot_value < totals[seat]:
        return MoonChoice.SUBTRACT
    return MoonChoice.ADD


def deal_points(
    deal: Deal,
    totals: Sequence[int],
    *,
    shot: Shot | None,
    choice: MoonChoice | None,
    given_up: Collection[int],
) -> list[int]:
    """
    Return the score of a deal that is over, by seat.

    Args:
        deal: The deal.
        totals: The totals before it.
        shot: Its moon or sun.
        choice: How that scores, None without one.
        given_up: The seats that have the worst score.
    """
    rules = deal.rules
    if shot is None:
        points = [*deal.points]
    else:
        points = _shot_points(rules, totals, shot, choice)
    if rules.bonus_cards:
        _add_bonus(points, deal, totals, shot)
    worst = max(points)
    for seat in given_up:
        points[seat] = worst
    return points


def _shot_points(
    rules: RuleSet, totals: Sequence[int], shot: Shot, choice: MoonChoice | None
) -> list[int]:
    if choice == MoonChoice.ADD:
        points = [shot.value] * rules.players
        points[shot.seat] = 0
        return points
    points = [0] * rules.players
    before = totals[shot.seat]
    after = before - shot.value
    if rules.moon_floor == "zero":
        after = max(after, min(0, before))
    points[shot.seat] = after - before
    return points


def _add_bonus(
    points: list[int], deal: Deal, totals: Sequence[int], shot: Shot | None
) -> None:
    """Add what the bonus card is worth, down to its floor."""
    rules = deal.rules
    for seat, taken in enumerate(deal.taken):
        count = _bonus_count(rules, taken, is_shooter=bool(shot and shot.seat == seat))
        if not count:
            continue
        without = points[seat]
        points[seat] += count * rules.bonus_value
        if rules.bonus_floor == "hand":
            points[seat] = max(points[seat], min(0, without))
        elif rules.bonus_floor == "total":
            lowest = min(0, totals[seat] + without)
            points[seat] = max(points[seat], lowest - totals[seat])


def _bonus_count(rules: RuleSet, taken: CardSet, *, is_shooter: bool) -> int:
    """Return how many bonus cards score for a seat beside a moon."""
    if is_shooter and (rules.moon_bonus == "drop" or rules.folds_bonus):
        return 0
    return (taken & rules.bonus_cards).bit_count()


def after_exact_hit(rules: RuleSet, total: int) -> int:
    """Return a total after the deal, which changes where it hits the target."""
    if total != rules.target:
        return total
    if rules.exact_hit == "to_zero":
        return 0
    if rules.exact_hit.startswith("minus_"):
        return total - int(rules.exact_hit.removeprefix("minus_"))
    return total
