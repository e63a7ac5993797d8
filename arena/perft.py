"""
Perft for Hearts: positions with the numbers of legal lines of play from them.

A perft file is text for people and for programs in any language; `docs/notation.md`
describes it. An engine that counts as the file says agrees with its rules: each
depth is the number of different sequences of so many plays, found by trying all.
"""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, product
from math import prod
from typing import Final

from arena.cards import (
    Card,
    CardError,
    CardSet,
    card_name,
    card_set,
    cards_in,
    parse_cards,
)
from arena.deal import Deal
from arena.double_deal import start_deal
from arena.excerpt import shown
from arena.rules import PassDirection, RulesError, RuleSet, preset

__all__ = ["PASS", "PerftError", "Position", "counts", "first_counts", "read_perft"]

PASS: Final = "pass"
"""The depth that counts the ways in which all seats together can pass."""

_DIGITS_MAX: Final = 18
_LINE_MAX: Final = 10_000
_DIRECTIONS: Final = {direction.label: direction for direction in PassDirection}


class PerftError(ValueError):
    """
    A perft file that can't be read.

    Attributes:
        line: The number of the line, from 1.
        reason: What is wrong with it, in words.
    """

    def __init__(self, reason: str, *, line: int) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Position:
    """A deal before its pass or before a trick, and what a file says of it."""

    name: str
    line: int
    """Where the file names it, from 1."""
    rules: RuleSet
    dealer: int
    direction: PassDirection
    """Where cards are passed first; with `HOLD` play begins at once."""
    hands: tuple[CardSet, ...]
    is_broken: bool
    """Whether hearts are broken before the first play."""
    trick_number: int
    """The number of the trick that begins."""
    leader: int
    """Who leads it, where it is not the first one."""
    expected: Mapping[str, int]
    """The counts in the file by depth: `pass`, `1`, `2` and so on."""

    def deal(self) -> Deal:
        """Set the position up."""
        deal = start_deal(
            self.rules, self.hands, dealer=self.dealer, direction=self.direction
        )
        if self.trick_number > 1:
            deal.start_at(
                self.trick_number, leader=self.leader, hearts_broken=self.is_broken
            )
        return deal


def counts(position: Position, depth_max: int) -> dict[str, int]:
    """
    Count the legal lines of play from a position.

    Args:
        position: Where to begin.
        depth_max: The most plays to look ahead.

    Returns:
        The counts by depth, from `1`; with `pass` before them where a pass is due,
        which the other depths then begin with. Depths beyond the end of the deal
        are not in it.
    """
    deal = position.deal()
    plays_max = sum(hand.bit_count() for hand in position.hands)
    found = [0] * min(depth_max, plays_max)
    result = {}
    if deal.is_passing:
        passes = _passes(deal)
        result[PASS] = prod(map(len, passes))
        if found:
            for after in _after_passes(deal, passes):
                _count(after, found, 0)
    elif found:
        _count(deal, found, 0)
    return result | {str(depth): count for depth, count in enumerate(found, start=1)}


def first_counts(position: Position, depth: int) -> dict[Card, int]:
    """Return how many lines of so many plays begin with each card."""
    deal = position.deal()
    plays_max = sum(hand.bit_count() for hand in position.hands)
    result = {}
    for card in deal.legal_cards():
        after = deal.copy()
        after.play(card)
        found = [0] * (min(depth, plays_max) - 1)
        if found:
            _count(after, found, 0)
        result[card] = (found or [1])[-1] if depth <= plays_max else 0
    return result


def _count(deal: Deal, found: list[int], level: int) -> None:
    """
    Add the lines from a deal to the counts by depth.

    The deal is used up, and must have as many plays left as there are counts.
    """
    while True:
        legal = deal.legal_cards()
        found[level] += len(legal)
        level += 1
        if level == len(found):
            return
        *others, last = legal
        for card in others:
            after = deal.copy()
            after.play(card)
            _count(after, found, level)
        deal.play(last)


def _passes(deal: Deal) -> list[list[CardSet]]:
    """Return what each seat may pass."""
    count = deal.rules.pass_count
    return [
        sorted({card_set(cards) for cards in combinations(cards_in(hand), count)})
        for hand in deal.hands
    ]


