"""Laws: what is true of every deal and game, under all rules and at every step."""

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings

from arena.cards import FULL_PACK, SUIT_SETS, both, card_set, cards_in, suit, without
from arena.deal import Deal, IllegalPlay
from arena.double_deal import start_deal
from arena.game import DealResult, Game, MoonChoice, Phase
from arena.rules import PassDirection, RuleSet
from arena.substitution import substitute
from arena.view import View, view_of
from tests.reachable import (
    ALL_RULES,
    RandomGame,
    finished,
    played_again,
    position,
    seeds,
    turned,
)

pytestmark = pytest.mark.slow

INVERSE = {
    PassDirection.LEFT: PassDirection.RIGHT,
    PassDirection.RIGHT: PassDirection.LEFT,
    PassDirection.ACROSS: PassDirection.ACROSS,
}


def under_all_rules(law: Callable[[RuleSet, int], None]) -> Callable[[], None]:
    """Make a law, told for rules and a seed, a test of all rules with a few seeds."""

    @settings(max_examples=2, report_multiple_bugs=False)
    @given(seed=seeds())
    def test(seed: int) -> None:
        for index, (name, rules) in enumerate(ALL_RULES.items()):
            try:
                law(rules, seed + index)
            except AssertionError as error:
                error.add_note(f"under the rules {name}, with the seed {seed + index}")
                raise

    test.__doc__ = law.__doc__
    return test


def steps(rules: RuleSet, seed: int) -> Iterator[Deal]:
    """Yield the deal at every step of one deal, and at its end."""
    play = RandomGame(rules, seed)
    for game in play.steps(deals_max=1):
        yield game.deals[0]


# Cards


@under_all_rules
def test_cards_are_conserved(rules: RuleSet, seed: int) -> None:
    """Hands, trick, piles, takings and kitty are the pack at every moment."""
    for deal in steps(rules, seed):
        cards = Counter([*deal.trick, *deal.carried])
        for pile in (*deal.hands, *deal.taken):
            cards.update(cards_in(pile))
        if deal.kitty_taker is None:
            cards.update(cards_in(deal.kitty))
        lost = Counter(_taken_by_nobody(deal))

        assert Counter(cards_in(rules.pack)) == cards
        assert not lost or rules.cancel_last_trick == "nobody"


def _taken_by_nobody(deal: Deal) -> list[int]:
    """Return the cards of a deal that is over which no seat has."""
    if not deal.is_over:
        return []
    kitty = [] if deal.kitty_taker is not None else cards_in(deal.kitty)
    return deal.carried + kitty


@under_all_rules
def test_the_seat_on_turn_has_a_legal_card(rules: RuleSet, seed: int) -> None:
    """Legal cards are faces in the hand of the seat on turn, and there is one."""
    for deal in steps(rules, seed):
        legal = deal.legal()

        assert (deal.turn < 0) == (not legal) == (deal.is_passing or deal.is_over)
        assert not legal & ~FULL_PACK
        assert not legal or not legal & ~deal.hands[deal.turn]


@under_all_rules
def test_the_list_and_the_question_agree(rules: RuleSet, seed: int) -> None:
    """A number is legal exactly when it is among the legal cards."""
    for deal in steps(rules, seed):
        cards = cards_in(deal.legal())

        assert cards == [card for card in range(-5, 121) if deal.is_legal(card)]
        assert cards == [*deal.legal_cards()]


@under_all_rules
def test_a_refused_play_changes_nothing(rules: RuleSet, seed: int) -> None:
    """A refusal carries card, reason and legal cards."""
    chance = random.Random(seed)
    for deal in steps(rules, seed):
        card = chance.randint(-5, 120)
        if deal.is_legal(card) or chance.random() < 0.8:
            continue
        before = position(deal)
        with pytest.raises(IllegalPlay) as error:
            deal.play(card)

        assert (card, deal.legal()) == (error.value.card, error.value.legal)
        assert error.value.reason in str(error.value)
        assert before == position(deal)


@under_all_rules
def test_who_can_follow_suit_must(rules: RuleSet, seed: int) -> None:
    """Who has the suit led plays it, and who has not plays anything, bans apart."""
    for deal in steps(rules, seed):
        if not deal.trick or deal.is_over:
            continue
        hand, led = deal.hands[deal.turn] & FULL_PACK, SUIT_SETS[suit(deal.trick[0])]
        allowed = hand & led or hand

        assert not deal.legal() & ~allowed
        assert deal.legal() == allowed or not deal.trick_count


