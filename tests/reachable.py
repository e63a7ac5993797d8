"""
Games that real play can reach, for the laws of Hearts, under all rules.

`ALL_RULES` has every preset with every number of seats, and rule sets drawn from all
options. A `RandomGame` plays one of them by answers that a seed decides; now and then
a seat with high cards grabs what it can, so that moons and suns come up.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from hypothesis import strategies as st

from arena.cards import CardSet, card_set, cards_in, rank
from arena.deal import Deal
from arena.game import Game, MoonChoice, Phase
from arena.rules import PRESETS, RuleSet, preset
from tests.differential import wild_rules

_RARE: Final[dict[str, dict[str, object]]] = {
    "nobody": {"cancel_last_trick": "nobody"},
    "second": {
        "cancel_last_trick": "second_highest",
        "cancel_next_leader": "next_seat",
    },
    "kitty": {
        "leftover": "kitty_first_heart",
        "cancel_last_trick": "nobody",
        "cancel_next_leader": "next_seat",
    },
}
"""Options of two packs that chance draws too seldom."""

ALL_RULES: Final[dict[str, RuleSet]] = (
    {
        f"{name}_{players}": preset(name, players=players)
        for name, one in PRESETS.items()
        for players in one.seats
    }
    | {
        f"{name}_{players}": preset("cancellation", players=players, **options)
        for name, options in _RARE.items()
        for players in (6, 8)
    }
    | {f"wild_{n}": wild_rules(random.Random(f"wild {n}")) for n in range(30)}
)

Move: TypeAlias = tuple[int, int]
"""An answer: the seat, and the set passed, the card played or the choice."""


def seeds() -> st.SearchStrategy[int]:
    """Draw what decides a random game."""
    return st.integers(0, 2**32 - 1)


class RandomGame:
    """
    A game that is played at random.

    Args:
        rules: The rules in force.
        seed: Decides hands and answers.
    """

    def __init__(self, rules: RuleSet, seed: int) -> None:
        self.rules = rules
        self.moves: list[Move] = []
        """All answers so far."""
        self._chance = random.Random(seed)
        self._grabber = -1
        first = self._chance.randrange(rules.players)
        self.game = Game(rules, self._hands, first_dealer=first)

    def _hands(self, deal_index: int, dealer: int) -> list[CardSet]:
        rules, chance = self.rules, self._chance
        size, players = rules.hand_size, rules.players
        pack = cards_in(rules.pack)
        chance.shuffle(pack)
        if rules.cancellation:
            # Equal cards lie side by side, so that they meet in tricks.
            pack.sort(key=[*pack].index)
        hands = [pack[seat::players][:size] for seat in range(players)]
        self._grabber = -1
        if chance.random() < 0.5:
            self._grabber = chance.randrange(players)
            pack.sort(key=lambda card: rank(card) + 2 * chance.random(), reverse=True)
            rest = pack[size:]
            chance.shuffle(rest)
            hands = [rest[seat * size : (seat + 1) * size] for seat in range(players)]
            hands[-1] = hands[self._grabber]
            hands[self._grabber] = pack[:size]
        return [card_set(hand) for hand in hands]

    def steps(self, deals_max: int = 2) -> Iterator[Game]:
        """Yield the game before each answer, and after the last one."""
        game = self.game
        while game.phase != Phase.OVER and game.deal_number <= deals_max:
            yield game
            move = self._answer()
            self.moves.append(move)
            apply(game, move)
        yield game

    def _answer(self) -> Move:
        game, deal, chance = self.game, self.game.deal, self._chance
        if game.is_choosing:
            return game.moon_seat, chance.choice(list(MoonChoice))
        if game.phase == Phase.PASS:
            waiting = [seat for seat in range(deal.players) if not deal.passed[seat]]
            seat = chance.choice(waiting)
            cards = cards_in(deal.hands[seat])
            chance.shuffle(cards)
            if seat == self._grabber:
                cards.sort(key=rank)
            return seat, card_set(cards[: self.rules.pass_count])
        choices = deal.legal_cards()
        if self.rules.cancellation and chance.random() < 0.7:
            # Cancelled tricks come up when equal cards meet.
            choices = [card for card in choices if card in deal.trick] or choices
        if self._grabber < 0:
            return deal.turn, chance.choice(choices)
        choose = max if deal.turn == self._grabber else min
        return deal.turn, choose(choices, key=rank)


def apply(game: Game, move: Move) -> None:
    """Give a game an answer."""
    seat, answer = move
    if game.is_choosing:
        assert seat == game.moon_seat
        game.choose_moon(MoonChoice(answer))
    elif game.phase == Phase.PASS:
        game.pass_cards(seat, answer)
    else:
        assert seat == game.deal.turn
        game.play(answer)


def finished(rules: RuleSet, seed: int, deals_max: int = 2) -> RandomGame:
    """Return a random game after so many deals."""
    play = RandomGame(rules, seed)
    for _ in play.steps(deals_max):
        pass
    return play


def played_again(play: RandomGame, *, turn: int = 0) -> Game:
    """Give a new game all the same, with all seats turned by so many places."""
    players = play.rules.players
    dealt = [turned(deal.dealt, turn) for deal in play.game.deals]
    game = Game(
        play.rules,
        lambda deal_index, dealer: dealt[deal_index],
        first_dealer=(play.game.first_dealer + turn) % players,
    )
    for seat, answer in play.moves:
        apply(game, ((seat + turn) % players, answer))
    return game


def turned(items: Sequence[int], turn: int) -> list[int]:
    """Return the items with each one moved on by so many places."""
    return [items[(place - turn) % len(items)] for place in range(len(items))]


def position(deal: Deal) -> dict[str, object]:
    """Return all that can be seen of a deal, as it is now."""
    names = [name for name in dir(deal) if not name.startswith("_")]
    values = {name: getattr(deal, name) for name in names}
    seen = {name: value for name, value in values.items() if not callable(value)}
    return {
        "legal": deal.legal(),
        **{name: [*v] if isinstance(v, list) else v for name, v in seen.items()},
    }
