"""
A record: all of one game, as one JSON object on one line.

`write_record` and `read_record` invert each other. Keys are sorted at every
level; `attempt`, `notes` and `times` stand last and outside the hash, so that the
same game played again has the same hash. Cards are names with blanks between
them. Whether a record is true is the business of `arena.verify`; `arena.notation`
writes the same as text for people.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import chain, pairwise
from typing import Any, Final

from arena.cards import CardError, card_names, cards_in, parse_cards
from arena.deal import Deal
from arena.document import DocumentError, Node, parse_document
from arena.game import DealResult, Game
from arena.missed import Missed, missed_from

FORMAT: Final = "hearts-record/1"
"""The format that this version writes and reads."""


class RecordError(DocumentError):
    """Text that is no record; `path` and `reason` say where and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesRecord:
    """The rules: a preset, what differs from it, and the hash of all options."""

    hash: str
    overrides: Mapping[str, str]
    players: int
    preset: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRecord:
    """Who sat in a seat."""

    bot: str
    owner: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRecord:
    """The time control, in milliseconds; a turn limit of 0 means no clock."""

    bank_ms: int
    increment_ms: int
    turn_limit_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MoonRecord:
    """Who shot the moon or the sun and how it scored, `add` or `subtract`."""

    choice: str
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRecord:
    """One deal, finished or not."""

    dealer: int
    direction: str
    """`left`, `right`, `across` or `hold`."""
    hands: tuple[str, ...]
    """The hands as dealt, by seat, each in notation order; a hand of two packs may
    hold a card twice."""
    moon: MoonRecord | None
    passes: tuple[str, ...]
    """What each seat passed, in notation order; empty text for a seat that has
    not passed yet. No entry at all without a pass."""
    plays: str
    """All cards played, in the order of play."""
    points: tuple[int, ...] | None
    """What each seat scored; None while the deal is unfinished."""
    totals: tuple[int, ...] | None
    """The totals after the deal; None while it is unfinished."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One answer of a seat that the arena had to substitute."""

    deal: int
    """The number of the deal, from 1."""
    kind: str
    """`late`, `illegal`, `away` or `start`."""
    offered: str
    """The cards of the refused answer, as far as they are cards."""
    reason: str
    """`illegal`, `wrong_count` or `unknown_card`; empty unless the kind is
    `illegal`."""
    seat: int
    trick: int
    """The number of the trick, from 1; 0 is the pass, and one more than the last
    trick is the moon choice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenUp:
    """
    From where on the stand-in answers for a seat.

    The place is that of the first answer that was not the seat's own: if the
    seat has answered in a trick already, it is the next trick, or the place of
    the moon choice after the last one. Cause `faults` has the place of the fault
    that was one too many, whose answer is still the plain substitution. The deal
    of the place and all later ones count as the worst at the table.
    """

    cause: str
    """`faults`, `start` or `left`."""
    deal: int
    seat: int
    trick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A remark that a bot sent with an answer."""

    deal: int
    seat: int
    text: str
    trick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """When the game was played, and where the time of each answer went."""

    ended: str
    """ISO 8601, UTC."""
    started: str
    turns: tuple[tuple[tuple[int, ...], ...], ...]
    """For each deal, for each answer in order (passes by seat, plays, the moon):
    queued, waited, charged, refunded and thinking time, in milliseconds, and the
    time handed back where there was any."""
    missed: tuple[Missed, ...] = ()
    """What is known of the turns that were late and of those of bots away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One game."""

    game: str
    """The name of the game, unique in its arena."""
    league: str
    block: int
    attempt: int
    """Under which number its deals were drawn: in open leagues 0, in others the
    number of the run times 65536 and how often the game was begun before in it."""
    rules: RulesRecord
    seats: tuple[SeatRecord, ...]
    sequence_seed: str
    """The seed of all hands, in hexadecimal."""
    table_key: str
    """In hexadecimal."""
    time_control: TimeRecord
    faults_max: int
    """The fault that gives a seat up; 0 means that none does."""
    stand_in: str
    """The name of the policy that plays for given-up seats."""
    open_deals: bool
    deals: tuple[DealRecord, ...]
    faults: tuple[Fault, ...]
    given_up: tuple[GivenUp, ...]
    ending: str | None
    """`finished`, `max_deals` or `void`; None for an unfinished game."""
    totals: tuple[int, ...] | None
    """The final totals; None unless the game is over."""
    places: tuple[int, ...] | None
    """From 1, equal places shared; None unless the game is over."""
    notes: tuple[Note, ...] = ()
    times: Times
    hash: str = ""
    """SHA-256 over the rest, in hexadecimal; see `seal`."""
    format: str = FORMAT


