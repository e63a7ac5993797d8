"""`arena verify` on leagues: blocks are one seating, and deals come from a secret."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.record import Record, read_record, seal, write_record
from arena.rotations import RotationCheck, game_number
from leagues.storage.store import Store
from tests.command_line import Arena
from tests.league_games import league_config, league_spec, played
from tests.sample_records import sample_record

GAMES = 12


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[str]]]:
    """The secret and the records of a rotated league of three blocks."""
    directory = tmp_path_factory.mktemp("data")
    with Store.open(directory, command="a test") as store:
        config = league_config(games=GAMES, seed=None, luck="rotate")
        known = store.open_league(config)
        numbers = range(1, GAMES + 1)
        records = [played(league_spec(config, known, number)) for number in numbers]
        yield known.secret.hex(), [write_record(record) for record in records]


def written(folder: Path, records: list[str]) -> Path:
    """Write a file of records."""
    file = folder / "games.jsonl"
    file.write_text("".join(record + "\n" for record in records))
    return file


def test_whole_blocks_from_the_secret_are_right(
    arena: Arena, tmp_path: Path, league: tuple[str, list[str]]
) -> None:
    """Every deal of every record is computed from the secret alone."""
    secret, records = league
    file = written(tmp_path, records)
    done = arena("verify", "--secret", secret, file)
    plain = arena("verify", file)
    found = json.loads(arena("verify", "--secret", secret.upper(), file, "--json").out)

    assert (0, "") == (done.code, done.error)
    assert done.out.endswith(
        "all right; 3 blocks in all rotations; all dealt from the secret\n"
    )
    assert plain.out.endswith("all right; 3 blocks in all rotations\n")
    assert (3, 0, True) == (
        found["blocks_right"],
        found["blocks_incomplete"],
        found["has_secret"],
    )


def test_blocks_may_be_there_in_part_and_in_any_order(
    arena: Arena, tmp_path: Path, league: tuple[str, list[str]]
) -> None:
    """What is not there can't be compared, and is counted."""
    _, records = league
    done = arena("verify", written(tmp_path, [*records[9:6:-1], *records[:5]]))

    assert 0 == done.code
    assert "1 block in all rotations; 2 blocks not whole" in done.out


def test_another_secret_is_found_out(
    arena: Arena, tmp_path: Path, league: tuple[str, list[str]]
) -> None:
    """The first record that does not fit is named with its file and line."""
    _, records = league
    file = written(tmp_path, records)
    other = "00" * 32
    done = arena("verify", "--secret", other, file)

    assert 1 == done.code
    assert f"{file}:1: game demo-1: sequence_seed ([SequenceSeed]) is " in done.error
    assert ", from the secret, block 1 and attempt 65536" in done.error
    assert "12 wrong; 0 games, 0 deals right" in done.out


def _changed(**values: object) -> Callable[[Record], Record]:
    return lambda record: seal(replace(record, **values))  # type: ignore[arg-type]


def _seated_otherwise(record: Record) -> Record:
    one, other, *rest = record.seats
    return seal(replace(record, seats=(other, one, *rest)))


@pytest.mark.parametrize(
    ("change", "with_secret", "without"),
    [
        (
            _changed(attempt=65537),
            "is {seed}, expected ",
            "attempt is 65537, expected 65536, as in game demo-5, of the same block",
        ),
        (_changed(block=3), "block 3 and attempt 65536", "block is 3, expected 2"),
        (_seated_otherwise, "the seats are ", "the seats are "),
    ],
)
def test_a_game_that_is_not_of_its_block_is_named(
    arena: Arena,
    tmp_path: Path,
    league: tuple[str, list[str]],
    change: Callable[[Record], Record],
    with_secret: str,
    without: str,
) -> None:
    """Another attempt, another block, other seats: each in a record that is sound."""
    secret, records = league
    record = read_record(records[6])
    changed = [*records[:6], write_record(change(record)), *records[7:]]
    file = written(tmp_path, changed)
    known = arena("verify", "--secret", secret, file)
    plain = arena("verify", file)

    for done, text in ((known, with_secret), (plain, without)):
        assert 1 == done.code
        assert f"{file}:7: game demo-7: " in done.error
        assert text.format(seed=record.sequence_seed) in done.error
        assert "1 wrong; 11 games" in done.out


def test_games_without_rotations_are_blocks_by_themselves(
    tmp_path: Path, league: tuple[str, list[str]]
) -> None:
    """Nothing is compared where every game has the number of its block."""
    with Store.open(tmp_path, command="a test") as store:
        config = league_config(games=6)
        known = store.open_league(config)
        check = RotationCheck[int]()
        for number in range(1, 7):
            check.add(played(league_spec(config, known, number)), number)

    assert [] == list(check.problems())
    assert (0, 0) == (check.whole, check.partial)


@pytest.mark.parametrize(
    ("secret", "problem"),
    [
        ("xyz", "'xyz' is no secret; expected 64 hexadecimal digits"),
        ("ab" * 31, "is no secret"),
    ],
)
def test_what_is_no_secret_is_refused(
    arena: Arena, tmp_path: Path, secret: str, problem: str
) -> None:
    """A secret is 32 bytes in hexadecimal."""
    done = arena("verify", "--secret", secret, tmp_path / "games.jsonl")

    assert 2 == done.code
    assert problem in done.error


def test_hands_from_the_file_have_no_secret(arena: Arena, tmp_path: Path) -> None:
    """Both at once would contradict each other."""
    options = ("--as-dealt", "--secret", "00" * 32)
    done = arena("verify", *options, tmp_path / "games.jsonl")

    assert 2 == done.code
    assert "--as-dealt takes hands from the file" in done.error


@pytest.mark.parametrize(
    ("league_name", "game"), [("demo", "demo"), ("demo", "other-3"), ("", "x-3")]
)
def test_a_game_without_a_number(league_name: str, game: str) -> None:
    """An id of another form is no game of a league."""
    record = sample_record(1, deals_max=1)

    with pytest.raises(ValueError, match="has no number"):
        game_number(replace(record, league=league_name, game=game))
