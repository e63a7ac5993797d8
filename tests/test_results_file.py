"""Results as lines: written and read again, and refused where they are none."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.record import Fault, GivenUp, RulesRecord
from leagues.results import GameResult, SeatResult, result_of
from leagues.results_file import (
    ResultLine,
    ResultsError,
    is_result,
    read_result,
    record_result,
    write_result,
)
from tests.any_records import COUNTS, SCORES, TEXTS, hexadecimals
from tests.sample_records import PRESET_SEATS, sample_record
from tests.sample_results import Placing, game_result

RULES = RulesRecord(hash="ab" * 32, overrides={}, players=4, preset="arena")

PLACING: Placing = [("ann", 1), ("bob", 2), ("cat", 3), ("dot", 4)]


def line(**changes: Any) -> str:
    """Return a line of a league; some of its values may be other ones."""
    rules = replace(RULES, **changes.pop("rules", {}))
    text = write_result(
        game_result(1, PLACING), league="friday", rules=rules, owners={"ann": "uta"}
    )
    return json.dumps(json.loads(text) | changes)


def read(text: str) -> ResultLine:
    """Read a line of some file."""
    return read_result(text, file="a.jsonl", line=3)


def refusal(text: str) -> str:
    """Return why a line is refused."""
    with pytest.raises(ResultsError) as refused:
        read(text)
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
        assert is_result(text)
        assert result == found.result
        assert {seat.entrant: "" for seat in result.seats} | owners == found.owners
        assert ("game", rules, league) == (found.unit, found.rules, found.league)
        assert (f"{league}-{result.number}", "a.jsonl:3") == (found.name, found.place)

    @pytest.mark.parametrize(("name", "players"), PRESET_SEATS)
    def test_games_of_every_preset(self, name: str, players: int) -> None:
        """A record's line holds what standings make of the record."""
        record = sample_record(7, preset_name=name, players=players, target=20)
        found = read(record_result(record))

        assert result_of(record) == found.result
        assert (record.rules, players) == (found.rules, found.rules.players)
        assert {seat.bot: seat.owner for seat in record.seats} == found.owners

    def test_an_unfinished_game_has_no_line(self) -> None:
        """A record without places is refused."""
        with pytest.raises(ValueError, match="game demo-17 is not finished"):
            record_result(sample_record(7, answers_max=50))


class TestRefusals:
    """What can't be read is refused with file, line and field."""

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
        assert refusal(line(**changes)).startswith(f"a.jsonl:3: {message}")

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
        seats = json.loads(line())["seats"]
        seats[1] |= change

        assert refusal(line(seats=seats)).startswith(f"a.jsonl:3: {message}")

    def test_a_fault_that_is_told_counts_for_its_seat(self) -> None:
        """The seats' counts and the list of faults agree."""
        fault = Fault(deal=1, kind="late", offered="", reason="", seat=2, trick=3)
        told = json.loads(line()) | {"faults": [fault_members(fault)]}
        wrong = refusal(json.dumps(told))
        told["seats"][2]["faults"] = 1

        assert "a.jsonl:3: seats[2].faults: expected 1, as many as" in wrong
        assert (fault,) == read(json.dumps(told)).result.faults

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
        assert refusal(text).startswith(f"a.jsonl:3: {message}")

    def test_an_error_has_its_place(self) -> None:
        """Programs find the file, the line and the field."""
        with pytest.raises(ResultsError) as refused:
            read(line(unit="trick"))
        error = refused.value

        assert ("a.jsonl", 3, "unit") == (error.file, error.line, error.field)


def fault_members(fault: Fault) -> dict[str, Any]:
    """Return a fault as a record has it."""
    names = ("deal", "kind", "offered", "reason", "seat", "trick")
    return {name: getattr(fault, name) for name in names}
