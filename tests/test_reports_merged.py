"""Games from files: which can be rated together, and what they come to."""

import random
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from arena.record import RulesRecord
from leagues.blocks import are_rotated
from leagues.rating.ratings import rate
from leagues.reports.merged import FileGame, FileGames, MergeError, merged
from leagues.reports.standings_head import head_lines
from leagues.results import GameResult, result_of
from leagues.results_file import read_result, record_result, write_result
from leagues.standings import standings_of
from tests.made_up_leagues import made_up
from tests.sample_records import sample_record

OWNERS = {"ada": "Uta"}


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


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
            owners=tuple(OWNERS.get(seat.entrant, "") for seat in result.seats),
            result=replace(result, record_hash=_digest(f"{league}-{result.number}")),
        )
        for line, result in enumerate(results, start=1)
    ]


def test_one_league_stays_as_it_is() -> None:
    """Whatever the order of its lines, its games keep numbers and blocks."""
    results = made_up(1, rotations=4)
    games = file_games(results)
    random.Random(1).shuffle(games)
    facts, found = merged(games, state="from 1 file", anchor="careful")

    by_number = sorted(games, key=lambda item: item.result.number)
    assert [item.result for item in by_number] == found
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
    assert ["friday-1", "friday-60", "sunday-1", "sunday-60"] == [
        facts.game_name(number) for number in (1, 60, 61, 120)
    ]
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
            {"players": 5},
            "b.jsonl:9: game 'sunday-1' has the rules arena, abababababababab, but",
        ),
        (
            {"game": "friday-3"},
            "b.jsonl:9: game 'friday-3' stands twice, first in a.jsonl:3; their "
            "records differ: two leagues of one name?",
        ),
        (
            {"owners": ("Eve",) * 4},
            "b.jsonl:9: 'ada' is owned by 'Eve', but by 'Uta' in a.jsonl:1; a name "
            "stands for one bot",
        ),
        ({"league": "sun\nday"}, "b.jsonl:9: game 'sunday-1' names 'sun\\nday'"),
    ],
)
def test_what_does_not_go_together_is_named(
    changes: dict[str, Any], message: str
) -> None:
    """Other rules, units and owners and doubled games are refused with their place."""
    odd = file_games(made_up(2, games=1), league="sunday")[0]
    odd = replace(odd, place="b.jsonl:9", **changes)

    with pytest.raises(MergeError) as caught:
        merged([*file_games(made_up(1)), odd], state="")
    assert str(caught.value).startswith(message)


def test_a_game_counts_once_under_any_name() -> None:
    """The same line again is refused, and the same record under another number."""
    games = file_games(made_up(1))
    again = replace(games[0], place="b.jsonl:1")
    renamed = replace(again, game="friday-99")

    with pytest.raises(MergeError) as twice:
        merged([*games, again], state="")
    assert (
        "b.jsonl:1: game 'friday-1' stands twice, first in a.jsonl:1; each game counts "
        "once"
    ) == str(twice.value)
    with pytest.raises(MergeError) as same:
        merged([*games, renamed], state="")
    assert (
        "b.jsonl:1: game 'friday-99' has the same record as 'friday-1' in a.jsonl:1; "
        "each game counts once"
    ) == str(same.value)


def test_records_and_results_are_the_same_games() -> None:
    """A game comes to the same, whether its record or its result is read."""
    record = sample_record(7)
    games = FileGames()
    line = read_result(record_result(record), file="a.jsonl", line=1)
    by_record = games.of_record(record, place="a.jsonl:1")
    by_result = games.of_result(line)

    assert result_of(record) == by_record.result
    assert by_record == replace(by_result, dealt_from=by_record.dealt_from)


def test_rules_that_are_none_are_named() -> None:
    """A line whose rules have another hash than they say is refused with its place."""
    rules = RulesRecord(hash="ab" * 32, overrides={}, players=4, preset="arena")
    text = write_result(made_up(1)[0], league="friday", rules=rules, owners={})
    line = read_result(text, file="a.jsonl", line=3)

    with pytest.raises(MergeError, match=r"a\.jsonl:3: .*rules\.hash"):
        FileGames().of_result(line)


@pytest.mark.parametrize("name", ["", "a\x1b[2J", "a\u202eb", "x" * 2403])
def test_names_that_would_spoil_a_terminal_are_refused(name: str) -> None:
    """A file from elsewhere cannot bring names that are none."""
    game = made_up(1, games=1)[0]
    seats = (replace(game.seats[0], entrant=name), *game.seats[1:])

    with pytest.raises(MergeError, match="which is no name"):
        merged(file_games([replace(game, seats=seats)]), state="")


def test_nobody_is_rated_against_itself() -> None:
    """A file that seats a bot twice at a table is refused, as results are."""
    game = made_up(1, games=1)[0]
    one, other, *rest = game.seats
    seats = (one, replace(other, entrant=one.entrant), *rest)

    with pytest.raises(MergeError, match=r"'friday-1' seats .* twice"):
        merged(file_games([replace(game, seats=seats)]), state="")


def test_games_without_a_league_have_blocks_of_their_own() -> None:
    """Practice games are told apart by their cards, not by a number they lack."""
    games = [
        replace(
            item,
            league="",
            game=f"p{line}",
            result=replace(item.result, record_hash=_digest(f"p{line}")),
        )
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
