"""Games: scores, ends, places, and seats that are given up."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cards import card_set, cards_in
from arena.deal import IllegalPass, IllegalPlay
from arena.game import DealResult, Game, MoonChoice, Phase
from arena.rules import PassDirection, RuleSet, parse_rules, preset
from arena.substitution import substitute
from arena.view import view_of
from tests.reachable import seeds
from tests.scenarios import game_after_taking, hand, take

ARENA = preset("arena")
ALL_PENALTIES = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS"


@st.composite
def score_rules(draw: st.DrawFn) -> RuleSet:
    """Draw rules that differ in the scores and the end."""
    options: dict[str, object] = {
        "moon": draw(st.sampled_from(["add", "choice", "subtract", "off"])),
        "moon_floor": draw(st.sampled_from(["none", "zero"])),
        "target": draw(st.sampled_from([1, 30, 100])),
        "end_when": draw(st.sampled_from(["reach", "exceed"])),
        "tie": draw(st.sampled_from(["further_deals", "draw", "shared"])),
        "tie_recheck": draw(st.sampled_from(["finish_condition", "tie_only"])),
        "max_deals": draw(st.sampled_from([2, 40])),
    }
    return parse_rules(options)


def played_game(rules: RuleSet, seed: int) -> Game:
    """Return a game played out by a grabber of tricks and three who duck."""
    chance = random.Random(seed)
    game = Game.from_seed(rules, seed.to_bytes(32, "big"))
    while game.phase != Phase.OVER:
        answer(game, chance)
    return game


def answer(game: Game, chance: random.Random) -> None:
    """Give a game its next answer, all passes at once."""
    deal = game.deal
    if game.phase == Phase.MOON:
        game.choose_moon(chance.choice(list(MoonChoice)))
    elif game.phase == Phase.PASS:
        for seat in range(4):
            cards = chance.sample(cards_in(deal.hands[seat]), game.rules.pass_count)
            game.pass_cards(seat, card_set(cards))
    else:
        choices = cards_in(deal.legal())
        game.play(choices[-1] if deal.turn == 0 else choices[0])


def play_deal(game: Game) -> None:
    """Play the current deal out, the moon not included."""
    chance = random.Random(1)
    number = game.deal_number
    while game.deal_number == number and game.phase in (Phase.PASS, Phase.PLAY):
        answer(game, chance)


# Scores


@given(seeds(), score_rules())
def test_points_sum_to_the_deal_or_the_moon(seed: int, rules: RuleSet) -> None:
    """A deal's points are 26, or what the moon makes of them; totals add them up."""
    game = played_game(rules, seed)
    totals = [0, 0, 0, 0]
    for result in game.results:
        assert expected_sum(rules, result, totals) == sum(result.points)
        totals = [a + b for a, b in zip(totals, result.points, strict=True)]
        assert tuple(totals) == result.totals
    assert totals == game.totals


def expected_sum(rules: RuleSet, result: DealResult, totals: list[int]) -> int:
    """Return what all seats' points of a deal come to."""
    if result.shooter is None:
        return 26
    if result.moon_choice == MoonChoice.ADD:
        return 78
    before = totals[result.shooter]
    return -26 if rules.moon_floor == "none" else -max(0, min(26, before))


@given(seeds(), score_rules())
def test_equal_games_are_equal(seed: int, rules: RuleSet) -> None:
    """The same seed and the same answers give the same results."""
    assert played_game(rules, seed).results == played_game(rules, seed).results


@given(seeds())
def test_games_of_the_arena_end(seed: int) -> None:
    """Without ties a game to 100 takes at most 16 deals."""
    game = played_game(ARENA, seed)
    ties = sum(
        max(result.totals) >= 100 and result.totals.count(min(result.totals)) > 1
        for result in game.results
    )

    assert 4 <= len(game.results) <= 16 + ties
    assert game.deal_number == len(game.results) == len(game.deals)


# The moon


def moon_game(totals: list[int], choice: str | None = None, **options: object) -> Game:
    """Return a game after seat 0 has shot the moon, passing left out."""
    rules = parse_rules(options)
    taken = [hand(ALL_PENALTIES), 0, 0, 0]
    return game_after_taking(rules, taken, totals, choice)


