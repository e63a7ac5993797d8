"""Standings: where every entrant of a league stands, from the results of its games.

A pure function of the results, whatever their order: the same games always give
the same standings, down to the last digit.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from importlib import import_module
from itertools import zip_longest
from math import isnan
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from leagues.appeals import NO_APPEALS, Appeals
from leagues.audit import head_of
from leagues.blocks import NONE
from leagues.families import Member, families
from leagues.incidents import Incident, incidents_of
from leagues.kept_apart import kept_apart
from leagues.match import Match
from leagues.results import GameResult
from leagues.versions import Versions

if TYPE_CHECKING:
    # What rates is loaded once something is rated: numpy and scipy take longer than
    # all the rest, and most commands need neither.
    from leagues.rating.pairs import Floats
    from leagues.rating.points import PointsPerDeal
    from leagues.rating.ratings import Ratings
    from leagues.rating.tiers import Tier

__all__ = [
    "FAULT_KINDS",
    "LeagueFacts",
    "Standings",
    "StandingsRow",
    "load_ratings",
    "records_digest",
    "standings_of",
]

FAULT_KINDS: Final = ("late", "illegal", "away", "start")
"""The kinds of faults, in the order of their columns."""
UNIT: Final = "game"
"""What counts as one result: the places in a game. Ratings of other units cannot be
compared."""
_NO_OWNERS: Final[Mapping[str, str]] = MappingProxyType({})
_NO_NAMES: Final[Mapping[int, str]] = MappingProxyType({})
_DIGITS: Final = 6
"""Equal results may differ in the last digits, by the order of sums."""


STOPPED_BY: Final = {
    "": "its schedule",
    "host": "its host",
    "test": "its test",
    "time": "the time",
}
"""What can end a league, by the word that is stored, for people."""


@dataclass(frozen=True, slots=True)
class LeagueFacts:
    """What standings say about their league."""

    name: str
    state: str
    """`running`, `stopped` or `finished`, or where its games come from."""
    entrants: tuple[str, ...]
    players: int
    tricks: int
    """How many tricks a deal has."""
    has_moon: bool
    """Whether there is a moon or a sun to shoot."""
    has_queen: bool
    """Whether the queen of spades costs points."""
    rules: str
    """The preset and what differs from it, for people."""
    rules_hash: str
    games_planned: int
    commitment: str
    """SHA-256 over secret, roster, schedule and rules, in hexadecimal; empty where
    nobody knows it, as of games from files."""
    practice_seed: str | None
    """The text from which everybody can compute the deals of an open league."""
    secret: str = ""
    """The secret in hexadecimal, once the league is finished."""
    anchor: str | None = None
    luck: str = "none"
    """`none`, `rotate`, or `arrange` in a match; `shared` where games of files share
    deals otherwise."""
    match: Match | None = None
    """What makes the league a match."""
    blocks_planned: int = 0
    """How many blocks the schedule holds; 0 where nobody knows it."""
    withheld_games: int = 0
    """Finished games that do not count yet, see `leagues.storage.withheld`."""
    withheld_blocks: int = 0
    """The open blocks that these belong to."""
    suspended: tuple[str, ...] = ()
    """The bot versions that are suspended, and why."""
    came_and_went: Mapping[str, str] = field(default_factory=lambda: _NO_OWNERS)
    """The entrants that were not there all along, each with what it did."""
    excluded_games: int = 0
    """How many games are finished and do not count, since somebody is excluded."""
    trusted: tuple[str, ...] = ()
    """The entrants whose programs the arena starts without a sandbox."""
    versions: Versions | None = None
    """Which versions of its entrants play; `None` where all of a bot are rated
    together."""
    window: int = 0
    """How many games of a ladder count, the last ones; 0 in a league with an end."""
    owners: Mapping[str, str] = field(default_factory=lambda: _NO_OWNERS)
    """Whose the bots are, as they call themselves; those that are nobody's have none,
    or an empty text."""
    games: Mapping[int, str] = field(default_factory=lambda: _NO_NAMES)
    """What games of files are called that have other numbers here."""
    stopped_by: str = ""
    """What has ended it, or will: one of `STOPPED_BY`."""
    until: str = ""
    """When its time is over, in UTC; empty where it has as much as it takes."""

    def game_name(self, number: int) -> str:
        """Return the name of a game, by which commands know it."""
        return self.games.get(number, f"{self.name}-{number}")


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """Where one entrant stands."""

    rank: int
    """From 1; equal ratings share a rank."""
    entrant: str
    """The bot's name, with its version where several have played."""
    bot: str
    version: str
    """Empty where nobody knows it, or all of a bot are rated together."""
    is_newest: bool
    """Whether no newer version of the bot has played."""
    elo: float | None
    """The rating on the Elo scale; `None` without games."""
    error: float | None
    """The standard error of the rating; `None` where there is none."""
    half_width: float | None
    """How far the 95 % interval of the rating reaches to each side."""
    tier: "Tier | None"
    """The tiers that it may belong to: without one in common two really differ."""
    los: float | None
    """How likely it is better than the entrant in the next row, from 0 to 1."""
    mark: str
    """`*` for the anchor, and what `leagues.rating.ratings.Ratings` says."""
    blocks: int
    games: int
    deals: int
    points_per_deal: float | None
    """Less is better."""
    points_half_width: float | None
    """How far the 95 % interval of the points reaches to each side."""
    score: float | None
    """Which part of its results the entrant won, ties half, from 0 to 1."""
    places: tuple[float, ...]
    """How many games ended in each place; shared places are split."""
    moons_per_100_deals: float | None
    """Suns among them; `None` where there is neither."""
    queens_percent: float | None
    """How many queens of spades the entrant took in 100 deals; `None` where they
    cost nothing."""
    faults: Mapping[str, int]
    """Faults by kind, all of `FAULT_KINDS`."""
    given_up: int
    """In how many games the seat was given up."""
    owner: str = ""
    """Whose it is; empty for nobody's."""
    more: int = 0
    """How many more bots of its owner the short form has no rows for."""


