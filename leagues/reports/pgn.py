"""Results between two as PGN, which programs that rate chess players read.

Each two seats of a game are one game in the file. `Round` is the block, so that
whoever knows what depends on what can tell it from the file. Errors that such
programs print take all results for independent, and are too small or too large.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from leagues.results import GameResult, SeatResult

__all__ = ["PHANTOM", "pairs_pgn", "phantom_pgn"]

PHANTOM: Final = "(phantom)"
"""Against whom everybody has a draw; no bot can have this name."""

_WON: Final = "1-0"
_LOST: Final = "0-1"
_DRAWN: Final = "1/2-1/2"


def pairs_pgn(league: str, results: Iterable[GameResult]) -> Iterator[str]:
    """Yield a text for each two seats of each game, in the order of the games."""
    for game in results:
        for white, black in combinations(game.seats, 2):
            yield _game(
                league,
                game.block,
                white=white.entrant,
                black=black.entrant,
                result=_result(white, black),
            )


def phantom_pgn(league: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the draws against the phantom that ratings suppose, as `Round` 0.

    With them a program that knows of no such draws has the same ratings.
    """
    for name in names:
        yield _game(league, 0, white=name, black=PHANTOM, result=_DRAWN)


def _result(white: SeatResult, black: SeatResult) -> str:
    if white.place == black.place:
        return _DRAWN
    return _WON if white.place < black.place else _LOST


def _game(league: str, block: int, *, white: str, black: str, result: str) -> str:
    return (
        f'[Event "{_quoted(league)}"]\n[Round "{block}"]\n'
        f'[White "{_quoted(white)}"]\n[Black "{_quoted(black)}"]\n'
        f'[Result "{result}"]\n\n{result}\n\n'
    )


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
