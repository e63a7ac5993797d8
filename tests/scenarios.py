"""
The golden scenarios and deals, and how to set them up at a table.

`golden/scenarios.json` and `golden/deals.jsonl` name variants that other programs
know; `rules_for` says each of them in options. What the engine can't play yet is
told by the option that it refuses.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.cards import FULL_PACK, Card, CardSet, card_set, cards_in, parse_cards
from arena.deal import Deal
from arena.game import Game, MoonChoice, Phase
from arena.rules import PassDirection, RulesError, RuleSet, parse_rules
from arena.seeds import deal_hands

GOLDEN = Path(__file__).parent / "golden"

_STANDARD: dict[str, object] = {
    "break_on": "heart_discarded",
    "moon": "choice",
    "moon_floor": "zero",
}
_PARLOR: dict[str, object] = {
    **_STANDARD,
    "first_trick_ban": "unless_no_clubs",
    "tie_recheck": "tie_only",
}

VARIANTS: dict[str, dict[str, object]] = {
    "arena": {},
    "standard": _STANDARD,
    "parlor": _PARLOR,
    "black_lady": {
        "break_on": "heart_discarded",
        "end_when": "exceed",
        "tie": "draw",
        "winner_pool": "not_over",
    },
    # It also announces forced cards, which changes neither play nor score.
    "classic": {
        "break_on": "heart_discarded",
        "moon": "subtract",
        "tie_recheck": "tie_only",
    },
    "party": {"queen_breaks": "played", "moon": "choice"},
    "omnibus": {**_STANDARD, "bonus_card": "JD", "moon_needs_bonus": "true"},
    "omnibus_td": {**_STANDARD, "bonus_card": "TD", "moon_needs_bonus": "true"},
    "black_maria": {"spade_penalties": "Q:13 K:10 A:7", "pass_cycle": "right"},
    "cancellation": {**_STANDARD, "packs": 2, "cancellation": True},
    "spot": {**_STANDARD, "heart_values": "spot", "spade_penalties": "Q:25"},
    "sun": {**_STANDARD, "sun": "choice"},
    "plain_hearts": {**_STANDARD, "spade_penalties": "none"},
}
"""What each variant changes in the preset `arena`."""


@dataclass(frozen=True)
class Case:
    """One case of a golden file."""

    name: str
    kind: str
    given: dict[str, Any]
    obstacle: str
    """The option that the engine refuses; empty for a case that it can play."""

    @property
    def rules(self) -> RuleSet:
        """Return the rules of the case."""
        return rules_for(self.given["rules"])


def rules_for(named: dict[str, Any]) -> RuleSet:
    """Return the rules of a variant with its overrides, without a cap on deals."""
    overrides = dict(named)
    variant = VARIANTS[overrides.pop("preset")]
    return parse_rules({**variant, "max_deals": "none", **overrides})


def scenarios() -> Iterator[Case]:
    """Yield every case of every scenario, playable or not."""
    for scenario in json.loads((GOLDEN / "scenarios.json").read_text()):
        shared = {key: scenario[key] for key in ("hands", "plays") if key in scenario}
        for index, case in enumerate(scenario["cases"]):
            given = {**shared, **case}
            name = f"{scenario['id']}[{index}]"
            yield Case(name, scenario["kind"], given, _obstacle(given["rules"]))


def golden_deals() -> Iterator[Case]:
    """Yield every golden deal, playable or not."""
    for line in (GOLDEN / "deals.jsonl").read_text().splitlines():
        given = json.loads(line)
        name = f"{given['rules']['preset']}/{given['rules']['players']}"
        yield Case(name, "golden", given, _obstacle(given["rules"]))


def _obstacle(named: dict[str, Any]) -> str:
    try:
        rules_for(named)
    except RulesError as error:
        return f"{error.option} {error.value}"
    return ""


def hand(text: str) -> CardSet:
    """Return the set of the named cards."""
    return card_set(parse_cards(text))


def deal_in_trick(rules: RuleSet, given: dict[str, Any]) -> Deal:
    """
    Return a deal in which the seat on turn holds the hand of a `legal` case.

    A hand for a later trick gets high clubs as well, with which it takes a first
    trick, and a second one that breaks hearts where they are to be broken.
    """
    own = hand(given["hand"])
    played = parse_cards(given["trick"])
    if given["trick_number"] == 1:
        hands = _filled([own, *({card} for card in played)], own.bit_count())
        # The others sit before the hand, in the order of play.
        seats = [*hands[1 : len(played) + 1], hands[0], *hands[len(played) + 1 :]]
        deal = Deal(rules, seats, dealer=0, direction=PassDirection.HOLD)
        for card in played:
            deal.play(card)
        return deal
    assert not played
    return _deal_on_lead(rules, own, is_broken=given["broken"])


def _deal_on_lead(rules: RuleSet, own: CardSet, *, is_broken: bool) -> Deal:
    """Return a deal after one trick or two, all taken by the hand's seat."""
    first = parse_cards("AC 2C 3C 4C")
    second = parse_cards("KC 2H 2D 3D") if is_broken else []
    assert not own & card_set([*first, *second])
    pairs = [set(cards) for cards in zip(first, second or first, strict=True)]
    pairs[0] |= set(cards_in(own))
    hands = _filled([card_set(cards) for cards in pairs], len(pairs[0]), without="C")
    deal = Deal(rules, hands, dealer=0, direction=PassDirection.HOLD)
    for card in [*first[1:], first[0], *second]:
        deal.play(card)
    return deal