UNHASHED: Final = ("attempt", "notes", "times")
"""The keys outside the hash, which stand last."""

_HASHED: Final = tuple(
    item.name for item in fields(Record) if item.name not in (*UNHASHED, "hash")
)


def record_hash(record: Record) -> str:
    """Return the hash that a record ought to have."""
    return hashlib.sha256(_json(record, _HASHED).encode()).hexdigest()


def seal(record: Record) -> Record:
    """Return the record with its hash."""
    return replace(record, hash=record_hash(record))


def write_record(record: Record) -> str:
    """Return a record as one line of ASCII, without a line end."""
    hashed = _json(record, (*_HASHED, "hash"))
    # Nearly all of the rest are the times of the answers, and they stand last.
    times = replace(record.times, turns=())
    rest = _json(replace(record, times=times), UNHASHED)
    turns = ",".join(map(_turns_text, record.times.turns))
    return f"{hashed[:-1]},{rest[1:-3]}{turns}]}}}}"


def read_record(text: str) -> Record:
    """
    Read one line of JSON.

    Raises:
        RecordError: The text is no record of this format. A record that says
            something false is still a record.
    """
    try:
        return record_from(parse_document(text))
    except DocumentError as error:
        raise RecordError(path=error.path, reason=error.reason) from None


def record_from(node: Node) -> Record:
    """
    Read a record from its members, wherever these come from.

    Raises:
        DocumentError: Something is no part of a record, with its path.
    """
    # The format first: another one may have other keys.
    node.entries().get("format", Node(FORMAT, "format")).word(FORMAT)
    at = node.members(*_KEYS)
    rules = rules_from(at["rules"])
    players = rules.players
    ending = at["ending"]
    return Record(
        game=at["game"].text(200),
        league=at["league"].text(200),
        block=at["block"].number(0, _COUNT_MAX),
        attempt=at["attempt"].number(0, _COUNT_MAX),
        rules=rules,
        seats=tuple(map(_seat, at["seats"].items(players))),
        sequence_seed=at["sequence_seed"].hexadecimal(32),
        table_key=at["table_key"].hexadecimal(8),
        time_control=_time_control(at["time_control"]),
        faults_max=at["faults_max"].number(0, _COUNT_MAX),
        stand_in=at["stand_in"].text(80),
        open_deals=at["open_deals"].flag(),
        deals=tuple(_deal(item, players) for item in at["deals"].items()),
        faults=tuple(fault_from(item, players) for item in at["faults"].items()),
        given_up=tuple(given_up_from(item, players) for item in at["given_up"].items()),
        ending=None if ending.is_null else ending.word("finished", "max_deals", "void"),
        totals=_scores(at["totals"], players),
        places=_scores(at["places"], players),
        notes=tuple(_note(item, players) for item in at["notes"].items()),
        times=_times(at["times"], players),
        hash=at["hash"].hexadecimal(32),
        format=FORMAT,
    )


def deal_records(game: Game) -> tuple[DealRecord, ...]:
    """Return the deals of a game so far, the unfinished one included."""
    results: list[DealResult | None] = [*game.results]
    results += [None] * (len(game.deals) - len(results))
    return tuple(map(_deal_record, game.deals, results))


