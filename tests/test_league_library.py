"""The store as everybody may see it, through the messages of the service."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.server import Library
from leagues.storage.library import StoreLibrary
from leagues.storage.store import Store
from tests.league_games import league_config, league_spec, played


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with five games of a league of ten, and a league without games."""
    with Store.open(tmp_path, command="a test") as store:
        config = league_config()
        league = store.open_league(config)
        for number in (1, 2, 4, 7, 8):
            store.finish_game("demo", played(league_spec(config, league, number)))
        store.open_league(league_config(name="later", seed=None))
        yield store


def test_leagues_are_listed_newest_first(store: Store) -> None:
    """Each league tells its state, its games and its commitment."""
    library: Library = StoreLibrary(store)
    later, demo = library.leagues().leagues

    assert ("later", "stopped", 0, 10, False) == (
        later.name,
        later.state,
        later.games_finished_count,
        later.games_total_count,
        later.open_deals,
    )
    assert (5, True) == (demo.games_finished_count, demo.open_deals)
    assert store.league("demo").commitment.hex() == demo.commitment


def test_standings_are_those_of_the_store(store: Store) -> None:
    """The rows hold the figures of the standings, the best first."""
    rows = StoreLibrary(store).standings("demo").rows
    expected = store.standings("demo").rows

    assert [row.entrant for row in expected] == [row.entrant for row in rows]
    assert [row.elo for row in expected] == [row.rating for row in rows]
    assert [list(row.places) for row in expected] == [list(row.places) for row in rows]
    assert [row.tier for row in expected if row.tier] == [
        (row.tier_first, row.tier_last) for row in rows if row.tier_first
    ]


def test_intervals_that_nobody_knows_are_absent(store: Store) -> None:
    """An interval that is missing in the standings is missing in the message."""
    rows = StoreLibrary(store).standings("demo").rows
    for row, served in zip(store.standings("demo").rows, rows, strict=True):
        for known, name in (
            (row.half_width, "rating_half_width"),
            (row.points_half_width, "points_half_width"),
        ):
            assert (known is not None) == served.HasField(name)
            assert (known or 0.0) == getattr(served, name)


def test_standings_follow_the_games(store: Store) -> None:
    """They are kept as long as they are right, and no longer."""
    library = StoreLibrary(store)
    before = library.standings("demo")
    config = league_config()

    assert before is library.standings("demo")
    store.finish_game("demo", played(league_spec(config, store.league("demo"), 3)))
    assert 6 == library.standings("demo").league.games_finished_count


def test_games_come_in_pages(store: Store) -> None:
    """A page ends with the token of the next one, the last page without."""
    library = StoreLibrary(store)
    first = library.games("demo", after=0, limit=3)
    second = library.games("demo", after=int(first.next_page_token), limit=3)

    assert [1, 2, 4] == [game.game_number for game in first.games]
    assert [7, 8] == [game.game_number for game in second.games]
    assert ("demo-7", "") == (second.games[0].game_id, second.next_page_token)
    assert list(store.league("demo").seats(7)) == list(second.games[0].seat_names)
    assert not library.games("later", after=0, limit=3).games


def test_records_come_in_pages(store: Store) -> None:
    """Records are those of the store, with their numbers."""
    page = StoreLibrary(store).records("demo", after=2, limit=2)

    assert [(4, store.record("demo", 4)), (7, store.record("demo", 7))] == page


def test_unknown_leagues_are_key_errors(store: Store) -> None:
    """The service turns a `KeyError` into its own error."""
    library = StoreLibrary(store)
    for ask in (
        lambda: library.standings("x"),
        lambda: library.games("x", after=0, limit=1),
        lambda: library.records("x", after=0, limit=1),
    ):
        with pytest.raises(KeyError):
            ask()