def _after_passes(deal: Deal, choices: list[list[CardSet]]) -> Iterator[Deal]:
    """Yield the deal after every way in which all seats together can pass."""
    for passes in product(*choices):
        after = deal.copy()
        for seat, cards in enumerate(passes):
            after.pass_cards(seat, cards)
        yield after


# Reading


@dataclass(slots=True)
class _Block:
    """The lines of one position: each key with its line number and value."""

    name: str
    line: int
    values: dict[str, tuple[int, str]] = field(default_factory=dict)


def read_perft(lines: Iterable[str]) -> list[Position]:
    """
    Read the positions of a perft file.

    Raises:
        PerftError: A line is wrong or missing.
    """
    head = _Block("", 1)
    blocks = [head]
    number = 0
    for number, line in enumerate(lines, start=1):
        text = line.strip().removeprefix("\ufeff")
        if not text or text.startswith("#"):
            continue
        key, value = _key_and_value(number, text)
        if key == "position":
            blocks.append(_Block(value, number))
        elif key in blocks[-1].values:
            raise PerftError(f"{shown(key)} is said twice", line=number)
        else:
            blocks[-1].values[key] = number, value
    rules = _rules(*_needed(head, "rules", number))
    dealer = _seat(*_needed(head, "dealer", number), rules.players)
    for key, (line_number, _) in head.values.items():
        if key not in ("rules", "dealer"):
            reason = f"{shown(key)} stands before the first position"
            raise PerftError(reason, line=line_number)
    if len(blocks) == 1:
        raise PerftError("there is no position", line=max(number, 1))
    return [_position(block, rules, dealer) for block in blocks[1:]]


def _key_and_value(line: int, text: str) -> tuple[str, str]:
    if len(text) > _LINE_MAX:
        reason = f"{len(text)} characters are too many; expected at most {_LINE_MAX}"
        raise PerftError(reason, line=line)
    key, colon, value = text.partition(":")
    if not colon:
        raise PerftError(f"{shown(text)} is not `key: value`", line=line)
    word, *rest = key.split() or [""]
    if word == "depth" and rest != [PASS]:
        # In one spelling, so that a depth that stands twice is found.
        rest = [str(_number(line, " ".join(rest), least=1))]
    return " ".join((word, *rest)), value.strip()


def _needed(block: _Block, key: str, line: int) -> tuple[int, str]:
    if key not in block.values:
        raise PerftError(f"`{key}: …` is missing", line=max(line, 1))
    return block.values[key]


def _rules(line: int, text: str) -> RuleSet:
    try:
        name, *settings = shlex.split(text)
    except ValueError:
        reason = "rules are a preset with options, and quotes come in pairs"
        raise PerftError(reason, line=line) from None
    options: dict[str, str] = {}
    for setting in settings:
        option, sign, value = setting.partition("=")
        if not sign:
            raise PerftError(f"{shown(setting)} is not option=value", line=line)
        if option in options:
            raise PerftError(f"{shown(option)} is said twice", line=line)
        options[option] = value
    players = options.pop("players", None)
    try:
        return preset(
            name,
            players=None if players is None else _number(line, players),
            **options,
        )
    except RulesError as error:
        raise PerftError(str(error), line=line) from None


def _position(block: _Block, rules: RuleSet, dealer: int) -> Position:
    seats = [f"seat {seat}" for seat in range(rules.players)]
    dealt = tuple(_hand(*_needed(block, seat, block.line)) for seat in seats)
    _check_hands(block, rules, dealt)
    hands = tuple(map(card_set, dealt))
    rest = {key: value for key, value in block.values.items() if key not in seats}
    line, label = rest.pop("direction", (block.line, "hold"))
    direction = _direction(line, label, rules)
    has_pass = direction != PassDirection.HOLD
    size = len(dealt[0])
    if has_pass and rules.pass_count > size:
        reason = f"{rules.pass_count} cards are passed, but hands have {size}"
        raise PerftError(reason, line=line)
    number_line, text = rest.pop("trick", (block.line, "1"))
    trick_number = _number(number_line, text, least=1)
    if trick_number > rules.hand_size:
        reason = f"a deal has {rules.hand_size} tricks; there is no trick {text}"
        raise PerftError(reason, line=number_line)
    if has_pass and trick_number > 1:
        raise PerftError("cards are passed before trick 1 only", line=line)
    leader, is_broken = _later_start(block, rest, rules, trick_number)
    return Position(
        name=block.name,
        line=block.line,
        rules=rules,
        dealer=dealer,
        direction=direction,
        hands=hands,
        is_broken=is_broken,
        trick_number=trick_number,
        leader=leader,
        expected=_expected(rest, has_pass=has_pass),
    )