@dataclass(frozen=True, slots=True)
class Standings:
    """All that is known of a league's results."""

    league: LeagueFacts
    games_finished: int
    blocks: int
    """How many blocks these are: what was dealt from the same cards is one."""
    design_effect: float | None
    """What sharing deals does to the errors, see `leagues.rating.design`; `None`
    where games do not share them, or are too few."""
    anchor: str | None
    """Who is rated 1500; `None` where the mean of all is."""
    prior: float
    """How many draws against a phantom of average strength everybody has."""
    digest: str
    """The end of the chain over the hashes of all records."""
    games_counted: int
    """How many of the finished games count: those without excluded entrants."""
    appeals: Appeals
    """What the host has decided."""
    audit_head: str
    """The end of the chain over the audit log."""
    rows: tuple[StandingsRow, ...]
    """The best first."""
    short: tuple[StandingsRow, ...]
    """The rows of the short form, which is for people: of each owner the best bot
    alone, and of a league that seats the latest versions these. Ranks and `los` are
    among these."""
    incidents: tuple[Incident, ...]
    """In the order of game, deal and trick."""
    owners_apart: bool
    """Whether bots of one owner have all played and never met."""
    is_full: bool = False
    """Whether people are to see all there is: `short` holds all rows then."""


@dataclass(slots=True)
class _Tally:
    """Sums over the games of one entrant."""

    places: list[float]
    games: int = 0
    deals: int = 0
    points: int = 0
    moons: int = 0
    queens: int = 0
    given_up: int = 0
    faults: Counter[str] = field(default_factory=Counter)


