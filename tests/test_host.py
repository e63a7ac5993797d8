"""The host: sessions, desks, deadlines and faults, without any network."""

from typing import Any

import pytest

from arena.cards import SUIT_SETS, cards_in
from arena.chronicle import record_of
from arena.game import Game
from arena.host import Host
from arena.introduction import Introduction
from arena.news import StatusNews
from arena.record import read_record, write_record
from arena.rules import MoonChoice, preset
from arena.session import Frame, Session
from arena.spec import GameSpec, SeatSpec, TimeControl
from arena.substitution import substitute
from arena.table import Reason
from hearts.arena.v1 import play_pb2
from tests.simulation.simulator import Behaviour, Simulator

OTHERS = ("bob", "cat", "dot")
NAMES = ("ada", *OTHERS)


def crowd(simulator: Simulator, games: int, behaviour: Behaviour) -> None:
    """Seat `ada`, with a behaviour, in many games among quick bots."""
    simulator.add_bot("ada", behaviour)
    for name in OTHERS:
        simulator.add_bot(name, Behaviour(think_seconds=0.0005))
    for number in range(games):
        simulator.play(f"g-{number}", ["ada", *OTHERS])


def test_one_game_is_played_to_its_end() -> None:
    """Four quick bots finish a game without a fault and without a void."""
    simulator = Simulator(1)
    crowd(simulator, 1, Behaviour())
    simulator.run()

    assert [] == simulator.failures
    assert ["finished"] == [table.game.ending for table in simulator.finished]
    assert not simulator.faults()


def test_a_serial_bot_is_never_late_however_many_games_it_has() -> None:
    """A bot of 50 ms a turn plays 32 tables at once without one fault."""
    simulator = Simulator(2)
    control = TimeControl(bank_ms=30_000, increment_ms=100, turn_limit_ms=500)
    simulator.add_bot("ada", Behaviour(think_seconds=0.05))
    for name in OTHERS:
        simulator.add_bot(name)
    for number in range(32):
        simulator.play(f"g-{number}", ["ada", *OTHERS], time_control=control)
    simulator.run()

    assert [] == simulator.failures
    assert 32 == len(simulator.finished)
    assert not simulator.faults()


def test_one_hiccup_costs_one_fault() -> None:
    """A bot that hangs for 20 seconds in 32 games has one fault in one of them."""
    simulator = Simulator(3)
    behaviour = Behaviour(think_seconds=0.01, hang_at=1001.0, hang_seconds=20.0)
    crowd(simulator, 32, behaviour)
    simulator.run()

    assert [] == simulator.failures
    assert {("ada", "late"): 1} == dict(simulator.faults())
    assert 32 == len(simulator.finished)


@pytest.mark.parametrize("games", [1, 32])
def test_a_bot_that_skips_a_closed_turn_lives_on(games: int) -> None:
    """Who reads a turn and its closing at once says no more than an echo, and plays."""
    simulator = Simulator(12)
    behaviour = Behaviour(freeze_at=1000.1, freeze_seconds=7.0)
    crowd(simulator, games, behaviour)
    simulator.after(7.3, lambda: setattr(behaviour, "freeze_at", simulator.now))
    simulator.run()

    ada = simulator.bots["ada"]
    assert [] == simulator.failures
    assert ["finished"] * games == [t.game.ending for t in simulator.finished]
    assert {("ada", "late"): 2} == dict(simulator.faults())
    assert (1, 2, 0) == (ada.stream, ada.seen["closed"], ada.seen["STALLED"])
    assert simulator.now < 1030


@pytest.mark.parametrize(("echoes_early", "late"), [(False, 1), (True, 2)])
def test_a_hung_bot_is_ended(echoes_early: bool, late: int) -> None:
    """An echo of a bot that never answers buys it one more turn and no more."""
    simulator = Simulator(13)
    behaviour = Behaviour(
        hang_at=1000.1, hang_seconds=1e9, back_after=-1, echoes_early=echoes_early
    )
    crowd(simulator, 8, behaviour)
    simulator.run(until=1000 + 300)

    assert 1 == simulator.bots["ada"].seen["STALLED"]
    assert [] == simulator.failures
    assert 8 == len(simulator.finished)
    assert late == simulator.faults()["ada", "late"]


