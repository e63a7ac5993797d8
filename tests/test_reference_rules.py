"""The reference engine under options that no golden case covers.

Every expectation was derived by hand from the rules.
"""

from collections import Counter
from typing import Any

import pytest

from tests.reference.deal import IllegalMove, ReferenceDeal
from tests.reference.game import ReferenceGame
from tests.reference.options import Options, options_of
from tests.reference.play_rules import legal_cards
from tests.reference.scoring import deal_scores

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
MOON = f"{HEARTS} QS".split()

# The kitty.


def kitty_deal(options: Options, *leads: str) -> ReferenceDeal:
    """Return a deal of two tricks in which seat 0 takes nothing but the last."""
    hands = [[leads[0], leads[1]], ["AC", "2D"], ["4C", "3H"], ["5C", "4D"]]
    return ReferenceDeal(options, hands, dealer=3, kitty=["QS", "2C"])


def kitty_options(leftover: str) -> Options:
    """Return the rules of a game with a kitty of two cards."""
    return options_of("arena", 4, removed="2S 3S", leftover=leftover, packs="1")


def play_out(deal: ReferenceDeal) -> None:
    """Play the first legal card until the deal is over."""
    while not deal.is_over:
        deal.play(deal.legal()[0])


def test_opening_card_in_the_kitty() -> None:
    """When the opening card lies in the kitty the lowest held club opens."""
    deal = kitty_deal(kitty_options("kitty_first_trick"), "3C", "6D")

    assert 0 == deal.turn
    assert ["3C"] == deal.legal()


def test_kitty_goes_with_the_first_trick() -> None:
    """The winner of the first trick takes the kitty, and it costs him its points."""
    deal = kitty_deal(kitty_options("kitty_first_trick"), "3C", "6D")

    play_out(deal)

    assert 1 == deal.kitty_taker
    assert 13 == deal.points[1] - Counter(deal.taken[1])["3H"]


def test_kitty_waits_for_a_heart() -> None:
    """The winner of the first trick with a heart in it takes the kitty."""
    deal = kitty_deal(kitty_options("kitty_first_heart"), "3C", "6D")

    for card in ("3C", "AC", "4C", "5C"):
        deal.play(card)
    assert ["QS", "2C"] == deal.kitty
    for card in ("2D", "3H", "4D", "6D"):
        deal.play(card)

    assert 0 == deal.kitty_taker
    assert [14, 0, 0, 0] == deal.points


def test_kitty_hand_size() -> None:
    """With a kitty nothing is trimmed and everybody is dealt the same."""
    options = options_of("standard", 5, leftover="kitty_first_trick")

    assert ((), 10) == (options.removed, options.hand_size)


# What may be played.


def lead(hand: str, **overrides: str) -> str:
    """Return what a hand may lead to a later trick while hearts are unbroken."""
    options = options_of("arena", 4, **overrides)
    cards, _ = legal_cards(
        options, hand.split(), [], is_first=False, broken=False, opening="2C"
    )
    return " ".join(cards)


@pytest.mark.parametrize(
    ("hand", "overrides", "expected"),
    [
        ("2D 3H QS", {"hearts_lead": "free"}, "2D 3H QS"),
        ("2D 3H QS", {"queen_lead": "after_broken"}, "2D"),
        ("3H QS", {"queen_lead": "after_broken"}, "3H QS"),
        ("QS", {"queen_lead": "after_broken"}, "QS"),
        ("4S QS", {"queen_lead": "after_broken"}, "4S"),
        ("3H QS", {}, "QS"),
        ("3H QS", {"unbroken_lead_exception": "only_penalties"}, "3H QS"),
        ("3H 4S QS", {"unbroken_lead_exception": "only_penalties"}, "4S QS"),
        ("2D 3H QS", {"queen_lead": "after_broken", "hearts_lead": "free"}, "2D 3H"),
        ("QS QS", {"queen_lead": "after_broken", "hearts_lead": "free"}, "QS"),
    ],
)
def test_leads(hand: str, overrides: dict[str, str], expected: str) -> None:
    """What may be led while hearts are unbroken depends on four options."""
    assert expected == lead(hand, **overrides)


