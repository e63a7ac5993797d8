"""Requests that are no messages: what a stranger gets for them, and what it costs."""

import logging
from collections.abc import Iterator

import grpc
import pytest
from google.protobuf import descriptor_pool
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from arena.edge_services import SERVICES
from tests.arena_thread import WAIT_SECONDS, RunningArena, open_channel, running_arena

OPERATOR = "the operator's"
JUNK = b"\xff" * 20
STATUS = "/hearts.arena.v1.StatusService/GetStatus"
REFLECTION = (
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
)
PLAY = "/hearts.arena.v1.BotService/Play"


def methods() -> list[str]:
    """Return all methods that are served, by the descriptors of their services."""
    pool = descriptor_pool.Default()
    served = [pool.FindServiceByName(name) for name in SERVICES]
    names = [f"/{one.full_name}/{way.name}" for one in served for way in one.methods]
    return [*sorted(names), *REFLECTION]


@pytest.fixture(scope="module")
def arena() -> Iterator[RunningArena]:
    """One arena for all tests of this file."""
    with running_arena(operator_token=OPERATOR) as running:
        yield running


def told(arena: RunningArena, method: str, body: bytes, token: str) -> tuple[str, ...]:
    """Send bytes to a method; return code, text and reason of what comes back."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    with open_channel(arena.address) as channel:
        # Every way of calling is the same bytes.
        ask = channel.stream_stream(method)
        call = ask(iter([body]), metadata=metadata, timeout=WAIT_SECONDS)
        with pytest.raises(grpc.RpcError) as caught:
            list(call)
    info = error_details_pb2.ErrorInfo()
    status = rpc_status.from_call(caught.value)
    assert status is not None, caught.value
    status.details[0].Unpack(info)
    assert "hearts.arena" == info.domain
    return caught.value.code().name, str(caught.value.details()), info.reason


@pytest.mark.parametrize("method", methods())
def test_junk_is_a_bad_field_and_writes_no_line(
    arena: RunningArena, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Each method refuses it with a typed error, and the log has nothing of it."""
    token = {STATUS: OPERATOR, PLAY: "ada"}.get(method, "")
    refused = arena.server.observe().result(WAIT_SECONDS).counts.calls_refused
    with caplog.at_level(logging.WARNING):
        code, text, reason = told(arena, method, JUNK, token)
    counts = arena.server.observe().result(WAIT_SECONDS).counts

    assert ("INVALID_ARGUMENT", "BAD_FIELD") == (code, reason)
    assert not any(word in text for word in ("google", "hearts.", "_pb2", "class"))
    assert [] == caplog.records
    if method == PLAY:
        assert 1 == counts.streams_ended["BAD_FIELD"]
    else:
        assert refused["BAD_FIELD"] + 1 == counts.calls_refused["BAD_FIELD"]


def test_health_lists_all_services(arena: RunningArena) -> None:
    """A method that the library adds to its service is served as well."""
    with open_channel(arena.address) as channel:
        listed = health_pb2_grpc.HealthStub(channel).List(
            health_pb2.HealthListRequest(), timeout=WAIT_SECONDS
        )

    assert {"", *SERVICES} == set(listed.statuses)
    assert {1} == {one.status for one in listed.statuses.values()}


@pytest.mark.parametrize("method", [STATUS, PLAY])
def test_a_token_is_asked_for_before_a_request_is_read(
    arena: RunningArena, method: str
) -> None:
    """A stranger hears that he is one, whatever he sends."""
    assert ("UNAUTHENTICATED", "NO_TOKEN") == told(arena, method, JUNK, "")[::2]
    assert "UNKNOWN_TOKEN" == told(arena, method, JUNK, "guessed")[2]
