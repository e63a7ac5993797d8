"""Scenarios: the tricky places of the rules, and whole deals, as others know them."""

import pytest

from arena.cards import card_names, card_set, cards_in, parse_cards
from arena.deal import IllegalPass
from arena.double_deal import start_deal
from arena.game import Game, MoonChoice, Phase
from arena.rules import PassDirection
from tests.scenarios import (
    Case,
    deal_after_trick,
    deal_in_trick,
    filled,
    game_after_taking,
    game_of,
    golden_deals,
    hand,
    scenarios,
)

ALL_CASES = [*scenarios(), *golden_deals()]
TESTED_KINDS: set[str] = set()


def cases(kind: str) -> pytest.MarkDecorator:
    """Return the mark that runs a test for every case of a kind."""
    TESTED_KINDS.add(kind)
    chosen = [case for case in ALL_CASES if case.kind == kind]
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case.name)


def test_every_case_has_its_test() -> None:
    """All 32 scenarios and 23 deals are there, and each kind of case is tested."""
    names = {case.name.partition("[")[0] for case in scenarios()}

    assert (32, 23) == (len(names), len([*golden_deals()]))
    assert {case.kind for case in ALL_CASES} == TESTED_KINDS


@cases("setup")
def test_setup(case: Case) -> None:
    """The rules tell what is dealt, what opens and what it all costs."""
    rules, expect = case.rules, case.given["expect"]

    assert hand(expect["removed"]) == card_set(rules.removed)
    assert expect["hand_size"] == rules.hand_size
    opening = card_names([rules.opening]) if rules.opening_play != "any" else None
    assert expect["opening"] == opening
    assert expect["total_points"] == rules.total_points


@cases("pass")
def test_pass(case: Case) -> None:
    """The holder of the opening card after the pass leads it."""
    given, expect = case.given, case.given["expect"]
    hands = [hand(text) for text in given["hands"]]
    deal = start_deal(case.rules, hands, dealer=0, direction=PassDirection.LEFT)
    for seat, cards in enumerate(given["passes"]):
        deal.pass_cards(seat, hand(cards))

    assert [hand(text) for text in expect["hands"]] == deal.hands
    assert expect["leader"] == deal.turn == deal.leaders[0]
    assert expect["legal"] == card_names(cards_in(deal.legal()))


@cases("legal")
def test_legal(case: Case) -> None:
    """The legal cards are these and no others."""
    deal = deal_in_trick(case.rules, case.given)

    assert hand(case.given["hand"]) == deal.hands[deal.turn]
    assert case.given["broken"] == deal.hearts_broken
    assert case.given["expect"] == card_names(cards_in(deal.legal()))


@cases("broken")
def test_broken(case: Case) -> None:
    """A trick breaks hearts or leaves them unbroken."""
    deal = deal_after_trick(case.rules, 0, parse_cards(case.given["trick"]))

    assert case.given["expect"] == deal.hearts_broken


@cases("trick")
def test_trick(case: Case) -> None:
    """The highest card of the suit led takes the trick and its points."""
    given = case.given
    deal = deal_after_trick(case.rules, given["leader"], parse_cards(given["trick"]))
    winner = given["expect"]["winner"]
    points, taken = [0] * deal.players, [0] * deal.players
    points[winner], taken[winner] = given["expect"]["points"], hand(given["trick"])

    assert [winner] == deal.winners == deal.takers
    assert points == deal.points
    assert taken == deal.taken


@cases("deal")
def test_whole_deal(case: Case) -> None:
    """A deal played out gives these tricks, this moon and these totals."""
    given, expect = case.given, case.given["expect"]
    hands = [hand(text) for text in given["hands"]]
    game = game_of(case.rules, hands, given["totals"])
    deal = game.deal
    for card in parse_cards(given["plays"]):
        game.play(card)
    assert ("choice" in given) == game.is_choosing
    if game.is_choosing:
        assert Phase[expect["shot"].upper()] == game.phase
        game.choose_moon(MoonChoice[given["choice"].upper()])

    assert expect["tricks_won"] == deal.tricks_won
    assert_scored(game, expect)


@cases("score")
def test_score(case: Case) -> None:
    """Taken penalty cards give these totals, and end the game or do not."""
    given, expect = case.given, case.given["expect"]
    taken = [hand(cards) for cards in given["taken"]]
    game = game_after_taking(case.rules, taken, given["totals"], given.get("choice"))

    assert_scored(game, expect)
    winners = expect["winners"]
    assert bool(winners) == (game.phase == Phase.OVER)
    if winners:
        places = game.places()
        assert winners == [seat for seat, place in enumerate(places) if place == 1]


def assert_scored(game: Game, expect: dict[str, object]) -> None:
    """Assert the result of the deal that has just ended."""
    result = game.results[-1]
    shot = None if result.shooter is None else "sun" if result.is_sun else "moon"

    assert expect["totals"] == list(result.totals) == game.totals
    assert expect["shot"] == shot


@cases("pass_legal")
def test_pass_legal(case: Case) -> None:
    """Exactly the right number of cards of the own hand may be passed."""
    rules, own = case.rules, hand(case.given["hand"])
    hands = filled(rules, [own] + [0] * (rules.players - 1), rules.hand_size)
    deal = start_deal(rules, hands, dealer=0, direction=PassDirection.LEFT)
    try:
        deal.pass_cards(0, hand(case.given["pass"]))
    except IllegalPass:
        assert not case.given["expect"]
    else:
        assert case.given["expect"]


@cases("golden")
def test_golden_deal(case: Case) -> None:
    """Another program played this deal: every winner and point is the same."""
    given, rules = case.given, case.rules
    hands = [hand(text) for text in given["hands"]]
    game = Game(rules, lambda deal_index, dealer: hands, first_dealer=given["dealer"])
    deal = game.deal
    for seat, cards in enumerate(given["passes"]):
        game.pass_cards(seat, hand(cards))

    assert given["direction"] == deal.direction.label
    assert [hand(text) for text in given["hands_after_pass"]] == deal.hands
    for card in parse_cards(given["plays"]):
        game.play(card)
    assert given["winners"] == deal.winners
    assert given["leaders"] == deal.leaders
    # Tricks that were cancelled, and swept by a later winner, are not counted there.
    won = [deal.winners.count(seat) for seat in range(rules.players)]
    assert given["tricks_won"] == won
    assert given["points"] == deal.points
    assert_scored(game, given)
