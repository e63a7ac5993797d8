"""The written notation: read as it was written, and as people write it."""

import random
import re
from collections.abc import Callable
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cards import card_set, cards_in
from arena.game import Game, Phase
from arena.missed import Missed
from arena.notation import (
    read_notation,
    write_notation,
    written_games,
)
from arena.notation_tags import TAG_NAMES
from arena.record import (
    DealRecord,
    Fault,
    GivenUp,
    MoonRecord,
    Note,
    Record,
    RulesRecord,
    SeatRecord,
    TimeRecord,
    Times,
    deal_records,
    read_record,
    seal,
    write_record,
)
from arena.rules import PRESETS, MoonChoice, preset
from tests.any_records import records
from tests.conftest import GOLDEN
from tests.documents import blocks, read_document
from tests.sample_records import sample_record

Golden = Callable[[str, str], None]


def read_one(text: str) -> Record:
    """Read a text of one game."""
    (record,) = read_notation(text)
    return record


def eventful() -> Record:
    """Return a game with a moon, each kind of wrong answer and a given-up seat."""
    return sample_record(146, moon="choice", target=40)


@given(records())
def test_nothing_of_a_record_is_lost(record: Record) -> None:
    """Any record, however strange, is the same after it was written as text."""
    line = write_record(record)
    (again,) = read_notation(write_notation(record))

    assert line == write_record(again)
    assert line == write_record(read_record(line))


@given(
    st.integers(0, 255),
    st.integers(0, 500) | st.none(),
    st.sampled_from(["add", "choice", "subtract", "off"]),
)
def test_nothing_of_a_game_is_lost(seed: int, answers: int | None, moon: str) -> None:
    """A game, finished or broken off anywhere, is the same after it was written."""
    answers_max = 100_000 if answers is None else answers
    record = sample_record(seed, moon=moon, answers_max=answers_max, deals_max=3)

    assert [record] == read_notation(write_notation(record))


@settings(max_examples=20)
@given(st.lists(records(), max_size=2))
def test_a_text_holds_any_number_of_games(many: list[Record]) -> None:
    """Texts of games can be put one behind the other."""
    text = "\n".join(map(write_notation, many))

    assert many == [read_record(write_record(one)) for one in read_notation(text)]
    assert len(many) == len(list(written_games(text.splitlines(keepends=True))))


@settings(max_examples=50)
@given(records())
def test_the_text_fits_any_file(record: Record) -> None:
    """No line breaks but those of the notation, and nothing that can't be encoded."""
    text = write_notation(record)

    assert text.encode("utf-8").decode("utf-8") == text
    assert text.splitlines() == text.removesuffix("\n").split("\n")
    assert all(line.isprintable() for line in text.splitlines())


def test_a_game_reads_like_the_golden_text(assert_golden: Golden) -> None:
    """A whole game with faults, notes, a moon and a given-up seat is as agreed."""
    assert_golden("notation/game.txt", write_notation(eventful()))


def test_a_position_reads_like_the_golden_text(assert_golden: Golden) -> None:
    """A game that was broken off in a trick is as agreed."""
    record = sample_record(121, answers_max=32)

    assert_golden("notation/unfinished.txt", write_notation(record))


def test_a_pass_half_made_reads_like_the_golden_text(assert_golden: Golden) -> None:
    """Seats that have not passed yet do not stand in the text."""
    record = sample_record(121, answers_max=2)

    assert_golden("notation/passing.txt", write_notation(record))


def broken(plays: str) -> Record:
    """Return a game of one deal with other plays."""
    record = sample_record(121, answers_max=32)
    return seal(replace(record, deals=(replace(record.deals[0], plays=plays),)))


def trick_lines(record: Record) -> list[str]:
    """Return the lines of a record's tricks."""
    text = write_notation(record)
    return [line for line in text.splitlines() if line[1:2] == ":"]


def test_a_wrong_card_leaves_the_rest_without_leaders() -> None:
    """Where the rules are broken nobody knows who plays, but all cards are there."""
    plays = "2C 4C 6C TC 6D 4D KS 3D QD"

    assert ["3: 2C 4C 6C TC", "2: 6D 4D", "-: KS 3D QD"] == trick_lines(broken(plays))
    assert broken(plays) == read_one(write_notation(broken(plays)))


@pytest.mark.parametrize("name", ["rules", "hands", "passes"])
def test_what_is_no_deal_has_no_leaders(name: str) -> None:
    """Unknown rules, hands that are no pack and wrong passes do not stop the writer."""
    record = broken("2C 4C 6C TC 6D")
    (deal,) = record.deals
    changed = {
        "rules": replace(record, rules=replace(record.rules, preset="of old")),
        "hands": replace(record, deals=(replace(deal, hands=("", "", "", "")),)),
        "passes": replace(record, deals=(replace(deal, passes=("2C",) * 4),)),
    }[name]

    assert ["-: 2C 4C 6C TC", "-: 6D"] == trick_lines(changed)
    assert seal(changed) == read_one(write_notation(seal(changed)))


