"""
A mismatch: what a record says and what it ought to say, with its place.

`VerifyError` is raised for the first one; `mismatch` words them all in one form, so
that whoever reads an error finds the key in the JSON and the tag in the notation.
"""

from collections.abc import Sequence
from typing import Final

from arena.cards import Card, card_name
from arena.record import MoonRecord

_TAGS: Final = {
    "dealer": "Dealer",
    "direction": "Pass",
    "hands": "Deal",
    "passes": "Passed",
    "moon": "Moon",
    "points": "Points",
    "totals": "Totals",
    "ending": "Result",
    "final totals": "FinalTotals",
    "places": "Places",
    "hash": "Hash",
    "rules.hash": "RulesHash",
    "sequence_seed": "SequenceSeed",
}
"""The tag of the notation by the key of the JSON form; both have `totals` twice."""


class VerifyError(ValueError):
    """
    A record that can't be true, with the first place that is wrong.

    Attributes:
        game: The name of the game.
        deal: The number of the deal, from 1; None when the whole game is meant.
        trick: The number of the trick, from 1; 0 is the pass, one more than the
            last trick is the moon choice; None when the whole deal is meant.
        seat: The seat, None when no single one is meant.
        card: The card, None when no single one is meant.
        reason: What is wrong there, and what was expected.
    """

    def __init__(
        self,
        *,
        game: str,
        reason: str,
        deal: int | None = None,
        trick: int | None = None,
        seat: int | None = None,
        card: Card | None = None,
    ) -> None:
        place = {"deal": deal, "trick": trick, "seat": seat}
        words = [f"game {game}"]
        words += [f"{name} {at}" for name, at in place.items() if at is not None]
        words += [] if card is None else [f"card {card_name(card)}"]
        super().__init__(f"{', '.join(words)}: {reason}")
        self.game = game
        self.deal = deal
        self.trick = trick
        self.seat = seat
        self.card = card
        self.reason = reason


def mismatch(key: str, found: object, expected: object) -> str:
    """
    Return a reason: what was found first, then what was expected.

    >>> mismatch("points", (1, 25), None)
    'points ([Points]) are 1 25, expected none'
    """
    verb = "are" if key.endswith("s") else "is"
    return f"{named(key)} {verb} {_shown(found)}, expected {_shown(expected)}"


def named(key: str) -> str:
    """Return a key of the JSON form with the tag that says the same."""
    return f"{key} ([{_TAGS[key]}])"


def _shown(value: object) -> str:
    match value:
        case None:
            return "none"
        case MoonRecord():
            return f"seat {value.seat} {value.choice}"
        case str():
            return value or "empty"
        case Sequence():
            return " ".join(map(str, value))
    return str(value)


def differing_seat(
    recorded: tuple[int, ...] | None, expected: tuple[int, ...] | None
) -> int | None:
    """Return the first seat whose numbers differ, None when one side is missing."""
    if recorded is None or expected is None:
        return None
    pairs = zip(recorded, expected, strict=True)
    return next((seat for seat, (one, other) in enumerate(pairs) if one != other), None)
