"""Standings: what games count for, and how that reads in each format."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise

import pytest
from rich.console import Console

from arena.cards import PACK_SIZE, QUEEN_OF_SPADES
from arena.record import Fault, GivenUp
from arena.replay import replay
from arena.rules import RuleSet, preset
from arena.spec import GameSpec, SeatSpec
from leagues.board import board
from leagues.rating.ratings import rate, rate_points
from leagues.rating.tiers import Tier
from leagues.reports.standings import FORMATS, full_form, table_lines
from leagues.results import (
    GameResult,
    has_moon,
    queens_taken,
    result_of,
)
from leagues.standings import (
    LeagueFacts,
    Standings,
    StandingsRow,
    records_digest,
    standings_of,
)
from tests.league_games import played
from tests.sample_records import UNSTEADY, sample_record
from tests.sample_results import game_result

ROW_KEYS = ("elo", "half_width", "los", "points_half_width", "blocks")
"""Figures of a row, as they are named in JSON and CSV."""

FACTS = LeagueFacts(
    name="demo",
    state="stopped",
    entrants=("careful", "fox", "lowest", "dares", "idle_1"),
    players=4,
    tricks=13,
    has_moon=True,
    has_queen=True,
    rules="arena",
    rules_hash="ab" * 32,
    games_planned=20,
    commitment="cd" * 32,
    practice_seed="2026",
    anchor="careful",
)


def result(number: int, places: dict[str, int]) -> GameResult:
    """A game of one deal whose points are ten times the places."""
    return game_result(number, list(places.items()))


def row_of(standings: Standings, entrant: str) -> StandingsRow:
    """The row of one entrant."""
    return next(row for row in standings.rows if row.entrant == entrant)


def sample_games() -> list[GameResult]:
    """The results of ten random games."""
    return [
        replace(
            result_of(sample_record(seed)),
            number=seed,
            block=seed,
            record_hash=f"{seed:064x}",
        )
        for seed in range(1, 11)
    ]


def sample_standings() -> Standings:
    """Standings of ten random games with an unsteady bot."""
    return standings_of(FACTS, sample_games())


def test_a_result_sums_up_its_record() -> None:
    """Points, moons, queens and faults are those of the record."""
    record = sample_record(5)
    game = result_of(record)

    assert (17, len(record.deals)) == (game.number, game.deals)
    assert record.totals == tuple(seat.total for seat in game.seats)
    assert record.totals == tuple(seat.points for seat in game.seats)
    assert record.places == tuple(seat.place for seat in game.seats)
    assert len(record.deals) == sum(seat.queens for seat in game.seats)
    assert record.faults == game.faults
    assert {UNSTEADY} == {item.seat for item in game.given_up}


def test_the_queen_goes_to_who_took_it() -> None:
    """The seats that are found are those that the engine gives the queens to."""
    for seed in range(20):
        record = sample_record(seed)
        takers = [
            seat
            for deal in replay(record).deals
            for seat, taken in enumerate(deal.taken)
            if taken >> QUEEN_OF_SPADES & 1
        ]

        assert [takers.count(seat) for seat in range(4)] == list(queens_taken(record))


@pytest.mark.parametrize(
    ("rules", "queens"),
    [
        (preset("cancellation", players=7, target=20), 2),
        (preset("cancellation", cancel_last_trick="second_highest", target=20), 2),
        (preset("standard", players=5, leftover="kitty_first_trick", target=20), 1),
        (preset("black_maria", target=20), 1),
    ],
)
def test_queens_are_counted_under_every_rule(rules: RuleSet, queens: int) -> None:
    """However tricks are won, each deal's queens go to somebody."""
    names = tuple(f"bot{number}" for number in range(rules.players))
    spec = GameSpec(
        "demo-1", rules, tuple(map(SeatSpec, names)), bytes(32), league="demo", block=1
    )
    record = played(spec)
    seats = result_of(record).seats
    deals = replay(record).deals
    expected = [
        sum(
            (deal.taken[seat] >> QUEEN_OF_SPADES & 1)
            + (deal.taken[seat] >> QUEEN_OF_SPADES + PACK_SIZE & 1)
            for deal in deals
        )
        for seat in range(rules.players)
    ]

    assert expected == [seat.queens for seat in seats]
    assert queens * len(deals) == sum(expected)