def _deal_record(deal: Deal, result: DealResult | None) -> DealRecord:
    moon = None
    if result and result.shooter is not None and result.moon_choice:
        moon = MoonRecord(choice=result.moon_choice.label, seat=result.shooter)
    passes = deal.passed if deal.direction.label != "hold" else []
    return DealRecord(
        dealer=deal.dealer,
        direction=deal.direction.label,
        hands=tuple(card_names(cards_in(hand)) for hand in deal.dealt),
        moon=moon,
        passes=tuple(card_names(cards_in(cards)) for cards in passes),
        plays=card_names(deal.plays),
        points=result.points if result else None,
        totals=result.totals if result else None,
    )


def _json(record: Record, keys: tuple[str, ...]) -> str:
    values = {key: getattr(record, key) for key in keys}
    return json.dumps(values, sort_keys=True, separators=(",", ":"), default=_members)


_TURN_TEXTS_MAX: Final = 512


class _TurnTexts(dict[tuple[int, ...], str]):
    """The times of an answer as JSON. Few differ, so the first ones are kept."""

    def __missing__(self, turn: tuple[int, ...]) -> str:
        text = f"[{','.join(map(str, turn))}]"
        if len(self) < _TURN_TEXTS_MAX:
            self[turn] = text
        return text


_turn_text = _TurnTexts().__getitem__


def _turns_text(turns: tuple[tuple[int, ...], ...]) -> str:
    """Return the times of one deal's answers as JSON, six times as fast as `json`."""
    return f"[{','.join(map(_turn_text, turns))}]"


@cache
def _names(of: Any) -> tuple[str, ...]:
    return tuple(item.name for item in fields(of))


def _members(value: Any) -> dict[str, Any]:
    """Return a part of a record as JSON knows it; the encoder asks for each."""
    members = {name: getattr(value, name) for name in _names(value.__class__)}
    if isinstance(value, Times) and not value.missed:
        del members["missed"]  # So stand the times of most games.
    return members


_KEYS: Final = tuple(item.name for item in fields(Record))
_COUNT_MAX: Final = 2**31 - 1
PLAYERS_MAX: Final = 11
"""How many seats a record has at most."""
OPTION_MAX: Final = 400
"""How long the text of an option may be: all cards of two packs fit."""
_TRICK_MAX: Final = 53


def rules_from(node: Node) -> RulesRecord:
    """
    Read rules, whether or not they can be played.

    Raises:
        DocumentError: Something else stands there.
    """
    at = node.members("hash", "overrides", "players", "preset")
    overrides = at["overrides"].entries()
    return RulesRecord(
        hash=at["hash"].hexadecimal(32),
        overrides={name: item.text(OPTION_MAX) for name, item in overrides.items()},
        players=at["players"].number(1, PLAYERS_MAX),
        preset=at["preset"].text(80),
    )


def _seat(node: Node) -> SeatRecord:
    at = node.members("bot", "owner", "version")
    return SeatRecord(**{name: item.text(200) for name, item in at.items()})


def _time_control(node: Node) -> TimeRecord:
    at = node.members("bank_ms", "increment_ms", "turn_limit_ms")
    return TimeRecord(**{name: item.number(0, _COUNT_MAX) for name, item in at.items()})


def _deal(node: Node, players: int) -> DealRecord:
    at = node.members(*[item.name for item in fields(DealRecord)])
    return DealRecord(
        dealer=at["dealer"].number(0, players - 1),
        direction=at["direction"].word("left", "right", "across", "hold"),
        hands=tuple(_card_set(item) for item in at["hands"].items(players)),
        moon=None if at["moon"].is_null else _moon(at["moon"], players),
        passes=tuple(_card_set(item) for item in at["passes"].items(0, players)),
        plays=_cards(at["plays"]),
        points=_scores(at["points"], players),
        totals=_scores(at["totals"], players),
    )