@pytest.mark.parametrize(
    ("options", "choice", "expected"),
    [
        ({"moon": "add"}, None, [10, 46, 46, 46]),
        ({"moon": "subtract"}, None, [-16, 20, 20, 20]),
        ({"moon": "subtract", "moon_floor": "zero"}, None, [0, 20, 20, 20]),
        ({"moon": "choice"}, "add", [10, 46, 46, 46]),
        ({"moon": "choice"}, "subtract", [-16, 20, 20, 20]),
        ({"moon": "off"}, None, [36, 20, 20, 20]),
    ],
)
def test_the_moon(
    options: dict[str, object], choice: str | None, expected: list[int]
) -> None:
    """Who takes every penalty card scores as the rules say."""
    game = moon_game([10, 20, 20, 20], choice, **options)
    result = game.results[0]
    is_off = options["moon"] == "off"

    assert expected == game.totals
    assert (None if is_off else 0) == result.shooter
    assert is_off == (result.moon_choice is None)


def test_a_floor_lifts_no_negative_total() -> None:
    """With the floor at zero a total below it stays where it is."""
    game = moon_game([-5, 20, 20, 20], moon="subtract", moon_floor="zero")

    assert [-5, 20, 20, 20] == game.totals


def test_the_shooter_is_asked() -> None:
    """With a choice the deal is scored only when the shooter has chosen."""
    rules = parse_rules({"moon": "choice", "pass_count": 0})
    suits = [
        hand(" ".join(f"{rank}{suit}" for rank in "23456789TJQKA")) for suit in "CDHS"
    ]
    game = Game(rules, lambda deal_index, dealer: suits, first_dealer=0)
    deal = game.deal
    ended = [game.play(cards_in(deal.legal())[0]) for _ in range(52)]

    assert not any(ended)
    assert (Phase.MOON, 0, []) == (game.phase, game.moon_seat, game.results)
    assert (deal, 1) == (game.deal, game.deal_number)
    with pytest.raises(IllegalPlay):
        game.play(1)
    game.choose_moon(MoonChoice.SUBTRACT)
    assert ((-26, 0, 0, 0), -1) == (game.results[0].points, game.moon_seat)
    assert (Phase.PLAY, 2) == (game.phase, game.deal_number)
    with pytest.raises(AssertionError):
        game.choose_moon(MoonChoice.ADD)


# Deals one after another


def test_deals_follow_each_other() -> None:
    """The deal moves left, and the directions go round."""
    game = Game.from_seed(ARENA, bytes(32))
    for index in range(4):
        assert list(PassDirection)[index] == game.deal.direction
        assert (game.first_dealer + index) % 4 == game.deal.dealer
        assert (index + 1, game.deal) == (game.deal_number, game.deals[-1])
        play_deal(game)


def test_refusals_of_the_deal_are_passed_on() -> None:
    """A game refuses what its deal refuses, and stays as it was."""
    game = Game.from_seed(ARENA, bytes(32))
    with pytest.raises(IllegalPass):
        game.pass_cards(0, 0)
    with pytest.raises(IllegalPlay):
        game.play(1)

    assert (Phase.PASS, [0] * 4) == (game.phase, game.deal.passed)


def test_the_first_dealer_may_be_fixed() -> None:
    """With `seat0` the seed has no say in who deals first."""
    rules = preset("arena", first_dealer="seat0")
    dealers = {
        Game.from_seed(rules, bytes([seed]) * 32).first_dealer for seed in range(9)
    }

    assert {0} == dealers


# The end


def ended(totals: list[int], taken: list[str], **options: object) -> Game:
    """Return a game after a deal with these penalty cards taken."""
    rules = parse_rules(options)
    return game_after_taking(rules, [hand(cards) for cards in taken], totals, None)


ONE_EACH = ["2H", "3H", "4H", "5H 6H 7H 8H 9H TH JH QH KH AH QS"]


