"""
Another implementation: OpenSpiel's Hearts agrees at every step.

OpenSpiel plays one deal for four seats. A card's action is `4 * rank + suit`; cards
are dealt round the table from seat 0, and passed one at a time, seat by seat.
"""

import random

import pyspiel
import pytest

from arena.cards import Card, CardSet, card_set, cards_in, rank, suit
from arena.game import Game, Phase
from arena.rules import PassDirection, preset

DEALS = 2000

OPTIONS = {
    "pass_cards": True,
    "no_pts_on_first_trick": True,
    "must_break_hearts": True,
    "qs_breaks_hearts": False,
    "can_lead_any_club": False,
    "can_lead_hearts_instead_of_qs": False,
}

OFFSETS = {
    PassDirection.HOLD: 0,
    PassDirection.LEFT: 1,
    PassDirection.ACROSS: 2,
    PassDirection.RIGHT: 3,
}
"""OpenSpiel's numbers for the directions."""

ACTIONS = [4 * rank(card) + suit(card) for card in range(53)]


class Duel:
    """One deal in both implementations, with equal legal cards asserted throughout."""

    def __init__(self, pack: list[Card], direction: PassDirection) -> None:
        hands = [card_set(pack[seat::4]) for seat in range(4)]
        rules = preset("arena", pass_cycle=direction.label)
        self.game = Game(rules, lambda deal_index, dealer: hands, first_dealer=3)
        self.other = pyspiel.load_game("hearts", OPTIONS).new_initial_state()
        for action in (OFFSETS[direction], *(ACTIONS[card] for card in pack)):
            self.other.apply_action(action)

    def step(self, cards: list[Card], seat: int, legal: CardSet) -> None:
        """Apply cards of one seat, the others' legal cards being the same."""
        for card in cards:
            assert sorted(ACTIONS[c] for c in cards_in(legal)) == sorted(
                self.other.legal_actions()
            )
            assert seat == self.other.current_player()
            self.other.apply_action(ACTIONS[card])
            legal &= ~(1 << card)

    def play(self, chance: random.Random, grabber: int | None) -> list[int]:
        """Play the deal out and return its points; the grabber takes what it can."""
        game = self.game
        deal = game.deal
        if game.phase == Phase.PASS:
            for seat in range(4):
                hand = deal.hands[seat]
                cards = chance.sample(cards_in(hand), 3)
                self.step(cards, seat, hand)
                game.pass_cards(seat, card_set(cards))
        while not deal.is_over:
            legal = deal.legal()
            choices = cards_in(legal)
            card = chance.choice(choices)
            if grabber is not None:
                card = max(choices, key=rank) if deal.turn == grabber else choices[0]
            self.step([card], deal.turn, legal)
            game.play(card)
        return list(game.results[0].points)


@pytest.mark.slow
def test_random_deals_agree() -> None:
    """Legal cards are the same at every step, and so are the points."""
    chance = random.Random(20_000)
    for number in range(DEALS):
        pack = chance.sample(range(1, 53), 52)
        duel = Duel(pack, chance.choice(list(PassDirection)))
        points = duel.play(chance, number % 4 if number % 5 == 0 else None)

        assert duel.other.is_terminal()
        assert [26 - value for value in duel.other.returns()] == points


def test_moons_agree() -> None:
    """A seat that is dealt high cards and grabs every trick shoots the moon."""
    chance = random.Random(26)
    moons = 0
    for number in range(40):
        pack = sorted(chance.sample(range(1, 53), 52), key=rank, reverse=True)
        # The highest thirteen go to one seat; a card dealt to it is every fourth.
        lower = chance.sample(pack[13:], 39)
        seat = number % 4
        for place in range(13):
            lower.insert(4 * place + seat, pack[place])
        duel = Duel(lower, PassDirection.HOLD)
        points = duel.play(chance, seat)
        moons += sum(points) == 78

        assert [26 - value for value in duel.other.returns()] == points
    assert moons > 20
