"""What disturbs the arena: nobody is charged for it, and bots get time to return."""

from collections import Counter
from functools import partial

import pytest

from arena.disturbance import (
    GRACE_EVERY_SECONDS,
    GRACE_SECONDS,
    LAG,
    OUTAGE,
    SLEEP,
    Disturbance,
)
from arena.host import Host
from arena.introduction import Introduction
from arena.rules import preset
from arena.spec import GameSpec, SeatSpec, TimeControl
from arena.stand_in import STAND_INS
from arena.table import Table
from tests.simulation.simulator import Behaviour, SimulatedBot, Simulator

NAMES = ("ada", "bob", "cat", "dot")
SHORT = TimeControl(bank_ms=2_000, increment_ms=100, turn_limit_ms=500, away_ms=1_000)


def arena(
    seed: int = 1,
    *,
    names: tuple[str, ...] = NAMES,
    games: int = 1,
    think: float = 0.05,
    back_after: float = 0.5,
    unexcused: frozenset[int] = frozenset(),
    started: tuple[str, ...] = (),
) -> Simulator:
    """Return an arena in which all bots play at as many tables as named."""
    simulator = Simulator(seed)
    for name in names:
        behaviour = Behaviour(
            think_seconds=think, back_after=back_after, is_started=name in started
        )
        simulator.add_bot(name, behaviour)
    for start in range(0, len(names), 4):
        for number in range(games):
            spec = GameSpec(
                f"g-{start}-{number}",
                preset("arena", target=40),
                tuple(map(SeatSpec, names[start : start + 4])),
                bytes([start, number]) * 16,
                time_control=SHORT,
                unexcused=unexcused,
            )
            simulator.host.start_game(spec, now=simulator.now)
    simulator.flush()
    return simulator


def lose(simulator: Simulator, *names: str) -> None:
    """Let bots lose their streams at once."""
    for name in names:
        simulator.lose(simulator.bots[name])


def charged_max(tables: list[Table]) -> int:
    """Return the most that any turn was charged, in milliseconds."""
    return max(t.charged_ms for table in tables for deal in table.timings for t in deal)


def voids(simulator: Simulator) -> list[str]:
    """Return why games were void; empty texts for those that were not."""
    return [table.void_reason for table in simulator.finished]


@pytest.mark.parametrize("seconds", [0.02, 0.2, 0.3, 1.0, 4.0, 60.0])
def test_an_arena_that_stands_still_charges_nobody(seconds: float) -> None:
    """No turn is late or charged more than its thinking, wherever the arena stood."""
    for number in range(6):
        simulator = arena(number, games=2)
        stand_still = partial(simulator.stand_still, seconds)
        for stop in range(5):
            when = 0.3 + 0.0371 * number + stop * (seconds + 1.0)
            simulator.after(when, stand_still)
        simulator.run()

        assert not simulator.faults()
        assert ["", ""] == voids(simulator)
        assert charged_max(simulator.finished) <= 50 + 2 + 20 + 5


def test_an_arena_that_stands_still_says_so() -> None:
    """What has happened is reported and counted; what is short is not."""
    simulator = arena()
    simulator.after(0.5, lambda: simulator.stand_still(0.2))
    simulator.after(1.5, lambda: simulator.stand_still(2.0))
    simulator.run()

    assert [Disturbance(LAG, 2.0, 2.0)] == simulator.host.take_disturbances()
    assert {LAG: 1} == simulator.host.counts.disturbances


def test_after_a_sleep_a_dead_connection_costs_nothing() -> None:
    """Clocks stand until a bot speaks, however long it takes to notice its loss."""
    simulator = arena()
    ada = simulator.bots["ada"]

    def sleep() -> None:
        simulator.sleep(3600.0)
        stream, ada.stream = ada.stream, -1  # Dead, and the arena does not know.
        session = ada.session
        assert session is not None

        def notice() -> None:
            simulator.host.disconnect(session, stream, now=simulator.now)

        simulator.after(15.0, notice)
        simulator.after(25.0, lambda: simulator.connect(ada))

    simulator.after(0.4, sleep)
    simulator.run()

    assert not simulator.faults()
    assert [""] == voids(simulator)
    assert charged_max(simulator.finished) <= 60
    assert simulator.now > 1025


