"""
A rule set: every option of Hearts, and what follows from the options.

A `RuleSet` is a value; a preset is only a set of options under a name. Make one
with `preset("standard", players=5, target=50)` or `parse_rules({"preset": "spot"})`.
What the engine needs while it plays is worked out once, when the value is made.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Final

from arena.cards import (
    FULL_PACK,
    HEARTS,
    PACK_SIZE,
    QUEEN_OF_SPADES,
    Card,
    CardSet,
    card_names,
    card_set,
    cards_in,
    parse_card,
    rank,
    without,
)
from arena.excerpt import shown
from arena.nearest import did_you_mean
from arena.options import (
    NUMBERS,
    MoonChoice,
    PassDirection,
    RulesError,
    option_text,
    parse_option,
    spade_penalties,
)
from arena.presets import PRESETS

__all__ = [
    "OPTIONS",
    "PRESETS",
    "MoonChoice",
    "PassDirection",
    "RuleSet",
    "RulesError",
    "option_text",
    "parse_rules",
    "preset",
]

HEART_POINTS: Final[Mapping[str, tuple[int, ...]]] = {
    "flat": (1,) * 13,
    "spot": (*range(2, 11), 10, 10, 10, 15),
    "rank": tuple(range(2, 15)),
    "pips10": (*range(2, 11), 10, 10, 10, 10),
    "face": (*(1,) * 9, 2, 3, 4, 5),
}
"""What hearts cost from the two to the ace, by the option `heart_values`."""

MAX_DEALS: Final = 40
"""The cap on deals that presets have, unless a game may need more."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """
    The options in force, by default those of the preset `arena`.

    The meaning of every option and value stands in `docs/rules.md`.

    Raises:
        RulesError: A value is impossible or contradicts another option.
    """

    preset: str = field(default="arena", compare=False)
    """The name the options came under; equal options are equal rules."""
    players: int = 4
    packs: int = 1
    removed: tuple[Card, ...] = ()
    """Cards taken out so that the deal comes out even."""
    leftover: str = "remove"
    """What becomes of cards that can't be dealt evenly."""
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
    bonus_value: int = -10
    bonus_floor: str = "none"
    moon: str = "add"
    moon_value: int | str = "total"
    moon_floor: str = "none"
    """With `zero` a subtraction leaves no total below min(0, the total before)."""
    moon_needs_bonus: str = "false"
    moon_bonus: str = "keep"
    sun: str = "off"
    sun_value: int | str = "double"
    target: int = 100
    end_when: str = "reach"
    tie: str = "further_deals"
    """What an equal lowest total does at the end."""
    tie_recheck: str = "finish_condition"
    exact_hit: str = "none"
    winner_pool: str = "all"
    max_deals: int | None = MAX_DEALS
    """After so many deals the totals decide, ties shared; None for no cap."""
    moon_default: str = "add"
    """What is chosen for a seat that does not choose itself."""

    # What follows from the options, worked out once. Sets are faces, every card
    # once, unless it says otherwise.
    pack: CardSet = field(init=False, repr=False, compare=False)
    """All cards in play, those of a double pack twice."""
    hand_size: int = field(init=False, repr=False, compare=False)
    """How many cards each seat is dealt, and so how many tricks a deal has."""
    kitty_size: int = field(init=False, repr=False, compare=False)
    """How many cards are left over and go with a trick."""
    opening: Card = field(init=False, repr=False, compare=False)
    """The card that decides the first lead."""
    banned: CardSet = field(init=False, repr=False, compare=False)
    """What may not be played to trick one."""
    banned_void: CardSet = field(init=False, repr=False, compare=False)
    """The same for a hand without clubs."""
    penalties: CardSet = field(init=False, repr=False, compare=False)
    """All cards that cost points."""
    penalty_cards: CardSet = field(init=False, repr=False, compare=False)
    """The same with both copies, where the pack has them: what the moon takes."""
    dear_penalties: CardSet = field(init=False, repr=False, compare=False)
    """The cards that cost more than one point."""
    bonus_cards: CardSet = field(init=False, repr=False, compare=False)
    """The bonus card with all its copies; empty without one."""
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
    moon_points: int = field(init=False, repr=False, compare=False)
    """What the moon is worth, without a bonus card that is folded in; 0 for none."""
    sun_points: int = field(init=False, repr=False, compare=False)
    """What the sun is worth, likewise."""
    hash: str = field(init=False, repr=False, compare=False)
    """SHA-256 over all options, in hexadecimal; equal rules have equal hashes."""

    def __post_init__(self) -> None:
        _check_preset(self.preset)
        for name in OPTIONS:
            value = parse_option(name, getattr(self, name))
            object.__setattr__(self, name, value)
        for derived in (_cards_derived, _play_derived):
            for name, value in derived(self).items():
                object.__setattr__(self, name, value)
        for option, reason in _contradictions(self):
            text = option_text(getattr(self, option))
            raise RulesError(option=option, value=text, reason=reason)

    @property
    def folds_bonus(self) -> bool:
        """Whether a shooter's bonus cards make the moon or sun worth more."""
        return self.bonus_card != "none" and (
            self.moon_bonus == "fold" or self.moon_needs_bonus == "for_full_value"
        )

    @property
    def overrides(self) -> dict[str, str]:
        """Return as text the options that make these rules from the preset."""
        base = _preset_options(self.preset, self.players)
        differing = {name for name in OPTIONS if getattr(self, name) != base[name]}
        is_known_table = self.players in PRESETS[self.preset].seats
        # With a kitty the preset's trim falls away; without one another number of
        # seats needs a trim, even if that takes nothing out.
        if base["removed"] if self.leftover != "remove" else not is_known_table:
            differing.add("removed")
        return {
            name: option_text(getattr(self, name))
            for name in OPTIONS
            if name in differing
        }

    @property
    def options(self) -> dict[str, str]:
        """Return every option as text, by name."""
        return {name: option_text(getattr(self, name)) for name in OPTIONS}

    def direction(self, deal_index: int) -> PassDirection:
        """Return where the cards of a deal go; the first deal has index 0."""
        if not self.pass_count:
            return PassDirection.HOLD
        return self.pass_cycle[deal_index % len(self.pass_cycle)]


