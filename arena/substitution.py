"""
The substitution: what the arena answers when a seat's own answer fails.

It is the same for every seat, knows only what the seat sees and draws nothing at
random, so that a record can prove it.
"""

from collections.abc import Sequence

from arena.cards import Card, cards_in, rank, suit
from arena.game import Phase
from arena.rules import MoonChoice
from arena.scoring import best_choice
from arena.view import Answer, View


def substitute(view: View) -> Answer:
    """
    Answer for a seat whose answer was late, illegal or missing.

    A play is the lowest legal card in notation order. A pass is the highest cards
    by rank, equal ranks in the order spades, hearts, diamonds, clubs: measured,
    it helps or harms the receiver least. The moon and the sun score as
    `moon_default` says.
    """
    if view.moon_choices:
        default = view.rules.moon_default
        if default == "best":
            return best_choice(view.moon_points, view.seat, view.totals)
        return MoonChoice[default.upper()]
    if view.kind == Phase.PASS:
        highest = sorted(cards_in(view.choices), key=_height, reverse=True)
        return sorted(highest[: view.answer_count])
    assert view.choices, f"seat {view.seat} is not asked"
    return [(view.choices & -view.choices).bit_length() - 1]


def named_too_often(view: View, cards: Sequence[Card]) -> list[Card]:
    """Return the cards that are named more often than they may be."""
    choices = cards_in(view.choices)
    return [
        card
        for card in dict.fromkeys(cards)
        if cards.count(card) > max(1, choices.count(card))
    ]


def is_wrong_count(view: View, cards: Sequence[Card]) -> bool:
    """Tell whether an answer names too few or too many cards, or one too often."""
    return len(cards) != view.answer_count or bool(named_too_often(view, cards))


def _height(card: Card) -> tuple[int, int]:
    return rank(card), suit(card)
