"""Bots as programs at the far end of a link: good ones, bad ones, unlucky ones.

What a program answers follows from the turn alone, whenever and however often it is
asked; only its faults are drawn.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from hearts.arena.v1 import game_pb2, play_pb2
from tests.simulation.clockwork import Clockwork
from tests.simulation.door import Door, Link

KEEPALIVE_SECONDS = 15.0
"""After what time either end notices that the other is gone without a word."""
REDIAL_SECONDS = 0.5
FLOOD = 60
"""How many stray answers a flood has."""


@dataclass(frozen=True)
class Habits:
    """How a program behaves; chances are per turn."""

    think_seconds: float = 0.001
    latency: float = 0.0002
    workers: int = 1
    max_games: int = 8
    moon_choice: bool = True
    batches: bool = False
    """Whether answers wait for the last turn of their frame."""
    back_after: float = 0.1
    """Seconds from the end of a stream to the next."""
    half_open: float = 0.0
    """The chance that only one end hears of a break, and the other much later."""
    # What costs no answer as long as there is time enough.
    duplicate: float = 0.0
    stray: float = 0.0
    drop: float = 0.0
    takeover: float = 0.0
    """The chance that another process takes over; the first one speaks on."""
    stand: float = 0.0
    """The chance that the link stands still, for `stand_seconds`."""
    stand_seconds: float = 0.3
    # What costs answers.
    hasty: float = 0.0
    """The chance to answer a turn that was not asked yet."""
    illegal: float = 0.0
    silent: float = 0.0
    flood: float = 0.0
    hang: float = 0.0
    hang_seconds: float = 10.0
    leave: float = 0.0
    finish: float = 0.0
    """The chance to want no new games along with an answer, until the arena ends the
    stream; then it dials again."""
    unread: float = 0.0
    """The chance that the program stops reading, until its stream ends."""

    def calmed(self) -> "Habits":
        """Return the same without a fault."""
        quick = min(self.think_seconds, 0.05)
        return replace(
            Habits(),
            think_seconds=quick,
            latency=self.latency,
            workers=self.workers,
            max_games=self.max_games,
            moon_choice=self.moon_choice,
            batches=self.batches,
        )


class Program:
    """One instance of a bot; it dials until it is let in, and again after an end."""

    def __init__(
        self,
        name: str,
        instance: str,
        habits: Habits,
        *,
        clockwork: Clockwork,
        chance: random.Random,
        arena: Callable[[], Door | None],
        owner: str = "",
    ) -> None:
        self.name = name
        self.owner = owner
        self.instance = instance
        self.habits = habits
        self.clockwork = clockwork
        self.chance = chance
        self.arena = arena
        self.is_gone = False
        self.link: Link | None = None
        self.process = 0
        self.faults: dict[str, int] = {}
        self._inbox: list[game_pb2.Turn] = []
        self._busy = 0
        self._answers: list[play_pb2.Answer] = []

    def dial(self) -> None:
        """Connect, or try again a little later."""
        if self.is_gone or self.link is not None:
            return
        door = self.arena()
        if door is None or not door.is_alive:
            self.clockwork.after(REDIAL_SECONDS, self.dial)
            return
        link = self.link = Link(self.clockwork, self, self.habits.latency)
        hello = self._hello()

        def arrive() -> None:
            if door.is_alive:
                door.accept(link, hello)
            else:
                link.end("")

        self.clockwork.after(self.habits.latency, arrive)

    def die(self) -> None:
        """End like a killed process."""
        self.process += 1
        self._inbox.clear()
        self._answers.clear()
        self._busy = 0
        link, self.link = self.link, None
        if link is not None:
            link.hang_up()

    def renew(self, seconds: float) -> None:
        """Start afresh after a while, as another process that knows nothing."""
        self.clockwork.after(seconds, self.dial)

    def calm(self) -> None:
        """Begin anew as a program without faults."""
        self.habits = self.habits.calmed()
        self.is_gone = False
        self.die()
        self.dial()

    # What the link says

    def hear(self, link: Link, message: play_pb2.PlayResponse) -> None:
        """Take a message of the arena."""
        if link is not self.link:
            return
        if message.HasField("heartbeat"):
            beat = play_pb2.Heartbeat(id=message.heartbeat.id)
            link.to_arena(play_pb2.PlayRequest(heartbeat=beat))
        closed = {closing.turn_id for closing in message.closed}
        self._inbox = [turn for turn in self._inbox if turn.turn_id not in closed]
        self._inbox.extend(message.turns)
        self._work()

    def lose(self, link: Link, reason: str) -> None:
        """Dial again, unless another process has taken over."""
        if link is self.link:
            self.link = None
            self._inbox.clear()
            self._answers.clear()
            self.clockwork.after(self.habits.back_after, self.dial)

    # The rest is private.

    def _hello(self) -> play_pb2.Hello:
        hello = play_pb2.Hello(
            instance=self.instance,
            max_games=self.habits.max_games,
            workers=self.habits.workers,
        )
        hello.capabilities.presets.append("*")
        hello.capabilities.players.extend(range(3, 12))
        hello.capabilities.two_packs = True
        hello.capabilities.moon_choice = self.habits.moon_choice
        return hello

    def _happens(self, what: str, share: float) -> bool:
        if share and self.chance.random() < share:
            self.faults[what] = self.faults.get(what, 0) + 1
            self.clockwork.note(f"{self.name}{self.instance}: {what}")
            return True
        return False

    def _work(self) -> None:
        """Begin to think about waiting turns, as many as there are workers."""
        while self._inbox and self._busy < self.habits.workers:
            turn = self._inbox.pop(0)
            self._busy += 1
            seconds = self.habits.think_seconds
            if self._happens("hang", self.habits.hang):
                seconds = self.habits.hang_seconds
            place = (self.process, self.link)
            self.clockwork.after(seconds, lambda t=turn, p=place: self._thought(p, t))  # type: ignore[misc]
        self._flush()

    def _thought(self, place: tuple[int, Link | None], turn: game_pb2.Turn) -> None:
        process, link = place
        if process != self.process:
            return
        self._busy -= 1
        if link is self.link and link is not None:
            self._answer(link, turn)
        self._work()

    def _answer(self, link: Link, turn: game_pb2.Turn) -> None:
        """Answer, or do something else in its place."""
        habits = self.habits
        if self._happens("drop", habits.drop):
            self._break(link)
        elif self._happens("takeover", habits.takeover):
            self._take_over(link, turn)
        elif self._happens("leave", habits.leave):
            link.to_arena(play_pb2.PlayRequest(leave=play_pb2.Leave()))
            link.end("LEFT")
        elif self._happens("finish", habits.finish):
            finish = play_pb2.Leave(finish_games=True)
            link.to_arena(play_pb2.PlayRequest(leave=finish))
            self._send(link, turn)
        elif not self._happens("silent", habits.silent):
            if self._happens("unread", habits.unread):
                link.is_read = False
            if self._happens("stand", habits.stand):
                link.stand(habits.stand_seconds)
            self._send(link, turn)

    def _send(self, link: Link, turn: game_pb2.Turn) -> None:
        habits = self.habits
        answer = chosen(turn)
        if self._happens("illegal", habits.illegal):
            wrong: list[list[Any]] = [[], [53], [-1], [1, 52, 7], [*answer.cards] * 2]
            answer = play_pb2.Answer(
                turn_id=turn.turn_id, cards=self.chance.choice(wrong)
            )
        if self._happens("hasty", habits.hasty):
            for ahead in (1, 2):
                # No card that may be legal: were it asked already, it is a fault.
                self._answers.append(play_pb2.Answer(turn_id=turn.turn_id + ahead))
        self._answers.append(answer)
        if self._happens("duplicate", habits.duplicate):
            self._answers.append(answer)
        if self._happens("stray", habits.stray):
            self._answers.append(play_pb2.Answer(turn_id=turn.turn_id + 10**6))
        if self._happens("flood", habits.flood):
            self._answers += [play_pb2.Answer(turn_id=10**8 + n) for n in range(FLOOD)]

    def _flush(self) -> None:
        """Send the answers that wait for no others."""
        waits = self.habits.batches and self._inbox and len(self._answers) < 8
        if self._answers and not waits and self.link is not None:
            self.link.to_arena(play_pb2.PlayRequest(answers=self._answers))
            self._answers.clear()

    def _break(self, link: Link) -> None:
        """Break the stream for both ends, or for one of them first."""
        kind = ""
        if self._happens("half open", self.habits.half_open):
            kind = self.chance.choice(["arena learns late", "bot learns late"])
        if kind == "bot learns late":
            link.close()
            link.end("", seconds=KEEPALIVE_SECONDS)
            return
        link.hang_up(seconds=KEEPALIVE_SECONDS if kind else 0.0)
        self.lose(link, "")

    def _take_over(self, link: Link, turn: game_pb2.Turn) -> None:
        """Let another process of this instance connect, while this one speaks on."""
        self.process += 1
        self._inbox.clear()
        self._answers.clear()
        self._busy = 0
        self.link = None
        self.dial()
        ghost = chosen(turn)
        for seconds in (0.0, 0.01, 2.0):
            self.clockwork.after(
                seconds, lambda: link.to_arena(play_pb2.PlayRequest(answers=[ghost]))
            )


def chosen(turn: game_pb2.Turn) -> play_pb2.Answer:
    """Return the answer that follows from the cards of a turn."""
    mark = crc32(bytes([turn.kind, turn.deal_number & 255, *turn.hand, *turn.plays]))
    answer = play_pb2.Answer(turn_id=turn.turn_id)
    if turn.moon_choices:
        answer.moon_choice = turn.moon_choices[mark % len(turn.moon_choices)]
        return answer
    choices = turn.choices
    first = mark % len(choices)
    answer.cards.extend([*choices[first:], *choices[:first]][: turn.answer_count])
    return answer
