"""
The tags of the written notation: what each says of a game, as members of a record.

A `Draft` takes the tags and cards of one game in the order of the text. It checks
their form only; whether a number is in its range is seen when the record is made.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeAlias

from arena.cards import Card, CardError, card_names, parse_card
from arena.excerpt import cut, shown
from arena.missed import MISSED_KEYS
from arena.notation_text import NotationError, Word

Members: TypeAlias = dict[str, Any]
"""Members of a JSON object, not checked yet."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag: its name and the words after it."""

    name: str
    line: int
    """Where it begins."""
    values: tuple[Word, ...]

    def fail(self, reason: str) -> NoReturn:
        """Refuse the tag."""
        raise NotationError(line=self.line, reason=f"[{cut(self.name)}]: {reason}")

    def text(self) -> str:
        """Return all values as one text; words in quotes are as good as without."""
        return " ".join(value.text for value in self.values)

    def words(self) -> list[str]:
        """Return the words of all values."""
        return self.text().split()

    def pairs(self, values: tuple[Word, ...], *keys: str) -> Members:
        """Return keys with the value after each, and refuse other keys."""
        found: Members = {}
        for key, value in zip(values[::2], values[1::2], strict=False):
            if key.text not in keys or key.text in found:
                self.fail(
                    f"{shown(key.text)} is unknown or stands twice{_expected(keys)}"
                )
            found[key.text] = value.text
        if len(values) % 2:
            self.fail(f"no value for {shown(values[-1].text)}{_expected(keys)}")
        return found


def _expected(keys: tuple[str, ...]) -> str:
    return f"; expected {', '.join(keys)}, each with a value"


@dataclass(frozen=True, slots=True)
class Lead:
    """A leader as the text names it."""

    deal: int
    """The place of the deal in the game, from 0."""
    place: int
    """How many cards of the deal come before."""
    seat: int
    line: int


@dataclass(slots=True)
class Draft:
    """What the text of one game says."""

    game: Members = field(default_factory=dict)
    """By the path in the record, such as `rules.preset`."""
    options: Members = field(default_factory=dict)
    seats: dict[int, Members] = field(default_factory=dict)
    deals: list[Members] = field(default_factory=list)
    lists: dict[str, list[Any]] = field(
        default_factory=lambda: {
            path: []
            for path in ("faults", "given_up", "notes", "times.missed", "times.turns")
        }
    )
    places: dict[str, Tag] = field(default_factory=dict)
    """The tag that says what stands at a path of the record."""
    leads: list["Lead"] = field(default_factory=list)
    """Where the text names the leader of a trick."""

    def add(self, tag: Tag) -> None:
        """
        Take a tag.

        Raises:
            NotationError: The tag is unknown, stands twice, or has another form.
        """
        name = tag.name.lower()
        if name in _GAME_TAGS:
            path, read = _GAME_TAGS[name]
            self._put(self.game, path, path, tag, read)
        elif name in _DEAL_TAGS:
            self._add_to_deal(tag, *_DEAL_TAGS[name])
        elif name in _LIST_TAGS:
            path, read = _LIST_TAGS[name]
            found = self.lists[path]
            self.places[f"{path}[{len(found)}]"] = tag
            found.append(read(tag))
        elif name == "option":
            self._add_option(tag)
        elif name == "seat":
            self._add_seat(tag)
        elif name == "turns":
            self._add_turns(tag)
        else:
            tag.fail(f"is no tag; the tags are {', '.join(TAG_NAMES)}")

    def lead(self, seat: int, line: int) -> None:
        """Take the leader of a trick, whose cards come next."""
        place = len(self.deals[-1].get("plays", ())) if self.deals else 0
        self.leads.append(Lead(len(self.deals) - 1, place, seat, line))

    def play(self, card: Card, line: int) -> None:
        """Take a card that is played."""
        if not self.deals or "hands" not in self.deals[-1]:
            reason = "a card is played before a deal; expected [Deal …] with the hands"
            raise NotationError(line=line, reason=reason)
        self.deals[-1].setdefault("plays", []).append(card)

    def _put(
        self, members: Members, name: str, path: str, tag: Tag, read: "_Read"
    ) -> None:
        if name in members:
            first = self.places[path].line
            tag.fail(f"stands twice, first in line {first}{_TWICE.get(name, '')}")
        self.places[path] = tag
        members[name] = read(tag)

    def _add_to_deal(self, tag: Tag, name: str, read: "_Read") -> None:
        if name in _DEAL_OPENERS and (
            not self.deals or name in self.deals[-1] or self._is_begun()
        ):
            self.deals.append({})
            self.places[f"deals[{len(self.deals) - 1}]"] = tag
        if not self.deals:
            tag.fail("stands before the first deal; expected [Deal …] with the hands")
        path = f"deals[{len(self.deals) - 1}].{name}"
        self._put(self.deals[-1], name, path, tag, read)

    def _is_begun(self) -> bool:
        """Tell whether the last deal has hands, and something that comes after."""
        return "hands" in self.deals[-1] and bool(_BODY & self.deals[-1].keys())

    def _add_option(self, tag: Tag) -> None:
        if len(tag.values) < 2:
            tag.fail("expected a name and a value, such as [Option target 50]")
        name = tag.values[0].text
        value = Tag(tag.name, tag.line, tag.values[1:])
        self._put(self.options, name, f"rules.overrides.{name}", value, Tag.text)

    def _add_seat(self, tag: Tag) -> None:
        seat, *rest = tag.values or (None,)
        if seat is None or not re.fullmatch("[0-9]{1,2}", seat.text) or not rest:
            tag.fail('expected a seat and a name, such as [Seat 0 "careful"]')
        number = int(seat.text)
        if number in self.seats:
            tag.fail(f"seat {number} stands twice")
        pairs = tag.pairs(tuple(rest[1:]), "version", "owner")
        self.places[f"seats[{number}]"] = tag
        self.seats[number] = {"bot": rest[0].text, **pairs}

    def _add_turns(self, tag: Tag) -> None:
        number, *words = tag.words() or [""]
        found = self.lists["times.turns"]
        if number != str(len(found) + 1):
            tag.fail(
                f"expected the times of deal {len(found) + 1}, got {shown(number)}"
            )
        self.places[f"times.turns[{len(found)}]"] = tag
        found.append([times for word in words for times in _times(tag, word)])


