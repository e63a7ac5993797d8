"""All options of one game of Hearts, and the reading of them from text."""

from collections import Counter
from dataclasses import dataclass

from tests.reference.cards import RANKS, SINGLE_PACK, in_order, is_card, is_heart
from tests.reference.presets import ALL_WAYS, PRESETS, TWO_AND_HOLD


class OptionsError(ValueError):
    """Options that make no game."""


DEFAULTS: dict[str, str] = {
    "packs": "1",
    "removed": "none",
    "leftover": "remove",
    "first_dealer": "random",
    "pass_count": "3",
    "pass_cycle": ALL_WAYS,
    "opening_leader": "holder",
    "opening_card": "lowest_club",
    "opening_play": "that_card",
    "first_trick_ban": "penalties",
    "first_trick_escape": "any",
    "announce_forced": "false",
    "hearts_lead": "must_break",
    "break_on": "heart_played",
    "queen_breaks": "no",
    "unbroken_lead_exception": "only_hearts",
    "queen_lead": "free",
    "cancellation": "false",
    "cancel_next_leader": "same",
    "cancel_last_trick": "leader",
    "heart_values": "flat",
    "spade_penalties": "Q:13",
    "bonus_card": "none",
    "bonus_value": "-10",
    "bonus_floor": "none",
    "moon": "add",
    "moon_value": "total",
    "moon_floor": "none",
    "moon_needs_bonus": "false",
    "moon_bonus": "keep",
    "sun": "off",
    "sun_value": "double",
    "target": "100",
    "end_when": "reach",
    "tie": "further_deals",
    "tie_recheck": "finish_condition",
    "exact_hit": "none",
    "winner_pool": "all",
    "max_deals": "40",
    "moon_default": "add",
}
"""What every option is when nobody says otherwise."""

CHOICES: dict[str, str] = {
    "packs": "1 2",
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
}
"""The options that are one of a few words."""

DIRECTIONS = {"L": "left", "R": "right", "A": "across", "-": "hold"}


@dataclass(frozen=True)
class Options:
    """All options of one game; words are kept as words."""

    players: int
    packs: int
    removed: tuple[str, ...]
    leftover: str
    first_dealer: str
    pass_count: int
    pass_cycle: tuple[str, ...]
    opening_leader: str
    opening_card: str
    opening_play: str
    first_trick_ban: str
    first_trick_escape: str
    announce_forced: bool
    hearts_lead: str
    break_on: str
    queen_breaks: str
    unbroken_lead_exception: str
    queen_lead: str
    cancellation: bool
    cancel_next_leader: str
    cancel_last_trick: str
    heart_values: str
    spade_penalties: dict[str, int]
    """What each spade costs, by the letter of its rank."""
    bonus_card: str
    bonus_value: int
    bonus_floor: str
    moon: str
    moon_value: str
    """"total" or a number."""
    moon_floor: str
    moon_needs_bonus: str
    moon_bonus: str
    sun: str
    sun_value: str
    """"double", "same" or a number."""
    target: int
    end_when: str
    tie: str
    tie_recheck: str
    exact_hit: str
    winner_pool: str
    max_deals: int | None
    moon_default: str

    @property
    def pack(self) -> list[str]:
        """All cards in play, in order; a double pack lists most cards twice."""
        left = Counter(SINGLE_PACK * self.packs) - Counter(self.removed)
        return in_order(left.elements())

    @property
    def hand_size(self) -> int:
        """How many cards each seat is dealt, and how many tricks a deal has."""
        return len(self.pack) // self.players


def options_of(preset: str, players: int, **overrides: str) -> Options:
    """Return the options of a preset for a number of seats.

    `overrides` are texts as in a league file, e.g. `removed="2C 2D"`, and win over
    the preset. Raises `OptionsError` for what makes no game.
    """
    if preset not in PRESETS:
        raise OptionsError(f"no preset {preset}")
    unknown = set(overrides) - set(DEFAULTS)
    if unknown:
        raise OptionsError(f"no options {unknown}")
    known = PRESETS[preset]
    has_kitty = overrides.get("leftover", "remove") != "remove"
    texts = DEFAULTS | known.changes
    if players in known.seats:
        texts |= known.seats[players]
    elif "removed" in overrides or has_kitty:
        if players % 2 == 1 and "pass_cycle" not in known.changes:
            texts["pass_cycle"] = TWO_AND_HOLD
        texts |= known.other_seats
    else:
        raise OptionsError(f"{preset} is not made for {players}")
    if has_kitty:
        # Nothing is trimmed: what does not come out even is the kitty.
        texts["removed"] = "none"
    options = _read(players, texts | overrides)
    _check_pack(options)
    _check_play(options)
    return options


