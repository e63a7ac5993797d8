"""
The written notation: a record as text that people read and write.

    print(write_notation(record))

`write_notation` and `read_notation` invert each other: nothing of a record is lost
in the text. Tags in brackets tell all but the cards played; each trick is a line
with its leader and the cards in the order of play. Leaders and marks are there for
people, found by playing the deal again; a deal that can't be played is written
without them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from textwrap import wrap

from arena.cards import (
    RANKS,
    card_name,
    card_names,
    card_set,
    cards_in,
    parse_cards,
    rank,
    suit,
)
from arena.deal import Deal, IllegalPass, IllegalPlay
from arena.double_deal import start_deal
from arena.game import kitty_of
from arena.missed import MISSED_KEYS
from arena.notation_filled import filled
from arena.notation_reader import WrittenGame, read_notation, written_games
from arena.notation_text import NotationError, quoted
from arena.record import DealRecord, Record
from arena.replay import VerifyError, rules_of
from arena.rules import PassDirection, RuleSet

__all__ = [
    "NotationError",
    "WrittenGame",
    "read_notation",
    "write_notation",
    "written_games",
]

_LEGEND = (
    "; Hands are spades.hearts.diamonds.clubs; a trick is its leader: cards in order."
)
_FAULT_MARKS = {"late": "?t", "illegal": "?i", "away": "?a", "start": "?s"}
"""By the kind of a fault, for the answer that the arena gave instead."""
_STOOD_IN = "~"
"""Marks an answer of the stand-in for a seat that was given up."""
_ANNOUNCED = "!"
"""Marks a card to the first trick that the rules have announced."""
_CANCELLED = "="
"""Marks a card that its equal in the trick cancels, and, standing alone behind a
trick, one that is left without a winner."""
_REPEATED_MAX = 999
_LINE_LENGTH = 88


def write_notation(record: Record) -> str:
    """Return a record as text, which ends with a line end."""
    lines = [*_game_tags(record), "", _LEGEND]
    rules = _rules_or_none(record)
    # What the reader would make of the text if it named nothing that is missing.
    guess = filled(record, _said(record))
    for index in range(len(record.deals)):
        lines += ["", f"; Deal {index + 1}", *_deal_lines(record, index, rules)]
        lines += _score_tags(record.deals[index], guess.deals[index])
    return "\n".join([*lines, "", *_end_tags(record, guess)]) + "\n"


def _said(record: Record) -> set[str]:
    """Return the paths of what the text names; see `filled`."""
    found = {"sequence_seed", "ending"}
    found |= {name for name in ("totals", "places") if getattr(record, name)}
    for index, deal in enumerate(record.deals):
        names = ["dealer"]
        names += [x for x in ("moon", "points", "totals") if getattr(deal, x)]
        found |= {f"deals[{index}].{name}" for name in names}
    return found


def _rules_or_none(record: Record) -> RuleSet | None:
    try:
        return rules_of(record)
    except VerifyError:
        return None


def _game_tags(record: Record) -> Iterator[str]:
    """Yield the tags of what is so for the whole game."""
    rules, clock = record.rules, record.time_control
    yield f"[Game {quoted(record.game)}]"
    yield f"[Format {record.format}]"
    if record.league:
        yield f"[League {quoted(record.league)}]"
    yield f"[Block {record.block}]"
    if record.attempt:
        yield f"[Attempt {record.attempt}]"
    yield f"[Rules {quoted(rules.preset)}]"
    yield f"[Players {rules.players}]"
    for name, value in rules.overrides.items():
        shown = name if re.fullmatch("[a-z_]+", name) else quoted(name)
        yield f"[Option {shown} {quoted(value)}]"
    yield f"[RulesHash {rules.hash}]"
    for seat, bot in enumerate(record.seats):
        owner = f" owner {quoted(bot.owner)}" if bot.owner else ""
        version = quoted(bot.version)
        yield f"[Seat {seat} {quoted(bot.bot)} version {version}{owner}]"
    yield f"[SequenceSeed {record.sequence_seed}]"
    yield f"[TableKey {record.table_key}]"
    yield (
        f"[TimeControl bank_ms {clock.bank_ms} increment_ms {clock.increment_ms} "
        f"turn_limit_ms {clock.turn_limit_ms}]"
    )
    yield f"[FaultsMax {record.faults_max}]"
    yield f"[StandIn {quoted(record.stand_in)}]"
    yield f"[OpenDeals {'yes' if record.open_deals else 'no'}]"
    if record.hash:
        yield f"[Hash {record.hash}]"


def _end_tags(record: Record, guess: Record) -> Iterator[str]:
    """Yield the tags of the result, of what went wrong, and of the times."""
    yield f"[Result {record.ending or '*'}]"
    yield from _numbers_tag("FinalTotals", record.totals, guess.totals)
    yield from _numbers_tag("Places", record.places, guess.places)
    for fault in record.faults:
        place = f"deal {fault.deal} trick {fault.trick} seat {fault.seat}"
        reason = f" reason {fault.reason}" if fault.reason else ""
        offered = f" offered {fault.offered}" if fault.offered else ""
        yield f"[Fault {fault.kind} {place}{reason}{offered}]"
    for given in record.given_up:
        place = f"deal {given.deal} trick {given.trick} seat {given.seat}"
        yield f"[GivenUp {given.cause} {place}]"
    for note in record.notes:
        place = f"deal {note.deal} trick {note.trick} seat {note.seat}"
        yield f"[Note {place} {quoted(note.text)}]"
    if record.times.started:
        yield f"[Started {quoted(record.times.started)}]"
    if record.times.ended:
        yield f"[Ended {quoted(record.times.ended)}]"
    for missed in record.times.missed:
        values = ((name, getattr(missed, name)) for name in MISSED_KEYS)
        known = (f"{name} {value}" for name, value in values if value is not None)
        yield from _wrapped(f"[Missed {' '.join(known)}]")
    for number, turns in enumerate(record.times.turns, start=1):
        words = ["[Turns", str(number), *_turn_words(turns)]
        yield from _wrapped(" ".join(words) + "]")


def _wrapped(tag: str) -> Iterator[str]:
    """Yield a long tag on as many lines as it takes."""
    yield from wrap(
        tag,
        _LINE_LENGTH,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _turn_words(turns: Iterable[tuple[int, ...]]) -> Iterator[str]:
    """Yield the times of answers, a run of equal ones as one word with its length."""
    for times, run in groupby(turns):
        word = "/".join(map(str, times))
        count = len(list(run))
        while count:
            length = min(count, _REPEATED_MAX)
            yield f"{word}*{length}" if length > 1 else word
            count -= length


def _score_tags(deal: DealRecord, guess: DealRecord) -> Iterator[str]:
    """Yield the tags of what a deal came to."""
    if deal.moon is not None:
        yield f"[Moon {deal.moon.seat} {deal.moon.choice}]"
    yield from _numbers_tag("Points", deal.points, guess.points)
    yield from _numbers_tag("Totals", deal.totals, guess.totals)


def _numbers_tag(
    name: str, numbers: tuple[int, ...] | None, guess: tuple[int, ...] | None
) -> Iterator[str]:
    """Yield a tag, also for missing numbers that the reader would fill in."""
    if numbers is not None:
        yield f"[{name} {' '.join(map(str, numbers))}]"
    elif guess is not None:
        yield f"[{name} none]"


def _deal_lines(record: Record, index: int, rules: RuleSet | None) -> Iterator[str]:
    """Yield the cards of a deal; `index` is its place in the record, from 0."""
    deal = record.deals[index]
    yield f"[Dealer {deal.dealer}]"
    yield f"[Pass {deal.direction}]"
    hands = [
        f"{seat}:{_hand_text(parse_cards(hand))}"
        for seat, hand in enumerate(deal.hands)
    ]
    yield from _seats_tag("Deal", hands)
    marks = _Marks(record, index + 1)
    passes = [
        f"{seat}: {cards}{marks.of(seat, 0)}"
        for seat, cards in enumerate(deal.passes)
        if cards
    ]
    if passes or bool(deal.passes) == (deal.direction == "hold"):
        yield from _seats_tag("Passed", passes if deal.passes else ["none"])
    yield from _trick_lines(deal, rules, marks)


def _seats_tag(name: str, seats: list[str]) -> Iterator[str]:
    """Yield a tag with one seat a line, the seats below each other."""
    start = f"[{name} "
    text = ("\n" + " " * len(start)).join(seats)
    yield f"{start}{text}".rstrip() + "]"


def _hand_text(cards: list[int]) -> str:
    """Return a hand by suit, spades first, each from high to low, equal ones too."""
    ranks = ["", "", "", ""]
    for card in reversed(cards):
        ranks[3 - suit(card)] += RANKS[rank(card)]
    return ".".join(held or "-" for held in ranks)


class _Marks:
    """The marks of answers in one deal that the seats' bots did not give."""

    def __init__(self, record: Record, number: int) -> None:
        self._faults = {
            (fault.trick, fault.seat): _FAULT_MARKS[fault.kind]
            for fault in record.faults
            if fault.deal == number
        }
        self._given_up = {
            given.seat: given.trick if given.deal == number else 0
            for given in reversed(record.given_up)
            if given.deal <= number
        }

    def of(self, seat: int, trick: int) -> str:
        """Return the mark of an answer, empty for most."""
        if mark := self._faults.get((trick, seat)):
            return mark
        return _STOOD_IN if self._given_up.get(seat, trick + 1) <= trick else ""