def _moon(node: Node, players: int) -> MoonRecord:
    at = node.members("choice", "seat")
    choice = at["choice"].word("add", "subtract")
    return MoonRecord(choice=choice, seat=at["seat"].number(0, players - 1))


def fault_from(node: Node, players: int) -> Fault:
    """
    Read a fault.

    Raises:
        DocumentError: Something else stands there.
    """
    at = node.members("deal", "kind", "offered", "reason", "seat", "trick")
    return Fault(
        deal=at["deal"].number(1, _COUNT_MAX),
        kind=at["kind"].word("late", "illegal", "away", "start"),
        offered=_cards(at["offered"]),
        reason=at["reason"].word("", "illegal", "wrong_count", "unknown_card"),
        seat=at["seat"].number(0, players - 1),
        trick=at["trick"].number(0, _TRICK_MAX),
    )


def given_up_from(node: Node, players: int) -> GivenUp:
    """
    Read from where on a seat is given up.

    Raises:
        DocumentError: Something else stands there.
    """
    at = node.members("cause", "deal", "seat", "trick")
    return GivenUp(
        cause=at["cause"].word("faults", "start", "left"),
        deal=at["deal"].number(1, _COUNT_MAX),
        seat=at["seat"].number(0, players - 1),
        trick=at["trick"].number(0, _TRICK_MAX),
    )


def _note(node: Node, players: int) -> Note:
    at = node.members("deal", "seat", "text", "trick")
    return Note(
        deal=at["deal"].number(1, _COUNT_MAX),
        seat=at["seat"].number(0, players - 1),
        text=at["text"].text(1000),
        trick=at["trick"].number(0, _TRICK_MAX),
    )


def _times(node: Node, players: int) -> Times:
    missed = [name for name in ("missed",) if name in node.entries()]
    at = node.members("ended", "started", "turns", *missed)
    return Times(
        ended=at["ended"].text(40),
        started=at["started"].text(40),
        turns=tuple(map(_turns, at["turns"].items())),
        missed=tuple(
            missed_from(item, players) for name in missed for item in at[name].items()
        ),
    )


def _turns(node: Node) -> tuple[tuple[int, ...], ...]:
    """Return the times of one deal's answers."""
    # All at once, since these are most of a record; one by one to name the wrong one.
    lists = node.value if isinstance(node.value, list) else []
    turns = [tuple(turn) for turn in lists if isinstance(turn, list)]
    numbers = list(chain.from_iterable(turns))
    if (
        {len(turn) for turn in turns} <= {5, 6}
        and {type(number) for number in numbers} <= {int}
        and 0 <= min(numbers, default=0)
        and max(numbers, default=0) <= _COUNT_MAX
        and len(turns) == len(lists)
        and node.value is lists
    ):
        return tuple(turns)
    return tuple(
        tuple(item.number(0, _COUNT_MAX) for item in turn.items(5, 6))
        for turn in node.items()
    )


def _scores(node: Node, count: int) -> tuple[int, ...] | None:
    """Return a number for each seat, None for null."""
    if node.is_null:
        return None
    return tuple(item.number(-_COUNT_MAX, _COUNT_MAX) for item in node.items(count))


def _cards(node: Node) -> str:
    """Return names of cards as they are written, in any order."""
    text = node.text(1000)
    try:
        cards = parse_cards(text)
    except CardError as error:
        node.fail(str(error))
    if card_names(cards) != text:
        node.fail("expected names of cards like QS, one blank between them")
    return text


def _card_set(node: Node) -> str:
    """Return names of cards in notation order; two packs have equal cards."""
    text = _cards(node)
    cards = parse_cards(text)
    if any(card > after for card, after in pairwise(cards)):
        node.fail("expected cards in notation order")
    for card, second_after in zip(cards, cards[2:], strict=False):
        if card == second_after:
            node.fail(f"{card_names([card])} stands there more than twice")
    return text