OPTIONS: Final = tuple(
    item.name for item in fields(RuleSet) if item.init and item.name != "preset"
)
"""The names of all options."""


def preset(name: str, /, *, players: int | None = None, **overrides: object) -> RuleSet:
    """
    Return the rules of a preset with single options changed.

    Args:
        name: One of `PRESETS`.
        players: How many seats the table has; by default 4 where the preset is
            made for 4, else its fewest.
        overrides: Options by name, as values or as text.

    Raises:
        RulesError: The preset or an option does not exist, a value is impossible,
            or the preset is not made for so many seats.
    """
    _check_preset(name)
    made_for = PRESETS[name].seats
    if players is None:
        players = 4 if 4 in made_for else made_for[0]
    has_kitty = overrides.get("leftover", "remove") != "remove"
    if players not in made_for and not has_kitty and "removed" not in overrides:
        seats = " to ".join(map(str, sorted({made_for[0], made_for[-1]})))
        two_packs = PRESETS[name].options.get("packs") == "2"
        others = "6 to 11" if two_packs else "3 to 7"
        reason = (
            f"is not what the preset {name} is made for: {seats}; another number of "
            f"{others} needs `removed`, or a `leftover` that is a kitty"
        )
        raise RulesError(option="players", value=players, reason=reason)
    options = _preset_options(name, players)
    if has_kitty:
        options["removed"] = ()
    for option, value in overrides.items():
        options[option] = parse_option(option, value)
    if "max_deals" not in overrides:
        options["max_deals"] = _usual_max_deals(options)
    return RuleSet(preset=name, **options)  # type: ignore[arg-type]


