"""A hearing: how a run learns what its host decides while it plays."""

from leagues.appeals import Appeals, appeals_of
from leagues.audit import AuditEntry
from leagues.running.threads import InThread
from leagues.storage.store import Store

__all__ = ["Hearing"]


class Hearing:
    """What is decided in a league, as far as its run knows.

    Args:
        store: The store; others may write to its audit logs at any time.
        league: The league's name.
        appeals: What was decided when the run began.
        in_thread: Runs the store's calls, which block.
    """

    def __init__(
        self, store: Store, league: str, appeals: Appeals, *, in_thread: InThread
    ) -> None:
        self.appeals = appeals
        self._store = store
        self._league = league
        self._in_thread = in_thread

    @property
    def pause(self) -> str:
        """Why the host has no games started; empty when it has."""
        return "" if self.appeals.pause is None else self.appeals.pause.reason

    @property
    def withdrawn(self) -> dict[str, str]:
        """The entrants that have withdrawn, and why."""
        return {bot: entry.reason for bot, entry in self.appeals.withdrawn.items()}

    async def listen(self) -> tuple[AuditEntry, ...]:
        """Return what was decided since the last time, each entry once."""
        new = await self._in_thread(self._decisions, len(self.appeals.entries))
        # Somebody else may have listened meanwhile.
        known = len(self.appeals.entries)
        new = tuple(entry for entry in new if entry.number > known)
        if new:
            self.appeals = appeals_of((*self.appeals.entries, *new))
        return new

    def _decisions(self, known: int) -> tuple[AuditEntry, ...]:
        return self._store.decisions(self._league, after=known)
