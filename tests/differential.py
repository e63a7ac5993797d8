"""
Two engines on one game: the arena's and the reference engine, compared at each step.

`compare_game` plays a game at random in both, with a seat now and then that grabs
what it can, so that moons and suns come up, and asserts that all they tell is equal.
"""

import random
from collections.abc import Sequence

from arena.cards import CardSet, card_names, card_set, cards_in, rank
from arena.deal import Deal
from arena.game import Game, MoonChoice, Phase
from arena.options import WORDS
from arena.rules import RulesError, RuleSet, preset
from tests.reference.deal import ReferenceDeal
from tests.reference.game import ReferenceGame
from tests.reference.options import Options, options_of


def reference_options(rules: RuleSet) -> Options:
    """Return the same options as the reference engine reads them."""
    options = dict(rules.options)
    del options["players"]
    return options_of("arena", rules.players, **options)


def names(cards: CardSet) -> list[str]:
    """Return a set's cards as the reference engine has them."""
    return card_names(cards_in(cards)).split()


class Comparison:
    """One game in both engines."""

    def __init__(self, rules: RuleSet, chance: random.Random) -> None:
        self.rules = rules
        self.chance = chance
        self.other = ReferenceGame(
            reference_options(rules), first_dealer=chance.randrange(rules.players)
        )
        self.grabber: int | None = None
        self.shots: list[str] = []
        """The moons and suns so far."""
        self.cancelled_count = 0
        """How many tricks nobody has won so far."""
        self.game = Game(rules, self._hands, first_dealer=self.other.first_dealer)

    def _hands(self, deal_index: int, dealer: int) -> list[CardSet]:
        """Deal at random; in every third deal one seat gets the high cards."""
        rules, chance = self.rules, self.chance
        size, players = rules.hand_size, rules.players
        pack = chance.sample(cards_in(rules.pack), rules.pack.bit_count())
        strong: list[int] = []
        self.grabber = None
        if chance.random() < 0.35:
            self.grabber = chance.randrange(players)
            luck = chance.choice([0.0, 1.5, 4.0])
            pack.sort(key=lambda card: rank(card) + luck * chance.random())
            pack, strong = pack[:-size], pack[-size:]
            chance.shuffle(pack)
        hands = [pack[start : start + size] for start in range(0, size * players, size)]
        if self.grabber is not None:
            hands.insert(self.grabber, strong)
        return [card_set(hand) for hand in hands[:players]]

    def play(self, deals_max: int) -> None:
        """Play the game to its end, or so many deals of it."""
        for _ in range(deals_max):
            self._play_deal()
            if self.game.phase == Phase.OVER:
                break
        assert (self.game.phase == Phase.OVER) == self.other.is_over
        if self.other.is_over:
            assert self.game.ending == self.other.ending
            assert list(self.game.places()) == self.other.places()

    def _play_deal(self) -> None:
        game, chance = self.game, self.chance
        deal = game.deal
        assert deal.dealer == self.other.dealer
        assert deal.direction.label == self.other.direction
        other = self.other.next_deal(
            [names(hand) for hand in deal.dealt], names(deal.kitty)
        )
        if chance.random() < 0.05 and len(game.given_up) < self.rules.players:
            seat = chance.randrange(self.rules.players)
            game.give_up(seat)
            self.other.give_up(seat)
        self._pass(other)
        choice: MoonChoice | None = None
        while not other.is_over:
            self._compare_play(deal, other)
            card = self._chosen(deal)
            game.play(card)
            other.play(card_names([card]))
        if asked := self.other.asked(other):
            assert asked == (game.moon_seat, game.phase.name.lower())
            choice = chance.choice(list(MoonChoice))
            game.choose_moon(choice)
        else:
            assert not game.is_choosing
        self._compare_deal(deal, other, None if choice is None else choice.label)

    def _pass(self, other: ReferenceDeal) -> None:
        game, chance = self.game, self.chance
        assert (game.phase == Phase.PASS) == other.is_passing
        if not other.is_passing:
            return
        count = self.rules.pass_count
        for seat in chance.sample(range(self.rules.players), self.rules.players):
            cards = chance.sample(cards_in(game.deal.hands[seat]), count)
            if seat == self.grabber:
                cards = sorted(cards_in(game.deal.hands[seat]), key=rank)[:count]
            game.pass_cards(seat, card_set(cards))
            other.pass_cards(seat, card_names(cards).split())

    def _chosen(self, deal: Deal) -> int:
        legal = deal.legal_cards()
        # Equal cards would seldom meet by chance.
        if twins := self.rules.cancellation and set(legal) & set(deal.trick):
            return max(twins)
        if self.grabber is None:
            return self.chance.choice(legal)
        if deal.turn == self.grabber:
            return max(legal, key=rank)
        return min(legal, key=rank)

    def _compare_play(self, deal: Deal, other: ReferenceDeal) -> None:
        legal = names(deal.legal())
        assert deal.turn == other.turn
        assert sorted(legal) == sorted(other.legal())
        assert legal == card_names(deal.legal_cards()).split()
        assert deal.hearts_broken == other.hearts_broken
        assert deal.points == other.points
        assert card_names(deal.trick).split() == other.trick
        assert card_names(deal.carried).split() == other.carried
        assert deal.kitty_taker == other.kitty_taker
        assert deal.forced_plays == other.forced
        for hand, other_hand in zip(deal.hands, other.hands, strict=True):
            assert names(hand) == other_hand

    def _compare_deal(
        self, deal: Deal, other: ReferenceDeal, choice: str | None
    ) -> None:
        result = self.other.finish(other, choice)
        own = self.game.results[-1]
        assert deal.is_over
        assert deal.leaders == [trick.leader for trick in other.tricks]
        assert deal.winners == [trick.winner for trick in other.tricks]
        self.cancelled_count += deal.winners.count(None)
        assert deal.points == other.points
        assert deal.tricks_won == other.tricks_won
        for taken, other_taken in zip(deal.taken, other.taken, strict=True):
            assert sorted(names(taken)) == sorted(other_taken)
        assert list(own.points) == result.points
        assert list(own.totals) == self.other.totals
        assert own.shooter == result.shooter
        assert (own.moon_choice and own.moon_choice.label) == result.choice
        assert own.is_sun == (result.shot == "sun")
        if result.shot:
            self.shots.append(result.shot)


