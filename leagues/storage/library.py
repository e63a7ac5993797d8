"""The store as the arena serves it to everybody: leagues, standings, games.

It is read in worker threads. Standings are worked out again only when a game has
been finished since.
"""

from hearts.arena.v1 import league_pb2
from leagues.results import GameResult
from leagues.standings import StandingsRow
from leagues.storage.league import League
from leagues.storage.store import Store

__all__ = ["StoreLibrary"]


class StoreLibrary:
    """Serves a store; every method raises `KeyError` for an unknown league."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._standings: dict[str, tuple[League, league_pb2.GetStandingsResponse]] = {}

    def leagues(self) -> league_pb2.ListLeaguesResponse:
        """Return all leagues, the newest first."""
        return league_pb2.ListLeaguesResponse(
            leagues=[
                _league(league, self._store.withheld(league.name).games)
                for league in self._store.leagues()
            ]
        )

    def secrecy(self, league: str) -> str:
        """Say why programs in a sandbox may not read a league; empty when they may."""
        if not self._store.league(league).is_withholding:
            return ""
        return (
            f"league {league} plays the same deals in all rotations, so its programs "
            "can read nothing of it until it is finished"
        )

    def standings(self, league: str) -> league_pb2.GetStandingsResponse:
        """Return the standings of one league."""
        now = self._store.league(league)
        known, response = self._standings.get(league, (None, None))
        if known != now or response is None:
            standings = self._store.standings(league)
            response = league_pb2.GetStandingsResponse(
                league=_league(now, standings.league.withheld_games),
                rows=[_row(row) for row in standings.rows],
            )
            self._standings[league] = (now, response)
        return response

    def games(
        self, league: str, *, after: int, limit: int
    ) -> league_pb2.ListGamesResponse:
        """Return finished games with a number greater than `after`."""
        results = self._store.results(league, after=after, limit=limit)
        return league_pb2.ListGamesResponse(
            games=[_game(league, result) for result in results],
            next_page_token=str(results[-1].number) if len(results) == limit else "",
        )

    def records(self, league: str, *, after: int, limit: int) -> list[tuple[int, str]]:
        """Return numbers and records of games with a number greater than `after`."""
        found = self._store.league(league)
        return self._store.record_page(found, after=after, limit=limit)


def _league(league: League, withheld: int) -> league_pb2.League:
    return league_pb2.League(
        name=league.name,
        state=league.state,
        games_finished_count=league.games_finished,
        games_total_count=league.games_planned,
        commitment=league.commitment.hex(),
        open_deals=league.is_open,
        games_withheld_count=withheld,
        luck=league.luck,
    )


def _row(row: StandingsRow) -> league_pb2.StandingsRow:
    return league_pb2.StandingsRow(
        entrant=row.entrant,
        rank=row.rank,
        rating=row.elo or 0.0,
        games_count=row.games,
        deals_count=row.deals,
        points_per_deal=row.points_per_deal or 0.0,
        places=row.places,
        faults_count=sum(row.faults.values()),
        given_up_count=row.given_up,
        rating_half_width=row.half_width,
        tier_first=0 if row.tier is None else row.tier.first,
        tier_last=0 if row.tier is None else row.tier.last,
        points_half_width=row.points_half_width,
    )


def _game(league: str, result: GameResult) -> league_pb2.GameSummary:
    return league_pb2.GameSummary(
        game_id=f"{league}-{result.number}",
        game_number=result.number,
        seat_names=[seat.entrant for seat in result.seats],
        totals=[seat.total for seat in result.seats],
        places=[seat.place for seat in result.seats],
        deals_count=result.deals,
    )