def test_a_queen_that_costs_nothing_is_not_counted() -> None:
    """Plain hearts has a queen of spades, but nobody minds it."""
    record = sample_record(1, spade_penalties="none")

    assert [0, 0, 0, 0] == [seat.queens for seat in result_of(record).seats]


def test_without_a_queen_there_is_no_column_of_it() -> None:
    """Standings of plain hearts say nothing of queens."""
    facts = replace(FACTS, has_queen=False)
    standings = standings_of(facts, sample_games())

    assert "QS%" not in FORMATS["text"](standings)
    assert [None] * 5 == [row.queens_percent for row in standings.rows]


def test_without_moon_and_sun_there_is_no_column_of_them() -> None:
    """Standings of Black Maria say nothing of moons, and those of a sun do."""
    moons = [
        has_moon(preset(name)) for name in ("black_maria", "black_maria_moon", "sun")
    ]
    off = has_moon(preset("sun", moon="off"))
    standings = standings_of(replace(FACTS, has_moon=False), sample_games())

    assert [False, True, True, True] == [*moons, off]
    assert "Moon%" not in FORMATS["text"](standings)
    assert "QS%" in FORMATS["text"](standings)
    assert [None] * 5 == [row.moons_per_100_deals for row in standings.rows]


def test_a_table_of_eight_has_eight_places() -> None:
    """Places have a column each, and a narrow table keeps the first and the last."""
    names = tuple(f"bot{number}" for number in range(1, 9))
    facts = replace(FACTS, entrants=names, players=8, anchor=None)
    places = {name: number for number, name in enumerate(names, 1)}
    standings = standings_of(facts, [result(1, places)])
    wide, narrow = (
        [
            name
            for name in table_lines(standings, width=width)[0].split()
            if name[0].isdigit()
        ]
        for width in (None, 87)
    )

    assert ["1st%", "2nd%", "3rd%", "4th%", "5th%", "6th%", "7th%", "8th%"] == wide
    assert ["1st%", "8th%"] == narrow


def test_an_unfinished_game_has_no_result() -> None:
    """A game without places counts for nothing."""
    with pytest.raises(ValueError, match="demo-17 is not finished"):
        result_of(sample_record(1, deals_max=1))


def test_shared_places_are_split() -> None:
    """Two second places are half a second and half a third place each."""
    standings = standings_of(
        FACTS, [result(1, {"careful": 1, "fox": 2, "lowest": 2, "dares": 4})]
    )

    assert (1.0, 0, 0, 0) == row_of(standings, "careful").places
    assert (0, 0.5, 0.5, 0) == row_of(standings, "fox").places
    assert (0, 0, 0, 1.0) == row_of(standings, "dares").places


def test_equal_ratings_share_a_rank() -> None:
    """Who has the same results has the same rank, and the next one is left out."""
    standings = standings_of(
        FACTS, [result(1, {"careful": 1, "fox": 2, "lowest": 2, "dares": 4})]
    )
    ranks = [(row.rank, row.entrant) for row in standings.rows]

    assert [(1, "careful"), (2, "fox"), (2, "lowest"), (4, "dares"), (5, "idle_1")] == (
        ranks
    )


def test_who_has_not_played_has_no_figures() -> None:
    """An entrant without games stands last and has no rating."""
    idle = sample_standings().rows[-1]

    assert ("idle_1", None, None, None, 0) == (
        idle.entrant,
        idle.elo,
        idle.points_per_deal,
        idle.score,
        idle.games,
    )


def test_the_order_of_results_does_not_matter() -> None:
    """Games that finish in another order give equal standings."""
    games = sample_games()

    assert standings_of(FACTS, games) == standings_of(FACTS, games[::-1])


def test_the_anchor_is_1500() -> None:
    """The anchor's rating is fixed and marked."""
    careful = row_of(sample_standings(), "careful")

    assert (1500.0, "*") == (careful.elo, careful.mark)


