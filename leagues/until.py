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
    r"(\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T)?"
    r"([01]\d|2[0-3]):[0-5]\d(?P<zone>Z|[+-]\d{2}:\d{2})?"
)
_SECONDS: Final = re.compile(r"(?<=:\d\d):\d\d(\.\d+)?")


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
    # TOML's own dates and times write themselves as ISO does.
    text = value if isinstance(value, str) else getattr(value, "isoformat", str)()
    found = _TIME.fullmatch(_SECONDS.sub("", text, count=1).replace(" ", "T", 1))
    # A time of day is one here; elsewhere it is a day's.
    if found is None or (found["zone"] and "T" not in found[0]):
        raise root.error(
            "until",
            f"{shown(text)} is no time; expected a time of day such as "
            '"07:00", or with its day: "2026-03-02 07:00"',
        )
    return found[0]
