"""
The options of the rules as text: what each may be, and how it is read.

An option is a choice of words, a number, or one of a few things with a grammar of
their own. `parse_option` takes a value or its text, as league files and records
have it, and `option_text` writes it. Whether options fit each other is the business
of `arena.rules`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from typing import Final

from arena.cards import (
    PACK_SIZE,
    RANKS,
    Card,
    CardError,
    card_name,
    card_names,
    parse_card,
    parse_cards,
)
from arena.excerpt import shown
from arena.nearest import did_you_mean


class RulesError(ValueError):
    """An option that does not exist or a value that it can't have."""

    def __init__(self, *, option: str, reason: str, value: object = None) -> None:
        self.option = option
        self.value = value
        """The value that it can't have; None for an option that does not exist."""
        self.reason = reason
        text = shown(value if isinstance(value, str) else shown(value))
        self.problem = reason if value is None else f"{text} {reason}"
        """What is wrong, without the option's name."""
        name = option if re.fullmatch(r"\w{1,40}", option, re.ASCII) else shown(option)
        super().__init__(f"rules.{name}: {self.problem}")


class PassDirection(IntEnum):
    """Where passed cards go, with the numbers of the wire."""

    LEFT = 1
    RIGHT = 2
    ACROSS = 3
    HOLD = 4

    @property
    def label(self) -> str:
        """Return the name for people and records, `left` to `hold`."""
        return self.name.lower()

    def steps(self, players: int) -> int:
        """Return how many seats to the left the cards travel, 0 for hold."""
        return (1, players - 1, players // 2, 0)[self - 1]


class MoonChoice(IntEnum):
    """How the moon or the sun scores, with the numbers of the wire."""

    ADD = 1
    SUBTRACT = 2

    @property
    def label(self) -> str:
        """Return the name for people and records, `add` or `subtract`."""
        return self.name.lower()


WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    name: tuple(words.split())
    for name, words in {
        "leftover": "remove kitty_first_trick kitty_first_heart",
        "first_dealer": "random draw_low seat0",
        "opening_leader": "holder eldest",
        "opening_play": "that_card any_of_suit any",
        "first_trick_ban": "penalties hearts unless_no_clubs none",
        "first_trick_escape": "any hearts queen",
        "announce_forced": "false true",
        "hearts_lead": "must_break free",
        "break_on": "heart_played heart_discarded",
        "queen_breaks": "no played discarded",
        "unbroken_lead_exception": "only_hearts only_penalties",
        "queen_lead": "free after_broken",
        "cancellation": "false true",
        "cancel_next_leader": "same next_seat",
        "cancel_last_trick": "leader second_highest nobody",
        "heart_values": "flat spot rank pips10 face",
        "bonus_card": "none JD TD",
        "bonus_floor": "none hand total",
        "moon": "add choice subtract off auto",
        "moon_floor": "none zero",
        "moon_needs_bonus": "false true for_full_value",
        "moon_bonus": "keep fold drop",
        "sun": "off choice add subtract",
        "end_when": "reach exceed",
        "tie": "further_deals draw shared",
        "tie_recheck": "finish_condition tie_only",
        "winner_pool": "all not_over",
        "moon_default": "add best subtract",
    }.items()
}
"""The options that are one of several words, each with its words, default first."""

NUMBERS: Final[Mapping[str, tuple[int, int, tuple[str, ...]]]] = {
    "players": (3, 11, ()),
    "packs": (1, 2, ()),
    "pass_count": (0, 34, ()),
    "bonus_value": (-1_000, -1, ()),
    "moon_value": (1, 10_000, ("total",)),
    "sun_value": (1, 10_000, ("double", "same")),
    "target": (1, 100_000, ()),
    "max_deals": (1, 1_000, ("none",)),
}
"""The options that are a number: the least, the most, and the words also allowed."""

_LISTS: Final = ("removed", "pass_cycle", "spade_penalties")
"""The options that may be given as a list of items."""

_FLAGS: Final = ("announce_forced", "cancellation")
_DIRECTIONS: Final[Mapping[str, PassDirection]] = {
    name: direction
    for direction in PassDirection
    for name in (direction.label, "LRA-"[direction - 1])
}
_WHOLE_MAX: Final = 10**18
"""Numbers beyond are not even written out."""
_CYCLE_MAX: Final = 24
_PENALTY_MAX: Final = 1_000


def parse_option(name: str, value: object) -> object:
    """
    Return the value of an option from a value or its text.

    Raises:
        RulesError: There is no such option, or it can't have this value.
    """
    text = _given_text(name, value)
    if name in NUMBERS:
        return _number(name, text)
    if name in WORDS:
        return _word(name, text)
    if name in _PARSERS:
        return _PARSERS[name](text)
    known = (*NUMBERS, *WORDS, *_PARSERS)
    hint = did_you_mean(name, known) or "`arena rules show arena --options` has all"
    raise RulesError(option=name, reason=f"no such option; {hint}")


