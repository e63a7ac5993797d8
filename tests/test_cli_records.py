"""`arena verify` and `arena replay`: records in files."""

import io
import json
import re
import sys
from pathlib import Path

import pytest

from arena.notation import write_notation
from arena.record import Record, read_record, seal, write_record
from arena.stand_in import STAND_INS
from arena.substitution import substitute
from arena.transcript import compact, transcript
from tests.command_line import Arena
from tests.sample_records import sample_record
from tests.tampering import CHANGES, Change, members, sample


@pytest.fixture(autouse=True)
def _plain_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the stand-in of the samples be the one that they were played with."""
    monkeypatch.setattr(
        "leagues.commands.verify.STAND_INS", {**STAND_INS, "careful-1": substitute}
    )


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A file with a finished and an unfinished game."""
    one = sample_record(1, target=26)
    other = members(sample_record(2, answers_max=32))
    other["game"] = "demo-18"
    return _written(tmp_path / "games.jsonl", [write_record(one), json.dumps(other)])


def _written(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(line + "\n" for line in lines))
    return path


def _falsified(change: Change) -> str:
    found = members(sample())
    change.apply(found)
    return json.dumps(found)


def test_right_records_are_all_right(arena: Arena, tmp_path: Path) -> None:
    """Good records give exit code 0 and a line with what was checked."""
    records = [sample_record(1, target=26), sample_record(2, answers_max=32)]
    files = [
        _written(tmp_path / f"{number}.jsonl", [write_record(_named(record, number))])
        for number, record in enumerate(records)
    ]
    done = arena("verify", *files)
    deals = sum(len(record.deals) for record in records)

    assert (0, "") == (done.code, done.error)
    assert f"{files[0]}, {files[1]}: 2 games, {deals} deals: all right\n" == done.out


def _named(record: Record, number: int) -> Record:
    found = members(record)
    found["game"] = f"demo-{number}"
    return seal(read_record(json.dumps(found)))


