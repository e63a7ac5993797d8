"""Verify: a true record passes, and any change in it is refused with its place."""

import json
import random
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cards import card_name, card_names, cards_in, parse_cards
from arena.chronicle import record_of
from arena.game import MoonChoice, Phase
from arena.record import Record, RecordError, deal_records, read_record, seal
from arena.rules import preset
from arena.spec import GameSpec, SeatSpec
from arena.substitution import substitute
from arena.table import Table
from arena.verify import VerifyError, replay, verify
from arena.view import Answer, View
from tests.sample_records import sample_record
from tests.tampering import CHANGES, Change, Members, members, sample

PLAIN_ENDING: Members = {"ending": None, "totals": None, "places": None}


def sealed(found: Members) -> Record:
    """Return the record with these members and the hash that belongs to them."""
    return seal(read_record(json.dumps(found)))


# True records


@given(
    st.integers(0, 255),
    st.sampled_from(["add", "choice", "subtract", "off"]),
    st.integers(0, 700) | st.none(),
)
def test_true_records_pass(seed: int, moon: str, answers: int | None) -> None:
    """What the arena writes is right, wherever the game stands."""
    answers_max = 100_000 if answers is None else answers

    verify(sample_record(seed, moon=moon, answers_max=answers_max), substitute)


@given(st.integers(0, 255), st.integers(0, 700))
def test_a_replay_stands_where_the_record_ends(seed: int, answers: int) -> None:
    """Replaying gives the deals, totals and places of the record again."""
    record = sample_record(seed, moon="choice", answers_max=answers)
    game = replay(record)

    assert record.deals == deal_records(game)[: len(record.deals)]
    assert record.ending == game.ending
    assert record.places == (game.places() if game.phase == Phase.OVER else None)


def test_a_record_without_deals_is_a_new_game() -> None:
    """A replay starts from the seed when there is nothing else."""
    found = members(sample()) | PLAIN_ENDING
    record = sealed(found | {"deals": [], "faults": [], "given_up": []})
    game = replay(record)

    verify(record, substitute)
    assert (1, Phase.PASS) == (game.deal_number, game.phase)


