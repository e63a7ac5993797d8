"""Planning anew when entrants come or go: the laws of the pure planner."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.blocks import NONE, ROTATE, blocks_of, planned, rotations
from leagues.replanning import planned_anew
from leagues.scheduling.balance import Seating, balance_of
from leagues.scheduling.greedy import rounds_from
from leagues.scheduling.owners import NO_OWNERS, Owners, OwnersError


@dataclass(frozen=True)
class Case:
    """A league that was begun, and who is there from then on."""

    entrants: int
    """How many began."""
    joining: int
    gone: frozenset[int]
    seats: int
    luck: str
    seatings: tuple[Seating, ...]
    finished: frozenset[int]
    owners: Owners = NO_OWNERS

    @property
    def players(self) -> list[int]:
        """Who takes part from now on."""
        everybody = range(self.entrants + self.joining)
        return [one for one in everybody if one not in self.gone]

    @property
    def kept(self) -> frozenset[int]:
        """The games that stay: those of all blocks that were begun."""
        blocks = blocks_of(self.luck, seats=self.seats)
        begun = set(map(blocks.block, self.finished))
        return frozenset(n for block in begun for n in blocks.games(block))

    def anew(self) -> list[Seating]:
        """Plan the rest anew."""
        return planned_anew(
            self.seatings,
            kept=self.finished,
            counted=self.finished,
            players=self.players,
            entrants=self.entrants + self.joining,
            blocks=blocks_of(self.luck, seats=self.seats),
            owners=self.owners,
            late=range(self.entrants, self.entrants + self.joining),
        )


def league(
    entrants: int,
    *,
    games: int,
    finished: int,
    joining: int = 0,
    gone: tuple[int, ...] = (),
    luck: str = NONE,
    owners: Owners = NO_OWNERS,
) -> Case:
    """A league at tables of four whose first games are finished."""
    seatings = planned(entrants, games=games, seats=4, luck=luck, owners=owners)
    numbers = frozenset(range(1, 1 + finished))
    return Case(
        entrants, joining, frozenset(gone), 4, luck, tuple(seatings), numbers, owners
    )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Any league, at any moment, with anybody coming and going."""
    seats = draw(st.integers(3, 5))
    entrants = draw(st.integers(seats, 14))
    joining = draw(st.integers(0, 4))
    gone = draw(st.sets(st.integers(0, entrants - 1), max_size=3))
    if entrants + joining - len(gone) < seats:
        gone = set()
    luck = draw(st.sampled_from([NONE, ROTATE]))
    games = seats * draw(st.integers(1, 20))
    seatings = planned(entrants, games=games, seats=seats, luck=luck)
    finished = draw(st.sets(st.integers(1, games)))
    return Case(
        entrants=entrants,
        joining=joining,
        gone=frozenset(gone),
        seats=seats,
        luck=luck,
        seatings=tuple(seatings),
        finished=frozenset(finished),
    )


@settings(deadline=None, max_examples=60)
@given(case=cases())
def test_what_is_finished_stays_and_the_rest_is_for_those_who_are_there(
    case: Case,
) -> None:
    """Begun blocks keep their seatings, and no other game seats who is gone."""
    anew = case.anew()
    everybody = set(case.players)

    assert len(case.seatings) == len(anew)
    for number, seating in enumerate(anew, start=1):
        if number in case.kept:
            assert case.seatings[number - 1] == seating
        else:
            assert set(seating) <= everybody
        assert case.seats == len(set(seating))


@settings(deadline=None, max_examples=40)
@given(case=cases())
def test_rotated_blocks_stay_whole(case: Case) -> None:
    """All games of a block are the rotations of its first one, kept or planned anew."""
    anew = case.anew()
    if case.luck == ROTATE:
        for at in range(0, len(anew), case.seats):
            assert rotations(anew[at]) == anew[at : at + case.seats]


@settings(deadline=None, max_examples=40)
@given(case=cases(), order=st.randoms(use_true_random=False))
def test_a_plan_depends_on_counts_and_roster_alone(
    case: Case, order: random.Random
) -> None:
    """In which order games were played, and what was planned instead, is all one."""
    assert case.anew() == case.anew()
    if case.luck == ROTATE:
        return
    # The same counts, in another order, before the same number of other games.
    done = [case.seatings[n - 1] for n in sorted(case.finished)]
    order.shuffle(done)
    filler = tuple(range(case.seats))
    other = Case(
        case.entrants,
        case.joining,
        case.gone,
        case.seats,
        case.luck,
        (*done, *[filler] * (len(case.seatings) - len(done))),
        frozenset(range(1, 1 + len(done))),
    )
    left = [n for n in range(1, 1 + len(case.seatings)) if n not in case.finished]
    plan = case.anew()

    assert [plan[n - 1] for n in left] == other.anew()[len(done) :]


