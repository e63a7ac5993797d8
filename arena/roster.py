"""The roster: which sessions there are, and which of them a game can have."""

from arena.counters import Counters
from arena.introduction import Introduction
from arena.presence import Move, move_of
from arena.session import Session
from arena.spec import GameSpec, SeatSpec


class Roster:
    """All sessions, by what a stream must share to take one over, and by bot."""

    __slots__ = ("_counts", "_moved", "bots", "count", "sessions")

    def __init__(self, counts: Counters) -> None:
        self._counts = counts
        self.sessions: dict[tuple[str, str, str, bool], Session] = {}
        self.bots: dict[str, list[Session]] = {}
        self.count = 0
        self._moved: dict[str, None] = {}

    def open(self, introduction: Introduction) -> Session:
        """Return the session of an introduction; a new one when there is none."""
        session = self.sessions.get(introduction.key)
        if session is None:
            self.count += 1
            session = Session(f"s{self.count}", introduction, self._moved)
            session.desk.charges = self._counts.bot_time
            self.sessions[introduction.key] = session
            self.bots.setdefault(introduction.bot, []).append(session)
        return session

    def forget_if_idle(self, session: Session) -> bool:
        """Forget a session that is gone and has no game; tell whether it was."""
        if session.is_connected or session.seats:
            return False
        if self.sessions.get(session.introduction.key) is session:
            del self.sessions[session.introduction.key]
            sessions = self.bots[session.bot]
            sessions.remove(session)
            if not sessions:
                del self.bots[session.bot]
        session.timer = float("inf")
        return True

    def take_moves(self) -> list[Move]:
        """Return how the bots are present of which that may have changed.

        An arena may have very many bots, so that looking at all of them whenever one
        comes or a game ends would cost more than the games.
        """
        moved = list(self._moved)
        self._moved.clear()
        return [move_of(bot, self.bots.get(bot, ())) for bot in moved]

    def with_room(self, seat: SeatSpec, spec: GameSpec) -> Session | None:
        """Return the session with most room for a seat; practice goes to practice."""
        free = [
            session
            for session in self.bots.get(seat.bot, ())
            if session.is_connected
            and session.free_games > 0
            and (not seat.is_pinned or session.introduction.version == seat.version)
            and not session.introduction.refusal(spec.rules)
            and session.introduction.practice <= spec.practice
        ]
        return max(
            free,
            key=lambda session: (session.introduction.practice, session.free_games),
            default=None,
        )

    def absence(self, seat: SeatSpec, spec: GameSpec) -> str:
        """Say why a bot can't be seated."""
        bot = seat.bot
        for session in self.bots.get(bot, ()):
            if reason := session.introduction.refusal(spec.rules):
                return f"{bot} {reason}"
        which = f"version {seat.version} of {bot}" if seat.is_pinned else bot
        return f"{which} is not connected or has no free place"
