"""`arena perft`: counts legal lines of play, and compares them with files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cards import card_name
from arena.commands.opened import opened
from arena.excerpt import cut
from arena.perft import PASS, PerftError, Position, counts, first_counts, read_perft
from arena.terminal import (
    WRONG,
    CommandError,
    JsonOption,
    counted,
    epilog,
    print_error,
    print_json,
    progress_bar,
)

_NEW_DEPTH = 4
"""How deep positions are counted that have no counts yet."""


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "perft",
        epilog=epilog(
            "arena perft tests/golden/perft/arena_4.txt",
            "arena perft cancellation_6.txt --depth 5 --divide",
            "arena perft tests/golden/perft/*.txt",
            "arena perft *.txt --json | jq .is_right",
            wrong="a count differs from the file",
        ),
    )(_perft)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was counted at one depth of a position."""

    depth: str
    count: int
    expected: int | None
    """What the file says; None when it says nothing."""

    @property
    def is_right(self) -> bool:
        """Whether nothing differs."""
        return self.expected in (None, self.count)

    @property
    def text(self) -> str:
        """The line for people, which begins as in a file."""
        if self.expected is None:
            return f"depth {self.depth}: {self.count}"
        verdict = "OK" if self.is_right else f"WRONG, expected {self.expected}"
        return f"depth {self.depth}: {self.count} {verdict}"


@dataclass(frozen=True, slots=True)
class Result:
    """What was counted from one position."""

    file: str
    position: Position
    findings: Sequence[Finding]
    first_cards: dict[str, int] | None
    """The lines of the greatest depth by first card, when asked for."""

    @property
    def is_right(self) -> bool:
        """Whether nothing differs from the file."""
        return all(finding.is_right for finding in self.findings)

    @property
    def is_news(self) -> bool:
        """Whether the file does not say the same."""
        return not self.is_right or not self.position.expected

    def value(self) -> dict[str, Any]:
        """Return it as JSON knows it."""
        return {
            "file": self.file,
            "line": self.position.line,
            "position": self.position.name,
            "is_right": self.is_right,
            "depths": [
                {
                    "depth": finding.depth,
                    "count": finding.count,
                    "expected": finding.expected,
                }
                for finding in self.findings
            ],
            "first_cards": self.first_cards,
        }

    def lines(self) -> Iterator[str]:
        """Yield what people read."""
        yield f"position: {self.position.name}"
        for finding in self.findings:
            yield finding.text
        for name, count in (self.first_cards or {}).items():
            yield f"  {name} {count}"


def _perft(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Positions with counts; - reads stdin."),
    ],
    *,
    depth: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Look so many plays ahead at most."),
    ] = None,
    divide: Annotated[
        bool, typer.Option("--divide", help="Count by first card, too.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Print all positions of several files.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """
    Count legal lines of play from positions, and compare with what files say.

    A clone of the project has files of all presets in tests/golden/perft.
    Positions without counts get them, 4 plays deep unless --depth says otherwise.
    Of several files only positions with a wrong count or without counts are printed.
    """
    files = list(dict.fromkeys(files))
    is_all_shown = verbose or divide or len(files) == 1
    last_shown = None
    positions = [(str(path), position) for path in files for position in _read(path)]
    results = []
    with progress_bar("counted", total=len(positions)) as bar:
        for done, (file, position) in enumerate(positions):
            bar.update(done, note=file)
            result = _result(file, position, depth, is_divided=divide)
            results.append(result)
            if not as_json and (is_all_shown or result.is_news):
                _print_result(result, after=last_shown, names_file=len(files) > 1)
                last_shown = result
    wrong = [result for result in results if not result.is_right]
    if as_json:
        values = [result.value() for result in results]
        print_json({"is_right": not wrong, "positions": values})
    else:
        _print_summary(results, wrong, files, is_apart=last_shown is not None)
    if wrong:
        raise typer.Exit(WRONG)


def _read(path: Path) -> list[Position]:
    try:
        with opened(path, expected="positions") as file:
            return read_perft(file)
    except PerftError as error:
        raise CommandError(f"{path}:{error.line}: {error.reason}") from None


def _result(
    file: str, position: Position, depth: int | None, *, is_divided: bool
) -> Result:
    expected = position.expected
    most = max((int(key) for key in expected if key != PASS), default=0)
    if not expected:
        most = depth or _NEW_DEPTH
    elif depth is not None:
        most = min(most, depth)
    found = counts(position, most)
    compared = {key: found.get(key, 0) for key in expected} if expected else found
    findings = [
        Finding(key, count, expected.get(key))
        for key, count in compared.items()
        if key == PASS or int(key) <= most
    ]
    first_cards = None
    if is_divided and PASS not in found and most:
        first_cards = {
            card_name(card): count
            for card, count in first_counts(position, most).items()
        }
    return Result(file, position, findings, first_cards)


def _print_result(result: Result, *, after: Result | None, names_file: bool) -> None:
    if after is not None:
        typer.echo()
    if names_file and (after is None or after.file != result.file):
        # A comment, since all that is printed could be a file itself.
        typer.echo(f"# {result.file}")
    for line in result.lines():
        typer.echo(line)


def _print_summary(
    results: Sequence[Result],
    wrong: Sequence[Result],
    files: Sequence[Path],
    *,
    is_apart: bool,
) -> None:
    for result in wrong:
        place = f"{result.file}:{result.position.line}"
        first = next(item for item in result.findings if not item.is_right)
        print_error(f"{place}: {cut(result.position.name)}: {first.text}")
    names = str(files[0]) if len(files) == 1 else counted(len(files), "file")
    counts_known = sum(bool(result.position.expected) for result in results)
    if counts_known:
        right = counted(counts_known - len(wrong), "position")
        verdict = (
            f"{len(wrong)} wrong; {right} right" if wrong else f"{right}: all right"
        )
        typer.echo(("\n" if is_apart else "") + f"{names}: {verdict}")
