"""A game of a league as the arena is asked for it."""

from collections.abc import Collection

from arena.seeds import sequence_seed, table_key
from arena.spec import GameSpec, SeatSpec
from leagues.config import LeagueConfig
from leagues.league import League
from leagues.seeds import attempt_number

__all__ = ["game_spec"]


def game_spec(
    config: LeagueConfig,
    league: League,
    number: int,
    *,
    run: int,
    retry: int,
    given_up: Collection[str] = (),
    unexcused: Collection[str] = (),
) -> GameSpec:
    """Return all that decides a game.

    Args:
        config: The league's file.
        league: The league as it is stored.
        number: The number of the game.
        run: The number of the run.
        retry: How often the game was begun before in this run.
        given_up: The bots whose seats are given up from the first card.
        unexcused: The bots that are judged alone when they are lost.
    """
    owners = {entrant.name: entrant.owner for entrant in config.entrants}
    bots = league.seats(number)
    attempt = attempt_number(is_open=league.is_open, run=run, retry=retry)
    return GameSpec(
        game_id=f"{league.name}-{number}",
        rules=config.rules,
        seats=tuple(SeatSpec(bot, owner=owners[bot]) for bot in bots),
        sequence_seed=sequence_seed(league.secret, block=number, attempt=attempt),
        table_key=table_key(league.name, number),
        league=league.name,
        block=number,
        attempt=attempt,
        time_control=config.time_control,
        faults_max=config.faults_max,
        open_deals=league.is_open,
        given_up=frozenset(seat for seat, bot in enumerate(bots) if bot in given_up),
        unexcused=frozenset(seat for seat, bot in enumerate(bots) if bot in unexcused),
    )
