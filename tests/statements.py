"""Positions in which a statement of the rules can be tried on the engine."""

import random
from collections.abc import Sequence

from arena.cards import (
    CardSet,
    card_names,
    card_set,
    cards_in,
    parse_cards,
    rank,
)
from arena.deal import Deal
from arena.double_deal import start_deal
from arena.game import Game, MoonChoice, Phase
from arena.rules import PassDirection, RuleSet, parse_rules

DOCUMENTS = ("standard", "parlor", "black_lady", "classic", "party")
"""The presets that are one document each."""


def hand(text: str) -> CardSet:
    """Return the cards named, or a whole suit for its letter."""
    words = text.split()
    suits = [f"{r}{s}" for s in words if len(s) == 1 for r in "23456789TJQKA"]
    return card_set(parse_cards(" ".join([*suits, *(w for w in words if len(w) > 1)])))


def small_deal(
    rules: RuleSet, *hands: str, trick: int = 1, broken: bool = False
) -> Deal:
    """
    Return a deal of a few cards without a pass, dealt by the last seat.

    Seat 0 leads a later trick.
    """
    sets = [hand(text) for text in hands]
    last = rules.players - 1
    deal = start_deal(rules, sets, dealer=last, direction=PassDirection.HOLD)
    if trick > 1:
        deal.start_at(trick, leader=0, hearts_broken=broken)
    return deal


def play(deal: Deal, cards: str) -> Deal:
    """Play the cards and return the deal."""
    for card in parse_cards(cards):
        deal.play(card)
    return deal


def legal(deal: Deal) -> str:
    """Return the names of the legal cards."""
    return card_names(cards_in(deal.legal()))


def on_lead(rules: RuleSet, held: str, *, broken: bool = False) -> str:
    """Return what a hand may lead to a later trick, against hands of high clubs."""
    size = len(held.split())
    free = [c for c in cards_in(rules.pack & ~hand(held)) if rank(c) > 0][:100]
    others = [
        card_names(free[seat * size : (seat + 1) * size])
        for seat in range(rules.players - 1)
    ]
    return legal(small_deal(rules, held, *others, trick=2, broken=broken))


EVERY_TRICK = ["C", "D", "H", "S"]
"""Hands with which seat 0 takes every trick."""
EVERY_TRICK_PLAYS = " ".join(f"{r}{s}" for r in "23456789TJQKA" for s in "CDHS")

ALL_BUT_ONE_TRICK = [
    "AC KC QC JC TC 9C 8C 7C 6C 5C 4C AH 2D",
    "2C 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "3C 3H 4H 5H 6H 7H 8H 9H TH JH QH KH 2S",
    "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2H",
]
"""Hands with which seat 0 takes every penalty card and all tricks but the last."""
ALL_BUT_ONE_PLAYS = (
    "2C 3C 3S AC KC 3D 3H QS QC 4D 4H 2H JC 5D 5H AS TC 6D 6H KS 9C 7D 7H JS "
    "8C 8D 8H TS 7C 9D 9H 9S 6C TD TH 8S 5C JD JH 7S 4C QD QH 6S AH KD KH 5S "
    "2D AD 2S 4S"
)
ONE_HEART_MISSED_PLAYS = ALL_BUT_ONE_PLAYS.replace("AH KD KH 5S 2D AD 2S 4S", "") + (
    "2D KD KH 5S AD 2S 4S AH"
)
"""The same hands with another end: the last two hearts go to seat 1."""


def started(rules: RuleSet, hands: Sequence[CardSet], totals: Sequence[int]) -> Game:
    """Return a game without passes whose deals all have these hands."""
    held = parse_rules(
        {
            "preset": rules.preset,
            "players": rules.players,
            **rules.overrides,
            "pass_count": 0,
        }
    )
    game = Game(held, lambda deal_index, dealer: hands, first_dealer=0)
    game.totals = [*totals]
    return game


def scored(
    rules: RuleSet,
    hands: list[str],
    plays: str,
    *,
    totals: Sequence[int] = (0, 0, 0, 0),
    choice: MoonChoice | None = None,
) -> Game:
    """Return a game after a deal that is played so."""
    game = started(rules, [hand(text) for text in hands], totals)
    for card in parse_cards(plays):
        game.play(card)
    if choice:
        assert game.phase in (Phase.MOON, Phase.SUN)
        game.choose_moon(choice)
    assert 1 == len(game.results)
    return game


def play_deal(game: Game) -> None:
    """Play the current deal out, each seat its lowest card."""
    count = len(game.results)
    while len(game.results) == count:
        game.play(cards_in(game.deal.legal())[0])


def ended(rules: RuleSet, *rows: Sequence[int]) -> Game:
    """
    Return a game whose totals after its deals are these, before an exact hit.

    A deal without a moon is dealt again and again; the totals before it are set so
    that the totals after it come out.
    """
    cards = cards_in(rules.pack)
    random.Random(1).shuffle(cards)
    hands = [card_set(cards[seat :: rules.players]) for seat in range(rules.players)]
    trial = started(rules, hands, [0] * rules.players)
    game = started(rules, hands, [0] * rules.players)
    for row in rows:
        assert game.phase == Phase.PLAY
        play_deal(trial)
        points = trial.results[-1].points
        assert trial.results[-1].shooter is None
        game.totals = [
            after - change for after, change in zip(row, points, strict=True)
        ]
        play_deal(game)
    return game


def winners(game: Game) -> list[int]:
    """Return the seats on the first place, none while the game goes on."""
    if game.phase != Phase.OVER:
        return []
    return [seat for seat, place in enumerate(game.places()) if place == 1]
