"""A plan in words: what a league will be, for whoever hosts it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from textwrap import wrap
from typing import Final

from leagues.kept_apart import apart_text
from leagues.luck import RotatedGames
from leagues.scheduling.balance import AIM_APART, Range
from leagues.scheduling.plan import Plan
from leagues.scheduling.schedule import Method

__all__ = ["Duration", "lasting", "plan_text"]

_METHODS: Final = {
    Method.SUBSETS: "every set of entrants that fills a table plays",
    Method.CYCLIC: "all rounds follow from one",
    Method.GREEDY: "in each round those meet who have met least",
}


_INDENT: Final = 10
_WIDTH: Final = 88
_GAP_MAX: Final = 800
"""Gaps beyond this are all the same: a hundred to one."""


@dataclass(frozen=True, slots=True)
class Duration:
    """How long a league will be played, and what that is based on."""

    seconds: float
    turns_per_game: float
    turns_per_second: float
    length_source: str
    """Where the length of a game is from."""
    speed_source: str
    """Where the speed is from."""
    until: str = ""
    """When it shall be over, as a clock here shows it; empty where that is open."""


def plan_text(
    plan: Plan,
    duration: Duration,
    *,
    name: str,
    rules: str,
    anchor: str | None,
    finished: int = 0,
    moves: Sequence[str] = (),
    rotated: RotatedGames | None = None,
    owned: Sequence[tuple[str, Sequence[str]]] = (),
) -> str:
    """Tell a plan to people.

    Args:
        plan: The figures.
        duration: How long it will take.
        name: The league's.
        rules: Those of the league in a line.
        anchor: The entrant whose rating is fixed, if any.
        finished: How many of the games are played already.
        moves: Who came and who left, each a sentence: then the games that are left
            are planned anew.
        rotated: How many games would do with luck `rotate`; `None` where it is not
            allowed, or that is no question any more.
        owned: Owners with bots that never meet, and these bots.
    """
    parts = (
        ("Games", _games(plan, finished, moves)),
        ("Balance", _balance(plan, owned)),
        ("Ratings", chain(_ratings(plan, anchor), _rotated(plan, rotated))),
        ("Duration", _duration(duration, finished)),
    )
    lines = [f"League {name}: {plan.design.entrants} entrants, {rules}"]
    for head, sentences in parts:
        lines.append("")
        for number, sentence in enumerate(sentences):
            start = f"{'' if number else head:{_INDENT}}"
            lines += wrap(
                sentence,
                width=_WIDTH,
                initial_indent=start,
                subsequent_indent=" " * _INDENT,
            )
    return "\n".join(lines) + "\n"


def _games(plan: Plan, finished: int, moves: Sequence[str]) -> Iterator[str]:
    design = plan.design
    tables = "1 table" if design.tables == 1 else f"{design.tables} tables"
    each = f", each in {plan.rotations} rotations" if plan.rotations > 1 else ""
    yield (
        f"{plan.games:,} games in {plan.rounds:,} rounds of {tables} with "
        f"{design.seats} seats{each}: {_method(plan, moves)}."
    )
    yield f"{_ranged(plan.ranges.games)} games for each entrant."
    yield from moves
    if finished:
        yield f"{finished:,} of the {plan.games:,} games are finished."


def _method(plan: Plan, moves: Sequence[str]) -> str:
    if moves:
        return "planned anew, since entrants came or went"
    if not plan.is_own:
        return "as they were planned when it began"
    return _METHODS[plan.design.method]


def _balance(plan: Plan, owned: Sequence[tuple[str, Sequence[str]]]) -> Iterator[str]:
    ranges, worst = plan.ranges, plan.worst
    yield _verdict_apart(plan) if plan.is_kept_apart else _verdict(plan)
    if owned:
        yield apart_text(owned)
    other = "bot it may meet" if plan.is_kept_apart else "other one"
    across = f", opposite to it {_times(ranges.across)}" if ranges.across[1] else ""
    yield (
        f"Everybody meets each {other} {_times(ranges.pairs)}, sits to its left "
        f"{_times(ranges.lefts)}{across}, and in each seat {_times(ranges.seats)}."
    )
    opposites = f"opposites by {worst.across}, " if ranges.across[1] else ""
    yield (
        f"At the end of any round before, games differ by {worst.games} at most, "
        f"meetings by {worst.pairs}, left neighbours by {worst.lefts}, {opposites}"
        f"seats by {worst.seats}."
    )


def _verdict(plan: Plan) -> str:
    """Say in words how even it is, and what would be more so."""
    fewest, most = plan.ranges.pairs
    if not fewest:
        games = plan.even_games[-1]
        return f"Some never meet; everybody meets everybody in {games:,} games."
    if plan.is_even and most - fewest <= 1:
        end = ", or once more." if most > fewest else "."
        return f"Everybody plays equally often, and meets everybody equally often{end}"
    if plan.even_games == (plan.games,):
        return "As even as this schedule becomes."
    near = " or ".join(f"{games:,}" for games in plan.even_games)
    return f"Close to even; most even after {near} games."


def _verdict_apart(plan: Plan) -> str:
    """Say how even it is where bots of one owner never meet."""
    if not plan.ranges.pairs[0]:
        games = plan.even_games[-1]
        return (
            "Some never meet though they may; everybody meets each bot it may meet in "
            f"{games:,} games."
        )
    fewest, most = plan.ranges.games
    unit = plan.rotations
    if (
        most - fewest > AIM_APART.games * unit
        or plan.pairs_apart > AIM_APART.pairs * unit
    ):
        return "Not quite even; more games make it more so."
    often = "equally often" if plan.is_even else f"equally often, or {_more(plan)} more"
    return f"Everybody plays {often}, and meets others as evenly as owners allow."


def _more(plan: Plan) -> str:
    fewest, most = plan.ranges.games
    return "once" if most - fewest == 1 else f"up to {most - fewest} times"


def _ratings(plan: Plan, anchor: str | None) -> Iterator[str]:
    if (found := plan.precision) is None:
        what = "blocks" if plan.rotations > 1 else "games"
        yield f"Fewer than three {what} for each entrant: no rating will have a ±."
        return
    origin = f"from {anchor}" if anchor else "from the mean of all"
    yield (
        f"About ±{found.half_width:.0f} Elo for each rating, {origin}, with 95 % "
        "confidence; more where entrants are very unequal."
    )
    yield (
        "Two entrants get different tiers, four times in five, if they are "
        f"{_elo(found.gap_among_all)} apart; for one pair alone, which was chosen "
        f"before, {_elo(found.gap)} do. 200 Elo are finishing ahead three times in "
        "four."
    )
    if plan.rotations > 1:
        yield "Shared deals make all that smaller, as the luck report will tell."
    told, alone = (
        ", ".join(f"{gap} Elo {games:,}" for gap, games in gap_games)
        for gap_games in (plan.gap_games_among_all, plan.gap_games)
    )
    yield f"Games of the league until the tiers of two differ: {told}."
    yield f"For one pair alone, which was chosen before: {alone}."


def _rotated(plan: Plan, rotated: RotatedGames | None) -> Iterator[str]:
    """Say what luck `rotate` would save."""
    if rotated is None:
        return
    few, many = rotated.fewest, rotated.most
    between = f"{many:,}" if few == many else f"{few:,} to {many:,}"
    yield (
        f'With luck = "rotate" {between} games would tell as much as these '
        f"{plan.games:,}, or {rotated.alike:,} if all are versions of one bot, as far "
        "as house bots at tables of four tell."
    )


def _elo(gap: float) -> str:
    return f"{gap:.0f} Elo" if gap < _GAP_MAX else f"more than {_GAP_MAX} Elo"


def _duration(duration: Duration, finished: int) -> Iterator[str]:
    left = " for the rest" if finished else ""
    if duration.until:
        yield (
            f"Until {duration.until}, which is time for about so many games; when it "
            "is played, the speed by then decides how many rounds there are."
        )
    yield f"About {lasting(duration.seconds)}{left}, if all are there all the time."
    turns = f"{duration.turns_per_game:,.0f} turns a game"
    speed = f"{duration.turns_per_second:,.0f} turns a second"
    if duration.length_source == duration.speed_source:
        yield f"{turns} and {speed}, {duration.speed_source}."
    else:
        yield f"{turns} ({duration.length_source}), {speed} ({duration.speed_source})."


def _ranged(counts: Range) -> str:
    least, most = counts
    return f"{most:,}" if least == most else f"{least:,} to {most:,}"


def _times(counts: Range) -> str:
    return "once" if counts == (1, 1) else f"{_ranged(counts)} times"


def lasting(seconds: float) -> str:
    """Tell a duration roughly, in the unit that suits it."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    if seconds < 48 * 3600:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86400:.1f} days"
