"""Luck: how much of the results is the cards, and what dealing alike has saved."""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import numpy as np

from leagues.rating.design import design_effect
from leagues.rating.pairs import Floats
from leagues.rating.ratings import rate
from leagues.reports.deals import Deals, GameRecord, deals_of
from leagues.reports.document import Column, Report, Rows, Table, figure, percent
from leagues.reports.source import Source

__all__ = ["luck", "skill_share"]

_DATA: Final = (
    Column("Entrant", "entrant", is_text=True),
    Column("Deals", "deals"),
    Column("Pts/deal", "points_per_deal", 3),
    Column("Sd", "points_sd", 2),
    Column("Variance", "points_variance", 2),
    Column("SE", "error_by_block", 2),
    Column("SE alone", "error_by_game", 2),
    Column("Effect", "design_effect", 3),
)


def luck(source: Source, games: Iterable[GameRecord]) -> Report:
    """Compare errors by block with those of games that depend on nothing.

    The design effect is the ratio of their squares: below 1 the blocks have saved
    games, 1 is what games with cards of their own have.
    """
    deals = deals_of(source, games)
    by_block, by_game = _errors(source)
    effect = design_effect(source.results) or float("nan")
    mean, variance, counts = _spread(source, deals)
    data: Rows = tuple(
        (
            name,
            int(counts[at]),
            float(mean[at]),
            float(np.sqrt(variance[at])),
            float(variance[at]),
            float(by_block[at]),
            float(by_game[at]),
            float((by_block[at] / by_game[at]) ** 2),
        )
        for at, name in enumerate(source.ranked)
    )
    skill = skill_share(deals)
    return source.report(
        "luck",
        _summary(source, effect, skill),
        Table(_DATA, data),
        notes=(
            f"Design effect of the league: {figure(effect, 3)}, give or take "
            f"{percent(_noise(source), 0)} %, from the errors of all pairs. For the "
            "same errors, games that depend on nothing would have to be as many as "
            "these divided by it.",
            "Sd and variance: of the points that the bot took in a deal. SE: the error "
            "of its rating by block, and what it would be if each game were a block of "
            "its own.",
        ),
    )


def _errors(source: Source) -> tuple[Floats, Floats]:
    """Return the errors of the ratings by block, and by game, in the order of rank.

    They are those of the distance from the mean.
    """
    apart = [replace(g, block=number) for number, g in enumerate(source.results)]
    by_block, by_game = rate(source.results), rate(apart)
    return by_block.errors[source.order], by_game.errors[source.order]


def _spread(source: Source, deals: Deals) -> tuple[Floats, Floats, Floats]:
    """Return mean and variance of the points of each entrant, and of how many deals."""
    size = len(source.ranked)
    counts = np.bincount(deals.entrant, minlength=size).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(deals.entrant, deals.points, minlength=size) / counts
        squares = np.square(deals.points - mean[deals.entrant])
        variance = np.bincount(deals.entrant, squares, minlength=size) / (counts - 1)
    return mean, variance, counts


def skill_share(deals: Deals) -> float:
    """Return which part of the variance of points is between bots and not within.

    Bots that are equal differ too, by chance; what that makes on average is taken off.
    """
    spare = len(deals.points) - len(np.unique(deals.entrant))
    if spare < 1:
        return float("nan")
    total = float(np.square(deals.points - deals.points.mean()).sum())
    counts = np.bincount(deals.entrant)
    sums = np.bincount(deals.entrant, deals.points)
    with np.errstate(invalid="ignore"):
        means = np.where(counts > 0, sums / counts, 0.0)
    between = float((counts * np.square(means - deals.points.mean())).sum())
    chance = (total - between) * (np.count_nonzero(counts) - 1) / spare
    return max(0.0, between - chance) / total if total else float("nan")


def _summary(source: Source, effect: float, skill: float) -> str:
    if skill != skill or effect != effect:
        return "There are too few games to say how much is luck."
    told = (
        f"Of how much points differ from deal to deal, {percent(skill, 0)} % is who "
        f"plays and {percent(1 - skill, 0)} % is the cards and the others"
    )
    if source.blocks == len(source.results):
        return (
            f"{told}. Each game has cards of its own: luck evens out by numbers only."
        )
    if abs(effect - 1) < _noise(source):
        return f"{told}. The blocks are too few to say what dealing alike has saved."
    worth = f"{1 / effect:.2f} times as many games"
    if effect < 1:
        return f"{told}. Dealing alike counts like {worth}."
    return f"{told}. Dealing alike has saved no games: they count like {worth}."


def _noise(source: Source) -> float:
    """Return how far off the effect may be: the relative error of a variance."""
    if source.blocks == len(source.results):
        return 0.0
    return math.sqrt(2 / max(source.blocks - 1, 1))