def test_a_bot_that_never_returns_is_given_up_and_hurts_nobody() -> None:
    """Games of a lost bot end, with its faults alone, in bounded time."""
    simulator = Simulator(4)
    crowd(simulator, 4, Behaviour(back_after=-1))
    ada = simulator.bots["ada"]
    simulator.after(0.1, lambda: simulator.lose(ada))
    simulator.run()

    assert [] == simulator.failures
    assert 4 == len(simulator.finished)
    assert {"ada"} == {bot for bot, _ in simulator.faults()}
    assert all(0 in table.given_up for table in simulator.finished)
    assert simulator.now < 1000 + 200


@pytest.mark.parametrize("crashes", [False, True])
@pytest.mark.parametrize(
    ("away", "from_bank"), [(0.0, True), (0.5, True), (5.0, True), (11.0, False)]
)
def test_a_bot_that_comes_back_goes_on_without_a_fault(
    away: float, from_bank: bool, crashes: bool
) -> None:
    """Five lost streams cost time from bank and away budget, but never a fault."""
    simulator = Simulator(5)
    control = TimeControl(bank_ms=30_000, increment_ms=100, away_ms=30_000)
    ada = simulator.add_bot(
        "ada", Behaviour(think_seconds=0.05, back_after=away, crashes=crashes)
    )
    for name in OTHERS:
        simulator.add_bot(name)
    for game in ("g-1", "g-2"):
        simulator.play(game, ["ada", *OTHERS], time_control=control)
    clocks = [running.seats[0].clock for running in simulator.host.tables.values()]
    # Without time away another stream takes over while the last one still stands.
    lose = simulator.lose if away else simulator.take_over
    for number in range(5):
        simulator.after(0.33 + number * (away + 0.5), lambda: lose(ada))
    simulator.run()

    assert [] == simulator.failures
    assert ["finished"] * 2 == [table.game.ending for table in simulator.finished]
    assert not simulator.faults()
    assert (6, 5 * crashes if away else 5) == (ada.stream, ada.process)
    for clock in clocks:
        assert from_bank == (clock.away == 30.0)
        assert clock.away >= 30.0 - max(0.0, 5 * away - 30.0)


def test_two_seats_lost_at_once_make_the_game_void() -> None:
    """When two bots of a table are lost together, nobody is scored."""
    simulator = Simulator(6)
    crowd(simulator, 1, Behaviour(back_after=-1))
    simulator.bots["bob"].behaviour.back_after = -1
    for name in ("ada", "bob"):
        bot = simulator.bots[name]
        simulator.after(0.2, lambda b=bot: simulator.lose(b))  # type: ignore[misc]
    simulator.run()

    (table,) = simulator.finished

    assert "network incident: ada, bob were lost at once" == table.void_reason


def test_illegal_answers_are_substituted_and_the_third_gives_up() -> None:
    """Wrong answers cost their own seat only, and the third one the seat."""
    simulator = Simulator(7)
    crowd(simulator, 3, Behaviour(illegal=1.0))
    simulator.run()

    assert [] == simulator.failures
    assert {("ada", "illegal"): 9} == dict(simulator.faults())
    for table in simulator.finished:
        assert 4 == table.game.places()[0]


def test_duplicate_and_foreign_answers_change_nothing() -> None:
    """Repeated answers and answers to turns that never were touch no game."""
    simulator = Simulator(8)
    crowd(simulator, 1, Behaviour(duplicate=0.5, foreign=0.1))
    simulator.run()

    assert [] == simulator.failures
    assert not simulator.faults()
    assert simulator.bots["ada"].seen["rejections"] > 10