@pytest.mark.parametrize(
    ("hand", "overrides", "expected"),
    [
        ("3H 4H QS", {}, "3H 4H QS"),
        ("3H 4H QS", {"first_trick_escape": "queen"}, "QS"),
        ("3H 4H QS", {"first_trick_escape": "hearts"}, "3H 4H"),
        ("3H 4H", {"first_trick_escape": "queen"}, "3H 4H"),
        ("QS", {"first_trick_escape": "hearts"}, "QS"),
        ("3H 4H QS", {"first_trick_ban": "hearts"}, "QS"),
        ("3H KS 2D", {"spade_penalties": "Q:13 K:10"}, "2D"),
        ("3H QS", {"spade_penalties": "none"}, "QS"),
    ],
)
def test_first_trick(hand: str, overrides: dict[str, str], expected: str) -> None:
    """What a void hand may play to the first trick depends on ban and escape."""
    cards, _ = legal_cards(
        options_of("arena", 4, **overrides),
        hand.split(),
        ["2C"],
        is_first=True,
        broken=False,
        opening="2C",
    )

    assert expected == " ".join(cards)


def test_forced_play_is_announced() -> None:
    """A hand of penalty cards only that must play one is announced where it plays."""
    hands = [["2C", "3C"], ["3H", "QS"], ["5C", "6C"], ["7C", "8C"]]
    deal = ReferenceDeal(options_of("classic", 4), hands, dealer=3)

    for card in ("2C", "QS", "5C", "7C"):
        deal.play(card)

    assert [1] == deal.forced


def test_pass_of_equal_cards() -> None:
    """A card can be passed twice only by a hand that holds it twice."""
    hands = [["2C", "2C", "3C"], ["4C", "5C", "6C"]] + [["7C", "8C", "9C"]] * 4
    options = options_of("cancellation", 6)

    deal = ReferenceDeal(options, hands, dealer=0, direction="left")
    deal.pass_cards(0, ["2C", "2C", "3C"])
    with pytest.raises(IllegalMove):
        deal.pass_cards(1, ["4C", "4C", "5C"])

    assert ["2C", "2C", "3C"] == deal.passed[0]


# Cancellation.


def cancelled_deal(*tricks: str, **overrides: str) -> ReferenceDeal:
    """Return six seats' deal, its tricks played as given, seat 0 leading first."""
    rows = [trick.split() for trick in tricks]
    options = options_of("cancellation", 6, **overrides)
    later = overrides.get("cancel_next_leader") == "next_seat"
    hands: list[list[str]] = [[] for _ in range(6)]
    for number, row in enumerate(rows):
        for place, card in enumerate(row):
            hands[(place + (number if later else 0)) % 6].append(card)
    deal = ReferenceDeal(
        options, hands, dealer=5, trick_number=5, leader=0, broken=True
    )
    for row in rows:
        for card in row:
            deal.play(card)
    return deal


CANCELLED = "9C 9C 3D 4D 4H QS"


def test_cancelled_trick_is_swept_by_the_next_winner() -> None:
    """A cancelled trick waits, and the next winner takes both tricks."""
    deal = cancelled_deal(CANCELLED, "9D TD 5S 6S 7S 8S")

    assert [None, 1] == [trick.winner for trick in deal.tricks]
    assert [0, 0] == [trick.leader for trick in deal.tricks]
    assert [0, 2, 0, 0, 0, 0] == deal.tricks_won
    assert [0, 14, 0, 0, 0, 0] == deal.points


def test_next_seat_leads_after_a_cancelled_trick() -> None:
    """With `next_seat` the lead moves on by one after a cancelled trick."""
    deal = cancelled_deal(
        CANCELLED, "9D TD 5S 6S 7S 8S", cancel_next_leader="next_seat"
    )

    assert [0, 1] == [trick.leader for trick in deal.tricks]
    assert [0, 0, 2, 0, 0, 0] == deal.tricks_won


