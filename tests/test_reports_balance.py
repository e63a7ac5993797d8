"""The report on the balance: its counts by hand, and who came and went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.blocks import planned
from leagues.reports.document import Report
from leagues.reports.kinds import OF_RESULTS
from leagues.reports.source import source_of
from leagues.results import GameResult
from leagues.scheduling.balance import AIM_APART, Balance, Seating, kinds_of_pairs
from leagues.scheduling.owners import Owners
from tests.made_up_leagues import NAMES, facts_of, made_up


def report(
    results: Iterable[GameResult], names: Iterable[str] = NAMES, **facts: object
) -> Report:
    """The report on made-up results."""
    made = replace(facts_of(tuple(names)), **facts)  # type: ignore[arg-type]
    return OF_RESULTS["balance"](source_of(made, results))


def seated(seatings: Iterable[Seating], *, size: int = 1) -> list[GameResult]:
    """Results of a schedule."""
    drawn = made_up(1, games=len(list(seatings := list(seatings))))
    return [
        replace(
            game,
            block=(game.number - 1) // size + 1,
            seats=tuple(
                replace(seat, entrant=f"bot{one}")
                for seat, one in zip(game.seats, seating, strict=True)
            ),
        )
        for game, seating in zip(drawn, seatings, strict=True)
    ]


def rows(made: Report, entrant: str = "") -> dict[str, Mapping[str, Any]]:
    """The rows of an entrant, or of all who were there all along, by kind."""
    found = [row for row in made.data.objects() if row["entrant"] == entrant]
    return {row["kind"]: row for row in found}


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 999), games=st.integers(20, 80))
def test_counts_are_those_of_a_plain_count(seed: int, games: int) -> None:
    """Games, meetings, left neighbours, opposites and seats, least and most of each."""
    results = made_up(seed, games=games)
    tables = [[seat.entrant for seat in game.seats] for game in results]
    plain: dict[str, Counter[Any]] = {
        "games": Counter(chain(*tables)),
        "pairs": Counter(frozenset(p) for t in tables for p in combinations(t, 2)),
        "lefts": Counter((t[at - 1], t[at]) for t in tables for at in range(4)),
        "across": Counter(frozenset(t[at::2]) for t in tables for at in (0, 1)),
        "seats": Counter((t[at], at) for t in tables for at in range(4)),
    }
    keys: dict[str, list[Any]] = {
        "games": list(NAMES),
        "pairs": [frozenset(pair) for pair in combinations(NAMES, 2)],
        "lefts": [(a, b) for a in NAMES for b in NAMES if a != b],
        "across": [frozenset(pair) for pair in combinations(NAMES, 2)],
        "seats": [(name, seat) for name in NAMES for seat in range(4)],
    }
    made = rows(report(results))

    assert plain.keys() == made.keys()
    for kind, row in made.items():
        counts = [plain[kind][key] for key in keys[kind]]
        assert (min(counts), max(counts)) == (row["least"], row["most"])
    own = [[plain["seats"][name, seat] for seat in range(4)] for name in NAMES]
    assert made["seats"]["apart"] == max(max(some) - min(some) for some in own)


def test_a_planned_league_is_even() -> None:
    """Thirteen that have played three cycles are as a schedule makes them."""
    results = seated(planned(13, games=117, seats=4, luck="none"))
    made = report(results, [f"bot{one}" for one in range(13)], games_planned=117)

    assert (
        "Even: between all nothing is further apart than it should be." == made.summary
    )


def test_blocks_are_counted_once() -> None:
    """Four rotations are one table, and nothing is said of seats."""
    seatings = planned(6, games=120, seats=4, luck="rotate")
    made = report(seated(seatings, size=4), [f"bot{one}" for one in range(6)])

    assert {"games", "pairs", "lefts", "across"} == rows(made).keys()
    assert 20 == rows(made)["games"]["most"]


def test_blocks_that_are_not_whole_are_counted_game_by_game() -> None:
    """What is missing of them is missing in games and in seats."""
    seatings = planned(5, games=80, seats=4, luck="rotate")
    games = seated(seatings, size=4)
    some = [one for one in games if one.block <= 4 or one.number % 4 == 1]
    made = report(some, [f"bot{one}" for one in range(5)], luck="rotate")
    played = Counter(seat.entrant for one in some for seat in one.seats)
    sat = Counter(
        (seat.entrant, at) for one in some for at, seat in enumerate(one.seats)
    )
    counted = rows(made)

    assert "16 of 20 blocks are not whole, so games are counted" in made.summary
    assert min(played.values()) == counted["games"]["least"]
    assert max(played.values()) == counted["games"]["most"]
    assert max(sat.values()) == counted["seats"]["most"]
    assert (
        min(sat[f"bot{b}", at] for b in range(5) for at in range(4))
        == (counted["seats"]["least"])
    )
    assert "everybody sits in every seat equally often" not in " ".join(made.notes)


def test_who_came_and_went_is_told_by_itself() -> None:
    """The others are compared among each other, and each of these with them."""
    results = seated(planned(6, games=60, seats=4, luck="none"))
    names = [f"bot{one}" for one in range(6)]
    moves = {"bot4": "joined late", "bot5": "withdrew"}
    made = report(results, names, came_and_went=moves)
    whole, late = rows(made), rows(made, "bot4")

    assert made.summary.endswith(
        "bot4 joined late and has played 40 games, as many as those who were there all "
        "along. "
        "bot5 withdrew and has played 40 games."
    )
    assert whole["games"]["aim"] == 2
    assert late["pairs"]["most"] <= max(
        sum({"bot4", other} <= {s.entrant for s in game.seats} for game in results)
        for other in names[:4]
    )
    assert {"joined late"} == {row["status"] for row in late.values()}


def test_who_has_not_caught_up_is_told() -> None:
    """With how many games fewer than anybody else."""
    seatings = planned(5, games=30, seats=4, luck="none")
    some = [seating for seating in seatings if 4 not in seating]
    more = [seating for seating in seatings if 4 in seating][:3]
    results = seated([*some, *some, *more])
    moves = {"bot4": "joined late"}
    made = report(results, [f"bot{one}" for one in range(5)], came_and_went=moves)
    least = rows(made)["games"]["least"]

    assert (
        f"has played 3 games, {least - 3} fewer than any who was there" in made.summary
    )


def test_bots_of_one_owner_and_who_is_excluded_spoil_nothing() -> None:
    """Who may not meet is not compared, and of who is excluded what it has cost."""
    results = made_up(1, games=90, names=NAMES[:5])
    apart = [
        game
        for game in results
        if not {"ada", "bea"} <= {seat.entrant for seat in game.seats}
    ]
    owners = {"ada": "ann", "bea": "ann"}
    moves = {"flo": "was excluded"}
    made = report(apart, owners=owners, came_and_went=moves, excluded_games=7)
    one = report(apart[:20], came_and_went=moves, excluded_games=1)

    assert 0 < rows(made)["pairs"]["least"]
    assert {} == rows(made, "flo")
    assert "flo was excluded, so that 7 games do not count" in made.summary
    assert one.summary.startswith("Not quite even")
    assert one.summary.endswith(
        "flo was excluded, so that 1 game does not count, which may be why."
    )


@pytest.mark.parametrize("luck", ["none", "rotate"])
def test_owners_do_not_make_a_league_uneven(luck: str) -> None:
    """What follows from bots that never meet is allowed, pair by pair of a kind."""
    names = [f"bot{one}" for one in range(9)]
    owners = {"bot0": "Ada L.", "bot1": "Ada L."}
    seatings = planned(
        9,
        games=432,
        seats=4,
        luck=luck,
        owners=Owners([owners.get(name, "") for name in names]),
    )
    size = 4 if luck == "rotate" else 1
    made = report(seated(seatings, size=size), names, owners=owners)
    pairs = rows(made)["pairs"]

    assert pairs["apart"] <= pairs["aim"] < pairs["most"] - pairs["least"]
    assert made.summary == (
        "Even: between all nothing is further apart than it should be. bot0 and bot1 "
        "(Ada L.) never meet, so they meet others more often."
    )
    assert "between pairs of a kind" in " ".join(made.notes)


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("sizes", [[2], [2, 2], [3, 2]])
def test_what_is_allowed_of_owners_is_what_schedules_keep(
    seats: int, sizes: list[int]
) -> None:
    """At the end of every round, as far as counts are told apart by kind of pair."""
    names = list(chain(*([f"owner {size} {n}"] * size for n, size in enumerate(sizes))))
    owners = Owners(names + [""] * (15 - len(names)))
    apart = owners.apart(range(15))
    pairs = kinds_of_pairs(range(15), range(15), apart)
    found = Balance(15, seats)
    for number, seating in enumerate(
        planned(15, games=150, seats=seats, luck="none", owners=owners), start=1
    ):
        found.add(seating)
        if number % (15 // seats) == 0:
            for rows_, aim in (
                (found.pairs, AIM_APART.pairs),
                (found.lefts, AIM_APART.lefts),
                (found.across, AIM_APART.across),
            ):
                for kind in pairs:
                    counts = [rows_[one][other] for one, other in kind]
                    assert max(counts) - min(counts) <= aim
            assert max(found.games) - min(found.games) <= AIM_APART.games
            assert all(max(s) - min(s) <= AIM_APART.seats for s in found.seats)


def test_pairs_of_a_kind_are_still_judged_where_owners_are() -> None:
    """Who meets one of the others far more often is told, whoever owns what."""
    names = [f"bot{one}" for one in range(9)]
    owners = {"bot0": "Ada L.", "bot1": "Ada L."}
    tables = [(0, 2, 3, 4), (1, 5, 6, 7), (8, 2, 3, 4), (0, 5, 6, 7)] * 9
    made = report(seated(tables), names, owners=owners)
    pairs = rows(made)["pairs"]

    assert (18, 4) == (pairs["apart"], pairs["aim"])
    assert "Not quite even" in made.summary


def test_versions_are_one_bot() -> None:
    """A schedule knows bots and not their versions."""
    results = [
        replace(
            game,
            seats=tuple(
                replace(seat, entrant=f"{seat.entrant}@{game.number % 2}")
                for seat in game.seats
            ),
        )
        for game in made_up(3, games=40)
    ]

    assert rows(report(made_up(3, games=40))) == rows(report(results))


@pytest.mark.parametrize("results", [[], made_up(1, games=1)])
def test_little_is_told_of_little(results: list[GameResult]) -> None:
    """Without games, or with one, there is a report all the same."""
    made = report(results)
    expected = "No game counts yet." if not results else "Even: between all"

    assert made.summary.startswith(expected)
