"""Incidents: the faults of games, and the places where seats were given up."""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.causes import DIED, GIVEN_UP_CAUSES, fault_cause
from arena.record import GivenUp
from leagues.conduct import BY_ARENA
from leagues.families import Member
from leagues.results import GameResult

__all__ = ["Incident", "incidents_of"]


@dataclass(frozen=True, slots=True)
class Incident:
    """A fault, or the place where a seat was given up."""

    game: int
    """The number of the game."""
    entrant: str
    deal: int
    trick: int
    """From 1; 0 is the pass, one more than the last trick the moon choice."""
    kind: str
    """One of `leagues.standings.FAULT_KINDS`, or `given up`."""
    cause: str
    """Why, for people."""
    offered: str = ""
    """The cards of an answer that was wrong."""


def incidents_of(
    game: GameResult,
    stood_in: Mapping[tuple[int, str], str] | None,
    members: Mapping[str, Member],
) -> list[Incident]:
    """Tell the faults of a game and its given-up seats, in the order of play.

    Args:
        game: The result.
        stood_in: By a game's number and an entrant that was suspended when it began,
            why it was; `None` where nobody knows, as of games from files.
        members: What is rated, by its name.
    """
    names = [seat.entrant for seat in game.seats]
    found = [
        Incident(
            game=game.number,
            entrant=names[fault.seat],
            deal=fault.deal,
            trick=fault.trick,
            kind=fault.kind,
            cause=fault_cause(
                kind=fault.kind, reason=fault.reason, offered=fault.offered
            ),
            offered=fault.offered,
        )
        for fault in game.faults
    ]
    found += [
        Incident(
            game=game.number,
            entrant=names[item.seat],
            deal=item.deal,
            trick=item.trick,
            kind="given up",
            cause=_given_up_cause(
                item,
                why_suspended=None
                if stood_in is None
                else stood_in.get((game.number, members[names[item.seat]].bot), ""),
            ),
        )
        for item in game.given_up
    ]
    return sorted(found, key=lambda item: (item.deal, item.trick))


def _given_up_cause(item: GivenUp, *, why_suspended: str | None) -> str:
    """Tell a seat of a suspended bot from that of a program that died, if known."""
    if item.cause == BY_ARENA and why_suspended is not None:
        suspended = f"its version is suspended ({why_suspended})"
        return suspended if why_suspended else DIED
    return GIVEN_UP_CAUSES[item.cause]
