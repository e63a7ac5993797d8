"""Decisions of hosts for tests, and a league with games for them."""

from dataclasses import replace

from leagues.audit import Action, AuditEntry
from leagues.config import LeagueConfig
from leagues.storage.audited import now
from leagues.storage.store import Store
from tests.league_games import league_config, league_spec, played


def entry(action: Action, reason: str = "so", **values: object) -> AuditEntry:
    """A decision of the host."""
    return AuditEntry(action, reason, "ada", now(), **values)  # type: ignore[arg-type]


def void(number: int, *, is_replayed: bool = True) -> AuditEntry:
    """The decision that a game is void."""
    return entry(Action.VOID, game=number, is_replayed=is_replayed)


def config(games: int = 10, *, seed: str | None = None) -> LeagueConfig:
    """A league of six house bots whose deals are secret."""
    return replace(league_config(games=games, entrants=6, seed=seed), tables_max=3)


def play(store: Store, league: LeagueConfig, *numbers: int, run: int = 1) -> None:
    """Store games of a league as a run would have played them."""
    known = store.league(league.name)
    for number in numbers:
        store.finish_game(
            league.name, played(league_spec(league, known, number, run=run))
        )
