"""Schedules in chunks: a long one grows quickly, and what has not begun may change."""

import pytest
import sqlalchemy as sa

from leagues.scheduling.balance import Seating
from leagues.storage import schema
from leagues.storage.bots import add_bot, revoke_bot
from leagues.storage.chunks import CHUNK_GAMES
from leagues.storage.store import Store
from tests.ladder_runs import ladder


@pytest.fixture(autouse=True)
def _open(store: Store) -> None:
    """Every test has a ladder."""
    store.open_league(ladder())


def seating(number: int) -> Seating:
    """Some seating for each number."""
    at = number % 4
    return (at, (at + 1) % 4, (at + 2) % 4, (at + 3) % 4)


def grow(store: Store, first: int, last: int) -> None:
    """Plan some games."""
    games = {number: seating(number) for number in range(first, last + 1)}
    store.plan_games("open", games, joining={})


def test_games_come_one_after_the_other(store: Store) -> None:
    """Across the edges of chunks nothing is lost, and others see it too."""
    last = 0
    for count in (1, 3, CHUNK_GAMES - 5, 2, 2 * CHUNK_GAMES + 1):
        grow(store, last + 1, last + count)
        last += count
    expected = tuple(map(seating, range(1, last + 1)))
    with store.database.read() as connection:
        rows = connection.execute(sa.select(sa.func.count(schema.chunks.c.number)))
        chunks = rows.scalar_one()

    assert expected == store.league("open").seatings
    assert -(-last // CHUNK_GAMES) == chunks
    with Store.open_read_only(store.directory) as other:
        assert expected == other.league("open").seatings


def test_games_get_others_in_their_seats(store: Store) -> None:
    """Also in an earlier chunk than the last one, beside games that are new."""
    grow(store, 1, CHUNK_GAMES + 10)
    last = CHUNK_GAMES + 11
    changed = {7: (3, 2, 1, 0), CHUNK_GAMES: (2, 3, 0, 1), last: (0, 2, 1, 3)}
    league = store.plan_games("open", changed, joining={})

    for number in range(1, last + 1):
        assert changed.get(number, seating(number)) == league.seatings[number - 1]


def test_a_gap_is_a_fault_of_the_arena(store: Store) -> None:
    """A number is given to the next game and to no other."""
    with pytest.raises(AssertionError, match="leaves a gap"):
        store.plan_games("open", {2: seating(2)}, joining={})


def test_a_store_of_the_version_before_gets_ladders(store: Store) -> None:
    """What is in it stays, and a ladder can be played from then on."""
    with store.database.write() as connection:
        connection.exec_driver_sql("DROP TABLE chunks")
        connection.execute(sa.update(schema.schema_version).values(version=5))
    store.close()
    with Store.open(store.directory, command="a test") as opened:
        grow(opened, 1, 3)
        with opened.database.read() as connection:
            query = sa.select(schema.schema_version.c.version)
            now = connection.execute(query).scalar_one()

        assert (schema.VERSION, 3) == (now, len(opened.league("open").seatings))


def test_a_name_that_changes_hands_stops_no_ladder(store: Store) -> None:
    """Who has joined keeps its owner, whoever gets the next token of that name."""
    add_bot(store, "ada", owner="Ann")
    store.plan_games("open", {1: (0, 1, 2, 4)}, joining={"ada": "Ann"})
    revoke_bot(store, "ada")
    add_bot(store, "ada", owner="Bob")

    assert "Ann" == store.open_league(ladder()).owners["ada"]
