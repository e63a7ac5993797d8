"""Appeals in leagues: what the store keeps of them, under kills too."""

import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.record import read_record
from leagues.appeals import AppealError
from leagues.audit import Action, AuditEntry, first_fault
from leagues.conduct import Suspension
from leagues.config import SuspensionRules
from leagues.results import GameResult, result_of
from leagues.standings import standings_of
from leagues.storage import schema
from leagues.storage.audited import decide, void_records
from leagues.storage.database import Database
from leagues.storage.store import Store, StoreError
from leagues.storage.suspended import conduct_of, lift, suspend
from tests.league_appeals import config, entry, play, void
from tests.league_games import NAMES, league_spec, played
from tests.simulation.leagues import FAST_DISK

STEPS_MAX = 14
"""More than the statements of a decision's transaction."""


# The store


def test_a_void_game_is_kept_and_missing(store: Store) -> None:
    """Its record is kept apart, its results are gone, and it is to be played again."""
    league = config()
    store.open_league(league)
    play(store, league, 1, 2, 3)
    record = store.record("demo", 2)
    kept = decide(store, "demo", void(2))

    assert [1, 3] == [result.number for result in store.results("demo")]
    assert [(1, record)] == void_records(store, "demo")
    assert read_record(record).hash == kept.record
    assert [2, *range(4, 11)] == store.missing_games("demo")
    assert 2 == store.standings("demo").games_finished
    with store.database.read() as connection:
        for table in (schema.seats, schema.faults, schema.given_up):
            games = set(connection.execute(sa.select(table.c.game_id)).scalars())
            assert games <= {1, 3}


def test_a_game_that_is_not_played_again_is_not_missed(store: Store) -> None:
    """The league comes to its end without it."""
    league = config(3)
    store.open_league(league)
    play(store, league, 1, 2, 3)
    decide(store, "demo", void(2, is_replayed=False))

    assert [] == store.missing_games("demo")
    assert "finished" == store.stop_run("demo").state
    with pytest.raises(AppealError, match="void already"):
        decide(store, "demo", void(2))


def test_the_same_game_may_be_void_again(store: Store) -> None:
    """Each time its record is kept, and it counts at most once."""
    league = config(3)
    store.open_league(league)
    hashes = []
    for run in (1, 2, 3):
        play(store, league, 1, run=run)
        hashes.append(decide(store, "demo", void(1)).record)
    play(store, league, 1, run=4)

    kept = [read_record(text).hash for _, text in void_records(store, "demo")]
    assert (hashes, 3) == (kept, len(set(hashes)))
    assert [1] == [result.number for result in store.results("demo")]


def test_what_is_refused_changes_nothing(store: Store) -> None:
    """A decision that can't be leaves no entry and no trace."""
    league = config()
    store.open_league(league)
    play(store, league, 1)
    before = store.standings("demo")
    for asked in (void(2), void(11), entry(Action.EXCLUDE, entrant="nobody")):
        with pytest.raises(AppealError):
            decide(store, "demo", asked)
    with pytest.raises(KeyError):
        decide(store, "other", void(1))

    assert before == store.standings("demo")


def test_a_finished_secret_league_deals_no_more(store: Store) -> None:
    """Its secret is published, so a game can be void in it and not played again."""
    league = config(3)
    store.open_league(league)
    play(store, league, 1, 2, 3)
    assert store.stop_run("demo").facts().secret
    with pytest.raises(AppealError, match=r"could compute the deals.*--no-replay"):
        decide(store, "demo", void(2))
    decide(store, "demo", void(2, is_replayed=False))

    assert ("finished", []) == (store.league("demo").state, store.missing_games("demo"))


def test_a_finished_open_league_goes_on(store: Store) -> None:
    """Its deals were never secret, so a void game opens it again, and ends it again."""
    league = config(3, seed="1")
    store.open_league(league)
    play(store, league, 1, 2, 3)
    record = store.record("demo", 2)
    assert "finished" == store.stop_run("demo").state
    decide(store, "demo", void(2))

    assert ("stopped", [2]) == (store.league("demo").state, store.missing_games("demo"))
    play(store, league, 2, run=2)
    assert record == store.record("demo", 2), "the same deals come again"
    assert "finished" == store.stop_run("demo").state


def test_the_log_can_only_grow(store: Store) -> None:
    """Whoever writes to the file itself can't change, remove or skip entries."""
    league = config()
    store.open_league(league)
    play(store, league, 1)
    decide(store, "demo", void(1))
    row = "1, %d, 't', 'pause', 'r', 'b', '', 0, '', 0, 'd', ''"
    for statement in (
        "UPDATE audit SET reason = 'else'",
        "DELETE FROM audit",
        f"INSERT INTO audit VALUES ({row % 3})",
        f"INSERT OR REPLACE INTO audit VALUES ({row % 1})",
        "UPDATE void_games SET number = 2",
        "DELETE FROM void_games",
    ):
        with (
            pytest.raises(StoreError, match=r"added to|never changed or removed"),
            store.database.write() as connection,
        ):
            connection.exec_driver_sql(statement)

    assert None is first_fault("demo", store.decisions("demo"))


