"""A TOML document that knows on which line each key stands.

`tomllib` gives values without places, so the text is scanned once more for its
headers and keys. A `Table` hands out checked values and makes the errors, which
name file, line, key and what was expected.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence

from arena.excerpt import LENGTH_MAX, cut, shown
from arena.nearest import did_you_mean

KeyPath = tuple[str | int, ...]
"""Keys and indices of array elements, from the top, for example `entrant, 1`."""

# What may hold brackets, number signs or equals signs without meaning them.
_QUOTED = re.compile(
    r'"""(?:\\.|[^\\])*?"""'
    r"|'''.*?'''"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*",
    re.DOTALL,
)
_HEADER = re.compile(r"\s*\[(\[?)([^\[\]]+)\]")
_KEY = re.compile(r"\s*([\w\-. \t]+?)\s*=")
_PART = re.compile(r"""\"([^"]*)\"|'([^']*)'|([\w-]+)""")
_PROBLEM_MAX = 200
_PLACE = re.compile(r"(.*) \(at line (\d+), column (\d+)\)")


class ConfigError(ValueError):
    """A league file that cannot be used: where, what is wrong, what was expected."""

    def __init__(self, *, file: str, line: int, key: str, problem: str) -> None:
        where = f"{file}:{line}: " if line else f"{file}: "
        super().__init__(where + (f"{cut(key)}: {problem}" if key else problem))
        self.file = file
        self.line = line
        """Counted from 1; 0 when the file as a whole is meant."""
        self.key = key
        self.problem = problem


class Table:
    """One table of a document, with its place in it."""

    def __init__(
        self,
        values: Mapping[str, object],
        *,
        file: str,
        lines: Mapping[KeyPath, int],
        path: KeyPath = (),
    ) -> None:
        self.values = values
        self.file = file
        self._lines = lines
        self._path = path

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def error(
        self, key: str, problem: str, *, key_length_max: int = LENGTH_MAX
    ) -> ConfigError:
        """Make the error about a key of this table; an empty key means the table."""
        path = (*self._path, key) if key else self._path
        name = cut(_name(path), length_max=key_length_max)
        return ConfigError(
            file=self.file, line=self._line(path), key=name, problem=problem
        )

    def place(self, key: str) -> str:
        """Return where a key of this table stands: the file and the line."""
        return f"{self.file}:{self._line((*self._path, key))}"

    def only(self, known: Sequence[str]) -> None:
        """Refuse keys that nobody knows, with the nearest known one."""
        for key in self.values:
            if key not in known:
                hint = (
                    did_you_mean(key, known) or f"expected {', '.join(sorted(known))}"
                )
                raise self.error(key, f"no such key; {hint}", key_length_max=40)

    def require(self, key: str) -> None:
        """Refuse a table without this key."""
        if key not in self.values:
            raise self.error("", f"{key} is missing")

    def text(self, key: str, default: str = "", *, length_max: int = 200) -> str:
        """Return a text of at most `length_max` characters, not empty."""
        if key not in self.values:
            return default
        value = self.values[key]
        if not isinstance(value, str):
            raise self.error(key, f"expected a text in quotes, found {_kind(value)}")
        if not 0 < len(value) <= length_max:
            raise self.error(key, f"expected 1 to {length_max} characters")
        return value

    def choice(self, key: str, default: str, *, choices: Sequence[str]) -> str:
        """Return one of a few texts."""
        value = self.text(key, default)
        if value not in choices:
            expected = ", ".join(choices)
            raise self.error(key, f"{shown(value)} is not one of {expected}")
        return value

    def whole(self, key: str, default: int, *, low: int, high: int) -> int:
        """Return a whole number within its range, both ends included."""
        value = self.values.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.error(key, f"expected a whole number, found {_kind(value)}")
        if not low <= value <= high:
            raise self.error(key, f"{shown(value)} is not within {low} to {high}")
        return value

    def number(self, key: str, default: float, *, low: float, high: float) -> float:
        """Return a number within its range, both ends included."""
        value = self.values.get(key, default)
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise self.error(key, f"expected a number, found {_kind(value)}")
        if not low <= value <= high:
            raise self.error(key, f"{shown(value)} is not within {low:g} to {high:g}")
        return float(value)

    def table(self, key: str) -> "Table":
        """Return the table under a key; an empty one when there is none."""
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            raise self.error(key, f"expected a table, [{key}], found {_kind(value)}")
        return self._below(value, (key,))

    def tables(self, key: str) -> "list[Table]":
        """Return the tables of an array of tables."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(x, dict) for x in value):
            raise self.error(key, f"expected tables, each headed [[{key}]]")
        return [self._below(item, (key, index)) for index, item in enumerate(value)]

    def _below(self, values: Mapping[str, object], path: KeyPath) -> "Table":
        return Table(
            values, file=self.file, lines=self._lines, path=(*self._path, *path)
        )

    def _line(self, path: KeyPath) -> int:
        """Return the line of a key, or of the nearest thing around it."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 0)


