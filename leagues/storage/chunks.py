"""The schedule of a ladder in the store: in chunks, so that a long one grows quickly.

A chunk holds a thousand games, so adding some writes some kilobytes, however many
there are. Games that have not begun may get others in their seats.
"""

import json
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from leagues.scheduling.balance import Seating
from leagues.storage import schema

__all__ = ["CHUNK_GAMES", "read_chunks", "write_games"]

CHUNK_GAMES: Final = 1000
_CACHED_MAX: Final = 256


def read_chunks(connection: sa.Connection, league_id: int) -> tuple[Seating, ...]:
    """Return all seatings of a ladder, game 1 first; none for any other league."""
    table = schema.chunks
    query = (
        sa.select(table.c.schedule)
        .where(table.c.league_id == league_id)
        .order_by(table.c.number)
    )
    return _joined(tuple(connection.execute(query).scalars()))


def write_games(
    connection: sa.Connection, league_id: int, games: Mapping[int, Seating]
) -> None:
    """Add games to a schedule, or seat some of it anew.

    Args:
        connection: Of a transaction that writes.
        league_id: The ladder.
        games: By number; new ones follow the last one without a gap.
    """
    table = schema.chunks
    by_chunk: defaultdict[int, dict[int, Seating]] = defaultdict(dict)
    for number, seating in games.items():
        chunk, at = divmod(number - 1, CHUNK_GAMES)
        by_chunk[chunk][at] = seating
    for chunk, seatings in by_chunk.items():
        query = sa.select(table.c.schedule).where(
            table.c.league_id == league_id, table.c.number == chunk
        )
        packed = connection.execute(query).scalar()
        kept = list(_unpacked(packed)) if packed is not None else []
        for at in sorted(seatings):
            assert at <= len(kept), f"game {at} of chunk {chunk} leaves a gap"
            kept[at : at + 1] = [seatings[at]]
        row = {
            "league_id": league_id,
            "number": chunk,
            "schedule": _packed(kept),
        }
        connection.execute(
            insert(table)
            .values(row)
            .on_conflict_do_update(
                index_elements=["league_id", "number"],
                set_={"schedule": row["schedule"]},
            )
        )


def _packed(seatings: Sequence[Seating]) -> bytes:
    return zlib.compress(json.dumps(seatings, separators=(",", ":")).encode())


@lru_cache(maxsize=_CACHED_MAX)
def _unpacked(packed: bytes) -> tuple[Seating, ...]:
    return tuple(map(tuple, json.loads(zlib.decompress(packed))))


@lru_cache(maxsize=8)
def _joined(chunks: tuple[bytes, ...]) -> tuple[Seating, ...]:
    return tuple(chain.from_iterable(map(_unpacked, chunks)))
