"""A match: whether the one bot is better than the other, in words and figures."""

from dataclasses import dataclass, fields
from math import isfinite
from typing import Any, Final

from leagues.match import Claims
from leagues.match_score import MatchResult
from leagues.rating.sequential import Verdict
from leagues.reports.document import Column, Report, Table, figure
from leagues.reports.words import counted
from leagues.standings import UNIT

__all__ = ["match_facts", "match_report", "progress_words", "verdict_words"]

_BLOCKS_MIN: Final = 3


@dataclass(frozen=True, slots=True)
class _Row:
    """Everything that is said of a match, for programs."""

    a: str
    b: str
    verdict: Verdict | None
    is_over: bool
    margin: float
    margin_half_width: float
    a_points_per_deal: float
    b_points_per_deal: float
    effect: float
    nelo: float
    nelo_half_width: float
    d0: float | None
    d1: float | None
    alpha: float | None
    beta: float | None
    llr: float | None
    llr_lower: float | None
    llr_upper: float | None
    blocks: int
    blocks_planned: int
    games: int
    deals: int
    games_beyond: int
    a_faults: int
    b_faults: int
    a_given_up: int
    b_given_up: int


def match_report(league: str, result: MatchResult) -> Report:
    """Tell what a match came to, or has come to so far.

    Args:
        league: Its name in the store.
        result: What it came to.
    """
    columns = tuple(Column(item.name, item.name) for item in fields(_Row))
    row = _row(result)
    return Report(
        kind="match",
        league=league,
        summary=" ".join(verdict_words(result)),
        unit=UNIT,
        games=result.games,
        blocks=result.blocks,
        data=Table(columns, (tuple(getattr(row, item.name) for item in fields(row)),)),
        tables=(_sides(result), _figures(result)),
        notes=_notes(result),
    )


def match_facts(result: MatchResult) -> dict[str, Any]:
    """Return the figures by their names; `None` for those that have no value."""
    row = _row(result)
    values = {item.name: getattr(row, item.name) for item in fields(row)}
    return {
        name: (round(value, 6) if isfinite(value) else None)
        if isinstance(value, float)
        else value
        for name, value in values.items()
    }


def _row(result: MatchResult) -> _Row:
    claims, test = result.match.claims, result.test
    one, other = result.match.sides
    return _Row(
        a=one,
        b=other,
        verdict=test.verdict if test else None,
        is_over=result.is_over,
        margin=result.margin,
        margin_half_width=result.half_width,
        a_points_per_deal=result.points[0],
        b_points_per_deal=result.points[1],
        effect=result.effect,
        nelo=result.nelo,
        nelo_half_width=result.nelo_half_width,
        d0=claims.d0 if claims else None,
        d1=claims.d1 if claims else None,
        alpha=claims.alpha if claims else None,
        beta=claims.beta if claims else None,
        llr=test.llr if test else None,
        llr_lower=test.lower if test else None,
        llr_upper=test.upper if test else None,
        blocks=result.blocks,
        blocks_planned=result.blocks_planned,
        games=result.games,
        deals=result.deals,
        games_beyond=result.games_beyond,
        a_faults=result.faults[0],
        b_faults=result.faults[1],
        a_given_up=result.given_up[0],
        b_given_up=result.given_up[1],
    )


def verdict_words(result: MatchResult) -> list[str]:
    """Say in sentences which bot is better, as far as the match tells."""
    if not result.blocks:
        return ["No block is finished, so nothing is known."]
    if result.blocks >= _BLOCKS_MIN and not (result.margin or result.half_width):
        one, other = result.match.sides
        alike = f"In all {counted(result.blocks, 'block')} {one} and {other} came out "
        return [alike + "exactly alike.", *_decision(result)]
    told = _decision(result)
    one = result.match.sides[0]
    who = "It" if told[0].startswith(f"{one} is ") else one
    return [*told, _margin(result, who)]


def _decision(result: MatchResult) -> list[str]:
    claims, test = result.match.claims, result.test
    if claims is None or test is None:
        return _by_interval(result)
    if test.verdict is not None:
        return [_claimed(result, claims, test.verdict), _risk(claims, test.verdict)]
    if not result.is_over:
        return ["Not decided yet."]
    if result.is_cut_short:
        return ["Not decided: the match was ended before its test."]
    blocks = counted(result.blocks, "block")
    return [
        f"Not decided: the test has not ended within {blocks}; what is left is too "
        "small a difference for so few."
    ]


def _by_interval(result: MatchResult) -> list[str]:
    """Judge a match of a fixed number of blocks."""
    one, other = result.match.sides
    if result.blocks < _BLOCKS_MIN:
        return ["There are too few blocks to tell the two apart."]
    so_far = "" if result.is_over else " so far"
    if abs(result.margin) <= result.half_width:
        return [f"The match does not tell {one} and {other} apart{so_far}."]
    better, worse = (one, other) if result.margin > 0 else (other, one)
    return [f"{better} is better than {worse}{so_far}."]


