"""Scenarios: the tricky places of the rules, and whole deals, as others know them."""

import pytest

from arena.cards import card_names, card_set, cards_in, parse_cards
from arena.deal import Deal, IllegalPass
from arena.game import Game, MoonChoice, Phase
from arena.rules import PassDirection
from tests.scenarios import (
    Case,
    deal_after_trick,
    deal_in_trick,
    game_after_taking,
    game_of,
    golden_deals,
    hand,
    scenarios,
)

ALL_CASES = [*scenarios(), *golden_deals()]

NOT_YET = {
    "bonus_card JD": 15,
    "bonus_card TD": 3,
    "exact_hit minus_50": 2,
    "heart_values spot": 6,
    "moon auto": 2,
    "players 3": 20,
    "players 5": 7,
    "players 6": 18,
    "players 7": 5,
    "spade_penalties none": 3,
    "sun add": 1,
    "sun choice": 5,
}
"""How many cases wait for an option, by the first option that is in their way."""


def cases(kind: str) -> pytest.MarkDecorator:
    """Return the mark that runs a test for every playable case of a kind."""
    playable = [case for case in ALL_CASES if case.kind == kind and not case.obstacle]
    return pytest.mark.parametrize("case", playable, ids=lambda case: case.name)


def test_cases_not_yet_playable_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """What can't be played yet is counted by its reason; the rest is played."""
    waiting: dict[str, list[str]] = {}
    for case in ALL_CASES:
        if case.obstacle:
            waiting.setdefault(case.obstacle, []).append(case.name)
    with capsys.disabled():
        count = sum(map(len, waiting.values()))
        print(f"\n{count} of {len(ALL_CASES)} golden cases wait for an option:")
        for obstacle, names in sorted(waiting.items()):
            print(f"  {obstacle}: {' '.join(names)}")

    assert NOT_YET == {obstacle: len(names) for obstacle, names in waiting.items()}


@cases("setup")
def test_setup(case: Case) -> None:
    """The rules tell what is dealt, what opens and what it all costs."""
    rules, expect = case.rules, case.given["expect"]

    assert expect["removed"] == card_names(rules.removed)
    assert expect["hand_size"] == rules.hand_size
    assert expect["opening"] == card_names([rules.opening])
    assert expect["total_points"] == rules.total_points


@cases("pass")
def test_pass(case: Case) -> None:
    """The holder of the opening card after the pass leads it."""
    given, expect = case.given, case.given["expect"]
    hands = [hand(text) for text in given["hands"]]
    deal = Deal(case.rules, hands, dealer=0, direction=PassDirection.LEFT)
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
    points = [given["expect"]["points"] if seat == winner else 0 for seat in range(4)]

    assert points == deal.points
    assert not hand(given["trick"]) & ~deal.taken[winner]


@cases("deal")
def test_whole_deal(case: Case) -> None:
    """A deal played out gives these tricks, this moon and these totals."""
    given, expect = case.given, case.given["expect"]
    hands = [hand(text) for text in given["hands"]]
    game = game_of(case.rules, hands, given["totals"])
    deal = game.deal
    for card in parse_cards(given["plays"]):
        game.play(card)
    if game.phase == Phase.MOON:
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
        assert winners == [seat for seat in range(4) if places[seat] == 1]


def assert_scored(game: Game, expect: dict[str, object]) -> None:
    """Assert the result of the deal that has just ended."""
    result = game.results[-1]

    assert expect["totals"] == list(result.totals) == game.totals
    assert (expect["shot"] == "moon") == (result.shooter is not None)


@cases("pass_legal")
def test_pass_legal(case: Case) -> None:
    """Exactly the right number of cards of the own hand may be passed."""
    own = hand(case.given["hand"])
    rest = cards_in(case.rules.pack & ~own)
    hands = [own, *(card_set(rest[seat::3]) for seat in range(3))]
    deal = Deal(case.rules, hands, dealer=0, direction=PassDirection.LEFT)
    cards = parse_cards(case.given["pass"])
    try:
        deal.pass_cards(0, card_set(cards))
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
    winners = []
    for card in parse_cards(given["plays"]):
        won = list(deal.tricks_won)
        game.play(card)
        winners += [seat for seat in range(4) if deal.tricks_won[seat] > won[seat]]
    assert given["winners"] == winners
    assert given["leaders"] == deal.leaders
    assert given["tricks_won"] == deal.tricks_won
    assert given["points"] == deal.points
    assert_scored(game, given)
