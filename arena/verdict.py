"""Why an answer was a fault: the verdict, in a word, and in words with its figures.

`bot` means that the bot was at work or silent though it could be reached, `link`
that the network took longer than is allowed, `unreachable` that there was no sign of
life (a stopped process and a dead link look alike), and `unknown` that the record
does not tell. The arena's own time is never charged, so that no fault is its own;
`time_handed_back` says how much it was.

What a bot says of itself can explain and never excuse: a fault stays a fault.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from arena.causes import fault_cause
from arena.claims import Claims, claims_of, quick_ms
from arena.missed import Missed
from arena.record import Fault, Record

__all__ = [
    "KINDS",
    "UNKNOWN",
    "TimeHandedBack",
    "Verdict",
    "time_handed_back",
    "verdicts",
]

BOT, LINK, UNREACHABLE, UNKNOWN = KINDS = ("bot", "link", "unreachable", "unknown")
"""All verdicts that a fault can have."""

_UNTOLD: Final = "by its own word it thought less than 1 ms, or it does not say"
_TRACEBACK: Final = "the traceback is in its own output, or its program's log"
_ALIKE: Final = "a stopped process and a dead link look alike"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whose the time was, or the mistake."""

    kind: str
    """One of `KINDS`."""
    words: str


@dataclass(frozen=True, slots=True)
class TimeHandedBack:
    """What the arena itself lost of the time of bots, and did not charge."""

    turns: int
    """In how many turns."""
    ms: int
    """In all of them."""
    most_ms: int
    """In one of them at most."""


def time_handed_back(records: Iterable[Record]) -> TimeHandedBack:
    """Return what was handed back in all turns of some games."""
    times = [
        turn[5]
        for record in records
        for deal in record.times.turns
        for turn in deal
        if len(turn) > 5 and turn[5]
    ]
    return TimeHandedBack(len(times), sum(times), max(times, default=0))


def verdicts(record: Record) -> Iterator[tuple[Fault, Verdict]]:
    """Yield the faults of a game in the order of deals and tricks, each explained."""
    known = {(item.deal, item.trick, item.seat): item for item in record.times.missed}
    notes = {(note.deal, note.trick, note.seat): note.text for note in record.notes}
    for fault in sorted(record.faults, key=lambda fault: (fault.deal, fault.trick)):
        missed = known.get((fault.deal, fault.trick, fault.seat))
        limit = record.time_control.turn_limit_ms
        verdict = verdict_of(fault, missed, turn_limit_ms=limit)
        place = (fault.deal, fault.trick, fault.seat)
        if fault.kind == "illegal" and not fault.offered and place in notes:
            verdict = Verdict(
                verdict.kind, f'{verdict.words}; it notes "{notes[place]}"'
            )
        yield fault, verdict


def verdict_of(
    fault: Fault, missed: Missed | None, *, turn_limit_ms: int = 0
) -> Verdict:
    """Explain one fault, with what is known of it where it was a matter of time.

    Args:
        turn_limit_ms: The limit of all turns, to tell what was added; 0 if unknown.
    """
    cause = fault_cause(kind=fault.kind, reason=fault.reason, offered=fault.offered)
    if fault.kind not in ("late", "away"):
        if not fault.offered and fault.reason == "wrong_count":
            return Verdict(BOT, f"{cause}; {_TRACEBACK}")
        offered = f": {fault.offered}" if fault.offered else ""
        return Verdict(BOT, f"{cause}{offered}")
    if missed is None:
        return Verdict(UNKNOWN, f"{cause}; the record does not say more")
    if fault.kind == "away":
        return Verdict(UNREACHABLE, _away_words(missed))
    verdict = _late(missed)
    words = _not_charged(missed, turn_limit_ms, is_silence=verdict.kind == UNREACHABLE)
    return Verdict(verdict.kind, verdict.words + words)


