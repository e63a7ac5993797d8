"""Good inputs, from which bad ones are made; a function for each target."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.commitment import Settled, write_schedule
from arena.notation import write_notation
from arena.record import Record, seal, write_record
from arena.rules import PRESETS, preset
from hearts.arena.v1 import game_pb2, play_pb2
from hearts.cards import Card
from leagues.results_file import record_result
from tests.arena_thread import NamedTokens
from tests.sample_records import sample_record
from tests.sdk_frames import (
    begun,
    closed,
    deal_ended,
    game_ended,
    moon_turn,
    pass_turn,
    play_turn,
    turns,
    welcome,
)

TOKENS = NamedTokens()
NAMES = (
    "bridge_line",
    "call_metadata",
    "cards",
    "league_file",
    "notation",
    "page_token",
    "peer",
    "perft_file",
    "play_requests",
    "play_responses",
    "record_json",
    "results_file",
    "rule_options",
    "rules_object",
    "schedule_file",
)
"""The names of all targets."""
ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"


def framed(messages: Sequence[bytes]) -> bytes:
    """Put messages into one input, each behind its length in two bytes."""
    return b"".join(len(one).to_bytes(2, "big") + one for one in messages)


def unframed(data: bytes) -> Iterator[bytes]:
    """Take an input apart again; the last message may be shorter than it says."""
    while len(data) >= 2:
        length = int.from_bytes(data[:2], "big")
        yield data[2 : 2 + length]
        data = data[2 + length :]


def _cards(*numbers: int) -> Any:
    return list(map(Card, numbers))


def play_requests() -> Iterator[bytes]:
    """Conversations of a bot with the arena."""
    hello = play_pb2.Hello(bot_version="2", instance="i", max_games=4, workers=2)
    hello.capabilities.presets.append("*")
    hello.capabilities.players.extend((3, 4))
    first = play_pb2.PlayRequest(hello=hello)
    passed = [
        play_pb2.Answer(turn_id=n, cards=_cards(1, 2, 3), note="so be it", think_ms=7)
        for n in (1, 2)
    ]
    cards = [play_pb2.Answer(turn_id=n, cards=_cards(n)) for n in range(1, 9)]
    moon = play_pb2.Answer(turn_id=3, moon_choice=game_pb2.MOON_CHOICE_ADD)
    beat = play_pb2.PlayRequest(heartbeat=play_pb2.Heartbeat(id=1))
    leave = play_pb2.PlayRequest(leave=play_pb2.Leave(message="done"))
    for requests in (
        [first, play_pb2.PlayRequest(answers=passed), beat],
        [first, play_pb2.PlayRequest(answers=cards), leave],
        [first, play_pb2.PlayRequest(answers=[moon, *passed]), first],
        [first] + [play_pb2.PlayRequest(answers=[one]) for one in cards],
        [first, play_pb2.PlayRequest(answers=cards * 2), beat, beat, leave],
    ):
        yield framed([request.SerializeToString() for request in requests])


def play_responses() -> Iterator[bytes]:
    """What an arena sends to a bot."""
    notices = play_pb2.PlayResponse(notices=[deal_ended(), game_ended()])
    odd = play_pb2.PlayResponse(
        rejections=[play_pb2.Rejected(turn_id=1, game_id="demo-1", message="no")],
        heartbeat=play_pb2.Heartbeat(id=3),
    )
    for frames in (
        [begun(play_turn(1), pass_turn(2, choices="QS KS AS 2C"), moon_turn(3))],
        [begun(play_turn(1, plays="2C 3C", leaders=[0])), closed(1), odd, notices],
        [begun(), turns(play_turn(1), play_turn(2)), welcome(games_resumed=1), notices],
    ):
        yield framed([frame.SerializeToString() for frame in frames])


def _records() -> Iterator[Record]:
    yield sample_record(1, deals_max=1)
    yield sample_record(2, answers_max=20)
    yield sample_record(3, deals_max=1, shooter=2, preset_name="classic")
    yield sample_record(4, deals_max=1, preset_name="cancellation", players=7)
    yield sample_record(5, deals_max=2, preset_name="black_maria", players=3)


def record_json() -> Iterator[bytes]:
    """Records of short games."""
    for record in _records():
        yield write_record(record).encode()


def results_file() -> Iterator[bytes]:
    """Results of whole games, alone and several."""
    games = [sample_record(seed, target=20) for seed in range(3)]
    lines = [
        record_result(seal(replace(record, block=number)))
        for number, record in enumerate(games)
    ]
    yield lines[0].encode()
    yield "\n".join(lines).encode()


def schedule_file() -> Iterator[bytes]:
    """What a league has settled, once and anew."""
    record = sample_record(1)
    roster = tuple(seat.bot for seat in record.seats)
    settled = Settled(record.league, roster, record.rules, [(0, 1, 2, 3), (3, 2, 1, 0)])
    yield write_schedule([(settled, bytes(32))]).encode()
    yield write_schedule([(settled, bytes(32)), (settled, bytes(range(32)))]).encode()


def notation() -> Iterator[bytes]:
    """The same in notation, and texts by hand."""
    for record in _records():
        yield write_notation(record).encode()
    for path in sorted((GOLDEN / "notation").iterdir()):
        yield path.read_bytes()
    yield b'[Rules "arena"]\n[Deal 0:2.2.2.2 1:3.3.3.3 2:4.4.4.4 3:5.5.5.5]\n1: 2c 3c'


def league_file() -> Iterator[bytes]:
    """The leagues of the documents, and one with all keys."""
    for path in sorted((ROOT / "docs" / "leagues").glob("*.toml")):
        yield path.read_bytes()
    yield b"""name = "all"
