"""Planning anew: the games that are left, when entrants come or go.

Nothing that is played is touched, and nothing that has begun: finished games keep
their seatings, and so do the blocks of which any game is finished. All others are
seated by greedy rounds from the counts so far, in the order of their numbers, among
those who take part from now on. So whoever has joined late plays until it has caught
up, and the numbers of the games, which their deals hang on, stay as they are.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import deepcopy
from itertools import chain, islice
from typing import Final

from leagues.blocks import Blocks, in_new_orders, rotations
from leagues.scheduling.balance import Balance, Seating
from leagues.scheduling.greedy import rounds_from
from leagues.scheduling.mixing import mixed
from leagues.scheduling.owners import NO_OWNERS, Owners, OwnersError
from leagues.scheduling.schedule import repeated, schedule
from leagues.scheduling.turns import turned_rounds

__all__ = ["planned_anew"]

_MEETINGS_APART: Final = 3
"""How far meetings are apart, at most, at the end of even rounds."""
_LEVEL_MIN: Final = 1000
"""So many tables make up for what is uneven. What comes later is even by itself, and
planned as soon as any league: to mend 100,000 games would take a minute, and none
begins meanwhile."""
_TURNED_TOGETHER: Final = 200
"""How many tables are turned at a time so that all of them suit each other."""


def planned_anew(
    seatings: Sequence[Seating],
    *,
    kept: Collection[int],
    counted: Collection[int],
    players: Sequence[int],
    entrants: int,
    blocks: Blocks,
    owners: Owners = NO_OWNERS,
    late: Collection[int] = (),
) -> list[Seating]:
    """Seat the games of a league again that are left.

    Args:
        seatings: The games as they were planned, game 1 first.
        kept: The numbers of the games that stay as they are, with their blocks.
        counted: Those of them that count, and so decide who has to catch up.
        players: Who takes part from now on, in the order of the roster.
        entrants: How many there are in all, with those who have withdrawn.
        blocks: Which games are dealt from the same cards.
        owners: Who owns each entrant; two of one owner never meet.
        late: Those of the players who have joined late, and are to catch up first.

    Raises:
        OwnersError: The players can't fill a table.
    """
    seats = len(seatings[0])
    if not owners.tables(players, seats):
        raise owners.cannot_play(players, seats)
    stay = frozenset(map(blocks.block, kept))
    tables = dict(enumerate(seatings[:: blocks.size], start=1))
    counting = [tables[block] for block in sorted(set(map(blocks.block, counted)))]
    left = [block for block in tables if block not in stay]
    counts = _counts(counting, entrants, seats)
    seated = _level(counts, players, owners, most=len(left))
    later = _later(players, owners, tables=len(left) - len(seated), seats=seats)
    counts = _counts(counting, entrants, seats)
    seated = _mixed(counts, seated, players, owners, late)
    if blocks.are_shared:
        begun = [table for block, table in tables.items() if block in stay]
        tables_left = [*seated, *later]
        seated = list(
            in_new_orders(tables_left, entrants=entrants, seats=seats, begun=begun)
        )
    else:
        seated = list(_turned(_counts(counting, entrants, seats), seated))
        seated += later
    anew = {
        number: seating
        for block, table in zip(left, seated, strict=True)
        for number, seating in zip(blocks.games(block), rotations(table), strict=False)
    }
    return [anew.get(number, old) for number, old in enumerate(seatings, start=1)]


def _counts(
    tables: Iterable[Seating],
    entrants: int,
    seats: int,
    *,
    before: Balance | None = None,
) -> Balance:
    """Count tables, after those that are counted already, which stay as they are."""
    counts = Balance(entrants, seats) if before is None else deepcopy(before)
    for table in tables:
        counts.add(table)
    return counts


def _mixed(
    counts: Balance,
    tables: list[Seating],
    players: Sequence[int],
    owners: Owners,
    late: Collection[int],
) -> list[Seating]:
    """Exchange players between tables where meetings would not become even.

    Whoever is late stays in the first ones, and so catches up as soon.
    """
    apart = owners.apart(players)
    ends = _counts(tables, len(counts.games), len(counts.seats[0]), before=counts)
    if ends.spreads(among=players, apart=apart).pairs <= _MEETINGS_APART:
        return tables
    games, until = counts.games.copy(), 0
    others = [player for player in players if player not in late]
    for number, table in enumerate(tables, start=1):
        fewest = min((games[player] for player in others), default=0)
        if any(games[player] < fewest - 1 for player in late):
            until = number
        for player in table:
            games[player] += 1
    return mixed(counts, tables, owners=owners, first=late, until=until)


def _turned(counts: Balance, tables: Sequence[Seating]) -> Iterator[Seating]:
    """Turn tables so that everybody sits in all seats alike, with what was before."""
    for at in range(0, len(tables), _TURNED_TOGETHER):
        some = [[table] for table in tables[at : at + _TURNED_TOGETHER]]
        yield from chain.from_iterable(turned_rounds(counts, some))


def _level(
    counts: Balance, players: Sequence[int], owners: Owners, *, most: int
) -> list[Seating]:
    """Plan tables until all have played as often, and some more; count them."""
    ahead = max(counts.games[player] for player in players)
    behind = sum(ahead - counts.games[player] for player in players)
    # Owners that may not meet can keep some behind for ever.
    most = min(most, _LEVEL_MIN + behind)
    rounds = rounds_from(counts, players, owners=owners, catches_up=True)
    tables: list[Seating] = []
    while len(tables) < most:
        is_level = len({counts.games[player] for player in players}) == 1
        if is_level and len(tables) >= _LEVEL_MIN:
            break
        tables += next(rounds)
    return tables[:most]


def _later(
    players: Sequence[int], owners: Owners, *, tables: int, seats: int
) -> list[Seating]:
    """Plan what comes once all are level: as a league of these players begins."""
    count, own = len(players), Owners(map(owners.of, players))
    try:
        found = schedule(count, games=tables, seats=seats, owners=own)
    except OwnersError:
        # Somebody owns so many that they can't play as often as the others.
        rounds = repeated(
            rounds_from(Balance(count, seats), range(count), owners=own),
            cycle=count,
            tables=own.tables(range(count), seats),
        )
        found = list(islice(chain.from_iterable(rounds), tables))
    return [tuple(players[one] for one in table) for table in found]
