"""Records: written and read again, hashed, and refused with a path."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cards import card_names, card_set, cards_in
from arena.game import Game
from arena.record import (
    Note,
    Record,
    RecordError,
    Times,
    deal_records,
    read_record,
    record_hash,
    seal,
    write_record,
)
from arena.rules import preset
from tests.sample_records import sample_record

Members = dict[str, Any]


@cache
def sample(seed: int = 1) -> Record:
    """Return the record of a finished game with faults."""
    return sample_record(seed, moon="choice")


def members(record: Record) -> Members:
    """Return a record as the members of its JSON object."""
    found: Members = json.loads(write_record(record))
    return found


@given(
    st.integers(0, 255),
    st.integers(0, 500) | st.none(),
    st.sampled_from(["add", "choice", "subtract", "off"]),
)
def test_reading_inverts_writing(seed: int, answers: int | None, moon: str) -> None:
    """Any record, finished or not, is read as it was written."""
    answers_max = 100_000 if answers is None else answers
    record = sample_record(seed, moon=moon, answers_max=answers_max, deals_max=3)
    text = write_record(record)

    assert record == read_record(text)
    assert text == write_record(read_record(text))


def test_a_moon_is_recorded() -> None:
    """A deal with a moon tells who shot it and how it scored."""
    record = sample_record(146, moon="choice", target=40)
    moons = [deal.moon for deal in record.deals if deal.moon is not None]

    assert [("subtract", 0)] == [(moon.choice, moon.seat) for moon in moons]
    assert record == read_record(write_record(record))


def test_a_record_is_one_line_of_ascii() -> None:
    """No name can break the line or the encoding."""
    seats = tuple(replace(seat, bot="hé\n\u2028") for seat in sample().seats)
    text = write_record(replace(sample(), seats=seats))

    assert text.isascii()
    assert 1 == len(text.splitlines())
    assert "hé\n\u2028" == read_record(text).seats[0].bot


def test_more_times_than_are_kept_are_written_too() -> None:
    """However many differ, in lines of one process and in a single one."""
    record = sample()
    for first in (0, 1000):
        turns = (tuple((n, 1, 2, 3, 4) for n in range(first, first + 1000)),)
        line = write_record(replace(record, times=replace(record.times, turns=turns)))
        assert [[list(turn) for turn in turns[0]]] == json.loads(line)["times"]["turns"]


@given(
    turns=st.lists(
        st.lists(
            st.lists(st.integers(0, 2**31 - 1) | st.integers(0, 3), min_size=5).map(
                lambda numbers: tuple(numbers[:6])
            )
        ).map(tuple),
        max_size=3,
    ).map(tuple)
)
def test_times_are_written_as_json_writes_them(
    turns: tuple[tuple[tuple[int, ...], ...], ...],
) -> None:
    """Whatever the figures are, a line is byte for byte what `json` makes of it."""
    record = sample()
    record = replace(record, times=replace(record.times, turns=turns))
    line = write_record(record)

    found = json.loads(line)
    assert [[list(turn) for turn in deal] for deal in turns] == found["times"]["turns"]
    assert json.dumps(found, separators=(",", ":")) == line


def test_keys_are_sorted_and_the_unhashed_stand_last() -> None:
    """Attempt, notes and times come after all other keys, at every level sorted."""
    found = members(sample())
    names = list(found)

    assert ["attempt", "notes", "times"] == names[-3:]
    assert sorted(names[:-3]) == names[:-3]
    for inner in (found["deals"][0], found["rules"], found["times"], found["seats"][0]):
        assert sorted(inner) == list(inner)


def test_the_hash_covers_what_happened() -> None:
    """The same game played again has the same hash, whenever and how often."""
    record = sample()
    again = replace(
        record,
        attempt=7,
        notes=(Note(deal=1, seat=0, text="again", trick=1),),
        times=Times(ended="later", started="", turns=()),
    )

    assert record.hash == record_hash(record) == record_hash(again)
    assert record_hash(record) != record_hash(replace(record, game="other"))
    assert "0" * 64 != seal(replace(record, hash="0" * 64)).hash == record.hash


def test_the_hash_is_that_of_the_line_without_it() -> None:
    """Another program can check it: SHA-256 of the sorted keys without blanks."""
    found = members(sample())
    for name in ("hash", "attempt", "notes", "times"):
        del found[name]
    text = json.dumps(found, sort_keys=True, separators=(",", ":"))

    assert sample().hash == hashlib.sha256(text.encode()).hexdigest()


def test_an_unfinished_deal_shows_what_there_is() -> None:
    """Seats that have not passed leave empty text, and nothing is scored."""
    game = Game.from_seed(preset("arena"), bytes(32))
    cards = cards_in(game.deal.hands[2])[:3]
    game.pass_cards(2, card_set(cards))
    (deal,) = deal_records(game)

    assert ("", "", card_names(cards), "") == deal.passes
    assert ("", None, None, None) == (deal.plays, deal.moon, deal.points, deal.totals)


def test_a_deal_without_a_pass_has_none() -> None:
    """Hold leaves no entry for any seat."""
    (deal,) = deal_records(Game.from_seed(preset("arena", pass_count=0), bytes(32)))

    assert ("hold", ()) == (deal.direction, deal.passes)


def test_two_packs_hold_cards_twice() -> None:
    """Equal cards stand side by side in hands and passes."""
    found = members(sample())
    deal = found["deals"][0]
    deal["hands"][1] = deal["passes"][1] = "2C 2C QS QS"
    read = read_record(json.dumps(found)).deals[0]

    assert ("2C 2C QS QS", "2C 2C QS QS") == (read.hands[1], read.passes[1])


def test_a_record_has_up_to_eleven_seats() -> None:
    """Each list with an item a seat is as long as the rules have players."""
    found = members(sample())
    found["rules"]["players"] = 11
    found |= {"seats": found["seats"][:1] * 11, "deals": [], "given_up": []}
    found |= {"totals": [*range(11)], "places": [*range(1, 12)]}

    assert 11 == len(read_record(json.dumps(found)).seats)


@pytest.mark.parametrize("key", ["hands", "passes"])
def test_no_card_stands_three_times(key: str) -> None:
    """Two packs have two of each: a third one could hide in no set of cards."""
    record = sample_record(3, preset_name="cancellation", players=8, deals_max=1)
    found = json.loads(write_record(record))
    cards = found["deals"][0][key]
    cards[2] = "2C 2C 2C 3C"

    with pytest.raises(RecordError, match=r"\[0\]\.\w+\[2\]: 2C stands there more"):
        read_record(json.dumps(found))


def test_eleven_seats_with_two_packs_are_read_as_written() -> None:
    """A real game of the largest table has all its lists, and cards twice."""
    options: Members = {"players": 11, "leftover": "kitty_first_heart"}
    record = sample_record(3, preset_name="cancellation", target=60, **options)
    hands = [hand.split() for deal in record.deals for hand in deal.hands]
    lists = [
        *(record.seats, record.totals, record.places),
        *(deal.hands for deal in record.deals),
        *(deal.points for deal in record.deals),
    ]

    assert record == read_record(write_record(record))
    assert {11} == {len(items) for items in lists if items is not None}
    assert any(len(hand) > len({*hand}) for hand in hands)


def cut(path: str) -> Callable[[Members], None]:
    """Return the change that takes a key away."""
    *steps, last = path.split(".")

    def change(found: Members) -> None:
        holder = inner(found, steps)
        del holder[int(last) if isinstance(holder, list) else last]

    return change


def put(path: str, value: Any) -> Callable[[Members], None]:
    """Return the change that sets a value."""
    *steps, last = path.split(".")

    def change(found: Members) -> None:
        holder = inner(found, steps)
        holder[int(last) if isinstance(holder, list) else last] = value

    return change


def inner(found: Any, steps: list[str]) -> Any:
    """Return the value that a path leads to."""
    for step in steps:
        found = found[int(step) if isinstance(found, list) else step]
    return found


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (cut("deals"), "the key 'deals' is missing"),
        (put("more", 1), "the key 'more' is unknown"),
        (put("format", "hearts-record/2"), "format: expected hearts-record/1, got"),
        (put("game", 17), "game: expected a text, got 17"),
        (put("block", "17"), "block: expected a number from 0 to"),
        (put("block", True), "block: expected a number from 0 to 2147483647, got true"),
        (put("attempt", -1), "attempt: expected a number from 0"),
        (put("open_deals", 1), "open_deals: expected true or false, got 1"),
        (put("ending", "won"), "ending: expected finished or max_deals or void"),
        (put("hash", "AB"), "hash: expected 64 hex digits"),
        (put("sequence_seed", "g" * 64), "sequence_seed: expected 64 hex digits"),
        (put("seats", {}), "seats: expected a list, got {}"),
        (cut("seats.0"), "seats: expected 4 items, got 3"),
        (put("rules", []), "rules: expected an object, got []"),
        (put("rules.overrides.moon", 1), "rules.overrides.moon: expected a text"),
        (put("rules.players", 5), "seats: expected 5 items, got 4"),
        (put("rules.players", 12), "rules.players: expected a number from 1 to 11"),
        (put("totals", [1, 2, 3]), "totals: expected 4 items, got 3"),
        (put("deals.1.dealer", 4), "deals[1].dealer: expected a number from 0 to 3"),
        (put("deals.1.direction", "up"), "deals[1].direction: expected left or right"),
        (put("deals.1.plays", "2C XX"), "deals[1].plays: 'XX' is not a card"),
        (put("deals.1.plays", "2C  3C"), "deals[1].plays: expected names of cards"),
        (put("deals.1.plays", "10C"), "deals[1].plays: expected names of cards"),
        (put("deals.1.hands.2", "3C 2C"), "deals[1].hands[2]: expected cards in nota"),
        (put("deals.1.passes.0", "AC QC"), "deals[1].passes[0]: expected cards in no"),
        (put("deals.1.passes", ["2C"]), "deals[1].passes: expected 0 or 4 items, got"),
        (put("deals.1.points.3", 1.5), "deals[1].points[3]: expected a number from"),
        (
            put("deals.0.moon", {"choice": "all", "seat": 1}),
            "moon.choice: expected add",
        ),
        (put("faults.0.kind", "slow"), "faults[0].kind: expected late or illegal or"),
        (put("faults.0.trick", 54), "faults[0].trick: expected a number from 0 to 53"),
        (put("given_up.0.cause", ""), "given_up[0].cause: expected faults or start"),
        (
            put("times.turns.0.3", [1, 2]),
            "times.turns[0][3]: expected 5 or 6 items, got 2",
        ),
        (put("times.turns.0.3.4", -1), "times.turns[0][3][4]: expected a number from"),
        (put("times.turns.0.3", 7), "times.turns[0][3]: expected a list, got 7"),
        (put("game", "x" * 201), "game: expected at most 200 characters, got 201"),
    ],
)
def test_what_is_no_record_is_refused(
    change: Callable[[Members], None], message: str
) -> None:
    """An error names the path in the JSON object and what was expected."""
    found = members(sample())
    change(found)
    with pytest.raises(RecordError) as error:
        read_record(json.dumps(found))

    assert message in str(error.value)
    assert error.value.path in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not JSON: Expecting value at line 1 column 1"),
        ("{", "is not JSON"),
        ("[]", "expected an object, got []"),
        ('{"game": "a", "game": "b"}', "the key 'game' stands twice"),
        ("[" * 100_000, "is nested too deeply"),
        ('{"block": ' + "1" * 5000 + "}", "is not JSON: it has a number of thousands"),
        ('{"format": NaN}', "format: expected hearts-record/1, got NaN"),
    ],
)
def test_what_is_no_json_object_is_refused(text: str, message: str) -> None:
    """Broken text, twice the same key and other traps are told apart."""
    with pytest.raises(RecordError) as error:
        read_record(text)

    assert message in str(error.value)


def test_brackets_of_any_depth_are_refused() -> None:
    """However deeply a value is nested, the error is the reader's own."""
    text = write_record(sample_record(1, deals_max=0, answers_max=0))
    for depth in range(900, 1_010):
        nested = text.replace(":30000,", ":" + "[" * depth + "]" * depth + ",")
        assert nested != text
        with pytest.raises(RecordError):
            read_record(nested)
