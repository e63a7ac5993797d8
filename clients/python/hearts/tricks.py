"""
Tricks: who wins one, and whose cards those of all tricks of a deal are.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hearts.cards import Card


class Trick(NamedTuple):
    """
    One complete trick. `cards` go clockwise from the seat `leader`.

    `winner` is None when all cards of the suit led cancelled each other: then the
    cards lie on the table until a trick has a winner. Whose they are after the last
    trick of a deal the rules say, `options["cancel_last_trick"]`.
    """

    leader: int
    cards: list[Card]
    winner: int | None


def winning_place(cards: Sequence[Card], options: Mapping[str, str]) -> int | None:
    """
    Find the place in a trick, complete or not, of the card that wins it.

    It is None without cards, and when all cards of the suit led cancel each other.
    """
    followed = [card for card in cards if card.suit == cards[0].suit]
    if options.get("cancellation") == "true":
        followed = [card for card in followed if cards.count(card) == 1]
    # Of two equal cards the first one wins, where they do not cancel.
    return cards.index(max(followed)) if followed else None


def taken_cards(
    tricks: Sequence[Trick],
    kitty: Sequence[Card],
    options: Mapping[str, str],
    *,
    players: int,
    hand_size: int,
) -> list[list[Card]]:
    """
    Give each seat the cards of the tricks that it has taken.

    Args:
        kitty: The cards that were left over, if a trick has taken them.
    """
    taken: list[list[Card]] = [[] for _ in range(players)]
    goes_with_hearts = options.get("leftover") == "kitty_first_heart"
    pile: list[Card] = []
    for number, trick in enumerate(tricks, start=1):
        pile += trick.cards
        taker = trick.winner
        if taker is None and number == hand_size:
            taker = _last_taker(trick, options)
        if taker is None:
            continue
        if not goes_with_hearts or any(card.suit == "H" for card in pile):
            pile += kitty
            kitty = ()
        taken[taker] += pile
        pile.clear()
    return taken


def _last_taker(trick: Trick, options: Mapping[str, str]) -> int | None:
    """
    Find who takes the last trick of a deal though nobody wins it.
    """
    rule = options.get("cancel_last_trick")
    if rule == "nobody":
        return None
    cards = trick.cards
    alive = [card for card in cards if cards.count(card) == 1]
    if rule != "second_highest" or not alive:
        return trick.leader
    place = cards.index(max(alive, key=lambda card: card.rank))
    return (trick.leader + place) % len(cards)
