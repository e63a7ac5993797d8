"""What a deal costs each seat: penalty points, the moon, the sun and the bonus."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tests.reference.options import Options
from tests.reference.values import penalty_cards, points_of, total_points


@dataclass(frozen=True)
class DealResult:
    """How a deal went."""

    points: list[int]
    """What the deal adds to each seat's total, before an exact hit."""
    shooter: int | None
    """The seat that shot, None when nobody did."""
    shot: str | None
    """"moon", "sun" or None."""
    choice: str | None
    """"add" or "subtract": how the shot was paid; None without a shot."""


def shot_of(
    options: Options,
    taken: Sequence[Sequence[str]],
    tricks_won: Sequence[int] | None = None,
) -> tuple[int, str] | None:
    """Return who shot, and whether it was the "moon" or the "sun".

    None when nobody did, or when the rules know no such shot. Without `tricks_won`
    nobody has taken every trick.
    """
    everything = penalty_cards(options, options.pack)
    for seat, cards in enumerate(taken):
        if penalty_cards(options, cards) != everything:
            continue
        if options.moon_needs_bonus == "true" and not _has_every_bonus(options, cards):
            return None
        count = 0 if tricks_won is None else tricks_won[seat]
        if count == options.hand_size and options.sun != "off":
            return seat, "sun"
        if options.moon != "off":
            return seat, "moon"
    return None


def _has_every_bonus(options: Options, cards: Sequence[str]) -> bool:
    return cards.count(options.bonus_card) == options.pack.count(options.bonus_card)


def _moon_bonus(options: Options) -> str:
    if options.moon_needs_bonus == "for_full_value":
        return "fold"
    return options.moon_bonus


def _value(options: Options, shot: str, bonus_count: int) -> int:
    if options.moon_value == "total":
        value = total_points(options)
    else:
        value = int(options.moon_value)
    if shot == "sun" and options.sun_value == "double":
        value = 2 * value
    elif shot == "sun" and options.sun_value != "same":
        value = int(options.sun_value)
    if _moon_bonus(options) == "fold":
        value += bonus_count * abs(options.bonus_value)
    return value


def safer_choice(totals: Sequence[int], shooter: int, value: int) -> str:
    """Return "add", unless another seat would then be lower than the shooter."""
    others = [total for seat, total in enumerate(totals) if seat != shooter]
    return "subtract" if min(others) + value < totals[shooter] else "add"


def _payment(
    options: Options,
    totals: Sequence[int],
    *,
    shooter: int,
    shot: str,
    value: int,
    choice: str | None,
) -> str:
    rule = options.sun if shot == "sun" else options.moon
    if rule == "choice":
        rule = options.moon_default if choice is None else choice
    if rule in ("auto", "best"):
        rule = safer_choice(totals, shooter, value)
    return rule


def _shot_points(
    options: Options, totals: Sequence[int], *, shooter: int, payment: str, value: int
) -> list[int]:
    if payment == "add":
        return [0 if seat == shooter else value for seat in range(options.players)]
    before = totals[shooter]
    after = before - value
    if options.moon_floor == "zero":
        after = max(after, min(0, before))
    return [after - before if seat == shooter else 0 for seat in range(options.players)]


def _with_bonus(options: Options, *, before: int, points: int, count: int) -> int:
    """Return the points of a seat that took so many bonus cards."""
    with_bonus = points + count * options.bonus_value
    if count == 0 or options.bonus_floor == "none":
        return with_bonus
    if options.bonus_floor == "hand":
        return max(with_bonus, min(0, points))
    return max(before + with_bonus, min(0, before + points)) - before


def deal_scores(
    options: Options,
    taken: Sequence[Sequence[str]],
    *,
    totals: Sequence[int],
    tricks_won: Sequence[int] | None = None,
    choice: str | None = None,
    given_up: Collection[int] = (),
) -> DealResult:
    """Return what a deal costs, from the cards that each seat has taken.

    `totals` are those before the deal. `choice` is what the shooter chose, "add" or
    "subtract", where the rules leave it to him; None stands for `moon_default`.
    """
    points = [points_of(options, cards) for cards in taken]
    bonus_counts = [cards.count(options.bonus_card) for cards in map(list, taken)]
    shot = shot_of(options, taken, tricks_won)
    payment: str | None = None
    if shot is not None:
        shooter, kind = shot
        value = _value(options, kind, bonus_counts[shooter])
        payment = _payment(
            options, totals, shooter=shooter, shot=kind, value=value, choice=choice
        )
        points = _shot_points(
            options, totals, shooter=shooter, payment=payment, value=value
        )
        if _moon_bonus(options) != "keep":
            bonus_counts[shooter] = 0
    points = [
        _with_bonus(options, before=before, points=own, count=count)
        for before, own, count in zip(totals, points, bonus_counts, strict=True)
    ]
    worst = max(points)
    points = [worst if seat in given_up else own for seat, own in enumerate(points)]
    shooter_seat, shot_name = (None, None) if shot is None else shot
    return DealResult(points, shooter_seat, shot_name, payment)
