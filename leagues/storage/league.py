"""A league as it is stored: created once, continued by every later run."""

import json
import secrets
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from arena.excerpt import label
from arena.record import Record
from arena.rotations import game_number
from arena.rules import preset
from leagues.blocks import Blocks, blocks_of, planned
from leagues.config import LeagueConfig
from leagues.ladder_rules import LadderRules
from leagues.match import Match, match_of
from leagues.normal_form import Change, changes, in_order, normalised
from leagues.results import has_moon, has_queen
from leagues.rules_line import rules_line
from leagues.scheduling.balance import Seating
from leagues.scheduling.owners import Owners
from leagues.seeds import commitment, practice_secret
from leagues.standings import LeagueFacts
from leagues.storage import schema
from leagues.storage.chunks import read_chunks
from leagues.storage.moments import moment_of, now_text, utc_text
from leagues.versions import Versions

__all__ = [
    "League",
    "LeagueChanged",
    "LeagueOverError",
    "change_league",
    "changes_of",
    "create_league",
    "packed",
    "read_league",
    "stored_league",
    "unpacked",
]


class LeagueChanged(ValueError):  # noqa: N818
    """A league file that says something else than when the league was created."""

    def __init__(
        self, name: str, found: list[Change], *, is_finished: bool = False
    ) -> None:
        head = f"league {name} exists, and its file has changed; give it another name"
        if is_finished:
            head = (
                f"league {name} is finished, and its file has changed; a new league "
                "needs a new name: give it one"
            )
        lines = [f"  {change}" for change in found]
        super().__init__("\n".join([f"{head}, or take back what is refused:", *lines]))
        self.changes = found


class LeagueOverError(ValueError):
    """A league whose time is over before it begins or goes on."""


@dataclass(frozen=True, slots=True)
class League:
    """A league as it is stored."""

    id: int
    name: str
    form: str
    """The normal form of its file."""
    entrants: tuple[str, ...]
    """Their names, in the order of the schedule's numbers."""
    seatings: tuple[Seating, ...]
    """Who sits where: for each game the entrants by seat, as numbers from 0."""
    secret: bytes = field(repr=False)
    commitment: bytes
    state: str
    """`stopped`, `running` or `finished`."""
    run: int
    """How many runs have begun."""
    created: str
    games_finished: int
    decisions: int = 0
    """How many entries its audit log has."""
    until: str = ""
    """When its time is over, in UTC; empty where it has as much as it takes."""
    ends_after: int | None = None
    """It ends after so many games; `None` where it ends after all of its schedule."""
    stopped_by: str = ""
    """What has ended it, or will: one of `STOPPED_BY`; empty for its schedule."""

    @property
    def games_planned(self) -> int:
        """How many games it has, as far as that is settled."""
        return len(self.seatings) if self.ends_after is None else self.ends_after

    @property
    def count_text(self) -> str:
        """How many games are finished, of how many where that is settled."""
        planned = "" if self.ladder else f"/{self.games_planned}"
        return f"{self.games_finished}{planned}"

    @property
    def is_open(self) -> bool:
        """Whether anybody can compute the deals."""
        return _values(self.form)["practice_seed"] is not None

    @property
    def luck(self) -> str:
        """`none`, or `rotate` or `arrange` where games share their deals."""
        return str(_values(self.form)["luck"])

    @property
    def match(self) -> Match | None:
        """What makes it a match; `None` for any other league."""
        return match_of(_values(self.form).get("match"))

    @property
    def versions(self) -> Versions | None:
        """Which versions of its entrants play; `None` for one from before the choice,
        where any does, and all of a bot are rated together."""
        kept = _values(self.form).get("versions")
        return None if kept is None else Versions(kept)

    @property
    def ladder(self) -> LadderRules | None:
        """What makes it a ladder; `None` for a league with an end."""
        return LadderRules.of_form(_values(self.form).get("ladder"))

    @property
    def seats_count(self) -> int:
        """How many seats a table has."""
        return int(_values(self.form)["rules"]["players"])

    @property
    def blocks(self) -> Blocks:
        """Which games are dealt from the same cards."""
        players = _values(self.form)["rules"]["players"]
        return blocks_of(self.luck, seats=players)

    @property
    def apart(self) -> Owners:
        """Which entrants may not meet, in the order of their numbers."""
        values = _values(self.form)
        is_apart = values.get("owners") != "mixed"
        return Owners(one["owner"] for one in values["entrants"] if is_apart)

    @property
    def is_withholding(self) -> bool:
        """Whether games of open blocks are kept from everybody for now."""
        return self.blocks.are_shared and not self.is_open and self.state != "finished"

    @property
    def values(self) -> dict[str, Any]:
        """The normal form, read."""
        return dict(_values(self.form))

    @property
    def owners(self) -> dict[str, str]:
        """Whose each entrant is; an empty text for nobody's."""
        return {one["name"]: one["owner"] for one in _values(self.form)["entrants"]}

    def seats(self, number: int) -> tuple[str, ...]:
        """Return the entrants of a game by seat; the first game has number 1."""
        names = self.entrants
        return tuple(names[entrant] for entrant in self.seatings[number - 1])

    def has(self, record: Record) -> bool:
        """Tell whether a record is one of the league's games."""
        try:
            self.check(record)
        except ValueError:
            return False
        return True

    def check(self, record: Record) -> None:
        """Refuse a record that is not one of the league's games.

        Raises:
            ValueError: It has another league, number, block or other bots.
        """
        number = game_number(record) if record.league == self.name else 0
        if not 0 < number <= len(self.seatings):
            raise ValueError(f"game {record.game} is not one of league {self.name}")
        if record.block != (block := self.blocks.block(number)):
            raise ValueError(
                f"game {record.game} is of block {block}, not {record.block}"
            )
        expected = self.seats(number)
        found = tuple(seat.bot for seat in record.seats)
        if expected != found:
            raise ValueError(f"game {record.game} seats {found}, expected {expected}")

    def facts(self) -> LeagueFacts:
        """Return what standings say about the league; no secret before its end."""
        values = self.values
        named = values["rules"]
        rules = preset(named["preset"], players=named["players"], **named["overrides"])
        careful = (e["name"] for e in values["entrants"] if e["house"] == "careful")
        return LeagueFacts(
            name=self.name,
            state=self.state,
            entrants=self.entrants,
            players=rules.players,
            tricks=rules.hand_size,
            has_moon=has_moon(rules),
            has_queen=has_queen(rules),
            rules=rules_line(rules),
            rules_hash=named["hash"],
            games_planned=self.games_planned,
            commitment=self.commitment.hex(),
            practice_seed=values["practice_seed"],
            secret=self.secret.hex() if self.state == "finished" else "",
            anchor=next(careful, None),
            # Older stores may have whatever they like.
            owners={
                name: label(one) if one else "" for name, one in self.owners.items()
            },
            luck=values["luck"],
            match=self.match,
            versions=self.versions,
            blocks_planned=self.games_planned // self.blocks.size,
            stopped_by=self.stopped_by,
            until=self.until,
            window=0 if self.ladder is None else self.ladder.window,
            trusted=tuple(
                e["name"]
                for e in values["entrants"]
                if e["kind"] == "command" and e.get("sandbox", "none") == "none"
            ),
        )


