"""What a match in the store came to, or has come to so far."""

from leagues.league import League
from leagues.match_score import MatchResult, score_of
from leagues.store import Store

__all__ = ["match_result"]


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
    )
