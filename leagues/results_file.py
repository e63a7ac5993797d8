"""Results as files: one JSON object on a line, a line a game, all that ratings need.

    line = write_result(result, league=…, rules=…, owners=…)
    read = read_result(line, file="friday.jsonl", line=1)

`leagues.reports.merged` puts lines together, of one file or of several.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from arena.document import DocumentError, Node, parse_document
from arena.excerpt import cut, shown
from arena.record import Record, RulesRecord, fault_from, given_up_from, rules_from
from leagues.results import GameResult, SeatResult, result_of

__all__ = [
    "FORMAT",
    "UNITS",
    "ResultLine",
    "ResultsError",
    "is_result",
    "read_result",
    "record_result",
    "write_result",
]

FORMAT: Final = "hearts-result/1"
"""The format that this version writes and reads."""
UNITS: Final = ("deal", "game", "match")
"""What a line may be the result of; leagues count games."""

_MARK: Final = re.compile(r'"format"\s*:\s*"hearts-result/')
_COUNT_MAX: Final = 2**31 - 1
_KEYS: Final = (
    "block",
    "deals",
    "faults",
    "format",
    "given_up",
    "league",
    "number",
    "record_hash",
    "rules",
    "seats",
    "unit",
)
_COUNTS: Final = ("faults", "moons", "queens")
_SEAT_KEYS: Final = (
    "entrant",
    "owner",
    "place",
    "points",
    "total",
    "version",
    *_COUNTS,
)


class ResultsError(ValueError):
    """
    A line of results that can't be read.

    Attributes:
        file: The file.
        line: The number of the line, from 1.
        field: Its place in the line, for example `seats[2].place`; empty when the
            whole line is meant.
        reason: What is wrong there, and what was expected.
    """

    def __init__(self, *, file: str, reason: str, line: int, field: str = "") -> None:
        where = f"{cut(field)}: " if field else ""
        super().__init__(f"{file}:{line}: {where}{reason}")
        self.file = file
        self.line = line
        self.field = field
        self.reason = reason


def write_result(
    result: GameResult,
    *,
    league: str,
    rules: RulesRecord,
    owners: Mapping[str, str],
    unit: str = "game",
) -> str:
    """
    Return a result as one line of ASCII, without a line end.

    Args:
        result: What the game came to.
        league: The name of its league.
        rules: Under which it was played.
        owners: The owners by entrant; whoever is not there has none.
        unit: What it is the result of.
    """
    faulty = [fault.seat for fault in result.faults]
    line = {
        "block": result.block,
        "deals": result.deals,
        "faults": [asdict(fault) for fault in result.faults],
        "format": FORMAT,
        "given_up": [asdict(given_up) for given_up in result.given_up],
        "league": league,
        "number": result.number,
        "record_hash": result.record_hash,
        "rules": asdict(rules),
        "seats": [
            asdict(seat)
            | {"faults": faulty.count(number), "owner": owners.get(seat.entrant, "")}
            for number, seat in enumerate(result.seats)
        ],
        "unit": unit,
    }
    return json.dumps(line, sort_keys=True, separators=(",", ":"))


def record_result(record: Record) -> str:
    """
    Return the line of a finished game, from its record.

    Raises:
        ValueError: The game is not finished.
    """
    return write_result(
        result_of(record),
        league=record.league,
        rules=record.rules,
        owners={seat.bot: seat.owner for seat in record.seats},
    )


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One line, read."""

    file: str
    line: int
    unit: str
    rules: RulesRecord
    league: str
    owners: Mapping[str, str]
    """By entrant, in the order of the seats."""
    result: GameResult

    @property
    def place(self) -> str:
        """The file and the line, for errors."""
        return f"{self.file}:{self.line}"

    @property
    def name(self) -> str:
        """What the game is called, such as `demo-17`."""
        return f"{self.league}-{self.result.number}"


def is_result(text: str) -> bool:
    """Tell whether a line means to be a result, and not a record or anything else."""
    return _MARK.search(text) is not None


def read_result(text: str, *, file: str, line: int) -> ResultLine:
    """
    Read one line.

    Raises:
        ResultsError: It is no result.
    """
    try:
        return _line(file, line, parse_document(text))
    except DocumentError as error:
        raise ResultsError(
            file=file, line=line, field=error.path, reason=error.reason
        ) from None


def _line(file: str, number: int, node: Node) -> ResultLine:
    # The format first: another one may have other keys.
    node.entries().get("format", Node(None, "format")).word(FORMAT)
    at = node.members(*_KEYS)
    rules = rules_from(at["rules"])
    players = rules.players
    seats = at["seats"].items(players)
    faults = tuple(fault_from(item, players) for item in at["faults"].items())
    faulty = [fault.seat for fault in faults]
    owners: dict[str, str] = {}
    read = []
    for seat, item in enumerate(seats):
        result, owner = _seat(item, players, faults=faulty.count(seat))
        if result.entrant in owners:
            item.fail(f"{shown(result.entrant)} has another seat of this game too")
        owners[result.entrant] = owner
        read.append(result)
    _check_places(seats, read)
    given_up = tuple(given_up_from(item, players) for item in at["given_up"].items())
    return ResultLine(
        file=file,
        line=number,
        unit=at["unit"].word(*UNITS),
        rules=rules,
        league=at["league"].text(200),
        owners=owners,
        result=GameResult(
            number=at["number"].number(0, _COUNT_MAX),
            block=at["block"].number(0, _COUNT_MAX),
            deals=at["deals"].number(1, _COUNT_MAX),
            seats=tuple(read),
            faults=faults,
            given_up=given_up,
            record_hash=at["record_hash"].hexadecimal(32),
        ),
    )


def _seat(node: Node, players: int, *, faults: int) -> tuple[SeatResult, str]:
    """Return what a seat came to, and its owner."""
    at = node.members(*_SEAT_KEYS)
    counts = {name: at[name].number(0, _COUNT_MAX) for name in _COUNTS}
    if counts.pop("faults") != faults:
        at["faults"].fail(
            f"expected {faults}, as many as the game's faults of this seat"
        )
    result = SeatResult(
        entrant=at["entrant"].text(200),
        version=at["version"].text(200),
        total=at["total"].number(-_COUNT_MAX, _COUNT_MAX),
        place=at["place"].number(1, players),
        points=at["points"].number(-_COUNT_MAX, _COUNT_MAX),
        **counts,
    )
    return result, at["owner"].text(200)


def _check_places(nodes: Sequence[Node], seats: Sequence[SeatResult]) -> None:
    """Refuse places that nobody can have: equal ones leave the next ones out."""
    places = [seat.place for seat in seats]
    for node, place in zip(nodes, places, strict=True):
        expected = 1 + sum(other < place for other in places)
        if place != expected:
            reason = f"{place}, expected {expected} beside the places of the others"
            node.entries()["place"].fail(reason)