@settings(deadline=None, max_examples=60)
@given(
    entrants=st.integers(5, 16),
    rounds=st.integers(1, 12),
    luck=st.sampled_from([NONE, ROTATE]),
)
def test_a_late_joiner_plays_every_game_until_it_is_level(
    entrants: int, rounds: int, luck: str
) -> None:
    """S-7: whoever joins sits out nothing until its games are within one of others'."""
    size = 4 if luck == ROTATE else 1
    finished = rounds * (entrants // 4) * size
    case = league(
        entrants, games=finished + 60 * size, finished=finished, joining=1, luck=luck
    )
    plan = case.anew()[::size]
    counts = Counter(bot for table in plan[: finished // size] for bot in table)
    for table in plan[finished // size :]:
        fewest = min(counts[bot] for bot in range(entrants))
        if counts[entrants] < fewest - 1:
            assert entrants in table
        counts.update(table)


@pytest.mark.parametrize("joining", [1, 2, 3, 4, 5, 9, 13])
def test_several_that_join_are_in_every_round_until_they_are_level(
    joining: int,
) -> None:
    """S-7: however many join, each of them sits out nothing until it is level."""
    case = league(13, games=130, finished=130)
    balance = balance_of(case.seatings, entrants=13)
    late = [balance.join() for _ in range(joining)]
    for seatings in rounds_from(balance, range(13 + joining), catches_up=True):
        # They are counted already.
        seated = {bot for table in seatings for bot in table}
        before = [games - (bot in seated) for bot, games in enumerate(balance.games)]
        behind = {bot for bot in late if before[bot] < min(before[:13]) - 1}
        assert behind <= seated
        if not behind:
            break


def test_four_that_join_late_do_not_only_meet_each_other() -> None:
    """Games catch up without those who are behind filling all tables themselves."""
    case = league(13, games=260, finished=130, joining=4)
    anew = case.anew()
    balance = balance_of(anew, entrants=17)
    late = range(13, 17)
    alone = [table for table in anew[130:] if set(table) == set(late)]
    met = max(balance.pairs[a][b] for a in late for b in late if a != b)
    others = min(balance.pairs[a][b] for a in late for b in range(13))

    assert len(alone) <= 6
    assert met <= 3 * others
    assert balance.spreads(among=range(13)).pairs <= 3


@settings(deadline=None, max_examples=40)
@given(
    sizes=st.lists(st.integers(1, 3), min_size=6, max_size=8),
    joining=st.sampled_from(["", "owner 0", "owner 1"]),
    finished=st.integers(0, 40),
)
def test_bots_of_one_owner_do_not_meet_in_games_that_are_planned_anew(
    sizes: list[int], joining: str, finished: int
) -> None:
    """Whoever joins is kept apart from its owner's bots like everybody."""
    names = [f"owner {at}" for at, size in enumerate(sizes) for _ in range(size)]
    if max(sizes) > len(names) // 4:
        return
    case = league(
        len(names), games=60, finished=finished, joining=1, owners=Owners(names)
    )
    owners = Owners([*names, joining])
    apart = owners.apart(range(len(names) + 1))
    anew = planned_anew(
        case.seatings,
        kept=case.finished,
        counted=case.finished,
        players=case.players,
        entrants=len(names) + 1,
        blocks=blocks_of(NONE, seats=4),
        owners=owners,
    )

    for seating in anew[finished:]:
        assert not any(pair <= set(seating) for pair in apart)


@pytest.mark.parametrize(("games", "finished", "most"), [(338, 150, 7), (182, 70, 4)])
def test_meetings_become_even_whatever_was_finished_first(
    games: int, finished: int, most: int
) -> None:
    """Where the games of quick bots have ended first, that is made up for."""
    seatings = planned(13, games=games, seats=4, luck=NONE)
    quick = set(range(8))
    order = sorted(
        range(1, games + 1),
        key=lambda number: -len(quick.intersection(seatings[number - 1])),
    )
    done = frozenset(order[:finished])
    before = balance_of([seatings[n - 1] for n in done], entrants=13).spreads()
    case = Case(13, 1, frozenset({4}), 4, NONE, tuple(seatings), done)
    after = balance_of(case.anew(), entrants=14).spreads(among=case.players)

    assert before.pairs > 3 * most
    assert after.games <= 2
    assert after.pairs <= most
    assert after.seats <= 2


def test_too_few_for_a_table_are_refused() -> None:
    """Where nobody is left to fill a table the planner says so."""
    with pytest.raises(OwnersError, match="3 bots cannot fill 4 seats"):
        league(5, games=20, finished=5, gone=(1, 2)).anew()


@pytest.mark.parametrize("luck", [NONE, ROTATE])
def test_thirteen_with_a_joiner_and_a_withdrawal_end_even(luck: str) -> None:
    """Half-way one comes and one goes: games within one, meetings within three."""
    size = 4 if luck == ROTATE else 1
    case = league(
        13,
        games=390 * size,
        finished=195 * size,
        joining=1,
        gone=(4,),
        luck=luck,
    )
    tables = case.anew()[::size]
    # Of the last round, which has three tables, some may be missing.
    ends = [balance_of(tables[:end], entrants=14) for end in (390, 389, 388)]
    spreads = [balance.spreads(among=case.players) for balance in ends]

    assert 1 >= min(spread.games for spread in spreads)
    assert spreads[0].games <= 2
    assert spreads[0].pairs <= 3
    assert max(spreads[0].lefts, spreads[0].across) <= (3 if luck == NONE else 5)
    assert {60} == {balance.games[4] for balance in ends}


def test_no_order_comes_again_before_all_have_been_played() -> None:
    """At six cyclic orders of a table, what was rotated before is seated otherwise."""
    case = league(
        5, games=4 * 5 * 4, finished=4 * 5 * 2, gone=(4,), joining=0, luck=ROTATE
    )
    anew = case.anew()[::4]
    orders: dict[frozenset[int], list[Seating]] = {}
    for table in anew:
        first = table.index(min(table))
        orders.setdefault(frozenset(table), []).append(table[first:] + table[:first])
    for found in orders.values():
        for at in range(0, len(found), 6):
            assert len(found[at : at + 6]) == len(set(found[at : at + 6]))


def test_a_long_league_is_planned_anew_soon() -> None:
    """Once all are level the same rounds come again, turned, as in any long league."""
    case = league(8, games=12_000, finished=1_000, joining=1)
    anew = case.anew()
    balance = balance_of(anew, entrants=9)

    assert balance.spreads().games <= 2
    assert len(set(anew[2_000:])) < len(anew[2_000:])
