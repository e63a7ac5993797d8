"""The turns of a deal: what a seat was asked, what it answered, what came of it."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from arena.cards import Card
from arena.deal import Deal
from arena.record import Fault, Record
from arena.replay import Step
from arena.rules import MoonChoice
from leagues.analysis.tables import TurnRow

__all__ = ["Asked", "Sources", "deal_turns"]

_Place: TypeAlias = tuple[int, int, int]
"""Deal, trick and seat: no seat is asked twice in one."""
_UNKNOWN: Final = (None,) * 6
"""The times of a turn without any."""


class Asked(NamedTuple):
    """A turn before its answer was given to the game; from the hand on as in a row."""

    step: Step
    kind: str
    hand: Sequence[Card]
    choices: Sequence[Card] | None
    is_forced: bool
    hearts_broken: bool
    led: Card | None


class Sources:
    """Whose answers a record holds, the faults behind them, and what bots remarked."""

    def __init__(self, record: Record) -> None:
        self.faults = {(f.deal, f.trick, f.seat): f for f in record.faults}
        self._given_up = {g.seat: (g.deal, g.trick) for g in record.given_up}
        notes: defaultdict[_Place, list[str]] = defaultdict(list)
        for note in record.notes:
            notes[note.deal, note.trick, note.seat].append(note.text)
        self.notes = {place: "\n".join(texts) for place, texts in notes.items()}

    def source(self, place: _Place, fault: Fault | None) -> str:
        """Return whose answer stands at a place."""
        # A seat that never started is given up from the start, and its faults say why.
        if fault and fault.kind != "start":
            return "substitute"
        since = self._given_up.get(place[2])
        return "stand_in" if since and since <= place[:2] else "bot"


def deal_turns(
    record: Record, number: int, deal: Deal, asked: Sequence[Asked], sources: Sources
) -> list[TurnRow]:
    """
    Return the rows of one deal's turns.

    Args:
        record: The game.
        number: The number of the deal, from 1.
        deal: The deal as it stands at the end of the record.
        asked: Its turns, in the order of the answers.
        sources: Of the same record.
    """
    tricks = _tricks(deal)
    times = record.times.turns[number - 1] if number <= len(record.times.turns) else ()
    return [
        _row(
            record,
            turn,
            one,
            deal,
            tricks,
            times[turn - 1] if turn <= len(times) else None,
            sources,
        )
        for turn, one in enumerate(asked, start=1)
    ]


_Trick: TypeAlias = tuple[int | None, int | None, int | None]
"""What its cards cost, its winner and its taker."""
_OPEN: Final[_Trick] = (None, None, None)


def _tricks(deal: Deal) -> list[_Trick]:
    """Return what came of each complete trick."""
    values, players = deal.rules.card_points, deal.players
    return [
        (
            sum([values[card] for card in deal.plays[i * players : (i + 1) * players]]),
            winner,
            taker,
        )
        for i, (winner, taker) in enumerate(zip(deal.winners, deal.takers, strict=True))
    ]


def _row(
    record: Record,
    turn: int,
    asked: Asked,
    deal: Deal,
    tricks: Sequence[_Trick],
    times: Sequence[int] | None,
    sources: Sources,
) -> TurnRow:
    step = asked.step
    place = step.deal, step.trick, step.seat
    fault = sources.faults.get(place)
    who = record.seats[step.seat]
    position, *answer = _answer(asked, deal, tricks)
    return TurnRow._make(
        (
            record.league,
            record.game,
            step.deal,
            turn,
            asked.kind,
            step.trick,
            position,
            step.seat,
            who.bot,
            who.version,
            *asked[2:],
            *answer,
            sources.source(place, fault),
            fault.kind if fault else None,
            (fault.reason or None) if fault else None,
            sources.notes.get(place),
            *(_UNKNOWN if times is None else (*times, 0)[:6]),
        )
    )


def _answer(asked: Asked, deal: Deal, tricks: Sequence[_Trick]) -> tuple[Any, ...]:
    """Return the place in the trick, and the columns from the card to the taker."""
    step, answer = asked.step, asked.step.answer
    if isinstance(answer, MoonChoice):
        return None, None, None, answer.label, None, *_OPEN
    if asked.kind == "pass":
        return None, None, answer, None, None, *_OPEN
    card, trick = answer[0], step.trick
    result = tricks[trick - 1] if trick <= len(tricks) else _OPEN
    position = (step.seat - deal.leaders[trick - 1]) % deal.players + 1
    return position, card, None, None, deal.rules.card_points[card], *result
