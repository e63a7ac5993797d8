"""Metrics and status of an arena, asked while and after it plays."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from prometheus_client.parser import text_string_to_metric_families

from arena.host import Host
from arena.introduction import Introduction
from arena.metrics import ArenaCollector, open_metrics
from arena.observation import Observation
from arena.rules import preset
from arena.spec import GameSpec, SeatSpec
from arena.stand_in import STAND_INS
from arena.terminal import CommandError
from hearts.arena.v1 import play_pb2, status_pb2, status_pb2_grpc
from leagues.commands.observing import (
    LogFormat,
    LogLevel,
    chosen_observing,
    metrics_address,
)
from leagues.storage.lock import served
from leagues.storage.store import Store
from tests.arena_thread import RunningArena, open_channel, running_arena
from tests.command_line import Arena, Done, runner
from tests.simulation.simulator import Behaviour, Simulator

NAMES = ("ada", "bob", "cat", "dot")
OPERATOR = "operator-token"
Metrics = dict[tuple[str, str], float]
"""Values by name and by the value of the only label, if there is one."""


@pytest.fixture(scope="module")
def arena() -> Iterator[RunningArena]:
    """An arena that has played a game with an illegal and a late answer."""
    with running_arena(names=NAMES, operator_token=OPERATOR) as running:
        with ThreadPoolExecutor() as pool:
            played = [pool.submit(play, running, name) for name in NAMES]
            running.wait_for(lambda server: len(server.presence()) == 4)
            spec = GameSpec(
                game_id="g-1",
                rules=preset("arena"),
                seats=tuple(SeatSpec(name) for name in NAMES),
                sequence_seed=bytes(32),
            )
            running.play(spec)
            for future in played:
                future.result()
        running.wait_for(lambda server: not server.presence())
        yield running


def play(arena: RunningArena, name: str) -> None:
    """Play one game; `ada` names a card it has not and answers a turn twice."""
    faulty = name == "ada"
    with arena.bot(name) as (send, responses):
        for response in responses:
            for turn in response.turns:
                answer = play_pb2.Answer(turn_id=turn.turn_id)
                cards: list[Any] = [99]
                answer.cards.extend(
                    cards if faulty else turn.choices[: turn.answer_count]
                )
                send(play_pb2.PlayRequest(answers=[answer] * (1 + faulty)))
                faulty = False
            if any(notice.HasField("game_ended") for notice in response.notices):
                send(play_pb2.PlayRequest(leave=play_pb2.Leave()))


@pytest.fixture(scope="module")
def metrics_port(arena: RunningArena) -> Iterator[int]:
    """The port where the arena serves its metrics."""
    with open_metrics(arena.server, listen="127.0.0.1", port=0) as port:
        yield port


def scrape(port: int) -> Metrics:
    """Fetch metrics once, as Prometheus does."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"http://127.0.0.1:{port}/metrics", timeout=30) as page:
        text = page.read().decode()
    return {
        (sample.name, next(iter(sample.labels.values()), "")): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_a_scrape_tells_what_was_played(metrics_port: int) -> None:
    """Games, faults, rejections, streams and frames are there, as they happened."""
    metrics = scrape(metrics_port)
    expected = {
        ("hearts_responding", ""): 1,
        ("hearts_sessions", "connected"): 0,
        ("hearts_sessions", "away"): 0,
        ("hearts_open_games", ""): 0,
        ("hearts_open_turns", "arena"): 0,
        ("hearts_open_turns", "desk"): 0,
        ("hearts_games_finished_total", ""): 1,
        ("hearts_games_void_total", "broken"): 0,
        ("hearts_faults_total", "illegal"): 1,
        ("hearts_faults_total", "late"): 0,
        ("hearts_seats_given_up_total", "faults"): 0,
        ("hearts_answers_rejected_total", "unknown_card"): 1,
        ("hearts_answers_rejected_total", "too_late"): 1,
        ("hearts_streams_ended_total", "LEFT"): 4,
    }

    assert expected == {key: metrics.get(key) for key in expected}
    assert metrics["process_resident_memory_bytes", ""] > 0
    assert metrics["hearts_frames_total", "received"] > 100


def test_a_scrape_has_a_time_for_every_turn(metrics_port: int) -> None:
    """Each answer was charged and each turn handed over; the classes add up."""
    metrics = scrape(metrics_port)
    turns = metrics["hearts_turns_answered_total", ""]

    assert turns > 200
    for name in ("hearts_bot_time_seconds", "hearts_arena_time_seconds"):
        assert turns == metrics[f"{name}_count", ""]
        assert turns == metrics[f"{name}_bucket", "+Inf"]
        assert 0 < metrics[f"{name}_sum", ""] < 30 * turns
    assert metrics["hearts_lag_seconds_count", ""] > 0


def test_refused_calls_are_counted(arena: RunningArena, metrics_port: int) -> None:
    """A call with a token that nobody has is one more ended stream."""
    before = scrape(metrics_port).get(
        ("hearts_streams_ended_total", "UNKNOWN_TOKEN"), 0
    )
    with arena.bot("nobody") as (_, responses):
        assert "UNAUTHENTICATED" == responses.code().name  # type: ignore[attr-defined]

    assert (
        before + 1
        == scrape(metrics_port)["hearts_streams_ended_total", "UNKNOWN_TOKEN"]
    )


def test_an_arena_that_hangs_is_told() -> None:
    """A scrape of an arena that gives no answer says that, and nothing else."""

    class Silent:
        def observe(self) -> "Future[Observation]":
            return Future()

    (metric,) = ArenaCollector(Silent(), look_seconds=0).collect()

    assert ("hearts_responding", 0) == (metric.name, metric.samples[0].value)


def test_an_address_for_metrics_is_read() -> None:
    """A port is of this machine only; another host has to be named."""
    assert ("127.0.0.1", 9464) == metrics_address("9464")
    assert ("0.0.0.0", 0) == metrics_address("0.0.0.0:0")
    assert ("::1", 9464) == metrics_address("[::1]:9464")


@pytest.mark.parametrize("text", ["", "x", ":9464", "::1:9464", "1:2:3", "h:70000"])
def test_other_addresses_are_refused(text: str) -> None:
    """What is no address is named, with what was expected."""
    with pytest.raises(CommandError, match="expected a port"):
        metrics_address(text)


@pytest.mark.parametrize(
    ("metrics", "is_refused"),
    [
        ("", False),
        ("9464", False),
        ("localhost:9464", False),
        ("[::1]:9464", False),
        ("0.0.0.0:9464", True),
        ("[::]:9464", True),
        ("arena.example:9464", True),
    ],
)
def test_other_machines_read_metrics_only_if_that_is_meant(
    metrics: str, is_refused: bool
) -> None:
    """Beyond loopback an address is refused, unless --insecure stands there too."""

    def chosen(*, allows_insecure: bool) -> tuple[str, int] | None:
        form, level = LogFormat.TEXT, LogLevel.INFO
        return chosen_observing(
            metrics, form, level, allows_insecure=allows_insecure
        ).metrics

    if is_refused:
        with pytest.raises(CommandError, match=r"other machines .* add --insecure"):
            chosen(allows_insecure=False)
    else:
        expected = metrics_address(metrics) if metrics else None
        assert expected == chosen(allows_insecure=False)
    assert bool(metrics) == (chosen(allows_insecure=True) is not None)


def ask(address: str, token: str | None) -> status_pb2.GetStatusResponse:
    """Ask for the status with a token, or without."""
    with open_channel(address) as channel:
        stub = status_pb2_grpc.StatusServiceStub(channel)  # type: ignore[no-untyped-call]
        metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        answered: status_pb2.GetStatusResponse = stub.GetStatus(
            status_pb2.GetStatusRequest(), metadata=metadata, timeout=30
        )
    return answered


@pytest.mark.parametrize("token", [None, "", "ada", "operator"])
def test_the_status_is_the_operators(arena: RunningArena, token: str | None) -> None:
    """Without the operator's token nothing is told, to bots neither."""
    with pytest.raises(grpc.RpcError) as caught:
        ask(arena.address, token)

    assert grpc.StatusCode.UNAUTHENTICATED == caught.value.code()


def test_without_an_operator_nobody_is_told() -> None:
    """An arena that was given no operator's token takes an empty one from nobody."""
    with running_arena() as arena, pytest.raises(grpc.RpcError) as caught:
        ask(arena.address, "")

    assert grpc.StatusCode.UNAUTHENTICATED == caught.value.code()


def test_the_status_tells_of_sessions_and_times(arena: RunningArena) -> None:
    """Who is connected is told one by one, with what was counted before."""
    with arena.bot("bob", instance="one", max_games=7, bot_version="2") as (_, frames):
        next(frames)
        status = ask(arena.address, OPERATOR)
    (session,) = status.sessions

    assert status.arena.startswith("hearts-arena ")
    assert (1, 0, 1) == (
        status.sessions_count,
        status.tables_count,
        status.games_finished_count,
    )
    assert ("bob", "2", "one", True, 7) == (
        session.bot_name,
        session.bot_version,
        session.instance,
        session.connected,
        session.max_games,
    )
    assert status.turns_answered_count == status.bot_time.durations_count
    assert 0 < status.arena_time.p50_ms <= status.arena_time.p99_ms
    assert status.turns_per_second > 0


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Arena:
    """Run a command of the arena."""
    return runner(capsys)


def test_the_command_finds_its_arena(
    arena: RunningArena, command: Arena, tmp_path: Path
) -> None:
    """The data directory says where the arena is, and holds the operator's token."""
    with Store.open(tmp_path, command="a test") as store:
        store.announce(arena.address, operator_token=OPERATOR)
        with arena.bot("cat", instance="[31m red") as (_, frames):
            next(frames)
            table = command("status", "--data", tmp_path)
            values = command("status", "--data", tmp_path, "--json")
    read = json.loads(values.out)

    assert (0, "") == (table.code, table.error)
    assert "1 finished, 0 void, 1 fault\n" in table.out
    assert '"[31m red"' in table.out
    assert "\nbot time " in table.out
    assert (0, 1, "cat") == (
        values.code,
        read["games_finished_count"],
        read["sessions"][0]["bot_name"],
    )
    assert served(tmp_path) is None
    assert 0o600 == (tmp_path / "lock").stat().st_mode & 0o777


def test_the_command_says_what_is_missing(
    arena: RunningArena, command: Arena, tmp_path: Path
) -> None:
    """No arena, no token, a wrong token and a wrong address are each one line."""
    address = ("--address", arena.address)
    calls: dict[str, Callable[[], Done]] = {
        "no arena serves from": lambda: command("status", "--data", tmp_path),
        "no operator token": lambda: command("status", *address, "--data", tmp_path),
        "is not the operator's": lambda: command(
            "status", *address, "--operator-token=x"
        ),
        "no arena answers at": lambda: command(
            "status", "--address=127.0.0.1:1", "--operator-token=x"
        ),
    }
    for expected, call in calls.items():
        done = call()
        assert expected in done.error
        assert 2 == done.code
        assert "operator-token" not in done.error


def test_arena_time_runs_from_what_lets_a_turn_go() -> None:
    """A turn behind a busy desk waits for its bot, which is not the arena's time."""
    simulator = Simulator(3)
    simulator.add_bot("ada", Behaviour(think_seconds=0.05))
    for name in NAMES[1:]:
        simulator.add_bot(name, Behaviour(think_seconds=0.0005))
    for number in range(8):
        simulator.play(f"g-{number}", list(NAMES))
    simulator.run()
    counts = simulator.host.counts

    assert 8 == counts.games_finished
    assert simulator.host.turns_answered == counts.bot_time.count
    assert counts.arena_time.count >= counts.bot_time.count
    assert counts.arena_time.percentile(0.99) < 0.01


def test_absent_bots_and_running_games_are_counted() -> None:
    """A game without its bots is void for that; a stopped one is void too."""
    host = Host(STAND_INS)
    seats = tuple(SeatSpec(name) for name in NAMES)
    spec = GameSpec(
        game_id="g", rules=preset("arena"), seats=seats, sequence_seed=bytes(32)
    )
    host.start_game(spec, now=1.0)
    for name in NAMES:
        host.connect(Introduction(name), now=1.0)
    host.start_game(spec, now=1.0)
    host.give_up("ada", "start", now=1.0)
    running = host.counts.with_running(one.table for one in host.tables.values())
    host.void_game("g", "stopped", now=1.0)

    assert {"absent": 1} == running.voids
    assert {"start": 1} == running.given_up
    assert {"absent": 1, "stopped": 1} == host.counts.voids
    assert {"start": 1} == host.counts.given_up
