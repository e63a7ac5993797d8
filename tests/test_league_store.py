"""The store: leagues, games and bots on disk, under failure too."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
import sqlalchemy as sa

from arena.record import read_record, seal
from arena.substitution import substitute
from arena.verify import verify
from leagues.results import result_of
from leagues.seeds import (
    RETRIES_MAX,
    RUNS_MAX,
    attempt_number,
    commitment,
    practice_secret,
)
from leagues.storage import schema
from leagues.storage.lock import is_owned
from leagues.storage.store import LeagueChanged, Store, StoreError, StoreLocked
from tests.league_games import league_config, league_spec, played

NOBODY = 65534
"""A user without rights."""


def test_a_league_is_created_once(store: Store) -> None:
    """Opening a league again goes on with the same secret and schedule."""
    first = store.open_league(league_config(seed=None))
    again = store.open_league(league_config(seed=None))

    assert first == again
    assert ("stopped", 0, 0) == (first.state, first.run, first.games_finished)
    assert 32 == len(first.secret)
    assert repr(first.secret) not in repr(first)
    assert first.secret != store.open_league(league_config(name="b", seed=None)).secret


def test_an_open_league_has_the_secret_of_its_seed(store: Store) -> None:
    """Everybody can compute the secret of an open league from its practice seed."""
    league = store.open_league(league_config(seed="x"))

    assert sha256(b"hearts/1/practicex").digest() == league.secret
    assert practice_secret("x") == league.secret


def test_the_commitment_follows_its_definition(store: Store) -> None:
    """Whoever learns the secret can work the commitment out by hand."""
    config = league_config(seed=None, games=3)
    league = store.open_league(config)
    document = {
        "league": "demo",
        "roster": ["careful", "fox", "lowest", "dares", "ducker"],
        "rules": {
            "hash": config.rules.hash,
            "overrides": {"target": "10"},
            "players": 4,
            "preset": "arena",
        },
        "schedule": [list(seating) for seating in league.seatings],
    }
    text = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()

    assert sha256(b"hearts/1/commitment" + league.secret + text).digest() == (
        league.commitment
    )
    assert league.commitment == commitment(league.secret, config, league.seatings)


def test_a_changed_file_is_refused_with_what_changed(store: Store) -> None:
    """Other rules under the same name are an error that says so."""
    config = league_config()
    store.open_league(config)
    other = replace(config, faults_max=5, tables_max=3)

    with pytest.raises(LeagueChanged, match=r"faults_max: 3 -> 5 \(refused\)"):
        store.open_league(other)
    assert 0 == store.league("demo").values["tables_max"]


def test_a_file_may_change_in_what_decides_nothing(store: Store) -> None:
    """Another number of tables is taken up, and the league stays."""
    config = league_config()
    before = store.open_league(config)
    after = store.open_league(replace(config, tables_max=3))

    assert 3 == after.values["tables_max"]
    assert (before.secret, before.seatings) == (after.secret, after.seatings)


def test_an_open_league_grows(store: Store) -> None:
    """More games come after those that are planned; a finished league goes on."""
    config = league_config(games=2)
    league = store.open_league(config)
    for number in (1, 2):
        store.finish_game("demo", played(league_spec(config, league, number)))
    store.stop_run("demo")
    longer = store.open_league(replace(config, games=4))

    assert league.seatings == longer.seatings[:2]
    assert "stopped" == longer.state
    assert [3, 4] == store.missing_games("demo")


def test_unknown_leagues_are_key_errors(store: Store) -> None:
    """A league that does not exist is a `KeyError` everywhere."""
    with pytest.raises(KeyError):
        store.league("x")
    with pytest.raises(KeyError):
        store.standings("x")
    with pytest.raises(KeyError):
        list(store.records("x"))


def test_a_finished_game_is_stored_once(store: Store) -> None:
    """A second record of the same game changes nothing."""
    config = league_config(seed=None)
    league = store.open_league(config)
    record = played(league_spec(config, league, 3))
    second = played(league_spec(config, league, 3, retry=1))

    assert store.finish_game("demo", record)
    assert not store.finish_game("demo", second)
    assert [result_of(record)] == store.results("demo")
    assert [1, 2, *range(4, 11)] == store.missing_games("demo")
    assert 1 == store.league("demo").games_finished


def test_the_database_itself_refuses_a_second_game(store: Store) -> None:
    """No two games of a league can have the same number, whoever writes them."""
    config = league_config()
    league = store.open_league(config)
    store.finish_game("demo", played(league_spec(config, league, 1)))
    columns = [c.name for c in schema.games.c if c.name != "id"]
    copy = sa.insert(schema.games).from_select(
        columns, sa.select(*[schema.games.c[name] for name in columns])
    )

    with (
        pytest.raises(StoreError, match="UNIQUE"),
        store.database.write() as connection,
    ):
        connection.execute(copy)


def test_results_come_back_from_the_tables(store: Store) -> None:
    """Faults and given-up seats in the tables are those of the records."""
    config = league_config()
    league = store.open_league(config)
    records = [
        played(league_spec(config, league, n), unsteady=frozenset({"fox"}))
        for n in range(1, 11)
    ]
    for record in reversed(records):
        store.finish_game("demo", record)

    assert [result_of(record) for record in records] == store.results("demo")
    assert any(record.given_up for record in records)
    assert 10 == store.standings("demo").games_finished


def test_records_come_back_whole(store: Store) -> None:
    """Records are returned in the order of numbers, and they are right."""
    config = league_config()
    league = store.open_league(config)
    for number in (5, 2, 9):
        store.finish_game("demo", played(league_spec(config, league, number)))
    records = list(store.records("demo"))

    assert [2, 5, 9] == [number for number, _ in records]
    assert [9] == [number for number, _ in store.records("demo", after=5)]
    assert records[0][1] == store.record("demo", 2)
    for number, text in records:
        record = read_record(text)
        verify(record, substitute)

        assert number == record.block
    with pytest.raises(KeyError):
        store.record("demo", 3)


def test_a_foreign_record_is_refused(store: Store) -> None:
    """Records of other leagues, other seats and unfinished games count for nothing."""
    config = league_config()
    league = store.open_league(config)
    record = played(league_spec(config, league, 1))

    with pytest.raises(ValueError, match="not one of league demo"):
        store.finish_game("demo", seal(replace(record, game="demo-11", block=11)))
    with pytest.raises(ValueError, match="game demo-1 is of block 1, not 11"):
        store.finish_game("demo", seal(replace(record, block=11)))
    with pytest.raises(ValueError, match="not one of league demo"):
        store.finish_game("demo", seal(replace(record, league="other")))
    with pytest.raises(ValueError, match="expected"):
        store.finish_game("demo", seal(replace(record, seats=record.seats[::-1])))
    unfinished = played(league_spec(config, league, 1), answers_max=9)
    with pytest.raises(ValueError, match="not finished"):
        store.finish_game("demo", unfinished)


def test_runs_are_counted_for_good(tmp_path: Path) -> None:
    """Every run has a number that no other run of the league has."""
    numbers = []
    for _ in range(3):
        with Store.open(tmp_path, command="a test") as store:
            store.open_league(league_config(seed=None))
            numbers.append(store.start_run("demo"))

    assert [1, 2, 3] == numbers
    assert 65_536 == attempt_number(is_open=False, run=1, retry=0)
    assert 2**31 - 1 == attempt_number(is_open=False, run=RUNS_MAX, retry=RETRIES_MAX)
    assert 3 * 65_536 + 7 == attempt_number(is_open=False, run=3, retry=7)
    assert 0 == attempt_number(is_open=True, run=3, retry=7)
    with pytest.raises(ValueError, match="out of range"):
        attempt_number(is_open=False, run=1, retry=65_536)


def test_a_league_is_finished_when_all_its_games_are(store: Store) -> None:
    """Only then is its secret revealed."""
    config = league_config(games=2, seed=None)
    league = store.open_league(config)
    store.start_run("demo")
    states = [store.league("demo").state]
    for number in (1, 2):
        store.finish_game("demo", played(league_spec(config, league, number)))
        states.append(store.stop_run("demo").state)
        secret = store.standings("demo").league.secret

        assert ("" if number == 1 else league.secret.hex()) == secret
    assert ["running", "stopped", "finished"] == states


def test_one_process_owns_a_directory(store: Store) -> None:
    """A second one is told who owns it and since when."""
    with pytest.raises(StoreLocked, match=rf"process {os.getpid()} \(a test\) since 2"):
        Store.open(store.directory, command="another")


def test_others_may_look_on(store: Store) -> None:
    """A read-only store sees what the owner has written, as it is written."""
    config = league_config()
    league = store.open_league(config)
    store.start_run("demo")
    with Store.open_read_only(store.directory) as onlooker:
        assert [league.name] == [one.name for one in onlooker.leagues()]
        assert "running" == onlooker.league("demo").state

        store.finish_game("demo", played(league_spec(config, league, 1)))

        assert 1 == onlooker.league("demo").games_finished


KILLED = """
import os, signal, sys
from leagues.storage.store import Store
from tests.league_games import league_config, league_spec, played
store = Store.open(sys.argv[1], command="the victim")
config = league_config()
league = store.open_league(config)
store.start_run("demo")
store.finish_game("demo", played(league_spec(config, league, 1)))
with store.database.write() as connection:
    connection.exec_driver_sql("DELETE FROM seats")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_killed_process_leaves_nothing_behind(tmp_path: Path) -> None:
    """Its lock is gone, its half transaction too, and its runs are stopped."""
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path)], check=False, timeout=60
    )

    assert -signal.SIGKILL == ended.returncode
    assert not is_owned(tmp_path)
    with Store.open_read_only(tmp_path) as store:
        assert "stopped" == store.league("demo").state
        assert 4 == len(store.results("demo")[0].seats)
    with Store.open(tmp_path, command="a test") as store:
        assert "stopped" == store.league("demo").state
        assert list(range(2, 11)) == store.missing_games("demo")


