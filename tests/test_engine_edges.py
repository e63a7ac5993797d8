"""Edges of the engine that play seldom touches, each found by a small change there."""

import pytest

from arena.cards import CardSet, card_names, card_set, parse_card, parse_cards
from arena.deal import Deal, IllegalPlay
from arena.double_deal import DoubleDeal, start_deal
from arena.rules import (
    PRESETS,
    PassDirection,
    RulesError,
    RuleSet,
    parse_rules,
    preset,
)

ARENA = preset("arena")
CANCELLATION = preset("cancellation", players=6)
TWO_PACKS = ("2C 2C", "3C 9D", "4C 9D", "5C 8D", "6C 8D", "7C 7D")


def hands(*texts: str) -> list[CardSet]:
    """Return hands from the names of their cards."""
    return [card_set(parse_cards(text)) for text in texts]


def deal_of(rules: RuleSet, *texts: str, dealer: int = 0) -> Deal:
    """Return a small deal in which play has begun."""
    return start_deal(rules, hands(*texts), dealer=dealer, direction=PassDirection.HOLD)


def refusal(deal: Deal, card: int) -> str:
    """Return why a card may not be played."""
    with pytest.raises(IllegalPlay) as caught:
        deal.play(card)
    return caught.value.reason


def test_a_deal_has_no_kitty_unless_it_is_given_one() -> None:
    """Without a kitty nothing is left over, in deals of one and of two packs."""
    one = hands("2C", "3C", "4C", "5C")
    two = hands(*TWO_PACKS)
    hold = PassDirection.HOLD

    assert 0 == Deal(ARENA, one, dealer=0, direction=hold).kitty
    assert 0 == DoubleDeal(CANCELLATION, two, dealer=0, direction=hold).kitty
    assert 0 == start_deal(ARENA, one, dealer=0, direction=hold).kitty


@pytest.mark.parametrize(
    ("exception", "legal"), [("only_hearts", "QS"), ("only_penalties", "3H QS")]
)
def test_the_exception_on_lead_holds_for_whoever_takes_a_trick(
    exception: str, legal: str
) -> None:
    """What may be led is the same after a trick as in an ending that is set up."""
    rules = preset("arena", unbroken_lead_exception=exception)
    deal = deal_of(rules, "AC 3H QS", "2C 6C 7C", "3C 8C 9C", "4C TC JC")
    for card in parse_cards("2C 3C 4C AC"):
        deal.play(card)

    assert (0, 1) == (deal.turn, deal.trick_count)
    assert legal == card_names(deal.legal_cards())


def test_a_dealer_sits_at_the_table() -> None:
    """A dealer beyond the last seat is a fault of the caller."""
    with pytest.raises(AssertionError):
        deal_of(ARENA, "2C", "3C", "4C", "5C", dealer=4)


def test_no_two_hands_share_a_card() -> None:
    """Equal cards are found in hands that are not next to each other, too."""
    with pytest.raises(AssertionError):
        deal_of(ARENA, "2C", "3C", "4C", "2C")


def test_the_number_of_a_second_copy_is_no_card() -> None:
    """Of two equal cards in a hand, the second has no number of its own."""
    deal = deal_of(CANCELLATION, *TWO_PACKS)

    assert 0 == deal.turn
    assert "seat 0 does not hold it" == refusal(deal, parse_card("2C") + 52)


def test_a_refusal_at_the_start_of_an_ending_has_its_reason() -> None:
    """The first lead of an ending is judged like any lead."""
    deal = deal_of(ARENA, "2C 2H", "3C 3H", "4C 4H", "5C 5H")
    deal.start_at(12, leader=1, hearts_broken=False)

    assert "hearts are not broken" == refusal(deal, parse_card("3H"))


def test_nobody_is_on_turn_when_a_deal_is_over() -> None:
    """After the last card the turn is -1, as it is while cards are passed."""
    deal = deal_of(ARENA, "2C", "3C", "4C", "5C")
    for name in ("2C", "3C", "4C", "5C"):
        deal.play(parse_card(name))

    assert deal.is_over
    assert -1 == deal.turn
    assert "nobody is on turn" == refusal(deal, parse_card("2C"))


@pytest.mark.parametrize(
    ("discards", "taker"), [("KD 2S", 4), ("KD KS", 4), ("2S KD", 5)]
)
def test_the_highest_card_left_is_so_by_rank(discards: str, taker: int) -> None:
    """A cancelled last trick goes to the highest rank, the first one played."""
    rules = preset("cancellation", players=6, cancel_last_trick="second_highest")
    deal = deal_of(rules, "7C", "7C", "8C", "8C", *discards.split(), dealer=5)
    while not deal.is_over:
        deal.play(deal.legal_cards()[0])

    assert [None] == deal.winners
    assert [taker] == deal.takers


def forced(rules: RuleSet, *texts: str) -> list[int]:
    """Return the places of forced plays in a first trick of the lowest cards."""
    deal = deal_of(rules, *texts)
    for _ in texts:
        deal.play(deal.legal_cards()[0])
    return deal.forced_plays


def test_an_opening_card_is_no_forced_play() -> None:
    """A banned card that the rules lay down as the opening lead is not announced."""
    rules = preset("arena", announce_forced=True, opening_card="QS")

    assert [] == forced(rules, "3C QS", "4C 5S", "5C 6S", "6C 7S")


