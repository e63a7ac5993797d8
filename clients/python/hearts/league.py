"""
What an arena tells of its leagues: records of finished games, over gRPC.

    for record in download_games("demo"):
        print(json.loads(record)["totals"])
"""

import os
from collections.abc import Iterator

import grpc

from hearts.arena.v1 import league_pb2

__all__ = ["LeagueError", "download_games"]

_CONNECT_SECONDS = 10.0


class LeagueError(Exception):
    """An arena that is not there, or a league that it does not know."""


def download_games(
    league: str, *, address: str | None = None, after_game_number: int = 0
) -> Iterator[str]:
    """
    Yield the records of a league's finished games in the order of their numbers.

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
    address = address or os.environ.get("HEARTS_ARENA") or "127.0.0.1:50051"
    # With proxy variables set, gRPC would not even reach this machine.
    with grpc.insecure_channel(address, [("grpc.enable_http_proxy", 0)]) as channel:
        try:
            grpc.channel_ready_future(channel).result(timeout=_CONNECT_SECONDS)
            request = league_pb2.DownloadGamesRequest(
                league=league, after_game_number=after_game_number
            )
            download = channel.unary_stream(
                "/hearts.arena.v1.LeagueService/DownloadGames",
                request_serializer=league_pb2.DownloadGamesRequest.SerializeToString,
                response_deserializer=league_pb2.DownloadGamesResponse.FromString,
            )
            for response in download(request):
                yield response.record
        except grpc.FutureTimeoutError:
            message = f"no arena answers at {address}; is it running?"
            raise LeagueError(message) from None
        except grpc.RpcError as error:
            # Every error that ends a call is a `grpc.Call` too.
            name, details = error.code().name, error.details()
            raise LeagueError(f"the arena at {address}: {name}: {details}") from None