def test_an_empty_directory_is_an_error_with_advice(tmp_path: Path) -> None:
    """Who only looks creates nothing and is told what would."""
    with pytest.raises(StoreError, match="holds no games yet; `arena demo`"):
        Store.open_read_only(tmp_path / "nothing")

    assert [] == list(tmp_path.iterdir())


def test_a_full_disk_keeps_what_is_finished(store: Store) -> None:
    """The game that did not fit is an error, and those before it are there."""
    config = league_config(games=10)
    league = store.open_league(config)
    store.finish_game("demo", played(league_spec(config, league, 1)))
    with store.database.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    records = [played(league_spec(config, league, number)) for number in range(2, 11)]
    with pytest.raises(StoreError, match="the disk is full; every finished game"):
        all(store.finish_game("demo", record) for record in records)

    finished = store.league("demo").games_finished

    assert 1 <= finished < 10
    assert finished == len(list(store.records("demo")))


@pytest.mark.parametrize("garbage", [b"this is no database, but long enough" * 99, b""])
def test_a_damaged_file_is_an_error_with_advice(tmp_path: Path, garbage: bytes) -> None:
    """A file that is no database is named, and left as it is."""
    (tmp_path / "arena.sqlite").write_bytes(garbage)
    if garbage:
        with pytest.raises(StoreError, match=r"arena\.sqlite: the file is no database"):
            Store.open(tmp_path, command="a test")
        with pytest.raises(StoreError, match=r"arena\.sqlite: the file is no database"):
            Store.open_read_only(tmp_path)

        assert garbage == (tmp_path / "arena.sqlite").read_bytes()
        assert not is_owned(tmp_path)
    else:
        with pytest.raises(StoreError, match="holds no games yet; `arena demo`"):
            Store.open_read_only(tmp_path)


