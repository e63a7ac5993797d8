"""What the rules forbid, as exceptions that tell the reason."""

from arena.cards import PACK_SIZE, Card, CardSet, card_name, card_names, cards_in


class IllegalPass(ValueError):  # noqa: N818
    """
    A pass that the rules forbid; the deal is unchanged.

    Attributes:
        cards: The refused cards.
        reason: What is wrong with them, in words.
    """

    def __init__(self, *, cards: CardSet, reason: str) -> None:
        super().__init__(f"can't pass {card_names(cards_in(cards))!r}: {reason}")
        self.cards = cards
        self.reason = reason


class IllegalPlay(ValueError):  # noqa: N818
    """
    A play that the rules forbid; the deal is unchanged.

    Attributes:
        card: The refused card, which may be no card at all.
        reason: What is wrong with it, in words.
        legal: The cards that may be played instead.
    """

    def __init__(self, *, card: Card, reason: str, legal: CardSet) -> None:
        name = card_name(card) if 1 <= card <= PACK_SIZE else f"card {card}"
        expected = card_names(cards_in(legal)) or "nothing"
        super().__init__(f"can't play {name}: {reason}; legal: {expected}")
        self.card = card
        self.reason = reason
        self.legal = legal
