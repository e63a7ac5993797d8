"""A turn as it goes out: the bytes of the protocol's `Turn`, from a seat's view.

Every turn that is played passes here, and of all that the arena does for one this
would cost most. So the message is put together from its fields as protobuf writes
them (https://protobuf.dev/programming-guides/encoding/), which takes half as long
as an object of the library: cards, seats and kinds are numbers below 128, hence a
byte each, and a list of them is its own encoding. The numbers of the fields come
from the library's descriptor.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any

from arena.cards import (
    CLUB_CARDS,
    DIAMOND_CARDS,
    FULL_PACK,
    HEART_CARDS,
    SPADE_CARDS,
    Card,
    CardSet,
    cards_in,
)
from arena.view import View
from hearts.arena.v1 import game_pb2, play_pb2

_SHORT = 1 << 14
"""Below this a number takes two bytes at most, and is tabulated."""
_NUMBER, _BYTES = 0, 2
"""The wire types of protobuf that are used here."""


def _varint(number: int) -> bytes:
    """Encode a number from 0 to 2^64 - 1, seven bits a byte, the lowest first."""
    digits = bytearray()
    while number > 0x7F:
        digits.append(number & 0x7F | 0x80)
        number >>= 7
    digits.append(number)
    return bytes(digits)


class _ZigZag(dict[int, bytes]):
    """Numbers of either sign, as protobuf encodes them for `sint32`; a small table."""

    def __missing__(self, number: int) -> bytes:
        encoded = _varint(number << 1 if number >= 0 else -number * 2 - 1)
        if -_SHORT < number < _SHORT:
            self[number] = encoded
        return encoded


_zigzag = _ZigZag().__getitem__
_VARINTS = tuple(_varint(number) for number in range(_SHORT))


def _tag(name: str, wire_type: int) -> bytes:
    field = game_pb2.Turn.DESCRIPTOR.fields_by_name[name]
    return _varint(field.number << 3 | wire_type)


def _message_tag(descriptor: Any, name: str) -> bytes:
    return _varint(descriptor.fields_by_name[name].number << 3 | _BYTES)


STARTS, NOTICES, TURNS = (
    _message_tag(play_pb2.PlayResponse.DESCRIPTOR, name)
    for name in ("starts", "notices", "turns")
)
"""What stands before an element of these lists in a `PlayResponse`."""
RULES = _message_tag(game_pb2.GameStart.DESCRIPTOR, "rules")
"""What stands before the rules in a `GameStart`."""
_GAME_ID = _tag("game_id", _BYTES)
_DEAL_NUMBER = _tag("deal_number", _NUMBER)
_DEALER = _tag("dealer", _NUMBER)
_PASS_DIRECTION = _tag("pass_direction", _NUMBER)
_PASSED = _tag("passed", _BYTES)
_RECEIVED = _tag("received", _BYTES)
_TOTALS = _tag("totals", _BYTES)
_HEARTS_BROKEN = _tag("hearts_broken", _NUMBER) + b"\1"
_MOON_CHOICES = _tag("moon_choices", _BYTES)
_CANCELLED = _tag("cancelled_tricks", _BYTES)
_FORCED = _tag("forced_plays", _BYTES)
_KITTY = _tag("kitty", _BYTES)
_MOON_POINTS = _tag("moon_points", _NUMBER)

_TURN = b"".join(
    (
        *(b"%b", _tag("turn_id", _NUMBER), b"%b", _tag("kind", _NUMBER), b"%c"),
        *(_tag("hand", _BYTES), b"%c%b", _tag("choices", _BYTES), b"%c%b"),
        *(_tag("answer_count", _NUMBER), b"%c"),
        *(_tag("plays", _BYTES), b"%c%b", _tag("leaders", _BYTES), b"%c%b"),
        *(_tag("points", _BYTES), b"%c%b%b"),
        *(_tag("turn_left_ms", _NUMBER), b"%b", _tag("bank_left_ms", _NUMBER), b"%b"),
        *(_tag("last_charged_ms", _NUMBER), b"%b%b"),
    )
)
"""A turn with places for what is in it: `%c` is a number below 128, `%b` bytes."""


def _getter(*names: str) -> Callable[[View], tuple[Any, ...]]:
    """Return what reads fields of a view, in half the time of as many names."""
    return itemgetter(*map(View._fields.index, names))


_usual = _getter(
    *("kind", "hand", "choices", "answer_count", "plays", "leaders", "points"),
    "hearts_broken",
)
_unusual = _getter("moon_choices", "cancelled_tricks", "forced_plays", "kitty")


def _suit_bytes(table: Iterable[Sequence[Card]]) -> tuple[bytes, ...]:
    return tuple(map(bytes, table))


_CLUBS, _DIAMONDS = _suit_bytes(CLUB_CARDS), _suit_bytes(DIAMOND_CARDS)
_HEARTS, _SPADES = _suit_bytes(HEART_CARDS), _suit_bytes(SPADE_CARDS)


def deal_bytes(view: View, *, game_id: str) -> bytes:
    """Return the part of a seat's turns that stays the same for all plays of a deal.

    Args:
        view: What the seat may see.
        game_id: The name of the game.
    """
    passed, received = _cards(view.passed), _cards(view.received)
    totals = b"".join(map(_zigzag, view.totals))
    return b"".join(
        (
            *(_GAME_ID, _listed(game_id.encode())),
            *(_DEAL_NUMBER, _number(view.deal_number), _DEALER, _number(view.dealer)),
            *(_PASS_DIRECTION, _number(view.direction)),
            *(_PASSED, _listed(passed), _RECEIVED, _listed(received)),
            *(_TOTALS, _listed(totals)),
        )
    )


def turn_bytes(
    view: View,
    *,
    turn_id: int,
    deal: bytes,
    limit_ms: int = 0,
    bank_ms: int = 0,
    charged_ms: int = 0,
) -> bytes:
    """Return the bytes of a `Turn`, made from what the seat may see.

    Args:
        view: What the seat may see.
        turn_id: The number of the turn in its session.
        deal: What `deal_bytes` returned for this seat and deal, since the pass.
        limit_ms: What is left of the turn, in milliseconds; 0 without a clock.
        bank_ms: What is left of the bank.
        charged_ms: What the last turn was charged.
    """
    kind, held, legal, count, plays, leaders, points, is_broken = _usual(view)
    moon_choices, cancelled, forced, kitty = _unusual(view)
    hand = _cards(held)
    choices = hand if legal == held else _cards(legal)
    played, led = bytes(plays), bytes(leaders)
    taken = b"".join(map(_zigzag, points))
    is_rare = moon_choices or cancelled or forced or kitty
    return _TURN % (
        deal,
        _VARINTS[turn_id] if turn_id < _SHORT else _number(turn_id),
        kind,
        # Written out, since a list that is unpacked here costs more than all of them.
        len(hand),
        hand,
        len(choices),
        choices,
        count,
        len(played),
        played,
        len(led),
        led,
        len(taken),
        taken,
        _HEARTS_BROKEN if is_broken else b"",
        _VARINTS[limit_ms] if limit_ms < _SHORT else _number(limit_ms),
        _VARINTS[bank_ms] if bank_ms < _SHORT else _number(bank_ms),
        _VARINTS[charged_ms] if charged_ms < _SHORT else _number(charged_ms),
        _rare(view) if is_rare else b"",
    )


def element(tag: bytes, message: bytes) -> bytes:
    """Return a message as it stands in another one, in a list or alone.

    The bytes of a message may follow each other in any number of pieces.
    """
    return tag + _number(len(message)) + message


def _cards(cards: CardSet) -> bytes:
    """Return the cards of a set as `cards_in` orders them, a byte each."""
    if cards > FULL_PACK:
        return bytes(cards_in(cards))
    return (
        _CLUBS[cards >> 1 & 0x1FFF]
        + _DIAMONDS[cards >> 14 & 0x1FFF]
        + _HEARTS[cards >> 27 & 0x1FFF]
        + _SPADES[cards >> 40]
    )


def _number(number: int) -> bytes:
    if number < _SHORT:
        return _VARINTS[number]
    if number < _SHORT << 7:
        return bytes((number & 0x7F | 0x80, number >> 7 & 0x7F | 0x80, number >> 14))
    return _varint(number)


def _listed(content: bytes) -> bytes:
    return _number(len(content)) + content


def _rare(view: View) -> bytes:
    """Return the fields that nearly every turn lacks."""
    return b"".join(
        (
            *(_MOON_CHOICES, _listed(bytes(view.moon_choices))),
            *(_CANCELLED, _listed(bytes(view.cancelled_tricks))),
            *(_FORCED, _listed(bytes(view.forced_plays))),
            *(_KITTY, _listed(_cards(view.kitty))),
            *(_MOON_POINTS, _number(view.moon_points)),
        )
    )
