"""Games from files: which can be rated together, and what they come to."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from leagues.blocks import are_rotated
from leagues.rating.ratings import rate
from leagues.reports.merged import FileGame, MergeError, merged
from leagues.reports.standings import head_lines
from leagues.results import GameResult
from leagues.standings import standings_of
from tests.made_up_leagues import made_up


def file_games(
    results: list[GameResult], *, league: str = "friday", file: str = "a.jsonl"
) -> list[FileGame]:
    """Results as a file tells them."""
    return [
        FileGame(
            place=f"{file}:{line}",
            game=f"{league}-{result.number}",
            league=league,
            rules="arena",
            rules_hash="ab" * 32,
            players=4,
            tricks=13,
            has_moon=True,
            has_queen=True,
            unit="game",
            dealt_from=f"{league}{result.block}",
            result=result,
        )
        for line, result in enumerate(results, start=1)
    ]


def test_one_league_stays_as_it_is() -> None:
    """Whatever the order of its lines, its games keep numbers and blocks."""
    results = made_up(1, rotations=4)
    games = file_games(results)
    random.Random(1).shuffle(games)
    facts, found = merged(games, state="from 1 file", anchor="careful")

    assert results == found
    assert ("friday", "from 1 file", 60, 15, "rotate", "careful") == (
        facts.name,
        facts.state,
        facts.games_planned,
        facts.blocks_planned,
        facts.luck,
        facts.anchor,
    )


def test_leagues_are_rated_together() -> None:
    """Two leagues come to what all their games come to, each with its own blocks."""
    one, two = made_up(1, rotations=4), made_up(2, rotations=4)
    facts, found = merged(
        [*file_games(two, league="sunday", file="b.jsonl"), *file_games(one)],
        state="from 2 files",
    )
    shifted = [replace(g, number=g.number + 60, block=g.block + 15) for g in two]
    together, expected = rate(found), rate([*one, *shifted])

    assert "friday + sunday" == facts.name
    assert list(range(1, 121)) == [result.number for result in found]
    assert 30 == len({result.block for result in found})
    np.testing.assert_allclose(expected.elo, together.elo, atol=1e-8)
    np.testing.assert_allclose(expected.errors, together.errors, atol=1e-8)


def test_the_same_cards_are_one_block_in_all_leagues() -> None:
    """Two open leagues with one seed have dealt the same, and are no two witnesses."""
    one, two = made_up(1), made_up(2)
    games = [
        replace(item, dealt_from=f"seed{item.result.block}")
        for item in [*file_games(one), *file_games(two, league="sunday")]
    ]
    facts, found = merged(games, state="from 1 file")
    lines = head_lines(standings_of(facts, found))

    assert (120, 60) == (len(found), len({result.block for result in found}))
    # They are no rotations of each other, and must not be told as such.
    assert "shared" == facts.luck
    assert any("60 of 60, each of games with the same deals;" in one for one in lines)


def test_a_block_that_was_cut_off_is_none_of_all_rotations() -> None:
    """Who rates a part of a league is not told that its blocks are whole."""
    facts, found = merged(file_games(made_up(1, rotations=4)[:7]), state="cut off")
    lines = head_lines(standings_of(facts, found))

    assert any("2 of 2, each a seating in up to 4 rotations" in one for one in lines)


@pytest.mark.parametrize(
    ("seatings", "expected"),
    [
        (["abcd"], True),
        (["abcd", "bcda", "dabc"], True),
        (["abcd", "abcd"], False),
        (["abcd", "acbd"], False),
        (["abcd", "bcde"], False),
    ],
)
def test_rotations_are_told_from_other_seatings(
    seatings: list[str], expected: bool
) -> None:
    """A rotation keeps who sits to whose left, and everybody moves on."""
    assert expected == are_rotated([tuple(seating) for seating in seatings])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"rules": "arena, target = 50", "rules_hash": "cd" * 32},
            "b.jsonl:9: game 'sunday-1' has the rules arena, target = 50, "
            "cdcdcdcdcdcdcdcd, but 'friday-1' in a.jsonl:1 has arena, abababababababab",
        ),
        (
            {"unit": "deal"},
            "b.jsonl:9: a result of 'sunday-1' is a deal, but one of 'friday-1' in "
            "a.jsonl:1 is a game",
        ),
        (
            {"game": "friday-3"},
            "b.jsonl:9: game 'friday-3' stands twice, first in a.jsonl:3",
        ),
        ({"league": "sun\nday"}, "b.jsonl:9: game 'sunday-1' names 'sun\\nday'"),
    ],
)
def test_what_does_not_go_together_is_named(
    changes: dict[str, Any], message: str
) -> None:
    """Other rules, other units and doubled games are refused with file and line."""
    odd = file_games(made_up(2, games=1), league="sunday")[0]
    odd = replace(odd, place="b.jsonl:9", **changes)

    with pytest.raises(MergeError) as caught:
        merged([*file_games(made_up(1)), odd], state="")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", ["", "a\x1b[2J", "a\u202eb", "x" * 81])
def test_names_that_would_spoil_a_terminal_are_refused(name: str) -> None:
    """A file from elsewhere cannot bring names that are none."""
    game = made_up(1, games=1)[0]
    seats = (replace(game.seats[0], entrant=name), *game.seats[1:])

    with pytest.raises(MergeError, match="which is no name"):
        merged(file_games([replace(game, seats=seats)]), state="")


def test_games_without_a_league_have_blocks_of_their_own() -> None:
    """Practice games are told apart by their cards, not by a number they lack."""
    games = [
        replace(item, league="", game=f"p{line}")
        for line, item in enumerate(file_games([made_up(1, games=1)[0]] * 3), start=1)
    ]
    games = [replace(item, dealt_from=item.game) for item in games]
    facts, found = merged(games, state="")

    assert "practice" == facts.name
    assert [(1, 1), (2, 2), (3, 3)] == [(r.number, r.block) for r in found]


def test_nothing_cannot_be_rated() -> None:
    """Files without a finished game are an error, not an empty table."""
    with pytest.raises(MergeError, match="no finished game"):
        merged([], state="")