def parse_rules(mapping: Mapping[str, object]) -> RuleSet:
    """
    Read rules from a league file's table: `preset`, `players` and options.

    Raises:
        RulesError: A key is no option, or its value is impossible.
    """
    options = dict(mapping)
    for option in options:
        if not isinstance(option, str):
            reason = "no such option; the names of options are texts"
            raise RulesError(option=shown(option), reason=reason)
    name = options.pop("preset", "arena")
    _check_preset(name)
    assert isinstance(name, str)
    players = options.pop("players", None)
    if players is not None:
        players = parse_option("players", players)
    assert players is None or isinstance(players, int)
    return preset(name, players=players, **options)


def _check_preset(name: object) -> None:
    if not isinstance(name, str):
        reason = "is not a preset; expected its name"
        raise RulesError(option="preset", value=shown(name), reason=reason)
    if name not in PRESETS:
        hint = " ".join((did_you_mean(name, PRESETS), "`arena rules list` has all"))
        reason = f"is not a preset; {hint.strip()}"
        raise RulesError(option="preset", value=name, reason=reason)


def _preset_options(name: str, players: int) -> dict[str, object]:
    """Return every option of a preset, for any number of seats."""
    options: dict[str, object] = {
        item.name: item.default for item in fields(RuleSet) if item.name in OPTIONS
    }
    for option, text in PRESETS[name].options_for(players).items():
        options[option] = parse_option(option, text)
    options["players"] = parse_option("players", players)
    if players not in PRESETS[name].seats and players % 2:
        cycle = str(option_text(options["pass_cycle"])).replace("across ", "")
        options["pass_cycle"] = parse_option("pass_cycle", cycle)
    options["max_deals"] = _usual_max_deals(options)
    return options