def test_rows_say_how_sure_they_are() -> None:
    """Errors, intervals, tiers and LOS in the rows are those of the ratings."""
    games = sample_games()
    ratings, rows = rate(games, anchor="careful"), sample_standings().rows
    names = [row.entrant for row in rows[:4]]
    order = [ratings.names.index(name) for name in names]
    points = rate_points(games, names)

    assert [ratings.tiers()[index] for index in order] == [r.tier for r in rows[:4]]
    for row, index in zip(rows[:3], order, strict=False):
        assert ratings.errors[index] == pytest.approx(row.error, abs=1e-6)
        assert ratings.half_widths[index] == pytest.approx(row.half_width, abs=1e-6)
    for row, half_width in zip(rows, points.half_widths, strict=False):
        assert half_width == pytest.approx(row.points_half_width, abs=1e-6)
    for row, below in pairwise(rows[:4]):
        expected = ratings.los(row.entrant, below.entrant)

        assert expected == pytest.approx(row.los, abs=1e-6)
    assert [None, None] == [row.los for row in rows[3:]]


def test_who_has_only_lost_has_no_interval() -> None:
    """A marked rating and one of nobody's games come without an error."""
    fox, idle = sample_standings().rows[3:]

    assert ("<", None, None, Tier(2, 2)) == (
        fox.mark,
        fox.error,
        fox.half_width,
        fox.tier,
    )
    assert (None, None, None) == (idle.error, idle.half_width, idle.tier)
    assert fox.points_half_width is not None


