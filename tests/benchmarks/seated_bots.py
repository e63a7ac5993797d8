"""Distinct bots that play, as a program: `seated_bots ADDRESS STAMPS NUMBER COUNT`.

Of COUNT times four bots it plays those of one seat: each fourth one, from NUMBER
on. Each is a session of the SDK with a connection of its own, at one table at a
time; all of them share the process and its event loop, and stamp their turns into
one file.
"""

from __future__ import annotations

import asyncio
import sys
import time

from hearts.channel import parse_address
from hearts.client import Client
from hearts.loop import run
from hearts.profile import Profile
from hearts.session import Session
from tests.benchmarks.arena_league import BOT_COUNT
from tests.benchmarks.dialled import dialled_name
from tests.benchmarks.lowest_bot import STAMPS, Lowest
from tests.benchmarks.programs import input_ended, write_stamps


def _client(address: str, name: str) -> Client:
    session = Session(
        Lowest, Profile(max_games=1), clock=time.monotonic, report=lambda _: None
    )
    return Client(
        session,
        address=parse_address(address),
        token=name,
        report=lambda _: None,
        shares_connection=True,
    )


async def main(address: str, number: int, count: int) -> None:
    """Play until the input ends."""
    numbers = range(number, number + BOT_COUNT * count, BOT_COUNT)
    clients = [_client(address, dialled_name(one)) for one in numbers]
    playing = [asyncio.create_task(client.run()) for client in clients]
    await input_ended()
    for client in clients:
        client.stop()
    await asyncio.gather(*playing)


if __name__ == "__main__":
    try:
        run(main(sys.argv[1], int(sys.argv[3]), int(sys.argv[4])))
    finally:
        write_stamps(sys.argv[2], STAMPS)
