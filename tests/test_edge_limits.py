"""The limits of the edge: what is too much, whom it hurts, and what is answered."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from arena.bindings import BotIdentity
from arena.bucket import Bucket
from arena.edge_hello import read_hello
from arena.edge_limits import (
    CALLS_BURST,
    DOWNLOADS_MAX,
    HELLOS_DUE_MAX,
    IDLE_REQUESTS_BURST,
    KEYS_MAX,
    METADATA_HARD_BYTES,
    PAGE_MAX,
    RECEIVE_MAX_BYTES,
    REFLECTIONS_MAX,
    SESSIONS_IN_ALL_MAX,
    UNKNOWN_TOKENS_BURST,
    WATCHES_MAX,
    Door,
    Rates,
    Slots,
    peer_address,
)
from arena.host import Host
from arena.introduction import Introduction
from arena.session import LATE_BURST
from arena.stand_in import STAND_INS
from arena.status import CallError
from hearts.arena.v1 import league_pb2, league_pb2_grpc, play_pb2, play_pb2_grpc
from tests.arena_thread import WAIT_SECONDS, RunningArena, open_channel, running_arena


class EndlessLibrary:
    """A league whose records never end."""

    def leagues(self) -> league_pb2.ListLeaguesResponse:
        """Return none."""
        return league_pb2.ListLeaguesResponse()

    def secrecy(self, league: str) -> str:
        """Return nothing: everybody may read it."""
        return ""

    def standings(self, league: str) -> league_pb2.GetStandingsResponse:
        """Return nothing."""
        return league_pb2.GetStandingsResponse()

    def games(
        self, league: str, *, after: int, limit: int
    ) -> league_pb2.ListGamesResponse:
        """Return as many games as are asked for."""
        numbers = range(after + 1, after + 1 + limit)
        games = [league_pb2.GameSummary(game_number=number) for number in numbers]
        return league_pb2.ListGamesResponse(games=games)

    def records(self, league: str, *, after: int, limit: int) -> list[tuple[int, str]]:
        """Return long records."""
        return [(after + 1 + index, "x" * 10_000) for index in range(limit)]


@pytest.fixture(scope="module")
def arena() -> Iterator[RunningArena]:
    """One arena for the tests that don't fill it up."""
    with running_arena(library=EndlessLibrary()) as running:
        yield running


def refusal(call: Iterator[object]) -> tuple[str, str, bool]:
    """Read a call to its end; return its code, its reason, and whether to retry."""
    with pytest.raises(grpc.RpcError) as caught:
        for _ in call:
            pass
    return told(caught.value)


def told(error: grpc.RpcError) -> tuple[str, str, bool]:
    """Return the code of an error, its reason, and whether it says when to retry."""
    status = rpc_status.from_call(error)
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    for detail in () if status is None else status.details:
        detail.Unpack(info)
        detail.Unpack(retry)
    seconds = retry.retry_delay.ToTimedelta().total_seconds()
    return error.code().name, info.reason, seconds > 0


def plays(arena: RunningArena, name: str) -> bool:
    """Tell whether a bot is welcomed."""
    with arena.bot(name) as (send, responses):
        is_welcome = bool(next(responses).welcome.session_id)
        send(play_pb2.PlayRequest(leave=play_pb2.Leave()))
        assert [] == list(responses)
    return is_welcome


# The parts.


def test_a_bucket_leaks() -> None:
    """A burst is taken at once, the rest at the rate, and waiting helps."""
    bucket = Bucket(burst=3, per_second=2)
    at_once = [bucket.add(10.0) for _ in range(4)]

    assert [0.0, 0.0, 0.0, 0.5] == at_once
    assert [0.0, 0.5] == [bucket.add(10.5), bucket.add(10.5)]
    assert (False, True) == (bucket.is_empty(11.0), bucket.is_empty(12.0))


