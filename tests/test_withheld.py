"""What is withheld: no record leaves the arena while its deals come again."""

import json
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.record import read_record
from arena.terminal import counted
from hearts.arena.v1 import league_pb2, league_pb2_grpc
from hearts.league import download_games, withheld_games
from leagues.appeals import AppealError
from leagues.blocks import NOTHING_WITHHELD, Blocks, Withheld
from leagues.config import LeagueConfig
from leagues.reports.standings import FORMATS
from leagues.storage.audited import decide, void_records
from leagues.storage.library import StoreLibrary
from leagues.storage.store import Store
from tests.arena_thread import open_channel, running_arena
from tests.command_line import Arena
from tests.league_appeals import void
from tests.league_games import league_config, league_spec, played

PLAYED = (1, 2, 3, 4, 6, 9, 10, 11, 12, 13)
"""Two whole blocks of four, and two that are open."""
TOLD = [1, 2, 3, 4, 9, 10, 11, 12]


def rotated(*, seed: str | None = None) -> LeagueConfig:
    """A league of four blocks."""
    return league_config(games=16, seed=seed, luck="rotate")


def fill(store: Store, config: LeagueConfig, numbers: Iterator[int]) -> None:
    """Play some games of a league."""
    league = store.open_league(config)
    for number in numbers:
        store.finish_game("demo", played(league_spec(config, league, number)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with a secret rotated league that is being played."""
    with Store.open(tmp_path / "data", command="a test") as opened:
        fill(opened, rotated(), iter(PLAYED))
        yield opened


def test_only_whole_blocks_are_told(store: Store) -> None:
    """Records, results and standings hold the same games, and say what is missing."""
    standings = store.standings("demo")

    assert TOLD == [number for number, _ in store.records("demo")]
    assert TOLD == [result.number for result in store.results("demo")]
    assert [1, 1, 1, 1, 3, 3, 3, 3] == [one.block for one in store.results("demo")]
    assert (8, 2) == (standings.games_finished, standings.blocks)
    assert 10 == store.league("demo").games_finished
    assert Withheld(games=2, blocks=2) == store.withheld("demo")
    with pytest.raises(KeyError):
        store.record("demo", 6)
    assert "demo-6" == read_record(store.record("demo", 6, with_withheld=True)).game


def test_standings_tell_what_does_not_count(store: Store) -> None:
    """Luck, blocks and what is withheld stand in the head lines and in JSON."""
    standings = store.standings("demo")
    lines = FORMATS["text"](standings).splitlines()
    found = json.loads(FORMATS["json"](standings))

    assert "deals: the same in all rotations of a seating" in lines[1]
    assert lines[3].startswith(
        "Blocks: 2 of 4, each a seating in all 4 rotations with the same deals"
    )
    assert (
        "Not counted: 2 games of 2 open blocks are withheld until all games of each "
        "are played, since the same deals come again"
    ) == lines[4]
    assert ("rotate", 2, 4, 2, 2) == tuple(
        found[key]
        for key in ("luck", "blocks", "blocks_planned", "games_withheld", "blocks_open")
    )


def test_an_open_league_withholds_nothing(tmp_path: Path) -> None:
    """Anybody can compute its deals, so there is nothing to keep."""
    with Store.open(tmp_path, command="a test") as store:
        fill(store, rotated(seed="1"), iter(PLAYED))

        assert list(PLAYED) == [number for number, _ in store.records("demo")]
        assert NOTHING_WITHHELD == store.withheld("demo")
        assert 10 == store.standings("demo").games_finished


def test_a_finished_league_withholds_nothing(store: Store) -> None:
    """Nothing is dealt again, whether or not every block came to its end."""
    with store.database.write() as connection:
        connection.exec_driver_sql("UPDATE leagues SET state = 'finished'")

    assert list(PLAYED) == [number for number, _ in store.records("demo")]
    assert list(PLAYED) == [result.number for result in store.results("demo")]
    assert NOTHING_WITHHELD == store.withheld("demo")
    lines = FORMATS["text"](store.standings("demo")).splitlines()
    assert lines[1].endswith("deals: the same in the rotations of a seating")


@settings(max_examples=15, deadline=None)
@given(st.sets(st.integers(1, 16)))
def test_what_is_told_is_what_is_not_open(
    tmp_path_factory: pytest.TempPathFactory, numbers: set[int]
) -> None:
    """Whatever is finished in whichever order, the store and the law agree."""
    with Store.open(tmp_path_factory.mktemp("data"), command="a test") as store:
        fill(store, rotated(), iter(numbers))
        blocks = Blocks(4)
        is_open = blocks.open(numbers)
        told = [n for n in sorted(numbers) if blocks.block(n) not in is_open]

        assert told == [number for number, _ in store.records("demo")]
        assert Withheld(len(numbers) - len(told), len(is_open)) == store.withheld(
            "demo"
        )


def test_pages_pass_over_what_is_withheld(store: Store) -> None:
    """A page is full as long as there are games, and the league says what is kept."""
    library = StoreLibrary(store)
    first = library.games("demo", after=0, limit=6)
    (league,) = library.leagues().leagues

    assert [1, 2, 3, 4, 9, 10] == [game.game_number for game in first.games]
    assert "10" == first.next_page_token
    assert [9, 10] == [n for n, _ in library.records("demo", after=4, limit=2)]
    assert ("rotate", 10, 2) == (
        league.luck,
        league.games_finished_count,
        league.games_withheld_count,
    )
    assert 2 == library.standings("demo").league.games_withheld_count


def test_a_running_arena_withholds(store: Store) -> None:
    """Downloads hold whole blocks only, and how many are missing can be asked."""
    with running_arena(library=StoreLibrary(store)) as running:
        lines = list(download_games("demo", address=running.address))
        count = withheld_games("demo", address=running.address)

    assert TOLD == [int(read_record(line).game.partition("-")[2]) for line in lines]
    assert 2 == count


def test_programs_in_a_sandbox_read_nothing_of_their_league(
    store: Store, tmp_path: Path
) -> None:
    """Not even whole blocks, in which an earlier life may have left a message."""
    socket = str(tmp_path / "arena.sock")
    with (
        running_arena(library=StoreLibrary(store), program_sockets=[socket]) as running,
        open_channel(f"unix:{socket}") as inside,
        open_channel(running.address) as outside,
    ):
        asked = [
            (name, getattr(league_pb2, f"{name}Request")(league="demo"))
            for name in ("GetStandings", "ListGames", "DownloadGames")
        ]
        for name, request in asked:
            with pytest.raises(grpc.RpcError) as caught:
                _call(inside, name, request)
            _call(outside, name, request)

            assert grpc.StatusCode.PERMISSION_DENIED == caught.value.code()
            assert "league demo plays the same deals in all" in caught.value.details()
        _call(inside, "ListLeagues", league_pb2.ListLeaguesRequest())


def _call(channel: grpc.Channel, name: str, request: object) -> None:
    """Make a call and read its answers to the end."""
    stub = league_pb2_grpc.LeagueServiceStub(channel)  # type: ignore[no-untyped-call]
    answer = getattr(stub, name)(request, timeout=10)
    if name == "DownloadGames":
        assert len(TOLD) == len(list(answer))


def test_commands_say_what_they_leave_out(
    store: Store, arena: Arena, tmp_path: Path
) -> None:
    """Lists, exports and reports count what is withheld, and a game says why."""
    data = store.directory
    note = "left out: 2 games of 2 open blocks are withheld until all games of"
    listed = arena("games", "list", "--json", "--data", data)
    exported = arena("games", "export", "--data", data)
    shown = arena("games", "show", "demo-6", "--data", data)

    assert TOLD == [game["number"] for game in json.loads(listed.out)]
    assert len(TOLD) == len(exported.out.splitlines())
    assert (
        "game demo-6 is withheld until games 5 to 8 are finished, since they are dealt "
        "from the same cards"
    ) in shown.error
    assert (
        "demo-7 is not finished"
        in arena("games", "show", "demo-7", "--data", data).error
    )
    for done in (
        listed,
        exported,
        arena("games", "faults", "--data", data),
        arena("league", "report", "demo", "crosstable", "--data", data),
    ):
        assert note in done.error


def test_an_export_from_a_running_arena_says_what_is_left_out(
    store: Store, arena: Arena
) -> None:
    """The arena is asked for it after the download."""
    with running_arena(library=StoreLibrary(store)) as running:
        done = arena("games", "export", "demo", "--arena", running.address)

    assert len(TOLD) == len(done.out.splitlines())
    assert "left out: 2 games, withheld until all games of their" in done.error


def test_an_exclusion_says_how_many_withheld_games_it_takes(
    arena: Arena, store: Store, tmp_path: Path
) -> None:
    """Games of open blocks come on top of those that counted until now."""
    league = store.league("demo")
    bot = league.seats(6)[0]
    hidden = sum(bot in league.seats(number) for number in (6, 13))
    lost = sum(bot in league.seats(number) for number in TOLD)
    done = arena(
        *("league", "exclude", "demo", bot, "--reason", "so"),
        *("--data", tmp_path / "data"),
    )
    told = " ".join(done.out.split())

    assert hidden
    assert f": {counted(lost, 'finished game')} that counted until now" in told
    assert f"nor {counted(hidden, 'game')} of it withheld in open blocks" in told


def test_a_void_game_closes_its_block_and_is_withheld_with_it(store: Store) -> None:
    """What is not played again counts as over; its record waits for the others."""
    decide(store, "demo", void(6, is_replayed=False))
    waiting = void_records(store, "demo")
    fill(store, rotated(), iter((5, 7)))
    still_waiting = void_records(store, "demo")
    fill(store, rotated(), iter((8,)))

    assert [[], []] == [waiting, still_waiting]
    assert [1] == [entry for entry, _ in void_records(store, "demo")]
    assert [5, 7, 8] == [n for n, _ in store.records("demo") if 5 <= n <= 8]
    assert Withheld(games=1, blocks=1) == store.withheld("demo")


def test_an_audit_looks_at_void_games_that_are_withheld(
    arena: Arena, store: Store
) -> None:
    """What nobody may see for now is not missing."""
    decide(store, "demo", void(6, is_replayed=False))
    done = arena("league", "audit", "demo", "--data", store.directory)

    assert (0, "") == (done.code, done.error)


def test_what_shares_its_deals_is_not_dealt_again_for_an_appeal(store: Store) -> None:
    """Only an open league, where everybody knows the deals, plays such a game again."""
    with pytest.raises(AppealError, match="game 2 have been seen; with --no-replay"):
        decide(store, "demo", void(2))


def test_games_from_files_have_their_blocks(
    store: Store, arena: Arena, tmp_path: Path
) -> None:
    """Whoever rates an export sees the blocks that the league's standings count."""
    file = tmp_path / "told.jsonl"
    arena("games", "export", "-o", file, "--data", store.directory)
    rated = arena("rate", file).out

    assert "\nBlocks: 2 of 2, each a seating in all 4 rotations with the same" in rated
    assert "deals: the same in all rotations of a seating" in rated
