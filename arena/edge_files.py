"""Open files: each connection is one, and strangers must not take the last of them.

Without files left the arena could neither write its store nor start a program.
"""

import logging
import resource
from dataclasses import dataclass

from arena.edge_limits import (
    CONNECTIONS_MAX,
    PROGRAM_CONNECTIONS_LEAST,
    PROGRAM_CONNECTIONS_MAX,
)
from arena.logs import Event

log = logging.getLogger("arena.edge")

OWN_FILES = 512
"""Files that are left for all else: the store, logs, pipes of programs."""


@dataclass(frozen=True, slots=True)
class Room:
    """How many connections there may be."""

    in_all: int
    """Of all but the programs in sandboxes."""
    of_program: int
    """Of each of those."""


def room_for_connections(*, programs: int = 0) -> Room:
    """Return how many connections there may be: as many as files are left for.

    It is at least half of what there is, where that is little.

    Args:
        programs: How many programs in sandboxes have room of their own.
    """
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return Room(CONNECTIONS_MAX, PROGRAM_CONNECTIONS_MAX)
    # A quarter of all files at most is for programs, if there are not very many.
    each = files // 4 // max(programs, 1)
    each = min(max(each, PROGRAM_CONNECTIONS_LEAST), PROGRAM_CONNECTIONS_MAX)
    files -= each * programs
    if files >= CONNECTIONS_MAX + OWN_FILES:
        return Room(CONNECTIONS_MAX, each)
    room = max(files - OWN_FILES, files // 2)
    log.info(Event("few open files allowed", files=files, connections_max=room))
    return Room(room, each)