def option_text(value: object) -> str:
    """Return the text of an option's value, as in league files and records."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        if value and all(isinstance(item, PassDirection) for item in value):
            return " ".join(item.label for item in value)
        return card_names(value) or "none"
    return str(value)


def spade_penalties(text: str) -> dict[Card, int]:
    """Return the points of spades from text like `Q:13 K:10`, or from `none`."""
    penalties: dict[Card, int] = {}
    for item in [] if text == "none" else text.split():
        rank, _, points = item.partition(":")
        penalties[parse_card(f"{rank}S")] = int(points)
    return penalties


def _given_text(name: str, value: object) -> str:
    """Return the text of a value in any of the types that may hold it."""
    if isinstance(value, list | tuple) and name in _LISTS:
        return " ".join(_item_text(name, item) for item in value)
    is_plain = value is None or isinstance(value, str | bool | int | float)
    if not is_plain or (type(value) is int and abs(value) > _WHOLE_MAX):
        reason = "is no value of an option; expected a text or a number"
        raise RulesError(option=name, value=shown(value), reason=reason)
    return option_text(value)


def _item_text(name: str, item: object) -> str:
    if isinstance(item, str):
        return item
    if isinstance(item, PassDirection) and name == "pass_cycle":
        return item.label
    if type(item) is int and 1 <= item <= PACK_SIZE and name == "removed":
        return card_name(item)
    reason = "is no item of the list; expected texts"
    raise RulesError(option=name, value=shown(item), reason=reason)


def _number(name: str, text: str) -> int | str | None:
    low, high, words = NUMBERS[name]
    if text in words:
        return None if text == "none" else text
    expected = " or ".join((f"{low} to {high}", *words))
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        reason = f"is not a whole number; expected {expected}"
        raise RulesError(option=name, value=text, reason=reason)
    number = int(text)
    if not low <= number <= high:
        reason = f"is out of range; expected {expected}"
        raise RulesError(option=name, value=text, reason=reason)
    return number


def _word(name: str, text: str) -> str | bool:
    if text not in WORDS[name]:
        reason = f"is not one of {', '.join(WORDS[name])}"
        raise RulesError(option=name, value=text, reason=reason)
    return text == "true" if name in _FLAGS else text


def _parse_cycle(text: str) -> tuple[PassDirection, ...]:
    names = text.replace(",", " ").split()
    if not 1 <= len(names) <= _CYCLE_MAX:
        reason = (
            f"names {len(names)} directions; expected 1 to {_CYCLE_MAX}, for example "
            "left right across hold"
        )
        raise RulesError(option="pass_cycle", value=text, reason=reason)
    for name in names:
        if name not in _DIRECTIONS:
            reason = "is not one of left, right, across, hold"
            raise RulesError(option="pass_cycle", value=name, reason=reason)
    return tuple(_DIRECTIONS[name] for name in names)


def _parse_removed(text: str) -> tuple[Card, ...]:
    try:
        cards = [] if text == "none" else parse_cards(text.replace(",", " "))
    except CardError as error:
        reason = f"is no list of cards: {error}"
        raise RulesError(option="removed", value=text, reason=reason) from None
    if twice := next((card for card in cards if cards.count(card) > 2), None):
        reason = f"names {card_names([twice])} more than twice"
        raise RulesError(option="removed", value=text, reason=reason)
    return tuple(sorted(cards))


def _parse_opening_card(text: str) -> str:
    try:
        return text if text == "lowest_club" else card_names([parse_card(text)])
    except CardError:
        reason = "is neither lowest_club nor a card; cards are written like QS"
        raise RulesError(option="opening_card", value=text, reason=reason) from None


def _parse_spade_penalties(text: str) -> str:
    """Return the penalties in one spelling, the dearest rank first."""
    items = [] if text == "none" else text.upper().replace(",", " ").split()
    for item in items:
        if not re.fullmatch(f"(10|[{RANKS}]):[1-9][0-9]{{0,3}}", item):
            reason = "is not like Q:13 K:10 A:7, nor none"
            raise RulesError(option="spade_penalties", value=text, reason=reason)
    points = spade_penalties(" ".join(items) or "none")
    if len(points) < len(items) or max(points.values(), default=0) > _PENALTY_MAX:
        reason = f"names a rank twice, or more than {_PENALTY_MAX} points"
        raise RulesError(option="spade_penalties", value=text, reason=reason)
    return _penalties_text(points.items()) or "none"


def _penalties_text(points: Iterable[tuple[Card, int]]) -> str:
    ordered = sorted(points, key=lambda item: (-item[1], item[0]))
    return " ".join(f"{card_names([card])[0]}:{value}" for card, value in ordered)


def _parse_exact_hit(text: str) -> str:
    if text in ("none", "to_zero", "wins"):
        return text
    if re.fullmatch(r"minus_[1-9][0-9]{0,5}", text):
        return text
    reason = "is not none, to_zero, wins or an amount like minus_50"
    raise RulesError(option="exact_hit", value=text, reason=reason)


_PARSERS: Final[Mapping[str, Callable[[str], object]]] = {
    "removed": _parse_removed,
    "pass_cycle": _parse_cycle,
    "opening_card": _parse_opening_card,
    "spade_penalties": _parse_spade_penalties,
    "exact_hit": _parse_exact_hit,
}