def _usual_max_deals(options: Mapping[str, object]) -> int:
    """
    Return `MAX_DEALS`, or after how many deals somebody must have met the target.

    That is true of games in which totals only grow; a cap below it would end most
    of them. No cap is higher than what the option allows.
    """
    players, packs, target = (
        int(str(options[name])) for name in ("players", "packs", "target")
    )
    total = packs * sum(_card_points(options))
    longest = -(-(players * (target - 1) + 1) // total)
    _, most, _ = NUMBERS["max_deals"]
    return min(max(MAX_DEALS, longest), most)


def _card_points(options: Mapping[str, object]) -> list[int]:
    points = [0] * (PACK_SIZE + 1)
    for card in cards_in(HEARTS):
        points[card] = HEART_POINTS[str(options["heart_values"])][rank(card)]
    for card, value in spade_penalties(str(options["spade_penalties"])).items():
        points[card] = value
    return points


def _cards_derived(rules: RuleSet) -> dict[str, object]:
    """Return what follows for the pack and the points."""
    pack = FULL_PACK if rules.packs == 1 else FULL_PACK | FULL_PACK << PACK_SIZE
    removed = card_set(rules.removed)
    if removed & ~pack:
        reason = "names a card twice, but there is one pack"
        raise RulesError(
            option="removed", value=card_names(rules.removed), reason=reason
        )
    pack = without(pack, removed)
    points = _card_points({name: getattr(rules, name) for name in OPTIONS})
    penalties = card_set(card for card, value in enumerate(points) if value)
    cards = cards_in(pack)
    total = sum(points[card] for card in cards)
    moon = total if rules.moon_value == "total" else int(rules.moon_value)
    sun = {"double": 2 * moon, "same": moon}.get(str(rules.sun_value), rules.sun_value)
    bonus = 0 if rules.bonus_card == "none" else _copies(parse_card(rules.bonus_card))
    return {
        "pack": pack,
        "hand_size": len(cards) // rules.players,
        "kitty_size": len(cards) % rules.players,
        "opening": cards[0]
        if rules.opening_card == "lowest_club"
        else parse_card(rules.opening_card),
        "penalties": penalties,
        "penalty_cards": pack & (penalties | penalties << PACK_SIZE),
        "dear_penalties": card_set(c for c, value in enumerate(points) if value > 1),
        "bonus_cards": pack & bonus,
        "card_points": tuple(points),
        "total_points": total,
        "moon_points": 0 if rules.moon == "off" else moon,
        "sun_points": 0 if rules.sun == "off" else sun,
    }


def _copies(card: Card) -> CardSet:
    return 1 << card | 1 << card + PACK_SIZE


def _play_derived(rules: RuleSet) -> dict[str, object]:
    """Return what follows for the legal cards."""
    queen = 1 << QUEEN_OF_SPADES
    breakers = HEARTS if rules.break_on == "heart_played" else 0
    if rules.queen_breaks == "played":
        breakers |= queen
    discarded = HEARTS | (queen if rules.queen_breaks == "discarded" else 0)
    kept = HEARTS if rules.hearts_lead == "must_break" else 0
    if rules.queen_lead == "after_broken":
        kept |= queen
    banned = {"none": 0, "hearts": HEARTS}.get(rules.first_trick_ban, rules.penalties)
    return {
        "banned": banned,
        "banned_void": 0 if rules.first_trick_ban == "unless_no_clubs" else banned,
        "breakers": breakers,
        "discard_breakers": discarded & ~breakers,
        "lead_until_broken": FULL_PACK & ~kept,
        "hash": _options_hash(rules),
    }


def _contradictions(rules: RuleSet) -> Iterator[tuple[str, str]]:
    """Yield the options that contradict others, and why."""
    yield from _pack_contradictions(rules)
    if rules.cancellation and rules.packs == 1:
        yield "cancellation", "needs packs 2: in one pack no two cards are equal"
    if PassDirection.ACROSS in rules.pass_cycle and rules.players % 2:
        yield "pass_cycle", f"passes across, but {rules.players} seats have no opposite"
    if rules.pass_count > rules.hand_size:
        yield "pass_count", f"is more than the {rules.hand_size} cards of a hand"
    if rules.opening_leader == "eldest" and rules.opening_play == "that_card":
        # The dealer's left neighbour may not hold the opening card.
        yield "opening_leader", "needs opening_play any or any_of_suit"
    if rules.moon_needs_bonus != "false" and rules.bonus_card == "none":
        yield "moon_needs_bonus", "needs a bonus_card"
    if rules.moon_needs_bonus == "for_full_value" and rules.moon_bonus == "drop":
        yield "moon_bonus", "leaves moon_needs_bonus for_full_value without effect"


def _pack_contradictions(rules: RuleSet) -> Iterator[tuple[str, str]]:
    players, removed = rules.players, card_set(rules.removed)
    if rules.packs == 1 and players > 7:
        yield "players", "needs packs 2; one pack is for 3 to 7"
    if rules.packs == 2 and players < 6:
        yield "packs", f"is for 6 to 11 seats, not for {players}"
    kept = rules.penalties
    if rules.bonus_card != "none":
        kept |= 1 << parse_card(rules.bonus_card)
    if wrong := removed & kept:
        names = card_names(cards_in(wrong))
        yield "removed", f"takes out {names}; hearts, penalty and bonus cards stay"
    if not rules.pack >> rules.opening & 1:
        yield "opening_card", "is not in the pack; another card must open"
    if rules.kitty_size and rules.leftover == "remove":
        count = rules.hand_size * players + rules.kitty_size
        known = " no trim is known for more than 8 seats;" if players > 8 else ""
        reason = (
            f"do not divide the {count} cards of the pack;{known} take out "
            f"{rules.kitty_size} by `removed`, or make them a kitty by `leftover`"
        )
        yield "players", reason


def _options_hash(rules: RuleSet) -> str:
    text = json.dumps(rules.options, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
