"""Until when a league lasts, as its file says it: `until = "07:00"`.

A time of day means the next time that a clock on the wall shows it, counted from when
the league is created; so a league that is begun in the evening and goes on after a
power cut still ends the same morning. See `leagues.storage.moments`.
"""

import re
from typing import Final

from arena.excerpt import shown
from leagues.toml_source import Table

__all__ = ["read_until"]

_TIME: Final = re.compile(
    r"(?P<day>\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T)?"
    r"([01]\d|2[0-3]):[0-5]\d(?P<zone>Z|[+-]([01]\d|2[0-3]):[0-5]\d)?"
)
_SECONDS: Final = re.compile(r"(?<=:\d\d):\d\d(\.\d+)?")
_YEAR_MIN, _YEAR_MAX = 2000, 9000
"""What any zone of any machine can work with."""
_LATER_MONTHS: Final = (31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""How many days the months from March on have."""
_EXPECTED: Final = (
    'expected a time of day such as "07:00", or with its day: "2026-03-02 07:00", '
    'and with its offset: "2026-03-02 07:00+01:00"'
)


def read_until(root: Table) -> str:
    """Read the key `until`, as text or as a time of TOML's own.

    Returns:
        `HH:MM`, or `YYYY-MM-DDTHH:MM`, which may have its offset; empty where there is
        no such key.

    Raises:
        ConfigError: It is no time.
    """
    if "until" not in root:
        return ""
    value = root.values["until"]
    if hasattr(value, "isoformat"):
        # TOML's own dates and times write themselves as ISO does.
        value = value.isoformat()
    text = value if isinstance(value, str) else ""
    found = _TIME.fullmatch(_SECONDS.sub("", text, count=1).replace(" ", "T", 1))
    # A time of day is one here; elsewhere it is a day's.
    if found is None or (found["zone"] and not found["day"]):
        raise root.error("until", f"{shown(value)} is no time; {_EXPECTED}")
    if found["day"] and (problem := _problem(found[0])):
        raise root.error("until", f"{shown(value)}: {problem}; {_EXPECTED}")
    return found[0]


def _problem(text: str) -> str:
    """Say why a time with its day can't be; empty when it can."""
    year, month, day = map(int, text[:10].split("-"))
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if day > (31, 28 + is_leap, *_LATER_MONTHS)[month - 1]:
        return "there is no such day"
    if not _YEAR_MIN <= year <= _YEAR_MAX:
        return f"the year is not within {_YEAR_MIN} to {_YEAR_MAX}"
    return ""
