"""
Another implementation: OpenSpiel's Hearts agrees at every step, under its switches.

OpenSpiel plays one deal for four seats. A card's action is `4 * rank + suit`; cards
are dealt round the table from seat 0, and passed one at a time, seat by seat. One of
its eight switches, a bonus for taking no trick, is no rule of ours; the others are
options here. `--deals N` says how many deals are played.
"""

import random
from collections import Counter
from functools import cache
from typing import Any

import pyspiel
import pytest

from arena.cards import (
    HEARTS,
    Card,
    CardSet,
    card_set,
    cards_in,
    parse_card,
    rank,
    suit,
)
from arena.game import Game, Phase
from arena.rules import PassDirection, RuleSet, preset

SWITCHES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "pass_cards": ({"pass_count": "0"}, {}),
    "no_pts_on_first_trick": ({"first_trick_ban": "none"}, {}),
    "can_lead_any_club": ({}, {"opening_play": "any_of_suit"}),
    "jd_bonus": ({}, {"bonus_card": "JD"}),
    "must_break_hearts": ({"hearts_lead": "free"}, {}),
    "qs_breaks_hearts": ({}, {"queen_breaks": "played"}),
    "can_lead_hearts_instead_of_qs": (
        {},
        {"unbroken_lead_exception": "only_penalties"},
    ),
}
"""What each switch of OpenSpiel's is here, off and on."""

SETTINGS = 2 ** len(SWITCHES)

ARENA = sum(
    1 << list(SWITCHES).index(name)
    for name in ("pass_cards", "no_pts_on_first_trick", "must_break_hearts")
)
"""The setting that plays as the preset `arena`."""

OFFSETS = {
    PassDirection.HOLD: 0,
    PassDirection.LEFT: 1,
    PassDirection.ACROSS: 2,
    PassDirection.RIGHT: 3,
}
"""OpenSpiel's numbers for the directions."""

ACTIONS = [4 * rank(card) + suit(card) for card in range(53)]

QUEEN = parse_card("QS")


@cache
def other_game(setting: int) -> Any:
    """Return OpenSpiel's game with the switches that are the bits of a number."""
    switches = {name: bool(setting >> i & 1) for i, name in enumerate(SWITCHES)}
    return pyspiel.load_game("hearts", switches | {"avoid_all_tricks_bonus": False})


@cache
def own_rules(setting: int, direction: PassDirection) -> RuleSet:
    """Return our options for the same switches."""
    options: dict[str, Any] = {"pass_cycle": direction.label}
    for place, changes in enumerate(SWITCHES.values()):
        options |= changes[setting >> place & 1]
    return preset("arena", **options)


class Duel:
    """One deal in both implementations, with equal legal cards asserted throughout."""

    def __init__(
        self, pack: list[Card], direction: PassDirection, setting: int
    ) -> None:
        hands = [card_set(pack[seat::4]) for seat in range(4)]
        rules = own_rules(setting, direction)
        self.tally: Counter[str] = Counter()
        """Which things came up that random deals seldom have."""
        self.game = Game(rules, lambda deal_index, dealer: hands, first_dealer=3)
        self.other = other_game(setting).new_initial_state()
        offset = OFFSETS[self.game.deal.direction]
        for action in (offset, *(ACTIONS[card] for card in pack)):
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
            self._note(deal.hands[deal.turn], is_lead=not deal.trick)
            self.step([card], deal.turn, legal)
            game.play(card)
        points = list(game.results[0].points)
        self.tally["moons"] += deal.shooter() is not None
        assert self.other.is_terminal()
        assert [26 - value for value in self.other.returns()] == points
        return points

    def _note(self, hand: CardSet, *, is_lead: bool) -> None:
        is_early = is_lead and not self.game.deal.hearts_broken
        if is_early and hand & HEARTS and hand & ~HEARTS == 1 << QUEEN:
            self.tally["leads from hearts and the queen"] += 1


def hearts_and_queen(chance: random.Random) -> list[Card]:
    """Return a pack that deals a seat the queen, many hearts, and a way to lead."""
    spades = [parse_card(name) for name in ("QS", "KS", "AS")]
    strong = spades + chance.sample(cards_in(HEARTS), 10)
    others = [card for card in range(1, 53) if card not in strong]
    chance.shuffle(others)
    seat = chance.randrange(4)
    for place, card in enumerate(strong):
        others.insert(4 * place + seat, card)
    return others


@pytest.mark.slow
def test_random_deals_agree(request: pytest.FixtureRequest) -> None:
    """Legal cards are the same at every step under all switches, and so are points."""
    deals = request.config.getoption("--deals")
    chance = random.Random(20_000)
    tally: Counter[str] = Counter()
    for number in range(deals):
        is_rare = number % 5 == 1
        pack = hearts_and_queen(chance) if is_rare else chance.sample(range(1, 53), 52)
        direction = PassDirection.HOLD if is_rare else chance.choice([*PassDirection])
        duel = Duel(pack, direction, number % SETTINGS)
        duel.play(chance, number % 4 if number % 5 == 0 else None)
        tally += duel.tally
    print(f"\n{deals} deals, " + ", ".join(f"{n} {name}" for name, n in tally.items()))

    assert tally["leads from hearts and the queen"] > deals / 100


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
        duel = Duel(lower, PassDirection.HOLD, ARENA)
        moons += sum(duel.play(chance, seat)) == 78
    assert moons > 20


def test_all_switches_are_known() -> None:
    """OpenSpiel has the switches that stand in the table, and the one that does not."""
    known = set(pyspiel.load_game("hearts").get_parameters())

    assert {*SWITCHES, "avoid_all_tricks_bonus"} == known