def standings_of(
    league: LeagueFacts,
    results: Iterable[GameResult],
    *,
    stood_in: Mapping[tuple[int, str], str] | None = None,
    appeals: Appeals = NO_APPEALS,
    earlier: Sequence[str] = (),
) -> Standings:
    """Work out the standings of a league from its finished games.

    Args:
        league: What is said about it.
        results: Of its games.
        stood_in: By a game's number and an entrant that was suspended when it began,
            why it was; `None` where nobody knows, as of games from files.
        appeals: What its host has decided: entrants that are excluded have no row,
            and their games count for nobody.
        earlier: The hashes of the records of games before these, which are too old to
            count in a ladder.
    """
    from leagues.rating.design import design_effect
    from leagues.rating.ratings import PRIOR, rate, rate_points

    finished = sorted(results, key=lambda game: game.number)
    league, counting = as_decided(league, finished, appeals)
    pool = families(counting, league.versions)
    games = pool.games
    ratings = rate(games, anchor=pool.newest(league.anchor))
    # Who has played in none of the last games is out of a ladder.
    idle = set(() if league.window else league.entrants) - appeals.excluded.keys()
    idle -= {member.bot for member in pool.members.values()}
    members = {**pool.members, **{name: Member(name, "") for name in idle}}
    tallies = {name: _Tally([0.0] * league.players) for name in members}
    for game in games:
        _count(game, tallies)
    points = rate_points(games, ratings.names)
    table = _Table(league, members, tallies, ratings, points)
    rows = table.rows(members)
    return Standings(
        league=league,
        games_finished=len(earlier) + len(finished),
        blocks=len({game.block for game in games}),
        design_effect=design_effect(games) if league.luck != NONE else None,
        anchor=ratings.anchor,
        prior=PRIOR,
        digest=records_digest([*earlier, *(game.record_hash for game in finished)]),
        games_counted=len(games),
        appeals=appeals,
        audit_head=head_of(league.name, appeals.entries),
        rows=rows,
        short=_with_more(table.rows(_short_names(rows, league.versions)), rows),
        incidents=tuple(
            incident
            for game in games
            for incident in incidents_of(game, stood_in, members)
        ),
        owners_apart=kept_apart(counting, league.owners),
    )


def as_decided(
    league: LeagueFacts, finished: Collection[GameResult], appeals: Appeals
) -> tuple[LeagueFacts, list[GameResult]]:
    """Return what a league's host has made of it, and the results that count."""
    counting = appeals.counting(finished)
    facts = replace(
        league,
        came_and_went=appeals.came_and_went,
        excluded_games=len(finished) - len(counting),
    )
    return facts, counting


def load_ratings() -> None:
    """Load what rates, where it matters when the time for that is spent."""
    # It knows all the rest.
    import_module("leagues.rating.design")


def records_digest(hashes: Iterable[str]) -> str:
    """Chain the hashes of records, given in hexadecimal in the order of games.

    It begins with SHA-256("hearts/1/records"); each record makes it SHA-256 of
    the digest so far and the record's hash, 64 bytes. Whoever has the records can
    work it out, and no record can be changed, left out or added without it.
    """
    digest = sha256(b"hearts/1/records").digest()
    for text in hashes:
        digest = sha256(digest + bytes.fromhex(text)).digest()
    return digest.hex()


def _count(game: GameResult, tallies: Mapping[str, _Tally]) -> None:
    given_up = {item.seat for item in game.given_up}
    places = [seat.place for seat in game.seats]
    for index, seat in enumerate(game.seats):
        tally = tallies[seat.entrant]
        tally.games += 1
        tally.deals += game.deals
        tally.points += seat.points
        tally.moons += seat.moons
        tally.queens += seat.queens
        tally.given_up += index in given_up
        # A shared place is split among all the places that it stands for.
        sharing = places.count(seat.place)
        for place in range(seat.place, seat.place + sharing):
            tally.places[place - 1] += 1 / sharing
    for fault in game.faults:
        tallies[game.seats[fault.seat].entrant].faults[fault.kind] += 1


