"""The services of the edge: each call is one of the edge's or the library's.

Errors become statuses in one place, so that no exception text reaches a client.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from grpc_health.v1 import health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

from arena.bindings import Library
from arena.edge_errors import guarded, hush_library
from arena.edge_health import Health
from arena.edge_limits import (
    DOWNLOAD_STALL_SECONDS,
    PAGE_DEFAULT,
    PAGE_MAX,
    REFLECTION_SECONDS,
    Door,
    Slots,
    peer_address,
)
from arena.edge_requests import CarefulServer, wellformed
from arena.excerpt import shown
from arena.status import CallError
from hearts.arena.v1 import league_pb2, play_pb2
from hearts.arena.v1 import league_pb2_grpc as league_pb2_grpc_stubs
from hearts.arena.v1 import play_pb2_grpc as play_pb2_grpc_stubs
from hearts.arena.v1 import status_pb2_grpc as status_pb2_grpc_stubs

# Generated without types.
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

_SOCKET_PEER = "unix:"
"""How gRPC writes a peer at the socket in the file system."""
_REFLECTED = reflection_pb2.ServerReflectionResponse


def page_start(token: str) -> int:
    """Return after which game a page begins, from the token of the page before.

    Raises:
        CallError: The token is none of the arena's.
    """
    # `int` takes much else for a number too.
    is_number = len(token) <= 10 and token.isascii() and token.isdigit()
    if token and (not is_number or int(token) >= 2**31):
        problem = f"page_token {shown(token)} is not the arena's"
        raise CallError("BAD_PAGE", problem, field="page_token")
    return int(token or "0")


class BotService(play_pb2_grpc_stubs.BotServiceServicer):
    """Serves bots."""

    def __init__(self, play: Play) -> None:
        self._play = play

    async def Play(self, _: Any, context: Any) -> None:  # noqa: N802
        """Connect a bot and carry all its games."""
        await guarded(context, self._play(context))


class LeagueService(league_pb2_grpc_stubs.LeagueServiceServicer):
    """Serves what is stored of leagues, from worker threads."""

    def __init__(self, library: Library | None, door: Door) -> None:
        self._library = library
        self._door = door

    async def ListLeagues(self, request: Any, context: Any) -> Any:  # noqa: N802
        """List the leagues."""
        return await self._within(context, self._leagues(request))

    async def GetStandings(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Return the standings of a league."""
        return await self._within(context, self._standings(request, context))

    async def ListGames(self, request: Any, context: Any) -> Any:  # noqa: N802
        """List finished games, a page at a time."""
        return await self._within(context, self._games(request, context))

    async def DownloadGames(self, request: Any, context: Any) -> None:  # noqa: N802
        """Send records, one a message."""
        door, records = self._door, self._records(request, context)
        await _within(door.downloads, context, records, door.refused)

    async def _within(self, context: Any, call: Any) -> Any:
        return await _within(self._door.queries, context, call, self._door.refused)

    async def _leagues(self, request: Any) -> Any:
        wellformed(request)
        return await self._ask("leagues")

    async def _standings(self, request: Any, context: Any) -> Any:
        return await self._ask_about(context, "standings", wellformed(request).league)

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

    async def _ask_about(
        self, context: Any, method: str, league: str, **keywords: Any
    ) -> Any:
        """Ask about one league, unless that must stay unknown to whoever calls."""
        # Only programs that the arena starts can see its socket; what one life of
        # theirs has left in a record, the next could read there.
        is_inside = context.peer().startswith(_SOCKET_PEER)
        if is_inside and (secrecy := await self._ask("secrecy", league)):
            raise CallError("WITHHELD", secrecy)
        return await self._ask(method, league, **keywords)

    async def _games(self, request: Any, context: Any) -> Any:
        wellformed(request)
        limit = min(request.page_size or PAGE_DEFAULT, PAGE_MAX)
        after = page_start(request.page_token)
        return await self._ask_about(
            context, "games", request.league, after=after, limit=limit
        )

    async def _records(self, request: Any, context: Any) -> None:
        after = wellformed(request).after_game_number
        while True:
            page = await self._ask_about(
                context, "records", request.league, after=after, limit=50
            )
            for number, record in page:
                after = number
                message = league_pb2.DownloadGamesResponse(
                    game_id=f"{request.league}-{number}", record=record
                )
                await _in_time(context.write(message), DOWNLOAD_STALL_SECONDS)
            if len(page) < 50:
                return