def _not_charged(missed: Missed, turn_limit_ms: int, *, is_silence: bool) -> str:
    """Say what the bot had beyond the turn's limit, so that the figures add up.

    Args:
        is_silence: Whether the figures before are those of a silence, which has
            all of the time in it.
    """
    words = ""
    added = missed.limit_ms - turn_limit_ms
    if turn_limit_ms and added > 0:
        # After a lost connection at least the increment is left.
        cause = "" if missed.losses else ", for the arena to read what had arrived"
        words += (
            f"; these {_time(missed.limit_ms)} are the turn's {_time(turn_limit_ms)} "
            f"and {_time(added)} that were added{cause}"
        )
    if missed.returned_ms:
        words += f"; {_time(missed.returned_ms)} of the arena's own were handed back"
        if missed.answered_ms is not None and not is_silence:
            words += (
                " besides, and the answer came "
                f"{_time(missed.answered_ms)} after all that"
            )
    return words


def _away_words(missed: Missed) -> str:
    count = missed.losses
    times = "once" if count == 1 else f"{count} times"
    return (
        f"its connection was lost {times} and gone for {_time(missed.away_ms)} in all, "
        "more than its time for that"
    )


def _late(missed: Missed) -> Verdict:
    limit = _time(missed.limit_ms)
    silent = _time(missed.charged_ms + missed.refunded_ms + missed.silent_ms)
    match missed.end:
        case "answered":
            return _answered(missed)
        case "heard":
            return _heard(missed)
        case "lost":
            words = f"nothing was heard of it for {silent}, then its connection was"
            return Verdict(UNREACHABLE, f"{words} lost; {_ALIKE}")
        case "stalled":
            words = f"its connection lived, but it said nothing for {silent}"
            return Verdict(BOT, f"{words}, though it had {limit}")
        case _:
            return _by_pause(missed, missed.silent_ms) or _open(missed)


def _open(missed: Missed) -> Verdict:
    """Judge a bot that had not spoken again when the game was over."""
    limit, later = _time(missed.limit_ms), _time(missed.silent_ms)
    words = f"nothing was heard of it in its {limit}, and {later} later the"
    return Verdict(UNKNOWN, f"{words} game was over")


def _heard(missed: Missed) -> Verdict:
    """Judge a bot that spoke again and never answered the turn."""
    if missed.silent_ms <= quick_ms(missed):
        return Verdict(
            BOT,
            f"it could be reached and was heard of {_time(missed.silent_ms)} after its "
            f"{_time(missed.limit_ms)} were over, but never answered this turn",
        )
    if told := _by_pause(missed, missed.silent_ms):
        return told
    silent = _time(missed.charged_ms + missed.refunded_ms + missed.silent_ms)
    return Verdict(
        UNREACHABLE,
        f"nothing was heard of it for {silent}, and it never answered this turn; "
        f"{_ALIKE}",
    )


def _by_pause(missed: Missed, later_ms: int) -> Verdict | None:
    """Judge a silence without an answer by a pause, if one is known."""
    if missed.paused_ms is None:
        return None
    claims = claims_of(missed)
    took = missed.charged_ms + missed.refunded_ms + later_ms
    if _is_for_pause(missed, claims, took):
        return Verdict(UNREACHABLE, _paused_words(claims))
    return Verdict(
        BOT,
        f"it did not answer for {_time(took)}, though it had {_time(missed.limit_ms)}"
        f"{_also_paused(missed, claims)}",
    )


def _is_for_pause(missed: Missed, claims: Claims, took: int) -> bool:
    """Tell whether a pause is why a turn was late: the larger share counts.

    It is when the bot would have been in time without it, or when it is most of the
    time. Of what the arena measured and what the bot itself did, the longer one counts:
    what was handed back is in the bot's own time only.
    """
    paused = claims.paused_ms
    took = max(took, claims.thought_ms)
    in_time = took - paused <= missed.limit_ms + missed.allowance_ms
    return paused > 0 and (in_time or 2 * paused >= took)


