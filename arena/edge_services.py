"""The services of the edge: each call is one of the edge's or the library's.

Errors become statuses in one place, so that no exception text reaches a client.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

from arena.bindings import Library
from arena.excerpt import shown
from arena.logs import Event
from arena.status import CallError
from hearts.arena.v1 import league_pb2
from hearts.arena.v1 import league_pb2_grpc as league_pb2_grpc_stubs
from hearts.arena.v1 import play_pb2_grpc as play_pb2_grpc_stubs
from hearts.arena.v1 import status_pb2_grpc as status_pb2_grpc_stubs

log = logging.getLogger("arena.edge")

# Generated without types.
play_pb2_grpc: Any = play_pb2_grpc_stubs
league_pb2_grpc: Any = league_pb2_grpc_stubs
status_pb2_grpc: Any = status_pb2_grpc_stubs

Play = Callable[[Any], Awaitable[None]]
"""Serves one call of `BotService.Play`, given its context."""
Status = Callable[[Any], Awaitable[Any]]
"""Serves one call of `StatusService.GetStatus`, given its context."""

SERVICES = (
    "hearts.arena.v1.BotService",
    "hearts.arena.v1.LeagueService",
    "hearts.arena.v1.StatusService",
    "grpc.health.v1.Health",
)

_REFLECTED = reflection_pb2.ServerReflectionResponse


def internal_error(error: BaseException) -> CallError:
    """Log the exception under an id, and tell the client only the id."""
    error_id = secrets.token_hex(4)
    log.error(Event("internal error", id=error_id), exc_info=error)
    return CallError("INTERNAL", f"a fault of the arena, in its log as {error_id}")


async def _guarded(context: Any, call: Any) -> Any:
    """Run a call; turn errors into statuses. The one wrapper of all RPCs."""
    try:
        return await call
    except CallError as error:
        failure = error
    except DecodeError:
        failure = CallError("BAD_FIELD", "a request is no message of the protocol")
    except (grpc.aio.AbortError, asyncio.CancelledError):
        raise
    except Exception as error:
        failure = internal_error(error)
    await context.abort(failure.code, str(failure), failure.trailing_metadata())


class BotService(play_pb2_grpc_stubs.BotServiceServicer):
    """Serves bots."""

    def __init__(self, play: Play) -> None:
        self._play = play

    async def Play(self, _: Any, context: Any) -> None:  # noqa: N802
        """Connect a bot and carry all its games."""
        await _guarded(context, self._play(context))


class LeagueService(league_pb2_grpc_stubs.LeagueServiceServicer):
    """Serves what is stored of leagues, from worker threads."""

    def __init__(self, library: Library | None) -> None:
        self._library = library

    async def ListLeagues(self, _: Any, context: Any) -> Any:  # noqa: N802
        """List the leagues."""
        return await _guarded(context, self._ask("leagues"))

    async def GetStandings(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Return the standings of a league."""
        return await _guarded(context, self._ask("standings", request.league))

    async def ListGames(self, request: Any, context: Any) -> Any:  # noqa: N802
        """List finished games, a page at a time."""
        return await _guarded(context, self._games(request))

    async def DownloadGames(self, request: Any, context: Any) -> None:  # noqa: N802
        """Send records, one a message."""
        await _guarded(context, self._records(request, context))

    async def _ask(self, method: str, *args: Any, **keywords: Any) -> Any:
        library = self._library
        if library is None:
            raise CallError("NO_LEAGUE", "this arena keeps no leagues")
        try:
            return await asyncio.to_thread(getattr(library, method), *args, **keywords)
        except KeyError:
            raise CallError(
                "NO_LEAGUE",
                f"there is no league {shown(args[0])}" if args else "no league",
            ) from None

    async def _games(self, request: Any) -> Any:
        limit = min(request.page_size or 100, 1000)
        try:
            after = int(request.page_token or "0")
            if not 0 <= after < 2**31:
                raise ValueError
        except ValueError:
            raise CallError(
                "BAD_PAGE", f"page_token {shown(request.page_token)} is not the arena's"
            ) from None
        return await self._ask("games", request.league, after=after, limit=limit)

    async def _records(self, request: Any, context: Any) -> None:
        after = request.after_game_number
        while True:
            page = await self._ask("records", request.league, after=after, limit=50)
            for number, record in page:
                after = number
                await context.write(
                    league_pb2.DownloadGamesResponse(
                        game_id=f"{request.league}-{number}", record=record
                    )
                )
            if len(page) < 50:
                return


class StatusService(status_pb2_grpc_stubs.StatusServiceServicer):
    """Serves operators."""

    def __init__(self, status: Status) -> None:
        self._status = status

    async def GetStatus(self, _: Any, context: Any) -> Any:  # noqa: N802
        """Tell what the arena is doing."""
        return await _guarded(context, self._status(context))


def add_services(
    server: Any, *, play: Play, status: Status, library: Library | None
) -> Any:
    """Add all services to a server, and return the one that tells its health."""
    play_pb2_grpc.add_BotServiceServicer_to_server(BotService(play), server)
    league_pb2_grpc.add_LeagueServiceServicer_to_server(LeagueService(library), server)
    status_pb2_grpc.add_StatusServiceServicer_to_server(StatusService(status), server)
    servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    names = (*SERVICES, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)
    # The library knows only v1alpha; v1 is the same on the wire. It must not be
    # among the listed names, since it has no descriptor of its own here.
    reflected = reflection.aio.ReflectionServicer(names)
    handler = grpc.method_handlers_generic_handler(
        "grpc.reflection.v1.ServerReflection",
        {
            "ServerReflectionInfo": grpc.stream_stream_rpc_method_handler(
                reflected.ServerReflectionInfo,
                request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
                response_serializer=_REFLECTED.SerializeToString,
            )
        },
    )
    server.add_generic_rpc_handlers((handler,))
    return servicer