def compare_game(rules: RuleSet, seed: object, *, deals_max: int = 60) -> Sequence[str]:
    """Play one game in both engines and return its moons and suns."""
    comparison = Comparison(rules, random.Random(repr(seed)))
    comparison.play(deals_max)
    return comparison.shots


WILD_OPTIONS = sorted(WORDS)
"""The options of words that `wild_rules` draws."""


def wild_rules(chance: random.Random) -> RuleSet:
    """Return a rule set whose options are drawn at random, as far as they fit."""
    while True:
        packs = chance.choice([1, 1, 2])
        players = chance.randint(3, 7) if packs == 1 else chance.randint(6, 11)
        options: dict[str, object] = {
            name: chance.choice(WORDS[name])
            for name in WILD_OPTIONS
            if chance.random() < 0.5
        }
        options["packs"] = packs
        options |= {
            name: chance.choice(values)
            for name, values in _WILD_VALUES.items()
            if chance.random() < 0.3
        }
        if chance.random() < 0.5:
            options.setdefault("removed", _trim(packs, players))
        try:
            return preset("arena", players=players, **options)
        except RulesError:
            continue


_WILD_VALUES: dict[str, tuple[object, ...]] = {
    "pass_count": (0, 1, 2, 4),
    "pass_cycle": ("left", "right left hold", "across left", "hold left"),
    "opening_card": ("2S", "3D", "KC", "4C"),
    "spade_penalties": ("none", "Q:25", "Q:13 K:10 A:7", "J:5"),
    "bonus_value": (-5, -30),
    "moon_value": (26, 40),
    "sun_value": ("same", 60),
    "target": (26, 50, 60),
    "exact_hit": ("minus_50", "minus_26", "to_zero", "wins"),
    "max_deals": (3, 8),
}


def _trim(packs: int, players: int) -> str:
    """Take low clubs and diamonds out until the pack divides."""
    spare = 52 * packs % players
    cards = [f"{rank}{suit}" for rank in "23456" for suit in "CD" for _ in range(packs)]
    return " ".join(cards[:spare]) or "none"
