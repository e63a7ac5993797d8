"""The bytes of a turn: those that protobuf itself would write, in all that is read."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cards import FULL_PACK, PACK_SIZE, CardSet, cards_in
from arena.deal import PassDirection
from arena.game import Game, MoonChoice, Phase
from arena.rules import preset
from arena.turn_bytes import TURNS, deal_bytes, element, turn_bytes
from arena.view import MOON_CHOICES, View, view_of
from hearts.arena.v1 import game_pb2, play_pb2

_TURN: Any = game_pb2.Turn

card_sets = st.integers(0, FULL_PACK >> 1).map(lambda bits: bits << 1)
double_sets = st.builds(
    lambda once, twice: once | (once & twice) << PACK_SIZE, card_sets, card_sets
)
cards = st.integers(1, PACK_SIZE)
seats = st.integers(0, 10)
numbers = st.one_of(st.integers(0, 300), st.integers(0, 2**32 - 1))
scores = st.lists(
    st.one_of(st.integers(-200, 200), st.integers(-(2**31), 2**31 - 1)), max_size=11
)


@st.composite
def views(draw: st.DrawFn, sets: st.SearchStrategy[CardSet]) -> View:
    """Draw what a seat might see, possible in a game or not."""
    return View(
        kind=draw(st.sampled_from([Phase.PASS, Phase.PLAY, Phase.MOON, Phase.SUN])),
        seat=draw(seats),
        players=draw(st.integers(3, 11)),
        rules=preset("arena"),
        deal_number=draw(st.integers(1, 100_000)),
        dealer=draw(seats),
        direction=draw(st.sampled_from(PassDirection)),
        hand=draw(sets),
        choices=draw(sets),
        answer_count=draw(st.integers(0, 20)),
        plays=draw(st.lists(cards, max_size=104)),
        leaders=draw(st.lists(seats, max_size=52)),
        passed=draw(sets),
        received=draw(sets),
        points=draw(scores),
        totals=draw(scores),
        hearts_broken=draw(st.booleans()),
        moon_choices=draw(st.sampled_from([(), MOON_CHOICES, (MoonChoice.ADD,)])),
        moon_points=draw(st.integers(0, 1000)),
        cancelled_tricks=draw(st.lists(st.integers(1, 52), max_size=20)),
        forced_plays=draw(st.lists(st.integers(0, 103), max_size=20)),
        kitty=draw(sets),
    )


def built(view: View, **more: Any) -> game_pb2.Turn:
    """Build the message field by field with the library."""
    message: game_pb2.Turn = _TURN(
        kind=view.kind,
        deal_number=view.deal_number,
        dealer=view.dealer,
        hand=cards_in(view.hand),
        choices=cards_in(view.choices),
        answer_count=view.answer_count,
        plays=view.plays,
        leaders=view.leaders,
        pass_direction=view.direction,
        passed=cards_in(view.passed),
        received=cards_in(view.received),
        points=view.points,
        totals=view.totals,
        hearts_broken=view.hearts_broken,
        moon_choices=view.moon_choices,
        moon_points=view.moon_points,
        cancelled_tricks=view.cancelled_tricks,
        forced_plays=view.forced_plays,
        kitty=cards_in(view.kitty),
        **more,
    )
    return message


@given(
    view=st.one_of(views(card_sets), views(double_sets)),
    turn_id=numbers,
    game_id=st.text(max_size=200),
    times=st.tuples(numbers, numbers, numbers),
)
def test_a_turn_reads_as_the_library_would_have_written_it(
    view: View, turn_id: int, game_id: str, times: tuple[int, int, int]
) -> None:
    """Whatever is in a view and a clock comes out of the bytes, field by field."""
    limit, bank, charged = times
    found = turn_bytes(
        view,
        turn_id=turn_id,
        deal=deal_bytes(view, game_id=game_id),
        limit_ms=limit,
        bank_ms=bank,
        charged_ms=charged,
    )
    expected = built(
        view,
        turn_id=turn_id,
        game_id=game_id,
        turn_left_ms=limit,
        bank_left_ms=bank,
        last_charged_ms=charged,
    )

    assert expected == game_pb2.Turn.FromString(found)


def test_no_field_is_forgotten() -> None:
    """A turn with something in every field has every field of the protocol."""
    view = view_of(Game.from_seed(preset("arena"), bytes(32)), 0)._replace(
        kind=Phase.SUN,
        dealer=1,
        choices=4,
        plays=[1],
        leaders=[1],
        passed=2,
        received=2,
        points=[1],
        totals=[1],
        hearts_broken=True,
        moon_choices=MOON_CHOICES,
        moon_points=26,
        cancelled_tricks=[1],
        forced_plays=[1],
        kitty=2,
    )
    deal = deal_bytes(view, game_id="g-1")
    found = turn_bytes(view, turn_id=1, deal=deal, limit_ms=1, bank_ms=1, charged_ms=1)
    turn = game_pb2.Turn.FromString(found)

    assert {field.name for field in game_pb2.Turn.DESCRIPTOR.fields} == {
        field.name for field, _ in turn.ListFields()
    }


@pytest.mark.parametrize("count", [0, 1, 2, 300])
def test_turns_follow_each_other_in_a_response(count: int) -> None:
    """Fields in a row, and behind those of another message, are one list."""
    view = view_of(Game.from_seed(preset("arena"), bytes(32)), 0)
    deal = deal_bytes(view, game_id="g-1")
    turns = [turn_bytes(view, turn_id=n, deal=deal) for n in range(1, count + 1)]
    other = play_pb2.PlayResponse(heartbeat=play_pb2.Heartbeat(id=7))
    found = play_pb2.PlayResponse.FromString(
        other.SerializeToString() + b"".join(element(TURNS, turn) for turn in turns)
    )

    assert 7 == found.heartbeat.id
    assert list(map(game_pb2.Turn.FromString, turns)) == list(found.turns)
