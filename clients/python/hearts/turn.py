"""
A turn: one question to one seat, with all of the deal that the seat may know.

`Turn` is a view on the message that came from the arena and copies nothing until
it is asked: a bot that reads only `choices` pays only for that. Whatever gives a
list gives a fresh one, which belongs to the caller.
"""

import math
import random
from typing import Final

from hearts.arena.v1 import game_pb2
from hearts.cards import CARD_BY_NUMBER, Card
from hearts.game import MOON_CHOICE_NAMES, GameStart
from hearts.rules import Rules, read_rules
from hearts.tricks import Trick, taken_cards, winning_place

NOTE_LENGTH_MAX: Final = 200
"""The most characters of a remark."""


def remark_text(text: str) -> str:
    """
    Cut a remark to what can be sent: no halves of surrogate pairs, not too long.
    """
    return text[:NOTE_LENGTH_MAX].encode(errors="replace").decode()


KIND_NAMES: Final = {
    game_pb2.TURN_KIND_PASS: "pass",
    game_pb2.TURN_KIND_PLAY: "play",
    game_pb2.TURN_KIND_MOON: "moon",
    game_pb2.TURN_KIND_SUN: "sun",
}
"""What bots call the kinds of turns."""

DIRECTION_NAMES: Final = {
    game_pb2.PASS_DIRECTION_LEFT: "left",
    game_pb2.PASS_DIRECTION_RIGHT: "right",
    game_pb2.PASS_DIRECTION_ACROSS: "across",
    game_pb2.PASS_DIRECTION_HOLD: "hold",
}
"""What bots call the directions of the pass."""


