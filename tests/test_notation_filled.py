"""What the reader of the notation fills in: all that follows from the plays."""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game import Phase
from arena.notation import read_notation, write_notation
from arena.record import Record, read_record, seal
from arena.replay import replay
from arena.substitution import substitute
from arena.verify import VerifyError, verify
from tests.sample_records import PRESET_SEATS, sample_record
from tests.tampering import members

FOLLOWING = "Dealer|Moon|Points|Totals|Result|FinalTotals|Places|Hash"
"""The tags of what follows from the rest, where the rules leave no choice."""


def read_one(text: str) -> Record:
    """Read a text of one game."""
    (record,) = read_notation(text)
    return record


def bare(record: Record, tags: str = FOLLOWING) -> str:
    """Return the text of a record without these tags."""
    return re.sub(rf"\[({tags}) [^\]]*\]\n", "", write_notation(record))


@given(st.sampled_from(PRESET_SEATS), st.integers(0, 255), st.integers(0, 900))
def test_nothing_that_follows_need_be_written(
    pair: tuple[str, int], seed: int, answers: int
) -> None:
    """A game without its scores and results is the same game, wherever it stands."""
    name, players = pair
    record = sample_record(
        seed,
        preset_name=name,
        players=players,
        answers_max=answers,
        moon="subtract",
        sun="add",
        target=60,
    )

    assert record == read_one(bare(record))


def test_whole_games_are_filled_in() -> None:
    """Finished games too get their ending, final totals and places again."""
    for number in range(8):
        record = sample_record(number, target=40, moon="add")

        assert record.places is not None
        assert record == read_one(bare(record))


def test_directions_follow_from_the_rules() -> None:
    """A text that says what was passed need not say where it went."""
    record = sample_record(3, deals_max=5)

    assert record == read_one(bare(record, f"{FOLLOWING}|Pass"))


@pytest.mark.parametrize("seed", range(3))
def test_without_a_seed_the_dealer_fits_the_first_lead(seed: int) -> None:
    """Where the eldest hand leads, the first card tells who dealt."""
    record = sample_record(seed, preset_name="black_maria", deals_max=2)
    found = read_one(bare(record, f"{FOLLOWING}|SequenceSeed"))

    assert found.deals == record.deals
    verify(found, substitute, as_dealt=True)


def test_dealers_before_a_named_one_follow_too() -> None:
    """The deal passes to the left, so one dealer tells all."""
    record = sample_record(1, deals_max=3)
    text = bare(record, f"{FOLLOWING}|SequenceSeed")
    dealer = f"[Dealer {record.deals[1].dealer}]\n"
    start = text.index("; Deal 2")

    assert record.deals == read_one(text[:start] + dealer + text[start:]).deals


def shot() -> tuple[Record, int]:
    """Return a game whose shooter was to choose, and the index of the deal."""
    for seed in range(256):
        record = sample_record(seed, moon="choice", shooter=seed % 4, deals_max=3)
        for index, deal in enumerate(record.deals):
            if deal.moon:
                return record, index
    raise AssertionError("no seed has a shot")


def test_a_choice_is_an_open_question() -> None:
    """A moon whose shooter is to choose is not filled in, nor what comes after."""
    record, index = shot()
    record = seal(replace(record, deals=record.deals[: index + 1]))
    found = read_one(bare(record))

    assert (None, None) == (found.deals[index].moon, found.deals[index].points)
    assert Phase.MOON == replay(found).phase
    assert record == read_one(bare(record, FOLLOWING.replace("Moon|", "")))


def test_points_without_the_choice_ask_for_it() -> None:
    """Who names the scores of a moon has to say who shot it, and how it scored."""
    record, index = shot()
    found = read_one(bare(record, "Moon|Hash"))
    with pytest.raises(VerifyError, match=r"\[Moon\]\) is none, expected the cho"):
        verify(found, substitute)

    assert record.deals[index].points == found.deals[index].points


