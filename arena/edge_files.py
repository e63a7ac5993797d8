"""Open files: each connection is one, and strangers must not take the last of them.

Without files left the arena could neither write its store nor start a program.
"""

import logging
import resource

from arena.edge_limits import CONNECTIONS_MAX
from arena.logs import Event

log = logging.getLogger("arena.edge")

OWN_FILES = 512
"""Files that are left for all else: the store, logs, pipes of programs."""


def room_for_connections() -> int:
    """Return how many connections there may be: as many as files are left for.

    It is at least half of what there is, where that is little.
    """
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY or files >= CONNECTIONS_MAX + OWN_FILES:
        return CONNECTIONS_MAX
    room = max(files - OWN_FILES, files // 2)
    log.info(Event("few open files allowed", files=files, connections_max=room))
    return room
