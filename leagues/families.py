"""Families: each version of a bot is rated by itself, and keeps the bot's name.

A bot that has played in one version is called by its name, in several `name@version`;
no name has an @, and versions with spaces that nobody sees are in quotes. The newest
version is that of the bot's last game, by its number, so that it follows from the
results as all else does that is rated.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from arena.excerpt import label
from leagues.conduct import BY_ARENA
from leagues.results import GameResult, SeatResult
from leagues.versions import Versions

__all__ = ["Families", "Member", "called", "families"]


@dataclass(frozen=True, slots=True)
class Member:
    """What is rated as one."""

    bot: str
    version: str
    """Empty for a bot whose versions are rated together, or that has not played."""
    is_newest: bool = True
    """Whether it is the newest version of its bot."""


@dataclass(frozen=True, slots=True)
class Families:
    """Results as they are rated, and who is behind the names in them."""

    games: tuple[GameResult, ...]
    """In the order of their numbers; seats have the names of what is rated."""
    members: Mapping[str, Member]
    """By these names."""

    def newest(self, bot: str | None) -> str | None:
        """Return what the newest version of a bot is called; the bot if it has none."""
        return next(
            (
                name
                for name, member in self.members.items()
                if member.bot == bot and member.is_newest
            ),
            bot,
        )


def called(name: str, members: Mapping[str, Member]) -> str | None:
    """Return what somebody means who names an entrant, perhaps with its version.

    Args:
        name: As somebody has typed it: a bot that has played in one version may have
            that version too, as all have in records.
        members: Who is rated, by name.

    Returns:
        The name of a member; `None` where none is meant.
    """
    if name in members:
        return name
    return next(
        (
            known
            for known, member in members.items()
            if name in (f"{member.bot}@{member.version}", _full(member))
        ),
        None,
    )


def families(games: Iterable[GameResult], versions: Versions | None) -> Families:
    """Name who is rated in the results of a league.

    Args:
        games: Those that count, in any order.
        versions: What the league takes; `None` where all versions of a bot are rated
            together.
    """
    ordered = tuple(sorted(games, key=lambda game: game.number))
    if versions is None:
        bots = {seat.entrant for game in ordered for seat in game.seats}
        return Families(ordered, {bot: Member(bot, "") for bot in bots})
    last = _last_games(ordered)
    members: dict[str, Member] = {}
    named: dict[tuple[str, str], str] = {}
    for bot, own in last.items():
        newest = max(own, key=own.__getitem__)
        for version in own:
            member = Member(bot, version, is_newest=version == newest)
            name = bot if len(own) == 1 else _full(member)
            named[bot, version] = name
            members[name] = member
    if any(len(own) > 1 for own in last.values()):
        ordered = tuple(_renamed(ordered, named, last))
    return Families(ordered, members)


def _full(member: Member) -> str:
    return f"{member.bot}@{label(member.version)}"


def _last_games(ordered: Iterable[GameResult]) -> dict[str, dict[str, int]]:
    """Return by bot and version the number of the last game.

    A seat that the arena has given up is no witness: perhaps nobody sat there.
    """
    found: dict[str, dict[str, int]] = {}
    unsure: dict[str, str] = {}
    for game in ordered:
        given_up = _left_out(game)
        for number, seat in enumerate(game.seats):
            if number in given_up:
                unsure.setdefault(seat.entrant, seat.version)
            else:
                found.setdefault(seat.entrant, {})[seat.version] = game.number
    for bot, version in unsure.items():
        found.setdefault(bot, {version: 0})
    return found


def _left_out(game: GameResult) -> set[int]:
    if not game.given_up:
        return set()
    return {item.seat for item in game.given_up if item.cause == BY_ARENA}


def _renamed(
    ordered: Iterable[GameResult],
    named: Mapping[tuple[str, str], str],
    known: Mapping[str, Mapping[str, int]],
) -> Iterable[GameResult]:
    """Yield the results with the names of what is rated."""
    before: dict[str, str] = {}
    for game in ordered:
        seats: list[SeatResult] = []
        for seat in game.seats:
            bot, version = seat.entrant, seat.version
            if version not in known[bot]:
                # Nobody sat there: it is a game of the version that played before.
                version = before.get(bot) or next(iter(known[bot]))
            before[bot] = version
            name = named[bot, version]
            seats.append(seat if name == bot else replace(seat, entrant=name))
        yield replace(game, seats=tuple(seats))
