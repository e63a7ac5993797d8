"""A simulated network and simulated bots around the real host.

One seed decides everything. The clock is virtual: nothing here sleeps, and the
host is told the time as in production. Frames pass through the real wire, so a
bot sees exactly the messages that a bot over the network would see.
"""

import heapq
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from arena import wire
from arena.disturbance import LAG, SLEEP, Disturbance
from arena.host import Host
from arena.introduction import Introduction
from arena.reports import LEFT
from arena.rules import preset
from arena.session import Session
from arena.spec import GameSpec, SeatSpec, TimeControl
from arena.substitution import substitute
from arena.table import Table
from arena.timekeeper import STAND_STILL_SECONDS
from arena.view import StandIn
from hearts.arena.v1 import game_pb2, play_pb2

WRITE_SECONDS = 0.0001
READ_SECONDS = 0.02
"""How long an arena that stood still needs to read what has arrived."""
STAND_INS: dict[str, StandIn] = {"careful-1": substitute}


@dataclass
class Behaviour:
    """How a simulated bot behaves; all chances are per turn."""

    think_seconds: float = 0.001
    workers: int = 1
    max_games: int = 64
    moon_choice: bool = False
    """Whether the bot chooses itself how its moons and suns score."""
    latency: float = 0.0002
    illegal: float = 0.0
    silent: float = 0.0
    duplicate: float = 0.0
    foreign: float = 0.0
    drop: float = 0.0
    """The chance to lose the stream in place of answering."""
    takeover: float = 0.0
    """The chance that another process takes over in place of an answer."""
    crashes: bool = False
    """Whether the process dies with its stream, and another one comes back."""
    back_after: float = 0.5
    """Seconds from a lost stream to the next; negative means never."""
    hang_at: float = float("inf")
    """When the bot stops answering for `hang_seconds`."""
    hang_seconds: float = 0.0
    echoes_early: bool = False
    """Whether heartbeats go back while the bot is at work on a turn that is closed."""
    freeze_at: float = float("inf")
    """When the process stops for `freeze_seconds`; what comes meanwhile is read in
    one go, so that a turn which is closed by then is never begun."""
    freeze_seconds: float = 0.0
    deaf_at: float = float("inf")
    """From when on nothing is read, so that no frame leaves the arena, for
    `deaf_seconds`; the bot still says what it has to say."""
    deaf_seconds: float = 0.0
    is_started: bool = False
    """Whether it is a program that the arena itself has started."""
    leave_at: float = float("inf")
    """When the bot says that it leaves, and never comes back."""
    finish_at: float = float("inf")
    """When it says that it wants no more games than it has, and is to be ended."""

    def deafness(self, now: float) -> float:
        """Return how long a frame of `now` is not read, in seconds."""
        hears_at = self.deaf_at + self.deaf_seconds
        return hears_at - now if self.deaf_at <= now < hears_at else 0.0


@dataclass
class SimulatedBot:
    """A program at the other end of the simulated network."""

    name: str
    behaviour: Behaviour
    session: Session | None = None
    stream: int = 0
    process: int = 0
    inbox: list[game_pb2.Turn] = field(default_factory=list)
    busy: int = 0
    begun: set[int] = field(default_factory=set)
    echoes_held: list[int] = field(default_factory=list)
    unread: list[tuple[int, play_pb2.PlayResponse]] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    messages: list[play_pb2.PlayResponse] = field(default_factory=list)

    def restart(self) -> None:
        """Become another process, which knows nothing of what the last one did."""
        self.process += 1
        self.busy = 0
        self.begun.clear()
        self.echoes_held.clear()
        self.unread.clear()


