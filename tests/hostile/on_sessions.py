"""Attacks by a bot with a good token: what it may say, said too often or too much."""

from contextlib import ExitStack, suppress
from typing import Any

from hyperframe.frame import SettingsFrame

from hearts.arena.v1 import play_pb2
from tests.hostile.on_calls import HELLO_BYTES, INITIAL_WINDOW
from tests.hostile.raw import PLAY, Gone, Raw, message
from tests.hostile.victim import Victim

REQUEST_MAX = 64 * 1024


def request(**fields: object) -> bytes:
    """Return a request as it goes over the wire."""
    body = play_pb2.PlayRequest(**fields).SerializeToString()  # type: ignore[arg-type]
    return message(body)


def _numbers(*cards: int) -> Any:
    """Return numbers as cards, which they need not be; the stubs want cards."""
    return list(cards)


def foreign_answers(victim: Victim) -> None:
    """Answer turns that others were given, a few, and then by the hundred."""
    with Raw(victim.address) as raw, suppress(Gone):
        stream = raw.open(token=victim.token)
        raw.data(stream, message(HELLO_BYTES))
        for first in range(1, 2000, 200):
            answers = [
                play_pb2.Answer(
                    turn_id=number, cards=_numbers(victim.chance.randrange(60))
                )
                for number in range(first, first + 200)
            ]
            raw.data(stream, request(answers=answers))
        raw.rest(0.15)


def huge_answers(victim: Victim) -> None:
    """Send as many answers, cards and notes as fit into a message."""
    odd: Any = 77  # No moon choice.
    bodies = [
        [play_pb2.Answer(turn_id=1, note="n" * 60_000)],
        [play_pb2.Answer(turn_id=1, cards=_numbers(*[1] * 60_000))],
        [
            play_pb2.Answer(turn_id=n, cards=_numbers(2**31 - 1), think_ms=2**32 - 1)
            for n in range(256)
        ],
        [play_pb2.Answer() for _ in range(20_000)],
        [play_pb2.Answer(turn_id=2**32 - 1, moon_choice=odd, note="\u2028\x00" * 999)],
    ]
    with Raw(victim.address) as raw, suppress(Gone):
        for answers in bodies * victim.force:
            stream = raw.open(token=victim.token)
            raw.data(stream, message(HELLO_BYTES))
            raw.data(stream, request(answers=answers))
            raw.rest(0.02)


def extreme_hellos(victim: Victim) -> None:
    """Introduce bots that claim the most of everything that a field can hold."""
    capabilities = [
        play_pb2.Capabilities(presets=["p"] * 15_000),
        play_pb2.Capabilities(presets=["x" * 60_000]),
        play_pb2.Capabilities(players=[2**32 - 1] * 10_000),
        play_pb2.Capabilities(players=range(11_000)),
        play_pb2.Capabilities(presets=["\u202e\x1b[2J\n"] * 500, players=[0]),
    ]
    hellos = [play_pb2.Hello(capabilities=one, instance="x") for one in capabilities]
    hellos += [
        play_pb2.Hello(max_games=2**32 - 1),
        play_pb2.Hello(workers=2**32 - 1, protocol_minor=2**32 - 1),
        play_pb2.Hello(bot_version="v" * 60_000),
        play_pb2.Hello(instance="\x00\x1b[31m\u202e", sdk="\n" * 80),
    ]
    with ExitStack() as stack, suppress(Gone):
        for number, hello in enumerate(hellos * 6 * victim.force):
            raw = stack.enter_context(Raw(victim.address))
            stream = raw.open(token=victim.token)
            if len(hello.instance) < 2:
                hello.instance = str(number)[-2:]
            raw.data(stream, request(hello=hello))
            raw.rest(0.005)


