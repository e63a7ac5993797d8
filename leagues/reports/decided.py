"""What hosts have decided about games that are rated from files.

Decisions are not in the records of games, but in the audit log, which standings in
JSON hold. A league is told by its name; logs are to be checked before, see
`leagues.evidence`.
"""

from collections.abc import Iterable, Sequence

from arena.excerpt import shown
from leagues.appeals import NO_APPEALS, Appeals, appeals_of
from leagues.audit import Action
from leagues.evidence import Evidence
from leagues.reports.merged import FileGame, MergeError

__all__ = ["Decided"]


class Decided:
    """The decisions about the games of one league or of several.

    Args:
        logs: What each league's standings hold.

    Raises:
        MergeError: Two are of one league.
    """

    def __init__(self, logs: Iterable[Evidence] = ()) -> None:
        self.void = 0
        """How many games were left out since they are void."""
        self.excluded = 0
        """How many were since a bot is excluded."""
        self.old: list[FileGame] = []
        """What was left out since a ladder has had enough others after it, in the order
        of numbers."""
        self._appeals: dict[str, Appeals] = {}
        self._void: set[str] = set()
        self._windows: dict[str, int] = {}
        for log in logs:
            if log.league in self._appeals:
                raise MergeError(f"there are two audit logs of league {log.league}")
            self._appeals[log.league] = appeals_of(log.entries)
            if log.table and log.table.window:
                self._windows[log.league] = log.table.window
            self._void |= {e.record for e in log.entries if e.action == Action.VOID}

    def counting(self, games: Iterable[FileGame]) -> list[FileGame]:
        """Return the games that count, and count the others.

        Of a ladder these are the last ones, as many as its standings say.

        Those of a single league with excluded bots stay: its standings, which are told
        by `appeals`, leave them out and say so.

        Raises:
            MergeError: There is no game of a league, or one that can't be its.
        """
        found = list(games)
        leagues = {item.league for item in found}
        if missing := sorted(self._appeals.keys() - leagues):
            raise MergeError(
                f"there is an audit log of league {missing[0]}, but no game of it in "
                "these files"
            )
        kept = [item for item in found if not self._is_void(item)]
        self.void = len(found) - len(kept)
        starts = self._starts(kept)
        self.old = [i for i in kept if i.result.number <= starts.get(i.league, -1)]
        self.old.sort(key=lambda item: item.result.number)
        kept = [i for i in kept if i.result.number > starts.get(i.league, -1)]
        if len(leagues) > 1:
            counting = [item for item in kept if self._counts(item)]
            self.excluded = len(kept) - len(counting)
            return counting
        return kept

    def _starts(self, games: Iterable[FileGame]) -> dict[str, int]:
        """Return by ladder the number of the last game that is too old to count."""
        numbers: dict[str, list[int]] = {league: [] for league in self._windows}
        for item in games:
            if item.league in numbers and self._counts(item):
                numbers[item.league].append(item.result.number)
        return {
            league: sorted(found)[-window - 1]
            for league, window in self._windows.items()
            if len(found := numbers[league]) > window
        }

    def appeals(self, leagues: Sequence[str]) -> Appeals:
        """Return what standings of these leagues tell of decisions."""
        if len(leagues) != 1:
            return NO_APPEALS
        return self._appeals.get(leagues[0], NO_APPEALS)

    def window(self, leagues: Sequence[str]) -> int:
        """Return how many games count of what these leagues are; 0 if no ladder."""
        return self._windows.get(leagues[0], 0) if len(leagues) == 1 else 0

    def _is_void(self, item: FileGame) -> bool:
        result = item.result
        if result.record_hash in self._void:
            return True
        if result.number in self._of(item).dropped:
            raise MergeError(
                f"{item.place}: game {shown(item.game)} is void and not played again, "
                "but this is not the record that was made void"
            )
        return False

    def _counts(self, item: FileGame) -> bool:
        return bool(self._of(item).counting([item.result]))

    def _of(self, item: FileGame) -> Appeals:
        return self._appeals.get(item.league, NO_APPEALS)