@pytest.fixture
def sealed() -> Iterator[Path]:
    """A store that nobody but root may change, and this process is not root."""
    folder = Path(tempfile.mkdtemp(prefix="hearts-"))
    with Store.open(folder, command="a test") as opened:
        opened.open_league(league_config())
    for path in (*folder.iterdir(), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        os.seteuid(user)
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_directory_that_cannot_be_written_can_be_read(sealed: Path) -> None:
    """Backups on read-only disks can be looked into."""
    with Store.open_read_only(sealed) as store:
        assert ["demo"] == [league.name for league in store.leagues()]


def test_a_damaged_record_is_an_error_with_advice(store: Store) -> None:
    """A record that cannot be unpacked is named with its game."""
    config = league_config()
    league = store.open_league(config)
    store.finish_game("demo", played(league_spec(config, league, 1)))
    with store.database.write() as connection:
        connection.execute(sa.update(schema.games).values(record=b"xyz"))

    with pytest.raises(StoreError, match="the record of game demo-1 is damaged"):
        store.record("demo", 1)


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_store_that_was_taken_away_keeps_nothing_more(
    store: Store, is_replaced: bool
) -> None:
    """What is written to a file that nobody can find again does not count as stored."""
    config = league_config()
    league = store.open_league(config)
    record = played(league_spec(config, league, 1))
    file = store.directory / "arena.sqlite"
    away = file.rename(store.directory / "elsewhere.sqlite")
    if is_replaced:
        file.write_bytes(away.read_bytes())
    with pytest.raises(StoreError, match="removed or replaced while the arena had it"):
        store.finish_game("demo", record)
    away.rename(file)

    assert store.finish_game("demo", record)


def test_a_newer_store_is_refused(store: Store) -> None:
    """An older version of the arena keeps its hands off newer tables."""
    with store.database.write() as connection:
        connection.execute(sa.update(schema.schema_version).values(version=99))

    with pytest.raises(
        StoreError, match=rf"newer version .* \(tables 99, here {schema.VERSION}\)"
    ):
        Store.open_read_only(store.directory)


def test_the_secrets_are_for_the_owner_alone(store: Store) -> None:
    """The file that holds the secrets has rights for its owner only."""
    store.open_league(league_config(seed=None))
    files = [path for path in store.directory.iterdir() if "sqlite" in path.name]

    assert {"arena.sqlite", "arena.sqlite-wal", "arena.sqlite-shm"} == {
        path.name for path in files
    }
    assert {0o600} == {stat.S_IMODE(path.stat().st_mode) for path in files}
    assert 0o700 == stat.S_IMODE(store.directory.stat().st_mode)


def test_odd_directory_names_work(tmp_path: Path) -> None:
    """Question marks, hashes and blanks in the path are part of the path."""
    directory = tmp_path / "a b?c#d%20é"
    with Store.open(directory, command="a test") as store:
        store.open_league(league_config())
    with Store.open_read_only(directory) as store:
        assert ["demo"] == [league.name for league in store.leagues()]


def test_records_take_little_room(store: Store) -> None:
    """Records are stored compressed."""
    config = league_config()
    league = store.open_league(config)
    store.finish_game("demo", played(league_spec(config, league, 1)))
    with store.database.read() as connection:
        data = connection.execute(sa.select(schema.games.c.record)).scalar_one()

    assert store.record("demo", 1).encode() == zlib.decompress(data)
    assert len(data) < len(zlib.decompress(data)) / 3
