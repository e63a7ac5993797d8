"""Good bots, as a program: `python -m tests.hostile.bots ADDRESS NAME…`.

Each plays the first of its choices; all of them end with the program's input.
"""

import asyncio
import sys
import time

import hearts
from hearts.channel import parse_address
from hearts.client import Client
from hearts.profile import Profile
from hearts.session import Session


class First(hearts.Bot):
    """Plays the first of its choices, and passes the first three."""

    def choose_card(self, turn: hearts.Turn) -> hearts.Card:
        return turn.choices[0]

    def choose_pass(self, turn: hearts.Turn) -> list[hearts.Card]:
        return turn.choices[: turn.answer_count]


def _report(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def _main(address: str, *names: str) -> None:
    clients = []
    for name in names:
        session = Session(
            First, Profile(max_games=64), clock=time.monotonic, report=_report
        )
        clients.append(
            Client(session, address=parse_address(address), token=name, report=_report)
        )
    playing = [asyncio.create_task(client.run()) for client in clients]
    await asyncio.to_thread(sys.stdin.read)
    for client in clients:
        client.stop(leave=False)
    await asyncio.gather(*playing)


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
