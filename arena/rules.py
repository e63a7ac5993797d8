"""
A rule set: every option of Hearts, and what follows from the options.

A `RuleSet` is a value; a preset is only a set of options under a name. Make one
with `preset("arena", target=50)` or `parse_rules({"preset": "arena"})`. Options
that only variants to come need have their place here, and their other values are
refused with a reason.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import IntEnum
from types import MappingProxyType
from typing import Final

from arena.cards import (
    FULL_PACK,
    HEARTS,
    PACK_SIZE,
    QUEEN_OF_SPADES,
    Card,
    CardError,
    CardSet,
    card_names,
    card_set,
    parse_card,
)


class RulesError(ValueError):
    """An option that does not exist or a value that it can't have."""

    def __init__(self, *, option: str, value: object, reason: str) -> None:
        super().__init__(f"rules.{option}: {str(value)!r} {reason}")
        self.option = option
        self.value = value
        self.reason = reason


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
    """How the moon scores, with the numbers of the wire."""

    ADD = 1
    SUBTRACT = 2

    @property
    def label(self) -> str:
        """Return the name for people and records, `add` or `subtract`."""
        return self.name.lower()


# What each option of words may be: the values that can be played, the default
# first, then those that the variants to come will bring.
_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "leftover": ("remove", "kitty_first_trick kitty_first_heart"),
    "first_dealer": ("random seat0", "draw_low"),
    "opening_leader": ("holder eldest", ""),
    "opening_play": ("that_card any_of_suit any", ""),
    "first_trick_ban": ("penalties hearts unless_no_clubs none", ""),
    "first_trick_escape": ("any hearts queen", ""),
    "announce_forced": ("false", "true"),
    "hearts_lead": ("must_break free", ""),
    "break_on": ("heart_played heart_discarded", ""),
    "queen_breaks": ("no played discarded", ""),
    "unbroken_lead_exception": ("only_hearts only_penalties", ""),
    "queen_lead": ("free", "after_broken"),
    "cancellation": ("false", "true"),
    "cancel_next_leader": ("same", "next_seat"),
    "cancel_last_trick": ("leader", "second_highest nobody"),
    "heart_values": ("flat", "spot rank pips10 face"),
    "spade_penalties": ("Q:13", "Q:25 none"),
    "bonus_card": ("none", "JD TD"),
    "bonus_value": ("-10", "-5"),
    "bonus_floor": ("none", "hand total"),
    "moon": ("add choice subtract off", "auto"),
    "moon_value": ("total 26", ""),
    "moon_floor": ("none zero", ""),
    "moon_needs_bonus": ("false", "true for_full_value"),
    "moon_bonus": ("keep", "fold drop"),
    "sun": ("off", "choice add subtract"),
    "sun_value": ("double", "same"),
    "end_when": ("reach exceed", ""),
    "tie": ("further_deals draw shared", ""),
    "tie_recheck": ("finish_condition tie_only", ""),
    "exact_hit": ("none", "minus to_zero wins"),
    "winner_pool": ("all not_over", ""),
    "moon_default": ("add subtract", "best"),
}

# The least and the most of each option that is a number.
_NUMBERS: Final[Mapping[str, tuple[int, int]]] = {
    "players": (4, 4),
    "packs": (1, 1),
    "pass_count": (0, 13),
    "target": (1, 100_000),
    "max_deals": (1, 1_000),
}

_DIRECTIONS: Final[Mapping[str, PassDirection]] = {
    name: direction
    for direction in PassDirection
    for name in (direction.label, "LRA-"[direction - 1])
}


