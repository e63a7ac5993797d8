"""The table under other rules: equal cards, moons, suns and what is said of them."""

import random
from collections.abc import Callable, Sequence

import pytest

from arena.cards import (
    SUIT_SETS,
    CardSet,
    card_name,
    card_set,
    cards_in,
    parse_cards,
)
from arena.chronicle import record_of
from arena.game import Game, MoonChoice, Phase
from arena.rules import RuleSet, preset
from arena.spec import GameSpec, SeatSpec
from arena.substitution import substitute
from arena.table import Reason, Refusal, Table
from arena.verify import replay, verify
from tests.differential import wild_rules

DOUBLE = preset("cancellation", players=6)


def started(
    rules: RuleSet, deals: Callable[[int, int], Sequence[CardSet]], *, dealer: int = 0
) -> Table:
    """Return a table with given hands whose first questions are asked."""
    spec = GameSpec(
        game_id="g-1",
        rules=rules,
        seats=tuple(SeatSpec(f"bot-{seat}") for seat in range(rules.players)),
        sequence_seed=bytes(32),
        faults_max=0,
    )
    game = Game(rules, deals, first_dealer=dealer)
    table = Table(spec, substitute, game=game)
    table.start()
    return table


def double_table() -> Table:
    """Return a table with two packs at which seat 0 holds 9C, TC and AS twice."""
    pairs = [*parse_cards("9C TC AS 9C TC AS")]
    rest = cards_in(DOUBLE.pack)
    for card in pairs:
        rest.remove(card)
    random.Random(1).shuffle(rest)
    size = DOUBLE.hand_size
    hands = [pairs + rest[: size - 6]]
    hands += [rest[i : i + size] for i in range(size - 6, len(rest), size)]
    return started(DOUBLE, lambda index, dealer: [card_set(hand) for hand in hands])


def once_only(table: Table, seat: int, count: int) -> list[int]:
    """Return cards that a seat holds only once."""
    hand = cards_in(table.view(seat).hand)
    return [card for card in hand if hand.count(card) == 1][:count]


def refused(refusal: Refusal | None) -> tuple[Reason, str]:
    """Return why an answer was refused, and the first words that say so."""
    assert refusal is not None
    return refusal.reason, refusal.message.partition(";")[0]


def test_equal_cards_are_passed_by_their_face() -> None:
    """A card that is held twice may be named twice, and both copies leave."""
    table = double_table()
    nine = parse_cards("9C")[0]
    third = once_only(table, 0, 1)

    assert 2 == cards_in(table.view(0).choices).count(nine)
    assert table.answer(0, [nine, *third, nine]) is None
    for seat in range(1, 6):
        table.answer(seat, once_only(table, seat, 3))
    view = table.view(0)
    receiver = table.view(1)

    assert card_set([nine, nine, *third]) == view.passed == receiver.received
    assert [] == table.faults
    assert nine not in cards_in(view.hand)
    assert 2 == cards_in(receiver.hand).count(nine)


def test_a_card_may_not_be_passed_more_often_than_it_is_held() -> None:
    """Once too often is the wrong count, and the fault says which card it was."""
    nine = parse_cards("9C")[0]
    single = once_only(double_table(), 0, 1)[0]
    cases = [
        ([nine, nine, nine], "9C was named too often"),
        ([single, single, nine], f"{card_name(single)} was named too often"),
        ([nine, nine], "2 cards were named"),
    ]
    for cards, words in cases:
        table = double_table()

        assert (Reason.WRONG_COUNT, words) == refused(table.answer(0, cards))
        # The two aces of spades are the highest cards.
        assert parse_cards("AS AS") == cards_in(table.game.deal.passed[0])[-2:]


def test_a_card_that_is_not_held_may_not_be_passed() -> None:
    """A pass with a foreign card is illegal, and the fault names that card."""
    table = double_table()
    hand = cards_in(table.view(1).hand)
    foreign = next(card for card in range(1, 53) if card not in hand)
    words = f"{card_name(foreign)} is not among the choices"

    assert (Reason.ILLEGAL, words) == refused(
        table.answer(1, [*once_only(table, 1, 2), foreign])
    )


def test_equal_cards_are_played_one_at_a_time() -> None:
    """The choices show a card once, and whichever copy goes, one stays."""
    table = double_table()
    for seat in range(6):
        table.answer(seat, once_only(table, seat, 3))
    while table.wanted != {0}:
        (seat,) = table.wanted
        table.answer(seat, cards_in(table.view(seat).choices)[:1])
    nine = parse_cards("9C")[0]
    view = table.view(0)
    hand = cards_in(view.hand)

    assert (2, 1) == (hand.count(nine), cards_in(view.choices).count(nine))
    assert Reason.WRONG_COUNT == refused(_copy_of(table).answer(0, [nine, nine]))[0]
    assert table.answer(0, [nine]) is None
    hand.remove(nine)
    assert hand == cards_in(table.view(0).hand)