def test_games_of_one_block_are_one_witness() -> None:
    """The head counts blocks, and so does every row."""
    games = [replace(game, block=(game.number + 1) // 2) for game in sample_games()]
    standings = standings_of(FACTS, games)

    assert 5 == standings.blocks
    assert {5, 0} == {row.blocks for row in standings.rows}
    assert "5 blocks" in FORMATS["text"](standings)


def test_an_anchor_with_a_mark_keeps_it() -> None:
    """An anchor that never lost is marked twice, and both marks are explained."""
    games = [
        result(number, {"careful": 1, "fox": 2 + number % 2, "lowest": 3 - number % 2})
        for number in range(6)
    ]
    standings = standings_of(FACTS, games)
    text = FORMATS["text"](standings)

    assert "*>" == row_of(standings, "careful").mark
    assert "* anchor" in text
    assert "> won against everybody" in text


def test_without_the_anchor_the_mean_is_1500() -> None:
    """The head says what the ratings are measured from."""
    games = [result(1, {"fox": 1, "lowest": 2, "dares": 3, "idle_1": 4})]
    standings = standings_of(FACTS, games)

    assert standings.anchor is None
    assert "the mean = 1500" in FORMATS["text"](standings)
    assert json.loads(FORMATS["json"](standings))["anchor"] is None


@pytest.mark.parametrize(
    ("stood_in", "cause"),
    [
        (None, "by the arena: suspended, or its program did not stay alive"),
        ({}, "its program did not stay alive"),
        ({(7, "dares"): "so"}, "its version is suspended (so)"),
    ],
)
def test_faults_are_counted_and_listed(
    stood_in: dict[tuple[int, str], str] | None, cause: str
) -> None:
    """Each fault stands in its row by kind and in the list with place and cause."""
    fault = Fault(
        deal=2, kind="illegal", offered="QS", reason="illegal", seat=1, trick=0
    )
    given_up = GivenUp(cause="start", deal=1, seat=3, trick=0)
    game = result(7, {"careful": 1, "fox": 2, "lowest": 3, "dares": 4})
    game = replace(game, faults=(fault,), given_up=(given_up,))
    standings = standings_of(FACTS, [game], stood_in=stood_in)

    assert {"late": 0, "illegal": 1, "away": 0, "start": 0} == dict(
        row_of(standings, "fox").faults
    )
    assert 1 == row_of(standings, "dares").given_up
    assert [
        (7, "dares", 1, 0, "given up", cause),
        (7, "fox", 2, 0, "illegal", "broke the rules"),
    ] == [
        (item.game, item.entrant, item.deal, item.trick, item.kind, item.cause)
        for item in standings.incidents
    ]


def test_the_digest_is_a_chain() -> None:
    """The digest follows its definition and covers order and number of records."""
    start = sha256(b"hearts/1/records").digest()
    one = sha256(start + bytes.fromhex("aa" * 32)).digest()
    two = sha256(one + bytes.fromhex("bb" * 32)).hexdigest()

    assert start.hex() == records_digest([])
    assert two == records_digest(["aa" * 32, "bb" * 32])


def test_standings_as_text(assert_golden: Callable[[str, str], None]) -> None:
    """The text for people is what the golden file shows."""
    assert_golden("standings.txt", FORMATS["text"](sample_standings()))


def test_standings_as_markdown(assert_golden: Callable[[str, str], None]) -> None:
    """The Markdown is what the golden file shows."""
    assert_golden("standings.md", FORMATS["md"](sample_standings()))


def test_superiority_stands_in_the_full_form() -> None:
    """The default table has no column that reads as if it judged all bots."""
    standings = sample_standings()

    for form in ("text", "md"):
        assert "LOS%" not in FORMATS[form](standings)
        assert "LOS%" in FORMATS[form](full_form(standings))
    assert "67.6" in FORMATS["text"](full_form(standings))


def test_standings_as_json_hold_everything() -> None:
    """The JSON has the rows, the head and every fault."""
    standings = sample_standings()
    document = json.loads(FORMATS["json"](standings))

    assert "demo" == document["league"]
    assert list(FACTS.entrants) == document["roster"]
    assert standings.digest == document["records_digest"]
    assert len(standings.incidents) == len(document["faults"])
    assert ["game", 10, 1.0, "careful"] == [
        document[key] for key in ("unit", "blocks", "prior", "anchor")
    ]
    assert [
        (row.elo, row.half_width, row.los, row.points_half_width, row.blocks)
        for row in standings.rows
    ] == [tuple(row[key] for key in ROW_KEYS) for row in document["standings"]]
    assert [[1, 1]] * 3 + [[2, 2], None] == [
        row["tier"] for row in document["standings"]
    ]


def test_standings_as_csv_have_a_row_for_each_entrant() -> None:
    """The CSV has plain columns and one line an entrant."""
    standings = sample_standings()
    rows = list(csv.DictReader(io.StringIO(FORMATS["csv"](standings))))

    assert [row.entrant for row in standings.rows] == [row["entrant"] for row in rows]
    assert (
        str(row_of(standings, "fox").faults["late"])
        == ({row["entrant"]: row for row in rows}["fox"]["faults_late"])
    )
    assert ("1", "1") == (rows[0]["tier_first"], rows[0]["tier_last"])
    assert str(standings.rows[0].half_width) == rows[0]["half_width"]
    assert {""} == {rows[-1][key] for key in ("elo", "error", "tier_first", "los")}


def test_a_secret_is_shown_once_it_is_revealed() -> None:
    """A finished secret league shows its secret, an open one its practice seed."""
    facts = replace(FACTS, practice_seed=None, secret="ef" * 32, state="finished")
    text = FORMATS["text"](standings_of(facts, []))

    assert f"Secret {'ef' * 32}" in text
    assert "Open deals" not in text
    assert "practice seed '2026'" in FORMATS["text"](standings_of(FACTS, []))


def shown_lines(standings: Standings, width: int) -> list[str]:
    """What a terminal shows of the standings."""
    file = io.StringIO()
    Console(width=width, file=file).print(board(standings, width=width))
    return file.getvalue().splitlines()


def test_a_terminal_shows_the_same_figures() -> None:
    """The board of a wide terminal holds the lines of the text."""
    standings = sample_standings()
    shown = [line.rstrip() for line in shown_lines(standings, width=140)]

    assert FORMATS["text"](standings).splitlines() == shown


def test_a_narrow_terminal_shows_fewer_columns() -> None:
    """At 80 columns names and figures are whole; what matters less is left out."""
    standings = sample_standings()
    shown = shown_lines(standings, width=80)
    columns = "# Entrant Tier Elo +/- Pts/deal +/-pts Games Faults Given up"

    assert columns.split() == shown[5].split()
    assert all(len(line) <= 80 for line in shown)
    assert not [line for line in shown if "…" in line]
    for line, row in zip(shown[6:], standings.rows, strict=False):
        assert row.entrant in line


@pytest.mark.parametrize(("width", "is_shown"), [(140, True), (110, False)])
def test_a_column_of_nothing_is_the_first_to_go(width: int, is_shown: bool) -> None:
    """Where no seat was given up, the column for that goes before all others."""
    shown = shown_lines(standings_of(FACTS, []), width=width)

    assert is_shown == ("Given up" in shown[5])


def test_a_very_narrow_terminal_keeps_what_matters() -> None:
    """Name, tier, rating, points, games and faults are whole at 60 columns."""
    shown = shown_lines(sample_standings(), width=60)
    heads = next(line for line in shown if line.startswith("#"))

    assert "# Entrant Tier Elo +/- Pts/deal Games Faults" == " ".join(heads.split())
