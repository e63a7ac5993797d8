"""The schedule: who plays whom, in which seats, in which order.

What every schedule is held to is told where it is checked, and what each one reaches
is pinned in golden/schedules.txt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, combinations, islice
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.scheduling.balance import (
    Balance,
    Check,
    Seating,
    Spreads,
    balance_of,
    check,
)
from leagues.scheduling.schedule import (
    Design,
    Method,
    design_of,
    prolonged,
    rounds,
    schedule,
)
from tests.equitable import coloured

SIX_ENTRANTS_CYCLE = comb(6, 4) * 24

HEAD = """\
What every schedule reaches, for three to seven seats and up to 40 entrants.

A round is as many tables as share nobody. The figures are spreads, the greatest count
less the smallest one: of the games of two entrants, of the meetings of two pairs, of
how often one sat left of another, or across, and of the seats of an entrant. First
those after a cycle of rounds, then the worst of each at the end of any round in it.
The last column is a digest of all seatings of the cycle: another one means that
another schedule is planned.
"""


@dataclass(frozen=True)
class Cycle:
    """The first cycle of a schedule, and how even it is."""

    design: Design
    rounds: tuple[tuple[Seating, ...], ...]
    found: Check


@pytest.fixture(scope="module")
def cycles() -> list[Cycle]:
    """The first cycle for all numbers of entrants and seats."""
    planned = []
    for seats in range(3, 8):
        for entrants in range(seats, 41):
            design = design_of(entrants, seats=seats)
            first = islice(rounds(entrants, seats=seats), design.cycle)
            cycle = tuple(map(tuple, first))
            found = check(cycle, entrants=entrants, seats=seats)
            planned.append(Cycle(design, cycle, found))
    return planned


def breaches(cycle: Cycle) -> Iterator[str]:
    """Find what a schedule promises and does not keep."""
    design, end, worst = cycle.design, cycle.found.end, cycle.found.worst
    seats, entrants, method = design.seats, design.entrants, design.method
    is_exact = entrants % seats == 1 or (seats == 4 and entrants % 4 == 0)
    is_cyclic = method == Method.CYCLIC
    promised = {
        "games after a cycle": (end.games, 0),
        "games": (worst.games, {"greedy": 1, "subsets": 2, "cyclic": 3}[method]),
        "pairs after a cycle": (
            end.pairs,
            {"greedy": seats - 1, "subsets": 0, "cyclic": 0 if is_exact else 1}[method],
        ),
        "pairs": (worst.pairs, seats),
        "lefts": (worst.lefts, 2 if is_cyclic else 3),
        "across": (worst.across, 2 if is_cyclic else 4),
        "seats after a cycle": (end.seats, 2 if seats == 4 else 4),
        "seats": (worst.seats, 3 if seats <= 5 else 4),
    }
    for what, (reached, most) in promised.items():
        if reached > most:
            yield f"{entrants} at {seats} seats: {what} {reached}, not {most}"


def golden_row(cycle: Cycle) -> str:
    """Tell a schedule as one row of the golden file."""
    design = cycle.design

    def figures(spreads: Spreads) -> str:
        across = "-" if design.seats % 2 else spreads.across
        return (
            f"{spreads.games:6}{spreads.pairs:6}{spreads.lefts:6}{across:>7}"
            f"{spreads.seats:6}"
        )

    seatings = ";".join(" ".join(map(str, one)) for one in chain(*cycle.rounds))
    digest = sha256(seatings.encode()).hexdigest()[:8]
    head = f"{design.entrants:8}  {design.method:8}{design.tables:6}{design.cycle:7} "
    return f"{head}|{figures(cycle.found.end)} |{figures(cycle.found.worst)} | {digest}"


@pytest.mark.slow
def test_every_schedule_keeps_its_promises(cycles: list[Cycle]) -> None:
    """Every number of entrants and seats gets a schedule that is even enough."""
    assert [] == [problem for cycle in cycles for problem in breaches(cycle)]


def test_a_broken_promise_is_found() -> None:
    """A schedule that seats the same four all the time breaks its promises."""
    design = design_of(12)
    cycle = ((0, 1, 2, 3),) * 11
    found = check(([one] for one in cycle), entrants=12, seats=4)

    assert 8 == len(list(breaches(Cycle(design, (cycle,), found))))


@pytest.mark.slow
def test_what_every_schedule_reaches_is_pinned(
    cycles: list[Cycle], assert_golden: Callable[[str, str], None]
) -> None:
    """The golden file tells how even each schedule is."""
    lines = [HEAD]
    for seats in range(3, 8):
        relations = " games pairs lefts across seats"
        columns = f"entrants  method  tables rounds |{relations} |{relations} | digest"
        rows = [golden_row(one) for one in cycles if one.design.seats == seats]
        lines += [f"Tables of {seats}", "", columns, *rows, ""]

    assert_golden("schedules.txt", "\n".join(lines))


def test_the_tables_of_a_round_share_nobody(cycles: list[Cycle]) -> None:
    """The games of a round can all be played at the same time."""
    for cycle in cycles:
        for tables in cycle.rounds:
            seated = list(chain(*tables))

            assert cycle.design.tables == len(tables)
            assert cycle.design.tables * cycle.design.seats == len(set(seated))


def test_turning_keeps_neighbours_that_colouring_forgets() -> None:
    """Seats that are drawn to be even leave neighbours less so than turned tables."""
    cycle = list(islice(rounds(20), 19))
    free = coloured([seating for tables in cycle for seating in tables])
    turned = balance_of(chain(*cycle), entrants=20).spreads()

    assert Spreads(games=0, pairs=0, lefts=2, across=0, seats=2) == turned
    assert Spreads(0, 0, lefts=3, across=3, seats=1) == (
        balance_of(free, entrants=20).spreads()
    )


@given(
    tables=st.integers(3, 7).flatmap(
        lambda seats: st.lists(
            st.permutations(range(9)).map(lambda order: order[:seats]), min_size=1
        )
    )
)
def test_a_colouring_seats_any_tables_evenly(tables: list[list[int]]) -> None:
    """Whatever the tables, a colouring seats everybody evenly, to one game."""
    seated = coloured(tables)

    assert [set(table) for table in tables] == [set(table) for table in seated]
    assert balance_of(seated, entrants=9).spreads().seats <= 1


def test_a_cycle_of_six_entrants_holds_every_seating_once() -> None:
    """All subsets of four, all cyclic orders and all rotations come in turn."""
    seatings = schedule(6, games=SIX_ENTRANTS_CYCLE)

    assert SIX_ENTRANTS_CYCLE == len(set(seatings))
    assert Spreads(0, 0, 0, 0, 0) == balance_of(seatings, entrants=6).spreads()


@pytest.mark.parametrize(
    ("entrants", "worst"),
    [
        (4, Spreads(0, 0, 2, 2, 2)),
        (5, Spreads(1, 2, 1, 1, 1)),
        (6, Spreads(1, 2, 3, 3, 4)),
        (7, Spreads(1, 2, 3, 3, 3)),
        (8, Spreads(1, 3, 3, 3, 3)),
        (9, Spreads(2, 3, 3, 3, 3)),
    ],
)
def test_every_beginning_of_a_small_league_is_even(
    entrants: int, worst: Spreads
) -> None:
    """Wherever 240 games of a small league stop, nobody is favoured."""
    games = ([seating] for seating in schedule(entrants, games=240))

    assert worst == check(games, entrants=entrants, seats=4).worst


@pytest.mark.parametrize(
    ("entrants", "worst"),
    [
        (10, Spreads(2, 4, 4, 2, 3)),
        (14, Spreads(2, 4, 2, 3, 3)),
        (13, Spreads(1, 3, 1, 1, 3)),
        (16, Spreads(0, 3, 2, 1, 3)),
        (20, Spreads(0, 3, 2, 1, 3)),
    ],
)
def test_further_cycles_make_up_for_the_first(entrants: int, worst: Spreads) -> None:
    """At the end of every round of four cycles the counts are close."""
    cycles = 4 * design_of(entrants).cycle
    found = check(islice(rounds(entrants), cycles), entrants=entrants, seats=4)

    assert worst == found.worst


def test_a_long_league_turns_its_rounds() -> None:
    """After a thousand games the same tables come with turned seats."""
    length = 10 * 2 * 50
    seatings = schedule(10, games=4 * length)
    balance = balance_of(seatings, entrants=10)

    assert seatings[0][1:] + seatings[0][:1] == seatings[length]
    assert [[4 * length * 4 // 40] * 4] * 10 == balance.seats


@pytest.mark.parametrize(("seats", "entrants"), [(4, 12), (7, 7), (7, 12), (8, 10)])
def test_a_long_schedule_stays_even(seats: int, entrants: int) -> None:
    """After 10,000 games meetings differ by a fortieth, neighbours by a tenth."""
    games = 10_000
    seatings = schedule(entrants, games=games, seats=seats)
    meetings = games * seats * (seats - 1) / (entrants * (entrants - 1))
    spreads = balance_of(seatings, entrants=entrants).spreads()

    assert spreads.pairs <= meetings / 40
    assert spreads.lefts <= meetings / (seats - 1) / 10


@pytest.mark.parametrize("seats", range(3, 12))
def test_thirty_entrants_are_scheduled_at_once(seats: int) -> None:
    """No schedule goes through all the sets of thirty entrants."""
    seatings = schedule(30, games=60, seats=seats)

    assert [seats] * 60 == [len(set(seating)) for seating in seatings]


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(
    entrants=st.integers(4, 24),
    games=st.integers(0, 60),
    more=st.integers(0, 30),
    seats=st.integers(3, 11),
)
def test_a_longer_schedule_begins_with_the_shorter_one(
    entrants: int, games: int, more: int, seats: int
) -> None:
    """A league that is prolonged keeps the games that it has."""
    entrants = max(entrants, seats)
    shorter = schedule(entrants, games=games, seats=seats)
    longer = prolonged(shorter, entrants, games=games + more, seats=seats)

    assert shorter == longer[:games]
    assert schedule(entrants, games=games + more, seats=seats) == longer
    for seating in longer:
        assert seats == len(set(seating))
        assert set(seating) <= set(range(entrants))


def test_another_beginning_is_gone_on_with_evenly() -> None:
    """A schedule that began in another way is kept, and its counts made up for."""
    begun = [(0, 1, 2, 3)] * 3
    longer = prolonged(begun, 12, games=30)

    assert begun == longer[:3]
    assert 30 == len(longer)
    assert 0 == balance_of(longer, entrants=12).spreads().games
    assert begun == prolonged(begun, 12, games=2)


def test_counts_are_those_of_a_plain_count() -> None:
    """The running counts equal counts made from the list."""
    seatings = schedule(7, games=50)
    balance = balance_of(seatings, entrants=7)

    for one, other in combinations(range(7), 2):
        both = [seating for seating in seatings if {one, other} <= set(seating)]
        steps = [(s.index(other) - s.index(one)) % 4 for s in both]

        assert len(both) == balance.pairs[one][other]
        assert steps.count(1) == balance.lefts[one][other]
        assert steps.count(2) == balance.across[one][other]
        assert steps.count(3) == balance.lefts[other][one]


def test_seats_turned_later_are_counted_where_they_are() -> None:
    """Counts follow a table that is turned after it was counted."""
    balance = Balance(5, 4)
    balance.add((0, 1, 2, 3))
    balance.sit((0, 1, 2, 3), (3, 0, 1, 2))

    assert balance_of([(3, 0, 1, 2)], entrants=5).seats == balance.seats


def test_too_few_entrants_are_refused() -> None:
    """Three entrants cannot fill four seats."""
    with pytest.raises(ValueError, match="3 entrants cannot fill 4 seats"):
        schedule(3, games=1)


def test_a_negative_number_of_games_is_refused() -> None:
    """There is no schedule of fewer than no games."""
    with pytest.raises(ValueError, match="a schedule of -1 games"):
        schedule(8, games=-1)