def test_rates_are_kept_apart_up_to_a_number() -> None:
    """Each key has its own bucket; those beyond the limit share one; old ones go."""
    rates = Rates(burst=1, a_minute=60)
    first = [rates.add(f"k{number}", 0.0) for number in range(KEYS_MAX)]
    beyond = [rates.add("x", 0.1), rates.add("y", 0.1)]
    later = [rates.add("x", 2.0), rates.add("y", 2.0)]

    assert [0.0] * KEYS_MAX == first
    assert [0.0, 1.0] == beyond
    assert [0.0, 0.0] == later
    assert 2 == len(rates)


def test_slots_come_back() -> None:
    """A key has so many slots, all together have so many, and each comes back."""
    slots = Slots("things", each=2, in_all=3)
    with slots.taken("a"), slots.taken("a"):
        with pytest.raises(CallError, match="things: 2 at a time") as each:
            slots.taken("a").__enter__()
        with slots.taken("b"), pytest.raises(CallError, match="no more room") as all_:
            slots.taken("c").__enter__()
    with slots.taken("a"), slots.taken("c"):
        pass

    assert ("TOO_MANY_CALLS", "ARENA_FULL") == (each.value.reason, all_.value.reason)


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:192.0.2.7:50000", "192.0.2.7"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:50000", "2001:db8:1:2::/64"),
        ("ipv6:%5B::ffff:192.0.2.7%5D:50000", "192.0.2.7"),
        ("ipv6:%5B::1%5D:50000", "::1"),
        ("ipv6:%5Bfe80::1%25eth0%5D:50000", "fe80::/64"),
        ("unix:", "unix:"),
    ],
)
def test_addresses_are_told_from_ports(peer: str, address: str) -> None:
    """A client has many ports, and one of IPv6 many addresses."""
    assert address == peer_address(peer)


def test_calls_are_counted_by_bot() -> None:
    """A bot that calls all the time is told when to come back; another is let in."""
    door = Door()
    for _ in range(CALLS_BURST):
        door.count_call("ada", 5.0)
    with pytest.raises(CallError) as refused:
        door.count_call("ada", 5.0)
    door.count_call("bob", 5.0)
    door.count_call("ada", 5.0 + refused.value.retry_seconds)

    assert "TOO_MANY_CALLS" == refused.value.reason


def test_an_arena_has_a_bounded_number_of_sessions() -> None:
    """With all places taken a new session is refused, and taking one over is not."""
    door, host = Door(), Host(STAND_INS)
    for number in range(SESSIONS_IN_ALL_MAX):
        introduction = Introduction(f"b{number // 60}", instance=str(number))
        door.check_room(host, introduction)
        host.connect(introduction, now=0.0)
    with pytest.raises(CallError) as refused:
        door.check_room(host, Introduction("one-more"))
    door.check_room(host, introduction)

    assert "ARENA_FULL" == refused.value.reason


def test_answers_to_closed_turns_are_bounded() -> None:
    """Who repeats old answers without end is ended; waiting would have helped."""
    host = Host(STAND_INS)
    session = host.connect(Introduction("ada"), now=0.0)
    session.turn_count = 1
    old = play_pb2.Answer(turn_id=1)
    for number in range(LATE_BURST + 1):
        assert [] == host.take_ended()
        host.receive(session, [old], now=number / 1e6)
        session.rejections.clear()

    assert ["TOO_MANY_REQUESTS"] == [ended.reason for ended in host.take_ended()]
    host.receive(session, [old], now=1.0)
    assert [] == host.take_ended()


class Quiet:
    """A call whose client says something only when it is told to."""

    def __init__(self) -> None:
        self.said: asyncio.Future[object] = asyncio.Future()

    async def read(self) -> object:
        """Wait for what the client says."""
        return await self.said


