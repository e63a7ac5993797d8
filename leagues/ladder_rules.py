"""A ladder in a league file: `kind = "ladder"`, and who takes part."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from leagues.blocks import NONE
from leagues.toml_source import Table

__all__ = ["LADDER_KEYS", "WINDOW_DEFAULT", "LadderRules", "read_ladder"]

LADDER_KEYS: Final = ("kind", "open_to", "window")
"""The keys of a league file that are about it."""
WINDOW_DEFAULT: Final = 10_000
_WINDOW_MAX: Final = 1_000_000
_REFUSED: Final = {
    "games": "a ladder has no end but the one that its host sets with arena league end",
    "until": "a ladder has no end but the one that its host sets with arena league end",
    "suspended": "a ladder seats nobody who is suspended",
}


@dataclass(frozen=True, slots=True)
class LadderRules:
    """What makes a league a ladder: it has no end, and who plays comes and goes."""

    is_for_all: bool = True
    """Whether whoever dials in with a token takes part, or only those in the file."""
    window: int = WINDOW_DEFAULT
    """How many games count, the last ones."""

    def form(self) -> dict[str, object]:
        """Return it as it is stored."""
        who = "all" if self.is_for_all else "entrants"
        return {"open_to": who, "window": self.window}

    @classmethod
    def of_form(cls, form: Mapping[str, Any] | None) -> Self | None:
        """Return what was stored so; `None` for a league that is no ladder."""
        if form is None:
            return None
        return cls(is_for_all=form["open_to"] == "all", window=int(form["window"]))


def read_ladder(root: Table) -> LadderRules | None:
    """Read what makes a file one of a ladder; `None` when it is one of a league.

    Raises:
        ConfigError: A key is not for this kind.
    """
    kind = root.choice("kind", "league", choices=("league", "ladder"))
    if kind == "league":
        for key in LADDER_KEYS[1:]:
            if key in root:
                raise root.error(key, 'is for kind = "ladder" only')
        return None
    for key, why in _REFUSED.items():
        if key in root:
            raise root.error(key, f"leave it out: {why}")
    if root.values.get("luck", NONE) != NONE:
        why = "a ladder's games have deals of their own, since its bots dial in"
        raise root.error("luck", f"leave it out: {why}")
    return LadderRules(
        is_for_all=root.choice("open_to", "all", choices=("all", "entrants")) == "all",
        window=root.whole("window", WINDOW_DEFAULT, low=100, high=_WINDOW_MAX),
    )