@dataclass(frozen=True, slots=True)
class RuleSet:
    """
    The options in force, by default those of the preset `arena`.

    Raises:
        RulesError: A value is impossible, can't be played yet, or contradicts
            another option.
    """

    preset: str = field(default="arena", compare=False)
    """The name the options came under; equal options are equal rules."""
    players: int = 4
    packs: int = 1
    removed: tuple[Card, ...] = ()
    """Cards taken out so that the deal comes out even."""
    leftover: str = "remove"
    first_dealer: str = "random"
    pass_count: int = 3
    """How many cards each seat passes; 0 for a game without passing."""
    pass_cycle: tuple[PassDirection, ...] = (
        PassDirection.LEFT,
        PassDirection.RIGHT,
        PassDirection.ACROSS,
        PassDirection.HOLD,
    )
    """The directions of deals 1, 2, 3 and so on, then from the first again."""
    opening_leader: str = "holder"
    """Who leads to trick one: the opening card's holder, or the dealer's left."""
    opening_card: str = "lowest_club"
    opening_play: str = "that_card"
    first_trick_ban: str = "penalties"
    first_trick_escape: str = "any"
    """What a hand of banned cards only may play to trick one."""
    announce_forced: bool = False
    hearts_lead: str = "must_break"
    break_on: str = "heart_played"
    queen_breaks: str = "no"
    unbroken_lead_exception: str = "only_hearts"
    queen_lead: str = "free"
    cancellation: bool = False
    cancel_next_leader: str = "same"
    cancel_last_trick: str = "leader"
    heart_values: str = "flat"
    spade_penalties: str = "Q:13"
    bonus_card: str = "none"
    bonus_value: str = "-10"
    bonus_floor: str = "none"
    moon: str = "add"
    moon_value: str = "total"
    moon_floor: str = "none"
    """With `zero` a subtraction leaves no total below min(0, the total before)."""
    moon_needs_bonus: str = "false"
    moon_bonus: str = "keep"
    sun: str = "off"
    sun_value: str = "double"
    target: int = 100
    end_when: str = "reach"
    tie: str = "further_deals"
    """What an equal lowest total does at the end."""
    tie_recheck: str = "finish_condition"
    exact_hit: str = "none"
    winner_pool: str = "all"
    max_deals: int | None = 40
    """After so many deals the totals decide, ties shared; None for no cap."""
    moon_default: str = "add"
    """What is chosen for a seat that does not choose itself."""

    # What follows from the options, worked out once.
    pack: CardSet = field(init=False, repr=False, compare=False)
    """All cards in play."""
    hand_size: int = field(init=False, repr=False, compare=False)
    """How many cards each seat is dealt, and so how many tricks a deal has."""
    opening: Card = field(init=False, repr=False, compare=False)
    """The card that decides the first lead."""
    penalties: CardSet = field(init=False, repr=False, compare=False)
    """All cards that cost points."""
    dear_penalties: CardSet = field(init=False, repr=False, compare=False)
    """The cards that cost more than one point."""
    breakers: CardSet = field(init=False, repr=False, compare=False)
    """The cards that break hearts however they are played."""
    discard_breakers: CardSet = field(init=False, repr=False, compare=False)
    """The cards that break hearts when they don't follow the suit led."""
    lead_until_broken: CardSet = field(init=False, repr=False, compare=False)
    """What may be led before hearts are broken, by whoever holds any of it."""
    card_points: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """The penalty points of each card, by the card's number."""
    total_points: int = field(init=False, repr=False, compare=False)
    """The penalty points of one deal."""
    hash: str = field(init=False, repr=False, compare=False)
    """SHA-256 over all options, in hexadecimal; equal rules have equal hashes."""

    def __post_init__(self) -> None:
        _check_preset(self.preset)
        for name in OPTIONS:
            _parse_option(name, getattr(self, name))
        pack = FULL_PACK
        opening = 1 if self.opening_card == "lowest_club" else _card(self.opening_card)
        penalties = pack & HEARTS | 1 << QUEEN_OF_SPADES
        points = [penalties >> card & 1 for card in range(PACK_SIZE + 1)]
        points[QUEEN_OF_SPADES] = 13
        hearts = pack & HEARTS
        breakers = hearts if self.break_on == "heart_played" else 0
        if self.queen_breaks == "played":
            breakers |= 1 << QUEEN_OF_SPADES
        discarded = 1 << QUEEN_OF_SPADES if self.queen_breaks == "discarded" else 0
        derived = {
            "breakers": breakers,
            "discard_breakers": (hearts | discarded) & ~breakers,
            "lead_until_broken": pack if self.hearts_lead == "free" else pack & ~hearts,
            "pack": pack,
            "hand_size": pack.bit_count() // self.players,
            "opening": opening,
            "penalties": penalties,
            "dear_penalties": card_set(
                card for card in range(PACK_SIZE + 1) if points[card] > 1
            ),
            "card_points": tuple(points),
            "total_points": sum(points),
            "hash": _options_hash(self),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)
        _check_together(self)

    @property
    def overrides(self) -> dict[str, str]:
        """Return as text the options in which the rules differ from the preset."""
        base = preset(self.preset, players=self.players)
        return {
            name: option_text(getattr(self, name))
            for name in OPTIONS
            if getattr(self, name) != getattr(base, name)
        }

    @property
    def moon_points(self) -> int:
        """Return what the moon is worth."""
        return self.total_points if self.moon_value == "total" else 26

    def direction(self, deal_index: int) -> PassDirection:
        """Return where the cards of a deal go; the first deal has index 0."""
        if not self.pass_count:
            return PassDirection.HOLD
        return self.pass_cycle[deal_index % len(self.pass_cycle)]


