"""
One bot's side of the conversation with an arena: frames in, frames out, no IO.

`receive` takes what the arena sent. Then either `answer` asks the bots and gives
a request to send, again and again until there is none, or the caller does the
same in steps: `take` a turn, `choose` (in any thread), `settle`, and send what
`request` gives. Time is a function passed in, and what people should read goes
to another one.

There is one bot object for each game. Every turn carries all that its seat may
know, so nothing is replayed after a lost connection: open turns simply come
again, and one that was answered before gets the same answer.
"""

import traceback
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from hearts.answer import AnswerError, ask, failure_note
from hearts.arena.v1 import game_pb2, play_pb2
from hearts.bot import ChoosesCards
from hearts.game import DealEnded, GameEnded, GameStart
from hearts.news import closed_text, ended_text, rejected_text
from hearts.pace import Pace
from hearts.profile import Profile
from hearts.pulse import Pulse
from hearts.turn import Turn

FLUSH_SECONDS: Final = 0.001
"""How long a trusted bot's answers are collected while more turns wait."""

ANSWERS_MAX: Final = 64
"""The most answers in one request: with the longest remarks they are about 55 of the
64 KiB that a message may have. The protocol's own limit is 256."""

SEATS_MAX: Final = 104
"""More seats than cards there can't be; whoever says so has lists made for them."""

IDLE_SECONDS: Final = 0.05
"""So long after constructors and hooks a turn did not wait for them, but came later."""


class Game:
    """
    One game as the session keeps it: its start, its bot object, its last answer.
    """

    __slots__ = (
        "answer",
        "answered_id",
        "apart",
        "bot",
        "is_open",
        "is_stale",
        "later",
        "start",
        "taken_id",
    )

    def __init__(self, start: game_pb2.GameStart, bot: ChoosesCards) -> None:
        self.start = start
        self.bot = bot
        # The last turn that was answered, to answer it again in the same way.
        self.answered_id = 0
        self.answer: play_pb2.Answer | None = None
        # The turn that a worker is busy with, 0 when none is; what else arrives
        # for the game waits in `later`, since a bot object serves one caller.
        self.taken_id = 0
        self.later: list[game_pb2.Turn | play_pb2.Notice] = []
        # Seconds for which the turn that was taken waited for constructors and hooks.
        self.apart = 0.0
        self.is_stale = False
        # Until it ends, or an arena comes that does not know of it.
        self.is_open = True


_TURNS: Final = play_pb2.PlayResponse.TURNS_FIELD_NUMBER

Asked: TypeAlias = tuple[Turn, Game]
"""A turn taken from the session, with its game, to be settled with its answer."""