@pytest.mark.parametrize(
    ("totals", "options", "expected"),
    [
        ([70, 80, 90, 77], {}, ("finished", (1, 2, 3, 4))),
        ([70, 80, 90, 76], {}, (None, None)),
        ([70, 80, 90, 77], {"end_when": "exceed"}, (None, None)),
        ([70, 80, 90, 78], {"end_when": "exceed"}, ("finished", (1, 2, 3, 4))),
        ([20, 5, 5, 20], {"target": 43}, (None, None)),
        ([20, 5, 5, 20], {"target": 43, "tie": "draw"}, ("finished", (3, 1, 1, 4))),
        ([20, 5, 5, 20], {"target": 43, "tie": "shared"}, ("finished", (3, 1, 1, 4))),
        ([20, 5, 20, 20], {"target": 43}, ("finished", (2, 1, 2, 4))),
        ([20, 5, 5, 5], {"max_deals": 1}, ("max_deals", (3, 1, 1, 4))),
        ([20, 5, 5, 19], {"max_deals": 1, "target": 42}, ("max_deals", (3, 1, 1, 4))),
    ],
)
def test_the_end(
    totals: list[int],
    options: dict[str, object],
    expected: tuple[str | None, tuple[int, ...] | None],
) -> None:
    """A game ends at its target or its cap, and ties for the lowest go on or not."""
    game = ended(totals, ONE_EACH, **options)
    places = game.places() if game.phase == Phase.OVER else None

    assert expected == (game.ending, places)
    assert (game.ending is None) == (game.phase == Phase.PLAY)


@pytest.mark.parametrize(
    ("tie_recheck", "expected"), [("finish_condition", None), ("tie_only", "finished")]
)
def test_after_a_tie(tie_recheck: str, expected: str | None) -> None:
    """Once a tie held the game up, the target may have to be met again or not."""
    game = ended(
        [90, 50, 50, 70],
        ["QS 2H", "3H", "4H", "5H 6H 7H 8H 9H TH JH QH KH AH"],
        tie_recheck=tie_recheck,
        moon="subtract",
    )

    assert ([104, 51, 51, 80], None) == (game.totals, game.ending)
    # The moon takes the only seat over the target below it, and the tie is broken.
    game.totals = [104, 51, 50, 80]
    take(game, [hand(ALL_PENALTIES), 0, 0, 0])
    assert ([78, 51, 50, 80], expected) == (game.totals, game.ending)


# Seats given up


def test_a_given_up_seat_gets_the_worst_of_each_deal() -> None:
    """Its open deal and all later ones count as the worst at the table."""
    game = Game.from_seed(ARENA, bytes(32))
    play_deal(game)
    game.give_up(2)
    play_deal(game)
    play_deal(game)
    first, *later = game.results

    assert 26 == sum(first.points)
    assert all(result.points[2] == max(result.points) for result in later)


def test_given_up_seats_share_the_last_place() -> None:
    """However low their totals, they come after all that went on."""
    rules = parse_rules({"target": 43})
    taken = [hand(cards) for cards in ONE_EACH]
    game = game_after_taking(
        rules, taken, [20, 5, 19, 20], None, given_up=frozenset({1, 2})
    )

    assert (43, {1, 2}) == (max(game.totals), game.given_up)
    assert (1, 3, 3, 2) == game.places()


def test_given_up_seats_do_not_tie() -> None:
    """Two seats on the lowest total hold nothing up when one of them is out."""
    rules = parse_rules({"target": 43})
    taken = [hand(cards) for cards in ONE_EACH]
    game = game_after_taking(
        rules, taken, [20, -18, 5, 20], None, given_up=frozenset({1})
    )

    assert [21, 5, 6, 43] == game.totals
    assert ("finished", (2, 4, 1, 3)) == (game.ending, game.places())


def test_a_game_ends_without_anybody_in_the_running() -> None:
    """Four given-up seats share the only place."""
    game = Game.from_seed(ARENA, bytes(32))
    for seat in range(4):
        game.give_up(seat)
    while game.phase != Phase.OVER:
        answer(game, random.Random(3))

    assert (1, 1, 1, 1) == game.places()
    assert 1 == len(set(game.totals))


