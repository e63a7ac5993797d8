"""Conversations of which one side is made up: a bot's with the host, an arena's with
the SDK."""

import inspect
from contextlib import suppress
from typing import Any

from google.protobuf.message import DecodeError

from arena import wire
from arena.host import Host
from arena.introduction import Introduction
from arena.rules import preset
from arena.session import Session
from arena.spec import GameSpec, SeatSpec
from arena.substitution import substitute
from hearts.arena.v1 import play_pb2
from hearts.bot import Bot
from hearts.cards import Card
from hearts.game import DealEnded, GameEnded, GameStart
from hearts.house.careful import Careful
from hearts.profile import Profile
from hearts.session import Session as BotSession
from hearts.turn import Turn
from tests.fuzz.seeds import unframed

OTHERS = ("bob", "cat", "dot")
ANSWERS_MAX = 256
STEP_SECONDS = 0.25
REQUESTS_MAX = 64
FLUSHES_MAX = 2_000
REPORT_LENGTH_MAX = 100_000


class Arena:
    """A host with two games of a made-up bot with three good ones."""

    def __init__(self, introduction: Introduction) -> None:
        self.now = 1000.0
        self.host = Host({"careful-1": substitute})
        self.others = [
            self.host.connect(Introduction(name, max_games=2), now=self.now)
            for name in OTHERS
        ]
        self.bot = self.host.connect(introduction, now=self.now)
        for number in (1, 2):
            spec = GameSpec(
                game_id=f"g-{number}",
                rules=preset("arena", max_deals=1),
                seats=tuple(SeatSpec(n) for n in (introduction.bot, *OTHERS)),
                sequence_seed=bytes([number]) * 32,
            )
            self.host.start_game(spec, now=self.now)
        self.tables = list(self.host.tables.values())
        self.flush()

    def flush(self) -> None:
        """Send what is to be sent; the good bots answer at once."""
        for _ in range(FLUSHES_MAX):
            waiting = list(self.host.take_ready())
            if not waiting:
                return
            for session in waiting:
                self._send(session)
        raise AssertionError("there is no end of frames")

    def _send(self, session: Session) -> None:
        frame = self.host.take(session, now=self.now)
        if frame is None:
            return
        data = wire.encode_frame(frame, arena="fuzzed")
        message = play_pb2.PlayResponse.FromString(data)
        self.host.sent(session, session.stream, frame, now=self.now)
        if session in self.others and message.turns:
            answers = [
                play_pb2.Answer(turn_id=turn.turn_id, cards=turn.choices[:count])
                for turn in message.turns
                for count in [turn.answer_count]
            ]
            self.host.receive(session, answers, now=self.now)

    def hear(self, request: play_pb2.PlayRequest) -> bool:
        """Take a request as the edge does; tell whether the stream goes on."""
        bot, host = self.bot, self.host
        if len(request.answers) > ANSWERS_MAX or request.HasField("hello"):
            host.disconnect(bot, bot.stream, now=self.now)
            return False
        if request.answers:
            host.receive(bot, request.answers, now=self.now)
        if request.HasField("heartbeat"):
            host.heard(bot, request.heartbeat.id, now=self.now)
        if request.HasField("leave"):
            host.leave(bot, bot.stream, now=self.now)
            return False
        return not [ended for ended in host.take_ended() if ended.session is bot]

    def pass_time(self) -> None:
        """Let a moment pass, and what was to happen in it."""
        self.now += STEP_SECONDS
        while self.host.next_deadline() <= self.now:
            self.host.expire(now=self.now)
            self.flush()

    def check(self) -> None:
        """Check that nothing broke, and that the good bots bear no blame."""
        assert [] == self.host.take_failures()
        for running in self.tables:
            table = running.table
            assert not table.void_reason, table.void_reason
            assert {0} >= {fault.seat for fault in table.faults}
            assert {0} >= set(table.given_up)
        assert len(self.bot.rejections) <= ANSWERS_MAX


def play_requests(data: bytes) -> None:
    """Have a host with running games take a made-up bot's requests."""
    arena: Arena | None = None
    for number, one in enumerate(unframed(data)):
        try:
            request = play_pb2.PlayRequest.FromString(one)
        except DecodeError:
            continue
        if arena is None:
            try:
                hello = wire.decode_hello(request.hello, bot="ada", owner="ann")
            except wire.WireError:
                return
            arena = Arena(hello)
            continue
        if not arena.hear(request) or number > REQUESTS_MAX:
            break
        arena.flush()
        arena.pass_time()
    if arena is not None:
        arena.flush()
        arena.check()


def properties(kind: type) -> list[str]:
    """Return the names of all that a view on a message tells."""
    return [
        name for name, _ in inspect.getmembers(kind, lambda x: isinstance(x, property))
    ]


_TOLD = {kind: properties(kind) for kind in (Turn, GameStart, DealEnded, GameEnded)}


class Curious(Bot):
    """Reads all there is to read, and thinks no further."""

    def choose_card(self, turn: Turn) -> Card:
        self.read(turn)
        return turn.choices[0]

    def choose_pass(self, turn: Turn) -> list[Card]:
        self.read(turn)
        return turn.choices[: turn.answer_count]

    def choose_moon(self, turn: Turn) -> str:
        self.read(turn)
        return turn.moon_choices[0]

    def game_started(self, start: GameStart) -> None:
        self.read(start)

    def deal_ended(self, ended: DealEnded) -> None:
        self.read(ended)

    def game_ended(self, ended: GameEnded) -> None:
        self.read(ended)

    def read(self, view: Any) -> None:
        repr(view)
        for name in _TOLD[type(view)]:
            try:
                getattr(view, name)
            # A bot may fall over what makes no sense; it must not run away.
            except Exception:
                continue


def play_responses(data: bytes) -> None:
    """Have the SDK, with several bots, take what a made-up arena sends."""
    frames = []
    for one in unframed(data):
        with suppress(DecodeError):
            frames.append(play_pb2.PlayResponse.FromString(one))
    for bot_class in (Curious, Careful):
        reports: list[str] = []
        session = BotSession(
            bot_class,
            Profile(practice=True),
            clock=lambda: 0.0,
            report=reports.append,
        )
        session.hello()
        for frame in frames[:REQUESTS_MAX]:
            session.receive(frame)
            for request in iter(session.answer, None):
                request.SerializeToString()
        assert all(len(report) <= REPORT_LENGTH_MAX for report in reports)