def test_records_come_from_standard_input(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dash reads what another command has written."""
    line = write_record(sample_record(1, target=26))
    monkeypatch.setattr(sys, "stdin", io.StringIO(line + "\n\n"))
    done = arena("verify", "-")

    assert 0 == done.code
    assert done.out.startswith("-: 1 game, ")


def test_games_in_notation_are_verified(arena: Arena, tmp_path: Path) -> None:
    """A file of text counts as one of JSON, and errors name the line of the text."""
    one, two = (_named(sample_record(1, target=26), number) for number in (1, 2))
    texts = [write_notation(one), write_notation(two), "[Game x]\n[Rules y]\n"]
    file = _written(tmp_path / "games.txt", ["", texts[0]])
    wrong = _written(
        tmp_path / "wrong.txt", [*texts, texts[0].replace("[Hash ", "[Hash 0")]
    )
    good, bad = arena("verify", file), arena("verify", file, wrong)
    line = 1 + len("\n".join(texts[:2]).splitlines())

    assert (0, f"{file}: 1 game, {len(one.deals)} deals: all right\n") == (
        good.code,
        good.out,
    )
    assert 1 == bad.code
    assert (
        f"error: {wrong}:1: game demo-1: the game stands twice, first in" in bad.error
    )
    assert f"error: {wrong}:{line + 2}: [Rules]: rules.preset: 'y' " in bad.error
    assert ": [Hash]: expected at most 64 characters, got 65" in bad.error
    assert "3 wrong; 2 games, " in bad.out


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_every_change_of_a_file_is_refused(
    arena: Arena, tmp_path: Path, change: Change
) -> None:
    """Whatever is falsified, the command names game, line and reason; code 1."""
    good = write_record(_named(sample(), 1))
    file = _written(tmp_path / "games.jsonl", [good, _falsified(change)])
    done = arena("verify", file)

    assert 1 == done.code
    assert re.search(change.message, done.error)
    assert done.error.startswith(f"error: {file}:2: game demo-17")
    assert f"{file}: 1 wrong; 1 game, " in done.out


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_every_change_of_a_text_is_refused(
    arena: Arena, tmp_path: Path, change: Change
) -> None:
    """What is falsified in JSON is as false in the notation."""
    text = write_notation(read_record(_falsified(change)))
    done = arena("verify", _written(tmp_path / "games.txt", [text]))

    assert 1 == done.code
    assert re.search(change.message, done.error)


def test_the_place_can_be_read_by_programs(arena: Arena, tmp_path: Path) -> None:
    """JSON names file, line, game, deal, trick and seat."""
    changes = {change.name: change for change in CHANGES}
    line = _falsified(changes["pass_of_another_hand"])
    file = _written(tmp_path / "games.jsonl", [line])
    done = arena("verify", file, "--json")
    found = json.loads(done.out)

    assert 1 == done.code
    assert not found["is_right"]
    expected = {
        "file": str(file),
        "line": 1,
        "game": "demo-17",
        "deal": 1,
        "trick": 0,
        "seat": 3,
    }
    assert expected.items() <= found["wrong"][0].items()


def test_only_the_first_errors_are_printed(arena: Arena, tmp_path: Path) -> None:
    """A file of nonsense prints twenty errors and how many more there are."""
    file = _written(tmp_path / "games.jsonl", ["nonsense"] * 23)
    done = arena("verify", file)

    assert 1 == done.code
    assert 21 == len(done.error.splitlines())
    assert "3 more wrong records; --json names all" in done.error


def test_a_game_may_stand_only_once(arena: Arena, tmp_path: Path) -> None:
    """A game that was slipped in twice is named with both places."""
    line = write_record(sample_record(1, target=26))
    file = _written(tmp_path / "games.jsonl", [line, line])
    done = arena("verify", file)

    assert 1 == done.code
    assert f"the game stands twice, first in {file}:1" in done.error


def test_a_file_that_is_named_twice_counts_once(arena: Arena, tmp_path: Path) -> None:
    """A pattern and a name may both mean the same file."""
    line = write_record(sample_record(1, target=26))
    file = _written(tmp_path / "games.jsonl", [line])
    done = arena("verify", file, tmp_path / "." / "games.jsonl", "--json")

    assert (0, 1) == (done.code, json.loads(done.out)["games_right"])


def test_an_unknown_stand_in_is_refused(arena: Arena, tmp_path: Path) -> None:
    """A record of a stand-in that this version lacks can't be verified."""
    found = members(sample_record(1, target=26))
    found["stand_in"] = "careful-99"
    done = arena("verify", _written(tmp_path / "a.jsonl", [json.dumps(found)]))

    assert 1 == done.code
    assert "'careful-99' is not one of this version's: careful-1" in done.error


@pytest.mark.parametrize("command", ["verify", "replay", "convert"])
def test_files_that_are_no_use(arena: Arena, tmp_path: Path, command: str) -> None:
    """A missing, an empty and a binary file are usage errors of one line."""
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")
    cases = {
        tmp_path / "missing": "can't be read: No such file or directory",
        _written(tmp_path / "empty", []): "no record; expected JSON lines",
        binary: "byte 0 is not UTF-8",
    }
    for file, message in cases.items():
        done = arena(command, file)

        assert (2, 1) == (done.code, len(done.error.splitlines()))
        assert f"error: {file}: {message}" in done.error


HAND = "AKQJT98765432"
BY_HAND = f"""[Rules "arena"] [Deal 0:{HAND}... 1:.{HAND}.. 2:..{HAND}. 3:...{HAND}]
3: 2C 2S 2H 2D"""
"""A position that no seed deals; the heart may be played, as there is nothing else."""


def test_games_that_no_seed_dealt_are_verified_as_dealt(
    arena: Arena, tmp_path: Path
) -> None:
    """Without the option that is told, with it all but the hands is checked."""
    file = _written(tmp_path / "mine.txt", [BY_HAND])
    plain, as_dealt = arena("verify", file), arena("verify", "--as-dealt", file)
    wrong = _written(tmp_path / "wrong.txt", [BY_HAND, "2S"])
    refused = arena("verify", "--as-dealt", wrong)

    assert 1 == plain.code
    assert "deal 1: these hands come from no seed: sequence_seed" in plain.error
    assert "--as-dealt" in plain.error
    assert (0, f"{file}: 1 game, 1 deal: all right\n") == (as_dealt.code, as_dealt.out)
    assert 1 == refused.code
    assert "deal 1, trick 2, seat 3, card 2S: " in refused.error


class TestReplay:
    """The table at the end of a record."""

    def test_an_unfinished_game_is_a_position(self, arena: Arena, games: Path) -> None:
        """The text names who is to act, the choices, the trick and the scores."""
        done = arena("replay", games, "--game", "demo-18")

        assert 0 == done.code
        assert done.out.startswith("Game demo-18 of league demo\nDeal 1, dealt by ")
        assert "\nto act  " in done.out
        assert "\npoints  careful " in done.out

    def test_a_position_can_be_read_by_programs(
        self, arena: Arena, games: Path
    ) -> None:
        """JSON holds the game, all hands and the choices of the seat to act."""
        found = json.loads(arena("replay", games, "--game", "demo-18", "--json").out)
        (seat,) = found["seats_to_act"]

        assert ("demo-18", "play", 4) == (
            found["game"],
            found["phase"],
            len(found["hands"]),
        )
        held = set(found["hands"][seat].split())
        assert set(found["choices"][str(seat)].split()) <= held

    @pytest.mark.parametrize("game", ["demo-17", "demo-18"])
    def test_the_whole_game_can_be_read(
        self, arena: Arena, games: Path, game: str
    ) -> None:
        """Every trick is told or every deal, of unfinished games too."""
        records = map(read_record, games.read_text().splitlines())
        (record,) = (one for one in records if one.game == game)
        for form, expected in (("full", transcript), ("compact", compact)):
            done = arena("replay", games, "--game", game, "--transcript", form)

            assert (0, "", expected(record)) == (done.code, done.error, done.out)

    def test_a_transcript_has_a_form(self, arena: Arena, games: Path) -> None:
        """Another word than `arena play` knows is refused with those to choose from."""
        done = arena("replay", games, "--transcript", "long")

        assert 2 == done.code
        assert "'full'" in done.error
        assert "'compact'" in done.error

    def test_a_finished_game_shows_places(self, arena: Arena, games: Path) -> None:
        """A finished game has totals and places, and nobody is to act."""
        done = arena("replay", games, "--game", "demo-17")

        assert "the game is over" in done.out
        assert "places  careful " in done.out

    def test_one_of_several_must_be_chosen(self, arena: Arena, games: Path) -> None:
        """Without a choice the games are named; an unknown one is refused."""
        several, unknown = arena("replay", games), arena("replay", games, "--game", "x")

        assert (2, 2) == (several.code, unknown.code)
        assert "2 games; choose one with --game ID (demo-17, demo-18)" in several.error
        assert "no game 'x'" in unknown.error

    def test_a_game_can_be_read_as_notation(self, arena: Arena, games: Path) -> None:
        """With --notation the record is printed, true or not."""
        done = arena("replay", games, "--game", "demo-18", "--notation")
        records = map(read_record, games.read_text().splitlines())

        assert [done.out] == [write_notation(r) for r in records if r.game == "demo-18"]

    def test_a_position_can_be_written_by_hand(
        self, arena: Arena, tmp_path: Path
    ) -> None:
        """Rules, hands and cards are enough to see the table."""
        hands = "0:AKQJT98765432... 1:.AKQJT98765432.. 2:..AKQJT98765432."
        lines = ["[Rules arena]", f"[Deal {hands} 3:...AKQJT98765432]", "3: 2C"]
        done = arena("replay", _written(tmp_path / "position.txt", lines))

        assert (0, "") == (done.code, done.error)
        assert "Game game\nDeal 1, dealt by seat 0" in done.out
        assert "to act  seat 0: " in done.out

    @pytest.mark.parametrize("line", ["{}", "falsified", "[Rules arena] XX"])
    def test_a_wrong_record_is_named(
        self, arena: Arena, tmp_path: Path, line: str
    ) -> None:
        """A line that is no record, or breaks the rules, gives exit code 1."""
        changes = {change.name: change for change in CHANGES}
        if line == "falsified":
            line = _falsified(changes["two_plays"])
        file = _written(tmp_path / "games.jsonl", [line])
        done = arena("replay", file)

        assert 1 == done.code
        assert done.error.startswith(f"error: {file}:1: ")


class TestConvert:
    """Records in the other form."""

    def test_there_and_back_is_the_same(
        self, arena: Arena, games: Path, tmp_path: Path
    ) -> None:
        """JSON lines become notation, and that the same JSON lines again."""
        lines = [write_record(read_record(x)) for x in games.read_text().splitlines()]
        there = arena("convert", games)
        back = arena("convert", _written(tmp_path / "games.txt", [there.out]))
        texts = [write_notation(read_record(line)) for line in lines]

        assert (0, "", "\n".join(texts)) == (there.code, there.error, there.out)
        assert (0, "", lines) == (back.code, back.error, back.out.splitlines())

    def test_the_first_wrong_record_is_named(
        self, arena: Arena, tmp_path: Path
    ) -> None:
        """What can't be read ends the work with exit code 1."""
        file = _written(tmp_path / "games.txt", ["[Rules arena]", "2C"])
        done = arena("convert", file)

        assert (1, "") == (done.code, done.out)
        assert f"error: {file}:2: a card is played before a deal" in done.error


@pytest.mark.parametrize("arguments", ["--nonsense", "verify", "replay", "nonsense"])
def test_wrong_usage_has_exit_code_2(arena: Arena, arguments: str) -> None:
    """An unknown command or option, or a missing argument, is explained."""
    done = arena(arguments)

    assert (2, "") == (done.code, done.out)
    assert "Usage: arena" in done.error


def test_the_version_is_told(arena: Arena) -> None:
    """The version of the arena, of Python and of gRPC, on one line."""
    done = arena("--version")

    assert 0 == done.code
    assert re.fullmatch(r"hearts-arena \S+ \(Python \S+, grpcio \S+\)\n", done.out)