def _trick_lines(
    recorded: DealRecord, rules: RuleSet | None, marks: _Marks
) -> Iterator[str]:
    """Yield the leader and the cards of each trick."""
    plays, players = parse_cards(recorded.plays), len(recorded.hands)
    deal = rules and _replayed(recorded, rules)
    if deal:
        yield from _led_lines(deal, marks)
    for start in range(len(deal.plays) if deal else 0, len(plays), players):
        # The rules do not say who leads here.
        yield f"-: {card_names(plays[start : start + players])}"


def _led_lines(deal: Deal, marks: _Marks) -> Iterator[str]:
    """Yield the tricks of a deal that has been played again."""
    for index, leader in enumerate(deal.leaders):
        start = index * deal.players
        cards = deal.plays[start : start + deal.players]
        if not cards:
            return
        words = [
            card_name(card)
            + (_CANCELLED if deal.rules.cancellation and cards.count(card) == 2 else "")
            + (_ANNOUNCED if start + steps in deal.forced_plays else "")
            + marks.of((leader + steps) % deal.players, index + 1)
            for steps, card in enumerate(cards)
        ]
        words += [_CANCELLED] if index + 1 in deal.cancelled_tricks else []
        yield f"{leader}: {' '.join(words)}"


def _replayed(recorded: DealRecord, rules: RuleSet) -> Deal | None:
    """
    Return a deal played up to the first card that the rules forbid.

    None when already the hands or the passes are not of these rules.
    """
    hands = [parse_cards(hand) for hand in recorded.hands]
    dealt = Counter(card for hand in hands for card in hand)
    is_dealt = dealt <= Counter(cards_in(rules.pack))
    if not is_dealt or any(len(hand) != rules.hand_size for hand in hands):
        return None
    sets = [card_set(hand) for hand in hands]
    deal = start_deal(
        rules,
        sets,
        dealer=recorded.dealer,
        direction=PassDirection[recorded.direction.upper()],
        kitty=kitty_of(rules, sets),
    )
    try:
        for seat, cards in enumerate(recorded.passes):
            if cards:
                deal.pass_cards(seat, card_set(parse_cards(cards)))
    except IllegalPass:
        return None
    with suppress(IllegalPlay):
        for card in parse_cards(recorded.plays):
            deal.play(card)
    return deal
