"""The table: answers in, questions and faults out."""

import random

from hypothesis import given
from hypothesis import strategies as st

from arena.cards import cards_in
from arena.chronicle import record_of
from arena.game import Phase
from arena.rules import RuleSet, preset
from arena.spec import GameSpec, SeatSpec
from arena.substitution import substitute
from arena.table import Reason, Table
from arena.verify import verify

NAMES = ("ada", "bob", "cat", "dot")


def started(
    seed: int, *, rules: RuleSet | None = None, faults_max: int = 3, **options: object
) -> Table:
    """Return a table whose first questions are asked."""
    spec = GameSpec(
        game_id="g-1",
        rules=rules or preset("arena"),
        seats=tuple(map(SeatSpec, NAMES)),
        sequence_seed=seed.to_bytes(32, "big"),
        faults_max=faults_max,
        **options,  # type: ignore[arg-type]
    )
    table = Table(spec, substitute)
    table.start()
    return table


def answer_at_random(table: Table, seat: int, rng: random.Random) -> None:
    """Give a legal answer for a seat."""
    view = table.view(seat)
    if view.kind == Phase.MOON:
        choice = rng.choice(view.moon_choices)
        assert table.answer(seat, [], int(choice)) is None
        return
    cards = rng.sample(cards_in(view.choices), view.answer_count)
    assert table.answer(seat, cards) is None


def play_out(table: Table, rng: random.Random) -> None:
    """Answer at random until the game is over."""
    while not table.is_over:
        while table.is_unfinished:
            table.go_on()
        if table.wanted:
            answer_at_random(table, rng.choice(sorted(table.wanted)), rng)


def test_all_four_are_asked_to_pass_at_once() -> None:
    """The pass is simultaneous, and play begins when the last one is in."""
    table = started(1)

    assert [0, 1, 2, 3] == table.take_asked()
    for seat in (2, 0, 3):
        table.answer(seat, cards_in(table.view(seat).hand)[:3])
    assert [] == table.take_asked()
    table.answer(1, cards_in(table.view(1).hand)[:3])
    assert [table.game.deal.turn] == table.take_asked()


def test_an_illegal_card_is_substituted_by_the_lowest_legal_one() -> None:
    """The game goes on at once; the fault has its place and what was offered."""
    table = started(2)
    for seat in range(4):
        table.answer(seat, cards_in(table.view(seat).hand)[:3])
    seat = table.game.deal.turn
    refusal = table.answer(seat, [52 if seat != 9 else 51])

    assert refusal is not None
    assert Reason.ILLEGAL == refusal.reason
    assert (1,) == refusal.substituted
    assert "expected 1 of 2C" in refusal.message
    (fault,) = table.faults
    assert (1, 1, seat, "AS") == (fault.deal, fault.trick, fault.seat, fault.offered)
    assert [1] == table.game.deal.plays


def test_wrong_counts_and_unknown_cards_are_told_apart() -> None:
    """Each kind of wrong answer has its reason."""
    reasons = []
    for cards in ([1, 1, 2], [1, 2], [0, 1, 2], [-5, 60, 7], []):
        refusal = started(3).answer(0, cards)
        assert refusal is not None
        reasons.append(refusal.reason)

    assert [
        Reason.WRONG_COUNT,
        Reason.WRONG_COUNT,
        Reason.UNKNOWN_CARD,
        Reason.UNKNOWN_CARD,
        Reason.WRONG_COUNT,
    ] == reasons


def test_a_pass_tells_nobody_before_all_have_passed() -> None:
    """A view in the middle of the pass shows no received card."""
    table = started(4)
    table.answer(0, cards_in(table.view(0).hand)[:3])

    assert 0 == table.view(1).received
    assert 13 == table.view(1).hand.bit_count()


def test_the_third_fault_gives_the_seat_up() -> None:
    """From then on the stand-in answers, and the seat is placed last."""
    table = started(5)
    rng = random.Random(5)
    while not table.is_over:
        while table.is_unfinished:
            table.go_on()
        for seat in sorted(table.wanted):
            if seat == 2:
                table.miss(seat, "late")
            elif seat in table.wanted:
                answer_at_random(table, seat, rng)
    record = record_of(table, started="", ended="")

    assert 3 == len(table.faults)
    assert "faults" == table.given_up[2].cause
    assert 4 == table.game.places()[2]
    verify(record, substitute)


def test_a_table_of_nobody_ends_deal_by_deal() -> None:
    """Four given-up seats play on without holding the caller up for long."""
    table = started(6, given_up=frozenset(range(4)))
    steps = 0
    while not table.is_over:
        assert table.is_unfinished
        table.go_on()
        steps += 1

    assert steps >= 3
    assert (1, 1, 1, 1) == table.game.places()
    verify(record_of(table, started="", ended=""), substitute)


def test_no_fault_gives_up_when_the_limit_is_off() -> None:
    """With `faults_max` 0 a seat may be wrong for ever."""
    table = started(7, faults_max=0)
    rng = random.Random(7)
    while not table.is_over:
        for seat in sorted(table.wanted):
            if seat == 0:
                table.miss(seat, "late")
            elif seat in table.wanted:
                answer_at_random(table, seat, rng)

    assert {} == table.given_up
    assert len(table.faults) > 20


@given(st.integers(0, 10**6), st.booleans(), st.data())
def test_any_mix_of_answers_makes_a_true_record(
    number: int, has_choice: bool, data: st.DataObject
) -> None:
    """Whatever seats answer, miss or leave, the record of the game verifies."""
    rng = random.Random(number)
    rules = preset("arena", moon="choice") if has_choice else preset("arena")
    table = started(number, rules=rules)
    wrong = data.draw(st.sampled_from([0.0, 0.003, 0.05]))
    while not table.is_over:
        if table.is_unfinished:
            table.go_on()
            continue
        seat = rng.choice(sorted(table.wanted))
        chance = rng.random()
        if chance < wrong / 2:
            table.miss(seat, rng.choice(["late", "away"]))
        elif chance < wrong:
            table.answer(seat, rng.choice([[], [53], [1, 1], [7]]), 0, note="hm")
        elif chance < wrong * 1.02:
            table.give_up(rng.randrange(4), "left")
        else:
            answer_at_random(table, seat, rng)

    verify(record_of(table, started="", ended=""), substitute)