def test_a_record_without_its_hash_gets_it() -> None:
    """A record that was never sealed has no hash in the text, and is sealed then."""
    record = sample_record(121, answers_max=2)
    text = write_notation(replace(record, hash=""))

    assert "[Hash" not in text
    assert record == read_one(text)


def test_equal_cards_stand_side_by_side() -> None:
    """Hands of two packs hold cards twice, and the text repeats their ranks."""
    record = broken("2C 2C")
    hands = ("2C 2C AC AC QS QS", *record.deals[0].hands[1:])
    doubled = seal(replace(record, deals=(replace(record.deals[0], hands=hands),)))
    text = write_notation(doubled)

    assert "[Deal 0:QQ.-.-.AA22\n" in text
    assert doubled == read_one(text)


def test_marks_tell_whose_answer_it_was() -> None:
    """Late and illegal answers and those of the stand-in are marked."""
    text = write_notation(eventful())

    assert " 4H?t " in text
    assert " 5H?i " in text
    assert " 5D?i\n" in text
    assert "1: 4C~ 6H" in text
    assert "1: QC QD AH~\n" in text


# The document


def document_blocks(language: str) -> list[str]:
    """Return the blocks of one language in the document of the notation."""
    document = read_document("docs/notation.md")
    return [block.text for block in blocks(document) if block.language == language]


def test_the_example_of_the_document_is_read_and_written() -> None:
    """The whole record in the document is what the writer writes."""
    (text,) = document_blocks("notation")
    (record,) = read_notation(text)

    assert text == write_notation(record)
    assert record == read_record(write_record(record))


def test_the_excerpts_of_the_document_are_real() -> None:
    """What the document shows of a game stands in its golden text."""
    game = (GOLDEN / "notation/game.txt").read_text(encoding="utf-8")

    excerpts = [text for text in document_blocks("text") if "rules:" not in text]
    assert [True, True] == [text in game for text in excerpts]


def test_every_key_and_tag_is_documented() -> None:
    """The document names each key of a record and each tag of the notation."""
    document = read_document("docs/notation.md")
    kinds = (Record, DealRecord, Fault, GivenUp, MoonRecord, Note, RulesRecord)
    parts = (Missed, SeatRecord, TimeRecord, Times)
    keys = {item.name for kind in (*kinds, *parts) for item in fields(kind)}

    assert [] == sorted(key for key in keys if f"`{key}`" not in document)
    assert [] == [name for name in TAG_NAMES if not re.search(rf"`\[{name} ", document)]
    assert len(TAG_NAMES) == len({name.lower() for name in TAG_NAMES})


# Variants


def played(name: str, *, players: int, seed: int, deals: int = 1) -> Record:
    """Return the record of a game of random legal answers, some deals long."""
    chance = random.Random(seed)
    game = Game.from_seed(preset(name, players=players), bytes([seed]) * 32)
    while game.phase != Phase.OVER and game.deal_number <= deals:
        if game.phase == Phase.PASS:
            for seat, hand in enumerate(game.deal.hands):
                cards = chance.sample(cards_in(hand), game.rules.pass_count)
                game.pass_cards(seat, card_set(cards))
        elif game.phase == Phase.PLAY:
            game.play(chance.choice(cards_in(game.deal.legal())))
        else:
            game.choose_moon(MoonChoice.ADD)
    rules = RulesRecord(
        hash=game.rules.hash, overrides={}, players=players, preset=name
    )
    seats = [SeatRecord(bot=f"bot{n}", owner="", version="1") for n in range(players)]
    blank = read_one('[Rules "arena"]')
    return seal(
        replace(
            blank, rules=rules, seats=tuple(seats), deals=deal_records(game)[:deals]
        )
    )


TABLES = [(name, players) for name in PRESETS for players in PRESETS[name].seats]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_variant_is_written_with_leaders(name: str, players: int) -> None:
    """Whatever is played, each trick has its leader, and nothing is lost."""
    record = played(name, players=players, seed=players)

    assert [] == [line for line in trick_lines(record) if line.startswith("-")]
    assert [record] == read_notation(write_notation(record))


def test_cancelled_tricks_read_like_the_golden_text(assert_golden: Golden) -> None:
    """With two packs a trick may be cancelled; the same seat leads once more."""
    text = write_notation(played("cancellation", players=6, seed=6))

    assert " =\n" in text
    assert_golden("notation/cancellation.txt", text)


def test_announced_cards_are_marked() -> None:
    """A penalty card that had to be played to the first trick has its mark."""
    suit = "AKQJT98765432"
    record = read_one(
        f"[Rules classic][Deal 0:{suit}... 1:.{suit}.. 2:..{suit}. 3:...{suit}]"
        "2C 2S 9H 2D AC"
    )

    assert ["3: 2C 2S 9H! 2D", "3: AC"] == trick_lines(record)