def test_a_replay_takes_hands_that_were_set_up() -> None:
    """A position made by hand need not come from the seed, but be a pack."""
    suits = [" ".join(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDHS"]
    found = members(sample()) | PLAIN_ENDING | {"faults": [], "given_up": []}
    deal = found["deals"][0] | {"hands": suits, "passes": [""] * 4, "plays": ""}
    deal |= {"points": None, "totals": None, "moon": None}
    record = sealed(found | {"deals": [deal]})

    assert "2H" == card_name(cards_in(replay(record).deal.hands[2])[0])
    with pytest.raises(VerifyError, match=r"these hands come from no seed|expected"):
        verify(record, substitute)
    deal["hands"] = [*suits[:3], suits[2]]
    with pytest.raises(VerifyError, match="seat 3, card 2H: the card was dealt before"):
        replay(sealed(found | {"deals": [deal]}))
    deal["hands"] = [*suits[:3], suits[3][:-3]]
    with pytest.raises(
        VerifyError, match=r"seat 3: hands .* of 12 cards, expected of 13"
    ):
        replay(sealed(found | {"deals": [deal]}))


@given(st.integers(0, 255), st.integers(0, 300), st.sets(st.integers(0, 3), max_size=2))
def test_seats_may_never_start_or_leave(
    seed: int, answers: int, absent: set[int]
) -> None:
    """A stand-in from the first card, or from any card on, is right as well."""
    chance = random.Random(seed)
    spec = GameSpec(
        game_id="demo-17",
        rules=preset("arena", moon="choice", target=50),
        seats=tuple(map(SeatSpec, "abcd")),
        sequence_seed=bytes([seed]) * 32,
        given_up=frozenset(absent),
    )
    table = Table(spec, substitute)
    table.start()
    while not table.is_over:
        if table.is_unfinished:
            table.go_on()
        for seat in table.take_asked():
            answers -= 1
            if answers == 0:
                table.give_up(chance.randrange(4), "left")
            if seat in table.wanted:
                view = table.view(seat)
                count = view.answer_count if view.choices else 0
                cards = chance.sample(cards_in(view.choices), count)
                table.answer(seat, cards, MoonChoice.SUBTRACT)
    verify(record_of(table, started="", ended=""), substitute)


def test_a_seat_that_never_started_may_have_its_fault() -> None:
    """The fault of a seat whose bot never came is the stand-in's to answer."""
    spec = GameSpec(
        game_id="demo-17",
        rules=preset("arena", max_deals=1),
        seats=tuple(map(SeatSpec, "abcd")),
        sequence_seed=bytes(32),
        given_up=frozenset(range(4)),
    )
    table = Table(spec, substitute)
    table.start()
    record = record_of(table, started="", ended="")
    place = {"deal": 1, "kind": "start", "offered": "", "reason": "", "trick": 0}

    verify(sealed(members(record) | {"faults": [{**place, "seat": 2}]}), substitute)


def test_a_stand_in_may_shoot_the_moon() -> None:
    """A given-up seat's moon scores as its stand-in chose."""
    records = (sample_record(seed, moon="choice") for seed in range(77, 256))
    record, number = next(
        (record, number)
        for record in records
        for number, deal in enumerate(record.deals, start=1)
        for out in record.given_up
        if deal.moon and deal.moon.seat == out.seat and number > out.deal
    )
    verify(record, substitute)
    found = members(record)
    found["deals"][number - 1]["moon"]["choice"] = "subtract"
    with pytest.raises(
        VerifyError, match="the answer is subtract, expected add"
    ) as error:
        verify(sealed(found), substitute)

    assert (number, 14) == (error.value.deal, error.value.trick)


def test_a_deal_that_was_not_recorded_comes_from_the_seed() -> None:
    """A record that stops between two deals is replayed into the next one."""
    found = members(sample_record(5, deals_max=1, moon="add"))
    record = sealed(found | {"deals": found["deals"][:1]} | PLAIN_ENDING)
    game = replay(record)

    verify(record, substitute)
    assert (2, []) == (game.deal_number, game.deal.plays)
    assert found["deals"][1]["hands"][0] == card_names(cards_in(game.deal.dealt[0]))


# Falsified records


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_a_changed_record_is_refused(change: Change) -> None:
    """The error names the place, as far as there is one, and what is wrong there."""
    found = members(sample())
    change.apply(found)
    record = read_record(json.dumps(found))
    with pytest.raises(VerifyError, match=change.message) as error:
        verify(record, substitute)

    expected = {
        name: value(sample()) if callable(value) else value
        for name, value in change.place.items()
    }
    assert expected == {name: getattr(error.value, name) for name in expected}
    assert "demo-17" == error.value.game
    for name in ("deal", "trick", "seat"):
        value = getattr(error.value, name)
        assert (value is None) == (f"{name} {value}" not in str(error.value))


@pytest.mark.parametrize(
    "change",
    [change for change in CHANGES if not change.is_hash_only],
    ids=lambda change: change.name,
)
def test_a_new_hash_does_not_help(change: Change) -> None:
    """What contradicts the rest of the record is found with a right hash too."""
    found = members(sample())
    change.apply(found)
    with pytest.raises(VerifyError, match=change.message):
        verify(sealed(found), substitute)


@given(st.data())
def test_any_one_card_changed_is_refused(data: st.DataObject) -> None:
    """Whichever card of hands, passes and plays is another one, its deal is named."""
    found = members(sample())
    number = data.draw(st.integers(1, len(found["deals"])))
    deal = found["deals"][number - 1]
    name = data.draw(st.sampled_from(["hands", "passes", "plays"]))
    holder: Any = deal
    key: Any = name
    if name != "plays":
        if not deal[name]:
            return
        holder, key = deal[name], data.draw(st.integers(0, 3))
    cards = holder[key].split()
    place = data.draw(st.integers(0, len(cards) - 1))
    other = data.draw(st.integers(1, 52).map(card_name))
    if cards[place] == other:
        return
    cards[place] = other
    holder[key] = " ".join(cards)
    with pytest.raises((RecordError, VerifyError)) as error:
        verify(read_record(json.dumps(found)), substitute)
    if isinstance(error.value, RecordError):
        assert error.value.path.startswith(f"deals[{number - 1}].{name}")
    elif isinstance(error.value, VerifyError):
        assert number == error.value.deal


# The stand-in


def highest(view: View) -> Answer:
    """Answer like no careful stand-in: with the highest cards, and subtracting."""
    if view.kind == Phase.MOON:
        return MoonChoice.SUBTRACT
    return cards_in(view.choices)[-view.answer_count :]


def test_the_stand_ins_answers_are_its_own() -> None:
    """With another stand-in than the record's the first other answer is named."""
    (out,) = sample().given_up
    with pytest.raises(
        VerifyError, match=r"expected .*, the stand-in's answer"
    ) as error:
        verify(sample(), highest)

    assert out.seat == error.value.seat
    assert (out.deal, out.trick) < (error.value.deal, error.value.trick)
    assert error.value.card is not None


# What a replay does not take


ENDS = {"final_totals", "places", "no_places", "ending", "void", "one_deal_less"}


@pytest.mark.parametrize(
    "change",
    [change for change in CHANGES if change.name in ENDS | {"rules_override"}],
    ids=lambda change: change.name,
)
def test_a_replay_checks_the_end(change: Change) -> None:
    """What the table at the end shows can't differ from what the record says."""
    found = members(sample())
    change.apply(found)
    with pytest.raises(VerifyError, match=change.message):
        replay(sealed(found))


def test_a_game_that_ended_too_early_is_told() -> None:
    """Without the lower target of the record its game is not over yet."""
    found = members(sample_record(1, target=40))
    found["rules"] |= {"overrides": {}, "hash": preset("arena").hash}
    for check in (replay, partial(verify, stand_in=substitute)):
        with pytest.raises(VerifyError, match="is finished, expected none"):
            check(sealed(found))


@given(st.integers(0, 255), st.integers(0, 150))
def test_a_game_may_be_void_wherever_it_was_broken_off(seed: int, count: int) -> None:
    """It has no result then, neither totals nor places."""
    found = members(sample_record(seed, answers_max=count, target=100))
    record = sealed(found | PLAIN_ENDING | {"ending": "void"})

    verify(record, substitute)
    replay(record)
    with pytest.raises(VerifyError, match=r"\[Places\]\) are 1 2 3 4, expected none"):
        replay(sealed(members(record) | {"places": [1, 2, 3, 4]}))


@given(st.integers(0, 255))
def test_a_game_that_is_over_is_not_void(seed: int) -> None:
    """Nobody can take a result back, not even with totals and places gone."""
    found = members(sample_record(seed, target=40))
    record = sealed(found | PLAIN_ENDING | {"ending": "void"})

    for check in (replay, partial(verify, stand_in=substitute)):
        with pytest.raises(VerifyError, match=r"ending \(\[Result\]\) is void"):
            check(record)


# Games that were dealt elsewhere


def test_a_game_dealt_elsewhere_is_verified_as_dealt() -> None:
    """Hands and the first dealer are taken from the record; the rest is checked."""
    record = sample_record(3, deals_max=2)
    other = seal(replace(record, sequence_seed="00" * 32))
    with pytest.raises(VerifyError, match="these hands come from no seed") as error:
        verify(other, substitute)

    assert 1 == error.value.deal
    verify(other, substitute, as_dealt=True)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_as_dealt_all_else_is_checked(change: Change) -> None:
    """Without a seed no other change of a record goes unseen."""
    if change.name == "sequence_seed":
        return
    found = members(seal(replace(sample(), sequence_seed="00" * 32)))
    change.apply(found)
    changed = read_record(json.dumps(found))
    record = changed if change.is_hash_only else seal(changed)
    with pytest.raises(VerifyError):
        verify(record, substitute, as_dealt=True)


def test_a_wrong_deal_of_a_seed_of_zeros_is_told_by_its_cards() -> None:
    """A game that comes from the seed of zeros is no game without a seed."""
    found = members(sample_record(0, deals_max=2))
    hands = [hand.split() for hand in found["deals"][1]["hands"]]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    names = [sorted(parse_cards(" ".join(hand))) for hand in hands]
    found["deals"][1]["hands"] = list(map(card_names, names))
    with pytest.raises(VerifyError, match=r"which sequence_seed .* deals") as error:
        verify(sealed(found), substitute)

    assert 2 == error.value.deal
