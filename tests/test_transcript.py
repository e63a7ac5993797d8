"""Records and positions as text."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.cards import card_set, parse_cards
from arena.game import Phase
from arena.position import position_text, position_value
from arena.record import Record
from arena.replay import replay
from arena.transcript import compact, hand_text, transcript
from tests.sample_records import sample_record

Golden = Callable[[str, str], None]


def _names(record: Record) -> list[str]:
    return [seat.bot for seat in record.seats]


def _eventful() -> Record:
    """Return a game with a moon, each kind of wrong answer and a given-up seat."""
    return sample_record(146, moon="choice", target=40)


def test_a_whole_game_reads_like_the_golden_text(assert_golden: Golden) -> None:
    """Hands, passes, tricks, faults, the moon, scores and places are as agreed."""
    assert_golden("transcript.txt", transcript(_eventful()))


def test_the_compact_form_reads_like_the_golden_text(assert_golden: Golden) -> None:
    """One line a deal tells points, totals, the moon and faults."""
    assert_golden("transcript_compact.txt", compact(_eventful()))


def test_an_unfinished_game_is_told_as_far_as_it_goes(assert_golden: Golden) -> None:
    """The last trick is open, and there is no result yet."""
    record = sample_record(121, answers_max=32)

    assert_golden("transcript_unfinished.txt", transcript(record) + compact(record))


def test_a_game_without_cards_has_a_transcript() -> None:
    """A record that ends before the first pass shows the hands as dealt."""
    text = transcript(sample_record(121, answers_max=2))

    assert "passes" in text
    assert text.endswith("The game is unfinished.\n")


def test_a_void_game_says_so() -> None:
    """The last line of a void game's transcript tells that it does not count."""
    record = replace(sample_record(121, answers_max=32), ending="void")

    assert transcript(record).endswith("The game is void.\n")


def test_the_cap_on_deals_is_told() -> None:
    """A game that ended by the cap says so."""
    record = sample_record(121, max_deals=1)

    assert "Over after 1 deal, at the cap on deals:\n" in transcript(record)


def test_a_hand_stands_by_suit_from_high_to_low() -> None:
    """Spades, hearts, diamonds, clubs; a dash for none."""
    hand = card_set(parse_cards("2C TC AC 3H QS KS"))

    assert "S KQ  H 3  D -  C AT2" == hand_text(hand)


@pytest.mark.parametrize("answers_max", [0, 1, 4, 30, 56, 100])
def test_a_position_is_told_in_each_phase(answers_max: int) -> None:
    """Whoever is to act is named with as many choices as the engine allows."""
    record = sample_record(3, answers_max=answers_max)
    game = replay(record)
    text = position_text(game, names=_names(record))
    value = json.loads(json.dumps(position_value(game, names=_names(record))))

    for seat in value["seats_to_act"]:
        assert f"to act  {value['bots'][seat]}: " in text
        assert value["choices"][str(seat)] in text
    assert ["passing" in text] == [game.phase == Phase.PASS]


def test_positions_read_like_the_golden_text(assert_golden: Golden) -> None:
    """The table is shown while passing, in a trick, and when the game is over."""
    records = [
        sample_record(121, answers_max=2),
        sample_record(121, answers_max=32),
        sample_record(146, moon="choice", target=40),
    ]
    texts = [position_text(replay(one), names=_names(one)) for one in records]

    assert_golden("positions.txt", "\n".join(texts))


def test_an_open_moon_choice_is_a_position() -> None:
    """The shooter is asked, and there are no cards to choose from."""
    record = sample_record(146, moon="choice", target=40)
    number = next(n for n, deal in enumerate(record.deals, 1) if deal.moon is not None)
    last = replace(record.deals[number - 1], moon=None, points=None, totals=None)
    deals = (*record.deals[: number - 1], last)
    faults = tuple(fault for fault in record.faults if fault.deal <= number)
    part = replace(record, deals=deals, faults=faults, given_up=())
    game = replay(replace(part, ending=None, totals=None, places=None))
    text = position_text(game, names=_names(record))
    value = position_value(game, names=_names(record))

    assert "to act  careful: add or subtract 26 points\n" in text
    assert ("moon", [0], 14) == (
        value["phase"],
        value["seats_to_act"],
        value["trick_number"],
    )