def test_a_store_of_the_version_before_gets_the_log(store: Store) -> None:
    """It keeps its games, and its new tables are as safe as those of a new store."""
    league = config()
    store.open_league(league)
    play(store, league, 1, 2)
    digest = store.standings("demo").digest
    with store.database.write() as connection:
        schema.plans.drop(connection)
        schema.void_games.drop(connection)
        schema.audit.drop(connection)
        connection.execute(sa.update(schema.schema_version).values(version=2))
    store.close()
    with Store.open(store.directory, command="a test") as newer:
        assert digest == newer.standings("demo").digest
        decide(newer, "demo", void(2))
        assert [1] == [result.number for result in newer.results("demo")]
        with pytest.raises(StoreError), newer.database.write() as connection:
            connection.exec_driver_sql("DELETE FROM audit")


def test_decisions_are_made_beside_whoever_owns_the_directory(store: Store) -> None:
    """A command writes while an arena holds the directory, which then knows of it."""
    store.open_league(config())
    with Store.open_beside(store.directory) as beside:
        decide(beside, "demo", entry(Action.PAUSE))

    assert ["pause"] == [one.action for one in store.decisions("demo")]
    assert [] == [one.action for one in store.decisions("demo", after=1)]


def test_what_is_forgiven_does_not_reach_later_games(store: Store) -> None:
    """A game stored after a void one is judged, though it may have its row's number."""
    league = config()
    known = store.open_league(league)
    numbers = [n for n in range(1, 11) if "fox" in known.seats(n)][:3]
    play(store, league, *numbers[:2])
    suspend(store, "demo", Suspension("fox", "so", "1"))
    lift(store, "demo", "fox")
    decide(store, "demo", void(numbers[0]))
    decide(store, "demo", void(numbers[1]))
    record = played(league_spec(league, known, numbers[2]))
    seat = known.seats(numbers[2]).index("fox")
    store.finish_game("demo", record)
    with store.database.write() as connection:
        game = connection.execute(sa.select(schema.games.c.id)).scalar_one()
        row = {"game_id": game, "seat": seat, "deal": 1, "trick": 1, "cause": "left"}
        connection.execute(sa.insert(schema.given_up), row)
        version = record.seats[seat].version
    conduct = conduct_of(store, "demo", SuspensionRules(after=2))

    assert conduct.note("fox", version, cause="left") is not None


# Any sequence of decisions


@pytest.fixture(scope="module")
def played_league() -> Iterator[Path]:
    """A data directory with a league that is played to its last game but three."""
    disk = FAST_DISK if FAST_DISK.is_dir() else None
    with tempfile.TemporaryDirectory(dir=disk) as folder:
        with Store.open(Path(folder) / "data", command="a test") as store:
            store.open_league(config())
            play(store, config(), *range(1, 8))
        yield Path(folder)


STEPS = st.one_of(
    st.tuples(st.just("void"), st.integers(1, 10), st.booleans()),
    st.tuples(st.just("play"), st.integers(1, 10), st.just(True)),
    st.tuples(st.sampled_from(["exclude", "reinstate"]), st.integers(0, 5), st.none()),
    st.tuples(st.sampled_from(["pause", "resume"]), st.none(), st.none()),
)


@settings(max_examples=30)
@given(steps=st.lists(STEPS, max_size=14))
def test_standings_are_those_of_the_games_that_count(
    played_league: Path, steps: list[tuple[str, int, bool]]
) -> None:
    """After any decisions they are what the records that count come to."""
    directory = played_league / "copy"
    shutil.copytree(played_league / "data", directory)
    try:
        with Store.open(directory, command="a test") as store:
            model = _Model(store)
            for name, what, how in steps:
                model.step(name, what, how)
            model.check()
    finally:
        shutil.rmtree(directory)