@under_all_rules
def test_equal_cards_are_one_choice(rules: RuleSet, seed: int) -> None:
    """Playing a card takes one copy of it out of the hand, no matter which."""
    seat, hand = -1, 0
    for deal in steps(rules, seed):
        if seat >= 0:
            assert hand == both(deal.hands[seat], 1 << deal.plays[-1])
        seat = deal.turn
        hand = deal.hands[seat]


@under_all_rules
def test_broken_hearts_stay_broken(rules: RuleSet, seed: int) -> None:
    """Hearts are whole at first, and once broken they stay so."""
    broken = [deal.hearts_broken for deal in steps(rules, seed)]

    assert not broken[0]
    assert sorted(broken) == broken


@under_all_rules
def test_a_pass_has_an_inverse(rules: RuleSet, seed: int) -> None:
    """Passing back what came gives everybody the hand that was dealt."""
    for game in RandomGame(rules, seed).steps(deals_max=1):
        if game.phase == Phase.PLAY:
            break
    deal = game.deal
    if deal.direction == PassDirection.HOLD:
        assert [*deal.dealt] == deal.hands
        return
    back = start_deal(
        rules, deal.hands, dealer=deal.dealer, direction=INVERSE[deal.direction]
    )
    done = [back.pass_cards(seat, cards) for seat, cards in enumerate(deal.received)]

    assert [False] * (rules.players - 1) + [True] == done
    assert [*deal.dealt] == back.hands
    assert deal.passed == back.received
    for before, after, gone, come in zip(
        deal.dealt, deal.hands, deal.passed, deal.received, strict=True
    ):
        assert after == both(without(before, gone), come)


# Tricks and points


@under_all_rules
def test_points_are_those_of_the_cards_taken(rules: RuleSet, seed: int) -> None:
    """At every step each seat has the points of its cards, and in the end all."""
    for deal in steps(rules, seed):
        worth = [
            sum(rules.card_points[card] for card in cards_in(taken))
            for taken in deal.taken
        ]

        assert worth == deal.points
    lost = sum(rules.card_points[card] for card in _taken_by_nobody(deal))
    assert deal.is_over
    assert rules.total_points == sum(deal.points) + lost


@under_all_rules
def test_every_trick_has_a_leader_and_a_taker(rules: RuleSet, seed: int) -> None:
    """Winners lead the next trick; what is cancelled goes to a later taker."""
    for deal in steps(rules, seed):
        count = deal.trick_count
        pending = len(deal.carried) // deal.players

        assert count == len(deal.winners) == len(deal.takers)
        assert count + (deal.turn >= 0) == len(deal.leaders)
        assert count == sum(deal.tricks_won) + pending
        for leader, winner in zip(deal.leaders[1:], deal.winners, strict=False):
            assert leader == winner or winner is None
        assert deal.cancelled_tricks == [
            number for number, seat in enumerate(deal.winners, 1) if seat is None
        ]
        assert rules.cancellation or deal.winners == deal.takers
    assert rules.hand_size == deal.trick_count


@under_all_rules
def test_the_shooter_has_every_penalty_card(rules: RuleSet, seed: int) -> None:
    """The moon is a matter of cards, and nothing else is rewarded as one."""
    game = finished(rules, seed, deals_max=3).game
    for deal, result in zip(game.deals, game.results, strict=False):
        shooters = [
            seat
            for seat, taken in enumerate(deal.taken)
            if taken & rules.penalty_cards == rules.penalty_cards
        ]

        assert ([*shooters, None][0]) == deal.shooter()
        assert result.shooter in (None, deal.shooter())
        assert (result.shooter is None) == (result.moon_choice is None)


@under_all_rules
def test_scores_sum_to_the_deal_or_the_moon(rules: RuleSet, seed: int) -> None:
    """A deal's score is its points, or what the moon makes of them, and the bonus."""
    game = finished(rules, seed, deals_max=3).game
    totals = [0] * rules.players
    for deal, result in zip(game.deals, game.results, strict=False):
        least, most = _possible_sums(deal, result, totals)

        assert least <= sum(result.points) <= most
        added = [a + b for a, b in zip(totals, result.points, strict=True)]
        for total, told in zip(added, result.totals, strict=True):
            assert told == total or total == rules.target
        totals = [*result.totals]


def _possible_sums(
    deal: Deal, result: DealResult, totals: list[int]
) -> tuple[int, int]:
    """Return between what a deal's scores may sum; equal where no floor is near."""
    rules, seat = deal.rules, result.shooter
    values = [
        rules.bonus_value * (taken & rules.bonus_cards).bit_count()
        for taken in deal.taken
    ]
    folds = "fold" in rules.moon_bonus or rules.moon_needs_bonus == "for_full_value"
    if seat is None:
        most = sum(deal.points)
    else:
        value = rules.sun_points if result.is_sun else rules.moon_points
        if folds:
            value -= values[seat]
        if folds or rules.moon_bonus == "drop":
            values[seat] = 0
        most = value * (rules.players - 1)
        if result.moon_choice == MoonChoice.SUBTRACT:
            has_floor = rules.moon_floor == "zero"
            most = -max(0, min(value, totals[seat])) if has_floor else -value
    least = most + sum(values)
    return least, least if rules.bonus_floor == "none" else most