def _read(players: int, texts: dict[str, str]) -> Options:
    for name, words in CHOICES.items():
        if texts[name] not in words.split():
            raise OptionsError(f"{name}: {texts[name]!r} is not one of {words}")
    _check_amounts(texts)
    numbers = {name: _number(name, texts[name]) for name in NUMBERS}
    typed: dict[str, object] = {
        **texts,
        **numbers,
        "players": players,
        "removed": tuple(_removed(texts["removed"])),
        "pass_cycle": tuple(_cycle(texts["pass_cycle"])),
        "spade_penalties": _spades(texts["spade_penalties"]),
        "max_deals": _max_deals(texts["max_deals"]),
        "announce_forced": texts["announce_forced"] == "true",
        "cancellation": texts["cancellation"] == "true",
    }
    return Options(**typed)  # type: ignore[arg-type]


NUMBERS = {
    "packs": (1, 2),
    "pass_count": (0, 52),
    "bonus_value": (-1000, -1),
    "target": (1, 100_000),
}
"""The options that are numbers, with the least and the greatest."""


def _number(name: str, text: str) -> int:
    least, most = NUMBERS[name]
    try:
        number = int(text)
    except ValueError:
        raise OptionsError(f"{name}: {text!r} is no number") from None
    if not least <= number <= most:
        raise OptionsError(f"{name}: {number} is not in {least}..{most}")
    return number


def _removed(text: str) -> list[str]:
    cards = [] if text == "none" else text.split()
    for card in cards:
        if not is_card(card):
            raise OptionsError(f"removed: {card!r} is no card")
    return cards


def _cycle(text: str) -> list[str]:
    directions = [DIRECTIONS.get(word, word) for word in text.split()]
    if not directions or not set(directions) <= set(DIRECTIONS.values()):
        raise OptionsError(f"pass_cycle: {text!r}")
    return directions


def _spades(text: str) -> dict[str, int]:
    penalties: dict[str, int] = {}
    for word in [] if text == "none" else text.split():
        letter, colon, points = word.partition(":")
        if letter not in RANKS or not colon or not points.isdecimal():
            raise OptionsError(f"spade_penalties: {word!r}")
        penalties[letter] = int(points)
    return penalties


def _max_deals(text: str) -> int | None:
    return None if text == "none" else _amount("max_deals", text)


def _amount(name: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise OptionsError(f"{name}: {text!r} is no amount")
    return int(text)


def _check_amounts(texts: dict[str, str]) -> None:
    if texts["moon_value"] != "total":
        _amount("moon_value", texts["moon_value"])
    if texts["sun_value"] not in ("double", "same"):
        _amount("sun_value", texts["sun_value"])
    if texts["exact_hit"] not in ("none", "to_zero", "wins"):
        word, _, number = texts["exact_hit"].partition("_")
        if word != "minus":
            raise OptionsError(f"exact_hit: {texts['exact_hit']!r}")
        _amount("exact_hit", number)


def _check_pack(options: Options) -> None:
    players, packs = options.players, options.packs
    if packs == 1 and not 3 <= players <= 7:
        raise OptionsError("one pack is for 3 to 7 seats")
    if packs == 2 and not 6 <= players <= 11:
        raise OptionsError("two packs are for 6 to 11 seats")
    for card in options.removed:
        if is_heart(card) or card == options.bonus_card:
            raise OptionsError(f"removed: {card} is needed")
        if card[1] == "S" and options.spade_penalties.get(card[0], 0) > 0:
            raise OptionsError(f"removed: {card} is a penalty card")
        if options.removed.count(card) > packs:
            raise OptionsError(f"removed: there are not so many {card}")
    if options.leftover == "remove" and len(options.pack) % players != 0:
        raise OptionsError(f"{len(options.pack)} cards for {players} seats")


def _check_play(options: Options) -> None:
    refusals = {
        "cancellation needs two packs": options.cancellation and options.packs == 1,
        "across needs an even number of seats": "across" in options.pass_cycle
        and options.players % 2 == 1,
        "more cards to pass than in a hand": options.pass_count > options.hand_size,
        "a moon that needs a bonus card needs one": options.bonus_card == "none"
        and options.moon_needs_bonus != "false",
        "the eldest may not hold the opening card": options.opening_leader == "eldest"
        and options.opening_play == "that_card",
        "a bonus card for the full value is not dropped": options.moon_bonus == "drop"
        and options.moon_needs_bonus == "for_full_value",
    }
    for reason, applies in refusals.items():
        if applies:
            raise OptionsError(reason)
    opening = options.opening_card
    if opening != "lowest_club" and not is_card(opening):
        raise OptionsError(f"opening_card: {opening!r}")
