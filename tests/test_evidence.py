"""What is kept of late turns, from simulated bots on a virtual clock to the record."""

import pytest

from arena.chronicle import record_of
from arena.evidence import Evidence
from arena.missed import Missed
from arena.spec import TimeControl
from arena.verdict import verdicts
from tests.simulation.simulator import Behaviour, Simulator
from tests.test_verdict import LATE

OTHERS = ("bob", "cat", "dot")
CONTROL = TimeControl(bank_ms=30_000, increment_ms=100, turn_limit_ms=300)


def missed(
    behaviour: Behaviour, *, control: TimeControl = CONTROL, loses: bool = False
) -> tuple[list[Missed], list[str]]:
    """Return what is known of the late turns of one bot in a game, and the verdicts.

    Args:
        behaviour: how the bot behaves.
        control: the clocks.
        loses: whether it loses its stream half a second after it has hung.
    """
    simulator = Simulator(1)
    ada = simulator.add_bot("ada", behaviour)
    for name in OTHERS:
        simulator.add_bot(name)
    # The first round trip is measured before there is anything to answer.
    simulator.after(
        1.0, lambda: simulator.play("g-1", ["ada", *OTHERS], time_control=control)
    )
    if loses:
        simulator.after(1.6, lambda: simulator.lose(ada))
    simulator.run(until=simulator.now + 300)
    assert [] == simulator.failures
    (table,) = simulator.finished
    record = record_of(table, started="", ended="")
    told = [verdict.kind for _, verdict in verdicts(record)]
    assert {0} >= {item.seat for item in record.times.missed}
    return list(record.times.missed), told


def test_a_bot_that_thinks_too_long_is_told_so() -> None:
    """Its answer comes after all, over a link that was measured to be short."""
    (late,), told = missed(Behaviour(hang_at=1001.1, hang_seconds=2.0))

    assert ["bot"] == told
    assert ("answered", 0, 300) == (late.end, late.round_trip_ms, late.limit_ms)
    assert 2_000 == pytest.approx(
        late.charged_ms + late.refunded_ms + (late.answered_ms or 0), abs=5
    )
    assert late.echoed_ms == pytest.approx(late.answered_ms, abs=2)


@pytest.mark.parametrize(("claim", "kept"), [(700, 700), (1_520, 1_500), (9_000, 0)])
def test_a_pause_fits_in_between_two_answers(claim: int, kept: int) -> None:
    """A longer one than since the last answer is a word that nothing supports."""
    evidence = Evidence(LATE, now=11.0)
    evidence.answer(think_ms=0, paused_ms=claim, before=10.0, now=11.5)

    assert kept == evidence.missed.paused_ms


def test_a_slow_link_is_told_by_its_round_trip() -> None:
    """With 200 ms each way and a limit of 300 every turn is late, for the link."""
    late, told = missed(Behaviour(latency=0.2))

    assert ["link"] * 3 == told
    assert {"answered"} == {item.end for item in late}
    assert all(400 == pytest.approx(item.round_trip_ms, abs=2) for item in late)
    assert {30} == {item.allowance_ms for item in late}


def test_a_round_trip_counts_though_a_turn_was_late_before_it_ended() -> None:
    """The first heartbeat measures a link that is slower than the first turn."""
    simulator = Simulator(1)
    simulator.add_bot("ada", Behaviour(latency=0.2))
    for name in OTHERS:
        simulator.add_bot(name)
    simulator.play("g-1", ["ada", *OTHERS], time_control=CONTROL)
    simulator.run()
    record = record_of(simulator.finished[0], started="", ended="")
    trips = [item.round_trip_ms for item in record.times.missed]

    assert [None, *[pytest.approx(400, abs=2)] * 2] == trips
    assert ["link"] * 3 == [verdict.kind for _, verdict in verdicts(record)]


def test_a_stopped_process_is_unreachable() -> None:
    """Who reads the turn and its closing at once has been silent all the time."""
    (late,), told = missed(Behaviour(freeze_at=1001.1, freeze_seconds=2.0))

    assert ["unreachable"] == told
    assert ("heard", None) == (late.end, late.answered_ms)
    assert late.silent_ms == late.echoed_ms
    assert 1_650 < late.silent_ms < 2_000


def test_a_lost_connection_is_unreachable() -> None:
    """A stream that breaks while nothing was heard is what is told."""
    (late,), told = missed(
        Behaviour(hang_at=1001.1, hang_seconds=60.0, crashes=True), loses=True
    )

    assert ["unreachable"] == told
    assert ("lost", None) == (late.end, late.echoed_ms)


def test_a_bot_that_is_silent_all_the_time_is_to_blame() -> None:
    """Its connection lives until the arena ends it."""
    late, told = missed(Behaviour(hang_at=1001.1, hang_seconds=1e9, back_after=-1))

    assert ("stalled", 30_000) == (late[0].end, late[0].silent_ms)
    assert ["bot", "unreachable", "unreachable"] == told
    assert {"away"} == {item.end for item in late[1:]}
    assert [1, 1] == [item.losses for item in late[1:]]
    assert late[1].away_ms >= 30_000


def test_a_bot_that_never_answers_and_yet_lives_is_to_blame() -> None:
    """Its echoes come at once, and no answer ever."""
    late, told = missed(Behaviour(silent=1.0, echoes_early=True))

    assert {"bot"} == set(told[:1])
    assert "heard" == late[0].end
    assert late[0].silent_ms < 50


def test_a_game_waits_a_moment_for_the_reason_of_a_late_turn() -> None:
    """With the first fault as the last straw the answer is still taken in."""
    simulator = Simulator(1)
    simulator.add_bot("ada", Behaviour(hang_at=1001.1, hang_seconds=1.2))
    for name in OTHERS:
        simulator.add_bot(name, Behaviour(think_seconds=0.0001))
    simulator.after(
        1.0,
        lambda: simulator.play(
            "g-1", ["ada", *OTHERS], time_control=CONTROL, faults_max=1
        ),
    )
    simulator.run()
    (table,) = simulator.finished
    record = record_of(table, started="", ended="")

    assert ["answered"] == [item.end for item in record.times.missed]
    assert ["bot"] == [verdict.kind for _, verdict in verdicts(record)]
