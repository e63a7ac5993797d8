"""Open files: each connection is one, and strangers must not take the last of them.

Without files left the arena could neither write its store nor start a program. Most
systems allow a process 1024 at first, and many more when it asks for them.
"""

import logging
import resource

from arena.edge_limits import CONNECTIONS_MAX
from arena.logs import Event

log = logging.getLogger("arena.edge")

OWN_FILES = 512
"""Files that are left for all else: the store, logs, pipes of programs."""


def room_for_connections() -> int:
    """Ask the system for as many files as are wanted; return what is left for clients.

    It is at least half of what there is, where that is little.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS_MAX + OWN_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return CONNECTIONS_MAX
    room = max(soft - OWN_FILES, soft // 2)
    log.warning(Event("few open files allowed", files=soft, connections_max=room))
    return room