_Read: TypeAlias = Callable[[Tag], Any]


def _number(text: str) -> int | str:
    """Return a number, or what stands in its place for the check of its range."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,12}", text) else text


def _one_number(tag: Tag) -> int | str:
    return _number(tag.text())


def _numbers(tag: Tag) -> list[int | str] | None:
    return None if _is_none(tag) else [_number(word) for word in tag.words()]


def _is_none(tag: Tag) -> bool:
    """Tell whether a tag says that there is nothing, so that nothing is filled in."""
    return _lower(tag) == "none"


def _lower(tag: Tag) -> str:
    return tag.text().lower()


def _direction(tag: Tag) -> str:
    word = _lower(tag)
    letters = {"l": "left", "r": "right", "a": "across", "h": "hold", "-": "hold"}
    return letters.get(word, word)


def _result(tag: Tag) -> str | None:
    word = _lower(tag)
    return None if word == "*" else word


def _flag(tag: Tag) -> bool | str:
    word = _lower(tag)
    return {"yes": True, "true": True, "no": False, "false": False}.get(word, word)


def _time_control(tag: Tag) -> Members:
    pairs = tag.pairs(tag.values, "bank_ms", "increment_ms", "turn_limit_ms")
    return {name: _number(text) for name, text in pairs.items()}


def _moon(tag: Tag) -> Members | None:
    words = tag.words()
    if _is_none(tag):
        return None
    if len(words) != 2:
        tag.fail("expected a seat and a choice, such as [Moon 0 add]")
    return {"seat": _number(words[0]), "choice": words[1].lower()}


def _fault(tag: Tag) -> Members:
    words = [value.text for value in tag.values]
    start = words.index("offered") if "offered" in words else len(words)
    offered = " ".join(words[start + 1 :]).split()
    cards = card_names(_card(tag, word) for word in offered)
    place = _place(Tag(tag.name, tag.line, tag.values[:start]), "reason")
    return {"kind": place.pop("first"), "reason": "", **place, "offered": cards}


def _given_up(tag: Tag) -> Members:
    place = _place(tag)
    return {"cause": place.pop("first"), **place}


def _note(tag: Tag) -> Members:
    if len(tag.values) != 7:
        tag.fail('expected a place and a text, such as deal 1 trick 2 seat 0 "well"')
    place = _place(Tag(tag.name, tag.line, (tag.values[6], *tag.values[:6])))
    return {"text": place.pop("first"), **place}


def _missed(tag: Tag) -> Members:
    pairs = tag.pairs(tag.values, *MISSED_KEYS)
    numbers = {key: _number(text) for key, text in pairs.items() if key != "end"}
    return {**dict.fromkeys(MISSED_KEYS), **pairs, **numbers}


def _place(tag: Tag, *more: str) -> Members:
    """Return the first value, and deal, trick and seat after it."""
    keys = ("deal", "trick", "seat")
    pairs = tag.pairs(tag.values[1:], *keys, *more)
    if not tag.values or not pairs.keys() >= {*keys}:
        tag.fail(
            "the place is missing; expected for example late deal 1 trick 2 seat 0"
        )
    numbers = {key: _number(pairs.pop(key)) for key in keys}
    return {"first": tag.values[0].text, **numbers, **pairs}


def _times(tag: Tag, word: str) -> list[list[int]]:
    found = re.fullmatch(
        r"(\d{1,10}(?:/\d{1,10}){4,5})(?:\*(\d{1,3}))?", word, re.ASCII
    )
    if found is None:
        reason = "is not the time of an answer; expected numbers such as 0/2/1/0/1"
        tag.fail(f"{shown(word)} {reason}, with *3 behind for three equal ones")
    times = [int(number) for number in found[1].split("/")]
    return [times] * int(found[2] or 1)


def _hands(tag: Tag) -> dict[int, list[Card]]:
    """Return the cards of each seat, given as suits or as names of cards."""
    hands: dict[int, list[Card]] = {}
    seat = -1
    for word in tag.words():
        mark, colon, rest = word.rpartition(":")
        if colon:
            seat = _next_seat(tag, mark, hands)
        if rest.count(".") == 3:
            if not colon:
                # As in bridge, the seats after the first need not be named.
                seat = _next_seat(tag, str(seat + 1), hands)
            hands[seat] += _suits(tag, rest)
        elif seat < 0:
            reason = "belongs to no seat; expected for example 0:AQ4.K7.J93.84"
            tag.fail(f"{shown(word)} {reason}")
        elif rest := re.sub(r"(~|\?[a-z]?)*$", "", rest):
            hands[seat].append(_card(tag, rest))
    return hands


def _passed(tag: Tag) -> dict[int, list[Card]] | None:
    return None if _is_none(tag) else _hands(tag)


def _next_seat(tag: Tag, mark: str, hands: dict[int, list[Card]]) -> int:
    if not re.fullmatch("[0-9]{1,2}", mark) or int(mark) in hands:
        tag.fail(f"{shown(mark)} is no seat or stands twice; seats are numbers from 0")
    hands[int(mark)] = []
    return int(mark)


def _suits(tag: Tag, text: str) -> list[Card]:
    """Read spades, hearts, diamonds and clubs with dots between them."""
    cards = []
    for suit, ranks in zip("SHDC", text.split("."), strict=True):
        for rank in re.findall("10|.", ranks if ranks != "-" else ""):
            cards.append(_card(tag, rank + suit))
    return cards


def _card(tag: Tag, text: str) -> Card:
    try:
        return parse_card(text)
    except CardError as error:
        tag.fail(str(error))


_GAME_TAGS: Final[Mapping[str, tuple[str, _Read]]] = {
    "game": ("game", Tag.text),
    "format": ("format", Tag.text),
    "league": ("league", Tag.text),
    "block": ("block", _one_number),
    "attempt": ("attempt", _one_number),
    "rules": ("rules.preset", Tag.text),
    "players": ("rules.players", _one_number),
    "ruleshash": ("rules.hash", _lower),
    "sequenceseed": ("sequence_seed", _lower),
    "tablekey": ("table_key", _lower),
    "timecontrol": ("time_control", _time_control),
    "faultsmax": ("faults_max", _one_number),
    "standin": ("stand_in", Tag.text),
    "opendeals": ("open_deals", _flag),
    "hash": ("hash", _lower),
    "result": ("ending", _result),
    "finaltotals": ("totals", _numbers),
    "places": ("places", _numbers),
    "started": ("times.started", Tag.text),
    "ended": ("times.ended", Tag.text),
}
"""Where each tag that stands once in a game belongs, and how it is read."""

_DEAL_TAGS: Final[Mapping[str, tuple[str, _Read]]] = {
    "dealer": ("dealer", _one_number),
    "pass": ("direction", _direction),
    "deal": ("hands", _hands),
    "passed": ("passes", _passed),
    "moon": ("moon", _moon),
    "points": ("points", _numbers),
    "totals": ("totals", _numbers),
}
"""The tags that stand once in a deal."""

_DEAL_OPENERS: Final = frozenset({"dealer", "direction", "hands"})
"""Members whose tags begin a deal, in any order."""

_BODY: Final = frozenset({"passes", "plays", "moon", "points", "totals"})
"""Members after which a deal takes no opener any more."""

_LIST_TAGS: Final[Mapping[str, tuple[str, _Read]]] = {
    "fault": ("faults", _fault),
    "givenup": ("given_up", _given_up),
    "note": ("notes", _note),
    "missed": ("times.missed", _missed),
}
"""The tags that may stand any number of times."""

_TWICE: Final[Mapping[str, str]] = {
    "game": "; a further game begins on a line of its own"
}
"""What to do about a tag that stands twice, where that can be told."""

TAG_NAMES: Final = (
    *("Game", "Format", "League", "Block", "Attempt", "Rules", "Players", "Option"),
    *("RulesHash", "Seat", "SequenceSeed", "TableKey", "TimeControl", "FaultsMax"),
    *("StandIn", "OpenDeals", "Hash", "Dealer", "Pass", "Deal", "Passed", "Moon"),
    *("Points", "Totals", "Result", "FinalTotals", "Places", "Fault", "GivenUp"),
    *("Note", "Started", "Ended", "Missed", "Turns"),
)
"""All tags as the writer spells them."""
