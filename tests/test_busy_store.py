"""A store that another program keeps busy: who waits, for how long, what is told."""

import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from leagues.running.runner import Progress, run_league
from leagues.storage.lock import PassingStoreError
from leagues.storage.patience import OWNER_SECONDS, SHORT_SECONDS, Patience
from leagues.storage.store import Store
from tests.league_games import NAMES, league_config, league_spec, played
from tests.league_server import FakeServer


@pytest.fixture
def holder(store: Store) -> Iterator[sqlite3.Connection]:
    """Another program that has begun to write and goes on."""
    other = sqlite3.connect(
        store.database.path, isolation_level=None, check_same_thread=False
    )
    other.execute("BEGIN IMMEDIATE")
    yield other
    other.close()


class Queue:
    """A file that is busy for some seconds, on a clock of its own."""

    def __init__(self, *, seconds: float) -> None:
        self.now = 100.0
        self.free_at = self.now + seconds
        self.patience = Patience(Path("a.sqlite"), clock=lambda: self.now)
        self.troubles: list[str] = []

    def begin(self) -> None:
        """Wait for a second, as the database does."""
        self.troubles.append(self.patience.trouble)
        if self.now < self.free_at:
            self.now += 1.0
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorname = "SQLITE_BUSY"
            raise error


def test_a_busy_file_is_waited_for_and_told_now_and_then(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The log has a line every ten seconds, and one when it is over."""
    queue = Queue(seconds=30)
    queue.patience.seconds = OWNER_SECONDS
    with caplog.at_level(logging.INFO):
        has_begun = queue.patience.wait(queue.begin)

    assert has_begun
    assert ["busy for 3 s", "busy for 13 s", "busy for 23 s", "is free again"] == [
        record.getMessage()[-len("busy for 13 s") :].lstrip()
        for record in caplog.records
    ]
    assert "" == queue.troubles[0] == queue.patience.trouble
    assert "another program has kept a.sqlite busy for 29 s" == queue.troubles[-2]


@pytest.mark.parametrize("seconds", [SHORT_SECONDS, 0.0])
def test_patience_has_an_end(seconds: float) -> None:
    """After its time, or at once when the process is to end, it is given up."""
    queue = Queue(seconds=30)
    queue.patience.seconds = seconds

    assert not queue.patience.wait(queue.begin)
    assert 100.0 + seconds == queue.now
    assert "" == queue.patience.trouble


def test_who_waits_is_told_that_there_is_no_time_left() -> None:
    """A wait that has begun ends as soon as somebody is in a hurry."""
    queue = Queue(seconds=30)

    def begin() -> None:
        if queue.now >= 104.0:
            queue.patience.hurry()
        queue.begin()

    assert not queue.patience.wait(begin)
    assert 105.0 == queue.now


class Releasing(Patience):
    """Has the other program end as soon as somebody waits for it."""

    def __init__(self, path: Path, other: sqlite3.Connection) -> None:
        super().__init__(path)
        self.other = other
        self.waits = 0

    def _tell(self) -> None:
        self.waits += 1
        self.other.execute("ROLLBACK")


def test_a_result_waits_until_the_file_is_free(
    store: Store, holder: sqlite3.Connection
) -> None:
    """A game that ends while another program writes is stored after that."""
    holder.execute("ROLLBACK")
    config = league_config(games=1)
    record = played(league_spec(config, store.open_league(config), 1))
    holder.execute("BEGIN IMMEDIATE")
    store.database.patience = patience = Releasing(store.database.path, holder)
    store.finish_game("demo", record)

    assert 1 == patience.waits
    assert 1 == store.league("demo").games_finished


def test_a_short_command_says_who_is_in_the_way(
    store: Store, holder: sqlite3.Connection
) -> None:
    """What can't be written now may pass, which the kind of the error says."""
    store.database.patience.hurry()
    with pytest.raises(PassingStoreError, match="another program keeps the file busy"):
        store.open_league(league_config(games=1))

    assert [] == store.leagues()


BUSY = "another program has kept a.sqlite busy for 9 s"


class Busy(Patience):
    """Keeps everybody waiting, as far as one can see, until it is told to end."""

    is_free = False

    @property
    def trouble(self) -> str:
        """Say so."""
        return "" if self.is_free else BUSY


async def test_no_game_starts_while_results_wait(
    store: Store, autojump_clock: MockClock
) -> None:
    """What can't be stored does not pile up, and the host is told why."""
    server = FakeServer()
    server.come(NAMES)
    seen: list[Progress] = []
    notes: list[str] = []
    patience = Busy(store.database.path)
    store.database.patience = patience
    config = league_config(games=4)
    has_begun = trio.Event()

    def note(progress: Progress) -> None:
        seen.append(progress)
        has_begun.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            lambda: run_league(
                server, store, config, on_progress=note, on_note=notes.append
            )
        )
        await has_begun.wait()
        await trio.sleep(25)

        assert [] == server.seeds
        assert {BUSY} == {progress.paused for progress in seen}
        warning = f"warning: {BUSY}; results wait, and no games start"
        assert {warning} == {*notes}
        patience.is_free = True

    assert [] == store.missing_games("demo")
    assert "the file is free again: results are stored" == notes[-1]
    assert SHORT_SECONDS == patience.seconds


async def test_whoever_ends_all_at_once_waits_for_no_file(
    store: Store, autojump_clock: MockClock
) -> None:
    """A run that is cancelled has no patience left, and one that ends has."""
    server = FakeServer()
    server.come(NAMES)
    store.database.patience = patience = Busy(store.database.path)
    with trio.CancelScope() as scope:
        await run_league(
            server,
            store,
            league_config(games=4),
            on_progress=lambda progress: scope.cancel(),
        )

    assert 0.0 == patience.seconds