def _four(*, now: float = 0.0, **hello: Any) -> tuple[Host, list[Session]]:
    """Return a host with a game of four connected bots."""
    host = Host({"careful-1": substitute})
    sessions = [host.connect(Introduction(name, **hello), now=now) for name in NAMES]
    spec = GameSpec("g-1", preset("arena"), tuple(map(SeatSpec, NAMES)), bytes(32))
    host.start_game(spec, now=now)
    return host, sessions


def _moves(host: Host) -> list[tuple[str, int, int]]:
    """Return the bots that moved, with their sessions and open games in leagues."""
    moves = host.take_moves()
    return [
        (m.bot, m.league.sessions, m.league.open_games) if m.league else (m.bot, 0, 0)
        for m in moves
    ]


def test_moves_are_told_once_and_of_nobody_else() -> None:
    """A bot moves when it comes, goes, or gets or loses a game; others do not."""
    host, sessions = _four()
    idle = host.connect(Introduction(bot="eve"), now=0.0)
    seated = _moves(host)
    still = _moves(host)
    host.void_game("g-1", "stopped", now=2.0)
    ended = _moves(host)
    host.disconnect(idle, idle.stream, now=3.0)
    went = _moves(host)
    host.connect(Introduction(bot="eve"), now=4.0)
    came_back = _moves(host)
    host.leave(sessions[0], sessions[0].stream, now=5.0)

    assert [*((bot, 1, 1) for bot in ("ada", *OTHERS)), ("eve", 1, 0)] == seated
    assert [] == still
    assert [(bot, 1, 0) for bot in ("ada", *OTHERS)] == ended
    assert [("eve", 0, 0)] == went
    assert [("eve", 1, 0)] == came_back
    assert [("ada", 0, 0)] == _moves(host)


def test_a_bot_is_present_for_leagues_or_practice_or_not_at_all() -> None:
    """Practice has a presence of its own, and who can't be seated has none."""
    host = Host({})
    host.connect(Introduction(bot="ada", practice=True, max_games=3), now=0.0)
    host.connect(Introduction(bot="bob", players=(2,)), now=0.0)
    ada, bob = host.take_moves()

    assert (None, 3) == (ada.league, ada.practice and ada.practice.max_games)
    assert (None, None) == (bob.league, bob.practice)


def test_a_turn_that_was_not_handed_out_cannot_be_answered() -> None:
    """Guessing the number of a turn that still waits in the arena changes nothing."""
    host, (ada, *_) = _four()
    cards: Any = [1]
    host.receive(ada, [play_pb2.Answer(turn_id=1, cards=cards)], now=1.0)
    frame = host.take(ada, now=1.0)

    assert frame is not None
    assert [Reason.UNKNOWN_TURN] == [r.refusal.reason for r in frame.rejections]
    assert [1] == [turn.id for turn in frame.turns]
    assert [] == host.tables["g-1"].table.faults


def test_a_void_game_says_what_a_bot_cannot_play() -> None:
    """A bot that is there but does not know the rules is not called absent."""
    host = Host({"careful-1": substitute})
    names = ("ada", *OTHERS)
    for name in names:
        host.connect(Introduction(name, presets=("party",)), now=0.0)
    spec = GameSpec("g-1", preset("arena"), tuple(map(SeatSpec, names)), bytes(32))
    host.start_game(spec, now=0.0)
    (table,) = host.take_finished()

    assert "ada plays party only, not arena" == table.void_reason


def test_a_record_can_hold_whatever_a_bot_says_of_its_time() -> None:
    """Absurd thinking times and notes with control characters are tamed."""
    host, (ada, *_) = _four()
    frame = host.take(ada, now=1.0)
    assert frame is not None
    host.sent(ada, ada.stream, frame, now=1.0)
    table = host.tables["g-1"].table
    cards: Any = cards_in(table.view(0).hand)[:3]
    answer = play_pb2.Answer(
        turn_id=1, cards=cards, think_ms=2**32 - 1, note="a\x1b[31m\nb"
    )
    host.receive(ada, [answer], now=1.5)

    assert [(1, 0, 0, "a [31m b")] == table.notes
    host.void_game("g-1", "enough", now=2.0)
    record = record_of(table, started="", ended="")
    assert record == read_record(write_record(record))


