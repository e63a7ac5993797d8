"""Head to head: two bots, and all games in which both sat at the table."""

from dataclasses import astuple, dataclass, fields

from scipy.special import stdtrit

from leagues.reports.document import Column, Report, Table, figure, percent
from leagues.reports.source import Source, meetings_of
from leagues.reports.words import counted
from leagues.results import GameResult, SeatResult

__all__ = ["head_to_head"]


@dataclass(frozen=True, slots=True)
class _Duel:
    """Everything that is said of the two, in the order of the columns."""

    one: str
    other: str
    games: int
    blocks: int
    ahead: int
    equal: int
    behind: int
    score: float
    points_per_deal_one: float
    points_per_deal_other: float
    points_difference: float
    points_half_width: float
    elo_difference: float
    elo_half_width: float
    los: float
    p_value: float
    told_apart: bool


@dataclass(slots=True)
class _Tally:
    """Sums over the games of the two."""

    ahead: int = 0
    equal: int = 0
    behind: int = 0
    points: int = 0
    points_other: int = 0
    deals: int = 0

    def count(self, one: SeatResult, other: SeatResult, deals: int) -> None:
        """Add a game."""
        self.ahead += one.place < other.place
        self.equal += one.place == other.place
        self.behind += one.place > other.place
        self.points += one.points
        self.points_other += other.points
        self.deals += deals

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.ahead + self.equal + self.behind

    @property
    def score(self) -> float:
        """Which part of them the one won, ties half."""
        if not self.games:
            return float("nan")
        return (self.ahead + self.equal / 2) / self.games

    def each(self, points: int) -> float:
        """Return points for each deal."""
        return points / self.deals if self.deals else float("nan")


def head_to_head(source: Source, one: str, other: str) -> Report:
    """Compare two bots, by the games that they played together and by all.

    Args:
        source: The league.
        one: A bot that has played.
        other: Another one.
    """
    tally, by_distance = _counted(source, one, other)
    duel = _duel(source, one, other, tally)
    columns = tuple(Column(item.name, item.name) for item in fields(_Duel))
    return Report(
        kind="head-to-head",
        league=source.facts.name,
        summary=_summary(duel),
        unit=source.unit,
        games=duel.games,
        blocks=duel.blocks,
        data=Table(columns, (astuple(duel),)),
        tables=(_shown(duel), _by_distance(by_distance)),
        notes=(
            "Elo, LOS and p are from all games of the league, since those against "
            "others count too; the rest is from the games of the two.",
            "p and LOS are for this pair alone: the best-looking of many pairs looks "
            "good by luck. The first sentences judge all pairs together.",
        ),
    )


def _duel(source: Source, one: str, other: str, tally: _Tally) -> _Duel:
    at = source.ranked.index(one), source.ranked.index(other)
    met, ratings = meetings_of(source), source.ratings
    row, column = (int(source.order[place]) for place in at)
    degrees = max(1, int(min(ratings.blocks[row], ratings.blocks[column])) - 1)
    error = float(ratings.pair_errors[row, column])
    return _Duel(
        one=one,
        other=other,
        games=tally.games,
        blocks=int(met.blocks[at]),
        ahead=tally.ahead,
        equal=tally.equal,
        behind=tally.behind,
        score=tally.score,
        points_per_deal_one=tally.each(tally.points),
        points_per_deal_other=tally.each(tally.points_other),
        points_difference=float(met.margin[at]),
        points_half_width=float(met.half_width[at]),
        elo_difference=float(ratings.elo[row] - ratings.elo[column]),
        elo_half_width=float(stdtrit(degrees, 0.975)) * error,
        los=float(ratings.superiority()[row, column]),
        p_value=float(ratings.p_values()[row, column]),
        told_apart=bool(source.differs[at]),
    )


def _counted(source: Source, one: str, other: str) -> tuple[_Tally, dict[int, _Tally]]:
    """Sum up the games of the two, in all and by how many seats on the other sat."""
    whole, by_distance = _Tally(), dict[int, _Tally]()
    for game in source.results:
        first, second = _seat(game, one), _seat(game, other)
        if first is None or second is None:
            continue
        distance = (second - first) % len(game.seats)
        for tally in (whole, by_distance.setdefault(distance, _Tally())):
            tally.count(game.seats[first], game.seats[second], game.deals)
    return whole, by_distance


def _seat(game: GameResult, name: str) -> int | None:
    return next((n for n, seat in enumerate(game.seats) if seat.entrant == name), None)


def _summary(duel: _Duel) -> str:
    one, other = duel.one, duel.other
    if duel.games:
        equal = f", and came out equal in {duel.equal}" if duel.equal else ""
        told = f"{one} came out ahead of {other} in {duel.ahead} of "
        told += counted(duel.games, "game") + equal
    else:
        told = f"{one} and {other} have not met at a table"
    better, worse = (one, other) if duel.elo_difference >= 0 else (other, one)
    if duel.told_apart:
        return f"{told}. All games of the league say that {better} is really better."
    return (
        f"{told}. The games of the league do not tell the two apart: that {better} "
        f"stands above {worse} may be luck."
    )


def _shown(duel: _Duel) -> Table:
    """Set the two side by side, a line for each figure."""
    points, width = duel.points_difference, duel.points_half_width
    elo, elo_width = duel.elo_difference, duel.elo_half_width
    lines = (
        ("Games ahead", str(duel.ahead), str(duel.behind)),
        ("Games equal", str(duel.equal), str(duel.equal)),
        ("Score, percent", percent(duel.score), percent(1 - duel.score)),
        (
            "Points a deal",
            figure(duel.points_per_deal_one, 3),
            figure(duel.points_per_deal_other, 3),
        ),
        ("Points a deal more", _sure(points, width, 3), _sure(-points, width, 3)),
        ("Elo more", _sure(elo, elo_width, 1), _sure(-elo, elo_width, 1)),
        ("LOS, percent", percent(duel.los), percent(1 - duel.los)),
        ("p of equal bots", figure(duel.p_value, 6), ""),
    )
    columns = (
        Column("", "figure", is_text=True),
        Column(duel.one, "one"),
        Column(duel.other, "other"),
    )
    return Table(columns, lines)


def _sure(value: float, half_width: float, digits: int) -> str:
    """Write a figure with its interval, where it has one."""
    text, width = figure(value, digits, has_sign=True), figure(half_width, digits)
    return text if width == "-" else f"{text} ±{width}"


def _by_distance(tallies: dict[int, _Tally]) -> Table:
    columns = (
        Column("The other sits", "distance", is_text=True),
        Column("Games", "games"),
        Column("Score%", "score", 1),
        Column("Pts/deal", "points", 3),
        Column("Other's", "points_other", 3),
    )
    rows = tuple(
        (
            "to the left" if distance == 1 else f"{distance} seats on",
            tally.games,
            100 * tally.score,
            tally.each(tally.points),
            tally.each(tally.points_other),
        )
        for distance, tally in sorted(tallies.items())
    )
    return Table(columns, rows, "By where the other sits")