rules = "arena"
games = 8
practice_seed = "one"
luck = "none"
faults_max = 3
deadline_minutes = 10
tables_max = 4
[time]
bank = 30
increment = 0.1
turn_limit = 5
start = 20
[[entrant]]
name = "ada"
command = "python ada.py"
protocol = "stdio"
[[entrant]]
house = "careful"
[[entrant]]
bot = "bob"
[[entrant]]
bot = "cat"
"""


def _rules() -> Iterator[dict[str, str]]:
    for name in PRESETS:
        rules = preset(name)
        yield {"preset": name, "players": str(rules.players), **rules.options}
    yield {"preset": "arena", "moon": "choice", "target": "50"}


def rules_object() -> Iterator[bytes]:
    """All presets, with every option spelled out."""
    for options in _rules():
        yield json.dumps(options).encode()


def rule_options() -> Iterator[bytes]:
    """The same as arguments of a command."""
    for options in _rules():
        name = f"{options.pop('preset')}/{options.pop('players', 4)}"
        yield "\n".join([name, *(f"{k}={v}" for k, v in options.items())]).encode()


def perft_file() -> Iterator[bytes]:
    """Perft files of some rules."""
    for name in ("arena_4", "black_maria_3", "cancellation_7", "omnibus_5"):
        yield (GOLDEN / "perft" / f"{name}.txt").read_bytes()


def cards() -> Iterator[bytes]:
    """Names of cards, in all spellings."""
    yield " ".join(Card(number).name for number in range(1, 53)).encode()
    yield b"10d qs Td\tAS"


def bridge_line() -> Iterator[bytes]:
    """Lines that programs write."""
    yield from (b"QS\n", b"QS KS AS", b'{"turn":1,"cards":["QS"],"note":"well"}')
    yield from (b'["QS","KS","2C"]', b'{"choice":"add"}', b'"QS,KS"', b"subtract\r\n")


def page_token() -> Iterator[bytes]:
    """Page tokens."""
    yield from (b"", b"0", b"17", b"2147483647", b"2147483648", b"-1", b" 7_0")


def call_metadata() -> Iterator[bytes]:
    """Metadata of calls."""
    yield b"user-agent:x\nauthorization:Bearer ada"
    yield b"authorization:bearer  once-ada \nauthorization:Bearer bob"
    yield b"authorization:Basic YQ=="


def peer() -> Iterator[bytes]:
    """Addresses as gRPC writes them."""
    yield from (b"ipv4:127.0.0.1:5000", b"ipv6:%5B::1%5D:5000", b"unix:/tmp/x")
    yield from (b"ipv6:%5Bfe80::1%25eth0%5D:7", b"ipv6:%5B::ffff:192.0.2.1%5D:7")
