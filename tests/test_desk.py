"""The desk rule: only turns in work are on the clock."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.clock import Clock
from arena.desk import Desk, OpenTurn
from arena.spec import TimeControl

CONTROL = TimeControl(bank_ms=30_000, increment_ms=0, turn_limit_ms=5_000)


def desk_with(
    count: int, *, workers: int = 1
) -> tuple[Desk[None], list[OpenTurn[None]]]:
    """Return a desk with turns handed over at time 0."""
    desk: Desk[None] = Desk(workers=workers, max_games=64)
    desk.spare = 64
    turns = [
        OpenTurn(number + 1, None, Clock(CONTROL), asked=0.0) for number in range(count)
    ]
    desk.queue.extend(turns)
    desk.hand_over(desk.take(0.0), 0.0)
    return desk, turns


def answer(desk: Desk[None], turns: list[OpenTurn[None]], now: float) -> list[int]:
    """Answer turns in one frame; return what they are charged, in milliseconds."""
    timings = desk.answered(turns, [0] * len(turns), now)
    return [timing.charged_ms for timing in timings]


def test_the_second_turn_starts_when_the_first_is_answered() -> None:
    """A waiting turn costs nothing until its place is free."""
    desk, (first, second) = desk_with(2)

    assert [1000] == answer(desk, [first], 1.0)
    assert [500] == answer(desk, [second], 1.5)


def test_answers_of_one_frame_share_the_time() -> None:
    """One worker that answers k turns at once is charged the time once."""
    desk, turns = desk_with(4)

    assert [250, 250, 250, 250] == answer(desk, turns, 1.0)


def test_an_answer_to_a_waiting_turn_is_free() -> None:
    """The oldest turn's clock goes on, and it pays for both."""
    desk, (first, second) = desk_with(2)

    assert [0] == answer(desk, [second], 1.0)
    assert [3000] == answer(desk, [first], 3.0)


def test_workers_are_charged_side_by_side() -> None:
    """Two workers have two turns on the clock, each with its own time."""
    desk, (first, second, third) = desk_with(3, workers=2)

    assert [1000] == answer(desk, [second], 1.0)
    assert [1500] == answer(desk, [first], 1.5)
    assert [1000] == answer(desk, [third], 2.0)


def test_a_late_turn_stalls_the_desk() -> None:
    """After a late turn nothing is handed over until the bot speaks."""
    desk, (first, second) = desk_with(2)
    late = desk.late(5.0)
    desk.stall(late[0], 5.0)
    desk.queue.append(OpenTurn(9, None, Clock(CONTROL), asked=5.0))

    assert [first] == late
    assert [] == desk.take(6.0)
    assert float("inf") == desk.deadline()
    desk.end_stall(7.0)
    assert [500] == answer(desk, [second], 7.5)


def test_network_time_is_refunded_only_at_hand_over() -> None:
    """The clock that the hand-over started is forgiven the round trip."""
    desk, _ = desk_with(0)
    desk.round_trip = 0.02
    turns = [OpenTurn(n, None, Clock(CONTROL), asked=0.0) for n in (1, 2)]
    desk.queue.extend(turns)
    desk.hand_over(desk.take(0.0), 0.0)
    (first,) = desk.answered(turns[:1], [0], 0.1)
    (second,) = desk.answered(turns[1:], [0], 0.2)

    assert (80, 20) == (first.charged_ms, first.refunded_ms)
    assert (100, 0) == (second.charged_ms, second.refunded_ms)


def test_a_client_that_does_not_read_is_on_the_clock_after_a_second() -> None:
    """A frame that the transport never took is handed over, all but the free time."""
    desk: Desk[None] = Desk(workers=1, max_games=4)
    turn = OpenTurn(1, None, Clock(CONTROL), asked=0.0)
    desk.queue.append(turn)
    desk.take(0.0)

    assert 1.0 == desk.deadline()
    desk.hand_over(desk.unread(1.0), 1.0)
    assert 5.05 == pytest.approx(desk.deadline())


def test_reading_slowly_is_thinking() -> None:
    """A client that lets a frame's last byte wait is on the clock after 50 ms."""
    desk: Desk[None] = Desk(workers=1, max_games=4)
    turn = OpenTurn(1, None, Clock(CONTROL), asked=0.0)
    desk.queue.append(turn)
    desk.hand_over(desk.take(0.0), 0.8)

    answer(desk, [turn], 0.85)
    assert 0.8 == pytest.approx(turn.clock.last_charged)


def test_a_slow_frame_is_charged_from_the_answer_before_it() -> None:
    """What was taken while another turn was in work begins once that is answered."""
    desk, (first,) = desk_with(1)
    second = OpenTurn(2, None, Clock(CONTROL), asked=0.0)
    desk.queue.append(second)
    taken = desk.take(0.1)
    desk.answered([first], [0], 0.5)
    desk.hand_over(taken, 0.6)

    assert [250] == answer(desk, [second], 0.75)


