"""The versions of bots: which of them a league takes, and what is rated by itself."""

from enum import StrEnum

__all__ = ["Versions"]


class Versions(StrEnum):
    """Which versions of its entrants a league takes."""

    FROZEN = "frozen"
    """An entrant plays all its games in the version of its first one."""
    LATEST = "latest"
    """Of the versions that are connected the one that came last plays."""
    ALL = "all"
    """Whichever is connected plays."""
