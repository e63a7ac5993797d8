"""Owners whose bots may not meet: an owner has at most one bot at a table."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

from arena.excerpt import shown

__all__ = ["NO_OWNERS", "Owners", "OwnersError"]


class OwnersError(ValueError):
    """Bots of one owner, so many that they would have to meet."""


class Owners:
    """Who owns each entrant.

    Args:
        names: The owner of each entrant; empty for those who may meet everybody, as
            may whoever comes later.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = tuple(names)

    def of(self, entrant: int) -> str:
        """Return an entrant's owner; empty when it has none that matters."""
        return self._names[entrant] if entrant < len(self._names) else ""

    def groups(self, players: Sequence[int]) -> list[list[int]]:
        """Return the players who may not meet each other."""
        owned = defaultdict(list)
        for player in players:
            if owner := self.of(player):
                owned[owner].append(player)
        return [own for own in owned.values() if len(own) > 1]

    def apart(self, players: Sequence[int]) -> frozenset[frozenset[int]]:
        """Return the pairs of players who may not meet."""
        return frozenset(
            frozenset(pair)
            for own in self.groups(players)
            for pair in combinations(own, 2)
        )

    def tables(self, players: Sequence[int], seats: int) -> int:
        """Return how many tables these players can fill at once."""
        sizes = [len(own) for own in self.groups(players)]
        others = len(players) - sum(sizes)
        tables = len(players) // seats
        while others + sum(min(size, tables) for size in sizes) < seats * tables:
            tables -= 1
        return tables

    def check(self, players: Sequence[int], seats: int) -> None:
        """See to it that all can play equally often.

        Raises:
            OwnersError: Somebody owns more bots than there are tables to part them.
        """
        most = len(players) // seats
        for own in self.groups(players):
            if len(own) > most:
                raise OwnersError(self._problem(own, players, seats))

    def lack(self, players: Sequence[int], seats: int) -> str:
        """Say what it takes before these players can fill a table; empty if they can.

        Such as `2 more bots to fill a table: 2 here, 4 needed`.
        """
        groups = self.groups(players)
        most = len(players) - sum(len(own) - 1 for own in groups)
        if (count := seats - most) <= 0:
            return ""
        more = f"{count} more bot{'s' if count > 1 else ''}"
        table = f"{len(players)} here, {seats} needed"
        if not groups:
            return f"{more} to fill a table: {table}"
        names = ", ".join(shown(self.of(own[0])) for own in groups)
        return (
            f"{more} of other owners than {names}, whose bots never meet: {table}, "
            f"and {most} of them may sit together"
        )

    def cannot_play(self, players: Sequence[int], seats: int) -> OwnersError:
        """Return the error that not even one table can be filled."""
        if len(players) < seats:
            return OwnersError(f"{len(players)} bots cannot fill {seats} seats")
        own = max(self.groups(players), key=len)
        return OwnersError(self._problem(own, players, seats))

    def _problem(self, own: Sequence[int], players: Sequence[int], seats: int) -> str:
        most = len(players) // seats
        return (
            f"owner {shown(self.of(own[0]))} has {len(own)} of {len(players)} bots; at "
            f"tables of {seats} at most {most} of one owner can play as often as the "
            "others and never meet"
        )


NO_OWNERS = Owners()
