"""`arena verify` on matches: blocks are two bots in all arrangements, dealt alike."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.record import Record, read_record, seal, write_record
from arena.rules import preset
from leagues.config import LeagueConfig
from leagues.match_config import Side, match_config
from leagues.storage.store import Store
from tests.command_line import Arena
from tests.league_games import league_spec, played

SIDES = (Side("new", house="careful"), Side("old", house="lowest"))


def house_match(*, players: int, blocks: int) -> LeagueConfig:
    """A match of short games."""
    rules = preset("standard", players=players, target="10")
    return match_config("demo", SIDES, rules=rules, blocks=blocks)


def records_of(folder: Path, config: LeagueConfig) -> tuple[str, list[str]]:
    """The secret of a match and the records of all its games."""
    with Store.open(folder, command="a test") as store:
        known = store.open_league(config)
        numbers = range(1, config.games + 1)
        specs = [league_spec(config, known, number) for number in numbers]
        return known.secret.hex(), [write_record(played(spec)) for spec in specs]


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[str]]:
    """Two blocks at a table of four."""
    return records_of(tmp_path_factory.mktemp("data"), house_match(players=4, blocks=2))


def written(folder: Path, records: list[str]) -> Path:
    """Write a file of records."""
    file = folder / "games.jsonl"
    file.write_text("".join(record + "\n" for record in records))
    return file


def test_whole_blocks_are_right(
    arena: Arena, tmp_path: Path, match: tuple[str, list[str]]
) -> None:
    """Six games a block are compared, and dealt again from the secret."""
    secret, records = match
    file = written(tmp_path, records)
    done = arena("verify", "--secret", secret, file)
    found = json.loads(arena("verify", file, "--json").out)

    assert (0, "") == (done.code, done.error)
    assert done.out.endswith(
        "all right; 2 blocks in all arrangements; all dealt from the secret\n"
    )
    assert (2, 0) == (found["blocks_right"], found["blocks_incomplete"])


@pytest.mark.parametrize(
    ("games", "whole"),
    [(range(4), ""), (range(6, 10), ""), (range(1, 12), "1 block in all arrangements")],
)
def test_some_games_of_a_match_are_no_rotations(
    arena: Arena,
    tmp_path: Path,
    match: tuple[str, list[str]],
    games: range,
    whole: str,
) -> None:
    """Few games of it have numbers and blocks as a rotated league has."""
    _, records = match
    done = arena("verify", written(tmp_path, [records[at] for at in games]))

    assert (0, "") == (done.code, done.error)
    assert whole in done.out
    assert "1 block not whole" in done.out


@pytest.mark.parametrize("players", [3, 5])
def test_tables_with_an_odd_number_of_seats(
    arena: Arena, tmp_path: Path, players: int
) -> None:
    """There a side leaves one of its bots out in half of the games."""
    _, records = records_of(tmp_path / "data", house_match(players=players, blocks=1))
    done = arena("verify", written(tmp_path, records))

    assert 0 == done.code, done.error
    assert "all right; 1 block in all arrangements\n" in done.out


def _changed(**values: object) -> Callable[[Record], Record]:
    return lambda record: seal(replace(record, **values))  # type: ignore[arg-type]


def _seated_otherwise(record: Record) -> Record:
    seats = {seat.bot: seat for seat in record.seats}
    turned = {"new-1": "old-1", "old-1": "new-1"}
    names = [turned.get(seat.bot, seat.bot) for seat in record.seats]
    return seal(replace(record, seats=tuple(seats[name] for name in names)))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            _changed(attempt=65537),
            "attempt is 65537, expected 65536, as in game demo-7, of the same block",
        ),
        (_changed(block=1), "block is 1, expected 2"),
        (_seated_otherwise, "expected ABAB in game 3 of a block"),
    ],
)
def test_a_game_that_is_not_of_its_block_is_named(
    arena: Arena,
    tmp_path: Path,
    match: tuple[str, list[str]],
    change: Callable[[Record], Record],
    problem: str,
) -> None:
    """Another attempt, another block, sides exchanged: records that are sound alone."""
    _, records = match
    changed = write_record(change(read_record(records[8])))
    file = written(tmp_path, [*records[:8], changed, *records[9:]])
    done = arena("verify", file)

    assert 1 == done.code
    assert f"{file}:9: game demo-9: " in done.error
    assert problem in done.error
    assert "1 wrong; 11 games" in done.out