def _copy_of(table: Table) -> Table:
    """Return another table in the same position, to try a wrong answer at."""
    other = double_table()
    for seat, cards in enumerate(table.game.deal.passed):
        other.answer(seat, cards_in(cards))
    for card in table.game.deal.plays:
        (seat,) = other.wanted
        other.answer(seat, [card])
    return other


# Moon and sun


def clubs_at(seats: Sequence[int]) -> Callable[[int, int], Sequence[CardSet]]:
    """Deal whole suits; in each deal one seat has the clubs and wins every trick."""

    def deals(index: int, dealer: int) -> Sequence[CardSet]:
        first = seats[min(index, len(seats) - 1)]
        return [SUIT_SETS[(seat - first) % 4] for seat in range(4)]

    return deals


def play_deal(table: Table) -> None:
    """Play until the shooter is to choose."""
    while not table.is_choosing:
        (seat,) = table.wanted
        table.answer(seat, cards_in(table.view(seat).choices)[:1])


@pytest.mark.parametrize(
    ("sun", "kind", "value"), [("off", "moon", 26), ("choice", "sun", 52)]
)
def test_the_shooter_chooses(sun: str, kind: str, value: int) -> None:
    """Only the shooter is asked, with what it is worth; any other answer is a fault."""
    rules = preset("arena", moon="choice", sun=sun, pass_count=0)
    for choice, points in (
        (MoonChoice.ADD, (value, value, 0, value)),
        (MoonChoice.SUBTRACT, (0, 0, -value, 0)),
    ):
        table = started(rules, clubs_at([2]))
        play_deal(table)
        view = table.view(2)

        assert ({2}, Phase[kind.upper()]) == (table.wanted, view.kind)
        assert (0, 1, value) == (view.choices, view.answer_count, view.moon_points)
        assert () == table.view(1).moon_choices
        assert 0 == table.view(1).moon_points
        assert table.answer(2, [], int(choice)) is None
        assert points == table.game.results[0].points
    for wrong in (0, 3, -1):
        table = started(rules, clubs_at([2]))
        play_deal(table)
        refusal = table.answer(2, [5], wrong)

        assert refusal is not None
        assert f"no way to score the {kind} was named" in refusal.message
        assert "add was taken instead" in refusal.message
        assert (14, "illegal") == (table.faults[0].trick, table.faults[0].kind)
        assert (value, value, 0, value) == table.game.results[0].points


def test_the_best_choice_is_the_default_where_the_rules_say_so() -> None:
    """It subtracts when adding would leave somebody below the shooter."""
    rules = preset("arena", moon="choice", moon_default="best", pass_count=0)
    table = started(rules, clubs_at([1, 1, 0]))
    taken = []
    for _ in range(3):
        play_deal(table)
        taken.append(table.miss(table.game.moon_seat, "late"))

    assert [MoonChoice.ADD, MoonChoice.ADD, MoonChoice.SUBTRACT] == taken
    assert (26, 0, 52, 52) == table.game.results[-1].totals


def test_the_plain_default_is_what_it_says() -> None:
    """Who says nothing subtracts under `moon_default = "subtract"`."""
    rules = preset("arena", moon="choice", moon_default="subtract", pass_count=0)
    table = started(rules, clubs_at([3]))
    play_deal(table)

    assert MoonChoice.SUBTRACT is table.miss(3, "late")


# Any rules


@pytest.mark.parametrize("seed", range(40))
def test_any_mix_of_answers_makes_a_record_that_replays(seed: int) -> None:
    """Faults, leaving seats and unfinished games fit any rules."""
    rng = random.Random(seed)
    rules = wild_rules(rng)
    spec = GameSpec(
        game_id="g-1",
        rules=rules,
        seats=tuple(SeatSpec(f"bot-{seat}") for seat in range(rules.players)),
        sequence_seed=rng.randbytes(32),
    )
    table = Table(spec, substitute)
    table.start()
    for _ in range(rng.randrange(600)):
        if table.is_unfinished:
            table.go_on()
        if not table.wanted:
            break
        seat = rng.choice(sorted(table.wanted))
        view, luck = table.view(seat), rng.random()
        if luck < 0.01:
            table.miss(seat, "late")
        elif luck < 0.02:
            cards = [rng.randint(-1, 60) for _ in range(rng.randint(0, 5))]
            table.answer(seat, cards, rng.randint(-1, 4))
        elif luck < 0.025:
            table.give_up(rng.randrange(rules.players), "left")
        else:
            count = view.answer_count if view.choices else 0
            cards = rng.sample(cards_in(view.choices), count)
            table.answer(seat, cards, rng.choice([0, *view.moon_choices]))
    record = record_of(table, started="", ended="")

    verify(record, substitute)
    assert replay(record).results == table.game.results