def test_scores_that_are_written_are_kept() -> None:
    """What the text says is not corrected but checked."""
    record = sample_record(1, target=40)
    text = bare(record, "Hash|Totals|FinalTotals|Places")
    text = re.sub(r"\[Points \d+", "[Points 99", text, count=1)
    found = read_one(text)

    assert found.deals[0].points is not None
    assert 99 == found.deals[0].points[0]
    assert record.deals[0].totals == found.deals[0].totals
    with pytest.raises(VerifyError, match=r"points \(\[Points\]\) are 99 "):
        replay(found)


@pytest.mark.parametrize("ending", ["*", "void"])
def test_a_text_may_say_that_a_game_is_not_over(ending: str) -> None:
    """An unfinished and a void game have neither final totals nor places."""
    record = sample_record(1, target=40)
    text = bare(record, "Hash|FinalTotals|Places")
    found = read_one(re.sub(r"\[Result \w+\]", f"[Result {ending}]", text))

    assert (None, None) == (found.totals, found.places)


def test_nothing_follows_from_a_forbidden_card() -> None:
    """Up to the wrong card the deals are scored, from there on nothing is."""
    record = sample_record(1, target=60)
    found = members(record)
    plays = found["deals"][1]["plays"].split()
    found["deals"][1]["plays"] = " ".join([*plays[:-2], plays[-1], plays[-2]])
    broken = read_one(bare(read_record(json.dumps(found))))

    assert record.deals[0] == broken.deals[0]
    assert [None] * (len(record.deals) - 1) == [d.points for d in broken.deals[1:]]
    assert (None, None) == (broken.ending, broken.totals)


def test_a_record_that_lacks_what_follows_says_so() -> None:
    """Nothing is filled in where the text says that there is none."""
    record = sample_record(1, target=40)
    deals = [replace(deal, points=None, totals=None) for deal in record.deals]
    lacking = seal(replace(record, deals=tuple(deals), totals=None, places=None))
    text = write_notation(lacking)

    assert len(deals) == text.count("[Points none]") == text.count("[Totals none]")
    assert "[FinalTotals none]\n[Places none]\n" in text
    assert lacking == read_one(text)


@given(st.integers(0, 40), st.data())
def test_any_gap_of_a_record_stays_a_gap(seed: int, data: st.DataObject) -> None:
    """Whatever a record lacks, it lacks again after it was written as text."""
    record = sample_record(seed, target=30, moon="add", shooter=seed % 4)
    found = members(record)
    for item, names in (
        (found, ["ending", "totals", "places"]),
        *((deal, ["moon", "points", "totals"]) for deal in found["deals"]),
    ):
        item |= dict.fromkeys(data.draw(st.sets(st.sampled_from(names))))
    lacking = seal(read_record(json.dumps(found)))

    assert lacking == read_one(write_notation(lacking))


def test_options_are_brought_into_normal_form() -> None:
    """What the preset has anyway is left out, and another spelling is mended."""
    hands = "[Deal 0:2... 1:3... 2:4... 3:5...]"
    record = read_one(f'[Rules arena][Option target "100"][Option moon add]{hands}')
    other = read_one(f"[Rules arena][Option target 050][Pass left]{hands}")

    assert {"pass_count": "0"} == record.rules.overrides
    assert {"target": "50"} == other.rules.overrides


def test_options_with_a_hash_are_checked() -> None:
    """With the hash of the rules they have to be written as the arena does."""
    text = write_notation(sample_record(1, answers_max=3, target=50))
    usual = '[Option target "50"]\n[Option moon "add"]'
    for option, message in (
        (usual, r"overrides.moon \(\[Option moon\]\) is 'add', expected none: the"),
        ('[Option target "050"]', r"\[Option target\]\) is '050', expected '50'"),
    ):
        record = read_one(text.replace('[Option target "50"]', option))
        with pytest.raises(VerifyError, match=message):
            replay(record)
