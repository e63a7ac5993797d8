"""`arena games faults` and transcripts: each fault with whose it was."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena.record import Record, seal, write_record
from arena.transcript import transcript
from leagues.storage.store import Store
from tests.command_line import Arena
from tests.league_games import league_config, league_spec, played
from tests.test_verdict import answered


def explained(record: Record) -> Record:
    """Return a record that tells why its bots were late, and of the arena's time."""
    missed = tuple(
        replace(
            answered(204, 1_204), deal=fault.deal, trick=fault.trick, seat=fault.seat
        )
        for fault in record.faults
    )
    first, *others = record.times.turns
    turns = ((*first[:2], (0, 0, 1, 0, 1, 750), *first[3:]), *others)
    return seal(
        replace(record, times=replace(record.times, missed=missed, turns=turns))
    )


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of two games and a void one; the second is of an older arena."""
    directory = tmp_path_factory.mktemp("data")
    with Store.open(directory, command="a test") as store:
        config = league_config(entrants=4)
        league = store.open_league(config)
        store.start_run(league.name)
        records = [
            played(league_spec(config, league, n), unsteady=frozenset({"fox"}))
            for n in (1, 2)
        ]
        assert all(record.faults for record in records)
        assert store.finish_game(league.name, explained(records[0]))
        assert store.finish_game(league.name, records[1])
        broken = played(
            league_spec(config, league, 2, retry=1),
            answers_max=60,
            unsteady=frozenset({"lowest"}),
        )
        assert broken.faults
        void = directory / "void"
        void.mkdir()
        (void / "demo-2-run1-0.json").write_text(write_record(explained(broken)))
        (void / "junk.json").write_text("{}")
        store.stop_run(league.name)
    return directory


def test_each_fault_is_told_with_its_verdict(arena: Arena, data: Path) -> None:
    """A line a fault in the order of the games, counts, and the arena's own time."""
    done = arena("games", "faults", "demo", "--data", data)
    lines = done.out.splitlines()
    heads = ("Game", "Deal", "Trick", "Bot", "Fault", "Verdict", "Why")
    games = [line.split("  ")[0] for line in lines if line.startswith("demo-")]

    assert (0, heads) == (done.code, tuple(lines[0].split()))
    assert games == sorted(games, key=lambda name: (name[:6], name[6:] == ""))
    assert {"demo-1", "demo-2", "demo-2, void"} == set(games)
    assert "  late   bot      it was thinking: its own clock says 1,204 ms" in done.out
    assert "  late   unknown  no answer in time; the record does not say" in done.out
    assert (
        "\n\nThe arena itself stood still for up to 0.75 s: 2 turns had 1.5 s handed "
        "back in all, and nobody was charged\n"
    ) in done.out
    assert "junk.json is passed over: " in done.error


def test_programs_read_the_same(arena: Arena, data: Path) -> None:
    """The counts add up to the faults, and places are numbers."""
    told = json.loads(arena("games", "faults", "--json", "--data", data).out)
    kinds = {(fault["bot"], fault["verdict"]) for fault in told["faults"]}

    assert {"turns": 2, "ms": 1_500, "most_ms": 750} == told["handed_back"]
    assert len(told["faults"]) == sum(item["faults"] for item in told["counts"])
    assert {("fox", "bot"), ("fox", "unknown"), ("lowest", "bot")} == kinds
    assert 3 == told["games"]
    assert {True, False} == {fault["void"] for fault in told["faults"]}


def test_one_bot_can_be_asked_for(arena: Arena, data: Path) -> None:
    """Only its faults are told; a bot without any has none, a stranger is refused."""
    fox = arena("games", "faults", "demo", "--bot", "fox", "--data", data)
    careful = arena("games", "faults", "demo", "--bot", "careful", "--data", data)
    stranger = arena("games", "faults", "demo", "--bot", "owl", "--data", data)

    assert "lowest" not in fox.out
    assert "3 games, no fault of careful\n" in careful.out
    assert 2 == stranger.code
    assert "league demo has no bot 'owl'; it has: careful, fox, lowest" in (
        stranger.error
    )


def test_a_transcript_says_why_a_turn_was_late(tmp_path: Path) -> None:
    """Behind the fault stand the figures; older records go without."""
    config = league_config(entrants=4)
    with Store.open(tmp_path, command="a test") as store:
        league = store.open_league(config)
        record = played(league_spec(config, league, 1), unsteady=frozenset({"fox"}))

    assert "fox: no answer in time (fault 1" in transcript(record)
    assert (
        "fox: no answer in time; it was thinking: its own clock says 1,204 ms of the "
        "1,000 ms it had (fault 1"
    ) in transcript(explained(record))