def _direction(line: int, label: str, rules: RuleSet) -> PassDirection:
    if label not in _DIRECTIONS:
        reason = f"{shown(label)} is no direction; there are {', '.join(_DIRECTIONS)}"
        raise PerftError(reason, line=line)
    direction = _DIRECTIONS[label]
    if direction != PassDirection.HOLD and not rules.pass_count:
        reason = "the rules have pass_count 0, so nothing is passed; expected hold"
        raise PerftError(reason, line=line)
    if direction == PassDirection.ACROSS and rules.players % 2:
        reason = f"{rules.players} seats have no opposite to pass across to"
        raise PerftError(reason, line=line)
    return direction


def _later_start(
    block: _Block, rest: dict[str, tuple[int, str]], rules: RuleSet, trick_number: int
) -> tuple[int, bool]:
    """Take out who leads a trick after the first, and whether hearts are broken."""
    if trick_number == 1:
        for key in ("leader", "broken"):
            if key in rest:
                reason = f"{key} can be said of a trick after the first only"
                raise PerftError(reason, line=rest[key][0])
        return 0, False
    leader = _seat(*_needed(block, "leader", block.line), rules.players)
    del rest["leader"]
    line, broken = rest.pop("broken", (block.line, "no"))
    if broken not in ("yes", "no"):
        raise PerftError(f"{shown(broken)} is neither yes nor no", line=line)
    return leader, broken == "yes"


def _expected(rest: Mapping[str, tuple[int, str]], *, has_pass: bool) -> dict[str, int]:
    """Read the counts, which are all that is left of a position."""
    found = {}
    for key, (line, text) in rest.items():
        word, _, depth = key.partition(" ")
        if word != "depth":
            raise PerftError(f"{shown(key)} is not a key of a position", line=line)
        if depth == PASS and not has_pass:
            raise PerftError("no pass is due", line=line)
        found[depth] = _number(line, text)
    return found


def _hand(line: int, text: str) -> list[Card]:
    try:
        return parse_cards(text)
    except CardError as error:
        raise PerftError(str(error), line=line) from None


def _check_hands(block: _Block, rules: RuleSet, hands: tuple[list[Card], ...]) -> None:
    """Refuse hands that the rules' pack does not hold, or that differ in size."""
    copies = Counter(cards_in(rules.pack))
    dealt: Counter[Card] = Counter()
    for seat, hand in enumerate(hands):
        line, _ = block.values[f"seat {seat}"]
        dealt.update(hand)
        for card in hand:
            if dealt[card] > copies[card]:
                reason = _too_many(card, dealt[card], copies[card])
                raise PerftError(f"seat {seat}: {reason}", line=line)
        if not hand or len(hand) != len(hands[0]):
            reason = "all hands need as many cards, and at least one"
            raise PerftError(f"seat {seat}: {reason}", line=line)


def _too_many(card: Card, count: int, copies: int) -> str:
    name = card_name(card)
    if not copies:
        return f"{name} is not in the pack of these rules"
    times = {1: "once", 2: "twice"}
    return (
        f"{name} is dealt {times.get(count, f'{count} times')} by now, but the pack "
        f"has it {times[copies]}"
    )


def _seat(line: int, text: str, players: int) -> int:
    seat = _number(line, text)
    if seat >= players:
        raise PerftError(f"there are seats 0 to {players - 1}", line=line)
    return seat


def _number(line: int, text: str, least: int = 0) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MAX
    if not is_number or int(text) < least:
        raise PerftError(f"{shown(text)} is not a number from {least}", line=line)
    return int(text)