class StatusService(status_pb2_grpc_stubs.StatusServiceServicer):
    """Serves operators."""

    def __init__(self, status: Status, door: Door) -> None:
        self._status = status
        self._door = door

    async def GetStatus(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Tell what the arena is doing."""
        door, call = self._door, self._observed(request, context)
        return await _within(door.queries, context, call, door.refused)

    async def _observed(self, request: Any, context: Any) -> Any:
        status = await self._status(context)
        # Only the operator hears what is wrong with the request.
        wellformed(request)
        return status


class Reflection:
    """Serves reflection, under the library's own name and the later one.

    The library knows only v1alpha; v1 is the same on the wire. It must not be among
    the listed names, since it has no descriptor of its own here.
    """

    def __init__(self, door: Door) -> None:
        self._servicer = reflection.aio.ReflectionServicer(
            (*SERVICES, reflection.SERVICE_NAME)
        )
        self._door = door

    async def answer(self, requests: Any, context: Any) -> None:
        """Tell what services there are, and their messages."""
        door, call = self._door, self._answer(requests, context)
        await _within(door.reflections, context, call, door.refused)

    async def _answer(self, requests: Any, context: Any) -> None:
        await _in_time(self._answer_all(requests, context), REFLECTION_SECONDS)

    async def _answer_all(self, requests: Any, context: Any) -> None:
        async for response in self._servicer.ServerReflectionInfo(requests, context):
            await context.write(response)

    def add_to(self, server: Any) -> None:
        """Serve it."""
        handler = grpc.stream_stream_rpc_method_handler(
            self.answer,
            request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
            response_serializer=_REFLECTED.SerializeToString,
        )
        services = (reflection.SERVICE_NAME, "grpc.reflection.v1.ServerReflection")
        server.add_generic_rpc_handlers(
            grpc.method_handlers_generic_handler(
                service, {"ServerReflectionInfo": handler}
            )
            for service in services
        )


def _bot_service(servicer: BotService) -> Any:
    """Return the handler of a service whose responses are bytes already."""
    play = grpc.stream_stream_rpc_method_handler(
        servicer.Play, request_deserializer=play_pb2.PlayRequest.FromString
    )
    return grpc.method_handlers_generic_handler(SERVICES[0], {"Play": play})


def add_services(
    server: Any, *, play: Play, status: Status, library: Library | None, door: Door
) -> Health:
    """Add all services to a server, and return the one that tells its health."""
    hush_library()
    server.add_generic_rpc_handlers((_bot_service(BotService(play)),))
    careful = CarefulServer(server)
    league_pb2_grpc.add_LeagueServiceServicer_to_server(
        LeagueService(library, door), careful
    )
    status_pb2_grpc.add_StatusServiceServicer_to_server(
        StatusService(status, door), careful
    )
    health = Health(("", *SERVICES), door)
    health_pb2_grpc.add_HealthServicer_to_server(health, careful)
    Reflection(door).add_to(server)
    return health


async def _within(slots: Slots, context: Any, call: Any, refused: Counter[str]) -> Any:
    """Serve a call without a bot's token, if its address has a slot for it."""

    async def served() -> Any:
        try:
            with slots.taken(peer_address(context.peer())):
                return await call
        finally:
            call.close()

    return await guarded(context, served(), refused)


async def _in_time(work: Any, seconds: float) -> None:
    """Wait for what a client holds up, and end its call if that takes too long.

    What is given up half-way kills its call, which is what is wanted here.
    """
    try:
        await asyncio.wait_for(work, seconds)
    except TimeoutError:
        raise CallError("STALLED", f"the client took more than {seconds:g} s") from None
