"""Who wins a trick and who takes which cards: the SDK against the engine."""

import random

import pytest

from arena.cards import cards_in
from arena.deal import Deal
from arena.game import Game
from arena.rules import RuleSet, parse_rules, preset
from hearts.cards import CARD_BY_NUMBER, Card
from hearts.tricks import Trick, taken_cards, winning_place
from tests.house_turns import ODD_RULES, make_turn

TWO_PACKS = preset("cancellation", players=6)
NO_PASS = {"pass_cycle": "hold"}

TABLES = [
    preset("omnibus", players=5, **NO_PASS),
    *(
        preset("cancellation", players=8, cancel_last_trick=way, **NO_PASS)
        for way in ("leader", "second_highest", "nobody")
    ),
    *(parse_rules(rules | NO_PASS) for rules in ODD_RULES[:4]),
]


def played_deals(rules: RuleSet, *, count: int) -> list[Deal]:
    """Return whole deals of random plays."""
    chance = random.Random(3)
    deals = []
    for number in range(count):
        deal = Game.from_seed(rules, bytes([number]) * 32).deal
        while not deal.is_over:
            deal.play(chance.choice(deal.legal_cards()))
        deals.append(deal)
    return deals


def tricks_of(deal: Deal) -> list[Trick]:
    """Return the tricks of a deal as the SDK has them."""
    cards = [CARD_BY_NUMBER[card] for card in deal.plays]
    starts = range(0, len(cards), deal.players)
    return [
        Trick(leader, cards[start : start + deal.players], winner)
        for start, leader, winner in zip(
            starts, deal.leaders, deal.winners, strict=True
        )
    ]


@pytest.mark.parametrize("rules", TABLES)
def test_tricks_are_won_and_cards_taken_as_in_the_engine(rules: RuleSet) -> None:
    """The winner of each trick, and the cards of each seat with those of a kitty."""
    options = rules.options
    for deal in played_deals(rules, count=40):
        tricks = tricks_of(deal)
        places = [winning_place(trick.cards, options) for trick in tricks]
        seats = [
            None if place is None else (trick.leader + place) % deal.players
            for place, trick in zip(places, tricks, strict=True)
        ]
        kitty = [CARD_BY_NUMBER[card] for card in cards_in(deal.kitty)]
        taken = taken_cards(
            tricks,
            kitty if deal.kitty_taker is not None else (),
            options,
            players=deal.players,
            hand_size=rules.hand_size,
        )

        assert deal.winners == seats
        assert [cards_in(pile) for pile in deal.taken] == [sorted(t) for t in taken]


@pytest.mark.parametrize(
    ("rules", "trick", "card", "seat"),
    [
        (preset("arena"), "", None, None),
        (preset("arena"), "5D AS 9D", "9D", 1),
        (TWO_PACKS, "5D 5D", None, None),
        (TWO_PACKS, "5D KD 5D KD", None, None),
        (TWO_PACKS, "5D KD 9D KD AS", "9D", 5),
        (preset("cancellation", cancellation=False), "5D KD KD", "KD", 4),
    ],
)
def test_the_card_that_wins_so_far(
    rules: RuleSet, trick: str, card: str | None, seat: int | None
) -> None:
    """The highest of the suit led that is not cancelled, and who played it."""
    turn = make_turn(rules=rules, plays=trick, leaders=[3])

    assert (card and Card(card), seat) == (turn.winning_card, turn.winning_seat)


def test_who_took_the_bonus_card() -> None:
    """Points leave it out, and the cards taken have it."""
    turn = make_turn(
        rules=preset("omnibus"), plays="2C 5C KC 9C JD AD 2D AH 4S", leaders=[3, 1, 2]
    )

    assert [[], [*map(Card, ("2C", "5C", "KC", "9C"))]] == turn.taken[:2]
    assert [*map(Card, ("JD", "AD", "2D", "AH"))] == turn.taken[2]
    assert [2] == [
        seat for seat, cards in enumerate(turn.taken) if turn.rules.bonus_card in cards
    ]
