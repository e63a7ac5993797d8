"""The tables for analysis: one row a game, one a deal, one a turn.

A table is a class whose fields are its columns; each says its kind and its meaning,
from which the schema of the files comes and with which the documentation is compared.
A column of a type with `None` may be null. Cards are numbers here and names such as
`QS` in the files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import NoneType
from typing import (
    Annotated,
    Any,
    Final,
    NamedTuple,
    TypeAlias,
    get_args,
    get_type_hints,
)

from arena.cards import Card

__all__ = [
    "COLUMNS",
    "SCHEMA",
    "TABLES",
    "Column",
    "DealRow",
    "GameRow",
    "Kind",
    "Row",
    "Rows",
    "TurnRow",
]

SCHEMA: Final = "hearts-analysis/1"
"""The schema that the files name; columns may be added to it, nothing else changes."""


class Kind(Enum):
    """What a column holds; the value is its type as the documentation writes it."""

    FLAG = "bool"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    TEXT = "string"
    """Text that is hardly ever the same twice."""
    NAME = "dictionary<string>"
    """A name or a word, of which there are few."""
    TIME = "timestamp[ms, UTC]"
    OPTIONS = "map<string, string>"
    CARD = "card"
    """A dictionary of strings too, with small numbers behind it."""
    CARDS = "list<card>"
    HANDS = "list<list<card>>"
    INT8S = "list<int8>"
    INT16S = "list<int16>"
    INT32S = "list<int32>"
    NAMES = "list<dictionary<string>>"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    kind: Kind
    is_nullable: bool
    meaning: str


_Cards: TypeAlias = Sequence[Card]
_Hands: TypeAlias = Sequence[_Cards | None]


class GameRow(NamedTuple):
    """One game. Lists are by seat, beginning with seat 0."""

    league: Annotated[str, Kind.NAME, "The league; empty where there is none."]
    game: Annotated[str, Kind.NAME, "The name of the game, such as `demo-17`."]
    block: Annotated[
        int, Kind.INT32, "Games of one block were dealt from the same cards."
    ]
    attempt: Annotated[int, Kind.INT32, "Under which number its deals were drawn."]
    record_hash: Annotated[str, Kind.TEXT, "The hash of its record."]
    preset: Annotated[str, Kind.NAME, "The preset of the rules."]
    options: Annotated[
        Mapping[str, str], Kind.OPTIONS, "The options that differ from the preset."
    ]
    rules_hash: Annotated[str, Kind.NAME, "The hash of all options."]
    players: Annotated[int, Kind.INT8, "How many seats the table has."]
    open_deals: Annotated[bool, Kind.FLAG, "Whether anybody could compute the deals."]
    entrants: Annotated[Sequence[str], Kind.NAMES, "Who sat there."]
    versions: Annotated[Sequence[str], Kind.NAMES, "In which version."]
    owners: Annotated[Sequence[str], Kind.NAMES, "Whose bots they are."]
    deals: Annotated[
        int, Kind.INT32, "How many deals there are, an unfinished one too."
    ]
    ending: Annotated[
        str | None,
        Kind.NAME,
        "`finished`, `max_deals` or `void`; null while it is unfinished.",
    ]
    totals: Annotated[
        Sequence[int] | None, Kind.INT32S, "The final totals; null before the end."
    ]
    places: Annotated[
        Sequence[int] | None,
        Kind.INT8S,
        "From 1, equal ones shared; null before the end.",
    ]
    points: Annotated[
        Sequence[int], Kind.INT32S, "The sums of the points of all finished deals."
    ]
    moons: Annotated[
        Sequence[int], Kind.INT16S, "How often each shot the moon or the sun."
    ]
    queens: Annotated[
        Sequence[int],
        Kind.INT16S,
        "How many queens of spades each took in finished deals; 0 where they cost "
        "nothing.",
    ]
    faults: Annotated[Sequence[int], Kind.INT32S, "How many faults each made."]
    given_up: Annotated[
        Sequence[str | None],
        Kind.NAMES,
        "Why a stand-in took over, `faults`, `start` or `left`; null where none did.",
    ]
    bank_ms: Annotated[int, Kind.INT32, "The bank of the time control."]
    increment_ms: Annotated[int, Kind.INT32, "What each turn adds to the bank."]
    turn_limit_ms: Annotated[int, Kind.INT32, "The limit for a turn; 0 is no clock."]
    faults_max: Annotated[int, Kind.INT32, "The fault that gives a seat up; 0 is none."]
    stand_in: Annotated[str, Kind.NAME, "The policy that plays for given-up seats."]
    started: Annotated[str | None, Kind.TIME, "When the game began."]
    ended: Annotated[str | None, Kind.TIME, "When it ended."]


class DealRow(NamedTuple):
    """One deal. Lists are by seat, beginning with seat 0."""

    league: Annotated[str, Kind.NAME, "As in `games`."]
    game: Annotated[str, Kind.NAME, "As in `games`."]
    deal: Annotated[int, Kind.INT32, "The number of the deal, from 1."]
    players: Annotated[int, Kind.INT8, "As in `games`."]
    entrants: Annotated[Sequence[str], Kind.NAMES, "As in `games`."]
    direction: Annotated[
        str, Kind.NAME, "Of the pass: `left`, `right`, `across` or `hold`."
    ]
    dealer: Annotated[int, Kind.INT8, "The seat that dealt."]
    leader: Annotated[
        int | None, Kind.INT8, "The seat that led the first trick; null before it."
    ]
    hands: Annotated[_Hands, Kind.HANDS, "The hands as dealt, before the pass."]
    passed: Annotated[
        _Hands | None,
        Kind.HANDS,
        "What each passed; null without a pass, and for a seat that has not passed.",
    ]
    received: Annotated[
        _Hands | None,
        Kind.HANDS,
        "What each received; null without a pass, and until all have passed.",
    ]
    kitty: Annotated[_Cards, Kind.CARDS, "The cards that were left over."]
    kitty_taker: Annotated[
        int | None, Kind.INT8, "The seat that took them; null where none did."
    ]
    tricks: Annotated[
        Sequence[int], Kind.INT8S, "How many tricks each took, cancelled ones included."
    ]
    penalties: Annotated[
        Sequence[int],
        Kind.INT16S,
        "The penalty points of the cards that each took, before moon and bonus.",
    ]
    queens: Annotated[
        Sequence[int],
        Kind.INT8S,
        "How many queens of spades each took; 0 where they cost nothing.",
    ]
    shot: Annotated[
        str | None, Kind.NAME, "`moon` or `sun` where one scored; else null."
    ]
    shooter: Annotated[int | None, Kind.INT8, "The seat that shot it; else null."]
    moon_choice: Annotated[
        str | None, Kind.NAME, "How it scored, `add` or `subtract`; else null."
    ]
    points: Annotated[
        Sequence[int] | None,
        Kind.INT32S,
        "What each scored, with moon, bonus and given-up seats; null before the end.",
    ]
    totals: Annotated[
        Sequence[int] | None,
        Kind.INT32S,
        "The totals after the deal; null before its end.",
    ]
    faults: Annotated[int, Kind.INT32, "How many faults all seats made in it."]
    turns: Annotated[int, Kind.INT16, "How many rows it has in `turns`."]


class TurnRow(NamedTuple):
    """One turn that was answered: a pass, a play, or the choice for a moon or sun."""

    league: Annotated[str, Kind.NAME, "As in `games`."]
    game: Annotated[str, Kind.NAME, "As in `games`."]
    deal: Annotated[int, Kind.INT32, "As in `deals`."]
    turn: Annotated[
        int, Kind.INT16, "Its number in the deal, from 1: passes by seat, plays, moon."
    ]
    kind: Annotated[str, Kind.NAME, "`pass`, `play`, `moon` or `sun`."]
    trick: Annotated[
        int, Kind.INT8, "The trick, from 1; 0 is the pass, one after the last the moon."
    ]
    position: Annotated[
        int | None,
        Kind.INT8,
        "The place in the trick, 1 for the lead; null but of plays.",
    ]
    seat: Annotated[int, Kind.INT8, "Who was asked."]
    entrant: Annotated[str, Kind.NAME, "The name of that seat's bot."]
    version: Annotated[str, Kind.NAME, "Its version."]
    hand: Annotated[_Cards, Kind.CARDS, "What the seat held before its answer."]
    choices: Annotated[
        _Cards | None,
        Kind.CARDS,
        "The cards that it might answer with: the legal ones, all of the hand in a "
        "pass; null for moon and sun.",
    ]
    is_forced: Annotated[
        bool, Kind.FLAG, "Whether the rules left only one answer, up to equal cards."
    ]
    hearts_broken: Annotated[bool, Kind.FLAG, "Whether hearts were broken before it."]
    led: Annotated[
        Card | None, Kind.CARD, "The card that led the trick; null for the leader."
    ]
    card: Annotated[Card | None, Kind.CARD, "The card played; null but of plays."]
    passed: Annotated[
        _Cards | None, Kind.CARDS, "The cards passed; null but of passes."
    ]
    moon_choice: Annotated[
        str | None, Kind.NAME, "`add` or `subtract`; null but of moon and sun."
    ]
    card_points: Annotated[
        int | None, Kind.INT16, "What the card costs; null but of plays."
    ]
    trick_points: Annotated[
        int | None,
        Kind.INT16,
        "What the cards of the trick cost; null while it is open, and but of plays.",
    ]
    winner: Annotated[
        int | None,
        Kind.INT8,
        "The seat that won the trick; null where it was cancelled or is open.",
    ]
    taker: Annotated[
        int | None,
        Kind.INT8,
        "The seat that has its cards, of a cancelled trick too; null where none has.",
    ]
    source: Annotated[
        str,
        Kind.NAME,
        "Whose answer it is: `bot`, `substitute` (after a fault) or `stand_in` (of a "
        "given-up seat).",
    ]
    fault: Annotated[
        str | None, Kind.NAME, "`late`, `illegal`, `away` or `start`; null without one."
    ]
    fault_reason: Annotated[
        str | None,
        Kind.NAME,
        "Of an illegal answer: `illegal`, `wrong_count` or `unknown_card`; else null.",
    ]
    note: Annotated[
        str | None,
        Kind.TEXT,
        "What the bot remarked with its answer; null for nothing.",
    ]
    queued_ms: Annotated[
        int | None, Kind.INT32, "How long it waited in the arena; null where unknown."
    ]
    waited_ms: Annotated[
        int | None, Kind.INT32, "How long it waited with the bot; null where unknown."
    ]
    charged_ms: Annotated[
        int | None, Kind.INT32, "What the clock was charged; null where unknown."
    ]
    refunded_ms: Annotated[
        int | None, Kind.INT32, "What was refunded of it; null where unknown."
    ]
    think_ms: Annotated[
        int | None,
        Kind.INT32,
        "How long the bot says that it thought; null where unknown.",
    ]
    returned_ms: Annotated[
        int | None,
        Kind.INT32,
        "What was handed back, since the arena had lost it; null where unknown.",
    ]


Row: TypeAlias = GameRow | DealRow | TurnRow

TABLES: Final[Mapping[str, type[Row]]] = {
    "games": GameRow,
    "deals": DealRow,
    "turns": TurnRow,
}
"""The tables by their names, which are those of the files."""


class Rows(NamedTuple):
    """All rows of one game; the fields are named like the tables."""

    games: Sequence[GameRow]
    """The one row of the game itself."""
    deals: Sequence[DealRow]
    turns: Sequence[TurnRow]


def _columns(table: type[Row]) -> tuple[Column, ...]:
    hints = get_type_hints(table, include_extras=True)
    return tuple(_column(name, annotation) for name, annotation in hints.items())


def _column(name: str, annotation: Any) -> Column:
    held, kind, meaning = get_args(annotation)
    return Column(name, kind, NoneType in get_args(held), meaning)


COLUMNS: Final[Mapping[str, tuple[Column, ...]]] = {
    name: _columns(table) for name, table in TABLES.items()
}
"""The columns of each table, in their order."""
