"""Results of games that were never played, for tests of what is made of results."""

from collections.abc import Iterable, Sequence

from leagues.results import GameResult, SeatResult

Placing = Sequence[tuple[str, int]]
"""Who played a game, and what came out; less is better, equal is a tie."""


def game_result(
    number: int, placing: Placing, *, block: int | None = None, deals: int = 1
) -> GameResult:
    """A game in whose every deal a seat took ten points for its place."""
    return GameResult(
        number=number,
        block=number if block is None else block,
        deals=deals,
        seats=tuple(
            SeatResult(
                entrant=name,
                version="1",
                total=10 * place * deals,
                place=place,
                points=10 * place * deals,
                moons=0,
                queens=0,
            )
            for name, place in placing
        ),
        faults=(),
        given_up=(),
        record_hash=f"{number:064x}",
    )


def game_results(placings: Iterable[Placing]) -> list[GameResult]:
    """Games one after the other, each a block of its own."""
    return [game_result(number, placing) for number, placing in enumerate(placings, 1)]
