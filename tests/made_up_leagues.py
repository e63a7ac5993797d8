"""Leagues that were never played: results drawn at random, for tests of reports."""

import random
from collections.abc import Mapping, Sequence

from arena.record import Fault, GivenUp
from leagues.results import GameResult, SeatResult
from leagues.standings import LeagueFacts

NAMES = ("ada", "bea", "careful", "dan", "eve", "flo")


def facts_of(names: Sequence[str], *, players: int = 4) -> LeagueFacts:
    """What is said of a made-up league."""
    return LeagueFacts(
        name="friday",
        state="finished",
        entrants=tuple(names),
        players=players,
        tricks=13,
        has_moon=True,
        has_queen=True,
        rules="arena",
        rules_hash="ab" * 32,
        games_planned=1000,
        commitment="cd" * 32,
        practice_seed="2026",
        anchor="careful",
    )


def made_up(
    seed: int,
    *,
    games: int = 60,
    names: Sequence[str] = NAMES,
    players: int = 4,
    rotations: int = 1,
    skill: Mapping[str, float] | None = None,
    seat_bonus: Sequence[float] = (),
) -> list[GameResult]:
    """Draw the results of a league.

    Args:
        seed: The same one gives the same results.
        games: How many there are.
        names: Who takes part.
        players: How many sit at a table.
        rotations: So many games in a row have the same bots and one block.
        skill: How many points a deal a bot takes fewer; by default all are equal.
        seat_bonus: How many points a deal each seat takes fewer, for whatever bot.
    """
    chance = random.Random(seed)
    results = []
    for number in range(1, games + 1):
        turn = (number - 1) % rotations
        if not turn:
            order = chance.sample(list(names), players)
        seated = order[turn:] + order[:turn]
        deals = chance.randint(4, 9)
        points = []
        for seat, name in enumerate(seated):
            mean = 7 - (skill or {}).get(name, 0)
            mean -= seat_bonus[seat] if seat_bonus else 0
            points.append(max(0, round(chance.gauss(mean * deals, 6 * deals**0.5))))
        block = (number - 1) // rotations + 1
        results.append(_game(number, block, deals, seated, points))
    return results


def with_faults(results: Sequence[GameResult], seed: int) -> list[GameResult]:
    """Strew faults and given-up seats over results."""
    chance = random.Random(seed)
    strewn = []
    for game in results:
        faults = [
            Fault(
                deal=1,
                kind=chance.choice(("late", "illegal", "away")),
                offered="",
                reason="",
                seat=seat,
                trick=2,
            )
            for seat in range(len(game.seats))
            for _ in range(chance.choice((0, 0, 0, 1, 3)))
            if game.seats[seat].entrant in ("bea", "eve")
        ]
        seats = {fault.seat for fault in faults}
        given_up = tuple(
            GivenUp(cause="faults", deal=2, seat=seat, trick=1)
            for seat in sorted(seats)
            if sum(fault.seat == seat for fault in faults) == 3
        )
        strewn.append(
            GameResult(
                number=game.number,
                block=game.block,
                deals=game.deals,
                seats=game.seats,
                faults=tuple(faults),
                given_up=given_up,
                record_hash=game.record_hash,
            )
        )
    return strewn


def _game(
    number: int, block: int, deals: int, seated: Sequence[str], points: Sequence[int]
) -> GameResult:
    seats = tuple(
        SeatResult(
            entrant=name,
            version="1",
            total=taken,
            place=1 + sum(other < taken for other in points),
            points=taken,
            moons=0,
            queens=0,
        )
        for name, taken in zip(seated, points, strict=True)
    )
    return GameResult(
        number=number,
        block=block,
        deals=deals,
        seats=seats,
        faults=(),
        given_up=(),
        record_hash=f"{number:064x}",
    )