def test_the_version_that_a_bot_declares_is_recorded() -> None:
    """The record names the version of the session, not a guess."""
    host, _ = _four(version="7.3")
    (running,) = host.tables.values()

    assert {"7.3"} == {seat.version for seat in running.table.spec.seats}


@pytest.mark.parametrize(
    ("default", "expected"),
    [("add", "add"), ("subtract", "subtract"), ("best", "add")],
)
@pytest.mark.parametrize("sun", ["off", "choice"])
def test_a_bot_that_cannot_choose_is_not_asked(
    default: str, expected: str, sun: str
) -> None:
    """Without the capability the rules' default is chosen, which is no fault."""
    simulator = Simulator(9)
    for name in ("ada", *OTHERS):
        simulator.add_bot(name)
    rules = preset(
        "arena", moon="choice", sun=sun, moon_default=default, pass_count=0, max_deals=1
    )
    # Whoever has all clubs wins every trick.
    game = Game(rules, lambda index, dealer: SUIT_SETS, first_dealer=3)
    spec = GameSpec("g-1", rules, tuple(map(SeatSpec, ("ada", *OTHERS))), bytes(32))
    simulator.host.start_game(spec, now=simulator.now, game=game)
    simulator.flush()
    simulator.run()
    (result,) = game.results

    assert (0, sun == "choice") == (result.shooter, result.is_sun)
    assert result.moon_choice is MoonChoice[expected.upper()]
    assert not simulator.faults()


def test_who_comes_back_with_an_empty_bank_has_the_increment() -> None:
    """A bot that was away for longer than its bank is not late at once."""
    simulator = Simulator(10)
    control = TimeControl(bank_ms=1_000, increment_ms=100, turn_limit_ms=5_000)
    simulator.add_bot("ada", Behaviour(think_seconds=0.01, back_after=6.0))
    for name in OTHERS:
        simulator.add_bot(name)
    simulator.play("g-1", ["ada", *OTHERS], time_control=control)
    simulator.after(0.5, lambda: simulator.lose(simulator.bots["ada"]))
    simulator.run()

    assert not simulator.faults()


def test_the_round_trip_of_a_busy_bot_is_learned() -> None:
    """A bot that is asked at once is measured as soon as its desk is empty."""
    simulator = Simulator(11)
    crowd(simulator, 1, Behaviour(latency=0.02))
    simulator.run()
    session = simulator.bots["ada"].session

    assert session is not None
    assert 0.04 == pytest.approx(session.desk.round_trip, abs=0.002)


@pytest.mark.parametrize(("news", "round_trip"), [((), 1.5), (("a game ended",), 0.0)])
def test_news_do_not_count_for_the_round_trip(
    news: tuple[str, ...], round_trip: float
) -> None:
    """A bot that takes news in sends the heartbeat back when that is done."""
    host, _ = _four()
    eve = host.connect(Introduction("eve"), now=0.0)
    _sent(host, eve, now=0.0)
    for message in news:
        host.tell("eve", message, ())
    eve.beat(1.0)
    frame = _sent(host, eve, now=1.0)
    host.heard(eve, frame.heartbeat, now=2.5)

    assert round_trip == eve.desk.round_trip


def test_a_bot_that_does_not_read_is_late() -> None:
    """A frame that the transport never takes is noticed after a second, and counts."""
    host, sessions = _four()
    for session in sessions:
        host.take(session, now=0.0)
    deadlines = []
    while not host.counts.bot_time.count and (when := host.next_deadline()) < 100:
        deadlines.append(when)
        host.expire(now=when)

    assert [1.0, 5.05] == sorted(set(deadlines))