def test_the_arena_s_own_lag_is_no_slow_frame() -> None:
    """Lag while a frame is on its way moves the time from which it counts."""
    desk: Desk[None] = Desk(workers=1, max_games=4)
    turn = OpenTurn(1, None, Clock(CONTROL), asked=0.0)
    desk.queue.append(turn)
    taken = desk.take(0.0)
    desk.hand_back(0.7)
    desk.hand_over(taken, 0.72)

    assert [0] == answer(desk, [turn], 0.72)


def test_lost_time_is_handed_back() -> None:
    """Deadlines move by the arena's own lag, and nobody pays for it."""
    desk, (turn,) = desk_with(1)
    desk.hand_back(2.0)

    assert 7.0 == pytest.approx(desk.deadline())
    assert [1000] == answer(desk, [turn], 3.0)


def test_a_fast_bot_gets_fuller_frames() -> None:
    """The spare room doubles with each quick answer and stays low for slow ones."""
    quick: Desk[None] = Desk(workers=1, max_games=64)
    slow: Desk[None] = Desk(workers=1, max_games=64)
    for desk, seconds in ((quick, 0.0001), (slow, 1.0)):
        now = 0.0
        for number in range(60):
            turn = OpenTurn(number, None, Clock(CONTROL), asked=now)
            desk.queue.append(turn)
            desk.hand_over(desk.take(now), now)
            now += seconds
            desk.answered([turn], [0], now)

    assert 63 == quick.spare
    assert 1 == slow.spare


@given(
    workers=st.integers(1, 3),
    steps=st.lists(
        st.tuples(st.floats(0.001, 0.5), st.integers(0, 5), st.integers(1, 3)),
        min_size=1,
        max_size=30,
    ),
)
def test_charges_never_exceed_the_time_on_the_desk(
    workers: int, steps: list[tuple[float, int, int]]
) -> None:
    """All charges together are at most workers times the time with an open turn."""
    desk, _ = desk_with(0, workers=workers)
    control = TimeControl(bank_ms=3_600_000, increment_ms=0, turn_limit_ms=3_600_000)
    now = charged = busy = 0.0
    for number, (seconds, place, count) in enumerate(steps):
        for _ in range(2):
            turn = OpenTurn(number, None, Clock(control), asked=now)
            desk.queue.append(turn)
        desk.hand_over(desk.take(now), now)
        if desk.turns:
            busy += seconds
        now += seconds
        chosen = desk.turns[place : place + count]
        if chosen:
            desk.answered(chosen, [0] * len(chosen), now)
            charged += sum(turn.clock.last_charged for turn in chosen)

    assert charged <= workers * busy + 1e-6


def test_time_away_is_drawn_from_the_bank_first() -> None:
    """A lost connection costs thinking time, then the away budget."""
    clock = Clock(TimeControl(bank_ms=2_000, away_ms=5_000))

    assert 7.0 == clock.time_away()
    clock.draw_away(3.0)
    assert (0.0, 4.0) == (clock.bank, clock.away)


def test_without_a_limit_no_clock_runs() -> None:
    """A turn limit of 0 waits for ever, as a debugger needs it."""
    clock = Clock(TimeControl(turn_limit_ms=0))

    assert float("inf") == clock.limit()
    assert float("inf") == clock.time_away()


Step = tuple[str, float]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["wait", "hand_back", "answer", "lose"]),
        st.floats(0.0, 3.0, allow_nan=False),
    ),
    max_size=12,
)


@given(STEPS, st.floats(0.0, 0.2))
@example([("wait", 1.0), ("lose", 0.0), ("hand_back", 2.0)], 0.0)
def test_all_time_in_work_is_accounted_for(steps: list[Step], trip: float) -> None:
    """Charged, refunded and handed back add up to the time in work, never to more."""
    desk, (turn,) = desk_with(1)
    desk.round_trip = trip
    now = in_work = 0.0
    timing = None
    for kind, seconds in [*steps, ("wait", 1.0), ("answer", 0.0)]:
        if kind == "wait":
            now += seconds
            in_work += seconds
        elif kind == "hand_back":
            desk.hand_back(seconds)
        elif kind == "lose":
            desk.put_back(now)
            now += seconds
            desk.hand_over(desk.take(now), now)
        elif timing is None:
            (timing,) = desk.answered([turn], [0], now)
            break
    assert timing is not None
    parts = (timing.charged_ms, timing.refunded_ms, timing.returned_ms)

    assert int(in_work * 1000) == pytest.approx(sum(parts), abs=3)
    assert min(parts) >= 0
    assert 0 == timing.waited_ms


def test_what_is_handed_back_is_told() -> None:
    """A late turn's timing says what the arena lost of it; waiting does not count."""
    desk, (first, second) = desk_with(2)
    desk.hand_back(2.0)
    (told,) = desk.answered([first], [0], 3.0)
    desk.hand_back(4.0)
    late = desk.stall(second, 12.0)

    assert (1_000, 2_000) == (told.charged_ms, told.returned_ms)
    assert (5_000, 4_000) == (late.charged_ms, late.returned_ms)
    assert 3_000 == late.waited_ms