class Turn:
    """
    One question to the bot's seat.

    Seats are numbered from 0 clockwise, deals from 1, and cards are in notation
    order unless it says otherwise. Times are in seconds.
    """

    __slots__ = ("_random", "_remark", "_rules", "message", "start")

    def __init__(self, message: game_pb2.Turn, start: game_pb2.GameStart) -> None:
        self.message = message
        """What the arena sent, for whatever the view lacks."""
        self.start = start
        """What the arena sent at the game's start, likewise."""
        self._remark = ""
        self._random: random.Random | None = None
        self._rules: Rules | None = None

    def __repr__(self) -> str:
        return (
            f"<Turn {self.id}: {self.kind} in deal {self.deal_number} of"
            f" {self.game_id}, seat {self.seat}>"
        )

    @property
    def id(self) -> int:
        """The number of the turn among all turns of the bot."""
        return self.message.turn_id

    @property
    def game_id(self) -> str:
        """The name of the game, the same as in the logs."""
        return self.message.game_id

    @property
    def game(self) -> GameStart:
        """All of the game that stays the same until it ends."""
        return GameStart(self.start)

    @property
    def kind(self) -> str:
        """`pass`, `play`, `moon` or `sun`; empty for a kind not known here."""
        return KIND_NAMES.get(self.message.kind, "")

    @property
    def deal_number(self) -> int:
        """The number of the deal in the game."""
        return self.message.deal_number

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return self.message.dealer

    @property
    def seat(self) -> int:
        """The bot's own seat."""
        return self.start.seat

    @property
    def players(self) -> int:
        """How many seats the table has."""
        return self.start.players

    @property
    def rules(self) -> Rules:
        """
        The rules in force.

        They are read once a turn; a bot that must be fast keeps those of
        `game_started`.
        """
        if self._rules is None:
            self._rules = read_rules(self.start.rules)
        return self._rules

    @property
    def names(self) -> list[str]:
        """The names of the bots by seat."""
        return list(self.start.seat_names)

    @property
    def hand(self) -> list[Card]:
        """The cards that the seat holds; one that it holds twice stands twice."""
        return [CARD_BY_NUMBER[number] for number in self.message.hand]

    @property
    def choices(self) -> list[Card]:
        """
        The cards to choose from; empty for a choice of moon or sun.

        To be played, a card that is held twice stands here once. To be passed, it
        stands twice, and both may be chosen.
        """
        return [CARD_BY_NUMBER[number] for number in self.message.choices]

    legal = choices

    @property
    def moon_choices(self) -> list[str]:
        """The ways to score the moon or sun to choose from: `add`, `subtract`."""
        return [
            MOON_CHOICE_NAMES[choice]
            for choice in self.message.moon_choices
            if choice in MOON_CHOICE_NAMES
        ]

    @property
    def moon_points(self) -> int:
        """What the moon or the sun to choose for is worth; 0 in other turns."""
        return self.message.moon_points

    @property
    def answer_count(self) -> int:
        """How many of the choices the answer must name."""
        return self.message.answer_count

    @property
    def plays(self) -> list[Card]:
        """All cards played in this deal so far, in the order of play."""
        return [CARD_BY_NUMBER[number] for number in self.message.plays]

    @property
    def leaders(self) -> list[int]:
        """The seat that led each trick so far, the open one included."""
        return list(self.message.leaders)

    @property
    def leader(self) -> int | None:
        """The seat that leads the open trick; None when no trick is open."""
        leaders = self.message.leaders
        complete_count = len(self.message.plays) // self.start.players
        return leaders[complete_count] if complete_count < len(leaders) else None

    @property
    def trick(self) -> list[Card]:
        """The cards of the open trick, clockwise from `leader`."""
        plays = self.message.plays
        open_count = len(plays) % self.start.players
        return [CARD_BY_NUMBER[number] for number in plays[len(plays) - open_count :]]

    @property
    def winning_card(self) -> Card | None:
        """
        The card that wins the open trick so far; None on lead.

        It is the highest of the suit led. Where equal cards cancel each other those
        do not count, so it may be None after a lead too: then any card of the suit
        led wins that is not cancelled itself. An equal card never beats it.
        """
        trick = self.trick
        place = winning_place(trick, self.start.rules.options)
        return None if place is None else trick[place]

    @property
    def winning_seat(self) -> int | None:
        """The seat that played the `winning_card`; None without one."""
        leader = self.leader
        place = winning_place(self.trick, self.start.rules.options)
        if leader is None or place is None:
            return None
        return (leader + place) % self.start.players

    @property
    def tricks(self) -> list[Trick]:
        """The complete tricks of this deal."""
        players = self.start.players
        plays = self.plays
        leaders = self.message.leaders
        cancelled = self.message.cancelled_tricks
        options = self.start.rules.options
        tricks = []
        for index in range(len(plays) // players):
            cards = plays[index * players : (index + 1) * players]
            leader = leaders[index]
            winner: int | None = None
            if index + 1 not in cancelled:
                # Whoever wins a trick leads the next one; only the last trick of a
                # deal has no next one to read it from.
                if index + 1 < len(leaders):
                    winner = leaders[index + 1]
                elif (place := winning_place(cards, options)) is not None:
                    winner = (leader + place) % players
            tricks.append(Trick(leader, cards, winner))
        return tricks

    @property
    def cancelled_tricks(self) -> list[int]:
        """The numbers, from 1, of the tricks that nobody won."""
        return list(self.message.cancelled_tricks)

    @property
    def carried(self) -> list[Card]:
        """
        The cards of cancelled tricks that lie on the table for the open trick's
        winner, in the order of play.
        """
        leader_count = len(self.message.leaders)
        players = self.start.players
        plays = self.message.plays
        end = len(plays) // players
        if end >= leader_count:
            # All tricks are played: nothing lies on the table any more.
            return []
        begin = end
        while begin in self.message.cancelled_tricks:
            begin -= 1
        return [
            CARD_BY_NUMBER[number] for number in plays[begin * players : end * players]
        ]

    @property
    def forced_plays(self) -> list[int]:
        """
        The places in `plays` of cards whose seats announced that they hold nothing
        but cards that the first trick bans.
        """
        return list(self.message.forced_plays)

    @property
    def kitty(self) -> list[Card]:
        """The cards left over from the deal, once a trick has taken them."""
        return [CARD_BY_NUMBER[number] for number in self.message.kitty]

    @property
    def passed(self) -> list[Card]:
        """The cards that the seat passed on; empty before the pass is complete."""
        return [CARD_BY_NUMBER[number] for number in self.message.passed]

    @property
    def received(self) -> list[Card]:
        """The cards that the seat received; empty before the pass is complete."""
        return [CARD_BY_NUMBER[number] for number in self.message.received]

    @property
    def pass_direction(self) -> str:
        """Where this deal's passed cards go: `left`, `right`, `across` or `hold`."""
        return DIRECTION_NAMES.get(self.message.pass_direction, "hold")

    @property
    def points(self) -> list[int]:
        """
        The penalty points that each seat has taken in this deal so far.

        The bonus card is not in them: who took it, `taken` tells.
        """
        return list(self.message.points)

    @property
    def taken(self) -> list[list[Card]]:
        """
        The cards that each seat has taken in this deal so far, by seat, in the order
        of play; the kitty stands after the trick that took it along.
        """
        rules = self.start.rules
        return taken_cards(
            self.tricks,
            self.kitty,
            rules.options,
            players=self.start.players,
            hand_size=rules.hand_size,
        )

    @property
    def totals(self) -> list[int]:
        """The totals before this deal, by seat."""
        return list(self.message.totals)

    @property
    def hearts_broken(self) -> bool:
        """Whether hearts may be led."""
        return self.message.hearts_broken

    @property
    def time_left(self) -> float:
        """The time for this turn as it was handed over; infinite without a clock."""
        return self.message.turn_left_ms / 1000 or math.inf

    @property
    def bank_left(self) -> float:
        """What the bank held before this turn; infinite without a clock."""
        message = self.message
        return message.bank_left_ms / 1000 if message.turn_left_ms else math.inf

    @property
    def last_charged(self) -> float:
        """What the seat's last turn in this game was charged."""
        return self.message.last_charged_ms / 1000

    @property
    def table_key(self) -> bytes:
        """Eight bytes to seed randomness with; the same when the game is rerun."""
        return self.start.table_key

    @property
    def random(self) -> random.Random:
        """
        A source of randomness that belongs to this turn.

        It is seeded from the table key, the seat, the deal and the place in it,
        so a bot that uses no other one plays a rerun of a game the same way.
        """
        if self._random is None:
            message = self.message
            self._random = random.Random(
                f"{self.start.table_key.hex()} {self.start.seat}"
                f" {message.deal_number} {int(message.kind)} {len(message.plays)}"
            )
        return self._random

    @property
    def remark(self) -> str:
        """A remark to keep with the game beside the answer, for the author's eyes."""
        return self._remark

    @remark.setter
    def remark(self, text: str) -> None:
        self._remark = remark_text(text)