def read_league(
    row: Any,
    *,
    games_finished: int,
    is_live: bool,
    decisions: int = 0,
    chunks: tuple[Seating, ...] = (),
) -> League:
    """Read a row of the leagues' table.

    Args:
        row: The row.
        games_finished: How many games are finished.
        is_live: Whether a process owns the directory.
        decisions: How many entries its audit log has.
        chunks: The seatings of a ladder, which has no schedule in the row.
    """
    return League(
        id=row.id,
        name=row.name,
        form=row.form,
        entrants=tuple(one["name"] for one in json.loads(row.form)["entrants"]),
        seatings=chunks or unpacked(row.schedule),
        secret=row.secret,
        commitment=row.commitment,
        # Whoever was running it is gone when nobody owns the directory.
        state="stopped" if row.state == "running" and not is_live else row.state,
        run=row.run,
        created=row.created,
        games_finished=games_finished,
        decisions=decisions,
        until=row.until,
        ends_after=row.ends_after,
        stopped_by=row.stopped_by,
    )


def stored_league(
    connection: sa.Connection, name: str, *, is_live: bool = True
) -> League:
    """Read a league within a transaction that writes, without its counts.

    Args:
        connection: The transaction.
        name: Of the league.
        is_live: Whether a process owns the directory.

    Raises:
        KeyError: There is no such league.
    """
    table = schema.leagues
    query = sa.select(table).where(table.c.name == name)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise KeyError(name)
    chunks = read_chunks(connection, row.id)
    return read_league(row, games_finished=0, is_live=is_live, chunks=chunks)


@lru_cache(maxsize=8)
def _values(form: str) -> dict[str, Any]:
    """Read a normal form, which is asked for with every game."""
    return dict(json.loads(form))


def packed(seatings: Sequence[Seating]) -> bytes:
    """Pack a schedule as it is stored."""
    text = json.dumps(seatings, separators=(",", ":"))
    return zlib.compress(text.encode())