def test_calls_without_a_hello_are_bounded() -> None:
    """One bot can let so many calls wait, another bot is let in."""
    hello = play_pb2.PlayRequest(hello=play_pb2.Hello())

    async def main() -> list[str]:
        door, cat, dot = Door(), BotIdentity("cat"), BotIdentity("dot")
        calls = [Quiet() for _ in range(HELLOS_DUE_MAX)]
        waiting = [asyncio.create_task(read_hello(call, cat, door)) for call in calls]
        await asyncio.sleep(0)
        with pytest.raises(CallError) as refused:
            await read_hello(Quiet(), cat, door)
        other = Quiet()
        for call in (other, *calls):
            call.said.set_result(hello)
        found = [await read_hello(other, dot, door), *await asyncio.gather(*waiting)]
        assert "TOO_MANY_CALLS" == refused.value.reason
        return [one.bot for one in found if one is not None]

    assert ["dot", *["cat"] * HELLOS_DUE_MAX] == asyncio.run(main())


# The wire.


@pytest.mark.parametrize(
    ("hello", "field"),
    [
        ({"instance": "a\nb"}, "hello.instance"),
        ({"bot_version": "\x1b[31m"}, "hello.bot_version"),
        ({"bot_version": " "}, "hello.bot_version"),
        ({"bot_version": "1 "}, "hello.bot_version"),
        ({"bot_version": "\u0661"}, "hello.bot_version"),
        ({"sdk": "left\u202eright"}, "hello.sdk"),
        ({"max_games": 1025}, "hello.max_games"),
        (
            {"capabilities": play_pb2.Capabilities(presets=["x"] * 65)},
            "hello.capabilities.presets",
        ),
        (
            {"capabilities": play_pb2.Capabilities(presets=["x" * 41])},
            "hello.capabilities.presets",
        ),
        (
            {"capabilities": play_pb2.Capabilities(players=[4] * 17)},
            "hello.capabilities.players",
        ),
    ],
)
def test_a_bad_field_is_named_by_its_path(
    arena: RunningArena, hello: dict[str, object], field: str
) -> None:
    """A `Hello` with what may not be in it is refused with the field's path."""
    with (
        arena.bot("ada", **hello) as (_, responses),
        pytest.raises(grpc.RpcError) as caught,
    ):
        next(responses)
    bad = error_details_pb2.BadRequest()
    status = rpc_status.from_call(caught.value)
    assert status is not None
    found = [detail.Unpack(bad) for detail in status.details]

    assert ("INVALID_ARGUMENT", "BAD_FIELD", False) == told(caught.value)
    assert [False, True] == found
    assert [field] == [violation.field for violation in bad.field_violations]


def test_a_message_may_have_so_many_bytes(arena: RunningArena) -> None:
    """One that is longer ends its call; the bot may come again."""
    with arena.bot("ada") as (send, responses):
        next(responses)
        answer = play_pb2.Answer(turn_id=1, note="x" * RECEIVE_MAX_BYTES)
        send(play_pb2.PlayRequest(answers=[answer]))

        assert "RESOURCE_EXHAUSTED" == refusal(responses)[0]
    assert plays(arena, "ada")


def test_metadata_may_have_so_many_bytes(arena: RunningArena) -> None:
    """A call with more of it is refused before anything reads it."""
    with open_channel(arena.address) as channel:
        stub = play_pb2_grpc.BotServiceStub(channel)  # type: ignore[no-untyped-call]
        metadata = (("x", "y" * METADATA_HARD_BYTES),)
        call = stub.Play(iter(()), metadata=metadata, timeout=WAIT_SECONDS)

        assert "RESOURCE_EXHAUSTED" == refusal(call)[0]


def test_guessing_tokens_is_slowed_and_locks_nobody_out() -> None:
    """After many unknown tokens the address is told to wait; a right one is good."""
    with running_arena() as arena, open_channel(arena.address) as channel:
        stub = play_pb2_grpc.BotServiceStub(channel)  # type: ignore[no-untyped-call]
        seen = []
        for number in range(UNKNOWN_TOKENS_BURST + 1):
            metadata = (("authorization", f"Bearer guess{number}"),)
            call = stub.Play(iter(()), metadata=metadata, timeout=WAIT_SECONDS)
            seen.append(refusal(call))

        assert {("UNAUTHENTICATED", "UNKNOWN_TOKEN", False)} == set(seen[:-1])
        assert ("RESOURCE_EXHAUSTED", "TOO_MANY_UNKNOWN_TOKENS", True) == seen[-1]
        assert plays(arena, "ada")