class Simulator:
    """Steps events of bots, network and host on one virtual clock."""

    def __init__(
        self,
        seed: int,
        *,
        keep_messages: bool = False,
        stand_ins: Mapping[str, StandIn] = STAND_INS,
    ) -> None:
        self.random = random.Random(seed)
        self.now = 1000.0
        self.host = Host(stand_ins)
        self.bots: dict[str, SimulatedBot] = {}
        self.finished: list[Table] = []
        self.failures: list[str] = []
        self.keep_messages = keep_messages
        self.awake_at = float("-inf")
        """Until when the arena stands still."""
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0

    def add_bot(self, name: str, behaviour: Behaviour | None = None) -> SimulatedBot:
        """Add a bot and connect it."""
        bot = SimulatedBot(name, behaviour or Behaviour())
        self.bots[name] = bot
        self.connect(bot)
        if bot.behaviour.leave_at < float("inf"):
            self.after(bot.behaviour.leave_at - self.now, lambda: self.leave(bot))
        if bot.behaviour.finish_at < float("inf"):
            self.after(bot.behaviour.finish_at - self.now, lambda: self.finish(bot))
        return bot

    def connect(self, bot: SimulatedBot) -> None:
        """Open a new stream for a bot."""
        behaviour = bot.behaviour
        introduction = Introduction(
            bot.name,
            workers=behaviour.workers,
            max_games=behaviour.max_games,
            presets=("*",),
            players=tuple(range(3, 12)),
            two_packs=True,
            moon_choice=behaviour.moon_choice,
            is_finishing=self.now >= behaviour.finish_at,
            is_started=behaviour.is_started,
        )

        def arrive() -> None:
            bot.session = self.host.connect(introduction, now=self.now)
            bot.stream = bot.session.stream
            bot.inbox.clear()
            self.flush()

        self._at_arena(arrive)

    def _at_arena(self, call: Callable[[], None]) -> None:
        """Do what the arena has to do for; if it stands still, when it goes on."""
        if self.now < self.awake_at:
            wait = self.awake_at - self.now + READ_SECONDS
            self.after(wait, lambda: self._at_arena(call))
        else:
            call()

    def stand_still(self, seconds: float) -> None:
        """Let the arena stand still for a while, and nobody else."""
        if self.now < self.awake_at:
            return
        self.awake_at = self.now + seconds
        self.after(seconds, lambda: self._wake(seconds))

    def _wake(self, seconds: float) -> None:
        """Go on as the edge does: what is late is looked at before all is read."""
        if seconds > STAND_STILL_SECONDS:
            self.host.disturb(Disturbance(LAG, seconds, seconds), now=self.now)
        else:
            self.host.hand_back(seconds, now=self.now)
        self.host.expire(now=self.now)

    def sleep(self, seconds: float) -> None:
        """Let the arena's machine have slept: no clock ran, and lines may be dead."""
        if self.now >= self.awake_at:
            self.host.disturb(Disturbance(SLEEP, seconds), now=self.now)
            self.flush()

    def take_over(self, bot: SimulatedBot) -> None:
        """Let another process connect as the same bot, whose stream still stands."""
        bot.restart()
        self.connect(bot)

    def lose(self, bot: SimulatedBot) -> None:
        """Break a bot's stream."""
        assert bot.session is not None
        if bot.behaviour.crashes:
            bot.restart()
        session, stream = bot.session, bot.stream
        self._at_arena(lambda: self.host.disconnect(session, stream, now=self.now))
        bot.stream = -1
        bot.inbox.clear()
        if bot.behaviour.back_after >= 0:
            self.after(bot.behaviour.back_after, lambda: self.connect(bot))
        self.flush()

    def leave(self, bot: SimulatedBot) -> None:
        """Let a bot say that it leaves for good, if it is connected."""
        if bot.session is not None and bot.stream >= 0:
            session, stream = bot.session, bot.stream
            self._at_arena(lambda: self.host.leave(session, stream, now=self.now))
            bot.stream = -1
            bot.inbox.clear()
            self.flush()

    def finish(self, bot: SimulatedBot) -> None:
        """Let a bot say that it wants no new games, if it is connected."""
        if bot.session is not None and bot.stream >= 0:
            session, stream = bot.session, bot.stream
            self._at_arena(lambda: self.host.finish(session, stream, now=self.now))
            self.flush()

    def play(self, game_id: str, bots: list[str], **options: object) -> None:
        """Start a game."""
        spec = GameSpec(
            game_id=game_id,
            rules=options.get("rules") or preset("arena"),  # type: ignore[arg-type]
            seats=tuple(SeatSpec(name) for name in bots),
            sequence_seed=self.random.randbytes(32),
            time_control=options.get("time_control", TimeControl()),  # type: ignore[arg-type]
            given_up=options.get("given_up", frozenset()),  # type: ignore[arg-type]
            faults_max=options.get("faults_max", 3),  # type: ignore[arg-type]
        )
        self.host.start_game(spec, now=self.now)
        self.flush()

    def after(self, seconds: float, call: Callable[[], None]) -> None:
        """Have something happen later."""
        self._count += 1
        heapq.heappush(self._events, (self.now + seconds, self._count, call))

    def run(self, *, until: float = float("inf")) -> None:
        """Step until nothing is left to happen, or the virtual time is over."""
        while True:
            deadline = max(self.host.next_deadline(), self.awake_at)
            event = self._events[0][0] if self._events else float("inf")
            when = min(deadline, event)
            if when == float("inf") or when > until:
                return
            self.now = max(self.now, when)
            if event <= deadline:
                heapq.heappop(self._events)[2]()
            else:
                self.host.expire(now=self.now)
            self.flush()

    def flush(self) -> None:
        """Send what the host has, and keep what it reports."""
        if self.now < self.awake_at:
            return
        for session in self.host.take_ready():
            frame = self.host.take(session, now=self.now)
            if frame is None:
                continue
            sent = wire.encode_frame(frame, arena="simulated")
            message = play_pb2.PlayResponse.FromString(sent)
            stream, bot = session.stream, self.bots[session.bot]
            wait = bot.behaviour.deafness(self.now)
            if wait == float("inf"):
                continue
            self.after(
                wait + WRITE_SECONDS,
                lambda s=session, n=stream, f=frame: self._at_arena(  # type: ignore[misc]
                    lambda: self.host.sent(s, n, f, now=self.now)
                ),
            )
            self.after(
                wait + bot.behaviour.latency,
                lambda b=bot, n=stream, m=message: self._deliver(b, n, m),  # type: ignore[misc]
            )
        for ended in self.host.take_ended():
            bot = self.bots[ended.session.bot]
            bot.seen[ended.reason] += 1
            if ended.reason == LEFT:
                self.host.disconnect(ended.session, ended.stream, now=self.now)
                # Behind its last frame, which is under way.
                self.after(
                    bot.behaviour.latency,
                    lambda b=bot, n=ended.stream: self._end(b, n),  # type: ignore[misc]
                )
                continue
            if bot.stream == ended.stream and ended.reason != "TAKEN_OVER":
                self.lose(bot)
        self.finished += self.host.take_finished()
        self.failures += self.host.take_failures()

    def faults(self) -> Counter[tuple[str, str]]:
        """Count the faults of all finished games by bot and kind."""
        return Counter(
            (table.spec.seats[fault.seat].bot, fault.kind)
            for table in self.finished
            for fault in table.faults
        )

    # The bots' side of the network.

    def _end(self, bot: SimulatedBot, stream: int) -> None:
        if bot.stream == stream:
            bot.stream = -1

    def _deliver(
        self, bot: SimulatedBot, stream: int, message: play_pb2.PlayResponse
    ) -> None:
        behaviour = bot.behaviour
        thaws_at = behaviour.freeze_at + behaviour.freeze_seconds
        if behaviour.freeze_at <= self.now < thaws_at:
            if not bot.unread:
                self.after(thaws_at - self.now, lambda: self._thaw(bot))
            bot.unread.append((stream, message))
        else:
            self._take_in(bot, stream, message)
            self._work(bot)

    def _thaw(self, bot: SimulatedBot) -> None:
        """Read all that has come while the process was stopped, then work."""
        unread, bot.unread = bot.unread, []
        for stream, message in unread:
            self._take_in(bot, stream, message)
        self._work(bot)

    def _take_in(
        self, bot: SimulatedBot, stream: int, message: play_pb2.PlayResponse
    ) -> None:
        if bot.stream != stream:
            return
        if self.keep_messages:
            bot.messages.append(message)
        closed = {closing.turn_id for closing in message.closed}
        if message.HasField("heartbeat"):
            if closed & bot.begun and not bot.behaviour.echoes_early:
                bot.echoes_held.append(message.heartbeat.id)
            else:
                self._echo(bot, stream, message.heartbeat.id)
        bot.inbox = [turn for turn in bot.inbox if turn.turn_id not in closed]
        bot.inbox.extend(message.turns)
        bot.seen["turns"] += len(message.turns)
        bot.seen["rejections"] += len(message.rejections)
        bot.seen["closed"] += len(closed)

    def _echo(self, bot: SimulatedBot, stream: int, beat: int) -> None:
        self.after(bot.behaviour.latency, lambda: self._heard(bot, stream, beat))

    def _heard(self, bot: SimulatedBot, stream: int, beat: int) -> None:
        def arrive() -> None:
            if bot.stream == stream and bot.session is not None:
                self.host.heard(bot.session, beat, now=self.now)

        self._at_arena(arrive)

    def _work(self, bot: SimulatedBot) -> None:
        """Begin to think about waiting turns, as many as there are workers."""
        while bot.inbox and bot.busy < bot.behaviour.workers:
            turn = bot.inbox.pop(0)
            bot.busy += 1
            bot.begun.add(turn.turn_id)
            behaviour = bot.behaviour
            seconds = behaviour.think_seconds
            if self.now >= behaviour.hang_at:
                behaviour.hang_at = float("inf")
                seconds = behaviour.hang_seconds
            place = (bot.process, bot.stream)
            self.after(
                seconds,
                lambda t=turn, p=place: self._thought(bot, p, t),  # type: ignore[misc]
            )

    def _thought(
        self, bot: SimulatedBot, place: tuple[int, int], turn: game_pb2.Turn
    ) -> None:
        process, stream = place
        if bot.process != process:
            return
        bot.busy -= 1
        bot.begun.discard(turn.turn_id)
        for beat in bot.echoes_held:
            self._echo(bot, stream, beat)
        bot.echoes_held.clear()
        behaviour, chance = bot.behaviour, self.random.random()
        if bot.stream == stream:
            if chance < behaviour.drop:
                self.lose(bot)
            elif chance < behaviour.drop + behaviour.silent:
                pass
            elif self.random.random() < behaviour.takeover:
                self.take_over(bot)
            else:
                answers = self._answers(bot, turn)
                self.after(
                    behaviour.latency, lambda: self._arrive(bot, stream, answers)
                )
        self._work(bot)

    def _answers(self, bot: SimulatedBot, turn: game_pb2.Turn) -> list[play_pb2.Answer]:
        behaviour = bot.behaviour
        choices = list(turn.choices)
        cards: list[Any] = self.random.sample(
            choices, min(len(choices), turn.answer_count)
        )
        if self.random.random() < behaviour.illegal:
            cards = self.random.choice([[], [53], [-1], [*cards, *cards], [1, 52, 7]])
        answer = play_pb2.Answer(turn_id=turn.turn_id, cards=cards)
        if turn.moon_choices:
            answer.moon_choice = self.random.choice(turn.moon_choices)
        answers = [answer]
        if self.random.random() < behaviour.duplicate:
            answers.append(answer)
        if self.random.random() < behaviour.foreign:
            answers.append(play_pb2.Answer(turn_id=turn.turn_id + 10**6))
        return answers

    def _arrive(
        self, bot: SimulatedBot, stream: int, answers: list[play_pb2.Answer]
    ) -> None:
        def arrive() -> None:
            if bot.stream == stream and bot.session is not None:
                self.host.receive(bot.session, answers, now=self.now)
                self.flush()

        self._at_arena(arrive)