class Session:
    """
    The conversation of one bot class with an arena, over all its connections.

    Args:
        bot_class: Makes the bot object of a game when called without arguments.
        clock: Gives the time in seconds from any start.
        report: Is called with texts for people, without a line end.
        pulse: Measures how long the process stood still, if anything does.
    """

    def __init__(
        self,
        bot_class: Callable[[], ChoosesCards],
        profile: Profile,
        *,
        clock: Callable[[], float],
        report: Callable[[str], None],
        pulse: Pulse | None = None,
    ) -> None:
        self.profile = profile
        self.token = ""
        """The token to connect again with; empty when the first one stays good."""
        self.welcome: play_pb2.Welcome | None = None
        """What the arena said to the latest connection."""
        self.protocol_minor = 0
        """The protocol's minor version of the arena that was connected last."""
        self.draining: play_pb2.Draining | None = None
        """The arena's announcement that it goes away; None while it stays."""
        self._bot_class = bot_class
        self._clock = clock
        self._report = report
        self._games: dict[str, Game] = {}
        self._queue: deque[Asked] = deque()
        # What is to be sent next. Answers are made in it, since a message that is put
        # into another one is copied.
        self._request = play_pb2.PlayRequest()
        self._heartbeat: play_pb2.Heartbeat | None = None
        # Seconds in constructors and hooks that no answer has told yet, and their end.
        self._apart = 0.0
        self._apart_until = 0.0
        self._pace = Pace()
        self._pulse = pulse
        self._status = ""

    @property
    def game_count(self) -> int:
        """How many games the session plays."""
        return len(self._games)

    @property
    def has_more(self) -> bool:
        """Whether a turn waits to be taken, or anything to be sent."""
        return bool(self._queue or self._request.answers or self._heartbeat)

    def hello(self) -> play_pb2.PlayRequest:
        """
        The first request of a connection.

        What belonged to an earlier connection and was not sent is forgotten: the
        arena sends every open turn again.
        """
        self._queue.clear()
        self._request = play_pb2.PlayRequest()
        self._heartbeat = None
        self._apart = 0.0
        self.welcome = None
        self.draining = None
        return play_pb2.PlayRequest(hello=self.profile.hello())

    def receive(self, frame: play_pb2.PlayResponse) -> None:
        """
        Take in one message of the arena; its turns wait to be taken.
        """
        fields = frame.ListFields()
        if len(fields) == 1 and fields[0][0].number == _TURNS:
            # Nearly always; to ask for each of the other fields takes a while.
            self._receive_turns(fields[0][1])
            return
        began = self._clock()
        self._receive_any(frame)
        self._note_apart(began)

    def _receive_any(self, frame: play_pb2.PlayResponse) -> None:
        if frame.HasField("welcome"):
            self._receive_welcome(frame.welcome)
        for start in frame.starts:
            self._receive_start(start)
        for rejected in frame.rejections:
            self._report_news(rejected_text(rejected))
        for closed in frame.closed:
            self._receive_closed(closed)
        # A deal's end goes before the next deal's first turn, which may well
        # come in the same message.
        for notice in frame.notices:
            self._receive_notice(notice)
        self._receive_turns(frame.turns)
        if frame.HasField("heartbeat") and not self._is_begun(frame.closed):
            self._heartbeat = frame.heartbeat

    def _receive_turns(self, turns: Iterable[game_pb2.Turn]) -> None:
        games, queue = self._games, self._queue
        for message in turns:
            game = games.get(message.game_id)
            if game is not None and not game.taken_id:
                queue.append((Turn(message, game.start), game))
            else:
                self._receive_odd_turn(message, game)

    def answer(self) -> play_pb2.PlayRequest | None:
        """
        Ask the bots for about a millisecond; give what there is to send, if any.

        As long as a turn may well be slow, nothing waits for it: what is given
        must be sent before the next call.
        """
        if self._heartbeat is None and self._queue:
            now = self._clock()
            flush_time = now + FLUSH_SECONDS
            answers = self._request.answers
            while (asked := self.take()) is not None:
                if answers and self._pace.is_cautious:
                    self._put_back(asked)
                    break
                began, answer = now, answers.add()
                now = self._choose(asked, answer, began)
                if not self._note_answer(asked, answer):
                    del answers[-1]
                self._pace.note(now - began)
                if now >= flush_time or len(answers) >= ANSWERS_MAX:
                    break
        return self.request()

    def request(self) -> play_pb2.PlayRequest | None:
        """
        Give what there is to send by now, if anything.
        """
        request = self._request
        answers = request.answers
        if not answers and self._heartbeat is None:
            return None
        self._request = play_pb2.PlayRequest()
        if len(answers) > ANSWERS_MAX:
            self._request.answers.extend(answers[ANSWERS_MAX:])
            del answers[ANSWERS_MAX:]
        if self._heartbeat is not None:
            request.heartbeat.CopyFrom(self._heartbeat)
            self._heartbeat = None
        return request

    def take(self) -> Asked | None:
        """
        Take the oldest open turn, if there is one.
        """
        queue = self._queue
        while queue:
            asked = queue.popleft()
            turn, game = asked
            turn_id = turn.message.turn_id
            if turn_id != game.answered_id or game.answer is None:
                game.taken_id = turn_id
                if self._apart:
                    game.apart, self._apart = game.apart + self._apart, 0.0
                return asked
            self._request.answers.append(game.answer)
        return None

    def _put_back(self, asked: Asked) -> None:
        self._queue.appendleft(asked)
        asked[1].taken_id = 0

    def choose(self, asked: Asked) -> play_pb2.Answer:
        """
        Ask the bot of a taken turn. May be called from any thread.

        A bot that raises gives an answer without cards, so that the arena can
        play for it at once, with what it remarked; its traceback is reported.
        """
        answer = play_pb2.Answer()
        self._choose(asked, answer, self._clock())
        return answer

    def _choose(self, asked: Asked, answer: play_pb2.Answer, began: float) -> float:
        """
        Ask the bot of a turn, whose answer is empty yet; give what time it is.
        """
        turn, game = asked
        try:
            ask(game.bot, turn, answer)
        # The border to code that is not ours: whatever a bot raises costs it
        # this one answer, not its other games.
        except Exception as error:
            self._report_failure(f"{turn!r} failed")
            answer.Clear()
            answer.turn_id, answer.note = turn.id, failure_note(error, turn.remark)
        ended, pulse = self._clock(), self._pulse
        thought = ended - began
        if game.apart:
            if began - self._apart_until < IDLE_SECONDS:
                thought += game.apart
            game.apart = 0.0
        think_ms = int(thought * 1000)
        if think_ms:
            answer.think_ms = think_ms
        if pulse is not None and (ended > pulse.due or pulse.paused):
            answer.paused_ms = pulse.take_ms()
        return ended

    def settle(self, asked: Asked, answer: play_pb2.Answer) -> None:
        """
        Hand in the answer to a taken turn.

        It is sent even when the turn was closed meanwhile: the arena then knows
        that the bot is back at work.
        """
        if self._note_answer(asked, answer):
            self._request.answers.append(answer)

    def _note_answer(self, asked: Asked, answer: play_pb2.Answer) -> bool:
        """
        Go on with the game of an answered turn; tell whether to send the answer.
        """
        _, game = asked
        game.answered_id = game.taken_id
        game.taken_id = 0
        game.answer = answer
        # Before its welcome a connection wants no answers, and an arena that
        # does not know the game never does.
        is_wanted = game.is_open and self.welcome is not None
        if game.later:
            began = self._clock()
            self._receive_later(game)
            self._note_apart(began)
        return is_wanted

    def _note_apart(self, began: float) -> None:
        """
        Keep what was no turn's: constructors and hooks are on the clock of the next.
        """
        if began - self._apart_until >= IDLE_SECONDS:
            self._apart = 0.0
        self._apart_until = now = self._clock()
        self._apart += now - began

    def _receive_welcome(self, welcome: play_pb2.Welcome) -> None:
        self.welcome = welcome
        self.protocol_minor = welcome.protocol_minor
        self.token = welcome.token or self.token
        if not welcome.games_resumed:
            # This arena holds none of our games, so objects of the same names
            # would be others.
            for game_id in list(self._games):
                self._drop(game_id)
            return
        for game_id, game in list(self._games.items()):
            if game.is_stale:
                self._drop(game_id)
            # It stays stale until the arena says that the game goes on.
            game.is_stale = True

    def _receive_start(self, start: game_pb2.GameStart) -> None:
        if not start.seat < start.players <= SEATS_MAX:
            self._report(
                f"game {start.game_id} is skipped: the arena says that it is for"
                f" {start.players} seats, and this is seat {start.seat}"
            )
            return
        game = self._games.get(start.game_id)
        if game is not None:
            game.start = start
            game.is_stale = False
            return
        try:
            bot = self._bot_class()
        except Exception as error:  # A border like that of `choose`.
            self._report_failure(f"{start.game_id}: the bot could not be made")
            bot = _NoBot(error)
        game = self._games[start.game_id] = Game(start, bot)
        if self._pulse is not None:
            self._pulse.wake()
        self._call(game, "game_started", GameStart(start))

    def _drop(self, game_id: str) -> None:
        self._games.pop(game_id).is_open = False
        if self._pulse is not None and not self._games:
            self._pulse.rest()

    def _receive_odd_turn(self, message: game_pb2.Turn, game: Game | None) -> None:
        if game is None:
            self._report(
                f"turn {message.turn_id} of {message.game_id} is skipped: the arena"
                " did not say how that game starts"
            )
        elif game.taken_id != message.turn_id:
            game.later.append(message)

    def _receive_later(self, game: Game) -> None:
        later, game.later = game.later, []
        for message in later:
            if isinstance(message, game_pb2.Turn):
                self._queue.append((Turn(message, game.start), game))
            else:
                self._receive_notice(message)

    def _receive_closed(self, closed: play_pb2.TurnClosed) -> None:
        self._queue = deque(
            (turn, game)
            for turn, game in self._queue
            if turn.message.turn_id != closed.turn_id
        )
        game = self._games.get(closed.game_id)
        if game is not None:
            game.later = [
                message
                for message in game.later
                if not isinstance(message, game_pb2.Turn)
                or message.turn_id != closed.turn_id
            ]
        self._report_news(closed_text(closed))

    def _is_begun(self, closings: Iterable[play_pb2.TurnClosed]) -> bool:
        """
        Whether a worker is busy with a closed turn: its late answer says more than
        a heartbeat, which would have the arena hand over the next turn meanwhile.
        """
        return any(
            game.taken_id == closed.turn_id
            for closed in closings
            if (game := self._games.get(closed.game_id)) is not None
        )

    def _receive_notice(self, notice: play_pb2.Notice) -> None:
        kind = notice.WhichOneof("kind")
        if kind == "status":
            if notice.status.message != self._status:
                self._status = notice.status.message
                self._report(self._status)
        elif kind == "draining":
            self.draining = notice.draining
        elif kind in ("deal_ended", "game_ended"):
            self._receive_end(notice)
        # Other kinds are of a newer protocol and may be ignored.

    def _receive_end(self, notice: play_pb2.Notice) -> None:
        is_game = notice.HasField("game_ended")
        end = notice.game_ended if is_game else notice.deal_ended
        game = self._games.get(end.game_id)
        if game is None:
            return
        if game.taken_id:
            game.later.append(notice)
        elif is_game:
            self._drop(end.game_id)
            self._queue = deque(asked for asked in self._queue if asked[1] is not game)
            ended = GameEnded(notice.game_ended)
            # Nobody else tells of it: practice has neither standings nor records.
            if self.profile.practice:
                self._report(ended_text(ended, seat=game.start.seat))
            self._call(game, "game_ended", ended)
        else:
            self._call(game, "deal_ended", DealEnded(notice.deal_ended))

    def _call(self, game: Game, name: str, news: object) -> None:
        method = getattr(game.bot, name, None)
        if method is None:
            return
        try:
            method(news)
        except Exception:  # A border like that of `choose`.
            self._report_failure(f"{game.start.game_id}: {name} failed")

    def _report_news(self, text: str) -> None:
        if text:
            self._report(text)

    def _report_failure(self, text: str) -> None:
        self._report(f"{text}\n{traceback.format_exc().rstrip()}")


class _NoBot:
    """
    Stands where a bot object could not be made; each of its answers fails.
    """

    def __init__(self, error: Exception) -> None:
        self._error = error

    def choose_card(self, turn: Turn) -> int:
        raise AnswerError("the bot could not be made") from self._error

    choose_pass = choose_moon = choose_card
