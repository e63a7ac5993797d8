"""The edge: what plain gRPC clients get for what they send, good and bad."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import grpc
import pytest
import trio
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from arena.edge_limits import SESSIONS_MAX
from arena.rules import preset
from arena.server import PortTakenError, open_server
from arena.spec import GameSpec, SeatSpec, TimeControl
from hearts.arena.v1 import league_pb2, league_pb2_grpc, play_pb2
from tests.arena_thread import NamedTokens, RunningArena, open_channel, running_arena

NAMES = ("ada", "bob", "cat", "dot")


@pytest.fixture(scope="module")
def arena() -> Iterator[RunningArena]:
    """One arena for all tests of this file."""
    with running_arena() as running:
        yield running


def ending(responses: Iterator[play_pb2.PlayResponse]) -> tuple[str, str]:
    """Read to the end of a call; return its code and the reason in its details."""
    try:
        for _ in responses:
            pass
    except grpc.RpcError as error:
        status = rpc_status.from_call(error)
        info = error_details_pb2.ErrorInfo()
        if status is not None and status.details[0].Unpack(info):
            assert info.domain == "hearts.arena"
        return error.code().name, info.reason
    return "OK", ""


def spec(number: int, **options: object) -> GameSpec:
    """Return a game of the four bots."""
    return GameSpec(
        game_id=f"g-{number}",
        rules=preset("arena"),
        seats=tuple(SeatSpec(name) for name in NAMES),
        sequence_seed=number.to_bytes(32, "big"),
        **options,  # type: ignore[arg-type]
    )


def answers(response: play_pb2.PlayResponse) -> play_pb2.PlayRequest:
    """Answer every turn by its first choices, from the protocol alone."""
    return play_pb2.PlayRequest(
        answers=[
            play_pb2.Answer(
                turn_id=turn.turn_id, cards=turn.choices[: turn.answer_count]
            )
            for turn in response.turns
        ]
    )


def play_on(
    arena: RunningArena, name: str, *, skipped: int = 0
) -> list[play_pb2.PlayResponse]:
    """Play one game from the first choices, but for the first turns, and leave."""
    seen = []
    with arena.bot(name) as (send, responses):
        for response in responses:
            seen.append(response)
            if response.closed and response.HasField("heartbeat"):
                send(play_pb2.PlayRequest(heartbeat=response.heartbeat))
            if response.turns and skipped > 0:
                skipped -= len(response.turns)
            elif response.turns:
                send(answers(response))
            if any(notice.HasField("game_ended") for notice in response.notices):
                send(play_pb2.PlayRequest(leave=play_pb2.Leave(message="done")))
                break
        assert ("OK", "") == ending(responses)
    return seen


def test_four_clients_play_a_game(arena: RunningArena) -> None:
    """Bots from the protocol alone are welcomed, told the game, and play it."""
    with ThreadPoolExecutor() as pool:
        played = [pool.submit(play_on, arena, name) for name in NAMES]
        arena.wait_for(lambda server: len(server.presence()) == 4)
        record = arena.play(spec(1))
        seen = [future.result() for future in played]
    first = seen[0]

    assert "finished" == record.ending
    assert () == record.faults
    assert "ada" == first[0].welcome.bot_name
    starts = [start for response in first for start in response.starts]
    assert [("g-1", 0, list(NAMES))] == [
        (start.game_id, start.seat, list(start.seat_names)) for start in starts
    ]
    ended = [
        notice.game_ended
        for response in first
        for notice in response.notices
        if notice.HasField("game_ended")
    ]
    assert record.places is not None
    assert [list(record.places)] == [list(notice.places) for notice in ended]


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("nobody", ("UNAUTHENTICATED", "UNKNOWN_TOKEN")),
        ("", ("UNAUTHENTICATED", "UNKNOWN_TOKEN")),
    ],
)
def test_an_unknown_token_is_refused(
    arena: RunningArena, token: str, expected: tuple[str, str]
) -> None:
    """A token that the arena does not know ends the call with its reason."""
    with arena.bot(token) as (_, responses):
        assert expected == ending(responses)


def test_the_first_request_must_be_a_hello(arena: RunningArena) -> None:
    """Anything else ends the call."""
    with arena.bot("ada", hello=None) as (send, responses):
        send(play_pb2.PlayRequest(heartbeat=play_pb2.Heartbeat(id=1)))

        assert ("FAILED_PRECONDITION", "HELLO_EXPECTED") == ending(responses)


@pytest.mark.parametrize(
    "hello",
    [{"max_games": 5000}, {"workers": 100}, {"bot_version": "v" * 41}],
    ids=["max_games", "workers", "bot_version"],
)
def test_a_field_out_of_range_is_named(
    arena: RunningArena, hello: dict[str, object]
) -> None:
    """A `Hello` beyond its limits ends the call with the name of the field."""
    with arena.bot("ada", **hello) as (_, responses):
        with pytest.raises(grpc.RpcError) as caught:
            next(responses)

        assert grpc.StatusCode.INVALID_ARGUMENT == caught.value.code()
        assert f"hello.{next(iter(hello))}" in caught.value.details()


def test_too_many_answers_end_the_call(arena: RunningArena) -> None:
    """A request with more answers than allowed is a broken protocol."""
    with arena.bot("ada") as (send, responses):
        next(responses)
        flood = [play_pb2.Answer(turn_id=n) for n in range(257)]
        send(play_pb2.PlayRequest(answers=flood))

        assert ("INVALID_ARGUMENT", "BAD_FIELD") == ending(responses)


def test_foreign_answers_are_rejected_and_a_flood_ends_the_call(
    arena: RunningArena,
) -> None:
    """Answers to turns that never were are refused, and bounded in number."""
    with arena.bot("ada") as (send, responses):
        next(responses)
        send(play_pb2.PlayRequest(answers=[play_pb2.Answer(turn_id=7)]))
        rejections = [r for response in _until(responses) for r in response.rejections]

        assert [(7, "turn 7 was never given to this session")] == [
            (rejection.turn_id, rejection.message) for rejection in rejections
        ]
        flood = [play_pb2.Answer(turn_id=n) for n in range(1, 121)]
        send(play_pb2.PlayRequest(answers=flood))

        assert ("RESOURCE_EXHAUSTED", "UNKNOWN_TURNS") == ending(responses)


def _until(
    responses: Iterator[play_pb2.PlayResponse],
) -> Iterator[play_pb2.PlayResponse]:
    """Yield responses up to the first with a rejection."""
    for response in responses:
        yield response
        if response.rejections:
            return


def test_a_second_stream_takes_the_first_over(arena: RunningArena) -> None:
    """The older stream of the same bot, version and instance ends as ABORTED."""
    with arena.bot("ada", instance="one") as (_, first):
        next(first)
        with arena.bot("ada", instance="one") as (_, second):
            welcome = next(second).welcome

            assert ("ABORTED", "TAKEN_OVER") == ending(first)
            assert "ada" == welcome.bot_name


def test_a_one_use_token_is_exchanged(arena: RunningArena) -> None:
    """A program started by the arena gets its own token, and the first is spent."""
    with arena.bot("once-eve") as (_, responses):
        own = next(responses).welcome.token
    with arena.bot("once-eve") as (_, responses):
        assert ("UNAUTHENTICATED", "UNKNOWN_TOKEN") == ending(responses)
    with arena.bot(own) as (_, responses):
        assert "eve" == next(responses).welcome.bot_name


def test_a_lost_stream_goes_on_with_the_same_turn(arena: RunningArena) -> None:
    """After a reconnect the game and its open turn are sent again."""
    with ThreadPoolExecutor() as pool:
        played = [pool.submit(play_on, arena, name) for name in NAMES[1:]]
        with arena.bot("ada") as (_, responses):
            arena.wait_for(lambda server: len(server.presence()) == 4)
            game = pool.submit(arena.play, spec(2))
            turn = next(r.turns[0] for r in responses if r.turns)
        again = pool.submit(play_on, arena, "ada")
        record = game.result()
        first_turn = next(t for r in again.result() for t in r.turns)
        for future in played:
            future.result()

    assert turn.turn_id == first_turn.turn_id
    assert turn.hand == first_turn.hand
    assert () == record.faults


def test_an_echo_ends_the_stall_of_a_client_that_skips(arena: RunningArena) -> None:
    """A client that says nothing of its late turn but an echo is asked again."""
    control = TimeControl(turn_limit_ms=1_000)
    with ThreadPoolExecutor() as pool:
        played = [
            pool.submit(play_on, arena, name, skipped=int(name == "ada"))
            for name in NAMES
        ]
        arena.wait_for(lambda server: len(server.presence()) == 4)
        record = arena.play(spec(3, time_control=control))
        for future in played:
            future.result()

    assert "finished" == record.ending
    assert [(0, "late")] == [(fault.seat, fault.kind) for fault in record.faults]


def test_garbage_hurts_only_its_own_call(arena: RunningArena) -> None:
    """Bytes that are no message end their call; the arena serves on."""
    with open_channel(arena.address) as channel:
        garble = channel.stream_stream("/hearts.arena.v1.BotService/Play")
        metadata = (("authorization", "Bearer ada"),)
        with pytest.raises(grpc.RpcError):
            list(garble(iter([b"\xff\xff\xff"]), metadata=metadata, timeout=10))
        with pytest.raises(grpc.RpcError):
            list(garble(iter([b"\x12" * 70_000]), metadata=metadata, timeout=10))
    with arena.bot("ada") as (_, responses):
        assert "ada" == next(responses).welcome.bot_name


def test_health_and_reflection_are_served(arena: RunningArena) -> None:
    """Health says SERVING, and both versions of reflection list our services."""
    with open_channel(arena.address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        checked = health.Check(health_pb2.HealthCheckRequest(), timeout=10)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        listed = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(
            iter([request]), timeout=10
        )
        newer = channel.stream_stream(
            "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
            request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
            response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
        )(iter([request]), timeout=10)
        names = [
            {service.name for service in next(answer).list_services_response.service}
            for answer in (listed, newer)
        ]

    assert health_pb2.HealthCheckResponse.SERVING == checked.status
    for known in names:
        assert "hearts.arena.v1.BotService" in known


def test_an_arena_without_leagues_says_so(arena: RunningArena) -> None:
    """`LeagueService` answers NOT_FOUND where nothing is stored."""
    with open_channel(arena.address) as channel:
        stub = league_pb2_grpc.LeagueServiceStub(channel)  # type: ignore[no-untyped-call]
        with pytest.raises(grpc.RpcError) as caught:
            stub.GetStandings(league_pb2.GetStandingsRequest(league="x"), timeout=10)

    assert grpc.StatusCode.NOT_FOUND == caught.value.code()


async def test_a_taken_port_is_named() -> None:
    """Two arenas cannot share a port, and the second one says so."""
    async with open_server(tokens=NamedTokens()) as server:
        with pytest.raises(PortTakenError, match=f"127.0.0.1:{server.port}"):
            async with open_server(tokens=NamedTokens(), port=server.port):
                pass


async def test_an_arena_that_cannot_start_says_why() -> None:
    """Whatever stands in the way is raised where the arena was to be opened."""
    with pytest.raises(UnicodeEncodeError):
        async with open_server(tokens=NamedTokens(), host="\ud800"):
            pass


async def test_an_arena_that_is_cancelled_as_it_opens_is_ended() -> None:
    """No thread of it goes on, and its block is not run."""
    edges = {thread for thread in threading.enumerate() if thread.name == "edge"}
    with trio.CancelScope() as scope:
        scope.cancel()
        async with open_server(tokens=NamedTokens()):
            await trio.lowlevel.checkpoint()
            raise AssertionError("the block was run")

    assert scope.cancelled_caught
    assert edges == {t for t in threading.enumerate() if t.name == "edge"}


async def test_cancelling_a_game_frees_its_bots() -> None:
    """A cancelled `play` leaves no table behind."""
    async with open_server(tokens=NamedTokens()) as server:
        game = spec(3, given_up=frozenset(range(4)), time_control=TimeControl())
        record = await server.play(game)
        with trio.move_on_after(0):
            await server.play(spec(4, given_up=frozenset(range(4))))

        assert "finished" == record.ending
        assert 0 == server.running_games


def test_a_call_that_the_arena_ends_is_no_fault_of_its_own(
    arena: RunningArena, caplog: pytest.LogCaptureFixture
) -> None:
    """Ending a call while it is being read leaves no trace in the log."""
    with caplog.at_level("ERROR"):
        with arena.bot("bob", instance="two") as (_, first):
            next(first)
            with arena.bot("bob", instance="two") as (_, second):
                next(second)

                assert ("ABORTED", "TAKEN_OVER") == ending(first)
        arena.wait_for(lambda server: "bob" not in server.presence())

    assert [] == [record.message for record in caplog.records]


def test_two_calls_cannot_spend_one_token(arena: RunningArena) -> None:
    """A one-use token that two calls hold at once lets only the first one in."""
    with (
        arena.bot("once-dot", hello=None) as (send_first, first),
        arena.bot("once-dot", hello=None) as (send_second, second),
    ):
        hello = play_pb2.PlayRequest(hello=play_pb2.Hello())
        send_first(hello)

        assert "dot" == next(first).welcome.bot_name
        send_second(hello)
        assert ("UNAUTHENTICATED", "UNKNOWN_TOKEN") == ending(second)


def test_a_bot_has_a_bounded_number_of_sessions(arena: RunningArena) -> None:
    """One more instance than allowed is refused, and the others stay."""
    with ExitStack() as stack:
        calls = [
            stack.enter_context(arena.bot("cat", instance=f"i{number}"))
            for number in range(SESSIONS_MAX)
        ]
        for _, responses in calls:
            next(responses)
        with arena.bot("cat", instance="more") as (_, refused):
            assert ("RESOURCE_EXHAUSTED", "TOO_MANY_SESSIONS") == ending(refused)
        with arena.bot("cat", instance="i1") as (_, taken_over):
            assert "cat" == next(taken_over).welcome.bot_name


def test_a_bot_that_can_play_nothing_is_told(arena: RunningArena) -> None:
    """Capabilities without anything that is dealt here are answered with a notice."""
    capabilities = play_pb2.Capabilities(presets=["other"])
    with arena.bot("eve", instance="x", capabilities=capabilities) as (_, responses):
        notices = [notice.status.message for notice in next(responses).notices]

        assert ["eve plays other only, no preset" in notice for notice in notices] == [
            True
        ]
        assert "eve" not in arena.server.presence()