@pytest.mark.parametrize(
    ("rule", "last", "tricks_won", "points"),
    [
        ("leader", CANCELLED, [2, 0, 0, 0, 0, 0], [18, 0, 0, 0, 0, 0]),
        ("second_highest", CANCELLED, [0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 0, 18]),
        ("second_highest", "9C 9C 3D 3D 4H 4H", [2, 0, 0, 0, 0, 0], [6, 0, 0, 0, 0, 0]),
        (
            "second_highest",
            "9C 9C 5D 5H 3H 3S",
            [0, 0, 2, 0, 0, 0],
            [0, 0, 6, 0, 0, 0],
        ),
        ("nobody", CANCELLED, [0] * 6, [0] * 6),
    ],
)
def test_cancelled_last_trick(
    rule: str, last: str, tricks_won: list[int], points: list[int]
) -> None:
    """A cancelled last trick goes, with all that waits, to whom the rules say."""
    deal = cancelled_deal("7C 7C 2H 3H 5H 6H", last, cancel_last_trick=rule)

    assert tricks_won == deal.tricks_won
    assert points == deal.points


def test_equal_cards_without_cancellation() -> None:
    """Of two equal highest cards the first played wins when nothing cancels."""
    deal = cancelled_deal(CANCELLED, cancellation="false")

    assert [0] == [trick.winner for trick in deal.tricks]


# Scores.


def scores(
    preset: str,
    taken: list[list[str]],
    totals: list[int],
    *,
    tricks_won: list[int] | None = None,
    choice: str | None = None,
    **overrides: str,
) -> list[int]:
    """Return what a deal of four seats costs."""
    options = options_of(preset, 4, **overrides)
    result = deal_scores(
        options, taken, totals=totals, tricks_won=tricks_won, choice=choice
    )
    return result.points


def test_moon_for_the_full_value() -> None:
    """With `for_full_value` a moon is worth more with the bonus card than without."""
    rules: Any = {"bonus_card": "JD", "moon_needs_bonus": "for_full_value"}
    with_bonus = [[*MOON, "JD"], [], [], []]
    without = [MOON, ["JD"], [], []]

    assert [0, 36, 36, 36] == scores("arena", with_bonus, [0] * 4, **rules)
    assert [0, 16, 26, 26] == scores("arena", without, [0] * 4, **rules)


@pytest.mark.parametrize(
    ("sun_value", "expected"), [("double", 52), ("same", 26), ("40", 40)]
)
def test_sun_value(sun_value: str, expected: int) -> None:
    """A sun is worth twice the moon, as much, or a number."""
    points = scores(
        "arena",
        [MOON, [], [], []],
        [0] * 4,
        tricks_won=[13, 0, 0, 0],
        sun="add",
        sun_value=sun_value,
    )

    assert [0, expected, expected, expected] == points


def test_sun_adds_the_folded_bonus_once() -> None:
    """A folded bonus card raises the sun by its own value, not by twice that."""
    points = scores(
        "omnibus",
        [[*MOON, "JD"], [], [], []],
        [0] * 4,
        tricks_won=[13, 0, 0, 0],
        sun="add",
        moon_bonus="fold",
    )

    assert [0, 62, 62, 62] == points


@pytest.mark.parametrize(
    ("before", "expected"), [(30, -26), (20, -20), (0, 0), (-5, 0)]
)
def test_moon_floor(before: int, expected: int) -> None:
    """A subtracted moon takes a total to zero at most, and lifts none that is less."""
    points = scores(
        "standard", [MOON, [], [], []], [before, 0, 0, 0], choice="subtract"
    )

    assert [expected, 0, 0, 0] == points


@pytest.mark.parametrize(
    ("totals", "shooter_points"),
    [
        # 64 + 26 = 90 is not lower than 90: the shooter still adds.
        ([90, 95, 64, 70], 0),
        ([90, 95, 63, 70], -26),
    ],
)
def test_auto_moon(totals: list[int], shooter_points: int) -> None:
    """An automatic moon adds as long as nobody ends up lower than the shooter."""
    points = scores("arena", [MOON, [], [], []], totals, moon="auto")

    assert shooter_points == points[0]