def test_who_has_clubs_can_be_forced_to_follow_with_a_heart() -> None:
    """Hearts that follow a heart to trick one are forced, whatever else is held."""
    rules = preset(
        "arena",
        announce_forced=True,
        opening_card="2H",
        first_trick_ban="unless_no_clubs",
    )

    assert [1, 2] == forced(rules, "2C 2H", "3C 3H", "4C 4H", "5D 5H")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "TH QS"),
        ({"hearts_lead": "free"}, "TH"),
        ({"spade_penalties": "Q:13 K:10"}, "TH QS"),
    ],
)
def test_a_queen_that_waits_goes_with_hearts_that_wait(
    options: dict[str, object], expected: str
) -> None:
    """A hand of hearts and the queen may lead both, unless hearts are free to lead."""
    rules = preset(
        "arena",
        queen_lead="after_broken",
        unbroken_lead_exception="only_penalties",
        **options,  # type: ignore[arg-type]
    )
    deal = deal_of(rules, "TH QS", "9H JD", "QC TS", "6S JS")
    deal.start_at(12, leader=0, hearts_broken=False)

    assert expected == card_names(deal.legal_cards())


def test_equal_options_are_equal_rules_under_any_name() -> None:
    """Rules are what their options say, whichever preset they came from."""
    assert preset("msft") == preset("arena")
    assert RuleSet() == preset("arena")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("party", "party is made for: 3 to 7; another number of 3 to 7 needs"),
        ("cancellation", "made for: 6 to 8; another number of 6 to 11 needs"),
        ("arena", "made for: 4; another number of 3 to 7 needs"),
    ],
)
def test_the_numbers_of_seats_of_a_preset_are_told(name: str, message: str) -> None:
    """Who asks for a wrong number of seats reads which there are."""
    with pytest.raises(RulesError, match=message):
        preset(name, players=9)


@pytest.mark.parametrize(
    ("target", "expected"), [(104, 48), (105, 49), (107, 49), (108, 50)]
)
def test_the_cap_is_the_longest_game(target: int, expected: int) -> None:
    """A preset's cap is when the points dealt must have taken a seat to the target."""
    rules = preset("plain_hearts", players=6, target=target)

    assert expected == rules.max_deals
    # One deal less leaves room for all seats below the target.
    assert 13 * (expected - 1) <= 6 * (target - 1) < 13 * expected


@pytest.mark.parametrize(
    ("players", "packs", "has_opposite"),
    [(3, 1, False), (5, 1, False), (6, 1, True), (8, 2, True), (9, 2, False)],
)
def test_only_even_tables_pass_across(
    players: int, packs: int, has_opposite: bool
) -> None:
    """A preset at a table that it was not made for passes across where it can."""
    kitty = "kitty_first_trick"
    rules = preset("arena", players=players, packs=packs, leftover=kitty)

    assert has_opposite == (PassDirection.ACROSS in rules.pass_cycle)
    assert 3 + has_opposite == len(rules.pass_cycle)


def test_a_hand_can_be_passed_whole() -> None:
    """As many cards may be passed as there are in a hand, but not one more."""
    kitty = "kitty_first_trick"

    assert 7 == preset("arena", players=7, leftover=kitty, pass_count=7).hand_size
    with pytest.raises(RulesError, match="more than the 7 cards"):
        preset("arena", players=7, leftover=kitty, pass_count=8)


def test_hearts_stay_beside_a_bonus_card() -> None:
    """A bonus card is one more card that may not be taken out."""
    with pytest.raises(RulesError, match="takes out 2H;"):
        preset("omnibus", players=3, removed="2H")


@pytest.mark.parametrize(("players", "is_unknown"), [(8, False), (9, True)])
def test_trims_are_known_for_eight_seats(players: int, is_unknown: bool) -> None:
    """Beyond eight seats an uneven pack has a reason of its own."""
    with pytest.raises(RulesError) as caught:
        preset("cancellation", players=players, removed="2C")

    assert is_unknown == ("no trim is known" in caught.value.reason)


def test_every_preset_has_a_title_of_its_own() -> None:
    """What a preset is, is said in words, and of no two the same."""
    titles = [made.title for made in PRESETS.values()]

    assert len(titles) == len(set(titles))
    assert all(" " in title and title == title.strip() for title in titles)


def test_nothing_is_folded_without_a_bonus_card() -> None:
    """A moon is worth more by the bonus card only where there is one."""
    assert not preset("arena", moon_bonus="fold").folds_bonus
    assert preset("arena", moon_bonus="fold", bonus_card="JD").folds_bonus


def test_names_of_options_are_texts() -> None:
    """A key that is no text is named, and refused with its reason."""
    with pytest.raises(RulesError) as caught:
        parse_rules({5: "x"})  # type: ignore[dict-item]

    assert "5" == caught.value.option
    assert "the names of options are texts" in caught.value.reason


def test_the_name_of_a_preset_is_a_text() -> None:
    """A preset that is no text is named, and refused with its reason."""
    with pytest.raises(RulesError) as caught:
        parse_rules({"preset": 5})

    assert ("preset", "5") == (caught.value.option, caught.value.value)
    assert "is not a preset; expected its name" == caught.value.reason