# Whole games


def told(game: Game) -> list[object]:
    """Return all that a game has come to."""
    places = game.places() if game.phase == Phase.OVER else None
    facts = [game.phase, game.totals, game.results, game.ending, places, game.shot]
    return [*facts, *map(position, game.deals)]


@under_all_rules
def test_equal_games_are_equal(rules: RuleSet, seed: int) -> None:
    """The same hands and the same answers give the same game."""
    play = finished(rules, seed)

    assert told(play.game) == told(played_again(play))


@under_all_rules
def test_a_turned_table_gives_a_turned_game(rules: RuleSet, seed: int) -> None:
    """Turn all seats, give the same answers: everything is turned as far."""
    play = finished(rules, seed)
    turn, players = 1 + seed % (rules.players - 1), rules.players
    one, other = play.game, played_again(play, turn=turn)

    assert turned(one.totals, turn) == other.totals
    for result, then in zip(one.results, other.results, strict=True):
        assert turned(result.points, turn) == [*then.points]
        assert (result.moon_choice, result.is_sun) == (then.moon_choice, then.is_sun)
    for deal, after in zip(one.deals, other.deals, strict=True):
        assert deal.plays == after.plays
        assert [(seat + turn) % players for seat in deal.leaders] == after.leaders
        for name in ("hands", "passed", "received", "points", "taken", "tricks_won"):
            assert turned(getattr(deal, name), turn) == getattr(after, name)
    assert (one.phase, one.ending) == (other.phase, other.ending)
    if one.phase == Phase.OVER:
        assert turned(one.places(), turn) == [*other.places()]


@under_all_rules
def test_a_copy_is_independent(rules: RuleSet, seed: int) -> None:
    """A copy stays as it was, and goes on like the deal itself."""
    at = seed % (rules.pack.bit_count() + rules.players)
    play = RandomGame(rules, seed)
    for number, _ in enumerate(play.steps(deals_max=1)):
        if number == at:
            break
    deal, first = play.game.deals[0], len(play.moves)
    before = position(deal)
    other = deal.copy()
    for _ in play.steps(deals_max=1):
        pass
    assert before == position(other)
    for seat, answer in play.moves[first:]:
        if other.is_passing:
            other.pass_cards(seat, answer)
        elif not other.is_over:
            other.play(answer)
    assert position(deal) == position(other)


# Views


@under_all_rules
def test_a_view_shows_what_is_asked(rules: RuleSet, seed: int) -> None:
    """Who is to act can choose, and the substitution does; nobody else is asked."""
    for game in RandomGame(rules, seed).steps():
        deal = game.deal
        for seat in range(rules.players):
            view = view_of(game, seat)
            is_asked = seat in (deal.turn, game.moon_seat) or (
                deal.is_passing and not deal.passed[seat]
            )

            assert is_asked == bool(view.answer_count)
            assert is_asked == bool(view.choices or view.moon_choices)
            assert view.hand == deal.hands[seat]
            if is_asked:
                assert is_answer(view, substitute(view))


def is_answer(view: View, answer: object) -> bool:
    """Tell whether an answer is one of those that are asked for."""
    if isinstance(answer, MoonChoice):
        return view.moon_points > 0 and answer in view.moon_choices
    assert isinstance(answer, list)
    chosen = card_set(answer)
    return (
        len(answer) == view.answer_count
        and sorted(answer) == answer
        and both(without(view.choices, chosen), chosen) == view.choices
    )


@under_all_rules
def test_a_view_shows_what_is_public(rules: RuleSet, seed: int) -> None:
    """All seats see the same of the table, and the kitty when it has been taken."""
    for game in RandomGame(rules, seed).steps():
        deal = game.deal
        views = [view_of(game, seat) for seat in range(rules.players)]
        for view in views:
            assert (deal.plays, deal.leaders) == (view.plays, view.leaders)
            assert (deal.points, game.totals) == (view.points, view.totals)
            assert deal.cancelled_tricks == [*view.cancelled_tricks]
            assert deal.forced_plays == [*view.forced_plays]
            assert view.kitty == (0 if deal.kitty_taker is None else deal.kitty)
        asked = [view.moon_points for view in views if view.moon_points]
        assert asked == ([game.shot.value] if game.shot else [])