def test_timers_do_not_pile_up() -> None:
    """However often deadlines come and go, there are few timers for each session."""
    simulator = Simulator(4)
    crowd(simulator, 32, Behaviour(think_seconds=0.01))
    simulator.run(until=1004.5)

    assert 4 == len(simulator.host.sessions)
    assert len(simulator.host._timers) <= 64


def test_who_is_silent_for_too_long_and_has_no_game_is_forgotten() -> None:
    """A session whose stream the arena ends is not kept when its game is over."""
    host, sessions = _four()
    for session in sessions:
        frame = host.take(session, now=0.0)
        assert frame is not None
        host.sent(session, session.stream, frame, now=0.0)
    late_at = TimeControl().turn_limit_ms / 1000
    host.expire(now=late_at)
    host.void_game("g-1", "stopped", now=late_at)
    host.expire(now=late_at + 60)
    for session in sessions:
        host.disconnect(session, session.stream, now=late_at + 60)

    assert {} == host.sessions


def test_what_lies_behind_a_void_turn_has_an_end() -> None:
    """A bot silent after the game it thought about is void counts as lost in time."""
    host = Host({"careful-1": substitute})
    names = ["ada", "bob", "cat", "dan"]
    sessions = [
        host.connect(Introduction(name, max_games=2), now=0.0) for name in names
    ]
    for game_id in ("g-1", "g-2"):
        seats = tuple(map(SeatSpec, names))
        host.start_game(GameSpec(game_id, preset("arena"), seats, bytes(32)), now=0.0)
    for session in sessions:
        while frame := host.take(session, now=0.0):
            host.sent(session, session.stream, frame, now=0.0)
    host.void_game("g-1", "stopped", now=1.0)
    while (when := host.next_deadline()) < 100 and not host.take_ended():
        host.expire(now=when)

    assert ["ada", "bob", "cat", "dan"] == [
        session.bot for session in sessions if session.lost_at == 31.0
    ]


def test_news_wait_for_turns_but_only_for_a_moment() -> None:
    """A bot that owes an answer is told with its next turns, or 2 ms later."""
    host, (ada, *_) = _four()
    _sent(host, ada, now=0.0)
    host.tell("ada", "soon", ())

    assert host.take(ada, now=0.0) is None
    assert 0.002 == host.next_deadline()

    host.expire(now=0.002)

    assert ["soon"] == _told(_sent(host, ada, now=0.002))
    assert host.next_deadline() > 0.002


def test_news_go_with_the_next_turns() -> None:
    """What waits leaves with a frame that has turns anyway, before its time."""
    host, (ada, *_) = _four(max_games=2)
    (turn,) = _sent(host, ada, now=0.0).turns
    spec = GameSpec("g-2", preset("arena"), tuple(map(SeatSpec, NAMES)), bytes(32))
    host.start_game(spec, now=0.0)

    assert host.take(ada, now=0.0) is None

    host.receive(ada, [play_pb2.Answer(turn_id=turn.id)], now=0.001)
    frame = _sent(host, ada, now=0.001)
    game_ids = [seat.table.spec.game_id for seat in frame.starts]

    assert (["g-2"], 1) == (game_ids, len(frame.turns))


def test_an_idle_bot_has_its_news_at_once() -> None:
    """Without a turn to wait for, news never wait."""
    host, _ = _four()
    eve = host.connect(Introduction("eve"), now=0.0)
    _sent(host, eve, now=0.0)
    host.tell("eve", "nobody is here", ())

    assert ["nobody is here"] == _told(_sent(host, eve, now=0.0))


def _sent(host: Host, session: Session, *, now: float) -> Frame:
    """Take a frame that there must be, and let it leave."""
    frame = host.take(session, now=now)
    assert frame is not None
    host.sent(session, session.stream, frame, now=now)
    return frame


def _told(frame: Frame) -> list[str]:
    """Return the messages of the notices that are no results."""
    return [news.message for news in frame.news if isinstance(news, StatusNews)]
