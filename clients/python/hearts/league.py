"""
What an arena tells of its leagues: records of finished games, over gRPC.

    for record in download_games("demo"):
        print(json.loads(record)["totals"])
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc

from hearts.arena.v1 import league_pb2
from hearts.channel import Address, AddressError, parse_address
from hearts.tls import TlsError, handshake_problem, open_channel, read_tls

__all__ = ["LeagueError", "download_games", "withheld_games"]

DEFAULT = "127.0.0.1:50051"


class LeagueError(Exception):
    """An arena that is not there, or a league that it does not know."""


def download_games(
    league: str, *, address: str | None = None, after_game_number: int = 0
) -> Iterator[str]:
    """
    Yield the records of a league's finished games in the order of their numbers.

    An arena that speaks TLS is reached with what HEARTS_TLS_CA, HEARTS_TLS_CERT and
    HEARTS_TLS_KEY name.

    Args:
        league: the name of the league.
        address: the arena, by default HEARTS_ARENA, else 127.0.0.1:50051.
        after_game_number: only games with a greater number; to go on after a
            lost connection.

    Yields:
        One canonical record at a time: a JSON object on one line.

    Raises:
        LeagueError: the arena can't be reached, or knows no such league.
    """
    with _opened(address) as channel:
        download = channel.unary_stream(
            "/hearts.arena.v1.LeagueService/DownloadGames",
            request_serializer=league_pb2.DownloadGamesRequest.SerializeToString,
            response_deserializer=league_pb2.DownloadGamesResponse.FromString,
        )
        request = league_pb2.DownloadGamesRequest(
            league=league, after_game_number=after_game_number
        )
        for response in download(request):
            yield response.record


def withheld_games(league: str, *, address: str | None = None) -> int:
    """
    Return how many finished games of a league nobody may read for now.

    Their deals come again in another rotation; they are told once all are played.

    Args:
        league: the name of the league.
        address: as for `download_games`.

    Raises:
        LeagueError: the arena can't be reached.
    """
    with _opened(address) as channel:
        listing = channel.unary_unary(
            "/hearts.arena.v1.LeagueService/ListLeagues",
            request_serializer=league_pb2.ListLeaguesRequest.SerializeToString,
            response_deserializer=league_pb2.ListLeaguesResponse.FromString,
        )
        leagues = listing(league_pb2.ListLeaguesRequest()).leagues
        return sum(one.games_withheld_count for one in leagues if one.name == league)


@contextmanager
def _opened(address: str | None) -> Iterator[Any]:
    """Open a channel to an arena; say what is wrong with a call in its block."""
    try:
        found = parse_address(address or os.environ.get("HEARTS_ARENA") or DEFAULT)
        tls = read_tls()
    except (AddressError, TlsError) as error:
        raise LeagueError(str(error)) from None
    with open_channel(found, tls) as channel:
        try:
            yield channel
        except grpc.RpcError as error:
            # Every error that ends a call is a `grpc.Call` too.
            code, details = error.code(), error.details()
            problem = ""
            if code == grpc.StatusCode.UNAVAILABLE:
                problem = handshake_problem(found, tls)
            raise LeagueError(problem or _text(found, code, details)) from None


def _text(address: Address, code: grpc.StatusCode, details: str) -> str:
    if code == grpc.StatusCode.UNAVAILABLE:
        return f"no arena answers at {address}; is it running? ({details})"
    if code in (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.PERMISSION_DENIED):
        return f"the arena at {address} says: {details}"
    return f"the arena at {address} can't send the games: {code.name}: {details}"