def test_after_a_sleep_who_is_silent_is_believed_at_last() -> None:
    """A bot that echoes nothing and waits is asked again when the grace is over."""
    simulator = arena()
    ada = simulator.bots["ada"]

    def sleep() -> None:
        simulator.host.disturb(Disturbance(SLEEP, 60.0), now=simulator.now)
        assert ada.session is not None
        ada.session.heartbeat = 0  # As if it never came to the bot.
        ada.inbox.clear()
        ada.restart()

    simulator.after(0.4, sleep)
    simulator.run()

    assert 0 == ada.seen["STALLED"]
    assert set(simulator.faults()) <= {("ada", "late")}
    assert simulator.now > 1000 + GRACE_SECONDS


@pytest.mark.parametrize("away", [1.0, 25.0])
def test_in_a_grace_nobody_is_charged_for_being_away(away: float) -> None:
    """A bot that comes back in time has all of its bank and its away budget."""
    simulator = arena()
    (running,) = simulator.host.tables.values()
    ada = simulator.bots["ada"]
    ada.behaviour.back_after = away
    simulator.after(0.4, lambda: simulator.stand_still(6.0))
    simulator.after(6.5, lambda: lose(simulator, "ada"))
    simulator.run()

    assert not simulator.faults()
    assert 1.0 == running.seats[0].clock.away
    assert [""] == voids(simulator)


def test_when_the_grace_ends_who_is_away_is_charged_as_usual() -> None:
    """After a short standstill a bot that never returns is given up, only later."""
    simulator = arena(back_after=-1)
    simulator.after(0.4, lambda: simulator.stand_still(1.0))
    simulator.after(2.0, lambda: lose(simulator, "ada"))
    simulator.run()

    assert {("ada", "away"): 3} == dict(simulator.faults())
    assert [""] == voids(simulator)
    assert simulator.now > 1001.4 + GRACE_SECONDS


def test_a_loss_that_a_long_standstill_may_have_caused_is_not_scored() -> None:
    """A bot that does not come back after it makes its games void."""
    simulator = arena(back_after=-1)
    simulator.after(0.4, lambda: simulator.stand_still(60.0))
    simulator.after(61.0, lambda: lose(simulator, "ada"))
    simulator.run()

    assert [
        "network incident: ada did not come back after the arena stood still for 60.0 s"
    ] == voids(simulator)
    assert [("ada", 1061.0)] == [
        (loss.bot, round(loss.at, 1)) for loss in simulator.finished[0].losses
    ]


def test_graces_for_standing_still_do_not_follow_each_other_at_once() -> None:
    """An arena that stands still again and again still gives up who is gone."""
    simulator = arena(back_after=-1)
    simulator.after(0.3, lambda: lose(simulator, "ada"))
    for number in range(200):
        simulator.after(0.5 + number, lambda: simulator.stand_still(0.3))
    simulator.run()

    assert {("ada", "away"): 3} == dict(simulator.faults())
    assert simulator.now < 1000 + GRACE_EVERY_SECONDS + 100


EIGHT = (*NAMES, "eve", "fay", "gus", "hal")


def test_bots_that_come_back_from_an_outage_go_on_without_a_charge() -> None:
    """Four of eight lost at once are back before the grace ends, and play on."""
    simulator = arena(names=EIGHT, games=2, back_after=28.0)
    clocks = [r.seats[0].clock for r in simulator.host.tables.values()]
    simulator.after(0.4, lambda: lose(simulator, "ada", "bob", "eve", "fay"))
    simulator.run()

    assert not simulator.faults()
    assert [""] * 4 == voids(simulator)
    assert {1.0} == {clock.away for clock in clocks}
    (outage,) = simulator.host.take_disturbances()
    assert (OUTAGE, ("ada", "bob", "eve", "fay")) == (outage.kind, outage.bots)


