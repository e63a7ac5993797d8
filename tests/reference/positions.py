"""Positions with their counts, and the text files that hold them.

A file is written for people and for programs in any language: comments behind `#`,
and lines of `key: value`. `write_positions` and `read_positions` are each other's
inverse.
"""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tests.reference.deal import ReferenceDeal
from tests.reference.options import Options, options_of


@dataclass(frozen=True)
class Position:
    """The state of a deal before a play, or before the pass."""

    name: str
    direction: str
    hands: tuple[tuple[str, ...], ...]
    broken: bool = False
    trick_number: int = 1
    leader: int | None = None
    counts: dict[str, int] = field(default_factory=dict)
    """How many sequences there are, by depth: "pass", "1", "2" ..."""

    def deal(self, options: Options, dealer: int) -> ReferenceDeal:
        """Set the position up."""
        return ReferenceDeal(
            options,
            self.hands,
            dealer=dealer,
            direction=self.direction,
            trick_number=self.trick_number,
            leader=self.leader,
            broken=self.broken,
        )


@dataclass(frozen=True)
class PositionFile:
    """All that one file holds."""

    preset: str
    players: int
    overrides: dict[str, str]
    dealer: int
    positions: tuple[Position, ...]

    @property
    def options(self) -> Options:
        """The options that all positions are played under."""
        return options_of(self.preset, self.players, **self.overrides)


HEADER = """\
# Counts of legal play in Hearts: {title}.
#
# Each position below names the number of different sequences of plays that the
# rules allow from it. To check an implementation, set a position up, try every
# legal card, go on from each of them, and count the sequences of exactly as many
# plays as a line "depth N" says. A count that differs shows a rule that differs:
# compare the counts of the first cards one by one to find it.
#
# Cards are a rank (2-9 T J Q K A) and a suit (C D H S). Seats count from 0 in the
# order of play. A double pack has two equal cards of each kind: which of them is
# played is no difference, so a hand with "9C 9C" has one way to play a 9C.
#
# rules      the preset, the number of seats and the options that are changed
# dealer     the seat that dealt
# direction  where cards are passed first; hold: play begins at once
# seat N     what the seat holds; hands may be smaller than a full deal
# broken     whether hearts are broken before the first play (no when not said)
# trick      the number of the trick that begins (1 when not said); after the first,
#            "leader" leads it, and the rules of the first trick are over
# depth pass the number of ways in which all seats together can pass; the other
#            depths of such a position count each way with the plays after it
# depth N    the number of sequences of N plays
"""


def rules_line(file: PositionFile) -> str:
    """Return the text that names the rules of a file."""
    words = [file.preset, f"players={file.players}"]
    for name, value in file.overrides.items():
        quoted = f'"{value}"' if " " in value or not value else value
        words.append(f"{name}={quoted}")
    return " ".join(words)


def write_positions(file: PositionFile) -> str:
    """Return the text of a file."""
    title = f"{file.preset}, {file.players} seats"
    for name, value in file.overrides.items():
        title += f", {name} {value}"
    lines = [HEADER.format(title=title)]
    lines += [f"rules: {rules_line(file)}", f"dealer: {file.dealer}"]
    for position in file.positions:
        lines += ["", *_position_lines(position)]
    return "\n".join(lines) + "\n"


def _position_lines(position: Position) -> Iterator[str]:
    yield f"position: {position.name}"
    yield f"direction: {position.direction}"
    for seat, hand in enumerate(position.hands):
        yield f"seat {seat}: {' '.join(hand)}"
    if position.broken:
        yield "broken: yes"
    if position.leader is not None:
        yield f"trick: {position.trick_number}"
        yield f"leader: {position.leader}"
    for depth, count in position.counts.items():
        yield f"depth {depth}: {count}"


def read_positions(text: str) -> PositionFile:
    """Return what a file holds."""
    file = PositionFile("", 0, {}, 0, ())
    positions: list[Position] = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        key, _, value = line.partition(":")
        value = value.strip()
        if key == "rules":
            preset, *settings = shlex.split(value)
            overrides = dict(setting.split("=", 1) for setting in settings)
            players = int(overrides.pop("players"))
            file = replace(file, preset=preset, players=players, overrides=overrides)
        elif key == "dealer":
            file = replace(file, dealer=int(value))
        elif key == "position":
            positions.append(Position(value, "hold", ()))
        else:
            positions[-1] = _with(positions[-1], key, value)
    return replace(file, positions=tuple(positions))


def _with(position: Position, key: str, value: str) -> Position:
    if key.startswith("seat "):
        return replace(position, hands=(*position.hands, tuple(value.split())))
    if key.startswith("depth "):
        depth = key.removeprefix("depth ")
        return replace(position, counts={**position.counts, depth: int(value)})
    if key == "direction":
        return replace(position, direction=value)
    if key == "broken":
        return replace(position, broken=value == "yes")
    if key == "trick":
        return replace(position, trick_number=int(value))
    assert key == "leader", key
    return replace(position, leader=int(value))