# What the caller must not do


def test_a_pack_short_of_a_card_is_a_fault_of_the_caller() -> None:
    """Hands have to be the whole pack."""
    hands = [hand("2C"), hand("3C"), hand("4C"), hand("5C")]
    with pytest.raises(AssertionError, match="not the pack"):
        Game(ARENA, lambda deal_index, dealer: hands, first_dealer=0)


def test_there_are_no_places_before_the_end() -> None:
    """Places are asked for when the game is over."""
    with pytest.raises(AssertionError, match="not over"):
        Game.from_seed(ARENA, bytes(32)).places()


# Views


def test_a_view_hides_a_pass_until_all_have_passed() -> None:
    """Not even a seat's own pass shows before it has happened."""
    game = Game.from_seed(ARENA, bytes(32))
    view = view_of(game, 0)
    cards = card_set(cards_in(view.hand)[:3])
    game.pass_cards(0, cards)
    waiting = view_of(game, 0)
    for seat in (1, 2, 3):
        game.pass_cards(seat, card_set(cards_in(game.deal.hands[seat])[:3]))
    passed = view_of(game, 0)

    assert (3, view.hand) == (view.answer_count, view.choices)
    assert (0, 0, 0) == (waiting.answer_count, waiting.passed, waiting.received)
    assert (cards, 3) == (passed.passed, passed.received.bit_count())


def test_a_view_of_a_game_that_is_over_asks_nothing() -> None:
    """When the game is over there is nothing to choose."""
    game = played_game(ARENA, 1)
    view = view_of(game, 0)

    assert (Phase.OVER, 0, 0, ()) == (view.kind, *view[8:10], view.moon_choices)


# Substitution


def test_substitutions() -> None:
    """The lowest legal card, the highest three to pass, the moon by default."""
    dealt = [
        "2C 5C 9C JC AD KD 8D 4H 9H KH 5S KS QS",
        "3C 7C TC KC 2D 6D TD 2H 7H JH 3S 8S TS",
        "4C 8C QC AC 5D 9D 3D 5H TH QH 2S 7S AS",
        "6C 4D 7D JD QD 3H 6H 8H AH 4S 6S 9S JS",
    ]
    game = Game(ARENA, lambda deal_index, dealer: [*map(hand, dealt)], first_dealer=0)

    assert hand("AD KS KH") == card_set(as_cards(substitute(view_of(game, 0))))
    for seat in range(4):
        game.pass_cards(seat, card_set(as_cards(substitute(view_of(game, seat)))))
    leader = game.deal.turn
    assert [1] == substitute(view_of(game, leader))


@pytest.mark.parametrize("choice", ["add", "subtract"])
def test_the_moon_is_substituted_by_the_rules(choice: str) -> None:
    """Who does not choose gets what the rules name."""
    rules = parse_rules({"moon": "choice", "moon_default": choice, "pass_count": 0})
    suits = [
        hand(" ".join(f"{rank}{suit}" for rank in "23456789TJQKA")) for suit in "CDHS"
    ]
    game = Game(rules, lambda deal_index, dealer: suits, first_dealer=0)
    for _ in range(52):
        game.play(cards_in(game.deal.legal())[0])

    assert MoonChoice[choice.upper()] == substitute(view_of(game, game.moon_seat))


@pytest.mark.parametrize(
    ("totals", "choice"),
    [([30, 0, 40, 40], MoonChoice.SUBTRACT), ([10, 0, 40, 40], MoonChoice.ADD)],
)
def test_the_best_moon_is_substituted(totals: list[int], choice: MoonChoice) -> None:
    """Where the rules name the best, it depends on the totals and the value."""
    rules = parse_rules({"moon": "choice", "moon_default": "best"})
    game = game_after_taking(rules, [hand(ALL_PENALTIES), 0, 0, 0], totals)

    assert choice == substitute(view_of(game, game.moon_seat))


def as_cards(answer: object) -> list[int]:
    """Return an answer that must be cards."""
    assert isinstance(answer, list)
    return answer