class _Model:
    """What decisions ought to come to, kept beside the store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.finished = dict(store.records("demo"))
        self.dropped: set[int] = set()
        self.excluded: set[str] = set()
        self.void: list[str] = []
        self.is_paused = False
        self.run = 1

    def step(self, name: str, what: int, how: bool) -> None:
        """Decide or play; what is refused must be what can't be."""
        if name == "play":
            self._play(what)
            return
        asked = entry(Action(name))
        if name == "void":
            asked = void(what, is_replayed=how)
            may = what in self.finished
        elif name in ("exclude", "reinstate"):
            asked = entry(Action(name), entrant=NAMES[what])
            may = self._may_judge(name, NAMES[what])
        else:
            may = self.is_paused == (name == "resume")
        try:
            decide(self.store, "demo", asked)
        except AppealError:
            assert not may, f"{name} {what} is refused"
            return
        assert may, f"{name} {what} is taken"
        self._note(name, what, how)

    def _may_judge(self, name: str, entrant: str) -> bool:
        if name == "reinstate":
            return entrant in self.excluded
        return entrant not in self.excluded and len(self.excluded) < 2

    def _play(self, number: int) -> None:
        self.run += 1
        if number in self.store.missing_games("demo"):
            play(self.store, config(), number, run=self.run)
            self.finished[number] = self.store.record("demo", number)
        elif number in self.finished:
            # Whoever plays what is finished changes nothing.
            play(self.store, config(), number, run=self.run)

    def _note(self, name: str, what: int, how: bool) -> None:
        match name:
            case "void":
                self.void.append(self.finished.pop(what))
                self.dropped |= set() if how else {what}
            case "exclude":
                self.excluded.add(NAMES[what])
            case "reinstate":
                self.excluded.remove(NAMES[what])
            case _:
                self.is_paused = name == "pause"

    def check(self) -> None:
        """Compare the store with what ought to be."""
        store, league = self.store, self.store.league("demo")
        assert dict(sorted(self.finished.items())) == dict(store.records("demo"))
        assert self.void == [text for _, text in void_records(store, "demo")]
        entries = store.decisions("demo")
        assert None is first_fault("demo", entries)
        results = [_result(text) for text in self.finished.values()]
        counted = [
            result
            for result in results
            if self.excluded.isdisjoint(seat.entrant for seat in result.seats)
        ]
        scratch = standings_of(league.facts(), counted)
        found = store.standings("demo")
        rows = [row for row in scratch.rows if row.entrant not in self.excluded]
        assert (rows, scratch.incidents) == ([*found.rows], found.incidents)
        assert (len(results), len(counted)) == (
            found.games_finished,
            found.games_counted,
        )
        missing = [
            number
            for number in range(1, 11)
            if number not in self.finished.keys() | self.dropped
            and self.excluded.isdisjoint(league.seats(number))
        ]
        assert missing == store.missing_games("demo")
        assert self.is_paused == (store.agenda("demo").appeals.pause is not None)


@cache
def _result(text: str) -> GameResult:
    return result_of(read_record(text))


class Killed(BaseException):
    """The process is gone."""


@pytest.mark.parametrize(
    "asked",
    [void(2), void(2, is_replayed=False), entry(Action.EXCLUDE, entrant="fox")],
    ids=["void", "void for good", "exclude"],
)
def test_a_kill_between_two_steps_loses_nothing(
    played_league: Path, asked: AuditEntry
) -> None:
    """Whenever a command dies, its decision is there with all of it, or not at all."""
    states = []
    for step in range(STEPS_MAX):
        with tempfile.TemporaryDirectory(dir=played_league) as folder:
            state = _state_after_a_kill(
                played_league / "data", Path(folder), asked, step
            )
        states.append(state)
    before, after = states[0], states[-1]

    assert before != after
    assert {before, after} == set(states)
    assert [before] * states.index(after) == states[: states.index(after)]
    assert 2 < states.index(after) < STEPS_MAX - 1


def _state_after_a_kill(
    origin: Path, folder: Path, asked: AuditEntry, step: int
) -> tuple[object, ...]:
    """Kill a command at a statement of its transaction; return what is on the disk."""
    shutil.copytree(origin, folder / "data")
    left = [step]

    def die(*event: object) -> None:
        left[0] -= 1
        if left[0] == -1:
            shutil.copytree(folder / "data", folder / "after")
            raise Killed

    store = Store(folder / "data", Database(folder / "data", may_write=True), None)
    sa.event.listen(store.database.engine, "before_cursor_execute", die)
    sa.event.listen(store.database.engine, "commit", die)
    try:
        decide(store, "demo", asked)
        sa.event.remove(store.database.engine, "before_cursor_execute", die)
        shutil.copytree(folder / "data", folder / "after")
    except Killed:
        pass
    finally:
        store.close()
    with Store.open(folder / "after", command="a test") as found:
        assert None is first_fault("demo", found.decisions("demo"))
        return (
            tuple(found.records("demo")),
            tuple(text for _, text in void_records(found, "demo")),
            tuple(one.action for one in found.decisions("demo")),
            tuple(found.missing_games("demo")),
            repr(found.standings("demo").rows),
        )
