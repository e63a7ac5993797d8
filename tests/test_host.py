"""The host: sessions, desks, deadlines and faults, without any network."""

from arena.spec import TimeControl
from tests.simulation.simulator import Behaviour, Simulator

OTHERS = ("bob", "cat", "dot")


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


def test_a_bot_that_comes_back_goes_on_without_a_fault() -> None:
    """A stream lost five times in a game costs time, never a fault."""
    simulator = Simulator(5)
    crowd(simulator, 2, Behaviour(back_after=0.5))
    ada = simulator.bots["ada"]
    for number in range(5):
        simulator.after(0.3 + number, lambda: simulator.lose(ada))
    simulator.run()

    assert [] == simulator.failures
    assert 2 == len(simulator.finished)
    assert not simulator.faults()


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