OPTIONS: Final = tuple(
    item.name for item in fields(RuleSet) if item.init and item.name != "preset"
)
"""The names of all options."""

PRESETS: Final[Mapping[str, Mapping[str, object]]] = MappingProxyType(
    {"arena": MappingProxyType({})}
)
"""What each preset changes in the defaults."""


def preset(name: str, *, players: int = 4, **overrides: object) -> RuleSet:
    """
    Return the rules of a preset with single options changed.

    Args:
        name: One of `PRESETS`.
        players: How many seats the table has.
        overrides: Options by name, as values or as text.

    Raises:
        RulesError: The preset or an option does not exist, or a value is
            impossible.
    """
    _check_preset(name)
    options = {**PRESETS[name], **overrides}
    parsed = {option: _parse_option(option, value) for option, value in options.items()}
    _parse_option("players", players)
    return RuleSet(preset=name, players=players, **parsed)  # type: ignore[arg-type]


def parse_rules(mapping: Mapping[str, object]) -> RuleSet:
    """
    Read rules from a league file's table: `preset`, `players` and options.

    Raises:
        RulesError: A key is no option, or its value is impossible.
    """
    options = dict(mapping)
    name = options.pop("preset", "arena")
    players = _parse_option("players", options.pop("players", 4))
    assert isinstance(players, int)
    return preset(str(name), players=players, **options)


def option_text(value: object) -> str:
    """Return the text of an option's value, as in league files and records."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        if all(isinstance(item, PassDirection) for item in value) and value:
            return " ".join(item.label for item in value)
        return card_names(value)
    return str(value)


def _parse_option(name: str, value: object) -> object:
    """Return the value of an option from a value or its text."""
    if name not in OPTIONS:
        raise RulesError(option=name, value=value, reason="is set, but is no option")
    if isinstance(value, list):
        value = " ".join(str(item) for item in value)
    text = option_text(value)
    if name in _NUMBERS:
        return _parse_number(name, text)
    if name in _WORDS:
        return _parse_word(name, text)
    if name == "pass_cycle":
        return _parse_cycle(text)
    if name == "opening_card":
        return text if text == "lowest_club" else card_names([_card(text)])
    if text:
        reason = "arrives with a later version; now no card can be removed"
        raise RulesError(option=name, value=text, reason=reason)
    return ()


def _parse_number(name: str, text: str) -> int | None:
    low, high = _NUMBERS[name]
    if name == "max_deals" and text == "none":
        return None
    expected = f"{low} to {high}" if low < high else f"{low} in this version"
    try:
        number = int(text)
    except ValueError:
        reason = f"is not a whole number; expected {expected}"
        raise RulesError(option=name, value=text, reason=reason) from None
    if not low <= number <= high:
        reason = f"is out of range; expected {expected}"
        raise RulesError(option=name, value=text, reason=reason)
    return number


def _parse_word(name: str, text: str) -> str | bool:
    playable, later = _WORDS[name]
    if text in playable.split():
        return text == "true" if name in ("announce_forced", "cancellation") else text
    expected = ", ".join(playable.split())
    reason = f"is not one of {expected}"
    if text in later.split():
        reason = f"arrives with a later version; now: {expected}"
    raise RulesError(option=name, value=text, reason=reason)


def _parse_cycle(text: str) -> tuple[PassDirection, ...]:
    names = text.replace(",", " ").split()
    for name in names:
        if name not in _DIRECTIONS:
            reason = "is not one of left, right, across, hold"
            raise RulesError(option="pass_cycle", value=name, reason=reason)
    if not names:
        reason = "names no direction; expected for example left right across hold"
        raise RulesError(option="pass_cycle", value=text, reason=reason)
    return tuple(_DIRECTIONS[name] for name in names)


def _card(text: str) -> Card:
    try:
        return parse_card(text)
    except CardError:
        reason = "is neither lowest_club nor a card; cards are written like QS"
        raise RulesError(option="opening_card", value=text, reason=reason) from None


def _check_preset(name: str) -> None:
    if name not in PRESETS:
        known = ", ".join(PRESETS)
        reason = f"is not a preset of this version; it has: {known}"
        raise RulesError(option="preset", value=name, reason=reason)


def _check_together(rules: RuleSet) -> None:
    """Refuse options that contradict each other."""
    if rules.opening_leader == "eldest" and rules.opening_play == "that_card":
        # The dealer's left neighbour may not hold the opening card.
        reason = "needs opening_play any or any_of_suit"
        raise RulesError(option="opening_leader", value="eldest", reason=reason)


def _options_hash(rules: RuleSet) -> str:
    options = {name: option_text(getattr(rules, name)) for name in OPTIONS}
    text = json.dumps(options, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
