"""Answers that are refused: those to no open turn, and how many may wait."""

from arena.reports import Reports
from arena.running import AnswerMessage
from arena.session import LATE_A_SECOND, REJECTIONS_MAX, Rejection, Session
from arena.table import Reason, Refusal

STRAY_MAX = 100
"""Answers to turns that never were, in a minute, that end a session."""


def refuse_stray(
    session: Session, answer: AnswerMessage, reports: Reports, now: float
) -> None:
    """Refuse an answer that names no open turn; if it is late, it tells why."""
    turn_id = answer.turn_id
    if turn_id in session.missed:
        session.missed[turn_id].answer(
            think_ms=answer.think_ms,
            paused_ms=answer.paused_ms,
            before=session.answered_at,
            now=now,
        )
    is_known = 0 < turn_id <= session.turn_count
    if is_known and turn_id not in session.turns:
        refusal = Refusal(
            Reason.TOO_LATE, f"turn {turn_id} is closed; nothing was changed"
        )
        if session.late_answers.add(now):
            reports.end_stream(
                session,
                "TOO_MANY_REQUESTS",
                f"more than {LATE_A_SECOND} answers a second to closed turns",
            )
    else:
        refusal = Refusal(
            Reason.UNKNOWN_TURN, f"turn {turn_id} was never given to this session"
        )
        recent = [when for when in session.answers_rejected if when > now - 60]
        session.answers_rejected = [*recent, now]
        if len(recent) >= STRAY_MAX:
            reports.end_stream(
                session,
                "UNKNOWN_TURNS",
                f"{len(recent) + 1} answers in a minute to turns that never were",
            )
    add_rejection(session, Rejection(turn_id, "", refusal), reports)


def add_rejection(session: Session, rejection: Rejection, reports: Reports) -> None:
    """Count and queue a rejection; a bot that does not read them is ended."""
    reports.counts.rejections[rejection.refusal.reason.name.lower()] += 1
    if len(session.rejections) >= REJECTIONS_MAX:
        reports.end_stream(
            session, "TOO_MANY_REJECTIONS", "the bot does not read its rejections"
        )
        return
    session.rejections.append(rejection)
