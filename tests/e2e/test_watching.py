"""An arena as its operator watches it: metrics, status, logs without secrets."""

import json
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from hearts.arena.v1 import play_pb2, play_pb2_grpc
from leagues.storage.lock import served
from tests.arena_thread import open_channel
from tests.e2e.processes import arena, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

FORGED = "x ERROR arena.edge event=forged"


def dial(address: str, token: str) -> None:
    """Connect a bot that would forge the log, take its welcome, and leave."""
    requests: Iterator[play_pb2.PlayRequest] = iter(
        [
            play_pb2.PlayRequest(hello=play_pb2.Hello(instance=FORGED, sdk=FORGED)),
            play_pb2.PlayRequest(leave=play_pb2.Leave(message=FORGED)),
        ]
    )
    with open_channel(address) as channel:
        stub = play_pb2_grpc.BotServiceStub(channel)  # type: ignore[no-untyped-call]
        metadata = (("authorization", f"Bearer {token}"),)
        for _ in stub.Play(requests, metadata=metadata, timeout=60):
            pass


def printed_lines(process_output: Iterator[str]) -> tuple[str, str]:
    """Read until the arena has said where it and its metrics are."""
    metrics = ""
    for line in process_output:
        if found := re.fullmatch(r"metrics: (\S+)\n", line):
            metrics = found[1]
        elif found := re.fullmatch(r"arena at (\S+)\n", line):
            return found[1], metrics
    raise AssertionError("the arena did not say where it is")


def test_an_arena_is_watched_and_gives_no_secret_away(tmp_path: Path) -> None:
    """Metrics and status answer, and no log of any level holds a token."""
    token = arena(tmp_path, "bot", "add", "grace").out.strip()
    options = ("--metrics", "127.0.0.1:0", "--log-format", "json", "--log-level")
    process = start(tmp_path, "serve", "--port", 0, *options, "debug")
    assert process.stdout is not None
    try:
        address, metrics = printed_lines(process.stdout)
        dial(address, token)
        with pytest.raises(grpc.RpcError):
            dial(address, "wrong-secret")
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(metrics, timeout=60) as page:
            scraped = page.read().decode()
        status = json.loads(arena(tmp_path, "status", "--json").out)
        told = served(tmp_path / "data")
    finally:
        process.terminate()
        output, _ = process.communicate(timeout=60)
    logs = [file.read_text() for file in (tmp_path / "data/logs").rglob("*.log")]
    lines = (tmp_path / "data/logs/arena.log").read_text().splitlines()
    events = [json.loads(line) for line in lines]
    mine = [one["fields"] for one in events if "grace" in str(one.get("fields"))]

    assert told is not None
    for secret in (token, "wrong-secret", told.operator_token):
        assert not [text for text in (*logs, output, scraped) if secret in text]
    assert [FORGED] == [one["instance"] for one in mine if "instance" in one]
    assert 2 == len(mine)
    assert 'hearts_streams_ended_total{reason="UNKNOWN_TOKEN"} 1.0\n' in scraped
    assert 'hearts_streams_ended_total{reason="LEFT"} 1.0\n' in scraped
    assert status["arena"].startswith("hearts-arena ")


def test_a_taken_port_for_metrics_is_one_line(tmp_path: Path) -> None:
    """Two arenas can't have one port for metrics; the second says so and ends."""
    first = start(tmp_path, "serve", "--port", 0, "--metrics", 0, "--no-practice")
    assert first.stdout is not None
    try:
        _, metrics = printed_lines(first.stdout)
        port = metrics.rpartition(":")[2].partition("/")[0]
        other = tmp_path / "other"
        second = arena(
            tmp_path, "serve", "--port", 0, "--metrics", port, "--data", other
        )
    finally:
        first.terminate()
        first.communicate(timeout=60)

    assert 2 == second.code
    assert f"metrics can't be served at 127.0.0.1:{port}" in second.error
    assert 1 == len(second.error.splitlines())
