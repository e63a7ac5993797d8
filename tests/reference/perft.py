"""The files of counted positions in `tests/golden/perft`, and their making.

`python -m tests.reference.perft` writes all of them anew, or those it is told:
the same files each time. Counting everything takes a few minutes.
"""

import random
import sys
from pathlib import Path

from tests.reference import position_makers as makers
from tests.reference.positions import Position, PositionFile, write_positions
from tests.reference.presets import PRESETS

FOLDER = Path(__file__).parent.parent / "golden" / "perft"

OPTION_FILES: dict[str, tuple[str, int, dict[str, str]]] = {
    "hearts_lead_free": ("arena", 4, {"hearts_lead": "free"}),
    "queen_lead_after_broken": ("arena", 4, {"queen_lead": "after_broken"}),
    "queen_lead_after_broken_hearts_free": (
        "arena",
        4,
        {"queen_lead": "after_broken", "hearts_lead": "free"},
    ),
    "first_trick_escape_queen": ("arena", 4, {"first_trick_escape": "queen"}),
    "first_trick_escape_hearts": ("arena", 4, {"first_trick_escape": "hearts"}),
    "first_trick_ban_none": ("arena", 4, {"first_trick_ban": "none"}),
    "first_trick_ban_black_maria": ("black_maria", 3, {"first_trick_ban": "penalties"}),
    "only_penalties": ("arena", 4, {"unbroken_lead_exception": "only_penalties"}),
    "queen_breaks_discarded": ("arena", 4, {"queen_breaks": "discarded"}),
    "opening_any_of_suit": ("arena", 4, {"opening_play": "any_of_suit"}),
    "opening_any": ("arena", 4, {"opening_play": "any"}),
    "opening_eldest": (
        "arena",
        4,
        {"opening_leader": "eldest", "opening_play": "any_of_suit"},
    ),
    "opening_card": ("arena", 4, {"opening_card": "7D"}),
    "pass_one": ("arena", 4, {"pass_count": "1"}),
    "cancel_next_leader_next_seat": (
        "cancellation",
        6,
        {"cancel_next_leader": "next_seat"},
    ),
    "two_packs_without_cancellation": ("cancellation", 6, {"cancellation": "false"}),
    "eleven_seats": ("cancellation", 11, {"removed": "2C 2C 2D 2D 3C"}),
}
"""Files for options that no preset uses, and what each plays."""


def file_names() -> dict[str, tuple[str, int, dict[str, str]]]:
    """Return what each file plays: a preset, a number of seats and overrides."""
    names: dict[str, tuple[str, int, dict[str, str]]] = {}
    for preset, known in PRESETS.items():
        for players in known.seats:
            names[f"{preset}_{players}"] = (preset, players, {})
    for name, plays in OPTION_FILES.items():
        names[f"option_{name}"] = plays
    return names


def counted_file(name: str) -> PositionFile:
    """Make and count the positions of a file."""
    preset, players, overrides = file_names()[name]
    chance = random.Random(name)
    file = PositionFile(preset, players, overrides, chance.randrange(players), ())
    options, dealer = file.options, file.dealer
    small: list[makers.Maker] = [
        makers.first_trick,
        makers.hearts_only,
        makers.hearts_and_queen,
        makers.unbroken,
        makers.ending,
    ]
    if options.packs == 2:
        small += [makers.pairs, makers.cancelled]
    positions: list[Position] = [makers.counted_start(options, chance, dealer)]
    passing = makers.small_pass(options, chance, dealer)
    if passing is not None:
        positions.append(passing)
    for maker in small:
        positions.append(makers.counted_ending(maker, options, chance, dealer))
    return PositionFile(preset, players, overrides, dealer, tuple(positions))


def main(names: list[str]) -> None:
    """Write the files of these names, or all."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or file_names():
        text = write_positions(counted_file(name))
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