def _paused_words(claims: Claims) -> str:
    paused = _time(claims.paused_ms)
    still = "all that time" if claims.is_paused_all else f"for {paused}"
    return (
        f"nothing was heard of it for {_time(claims.silence_ms)}, and by its own clock "
        f"its process stood still {still}, as one does that is stopped, asleep or "
        "swapped out"
    )


def _also_paused(missed: Missed, claims: Claims) -> str:
    if claims.is_pause_refuted:
        return (
            "; it says that its process stood still for longer than it was silent, but "
            f"it was heard of {_time(missed.silent_ms)} after its time was over"
        )
    if not claims.paused_ms:
        return ""
    return f"; its process stood still for only {_time(claims.paused_ms)} of that"


def _answered(missed: Missed) -> Verdict:
    """Judge an answer that came after all."""
    assert missed.answered_ms is not None
    claims = claims_of(missed)
    took = missed.charged_ms + missed.refunded_ms + missed.answered_ms
    if _is_for_pause(missed, claims, took):
        return Verdict(UNREACHABLE, _paused_words(claims))
    verdict = _at_work(missed, claims, took)
    return Verdict(verdict.kind, verdict.words + _also_paused(missed, claims))


def _at_work(missed: Missed, claims: Claims, took: int) -> Verdict:
    """Judge a late answer that no pause explains."""
    thought, limit = claims.thought_ms, missed.limit_ms
    trip = _round_trip(missed, thought, took)
    word = f"its own clock says {_time(thought)}" if thought else _UNTOLD
    answer = f"its answer took {_time(took)} of the {_time(limit)} it had"
    if claims.is_thought_all:
        return Verdict(
            BOT, f"it was thinking: {answer}, and by its own word it thought all along"
        )
    if thought > limit:
        return Verdict(BOT, f"it was thinking: {word} of the {_time(limit)} it had")
    if trip is not None and trip > missed.allowance_ms:
        if took - thought - trip <= max(trip, limit):
            itself = f"the bot itself thought {_time(thought)}" if thought else word
            return Verdict(
                LINK,
                f"the link: a round trip of {_time(trip)}, of which "
                f"{_time(missed.allowance_ms)} are allowed; {itself}",
            )
    elif not thought and _is_echo_late(missed):
        return Verdict(
            UNKNOWN,
            f"{answer}; {word}; a heartbeat came back after "
            f"{_time(missed.echoed_ms or 0)}, be it for the link or behind other work",
        )
    if trip is None:
        return Verdict(UNKNOWN, f"{answer}; {word}, and no round trip was measured")
    return Verdict(
        BOT, f"{answer}; {word}, but a round trip of {_time(trip)} can't be the reason"
    )


def _round_trip(missed: Missed, thought: int, took: int) -> int | None:
    """Return the round trip as far as it was measured at that time.

    The heartbeat that went out with the closing measures it too, unless the bot may
    have been at work when that arrived: on this turn, or on what came after it, such
    as the start of another game.
    """
    trip, echoed = missed.round_trip_ms, missed.echoed_ms
    if echoed is None or missed.answered_ms is None:
        return trip
    if _is_echo_late(missed):
        # Twice what the bot's word leaves of this turn was not the link's here. And
        # who says nothing may have done anything: that overrules no measure.
        is_measure = echoed <= 2 * (took - thought) and (thought or trip is None)
        return max(echoed, trip or 0) if is_measure else trip
    return echoed if trip is None and echoed <= missed.allowance_ms else trip


def _is_echo_late(missed: Missed) -> bool:
    """Tell whether the heartbeat came back after the answer, and not along with it."""
    echoed, answered = missed.echoed_ms, missed.answered_ms
    if echoed is None or answered is None:
        return False
    return echoed > answered + missed.allowance_ms


def _time(ms: int) -> str:
    return f"{ms:,} ms" if ms < 10_000 else f"{ms / 1000:,.1f} s"
