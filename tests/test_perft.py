"""Perft: every golden count is also the arena's, and bad files are refused."""

from pathlib import Path

import pytest

from arena.cards import card_name
from arena.perft import PASS, PerftError, Position, counts, first_counts, read_perft
from tests.documents import blocks, read_document

FILES = sorted((Path(__file__).parent / "golden" / "perft").glob("*.txt"))

SMALL = """\
rules: arena
dealer: 3
position: two tricks
seat 0: 2C 5H
seat 1: 3C 4C
seat 2: 4D QS
seat 3: 5C 6C
"""

LATER = "trick: 12\nleader: 2\nbroken: yes\n"

DOUBLE = SMALL.replace("arena", "cancellation players=6") + (
    "seat 4: 3C 9C\nseat 5: 9C 9D\n"
)


def read(text: str) -> list[Position]:
    """Return the positions of a text."""
    return read_perft(text.splitlines())


def first(text: str) -> Position:
    """Return the first position of a text."""
    return read(text)[0]


THREE = SMALL.replace("arena", "standard players=3").replace("seat 3: 5C 6C\n", "")
THREE = THREE.replace("dealer: 3", "dealer: 0")

NO_PASS = SMALL.replace("arena", "arena pass_count=0")


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_counts_agree_with_the_reference(
    path: Path, request: pytest.FixtureRequest
) -> None:
    """The engine counts as many lines of play as the file says at each depth."""
    lines_max = request.config.getoption("--perft-lines")
    for position in read(path.read_text(encoding="utf-8")):
        expected = {
            depth: count
            for depth, count in position.expected.items()
            if depth == PASS or count <= lines_max
        }
        depths = [int(depth) for depth in expected if depth != PASS]

        assert expected == counts(position, max(depths, default=0))


def test_lines_are_counted_to_the_end_of_a_deal() -> None:
    """Depths beyond the last play are left out, and no depth is nothing."""
    position = first(SMALL)

    assert {"1": 1, "2": 2, "3": 2, "4": 4} == counts(position, 4)
    assert ["1", "2", "3", "4", "5", "6", "7", "8"] == list(counts(position, 20))
    assert counts(position, 8) == counts(position, 10**17)
    assert {} == counts(position, 0)


def test_passes_begin_all_lines() -> None:
    """Where a pass is due, each way to pass is counted with the plays after it."""
    text = SMALL.replace("arena", "arena pass_count=1") + "direction: left\n"
    expected = {"pass": 16, "1": 16}

    assert expected == counts(first(text), 1)
    assert {"pass": 16} == counts(first(text), 0)


def test_equal_passes_count_once() -> None:
    """Which of two equal cards is passed makes no difference."""
    text = DOUBLE.replace("players=6", "players=6 pass_count=1") + "direction: left\n"
    text = text.replace("9C 9D", "9D 9D")

    assert {"pass": 32} == counts(first(text), 0)


def test_first_cards_part_the_lines() -> None:
    """The lines that begin with each card add up to all lines."""
    position = first(SMALL + LATER)
    for depth in (1, 2, 5, 8):
        parts = first_counts(position, depth)

        assert ["4D", "QS"] == list(named(parts))
        assert counts(position, depth)[str(depth)] == sum(parts.values())


def test_no_line_is_longer_than_the_deal() -> None:
    """Beyond the end of a deal no line begins with any card."""
    text = SMALL.replace(" 5H", "").replace(" 4C", "").replace(" QS", "")
    position = first(text.replace("5C 6C", "5C") + LATER)

    assert {"4D": 1} == named(first_counts(position, 4))
    assert {"4D": 0} == named(first_counts(position, 5))


def named(parts: dict[int, int]) -> dict[str, int]:
    """Return counts by the names of their cards."""
    return {card_name(card): count for card, count in parts.items()}


