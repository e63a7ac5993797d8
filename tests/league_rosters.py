"""Leagues whose rosters change, for tests."""

from collections import Counter
from dataclasses import replace

from leagues.audit import Action
from leagues.config import Entrant, EntrantKind, LeagueConfig
from leagues.storage.audited import decide
from leagues.storage.store import League, Store
from tests.league_appeals import entry
from tests.league_games import league_config


def league(
    games: int = 20, *, entrants: int = 5, seed: str | None = None, luck: str = "none"
) -> LeagueConfig:
    """A league of house bots whose deals are secret."""
    made = league_config(games=games, entrants=entrants, seed=seed, luck=luck)
    return replace(made, tables_max=3)


def with_more(config: LeagueConfig, *names: str) -> LeagueConfig:
    """The file with some more house bots, in its first places."""
    more = [Entrant(name, EntrantKind.HOUSE, house=name) for name in names]
    return replace(config, entrants=(*more, *config.entrants))


def withdraw(store: Store, *bots: str) -> None:
    """Let bots withdraw."""
    for bot in bots:
        decide(store, "demo", entry(Action.WITHDRAW, "its owner left", entrant=bot))


def seated(known: League, numbers: range) -> Counter[str]:
    """How many of these games each entrant has."""
    return Counter(bot for number in numbers for bot in known.seats(number))