def test_games_that_an_outage_has_ended_are_void() -> None:
    """Who does not come back has no fault; games without the lost ones go on."""
    simulator = arena(names=EIGHT, games=2, back_after=-1)
    simulator.after(0.4, lambda: lose(simulator, "ada", "bob", "cat"))
    simulator.after(4.0, lambda: lose(simulator, "dot"))
    simulator.run()

    assert not simulator.faults()
    assert 2 == voids(simulator).count("")


def test_one_seat_that_an_outage_has_emptied_makes_its_game_void() -> None:
    """A single lost bot at a table of bots that are there is not blamed."""
    simulator = arena(names=EIGHT, games=1, back_after=-1)
    for name in ("fay", "gus"):
        simulator.bots[name].behaviour.back_after = 3.0
    for when, name in ((0.4, "ada"), (1.4, "eve"), (2.4, "fay"), (3.4, "gus")):
        simulator.after(when, lambda n=name: lose(simulator, n))  # type: ignore[misc]
    simulator.run()

    assert not simulator.faults()
    assert [
        "network incident: ada did not come back after many bots were lost at once",
        "network incident: eve did not come back after many bots were lost at once",
    ] == sorted(voids(simulator))


@pytest.mark.parametrize(
    ("names", "lost"),
    [
        (NAMES, ("ada", "bob")),
        (EIGHT, ("ada", "bob", "eve")),
    ],
)
def test_a_few_bots_that_leave_together_are_no_outage(
    names: tuple[str, ...], lost: tuple[str, ...]
) -> None:
    """Two of four, or three of eight, are judged as ever."""
    simulator = arena(names=names, back_after=-1)
    simulator.after(0.4, lambda: lose(simulator, *lost))
    simulator.run()

    assert [] == simulator.host.take_disturbances()
    assert simulator.now < 1000 + GRACE_SECONDS


def test_a_bot_with_many_sessions_makes_no_outage_alone() -> None:
    """It drops four of its five games: nobody else is gone, so it has no excuse."""
    host = Host(STAND_INS)
    for name in NAMES[:3]:
        host.connect(Introduction(name, max_games=5), now=0.0)
    mine = [
        host.connect(Introduction("dot", instance=str(n)), now=0.0) for n in range(5)
    ]
    seats = tuple(map(SeatSpec, NAMES))
    for number in range(5):
        spec = GameSpec(f"g-{number}", preset("arena"), seats, bytes([number]) * 32)
        host.start_game(spec, now=0.0)
    for session in mine[:4]:
        assert 1 == len(session.seats)
        host.disconnect(session, session.stream, now=1.0)

    assert [] == host.take_disturbances()
    assert not any(session.is_excused for session in mine)


def test_losses_over_a_long_time_are_no_outage() -> None:
    """All four bots are lost one after the other, more slowly than a switch dies."""
    simulator = arena(back_after=1.0)
    for number, name in enumerate(NAMES * 3):
        when = 0.4 + 2.0 * number
        simulator.after(when, lambda n=name: lose(simulator, n))  # type: ignore[misc]
    simulator.run()

    assert [] == simulator.host.take_disturbances()


def test_who_was_late_because_the_line_was_dead_has_no_fault() -> None:
    """A dead switch is noticed only after turns were late; those games are void."""
    simulator = arena(names=EIGHT, games=2)

    def die(bot: SimulatedBot) -> None:
        session, stream = bot.session, bot.stream
        assert session is not None
        bot.stream = -1
        simulator.after(
            15.0, lambda: simulator.host.disconnect(session, stream, now=simulator.now)
        )
        simulator.after(20.0, lambda: simulator.connect(bot))

    for name in EIGHT:
        simulator.after(0.4, partial(die, simulator.bots[name]))
    simulator.run()
    reasons = Counter(reason.split(": ")[0] for reason in voids(simulator))

    finished = [table for table in simulator.finished if not table.void_reason]
    assert not [fault for table in finished for fault in table.faults]
    assert reasons["network incident"] > 0
    assert len(simulator.finished) == 4


