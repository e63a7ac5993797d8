"""The two bots of `arena match`, as the command line names them."""

import os
import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from arena.excerpt import shown
from arena.nearest import did_you_mean
from arena.terminal import CommandError
from leagues.config import is_name
from leagues.match_config import SIDE_LENGTH_MAX, Side
from leagues.programs.processes import command_of, find_program, start_problem
from leagues.programs.sandbox import View

__all__ = ["read_sides"]

_LETTERS = "AB"


def read_sides(
    texts: tuple[str, str],
    *,
    houses: Collection[str],
    is_stdio: bool,
    data: Path,
    folder: Path,
) -> tuple[Side, Side]:
    """
    Read the two bots, and give them names that differ.

    Args:
        texts: each a house bot or a command, with `NAME=` before it or not.
        houses: the house bots that there are.
        is_stdio: whether commands speak lines of JSON.
        data: the data directory, which no program may see.
        folder: where the programs run.

    Raises:
        CommandError: one of them is no bot.
    """
    parted = [_parted(text) for text in texts]
    sides = [
        _house(text, name, houses)
        or _command(text, name, houses, is_stdio=is_stdio, data=data, folder=folder)
        for name, text in parted
    ]
    given = [name for name, _ in parted]
    if given[0] and given[0].lower() == given[1].lower():
        raise CommandError(f"{_both(*given)}; give one of them another name")
    names = [name or side.name for name, side in zip(given, sides, strict=True)]
    if names[0].lower() == names[1].lower():
        names = [
            name or f"{side.name}-{letter}"
            for name, side, letter in zip(given, sides, _LETTERS, strict=True)
        ]
    one, other = (
        replace(side, name=name) for side, name in zip(sides, names, strict=True)
    )
    return one, other


def _both(a: str, b: str) -> str:
    if a == b:
        return f"both bots are called {a}"
    return f"the names {a} and {b} differ in upper and lower case only"


def _parted(text: str) -> tuple[str, str]:
    """Part `NAME=BOT`; without a name that is empty."""
    name, sign, rest = text.partition("=")
    if not sign or not is_name(name):
        return "", text
    if len(name) > SIDE_LENGTH_MAX:
        raise CommandError(
            f"{shown(name)} is too long a name; expected up to {SIDE_LENGTH_MAX} "
            "characters"
        )
    return name, rest


def _house(text: str, name: str, houses: Collection[str]) -> Side | None:
    house = text.strip()
    return Side(name=name or house, house=house) if house in houses else None


def _command(
    text: str,
    name: str,
    houses: Collection[str],
    *,
    is_stdio: bool,
    data: Path,
    folder: Path,
) -> Side:
    try:
        command = command_of(text)
    except ValueError as error:
        raise CommandError(f"{shown(text)}: {error}") from None
    if problem := start_problem(command, folder=folder):
        _check_name(text, houses, folder)
        known = did_you_mean(text, houses) or f"house bots are {', '.join(houses)}"
        raise CommandError(
            f"{shown(text)} is neither a house bot nor a command: {problem}; {known}"
        )
    files = [path for word in command if (path := folder / word).is_file()]
    readable = _readable(files, folder)
    program = find_program(command, folder=folder)
    assert program is not None
    view = View(folder, tuple(map(Path, readable)), hidden=(data.absolute(),))
    if problem := view.problem(program):
        raise CommandError(f"{shown(text)}: {problem}")
    return Side(
        name=name or _name_of(files),
        command=command,
        protocol="stdio" if is_stdio else "grpc",
        readable=readable,
        program=_state(command, files),
    )


def _check_name(text: str, houses: Collection[str], folder: Path) -> None:
    """Refuse a bot whose name is the bad part of it."""
    name, sign, bot = text.partition("=")
    if not sign:
        return
    if name and bot.strip() not in houses:
        try:
            command = command_of(bot)
        except ValueError:
            return
        if start_problem(command, folder=folder):
            return
    problem = f"{shown(name)} is no name" if name else "there is no name before the `=`"
    raise CommandError(
        f"{shown(text)}: {problem}; expected 1 to {SIDE_LENGTH_MAX} of the letters a-z "
        "and A-Z, digits, dots, dashes and underscores, a letter or digit first"
    )


def _readable(files: Iterable[Path], folder: Path) -> tuple[str, ...]:
    """Return the directories of files that a sandbox would not show by itself."""
    outside = {
        os.path.abspath(file.parent)
        for file in files
        if not Path(os.path.abspath(file)).is_relative_to(os.path.abspath(folder))
    }
    return tuple(sorted(outside))


def _name_of(files: Iterable[Path]) -> str:
    """Name a bot by its file, `mybot` for `python mybot.py`."""
    for file in files:
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", file.stem).strip("._-")
        if name and not name.startswith("python"):
            return name[: SIDE_LENGTH_MAX - len("-A")]
    return "bot"


def _state(command: Iterable[str], files: Iterable[Path]) -> str:
    """Return a hash over a command and the files that it names.

    What these load in turn is not among them.
    """
    digest = sha256("\0".join(command).encode())
    for file in files:
        try:
            digest.update(sha256(file.read_bytes()).digest())
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from None
    return digest.hexdigest()
