"""Standings whose games share deals: what so few blocks can tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from leagues.blocks import NONE, ROTATE
from leagues.reports.page import results_page
from leagues.reports.source import source_of
from leagues.reports.standings import FORMATS
from leagues.standings import standings_of
from tests.made_up_leagues import NAMES, facts_of, made_up

NOTE = "Too few blocks"


def text(blocks: int, *, luck: str = ROTATE, skill: float = 0) -> str:
    """The standings of four bots, of which one may be the best by so many points."""
    names = NAMES[:4]
    results = made_up(
        1, games=4 * blocks, names=names, rotations=4, skill={names[0]: skill}
    )
    return FORMATS["text"](standings_of(replace(facts_of(names), luck=luck), results))


def page(blocks: int) -> str:
    """The results page of the same bots, which are alike."""
    names = NAMES[:4]
    results = made_up(1, games=4 * blocks, names=names, rotations=4)
    facts = replace(facts_of(names), luck=ROTATE)
    return results_page(
        standings_of(facts, results),
        source_of(facts, results),
        worst=lambda _: (),
        files=(),
    )


@pytest.mark.parametrize("blocks", [2, 5])
def test_few_blocks_are_told(blocks: int) -> None:
    """Twenty games of five blocks are not twenty results."""
    assert f"{NOTE} ({blocks} each) to tell anybody apart\n" in text(blocks)


def test_the_page_tells_few_blocks_too() -> None:
    """Who reads the page alone is told as much as who reads the standings."""
    assert f"<small>{NOTE} (5 each) to tell anybody apart.</small>" in page(5)
    assert NOTE not in page(60)


def test_who_is_told_apart_needs_no_excuse() -> None:
    """Where there are several tiers blocks are not too few."""
    assert NOTE in text(8)
    assert NOTE not in text(8, skill=7)


def test_many_blocks_that_tell_nobody_apart_are_not_few() -> None:
    """Then it is the bots that are alike."""
    assert NOTE not in text(60)


def test_games_of_their_own_are_no_blocks() -> None:
    """Where each game has its own deals the table shows how many there are."""
    assert NOTE not in text(5, luck=NONE)