def test_a_seat_without_an_excuse_is_judged_alone() -> None:
    """Who is lost along with another for the fourth time is at fault; games count."""
    both = frozenset({0, 1})
    simulator = arena(back_after=-1, unexcused=both)
    simulator.after(0.4, lambda: lose(simulator, "ada", "bob"))
    simulator.run()

    assert [""] == voids(simulator)
    assert {("ada", "away"): 3, ("bob", "away"): 3} == dict(simulator.faults())


def test_who_has_no_excuse_excuses_nobody() -> None:
    """A bot that is lost along with it is judged alone too."""
    simulator = arena(back_after=-1, unexcused=frozenset({0}))
    simulator.after(0.4, lambda: lose(simulator, "ada", "bob"))
    simulator.run()

    assert [""] == voids(simulator)
    assert 3 == simulator.faults()["bob", "away"]


@pytest.mark.parametrize(
    ("started", "faults"),
    [
        (NAMES, {("ada", "away"): 3, ("bob", "away"): 3}),
        (("ada", "bob"), {("ada", "away"): 3, ("bob", "away"): 3}),
        (("ada",), {("ada", "away"): 3, ("bob", "away"): 3}),
        (("cat", "dot"), {}),
    ],
)
def test_a_program_of_this_machine_is_no_loss_of_the_network(
    started: tuple[str, ...], faults: dict[tuple[str, str], int]
) -> None:
    """It has no excuse and is none to others, who have theirs where they dial in."""
    simulator = arena(back_after=-1, started=started)
    simulator.after(0.4, lambda: lose(simulator, "ada", "bob"))
    simulator.run()

    assert faults == dict(simulator.faults())
    assert bool(faults) == (voids(simulator) == [""])


def test_programs_of_this_machine_are_no_outage() -> None:
    """All of them hang at once, and each of them is to blame."""
    simulator = arena(names=EIGHT, back_after=-1, started=EIGHT)
    simulator.after(0.4, lambda: lose(simulator, *NAMES))
    simulator.run()

    assert [] == simulator.host.take_disturbances()
    assert {(name, "away"): 3 for name in NAMES} == dict(simulator.faults())


def test_programs_that_are_there_do_not_hide_an_outage() -> None:
    """Of the bots that dial in all are gone, which those of this machine can't be."""
    simulator = arena(names=EIGHT, back_after=-1, started=EIGHT[3:])
    simulator.after(0.4, lambda: lose(simulator, *EIGHT[:3]))
    simulator.run()

    (outage,) = simulator.host.take_disturbances()
    assert (OUTAGE, EIGHT[:3]) == (outage.kind, outage.bots)


def test_a_program_has_the_excuse_of_an_arena_that_stood_still() -> None:
    """What the arena itself has lost is charged to nobody, wherever it runs."""
    simulator = arena(back_after=-1, started=NAMES)
    simulator.after(0.4, lambda: simulator.stand_still(60.0))
    simulator.after(60.5, lambda: lose(simulator, "ada"))
    simulator.run()

    assert not simulator.faults()
    assert [
        "network incident: ada did not come back after the arena stood still for 60.0 s"
    ] == voids(simulator)


def test_new_games_wait_until_everybody_is_back() -> None:
    """The pause names who is missing and ends when they are here, or with the grace."""
    simulator = arena(names=EIGHT, back_after=10.0)
    host = simulator.host
    seen: list[tuple[float, str]] = []

    def look() -> None:
        seen.append((simulator.now - 1000, host.pause(now=simulator.now)))

    simulator.after(0.4, lambda: lose(simulator, "ada", "bob", "cat", "dot"))
    for when in (0.3, 0.5, 10.3, 10.5):
        simulator.after(when, look)
    simulator.run(until=1011)
    missing = "many bots were lost at once; waiting for ada, bob, cat, dot"

    assert ["", missing, missing, ""] == [why for _, why in seen]
    simulator.bots["ada"].behaviour.back_after = 100.0
    simulator.host.disturb(Disturbance(SLEEP, 60.0), now=simulator.now)
    lose(simulator, "ada")
    for when in (1.0, GRACE_SECONDS + 1):
        simulator.after(when, look)
    simulator.run()

    assert ["the machine slept for 60 s; waiting for ada", ""] == [
        why for _, why in seen[4:]
    ]
