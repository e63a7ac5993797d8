"""An arena that is stopped: what bots are told, what becomes of their games."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from leagues.storage.bots import add_bot
from leagues.storage.store import Store
from tests.arena_thread import WAIT_SECONDS, dialled, open_channel
from tests.e2e.frames import Frames, hands_of, play
from tests.e2e.processes import (
    TIMEOUT_SECONDS,
    address_of,
    entrant,
    environment,
    houses,
    left_over,
    records,
    running,
    write_league,
)

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

DRAIN_SECONDS = 4
BOT = """
import hearts

class Lowest(hearts.Bot):
    def choose_card(self, turn):
        return turn.choices[0]

hearts.run(Lowest, practice=True, max_games=1)
"""


def league(folder: Path, games: int) -> Path:
    """Write a league of games of one deal, without clocks, that `ann` dials in to."""
    return write_league(
        folder,
        "friday",
        f"games = {games}",
        "rules = { preset = 'arena', max_deals = 1 }",
        "time = { turn_limit = 0 }",
        entrant(bot="ann"),
        *houses("careful", "lowest", "ducker"),
    )


def token(folder: Path, name: str) -> str:
    """Add a bot that dials in."""
    with Store.open(folder / "data", command="a test") as store:
        return add_bot(store, name)


def reconnect_ms(frames: Frames) -> int:
    """Read until the arena says that it goes away; return when to come back."""
    while True:
        for notice in next(frames).notices:
            if notice.HasField("draining"):
                return notice.draining.reconnect_after_ms


def refusal(frames: Frames) -> tuple[str, str, float]:
    """Read to the end of a call; return its code, its reason, when to come back."""
    with pytest.raises(grpc.RpcError) as caught:
        for _ in frames:
            pass
    return told(caught.value)


def told(error: grpc.RpcError) -> tuple[str, str, float]:
    """Return the code of an error, its reason, and when to come back, in seconds."""
    status = rpc_status.from_call(error)
    assert status is not None
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    for detail in status.details:
        detail.Unpack(info)
        detail.Unpack(retry)
    seconds = retry.retry_delay.ToTimedelta().total_seconds()
    return error.code().name, info.reason, seconds


def health(address: str) -> set[int]:
    """Return how the arena and its service for bots say that they are."""
    with open_channel(address) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check
        names = ("", "hearts.arena.v1.BotService")
        return {
            check(
                health_pb2.HealthCheckRequest(service=name), timeout=WAIT_SECONDS
            ).status
            for name in names
        }


def test_a_stopped_arena_gives_games_their_time(tmp_path: Path) -> None:
    """All is told at once, one game ends in time, the other is dealt anew later."""
    tokens = {n: token(tmp_path, n) for n in ("ann", "eve")}
    file = league(tmp_path, games=2)
    serve = ("serve", "--port", 0, "--no-practice", "--league", file)
    with running(tmp_path, *serve, "--drain", DRAIN_SECONDS) as process:
        address = address_of(process)
        with dialled(address, tokens["ann"], max_games=2) as (_, frames):
            before = hands_of(frames, 2)
        with dialled(address, tokens["ann"], max_games=2) as (send, frames):
            # One answer is left for the time that games have: machines may be busy.
            play(send, frames, "friday-1", cards_left=1)
            process.send_signal(signal.SIGTERM)
            first = reconnect_ms(frames)
            state = health(address)
            with dialled(address, tokens["eve"]) as (_, others):
                refused = refusal(others)
        with dialled(address, tokens["ann"], max_games=2) as (send, frames):
            again = next(frames)
            resumed = (again.welcome.games_resumed, len(again.starts))
            second = [n.draining.reconnect_after_ms for n in again.notices]
            endings = play(send, chain([again], frames), "friday-1")
            error = refusal(frames)
        printed, _ = process.communicate(timeout=TIMEOUT_SECONDS)
    after, code = stopped_twice(tmp_path, tokens["ann"], *serve)

    assert {health_pb2.HealthCheckResponse.NOT_SERVING} == state
    assert (2000, [2000]) == (first, second)
    assert ("UNAVAILABLE", "DRAINING", 2.0) == refused == error
    assert (2, 2) == resumed
    assert ["friday-1 1", "friday-2 2"] == endings
    assert "Stopping: 2 running games may end within 4 s" in printed
    assert "Stopped: 1 game ended meanwhile, 1 is to be played again.\n" in printed
    assert "league friday: drained, 1 of 2 games\n" in printed
    assert ["friday-1"] == [record["game"] for record in records(tmp_path, "friday")]
    assert ["friday-2"] == list(after)
    assert before["friday-2"] != after["friday-2"]
    assert 130 == code
    assert [] == left_over(tmp_path)


def stopped_twice(
    folder: Path, secret: str, *serve: object
) -> tuple[dict[str, list[int]], int]:
    """Go on with the league and stop at once; return the hand and the exit code."""
    with running(folder, *serve) as process:
        with dialled(address_of(process), secret) as (_, frames):
            hands = hands_of(frames, 1)
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        _line_with(process.stdout, "once more stops at once")
        process.send_signal(signal.SIGTERM)
        return hands, process.wait(TIMEOUT_SECONDS)


def test_a_league_that_is_stopped_goes_on_later(tmp_path: Path) -> None:
    """Without time to end a running game is void, and the code says so."""
    secret = token(tmp_path, "ann")
    file = league(tmp_path, games=1)
    run = ("league", "run", file, "--port", 0, "--drain", 0)
    with running(tmp_path, *run) as process:
        with dialled(address_of(process), secret) as (_, frames):
            hands_of(frames, 1)
            process.send_signal(signal.SIGINT)
            refused = refusal(frames)
        printed, _ = process.communicate(timeout=TIMEOUT_SECONDS)

    assert ("UNAVAILABLE", "DRAINING", 2.0) == refused
    assert 1 == process.returncode
    assert "Stopped: 0 games ended meanwhile, 1 is to be played again.\n" in printed
    assert "1 game of league friday left to play: the run was stopped" in printed
    assert [] == left_over(tmp_path)


def test_practice_games_that_are_cut_off_are_told(tmp_path: Path) -> None:
    """They are not played again, so they are counted by themselves."""
    secret = token(tmp_path, "ann")
    with (
        running(tmp_path, "serve", "--port", 0, "--drain", 0) as process,
        dialled(address_of(process), secret, practice=True) as (_, frames),
    ):
        hands_of(frames, 1)
        process.send_signal(signal.SIGTERM)
        printed, _ = process.communicate(timeout=TIMEOUT_SECONDS)

    assert 0 == process.returncode, printed
    assert (
        "Stopped: 0 games ended meanwhile, 0 are to be played again; "
        "1 practice game was cut off.\n"
    ) in printed


def test_an_sdk_comes_back_to_an_arena_that_was_restarted(tmp_path: Path) -> None:
    """A bot needs no code of its own for that: it is seated anew, with no error."""
    secret = token(tmp_path, "ann")
    with running(tmp_path, "serve", "--port", 0, "--drain", 0) as process:
        address = address_of(process)
        bot = subprocess.Popen(
            [sys.executable, "-c", BOT],
            env=environment(tmp_path, HEARTS_ARENA=address, HEARTS_TOKEN=secret),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert bot.stderr is not None
            said = [_line_with(bot.stderr, "connected to the arena")]
            process.send_signal(signal.SIGTERM)
            said.append(_line_with(bot.stderr, "will be back"))
            assert 0 == process.wait(TIMEOUT_SECONDS)
            port = address.rpartition(":")[2]
            with running(tmp_path, "serve", "--port", port, "--drain", 0) as restarted:
                address_of(restarted)
                said.append(_line_with(bot.stderr, "connected to the arena"))
                bot.send_signal(signal.SIGINT)
                bot_code = bot.wait(TIMEOUT_SECONDS)
        finally:
            bot.kill()
            bot.communicate()

    assert 0 == bot_code
    assert (
        "hearts: the arena will be back soon: the arena is stopping for now\n" in said
    )


def _line_with(lines: Iterator[str], text: str) -> str:
    """Read up to the first line with a text in it."""
    return next(line for line in lines if text in line)
