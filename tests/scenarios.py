"""
The golden scenarios and deals, and how to set them up at a table.

`golden/scenarios.json` and `golden/deals.jsonl` name presets as the arena does, with
the number of seats and further options beside them. A position is set up as an
ending, with filler in the hands that a case does not tell.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arena.cards import Card, CardSet, both, card_set, cards_in, parse_cards, without
from arena.deal import Deal
from arena.double_deal import start_deal
from arena.game import Game, MoonChoice
from arena.rules import PassDirection, RuleSet, preset
from arena.seeds import deal_hands

GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Case:
    """One case of a golden file."""

    name: str
    kind: str
    given: dict[str, Any]

    @property
    def rules(self) -> RuleSet:
        """Return the rules of the case, without a cap on deals."""
        options = dict(self.given["rules"])
        return preset(options.pop("preset"), max_deals=None, **options)


def scenarios() -> Iterator[Case]:
    """Yield every case of every scenario."""
    for scenario in json.loads((GOLDEN / "scenarios.json").read_text()):
        shared = {key: scenario[key] for key in ("hands", "plays") if key in scenario}
        for index, case in enumerate(scenario["cases"]):
            name = f"{scenario['id']}[{index}]"
            yield Case(name, scenario["kind"], {**shared, **case})


def golden_deals() -> Iterator[Case]:
    """Yield every golden deal."""
    for line in (GOLDEN / "deals.jsonl").read_text().splitlines():
        given = json.loads(line)
        name = f"{given['rules']['preset']}/{given['rules']['players']}"
        yield Case(name, "golden", given)


def hand(text: str) -> CardSet:
    """Return the set of the named cards."""
    return card_set(parse_cards(text))


def deal_in_trick(rules: RuleSet, given: dict[str, Any]) -> Deal:
    """
    Return a deal in which the seat on turn holds the hand of a `legal` case.

    Seat 0 leads, and the seats after it up to the one on turn have followed.
    """
    own = hand(given["hand"])
    played = parse_cards(given["trick"])
    hands = [1 << card for card in played]
    hands += [own] + [0] * (rules.players - len(played) - 1)
    deal = start_deal(
        rules,
        filled(rules, hands, own.bit_count()),
        dealer=rules.players - 1,
        direction=PassDirection.HOLD,
    )
    if given["trick_number"] > 1:
        is_broken = given["broken"]
        deal.start_at(given["trick_number"], leader=0, hearts_broken=is_broken)
    for card in played:
        deal.play(card)
    return deal


def filled(rules: RuleSet, hands: Sequence[CardSet], size: int) -> list[CardSet]:
    """Fill hands to a size with cards of the pack that nobody holds."""
    rest = rules.pack
    for held in hands:
        rest = without(rest, held)
    free = cards_in(rest)
    full = []
    for held in hands:
        count = size - held.bit_count()
        full.append(both(held, card_set(free[:count])))
        del free[:count]
    return full


def deal_after_trick(rules: RuleSet, leader: int, plays: list[Card]) -> Deal:
    """
    Return a deal whose only and last trick is the one given.

    It is the first trick where the opening card leads it, else a later one.
    """
    players = rules.players
    hands = [1 << plays[(seat - leader) % players] for seat in range(players)]
    deal = start_deal(rules, hands, dealer=0, direction=PassDirection.HOLD)
    if rules.opening not in plays:
        deal.start_at(rules.hand_size, leader=leader, hearts_broken=False)
    for card in plays:
        deal.play(card)
    return deal


def game_of(
    rules: RuleSet, hands: Sequence[CardSet], totals: Sequence[int] | None = None
) -> Game:
    """Return a game whose deals have these hands and no pass."""
    held = replace(rules, pass_count=0)
    game = Game(held, lambda deal_index, dealer: hands, first_dealer=0)
    if totals is not None:
        game.totals = [*totals]
    return game


class TakenDeal(Deal):
    """
    A deal before its last trick, a harmless one, with its penalty cards taken.

    Args:
        rules: The rules in force.
        taken: The penalty and bonus cards that each seat has taken.
    """

    __slots__ = ("_taken",)

    def __init__(self, rules: RuleSet, taken: Sequence[CardSet]) -> None:
        harmless = rules.pack & ~(rules.penalty_cards | rules.bonus_cards)
        hands = [1 << card for card in sorted({*cards_in(harmless)})[: rules.players]]
        super().__init__(rules, hands, dealer=0, direction=PassDirection.HOLD)
        self.start_at(rules.hand_size, leader=0, hearts_broken=True)
        self._taken = [*taken]
        self.points = [
            sum(rules.card_points[card] for card in cards_in(cards)) for cards in taken
        ]

    @property
    def taken(self) -> list[CardSet]:
        """The cards that each seat has taken, without the last trick."""
        return self._taken


def game_after_taking(
    rules: RuleSet,
    taken: Sequence[CardSet],
    totals: Sequence[int],
    choice: str | None = None,
    *,
    given_up: frozenset[int] = frozenset(),
) -> Game:
    """Return a game after a deal in which the seats took these penalty cards."""
    game = game_of(rules, deal_hands(bytes(32), 0, rules, 0), totals)
    for seat in given_up:
        game.give_up(seat)
    take(game, taken)
    if choice is not None:
        game.choose_moon(MoonChoice[choice.upper()])
    return game


def take(game: Game, taken: Sequence[CardSet]) -> None:
    """End the current deal so that the seats have taken these penalty cards."""
    deal = TakenDeal(game.rules, taken)
    game.deal = game.deals[-1] = deal
    while not deal.is_over:
        game.play(deal.legal_cards()[0])