def repeated_hellos(victim: Victim) -> None:
    """Say Hello twice in a stream, and in hundreds of streams at once."""
    with Raw(victim.address) as raw, suppress(Gone):
        for _ in range(100 * victim.force):
            stream = raw.open(token=victim.token)
            raw.data(stream, message(HELLO_BYTES) * 2)
            raw.read()
        raw.rest(0.15)


def takeover_storm(victim: Victim) -> None:
    """Take a session over from oneself, again and again."""
    with Raw(victim.address) as raw, suppress(Gone):
        for _ in range(200 * victim.force):
            raw.data(raw.open(token=victim.token), message(HELLO_BYTES))
            raw.read()
        raw.rest(0.15)


def session_hoard(victim: Victim) -> None:
    """Open more sessions than a bot may have, each under another name."""
    with Raw(victim.address) as raw, suppress(Gone):
        for number in range(150 * victim.force):
            hello = play_pb2.Hello(instance=str(number), max_games=1024, workers=64)
            raw.data(raw.open(token=victim.token), request(hello=hello))
            raw.read()
        raw.rest(0.15)


def token_races(victim: Victim) -> None:
    """Use a one-use token on many streams and connections at once."""
    token = f"once-{victim.token}"
    with ExitStack() as stack, suppress(Gone):
        raws = [stack.enter_context(Raw(victim.address)) for _ in range(5)]
        for raw in raws * 4 * victim.force:
            raw.data(raw.open(token=token), message(HELLO_BYTES))
        for raw in raws:
            raw.rest(0.05)


def heartbeat_flood(victim: Victim) -> None:
    """Send heartbeats as fast as the arena takes them."""
    with Raw(victim.address) as raw, suppress(Gone):
        stream = raw.open(token=victim.token)
        raw.data(stream, message(HELLO_BYTES))
        beats = [
            request(heartbeat=play_pb2.Heartbeat(id=victim.chance.getrandbits(32)))
            for _ in range(200)
        ]
        for _ in range(20 * victim.force):
            raw.data(stream, b"".join(beats))
            raw.read()
        raw.rest(0.15)


def empty_requests(victim: Victim) -> None:
    """Send requests that say nothing, thousands in a frame."""
    with Raw(victim.address) as raw, suppress(Gone):
        stream = raw.open(token=victim.token)
        raw.data(stream, message(HELLO_BYTES))
        for _ in range(3 * victim.force):
            raw.data(stream, message(b"") * 3000)
            raw.read()
        raw.rest(0.15)


def deaf_sessions(victim: Victim) -> None:
    """Connect bots that open no window, and provoke as many replies as there are."""
    with ExitStack() as stack, suppress(Gone):
        for number in range(8 * victim.force):
            raw = stack.enter_context(Raw(victim.address))
            raw.frame(SettingsFrame(0, settings={INITIAL_WINDOW: 0}))
            stream = raw.open(PLAY, token=victim.token)
            hello = play_pb2.Hello(instance=f"deaf{number}", max_games=1024)
            raw.data(stream, request(hello=hello))
            answers = [play_pb2.Answer(turn_id=n) for n in range(90)]
            raw.data(stream, request(answers=answers))
            raw.rest(0.01)


def idle_promises(victim: Victim) -> None:
    """Leave and speak on, and go without a word in the middle of a sentence."""
    with Raw(victim.address) as raw, suppress(Gone):
        for number in range(60 * victim.force):
            stream = raw.open(token=victim.token)
            leave = request(leave=play_pb2.Leave(message="bye" * 1000))
            raw.data(stream, message(HELLO_BYTES) + leave * 2)
            raw.data(stream, message(HELLO_BYTES) + b"\x00", ends=number % 2 == 0)
            raw.read()
        raw.rest(0.15)


ATTACKS = (
    foreign_answers,
    huge_answers,
    extreme_hellos,
    repeated_hellos,
    takeover_storm,
    session_hoard,
    token_races,
    heartbeat_flood,
    empty_requests,
    deaf_sessions,
    idle_promises,
)
