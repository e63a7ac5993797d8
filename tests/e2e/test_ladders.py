"""A ladder as processes: bots of the SDK come and go, and the arena is killed.

What happens is waited for in the store, as an onlooker sees it.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from leagues.results import GameResult
from leagues.storage.bots import add_bot
from leagues.storage.store import Store, StoreError
from tests.e2e.processes import (
    TIMEOUT_SECONDS,
    address_of,
    arena,
    environment,
    houses,
    left_over,
    records,
    running,
    standings,
    start,
    write_league,
)

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

LONG_SECONDS = 60
BOT = """
import sys
import hearts

class Lowest(hearts.Bot):
    def choose_card(self, turn):
        return turn.choices[0]

hearts.run(Lowest, version=sys.argv[1], max_games=2)
"""


def ladder(folder: Path) -> Path:
    """Write a ladder of short games with house bots."""
    return write_league(
        folder,
        "open",
        "kind = 'ladder'",
        "tables_max = 4",
        "rules = { preset = 'arena', max_deals = 1 }",
        *houses("careful", "lowest", "ducker", "random"),
    )


@contextmanager
def bot(folder: Path, address: str, token: str, version: str) -> Iterator[None]:
    """Run a bot of the SDK beside the arena until the block is left."""
    process = subprocess.Popen(
        [sys.executable, "-c", BOT, version],
        env=environment(folder, HEARTS_ARENA=address, HEARTS_TOKEN=token),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=TIMEOUT_SECONDS)
        finally:
            process.kill()
            process.wait()


def wait_for(
    folder: Path, is_done: Callable[[list[GameResult]], bool], *, after: int = 0
) -> list[GameResult]:
    """Wait until the games that have finished since are as expected."""
    until = time.monotonic() + LONG_SECONDS
    found: list[GameResult] = []
    while time.monotonic() < until:
        # The arena may not have made it yet.
        with suppress(StoreError, KeyError):
            with Store.open_read_only(folder / "data") as store:
                found = store.results("open")
            if is_done(found[after:]):
                return found
        time.sleep(0.05)
    raise AssertionError(f"nothing of it in {LONG_SECONDS} s: {found[after:]}")


def seated(results: list[GameResult], bot: str, version: str) -> int:
    """In how many games a version of a bot has sat."""
    return sum(
        (seat.entrant, seat.version) == (bot, version)
        for result in results
        for seat in result.seats
    )


def play_on(folder: Path, address: str, tokens: Mapping[str, str]) -> int:
    """Let bots of a ladder come and go; return how many games there were by then."""
    before = len(wait_for(folder, bool))
    # It comes back by itself, and goes on.
    wait_for(folder, lambda found: seated(found, "ada", "1") >= 2, after=before)
    with (
        bot(folder, address, tokens["ada"], "2"),
        bot(folder, address, tokens["bea"], "1"),
    ):
        wait_for(
            folder,
            lambda found: min(seated(found, "ada", "2"), seated(found, "bea", "1")) > 2,
        )
    return len(wait_for(folder, bool))


def test_bots_come_and_go_while_a_ladder_goes_on(tmp_path: Path) -> None:
    """Two versions, one kill, a restart and an end: all games are whole and count."""
    with Store.open(tmp_path / "data", command="a test") as store:
        tokens = {name: add_bot(store, name, owner="Ann") for name in ("ada", "bea")}
    serve = ("serve", "--no-practice", "--league", ladder(tmp_path))
    first = start(tmp_path, *serve, "--port", 0)
    address = address_of(first)
    with bot(tmp_path, address, tokens["ada"], "1"):
        wait_for(tmp_path, lambda found: seated(found, "ada", "1") >= 3)
        first.kill()
        first.communicate()
        with running(tmp_path, *serve, "--port", address.rpartition(":")[2]) as second:
            address_of(second)
            gone = play_on(tmp_path, address, tokens)
            wait_for(tmp_path, lambda found: len(found) >= 12, after=gone)
            ended = arena(tmp_path, "league", "end", "open", "--reason", "enough")
            assert second.stdout is not None
            finished = next(line for line in second.stdout if "finished" in line)
            second.send_signal(signal.SIGTERM)
            second.communicate(timeout=TIMEOUT_SECONDS)
    played, told = records(tmp_path, "open"), standings(tmp_path, "open")
    pairs = [{seat["bot"] for seat in record["seats"]} for record in played]
    names = [record["game"] for record in played]

    assert (0, 0) == (ended.code, second.returncode)
    assert f"league open: finished, {len(played)} games\n" == finished
    assert [f"open-{n}" for n in range(1, gone + 1)] == names[:gone]
    assert {"ada@1", "ada@2", "bea"} <= {row["entrant"] for row in told["standings"]}
    assert not any({"ada", "bea"} <= pair for pair in pairs)
    assert told["secret"]
    assert [] == left_over(tmp_path)


def test_a_ladder_that_is_stopped_has_nothing_left_to_do(tmp_path: Path) -> None:
    """`arena league run` ends well at a signal, and prints the standings so far."""
    process = start(tmp_path, "league", "run", ladder(tmp_path), "--port", 0)
    wait_for(tmp_path, lambda found: len(found) >= 5)
    process.send_signal(signal.SIGTERM)
    printed, _ = process.communicate(timeout=TIMEOUT_SECONDS)

    assert 0 == process.returncode, printed
    assert "League open: bots dial in at 127.0.0.1:" in printed
    assert "ladder open stops for now; running it again goes on" in printed
    assert f"League open: stopped, {len(records(tmp_path, 'open'))} games" in printed
    assert [] == left_over(tmp_path)
