"""What a match in the store came to, or has come to so far."""

from dataclasses import replace

from leagues.match_score import MatchResult, MatchScore, score_of
from leagues.results import GameResult
from leagues.storage.league import League
from leagues.storage.rows import read_results
from leagues.storage.store import Store

__all__ = ["match_games", "match_result", "match_score"]


def match_score(league: League) -> MatchScore | None:
    """Return the score of a match with a test, without any game.

    Returns:
        The score; `None` for another league, and for a match without a test.
    """
    match = league.match
    if match is None or match.claims is None:
        return None
    seats = league.values["rules"]["players"]
    return MatchScore(match, seats=seats, blocks=league.blocks)


def match_games(
    store: Store, league: League
) -> tuple[list[GameResult], frozenset[int]]:
    """Return the games of a match that count, those of open blocks among them.

    Whoever tells of them has to see to it that nobody learns of those.

    Returns:
        The games, and the numbers of those that are not played any more.
    """
    appeals = store.agenda(league.name).appeals
    with store.database.read() as connection:
        # Of a finished league nothing is withheld.
        results = read_results(
            connection, replace(league, state="finished"), after=0, limit=None
        )
    return appeals.counting(results), appeals.dropped


def match_result(store: Store, league: League) -> MatchResult:
    """Work out the result of a match from its games.

    Games that count for nobody, as those of an excluded entrant, are left out with
    their blocks.

    Args:
        store: Where the league is.
        league: It is a match.
    """
    match, blocks = league.match, league.blocks
    assert match is not None, f"league {league.name} is no match"
    results = store.counting_results(league.name)
    return score_of(
        match,
        results,
        seats=league.values["rules"]["players"],
        blocks=blocks,
        planned=len(league.seatings) // blocks.size,
        dropped=store.agenda(league.name).appeals.dropped,
        is_over=league.state == "finished",
        is_cut_short=league.stopped_by not in ("", "test"),
    )
