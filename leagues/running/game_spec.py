"""A game of a league as the arena is asked for it."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from arena.seeds import sequence_seed, table_key
from arena.spec import GameSpec, SeatSpec
from leagues.config import LeagueConfig
from leagues.storage.league import League

__all__ = ["game_spec"]

_ANY: Final[Mapping[str, str]] = MappingProxyType({})


def game_spec(
    config: LeagueConfig,
    league: League,
    number: int,
    *,
    attempt: int,
    given_up: Collection[str] = (),
    unexcused: Collection[str] = (),
    versions: Mapping[str, str] = _ANY,
) -> GameSpec:
    """Return all that decides a game.

    Args:
        config: The league's file.
        league: The league as it is stored.
        number: The number of the game.
        attempt: Under which number its deals are drawn.
        given_up: The bots whose seats are given up from the first card.
        unexcused: The bots that are judged alone when they are lost.
        versions: The versions of bots that no other may stand for.
    """
    owners = league.owners
    bots = league.seats(number)
    block = league.blocks.block(number)
    return GameSpec(
        game_id=f"{league.name}-{number}",
        rules=config.rules,
        seats=tuple(
            SeatSpec(
                bot,
                version=versions.get(bot, "1"),
                owner=owners[bot],
                is_pinned=bot in versions,
            )
            for bot in bots
        ),
        sequence_seed=sequence_seed(league.secret, block=block, attempt=attempt),
        table_key=table_key(_dice_name(league), number),
        league=league.name,
        block=block,
        attempt=attempt,
        time_control=config.time_control,
        faults_max=config.faults_max,
        open_deals=league.is_open,
        given_up=frozenset(seat for seat, bot in enumerate(bots) if bot in given_up),
        unexcused=frozenset(seat for seat, bot in enumerate(bots) if bot in unexcused),
    )


def _dice_name(league: League) -> str:
    """Return the name from which bots may draw their dice.

    An open match is to come out the same under whatever name, as its deals do.
    """
    match = league.match
    return "-".join(match.sides) if match and league.is_open else league.name