@dataclass(frozen=True, slots=True)
class _Table:
    """All that the rows of standings are made of."""

    league: LeagueFacts
    members: Mapping[str, Member]
    tallies: Mapping[str, _Tally]
    ratings: "Ratings"
    points: "PointsPerDeal"

    def rows(self, names: Collection[str]) -> tuple[StandingsRow, ...]:
        """Rank some of the entrants; those without games come last."""
        ratings, points = self.ratings, self.points
        elo = [round(float(value), _DIGITS) for value in ratings.elo]
        some = [n for n, name in enumerate(ratings.names) if name in names]
        ranked = sorted(some, key=lambda index: (-elo[index], index))
        superiority = ratings.superiority()
        tiers = ratings.tiers()
        rows = [
            replace(
                self._row(ratings.names[index]),
                rank=1 + sum(elo[other] > elo[index] for other in some),
                elo=elo[index],
                error=_known(ratings.errors, index),
                half_width=_known(ratings.half_widths, index),
                tier=tiers[index],
                los=None if below is None else _known(superiority, index, below),
                mark=_mark(ratings, index),
                blocks=int(ratings.blocks[index]),
                points_half_width=_known(points.half_widths, index),
                score=_score(ratings, index),
            )
            for index, below in zip_longest(ranked, ranked[1:])
        ]
        idle = sorted(set(names) - set(ratings.names))
        last = len(rows) + 1
        return (*rows, *(replace(self._row(name), rank=last) for name in idle))

    def _row(self, name: str) -> StandingsRow:
        """Sum an entrant's games up, without what ratings say."""
        league, tally, member = self.league, self.tallies[name], self.members[name]
        deals = tally.deals
        moons = tally.moons if league.has_moon else None
        queens = tally.queens if league.has_queen else None
        return StandingsRow(
            rank=0,
            entrant=name,
            bot=member.bot,
            version=member.version,
            is_newest=member.is_newest,
            elo=None,
            error=None,
            half_width=None,
            tier=None,
            los=None,
            mark="",
            blocks=0,
            games=tally.games,
            deals=deals,
            points_per_deal=tally.points / deals if deals else None,
            points_half_width=None,
            score=None,
            places=tuple(round(count, 6) for count in tally.places),
            moons_per_100_deals=_per_100_deals(moons, deals),
            queens_percent=_per_100_deals(queens, deals),
            faults={kind: tally.faults[kind] for kind in FAULT_KINDS},
            given_up=tally.given_up,
            owner=league.owners.get(member.bot, ""),
        )


def _short_names(rows: Iterable[StandingsRow], versions: Versions | None) -> set[str]:
    """Choose who has a row in the short form.

    Args:
        rows: All rows, the best first.
        versions: Which versions the league takes.
    """
    shown = [row for row in rows if row.is_newest or versions != Versions.LATEST]
    best: dict[str, str] = {}
    for row in shown:
        best.setdefault(row.owner, row.bot)
    return {row.entrant for row in shown if not row.owner or best[row.owner] == row.bot}


def _with_more(
    short: Iterable[StandingsRow], rows: Iterable[StandingsRow]
) -> tuple[StandingsRow, ...]:
    """Say in the first row of each owner how many more bots it has."""
    bots: dict[str, set[str]] = {}
    for row in rows:
        bots.setdefault(row.owner, set()).add(row.bot)
    told = {""}
    found = []
    for row in short:
        more = 0 if row.owner in told else len(bots[row.owner]) - 1
        told.add(row.owner)
        found.append(replace(row, more=more))
    return tuple(found)


def _known(values: "Floats", *at: int) -> float | None:
    """Return a figure of the ratings; `None` where there is none."""
    value = float(values[at])
    return None if isnan(value) else round(value, _DIGITS)


def _mark(ratings: "Ratings", index: int) -> str:
    is_anchor = ratings.names[index] == ratings.anchor
    return ("*" if is_anchor else "") + ratings.marks[index]


def _score(ratings: "Ratings", index: int) -> float:
    return float(ratings.wins[index].sum() / ratings.results[index].sum())


def _per_100_deals(count: int | None, deals: int) -> float | None:
    return None if count is None or not deals else 100 * count / deals
