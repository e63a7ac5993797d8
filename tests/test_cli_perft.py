"""`arena perft`: positions in files, counted and compared."""

import io
import json
import sys
from pathlib import Path

import pytest

from tests.command_line import Arena

GOLDEN = Path(__file__).parent / "golden" / "perft" / "black_maria_3.txt"

SMALL = """\
rules: plain_hearts
dealer: 3
position: one trick
seat 0: 2C
seat 1: 3C
seat 2: 4D
seat 3: 5C
"""

FIRST = """\
position: a whole deal
depth 1: 12 OK
depth 2: 49 OK

position: a pass
depth pass: 64 OK
"""


def changed(tmp_path: Path, old: str, new: str) -> Path:
    """Return the path of a golden file in which one text is another."""
    text = GOLDEN.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "changed.txt"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


def test_right_counts_are_said_to_be_right(arena: Arena) -> None:
    """Each depth of each position has a line, and a line sums up."""
    done = arena("perft", GOLDEN, "--depth", 2)

    assert (0, "") == (done.code, done.error)
    assert done.out.startswith(FIRST)
    assert done.out.endswith(f"\n\n{GOLDEN}: 7 positions: all right\n")


def test_a_wrong_count_is_named(arena: Arena, tmp_path: Path) -> None:
    """What differs is named with its place, and the exit code is 1."""
    path = changed(tmp_path, "depth 2: 49\n", "depth 2: 50\n")
    done = arena("perft", path, GOLDEN, "--depth", 2)

    assert 1 == done.code
    assert "depth 2: 49 WRONG, expected 50\n" in done.out
    assert "2 files: 1 wrong; 13 positions right\n" in done.out
    problem = "a whole deal: depth 2: 49 WRONG, expected 50"
    assert f"error: {path}:27: {problem}\n" == done.error


def test_a_depth_beyond_the_deal_counts_nothing(arena: Arena, tmp_path: Path) -> None:
    """A count for more plays than there are cards is wrong."""
    path = changed(tmp_path, "depth 12: 1152\n", "depth 12: 1152\ndepth 13: 1152\n")
    done = arena("perft", path)

    assert 1 == done.code
    assert "depth 13: 0 WRONG, expected 1152\n" in done.out


def test_first_cards_help_to_find_a_difference(arena: Arena) -> None:
    """With --divide the lines of the last depth are told by first card."""
    done = arena("perft", GOLDEN, "--depth", 2, "--divide")
    lines = done.out.splitlines()

    assert ["depth 2: 49 OK", "  3C 5", "  7C 5", "  2D 3"] == lines[2:6]


def test_new_positions_get_their_counts(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Positions without counts are counted, in lines that a file can hold."""
    lines = GOLDEN.read_text(encoding="utf-8").splitlines(keepends=True)
    text = "".join(line for line in lines if not line.startswith("depth"))
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    done = arena("perft", "-")
    counts = [line for line in done.out.splitlines() if line.startswith("depth")]

    assert (0, "") == (done.code, done.error)
    assert [line.strip() for line in lines if line.startswith("depth")][:4] == counts[
        :4
    ]
    assert done.out.splitlines()[-1].startswith("depth 4: ")


def test_json_holds_all(arena: Arena, tmp_path: Path) -> None:
    """For programs there are the counts, what was expected, and the first cards."""
    path = changed(tmp_path, "depth 2: 49\n", "depth 2: 50\n")
    done = arena("perft", path, "--depth", 2, "--divide", "--json")
    found = json.loads(done.out)
    first = found["positions"][0]

    assert (1, False, 7) == (done.code, found["is_right"], len(found["positions"]))
    assert (str(path), 27, False) == (first["file"], first["line"], first["is_right"])
    assert {"depth": "2", "count": 49, "expected": 50} == first["depths"][1]
    assert 49 == sum(first["first_cards"].values())
    assert found["positions"][1]["first_cards"] is None


def test_what_is_no_file_of_positions_is_one_line(arena: Arena, tmp_path: Path) -> None:
    """Wrong files end the command with exit code 2, and file and line."""
    bad = tmp_path / "bad.txt"
    hint = "`arena rules show arena --options` has all"
    expected = {
        "rules: arena\nhello\n": "2: 'hello' is not `key: value`",
        "\nrules: arena name=x\ndealer: 0\n": f"2: rules.name: no such option; {hint}",
        "rules: arena moon=x\ndealer: 0\n": "1: rules.moon: 'x' is not one of add, "
        "choice, subtract, off, auto",
    }
    for text, message in expected.items():
        bad.write_text(text, encoding="utf-8")
        done = arena("perft", bad)

        assert (2, "", f"error: {bad}:{message}\n") == (
            done.code,
            done.out,
            done.error,
        )


def test_of_several_files_only_news_are_shown(arena: Arena, tmp_path: Path) -> None:
    """Right positions are a number; wrong and new ones are printed with their file."""
    other = GOLDEN.with_name("arena_4.txt")
    wrong = changed(tmp_path, "depth 2: 49\n", "depth 2: 50\n")
    right = arena("perft", GOLDEN, other, GOLDEN, "--depth", 2)
    mixed = arena("perft", other, wrong, "--depth", 2)
    shown = "position: a whole deal\ndepth 1: 12 OK\ndepth 2: 49 WRONG, expected 50\n"

    assert "2 files: 14 positions: all right\n" == right.out
    assert f"# {wrong}\n{shown}\n2 files: 1 wrong; 13 positions right\n" == mixed.out


def test_all_of_several_files_can_be_shown(arena: Arena) -> None:
    """With --verbose or --divide every position is printed, after its file's name."""
    other = GOLDEN.with_name("arena_4.txt")
    for option in ("--verbose", "--divide"):
        lines = arena("perft", GOLDEN, other, option, "--depth", 1).out.splitlines()

        assert [f"# {GOLDEN}", f"# {other}"] == [x for x in lines if x[0:1] == "#"]
        assert 14 == sum(line.startswith("position: ") for line in lines)
        assert "2 files: 14 positions: all right" == lines[-1]


def test_huge_depths_are_harmless(arena: Arena, tmp_path: Path) -> None:
    """No depth takes more memory or time than the deal has plays."""
    text = SMALL + "depth 99999999999: 1\n"
    (tmp_path / "small.txt").write_text(text, encoding="utf-8")
    done = arena("perft", tmp_path / "small.txt", "--depth", 99999999999, "--divide")

    assert 1 == done.code
    assert "depth 99999999999: 0 WRONG, expected 1\n" in done.out