def test_requests_without_answers_are_bounded(arena: RunningArena) -> None:
    """Heartbeats that nobody asked for end their call."""
    with arena.bot("bob") as (send, responses):
        next(responses)
        for number in range(IDLE_REQUESTS_BURST + 50):
            send(play_pb2.PlayRequest(heartbeat=play_pb2.Heartbeat(id=number)))

        assert ("RESOURCE_EXHAUSTED", "TOO_MANY_REQUESTS", True) == refusal(responses)


def test_watches_of_health_are_bounded_and_told() -> None:
    """One address may watch so often; health is told to all of them, and at the end."""
    with ExitStack() as stack:
        channel = None
        with running_arena() as arena:
            channel = stack.enter_context(open_channel(arena.address))
            stub = health_pb2_grpc.HealthStub(channel)
            request = health_pb2.HealthCheckRequest(
                service="hearts.arena.v1.BotService"
            )
            watches = [
                stub.Watch(request, timeout=WAIT_SECONDS) for _ in range(WATCHES_MAX)
            ]
            first = {next(watch).status for watch in watches}
            more = refusal(stub.Watch(request, timeout=WAIT_SECONDS))
            checked = stub.Check(request, timeout=WAIT_SECONDS).status
            none = health_pb2.HealthCheckRequest(service="none")
            with pytest.raises(grpc.RpcError) as unknown:
                stub.Check(none, timeout=WAIT_SECONDS)
        last = {next(watch).status for watch in watches}

    serving = health_pb2.HealthCheckResponse.SERVING
    assert ({serving}, serving) == (first, checked)
    assert {health_pb2.HealthCheckResponse.NOT_SERVING} == last
    assert ("RESOURCE_EXHAUSTED", "TOO_MANY_CALLS", True) == more
    assert ("NOT_FOUND", "NO_SERVICE", False) == told(unknown.value)


def test_reflection_is_bounded(arena: RunningArena) -> None:
    """One address may have so many calls of it; each that ends makes room."""
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    over = threading.Event()

    def ask_and_stay() -> Iterator[object]:
        yield request
        over.wait(WAIT_SECONDS)

    with open_channel(arena.address) as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        ask = stub.ServerReflectionInfo
        calls = [
            ask(ask_and_stay(), timeout=WAIT_SECONDS) for _ in range(REFLECTIONS_MAX)
        ]
        for call in calls:
            next(call)
        refused = refusal(ask(ask_and_stay(), timeout=WAIT_SECONDS))
        over.set()
        for call in calls:
            assert [] == list(call)

        assert ("RESOURCE_EXHAUSTED", "TOO_MANY_CALLS", True) == refused
        assert "list_services_response" == next(
            ask(iter([request]), timeout=WAIT_SECONDS)
        ).WhichOneof("message_response")


def test_downloads_are_bounded(arena: RunningArena) -> None:
    """One address may have so many at a time; other queries go on meanwhile."""
    request = league_pb2.DownloadGamesRequest(league="endless")
    with open_channel(arena.address) as channel:
        stub = league_pb2_grpc.LeagueServiceStub(channel)  # type: ignore[no-untyped-call]
        calls = [
            stub.DownloadGames(request, timeout=WAIT_SECONDS)
            for _ in range(DOWNLOADS_MAX)
        ]
        for call in calls:
            next(call)
        more = refusal(stub.DownloadGames(request, timeout=WAIT_SECONDS))
        page = stub.ListGames(
            league_pb2.ListGamesRequest(league="endless", page_size=100_000),
            timeout=WAIT_SECONDS,
        )
        for call in calls:
            call.cancel()

    assert ("RESOURCE_EXHAUSTED", "TOO_MANY_CALLS", True) == more
    assert PAGE_MAX == len(page.games)
