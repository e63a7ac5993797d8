"""Bots that stop reading: whatever lies in their way, their turns have a clock."""

import pytest

from arena.desk import HAND_OVER_MAX
from arena.host import Host
from arena.introduction import Introduction
from arena.rules import preset
from arena.session import Frame, Session
from arena.spec import GameSpec, SeatSpec, TimeControl
from arena.substitution import substitute
from hearts.arena.v1 import play_pb2
from tests.simulation.simulator import Behaviour, SimulatedBot, Simulator

NAMES = ("ada", "bob", "cat", "dot")
CONTROL = TimeControl(bank_ms=30_000, increment_ms=100, turn_limit_ms=2_000)
LIMIT = 2.0


@pytest.mark.parametrize("strays", [0, 1, 50])
@pytest.mark.parametrize("games", [1, 16])
def test_a_bot_that_goes_deaf_for_ever_holds_up_nothing(
    strays: int, games: int
) -> None:
    """Games end with its faults alone, whether its last frame has turns or refusals."""
    simulator = Simulator(5)
    behaviour = Behaviour(deaf_at=1000.5, deaf_seconds=float("inf"), back_after=-1)
    ada = simulator.add_bot("ada", behaviour)
    for name in NAMES[1:]:
        simulator.add_bot(name)
    for number in range(games):
        simulator.play(f"g-{number}", list(NAMES), time_control=CONTROL)
    simulator.after(0.5, lambda: _stray(simulator, ada, strays))
    simulator.run(until=1400.0)
    faulty = {bot for bot, _ in simulator.faults()}

    assert [] == simulator.failures
    assert games == len(simulator.finished)
    assert ["finished"] * games == [t.game.ending for t in simulator.finished]
    assert {"ada"} == faulty


def test_turns_behind_a_frame_without_turns_have_a_clock() -> None:
    """A turn that can't go for a refusal that nobody reads is late in its time."""
    host, ada = _host()
    _block(host, ada)
    began = 1.0
    while (when := host.next_deadline()) < 100 and not ada.late_games:
        host.expire(now=when)
        began = when

    assert ("g-1",) == ada.late_games
    assert LIMIT < began - 1.0 < LIMIT + 2 * HAND_OVER_MAX


def test_turns_that_waited_behind_a_frame_go_with_the_next_one() -> None:
    """Once it is read, the turn whose clock has run comes, and is charged for it."""
    host, ada = _host()
    blocked = _block(host, ada)
    host.expire(now=1.0 + HAND_OVER_MAX)
    host.expire(now=1.0 + 2 * HAND_OVER_MAX)
    now = 1.0 + 2 * HAND_OVER_MAX + 0.5
    host.sent(ada, ada.stream, blocked, now=now)
    frame = host.take(ada, now=now)
    assert frame is not None
    (turn,) = frame.turns
    host.sent(ada, ada.stream, frame, now=now)
    _answer(host, ada, now=now)
    (timing,) = turn.owner.table.timings[-1] or turn.owner.table._pass_timings.values()

    assert 1450 <= timing.charged_ms <= 1500
    assert not turn.owner.table.faults


def test_a_turn_that_waited_behind_a_frame_in_vain_is_not_sent_late() -> None:
    """When its time is up before the frame is read, only its closing comes."""
    host, ada = _host()
    blocked = _block(host, ada)
    while (when := host.next_deadline()) < 100 and not ada.late_games:
        host.expire(now=when)
    host.sent(ada, ada.stream, blocked, now=6.0)
    frame = host.take(ada, now=6.0)
    assert frame is not None

    assert ([], 1) == (list(frame.turns), len(frame.closings))


def _host() -> tuple[Host, Session]:
    """Seat four bots, to which nothing has been sent of their game yet."""
    host = Host({"careful-1": substitute})
    sessions = [host.connect(Introduction(name), now=0.0) for name in NAMES]
    for session in sessions:
        frame = host.take(session, now=0.0)
        assert frame is not None
        host.sent(session, session.stream, frame, now=0.0)
        host.heard(session, frame.heartbeat, now=0.0)
    return host, sessions[0]


def _block(host: Host, ada: Session) -> Frame:
    """Let a bot leave a refusal unread, and be asked meanwhile."""
    host.receive(ada, [play_pb2.Answer(turn_id=99)], now=1.0)
    blocked = host.take(ada, now=1.0)
    assert blocked is not None
    assert blocked.rejections
    assert not blocked.turns
    seats = tuple(map(SeatSpec, NAMES))
    spec = GameSpec("g-1", preset("arena"), seats, bytes(32), time_control=CONTROL)
    host.start_game(spec, now=1.0)
    return blocked


def _answer(host: Host, session: Session, *, now: float) -> None:
    (turn,) = session.turns.values()
    view = turn.owner.table.view(turn.owner.index)
    answer = play_pb2.Answer(turn_id=turn.id, cards=substitute(view))  # type: ignore[arg-type]
    host.receive(session, [answer], now=now)


def _stray(simulator: Simulator, bot: SimulatedBot, count: int) -> None:
    """Answer a turn that is closed for long, so many times."""
    if count:
        assert bot.session is not None
        answers = [play_pb2.Answer(turn_id=1)] * count
        simulator.host.receive(bot.session, answers, now=simulator.now)
        simulator.flush()