def test_a_file_is_read() -> None:
    """Rules, names, places and counts are as written."""
    text = "# Mine.\n\n" + SMALL.replace("arena", 'standard target=50 removed="none"')
    text += "direction:hold\ndepth 1: 1\n\nposition: later\n"
    text += SMALL[SMALL.index("seat 0") :] + LATER
    early, late = read("\ufeff" + text)

    assert ("standard", 50) == (early.rules.preset, early.rules.target)
    assert ("two tricks", 5, {"1": 1}) == (early.name, early.line, early.expected)
    assert (1, False) == (early.trick_number, early.is_broken)
    assert (12, 2, True) == (late.trick_number, late.leader, late.is_broken)
    assert (2, 11, True) == (
        late.deal().turn,
        late.deal().trick_count,
        late.deal().hearts_broken,
    )


BAD: list[tuple[str, int, str]] = [
    ("", 1, "`rules: …` is missing"),
    ("rules: arena\n", 1, "`dealer: …` is missing"),
    ("rules: arena\ndealer: 0\n", 2, "there is no position"),
    ("rules: arena\ndealer: 4\n", 2, "there are seats 0 to 3"),
    ("rules: arena\ndealer: one\n", 2, "'one' is not a number from 0"),
    ("rules: arena\ndealer: ²\n", 2, "'²' is not a number from 0"),
    ("rules:\ndealer: 0\n", 1, "rules are a preset with options"),
    ('rules: "arena\ndealer: 0\n', 1, "quotes come in pairs"),
    ("rules: arena target\ndealer: 0\n", 1, "'target' is not option=value"),
    ("rules: arena target=x\ndealer: 0\n", 1, "rules.target: 'x' "),
    ("rules: chess\ndealer: 0\n", 1, "rules.preset: 'chess' is not a preset"),
    ("rules: arena players=x\ndealer: 0\n", 1, "'x' is not a number from 0"),
    ("rules: arena\nrules: arena\n", 2, "'rules' is said twice"),
    ("rules: arena\ndealer: 0\nbroken: yes\n", 3, "before the first position"),
    ("hello\n", 1, "'hello' is not `key: value`"),
    (SMALL.replace("seat 3: 5C 6C\n", ""), 3, "`seat 3: …` is missing"),
    (SMALL.replace("5C 6C", "5C"), 7, "seat 3: all hands need as many cards"),
    (SMALL.replace("2C 5H", ""), 4, "seat 0: all hands need as many cards"),
    (SMALL.replace("5C 6C", "5C 4C"), 7, "seat 3: 4C is dealt twice by now, but the"),
    (SMALL.replace("5C 6C", "5C 5C"), 7, "but the pack has it once"),
    (SMALL.replace("5C 6C", "5C 1C"), 7, "'1C' is not a card"),
    (DOUBLE.replace("2C 5H", "4C 4C 4C"), 4, "seat 0: 4C is dealt 3 times by now, "),
    (DOUBLE.replace("9C 9D", "3C 9D"), 9, "3C is dealt 3 times by now, but the pack"),
    (DOUBLE.replace("9C 9D", "2C 9D"), 9, "seat 5: 2C is dealt twice by now, but the"),
    (THREE.replace("4D QS", "2D QS"), 6, "seat 2: 2D is not in the pack of these"),
    (THREE + "direction: across\n", 7, "3 seats have no opposite to pass across to"),
    (NO_PASS + "direction: left\n", 8, "the rules have pass_count 0, so nothing is"),
    (NO_PASS.replace("t=0", "t=0 pass_count=0"), 1, "'pass_count' is said twice"),
    (SMALL.replace("arena", "arena players=4 players=4"), 1, "'players' is said twice"),
    (SMALL.replace("arena", "arena moon=off moon=add"), 1, "'moon' is said twice"),
    (SMALL.replace("arena", "arena preset=spot"), 1, "rules.preset: "),
    (SMALL.replace("arena", "arena name=x"), 1, "rules.name: "),
    (SMALL.replace("arena", "arena self=x"), 1, "rules.self: "),
    (SMALL.replace("arena", f"arena target={'9' * 5000}"), 1, "rules.target: '999"),
    (SMALL.replace("arena", f"arena players={'9' * 5000}"), 1, "...' is not a number"),
    (SMALL.replace("dealer: 3", f"dealer: {'9' * 5000}"), 2, "...' is not a number"),
    (SMALL + "dealer: 3\n", 8, "'dealer' is not a key of a position"),
    ("dealer: 3\n" + SMALL, 3, "'dealer' is said twice"),
    (SMALL + "seat  0: 2C 5H\n", 8, "'seat 0' is said twice"),
    (SMALL + "depth 1: 1\ndepth 01: 2\n", 9, "'depth 1' is said twice"),
    (SMALL + f"depth {'9' * 5000}: 1\n", 8, "...' is not a number from 1"),
    (SMALL + f"depth 1: {'9' * 5000}\n", 8, "...' is not a number from 0"),
    (SMALL + f"trick: {'9' * 5000}\n", 8, "...' is not a number from 1"),
    (SMALL + "trick: 14\nleader: 0\n", 8, "a deal has 13 tricks; there is no trick"),
    (SMALL + "leader" * 10**6, 8, "6000000 characters are too many; expected at"),
    (SMALL + "leader" * 100, 8, "...' is not `key: value`"),
    (SMALL + "seat 4" * 100 + ":", 8, "...' is not a key of a position"),
    ("leader" * 100 + ": 1\n" + SMALL, 1, "...' stands before the first position"),
    (SMALL + "direction: up\n", 8, "'up' is no direction; there are left, right,"),
    (SMALL + "direction: left\n", 8, "3 cards are passed, but hands have 2"),
    (SMALL + "trick: 0\n", 8, "'0' is not a number from 1"),
    (SMALL + "trick: 12\n", 3, "`leader: …` is missing"),
    (SMALL + "leader: 1\n", 8, "leader can be said of a trick after the first"),
    (SMALL + "broken: yes\n", 8, "broken can be said of a trick after the first"),
    (SMALL + LATER.replace("yes", "maybe"), 10, "'maybe' is neither yes nor no"),
    (SMALL + LATER.replace("leader: 2", "leader: 4"), 9, "there are seats 0 to 3"),
    (
        SMALL.replace("arena", "arena pass_count=1") + LATER + "direction: left\n",
        11,
        "cards are passed before trick 1 only",
    ),
    (SMALL + "depth 0: 1\n", 8, "'0' is not a number from 1"),
    (SMALL + f"depth 1: {'1' * 19}\n", 8, "is not a number from 0"),
    (SMALL + "depth 1: many\n", 8, "'many' is not a number from 0"),
    (SMALL + "depth pass: 1\n", 8, "no pass is due"),
    (SMALL + ": 1\n", 8, "'' is not a key of a position"),
    (SMALL + "depth: 1\n", 8, "'' is not a number from 1"),
    (SMALL + "deep 1: 1\n", 8, "'deep 1' is not a key of a position"),
    (SMALL + "seat 4: 2D 3D\n", 8, "'seat 4' is not a key of a position"),
]

REASON_MAX = 300
"""No error is longer than this, however long the text is that it shows."""


@pytest.mark.parametrize(("text", "line", "reason"), BAD, ids=range(len(BAD)))
def test_a_bad_file_is_refused(text: str, line: int, reason: str) -> None:
    """An error names the line and what is wrong with it."""
    with pytest.raises(PerftError) as caught:
        read(text)

    assert line == caught.value.line
    assert reason in caught.value.reason
    assert len(caught.value.reason) < REASON_MAX
    assert f"line {line}: {caught.value.reason}" == str(caught.value)


def test_the_documented_file_is_right() -> None:
    """The example in the document is a file, and its counts are right."""
    example = next(
        block
        for block in blocks(read_document("docs/notation.md"))
        if block.text.startswith("# Lines that begin with this sign")
    )
    position = first(example.text)

    assert position.expected == counts(position, 3)