def test_moon_default_best() -> None:
    """Without a choice the default `best` does what is safer."""
    points = scores(
        "standard", [MOON, [], [], []], [90, 95, 63, 70], moon_default="best"
    )

    assert [-26, 0, 0, 0] == points


@pytest.mark.parametrize(
    ("floor", "before", "expected"),
    [
        ("none", 4, -7),
        ("hand", 4, 0),
        ("total", 4, -4),
        ("total", -3, 3),
        ("total", 20, -7),
    ],
)
def test_bonus_floor(floor: str, before: int, expected: int) -> None:
    """A bonus card takes the deal or the total to zero at most, by the floor."""
    taken = [["JD", "2H", "3H", "4H"], [c for c in MOON if c not in "2H 3H 4H"], [], []]

    points = scores("omnibus", taken, [before, 0, 0, 0], bonus_floor=floor)

    assert expected == points[0]


# Games.


PLAIN_TAKEN = [
    ["QS", "2H", "3H", "4H", "5H"],
    ["6H", "7H", "8H"],
    ["9H", "TH", "JH"],
    ["QH", "KH", "AH"],
]
"""A deal of 17, 3, 3 and 3 points."""


def game_after(
    totals: list[int], preset: str = "arena", **overrides: str
) -> ReferenceGame:
    """Return a game that began with some totals, after one plain deal."""
    game = ReferenceGame(options_of(preset, 4, **overrides), totals=totals)
    game.score(PLAIN_TAKEN)
    return game


def test_exact_hit_wins() -> None:
    """Who hits the target exactly wins at once, whatever the others have."""
    game = game_after([83, 10, 97, 10], exact_hit="wins")

    assert [100, 13, 100, 13] == game.totals
    assert [1, 3, 1, 3] == game.places()


def test_given_up_seat_cannot_win_by_an_exact_hit() -> None:
    """A seat that gave up wins nothing by hitting the target."""
    options = options_of("arena", 4, exact_hit="wins", target="50")
    game = ReferenceGame(options, totals=[0, 0, 33, 0])
    game.give_up(2)

    game.score(PLAIN_TAKEN)

    assert [17, 3, 50, 3] == game.totals
    assert not game.exact_winners


def test_given_up_seat_has_the_worst_points() -> None:
    """A seat that gave up is counted the worst points of the deal, and is last."""
    game = ReferenceGame(options_of("arena", 4, target="20"), totals=[5, 0, 1, 2])
    game.give_up(1)

    game.score(PLAIN_TAKEN)

    assert [22, 17, 4, 5] == game.totals
    assert [3, 4, 1, 2] == game.places()


@pytest.mark.parametrize(
    ("tie_recheck", "is_over"), [("finish_condition", False), ("tie_only", True)]
)
def test_tie_recheck(tie_recheck: str, is_over: bool) -> None:
    """After a tie the end is tested again, or only the tie must be gone."""
    game = game_after(
        [83, 20, 20, 40], exact_hit="none", tie_recheck=tie_recheck, moon="subtract"
    )
    assert not game.is_over

    game.score([MOON, [], [], []])
    assert [74, 23, 23, 43] == game.totals
    game.score([["QS"], [], MOON[:1], MOON[1:13]])

    assert is_over == game.is_over


def test_most_deals_end_the_game() -> None:
    """After the last deal that is allowed the totals decide, and ties are shared."""
    game = game_after([0, 5, 5, 0], max_deals="1")

    assert "max_deals" == game.ending
    assert [4, 2, 2, 1] == game.places()


def test_dealer_and_direction_move_on() -> None:
    """The next seat deals the next deal, and the pass goes the next way."""
    game = ReferenceGame(options_of("arena", 4), first_dealer=3)

    seen = []
    for _ in range(5):
        seen.append((game.dealer, game.direction))
        game.score(PLAIN_TAKEN)

    ways = ["left", "right", "across", "hold", "left"]
    assert list(zip([3, 0, 1, 2, 3], ways, strict=True)) == seen
