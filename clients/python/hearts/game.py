"""
Read-only views on what a bot is told about a game besides its turns.

Like a turn, each view reads the message it was made from when it is asked.
Lists are fresh and belong to the caller.
"""

from dataclasses import dataclass
from typing import Final

from hearts.arena.v1 import game_pb2
from hearts.cards import CARD_BY_NUMBER, Card
from hearts.rules import Rules, read_rules

MOON_CHOICE_NAMES: Final = {
    game_pb2.MOON_CHOICE_ADD: "add",
    game_pb2.MOON_CHOICE_SUBTRACT: "subtract",
}
"""What bots call the ways to score the moon and the sun."""

_FAULT_KIND_NAMES: Final = {
    game_pb2.FAULT_KIND_LATE: "late",
    game_pb2.FAULT_KIND_ILLEGAL: "illegal",
    game_pb2.FAULT_KIND_AWAY: "away",
    game_pb2.FAULT_KIND_START: "start",
}
_ENDING_NAMES: Final = {
    game_pb2.GAME_ENDING_FINISHED: "finished",
    game_pb2.GAME_ENDING_VOID: "void",
}


@dataclass(frozen=True, slots=True)
class TimeControl:
    """
    The clock settings of a game, in seconds. A `turn_limit` of 0 means no clock.
    """

    bank: float
    increment: float
    turn_limit: float


@dataclass(frozen=True, slots=True)
class Fault:
    """
    One answer of the bot's own seat that the arena had to substitute.
    """

    deal_number: int
    trick_number: int
    """From 1; 0 is the pass, and one more than the last trick the moon choice."""

    kind: str
    """`late`, `illegal`, `away` or `start`; empty when unknown."""

    cause: str


class GameStart:
    """
    All of a game that stays the same until it ends.
    """

    __slots__ = ("_message",)

    def __init__(self, message: game_pb2.GameStart) -> None:
        self._message = message

    def __repr__(self) -> str:
        return f"<GameStart {self.game_id}: seat {self.seat} of {self.names}>"

    @property
    def game_id(self) -> str:
        """The name of the game, the same as in the logs."""
        return self._message.game_id

    @property
    def seat(self) -> int:
        """The bot's seat, from 0; seat + 1 modulo `players` is the left neighbour."""
        return self._message.seat

    @property
    def players(self) -> int:
        """How many seats the table has."""
        return self._message.players

    @property
    def names(self) -> list[str]:
        """The names of the bots by seat."""
        return list(self._message.seat_names)

    @property
    def rules(self) -> Rules:
        """The rules in force, read anew each time; they may be kept."""
        return read_rules(self._message.rules)

    @property
    def time_control(self) -> TimeControl:
        """The clock settings."""
        control = self._message.time_control
        return TimeControl(
            bank=control.bank_ms / 1000,
            increment=control.increment_ms / 1000,
            turn_limit=control.turn_limit_ms / 1000,
        )

    @property
    def table_key(self) -> bytes:
        """Eight bytes to seed randomness with; the same when the game is rerun."""
        return self._message.table_key

    @property
    def league(self) -> str:
        """The name of the league; empty in practice."""
        return self._message.league

    @property
    def faults_max(self) -> int:
        """How many faults give the seat up to the stand-in; 0 means never."""
        return self._message.faults_max


class DealEnded:
    """
    How a deal ended.
    """

    __slots__ = ("_message",)

    def __init__(self, message: game_pb2.DealEnded) -> None:
        self._message = message

    def __repr__(self) -> str:
        return (
            f"<DealEnded {self.deal_number} of {self.game_id}: points {self.points},"
            f" totals {self.totals}>"
        )

    @property
    def game_id(self) -> str:
        """The name of the game."""
        return self._message.game_id

    @property
    def deal_number(self) -> int:
        """The number of the deal in the game, from 1."""
        return self._message.deal_number

    @property
    def hands(self) -> list[list[Card]]:
        """The cards as dealt, by seat; empty while they are withheld."""
        return [
            [CARD_BY_NUMBER[number] for number in hand.cards]
            for hand in self._message.hands
        ]

    @property
    def plays(self) -> list[Card]:
        """All cards in the order of play."""
        return [CARD_BY_NUMBER[number] for number in self._message.plays]

    @property
    def leaders(self) -> list[int]:
        """The seat that led each trick."""
        return list(self._message.leaders)

    @property
    def points(self) -> list[int]:
        """The score of the deal by seat, with moon, sun and bonus card."""
        return list(self._message.points)

    @property
    def totals(self) -> list[int]:
        """The totals after the deal, by seat, with what an exact hit does to them."""
        return list(self._message.totals)

    @property
    def moon_seat(self) -> int | None:
        """The seat that shot the moon or the sun; None when nobody did."""
        message = self._message
        return message.moon_seat if message.HasField("moon_seat") else None

    @property
    def moon_choice(self) -> str:
        """How it scored: `add` or `subtract`; empty when nobody shot."""
        return MOON_CHOICE_NAMES.get(self._message.moon_choice, "")

    @property
    def is_sun(self) -> bool:
        """Whether it was the sun: every trick, under rules that have a sun."""
        return self._message.is_sun

    @property
    def cancelled_tricks(self) -> list[int]:
        """The numbers, from 1, of the tricks that nobody won."""
        return list(self._message.cancelled_tricks)

    @property
    def kitty(self) -> list[Card]:
        """The cards left over from the deal; empty while hands are withheld."""
        return [CARD_BY_NUMBER[number] for number in self._message.kitty]


class GameEnded:
    """
    How a game ended.
    """

    __slots__ = ("_message",)

    def __init__(self, message: game_pb2.GameEnded) -> None:
        self._message = message

    def __repr__(self) -> str:
        how = self.message or f"totals {self.totals}, places {self.places}"
        return f"<GameEnded {self.game_id}, {self.ending}: {how}>"

    @property
    def game_id(self) -> str:
        """The name of the game."""
        return self._message.game_id

    @property
    def ending(self) -> str:
        """`finished`, or `void` when the game does not count."""
        return _ENDING_NAMES.get(self._message.ending, "")

    @property
    def totals(self) -> list[int]:
        """The final totals by seat; empty when the game is void."""
        return list(self._message.totals)

    @property
    def places(self) -> list[int]:
        """The places by seat, 1 the best, equal ones shared; empty when void."""
        return list(self._message.places)

    @property
    def faults(self) -> list[Fault]:
        """The faults of the bot's own seat, in order."""
        return [
            Fault(
                deal_number=fault.deal_number,
                trick_number=fault.trick_number,
                kind=_FAULT_KIND_NAMES.get(fault.kind, ""),
                cause=fault.cause,
            )
            for fault in self._message.faults
        ]

    @property
    def message(self) -> str:
        """Why the game is void, for people; empty otherwise."""
        return self._message.message