@lru_cache(maxsize=8)
def unpacked(schedule: bytes) -> tuple[Seating, ...]:
    """Unpack a schedule; a long one takes a tenth of a second, so keep a few."""
    return tuple(map(tuple, json.loads(zlib.decompress(schedule))))


def create_league(connection: sa.Connection, config: LeagueConfig) -> None:
    """Store a new league with its secret, schedule and commitment.

    Raises:
        LeagueOverError: Its time is over before it begins.
    """
    secret = secrets.token_bytes(32)
    if config.practice_seed is not None:
        secret = practice_secret(config.practice_seed)
    league = {
        "name": config.name,
        "secret": secret,
        "state": "stopped",
        "run": 0,
        "created": now_text(),
        "until": _until(config),
        **_planned(config, secret),
    }
    (league_id,) = connection.execute(
        sa.insert(schema.leagues).returning(schema.leagues.c.id), league
    ).one()
    _add_entrants(connection, league_id, config, known=0)


def change_league(
    connection: sa.Connection, league: League, config: LeagueConfig
) -> tuple[str, ...]:
    """Give a league a new form, more entrants, and more games where there are more.

    The games are those of the former entrants; new ones have still to be seated.

    Returns:
        The entrants that are new.

    Raises:
        LeagueChanged: Something has changed that may not.
        LeagueOverError: Its time is over before it goes on.
    """
    config = in_order(config, league.entrants)
    form = normalised(config, before=league.form)
    if form == league.form:
        return ()
    found = changes_of(league, config)
    is_longer = config.games > len(league.seatings)
    known = len(league.entrants)
    joining = tuple(entrant.name for entrant in config.entrants[known:])
    values: dict[str, Any] = {"form": form}
    if any(change.key == "until" for change in found):
        values |= {"until": _until(config), "ends_after": None, "stopped_by": ""}
    if is_longer:
        former = replace(config, entrants=config.entrants[:known])
        values |= _planned(former, league.secret, begun=league.seatings)
        values |= {"form": form, "state": "stopped", "finished": None}
    table = schema.leagues
    connection.execute(sa.update(table).where(table.c.id == league.id).values(values))
    entrants = schema.entrants
    for entrant in config.entrants:
        own = entrants.c.league_id == league.id, entrants.c.name == entrant.name
        named = {"owner": entrant.owner}
        connection.execute(sa.update(entrants).where(*own).values(named))
    _add_entrants(connection, league.id, config, known=known)
    return joining


def changes_of(league: League, config: LeagueConfig) -> list[Change]:
    """Tell in what a file differs from its league.

    Raises:
        LeagueChanged: Something has changed that may not.
    """
    config = in_order(config, league.entrants)
    found = changes(league.form, normalised(config, before=league.form))
    is_finished = league.state == "finished"
    fixed: dict[str, str] = {}
    if is_finished:
        # Its games are final, and its secret is published.
        fixed["until"] = "the league is finished"
        if config.games <= len(league.seatings):
            joining = config.entrants[len(league.entrants) :]
            fixed |= {f"entrant {one.name}": fixed["until"] for one in joining}
    found = [
        replace(one, is_allowed=False, why=fixed[one.key]) if one.key in fixed else one
        for one in found
    ]
    if not all(change.is_allowed for change in found):
        raise LeagueChanged(league.name, found, is_finished=is_finished)
    return found


def _add_entrants(
    connection: sa.Connection, league_id: int, config: LeagueConfig, *, known: int
) -> None:
    """Store the entrants that come after those that are known."""
    rows = [
        {
            "league_id": league_id,
            "number": number,
            "name": entrant.name,
            "kind": entrant.kind.value,
            "owner": entrant.owner,
        }
        for number, entrant in enumerate(config.entrants)
        if number >= known
    ]
    if rows:
        connection.execute(sa.insert(schema.entrants), rows)


def _planned(
    config: LeagueConfig, secret: bytes, *, begun: tuple[Seating, ...] = ()
) -> dict[str, Any]:
    """Plan the games, after those that are planned already."""
    seatings: list[Seating] = []
    if config.ladder is None:
        seatings = planned(
            len(config.entrants),
            games=config.games,
            seats=config.rules.players,
            luck=config.luck,
            owners=config.owners,
            begun=begun,
        )
    return {
        "form": normalised(config),
        "schedule": packed(seatings),
        "commitment": commitment(secret, config, seatings),
    }


def _until(config: LeagueConfig) -> str:
    """Return when the time of a league is over that begins or goes on now."""
    if not config.until:
        return ""
    try:
        return utc_text(moment_of(config.until, now=datetime.now(UTC)))
    except ValueError as error:
        place = config.until_at or f"league {config.name}"
        raise LeagueOverError(f"{place}: {error}") from None