def read_table(text: str, *, file: str) -> Table:
    """Read a whole document; `file` is its name in errors.

    Raises:
        ConfigError: The text is not TOML.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.fullmatch(str(error))
        problem = place[1] if place else str(error)
        raise ConfigError(
            file=file,
            line=int(place[2]) if place else text.count("\n") + 1,
            key="",
            problem=f"not TOML: {cut(problem, length_max=_PROBLEM_MAX)}",
        ) from None
    except ValueError:
        problem = "not TOML: it has a number of thousands of digits"
        raise ConfigError(file=file, line=0, key="", problem=problem) from None
    except RecursionError:
        problem = "tables or arrays are nested too deeply"
        raise ConfigError(file=file, line=0, key="", problem=problem) from None
    return Table(values, file=file, lines=key_lines(text))


def key_lines(text: str) -> dict[KeyPath, int]:
    """Return the line, from 1, of every header and key outside inline tables."""
    masked = _QUOTED.sub(_mask, text)
    lines: dict[KeyPath, int] = {}
    elements: dict[KeyPath, int] = {}
    table: KeyPath = ()
    for number, start, key, header in _heads(masked):
        path = _parts(text[start : start + len(key)])
        if header:
            table = _within(path, elements, opens=header == "[[")
            lines[table] = number
            lines.setdefault(path, number)
        else:
            lines[(*table, *path)] = number
    return lines


def _mask(match: re.Match[str]) -> str:
    """Replace all but line ends, so that places stay where they are."""
    filler = " " if match[0].startswith("#") else "x"
    return re.sub(r"[^\n]", filler, match[0])


def _heads(masked: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield line, offset, text of the key, and `[`, `[[` or nothing before it."""
    depth = offset = 0
    for number, line in enumerate(masked.split("\n"), start=1):
        value = line
        if depth == 0:
            if header := _HEADER.match(line):
                yield number, offset + header.start(2), header[2], "[" + header[1]
                value = ""
            elif key := _KEY.match(line):
                yield number, offset + key.start(1), key[1], ""
        depth += sum(map(value.count, "[{")) - sum(map(value.count, "]}"))
        offset += len(line) + 1


def _parts(key: str) -> tuple[str, ...]:
    return tuple("".join(found) for found in _PART.findall(key))


def _within(
    path: tuple[str, ...], elements: dict[KeyPath, int], *, opens: bool
) -> KeyPath:
    """Put the index of the last element behind each array of tables on the way."""
    full: KeyPath = ()
    for place, key in enumerate(path, start=1):
        full = (*full, key)
        if opens and place == len(path):
            elements[full] = elements.get(full, -1) + 1
        if full in elements:
            full = (*full, elements[full])
    return full


def _name(path: KeyPath) -> str:
    """Write a path for people; elements count from 1."""
    name = ""
    for part in path:
        if isinstance(part, int):
            name += f" #{part + 1}"
        else:
            name += f".{part}" if name else part
    return name


def _kind(value: object) -> str:
    """Say what a TOML value is."""
    names = {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "a text",
        list: "an array",
        dict: "a table",
    }
    return names.get(type(value), "a date or time")