def _claimed(result: MatchResult, claims: Claims, verdict: Verdict) -> str:
    """Say what the test has ended with, by where its claims lie."""
    one, other = result.match.sides
    if claims.d0 >= 0:
        if verdict == "h1":
            return f"{one} is better than {other}."
        return (
            f"{one} is not better than {other}, or by less than was asked for (an "
            f"effect of {claims.d1:g})."
        )
    if claims.d1 <= 0:
        if verdict == "h0":
            return f"{one} is worse than {other}."
        return (
            f"{one} is not worse than {other}, or by less than was feared (an effect "
            f"of {claims.d0:g})."
        )
    better, worse = (one, other) if verdict == "h1" else (other, one)
    return f"{better} is better than {worse}."


def _risk(claims: Claims, verdict: Verdict) -> str:
    """Say how often the test ends so wrongly."""
    risk, effect = (
        (claims.alpha, claims.d0) if verdict == "h1" else (claims.beta, claims.d1)
    )
    true = "the two are equal" if not effect else f"the effect is {effect:g}"
    return f"Where {true}, {100 * risk:g} of 100 such matches end so by chance."


def _margin(result: MatchResult, one: str) -> str:
    other = result.match.sides[1]
    margin = abs(result.margin)
    width = figure(result.half_width, 2)
    sure = "" if width == "-" else f", give or take {width} (95 % confidence)"
    if not float(figure(margin, 2)):
        return f"{one} took as many points a deal as {other}{sure}."
    more = "fewer" if result.margin > 0 else "more"
    return f"{one} took {figure(margin, 2)} points a deal {more} than {other}{sure}."


def _sides(result: MatchResult) -> Table:
    """Set the two side by side."""
    one, other = result.match.sides
    columns = (
        Column("", "figure", is_text=True),
        Column(one, "a"),
        Column(other, "b"),
    )
    rows = (
        ("Points a deal", *(figure(points, 2) for points in result.points)),
        ("Faults", *map(str, result.faults)),
        ("Seats given up", *map(str, result.given_up)),
    )
    return Table(columns, rows)


def _figures(result: MatchResult) -> Table:
    """Tell the figures of the test, each with what it is."""
    columns = (
        Column("Figure", "figure", is_text=True),
        Column("Value", "value", is_text=True),
        Column("What it is", "meaning", is_text=True),
    )
    one, other = result.match.sides
    most = "at most " if result.test else ""
    planned = f" of {most}{result.blocks_planned:,}" if result.blocks_planned else ""
    rows = [
        (
            "Margin",
            _sure(result.margin, result.half_width, 2),
            f"points a deal that {one} took fewer than {other}",
        ),
        ("Effect", figure(result.effect, 3), "margin by the blocks' spread"),
        (
            "nElo",
            _sure(result.nelo, result.nelo_half_width, 1),
            "normalised Elo of a game",
        ),
        (
            "Blocks",
            f"{result.blocks:,}{planned}",
            f"{result.games:,} games, {result.deals:,} deals",
        ),
    ]
    if (claims := result.match.claims) and (test := result.test):
        rows.insert(
            0,
            (
                "LLR",
                figure(test.llr, 2, has_sign=True),
                f"ends at {test.lower:+.2f} for an effect of {claims.d0:g}, at "
                f"{test.upper:+.2f} for {claims.d1:g}",
            ),
        )
    return Table(columns, tuple(rows))


def _sure(value: float, half_width: float, digits: int) -> str:
    text, width = figure(value, digits, has_sign=True), figure(half_width, digits)
    return text if width == "-" else f"{text} ±{width}"


def _notes(result: MatchResult) -> tuple[str, ...]:
    one, other = result.match.sides
    notes = []
    if result.match.claims and result.test and result.test.verdict:
        notes.append(
            "A test that ends once it is sure has been lucky a little more often than "
            "not: the margin and its interval are not quite what as many blocks tell "
            "that were fixed beforehand."
        )
    if result.games_beyond:
        notes.append(
            f"{counted(result.games_beyond, 'game')} more had been finished or begun "
            "by then, and count for nothing."
        )
    for side, count in zip((one, other), result.given_up, strict=True):
        if count:
            notes.append(
                f"{side} was given up in {counted(count, 'seat')}: there a stand-in "
                "played on, and each deal cost it the most points at the table."
            )
    return tuple(notes)


def progress_words(result: MatchResult) -> str:
    """Say in a line how a match stands."""
    if not result.blocks:
        return "no block finished yet"
    text = counted(result.blocks, "block")
    if test := result.test:
        text += f", LLR {test.llr:+.2f} ({test.lower:+.2f} to {test.upper:+.2f})"
    margin, width = figure(abs(result.margin), 2), figure(result.half_width, 2)
    sure = margin if width == "-" else f"{margin} ±{width}"
    is_better = "better" if result.margin >= 0 else "worse"
    return f"{text}, {result.match.sides[0]} {is_better} by {sure} points a deal"
