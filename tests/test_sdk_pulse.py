"""The pulse of a bot's process: what is missing between two looks at the clock."""

from hypothesis import given
from hypothesis import strategies as st

from hearts.arena.v1 import play_pb2
from hearts.profile import Profile
from hearts.pulse import GAP_SECONDS, TICK_SECONDS, Pulse
from hearts.session import Session
from tests.sdk_frames import begun, game_ended, play_turn, turns
from tests.sdk_peer import Lowest, Peer


class Process:
    """A process whose clocks are set by hand."""

    def __init__(self) -> None:
        self.now = 100.0
        self.computed = 5.0
        self.pulse = Pulse(lambda: self.now, cpu=lambda: self.computed)

    def run(self, seconds: float) -> None:
        """Go on for a while, with all looks in time."""
        until = self.now + seconds
        while (after := self.now + TICK_SECONDS) <= until:
            self.now = after
            self.pulse.tick()
        self.now = until


def test_a_process_that_runs_never_stood_still() -> None:
    """Looks that come in time tell of no pause."""
    process = Process()
    process.pulse.wake()
    process.run(10.0)

    assert 0 == process.pulse.take_ms()


@given(st.floats(0.0, 1.0), st.floats(0.5, 1e6), st.booleans())
def test_a_pause_is_measured_to_a_tick(
    before: float, seconds: float, sees_itself: bool
) -> None:
    """Whoever looks first after a pause tells it, and nobody tells it again."""
    process = Process()
    process.pulse.wake()
    process.run(before)
    process.now += seconds
    if sees_itself:
        process.pulse.tick()
    told = process.pulse.take_ms() / 1000
    process.run(5.0)

    assert seconds - TICK_SECONDS - 0.002 <= told <= seconds + 0.001
    assert 0 == process.pulse.take_ms()


def test_computing_is_no_pause() -> None:
    """Code that keeps the interpreter to itself keeps looks away, and works."""
    process = Process()
    process.pulse.wake()
    process.now += 3.0
    process.computed += 2.9
    process.pulse.tick()

    assert 0 == process.pulse.take_ms()


def test_a_busy_machine_is_no_pause() -> None:
    """A look may be a little late."""
    process = Process()
    process.pulse.wake()
    process.now += TICK_SECONDS + 0.9 * GAP_SECONDS
    process.pulse.tick()

    assert 0 == process.pulse.take_ms()


def test_nothing_is_measured_without_games() -> None:
    """Between two games nobody looks, and nothing is missing."""
    process = Process()
    process.pulse.wake()
    process.pulse.rest()
    process.now += 60.0
    process.pulse.wake()

    assert 0 == process.pulse.take_ms()


def test_an_answer_tells_how_long_the_process_stood_still() -> None:
    """The first answer after a pause has it, and the next one does not."""
    process = Process()
    peer = Peer()
    peer.session = Session(
        Lowest,
        Profile(),
        clock=lambda: process.now,
        report=print,
        pulse=process.pulse,
    )
    peer.session.hello()
    [first] = peer.tell(begun(play_turn(1)))
    process.now += 3.2
    [second] = peer.tell(turns(play_turn(2)))
    [third] = peer.tell(turns(play_turn(3)))
    peer.tell(play_pb2.PlayResponse(notices=[game_ended()]))
    process.now += 60.0

    assert [0, 3_000, 0] == [
        request.answers[0].paused_ms for request in (first, second, third)
    ]
    assert float("inf") == process.pulse.due
