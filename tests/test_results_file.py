"""Results as files: written and read again, merged, and refused where they differ."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.record import Fault, GivenUp, RulesRecord
from leagues.rating.ratings import rate
from leagues.results import GameResult, SeatResult, result_of
from leagues.results_file import (
    Results,
    ResultsError,
    read_results,
    record_result,
    write_result,
)
from tests.any_records import COUNTS, SCORES, TEXTS, hexadecimals
from tests.sample_records import PRESET_SEATS, sample_record
from tests.sample_results import Placing, game_result

RULES = RulesRecord(hash="ab" * 32, overrides={}, players=4, preset="arena")

GAMES: list[Placing] = [
    [("ann", 1), ("bob", 2), ("cat", 3), ("dot", 4)],
    [("bob", 1), ("cat", 1), ("dot", 3), ("ann", 4)],
    [("dot", 1), ("ann", 2), ("bob", 2), ("cat", 2)],
]


def line(number: int, placing: Placing = GAMES[0], /, **changes: Any) -> str:
    """Return a line of a league; some of its values may be other ones."""
    league = changes.pop("league", "friday")
    owners = changes.pop("owners", {"ann": "uta"})
    result = game_result(number, placing, block=changes.pop("block", number))
    rules = replace(RULES, **changes.pop("rules", {"players": len(placing)}))
    text = write_result(result, league=league, rules=rules, owners=owners)
    # Records of several leagues differ.
    own = {} if league == "friday" else {"record_hash": f"{number + 1000:064x}"}
    return json.dumps(json.loads(text) | own | changes)


def read(*lines: str, file: str = "a.jsonl") -> Results:
    """Read one file."""
    return read_results([(file, lines)])


def refusal(*files: Sequence[str]) -> str:
    """Return why files called a, b and so on are refused."""
    named = [
        (f"{name}.jsonl", lines) for name, lines in zip("abc", files, strict=False)
    ]
    with pytest.raises(ResultsError) as refused:
        read_results(named)
    return str(refused.value)


@st.composite
def results(draw: st.DrawFn) -> GameResult:
    """Draw a result that any game might have come to."""
    names = draw(st.lists(TEXTS, min_size=2, max_size=11, unique=True))
    ranks = [draw(st.integers(0, 4)) for _ in names]
    seats = [
        SeatResult(
            entrant=name,
            version=draw(TEXTS),
            total=draw(SCORES),
            place=1 + sum(other < rank for other in ranks),
            points=draw(SCORES),
            moons=draw(COUNTS),
            queens=draw(COUNTS),
        )
        for name, rank in zip(names, ranks, strict=True)
    ]
    seat = st.integers(0, len(names) - 1)
    place = {"deal": st.integers(1, 99), "seat": seat, "trick": st.integers(0, 53)}
    faults = st.builds(
        Fault,
        kind=st.sampled_from(["late", "illegal", "away", "start"]),
        offered=st.just("QS 2C"),
        reason=st.sampled_from(["", "illegal", "wrong_count", "unknown_card"]),
        **place,
    )
    causes = st.sampled_from(["faults", "start", "left"])
    given_up = st.builds(GivenUp, cause=causes, **place)
    return GameResult(
        number=draw(COUNTS),
        block=draw(COUNTS),
        deals=draw(st.integers(1, 1000)),
        seats=tuple(seats),
        faults=tuple(draw(st.lists(faults, max_size=3))),
        given_up=tuple(draw(st.lists(given_up, max_size=2))),
        record_hash=draw(hexadecimals(32)),
    )


class TestReading:
    """What was written is read."""

    @given(results(), TEXTS, TEXTS)
    def test_any_result_is_read_again(
        self, result: GameResult, league: str, owner: str
    ) -> None:
        """Nothing is lost on the way, not even an odd name."""
        owners = {result.seats[0].entrant: owner}
        rules = replace(RULES, players=len(result.seats))
        text = write_result(result, league=league, rules=rules, owners=owners)
        found = read(text)

        assert text.isascii()
        assert "\n" not in text
        assert (result,) == found.games
        assert {seat.entrant: "" for seat in result.seats} | owners == found.owners
        assert ("game", rules, (league,)) == (found.unit, found.rules, found.leagues)
        assert (f"{league}-{result.number}",) == found.names

    @pytest.mark.parametrize(("name", "players"), PRESET_SEATS)
    def test_games_of_every_preset(self, name: str, players: int) -> None:
        """A record's line holds what standings make of the record."""
        record = sample_record(7, preset_name=name, players=players, target=20)
        found = read(record_result(record))

        assert (result_of(record),) == found.games
        assert (record.rules, players) == (found.rules, found.rules.players)
        assert {seat.bot: seat.owner for seat in record.seats} == found.owners

    def test_an_unfinished_game_has_no_line(self) -> None:
        """A record without places is refused."""
        with pytest.raises(ValueError, match="game demo-17 is not finished"):
            record_result(sample_record(7, answers_max=50))

    def test_games_come_in_order(self) -> None:
        """Whatever the order of lines and files: the same results."""
        lines = [line(n, GAMES[n % 3]) for n in range(1, 7)]
        expected = read(*lines)
        shuffled = [("b", [lines[5], "", lines[2]]), ("a", lines[3:5] + lines[:2])]

        assert [1, 2, 3, 4, 5, 6] == [game.number for game in expected.games]
        assert expected == read_results(shuffled)

    def test_leagues_are_kept_apart(self) -> None:
        """Blocks of two leagues are never one; each game keeps its own name."""
        friday = [line(n, block=(n + 1) // 2) for n in (1, 2, 3)]
        sunday = [line(n, block=1, league="sunday") for n in (1, 2)]
        found = read_results([("s", sunday), ("f", friday)])

        assert ("friday", "sunday") == found.leagues
        assert [1, 1, 2, 4, 4] == [game.block for game in found.games]
        assert [1, 2, 3, 4, 5] == [game.number for game in found.games]
        assert ("friday-1", "friday-2", "friday-3", "sunday-1", "sunday-2") == (
            found.names
        )

    def test_ratings_come_from_them(self) -> None:
        """What is rated is the same before and after."""
        games = [game_result(n, GAMES[n % 3]) for n in range(1, 13)]
        lines = [line(n, GAMES[n % 3]) for n in range(1, 13)]

        before, after = rate(games), rate(read(*lines).games)
        assert before.names == after.names
        assert list(before.elo) == list(after.elo)


class TestRefusals:
    """What can't be read, or not together, is refused with file, line and field."""

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"format": "hearts-result/2"}, "format: expected hearts-result/1, got"),
            ({"unit": "trick"}, "unit: expected deal or game or match, got"),
            ({"rules": {"players": 5}}, "seats: expected 5 items, got 4"),
            ({"rules": {"players": 12}}, "rules.players: expected a number from 1 to"),
            ({"number": "7"}, "number: expected a number from 0 to "),
            ({"rules": {"hash": "abc"}}, "rules.hash: expected 64 hex digits"),
            ({"seats": {}}, "seats: expected a list, got {}"),
            ({"fun": 1}, "the key 'fun' is unknown"),
            ({"faults": [1]}, "faults[0]: expected an object, got 1"),
        ],
    )
    def test_a_wrong_value(self, changes: dict[str, Any], message: str) -> None:
        """The field and what was expected there are named."""
        found = refusal([line(1), "", line(2, **changes)])

        assert found.startswith(f"a.jsonl:3: {message}")

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"place": 9}, "seats[1].place: expected a number from 1 to 4, got 9"),
            ({"place": 3}, "seats[1].place: 3, expected 2 beside the places of the o"),
            ({"faults": 1}, "seats[1].faults: expected 0, as many as the game's faul"),
            ({"entrant": "ann"}, "seats[1]: 'ann' has another seat of this game too"),
            ({"moons": -1}, "seats[1].moons: expected a number from 0 to "),
            ({"elo": 1}, "seats[1]: the key 'elo' is unknown"),
        ],
    )
    def test_a_wrong_seat(self, change: dict[str, Any], message: str) -> None:
        """The seat stands in the field."""
        seats = json.loads(line(1))["seats"]
        seats[1] |= change

        assert refusal([line(1, seats=seats)]).startswith(f"a.jsonl:1: {message}")

    def test_a_fault_that_is_told_counts_for_its_seat(self) -> None:
        """The seats' counts and the list of faults agree."""
        fault = Fault(deal=1, kind="late", offered="", reason="", seat=2, trick=3)
        told = json.loads(line(1)) | {"faults": [fault_members(fault)]}
        wrong = refusal([json.dumps(told)])
        told["seats"][2]["faults"] = 1

        assert "a.jsonl:1: seats[2].faults: expected 1, as many as" in wrong
        assert (fault,) == read(json.dumps(told)).games[0].faults

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("{", "is not JSON: "),
            ("[]", "expected an object, got []"),
            ("{}", "format: expected hearts-result/1, got null"),
            ('{"format":"hearts-record/1"}', "format: expected hearts-result/1, got"),
            ('{"unit":"game","unit":"game"}', "the key 'unit' stands twice"),
        ],
    )
    def test_what_is_no_result(self, text: str, message: str) -> None:
        """Other text is refused, records too."""
        assert refusal([text]).startswith(f"a.jsonl:1: {message}")

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"rules": {"hash": "cd" * 32}}, "b.jsonl:1: rules.hash: 'cdcd"),
            ({"unit": "deal"}, "b.jsonl:1: unit: 'deal', but a.jsonl:1 has 'game'; th"),
        ],
    )
    def test_mixed_rules_and_units(self, changes: dict[str, Any], message: str) -> None:
        """They can't be rated together, and both places are named."""
        found = refusal([line(1)], [line(2, **changes)])

        assert found.startswith(message)
        assert "but a.jsonl:1 has '" in found
        assert found.endswith("they can't be rated together")

    def test_mixed_numbers_of_seats(self) -> None:
        """Three seats and four are different games."""
        found = refusal([line(1)], [line(2, GAMES[0][:3])])

        assert found.startswith("b.jsonl:1: rules.players: 3, but a.jsonl:1 has 4; ")

    def test_a_game_that_stands_twice(self) -> None:
        """The same line twice, or two records of one name, in one file or in two."""
        other = line(2, record_hash="ef" * 32)

        assert "a.jsonl:2: number: game friday-2 stands in a.jsonl:1 too" == (
            refusal([line(2), line(2)])
        )
        assert (
            "b.jsonl:1: number: game friday-2 stands in a.jsonl:2 too, with another "
            "record: two leagues of one name?"
        ) == refusal([line(1), line(2)], [other])

    def test_a_record_that_counts_twice(self) -> None:
        """Under another number it is the same game still."""
        again = line(3, record_hash=json.loads(line(1))["record_hash"])

        assert (
            "b.jsonl:1: record_hash: game friday-1 in a.jsonl:1 has the same record"
        ) == refusal([line(1)], [again])

    def test_two_bots_of_one_name(self) -> None:
        """A name with two owners stands for two bots."""
        other = line(1, GAMES[1], league="sunday", owners={"ann": "eve"})

        assert (
            "b.jsonl:1: seats[3].owner: 'ann' is owned by 'eve' here, but by 'uta' in "
            "a.jsonl:1"
        ) == refusal([line(1)], [other])

    def test_nothing_at_all(self) -> None:
        """A file without a line, and no file, are errors."""
        assert "b.jsonl: no result; expected lines of `arena games export" in (
            refusal([line(1)], ["", " \n"])
        )
        assert "no file: expected files of results" == refusal()

    def test_an_error_has_its_place(self) -> None:
        """Programs find the file, the line and the field."""
        with pytest.raises(ResultsError) as refused:
            read(line(1), line(2, unit="trick"))
        error = refused.value

        assert ("a.jsonl", 2, "unit") == (error.file, error.line, error.field)


def fault_members(fault: Fault) -> dict[str, Any]:
    """Return a fault as a record has it."""
    names = ("deal", "kind", "offered", "reason", "seat", "trick")
    return {name: getattr(fault, name) for name in names}