def _filled(
    hands: list[CardSet | set[Card]], size: int, *, without: str = ""
) -> list[CardSet]:
    """Fill four hands to a size with cards that nobody holds."""
    sets = [held if isinstance(held, int) else card_set(held) for held in hands]
    sets += [0] * (4 - len(sets))
    free = cards_in(FULL_PACK & ~sum(sets))
    if without:
        # Clubs would have to follow the leads that set the position up, and
        # hearts would not let a second trick break them.
        free = [card for card in free if card > 13]
        free.sort(key=lambda card: 27 <= card <= 39)
    for seat, held in enumerate(sets):
        while sets[seat].bit_count() < size:
            sets[seat] |= 1 << free.pop(0)
        assert not held & ~sets[seat]
    return sets


def deal_after_trick(rules: RuleSet, leader: int, plays: list[Card]) -> Deal:
    """
    Return a deal whose last complete trick is the one given.

    The two of clubs opens; any other trick comes second, after one of clubs that
    its leader takes.
    """
    seats = [(leader + place) % 4 for place in range(4)]
    hands = [0, 0, 0, 0]
    for seat, card in zip(seats, plays, strict=True):
        hands[seat] = 1 << card
    opening: list[Card] = []
    if 1 not in plays:
        opening = [card for card in range(1, 14) if card not in plays]
        opening = [opening[-1], *opening[:3]]
        # Trick one is led by the two of clubs, left of its taker.
        for seat, card in zip(seats, opening, strict=True):
            hands[seat] |= 1 << card
        opening = [*opening[1:], opening[0]]
    deal = Deal(rules, hands, dealer=0, direction=PassDirection.HOLD)
    for card in [*opening, *plays]:
        deal.play(card)
    return deal


def game_of(rules: RuleSet, hands: list[CardSet], totals: list[int]) -> Game:
    """Return a game whose first deal has these hands and no pass."""
    held = parse_rules({**rules.overrides, "pass_count": 0})
    game = Game(held, lambda deal_index, dealer: hands, first_dealer=0)
    game.totals = list(totals)
    return game


def game_after_taking(
    rules: RuleSet,
    taken: list[CardSet],
    totals: list[int],
    choice: str | None,
    *,
    given_up: frozenset[int] = frozenset(),
) -> Game:
    """
    Return a game after a deal in which the seats took these penalty cards.

    Deals are tried until one of them ends with a harmless trick; see `take`.
    """
    for number in range(100):
        hands = deal_hands(bytes([number]) * 32, 0, rules, 0)
        game = game_of(rules, list(hands), totals)
        for seat in given_up:
            game.give_up(seat)
        if take(game, taken):
            break
    assert game.results or game.phase == Phase.MOON
    if game.phase == Phase.MOON:
        assert choice is not None
        game.choose_moon(MoonChoice[choice.upper()])
    return game


def take(game: Game, taken: list[CardSet]) -> bool:
    """
    Play the current deal so that the seats take these penalty cards.

    The deal is played up to its last card, and then the cards taken so far are
    exchanged: the rest is the game's own doing. Does not work, and returns false,
    when there are penalty cards in the last trick.
    """
    rules, deal = game.rules, game.deal
    while sum(deal.hands).bit_count() > 1:
        game.play(cards_in(deal.legal())[-1])
    if card_set([*deal.trick, *cards_in(deal.legal())]) & rules.penalties:
        return False
    for seat, cards in enumerate(taken):
        deal.taken[seat] = cards
        deal.points[seat] = sum(rules.card_points[card] for card in cards_in(cards))
    game.play(cards_in(deal.legal())[0])
    return True
