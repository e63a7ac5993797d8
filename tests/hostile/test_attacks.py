"""Hostile clients hurt nobody but themselves: one attack after the other."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from hearts.arena.v1 import play_pb2
from tests.benchmarks.programs import Program
from tests.hostile.arena import LEAGUE
from tests.hostile.attacks import ATTACKS
from tests.hostile.on_calls import HELLO_BYTES
from tests.hostile.on_sessions import request
from tests.hostile.raw import PLAY, Raw, message
from tests.hostile.report import Report, report
from tests.hostile.victim import FOES, victim_of

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

REPORTS_MAX = 2_000
TRIES_MAX = 200
TURNS_MORE = 40
"""How many turns the league must play on after an attack."""


class Arena:
    """An arena in a process of its own, with a league in another one."""

    def __init__(self, arena: Program, address: str) -> None:
        self.program = arena
        self.address = address
        self.start = self.until(lambda now: now["turns"] > TURNS_MORE)

    def until(self, condition: Callable[[Report], bool]) -> Report:
        """Ask until a condition holds."""
        for _ in range(REPORTS_MAX):
            now = report(self.program)
            if condition(now) or now.harm:
                return now
        raise AssertionError(f"it never came so far: {now.values}")


@pytest.fixture(scope="module")
def arena() -> Iterator[Arena]:
    """One arena for all attacks: each may count on what the others left behind."""
    with ExitStack() as stack:
        program = stack.enter_context(Program("tests.hostile.arena", "4"))
        address = program.ready()
        stack.enter_context(Program("tests.hostile.bots", address, *LEAGUE))
        yield Arena(program, address)


def served(address: str, token: str) -> bool:
    """Connect a good bot, which leaves again, and tell whether it was welcome.

    Like all good bots it comes again when it is sent away: after a flood gRPC has
    no room for new calls until it has got through with those that wait.
    """
    for _ in range(TRIES_MAX):
        with Raw(address) as raw:
            stream = raw.open(PLAY, token=token)
            leave = request(leave=play_pb2.Leave(message="well"))
            raw.data(stream, message(HELLO_BYTES) + leave, ends=True)
            if raw.ending(stream) == "0":
                return b"hearts-arena" in raw.received(stream)
            raw.rest(0.1)
    return False


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_hurts_nobody_else(arena: Arena, name: str) -> None:
    """The league beside it plays on without a fault, and the next bot is welcome."""
    number = list(ATTACKS).index(name)
    before = report(arena.program)

    ATTACKS[name](victim_of(arena.address, number))

    after = arena.until(lambda now: now["turns"] >= before["turns"] + TURNS_MORE)
    assert {} == after.harm
    assert served(arena.address, f"foe{FOES - 1 - number}")


def test_nothing_is_left_of_attacks(arena: Arena) -> None:
    """Their sessions, tasks and connections are gone, and the log has no error."""
    ATTACKS["session_hoard"](victim_of(arena.address, 100))
    names = ("sessions", "tasks", "files")
    slack = 4  # Tasks of the league's own bots come and go.
    end = arena.until(
        lambda now: all(now[name] <= arena.start[name] + slack for name in names)
    )

    assert {} == end.harm
    assert len(LEAGUE) == end["sessions"]
