"""Verify under every preset: true records pass, and no change in one does."""

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cards import PACK_SIZE, card_name, card_names, parse_cards, suit
from arena.game import Phase
from arena.notation import read_notation, write_notation
from arena.record import Record, deal_records, read_record, seal, write_record
from arena.rules import preset
from arena.substitution import substitute
from arena.verify import VerifyError, replay, verify
from tests.sample_records import PRESET_SEATS, sample_record
from tests.tampering import Members, members

DEALS = 3
"""The deals of each sample; the next one has only been dealt."""

MANY = card_names(
    card for card in range(1, PACK_SIZE + 1) for _ in range(2) if suit(card) != 2
).replace(" QS QS", "")
"""All cards that can be removed from two packs."""

pairs = st.sampled_from(PRESET_SEATS)


@cache
def sample(name: str, players: int) -> Record:
    """Return a record of three deals, with what else belongs to a game."""
    number = PRESET_SEATS.index((name, players))
    return sample_record(
        number, preset_name=name, players=players, deals_max=DEALS, target=1000
    )


def refuse(found: Members) -> VerifyError:
    """Assert that members are no true record, even with the hash that fits them."""
    record = seal(read_record(json.dumps(found)))
    with pytest.raises(VerifyError) as error:
        verify(record, substitute)
    return error.value


# True records


@given(pairs, st.integers(0, 255), st.integers(0, 900))
def test_true_records_pass(pair: tuple[str, int], seed: int, answers: int) -> None:
    """What the arena writes is right wherever the game stands, faults and all."""
    name, players = pair
    record = sample_record(seed, preset_name=name, players=players, answers_max=answers)
    game = replay(record)

    verify(record, substitute)
    assert record == read_record(write_record(record))
    assert [record] == read_notation(write_notation(record))
    assert record.deals == deal_records(game)[: len(record.deals)]
    assert record.places == (game.places() if game.phase == Phase.OVER else None)


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("cancellation", 9, {"leftover": "kitty_first_heart"}),
        ("cancellation", 11, {"leftover": "kitty_first_trick", "bonus_card": "JD"}),
        ("arena", 8, {"packs": "2", "removed": "none"}),
        ("standard", 5, {"leftover": "kitty_first_trick"}),
        ("omnibus", 7, {"leftover": "kitty_first_heart", "sun": "add"}),
        ("black_maria", 4, {"removed": "none", "exact_hit": "wins"}),
        ("arena", 7, {"packs": "2", "opening_card": "3H", "removed": MANY}),
    ],
)
def test_other_tables_pass(name: str, players: int, options: Members) -> None:
    """So does a game with a kitty, or at a table that no preset is made for."""
    for seed in range(5):
        record = sample_record(seed, preset_name=name, players=players, **options)

        verify(record, substitute)
        assert [record] == read_notation(write_notation(record))
        assert {**options}.items() <= dict(record.rules.overrides).items()


# Falsified records


@settings(max_examples=300)
@given(pairs, st.data())
def test_any_one_card_changed_is_refused(
    pair: tuple[str, int], data: st.DataObject
) -> None:
    """Whichever card is another one, in hands, passes or plays, its deal is named."""
    found = members(sample(*pair))
    number = data.draw(st.integers(1, DEALS))
    deal = found["deals"][number - 1]
    lists = ["hands", "plays"] + ["passes"] * bool(deal["passes"])
    name = data.draw(st.sampled_from(lists))
    holder: Any = deal
    key: Any = name
    if name != "plays":
        holder, key = deal[name], data.draw(st.integers(0, pair[1] - 1))
    cards = parse_cards(holder[key])
    place = data.draw(st.integers(0, len(cards) - 1))
    card = data.draw(st.integers(1, PACK_SIZE))
    if card == cards[place] or cards.count(card) == 2:
        return
    cards[place] = card
    holder[key] = card_names(cards if name == "plays" else sorted(cards))

    assert number == refuse(found).deal


@given(pairs, st.data())
def test_two_plays_exchanged_are_refused(
    pair: tuple[str, int], data: st.DataObject
) -> None:
    """Two seats of a trick can't have played each other's card."""
    found = members(sample(*pair))
    number = data.draw(st.integers(1, DEALS))
    deal = found["deals"][number - 1]
    plays = deal["plays"].split()
    first = pair[1] * data.draw(st.integers(0, len(plays) // pair[1] - 1))
    seats = st.integers(0, pair[1] - 1)
    one, other = (first + data.draw(seats) for _ in range(2))
    if plays[one] == plays[other]:
        return
    plays[one], plays[other] = plays[other], plays[one]
    deal["plays"] = " ".join(plays)

    assert number == refuse(found).deal


@settings(max_examples=200)
@given(pairs, st.data())
def test_any_number_changed_is_refused(
    pair: tuple[str, int], data: st.DataObject
) -> None:
    """Points, totals, dealers and directions of every deal are proved."""
    found = members(sample(*pair))
    number = data.draw(st.integers(1, DEALS))
    deal = found["deals"][number - 1]
    name = data.draw(st.sampled_from(["points", "totals", "dealer", "direction"]))
    other: st.SearchStrategy[Any]
    if name == "dealer":
        other = st.integers(0, pair[1] - 1)
    elif name == "direction":
        other = st.sampled_from(["left", "right", "across", "hold"])
    else:
        index = data.draw(st.integers(0, pair[1] - 1))
        change = data.draw(st.sampled_from([-26, -1, 1, 10]))
        changed = [*deal[name]]
        changed[index] += change
        other = st.just(changed)
    deal[name] = data.draw(other.filter(lambda value: value != deal[name]))

    assert number == refuse(found).deal


@pytest.mark.parametrize(("name", "players"), PRESET_SEATS)
def test_the_rules_of_a_record_are_proved(name: str, players: int) -> None:
    """Another preset, another option, or an option in another spelling is refused."""
    found = members(sample(name, players))
    rules = found["rules"]
    overrides = rules["overrides"]
    other = "spot" if name != "spot" else "standard"
    changes: list[Members] = [
        {"preset": other},
        {"overrides": overrides | {"target": "999"}},
        {"overrides": overrides | {"target": "01000"}},
        {"overrides": overrides | {"pass_count": "3"}},
        {"overrides": {}},
        {"hash": preset(other).hash},
    ]
    for change in changes:
        found["rules"] = rules | change
        error = refuse(found)

        assert "rules." in error.reason
        assert error.deal is None


def test_equal_rules_of_another_name_are_told_by_the_hash() -> None:
    """A preset that is the same as another one can't be put in its place."""
    found = members(sample("arena", 4))
    found["rules"]["preset"] = "msft"
    with pytest.raises(VerifyError, match=r"hash \(\[Hash\]\) is"):
        verify(read_record(json.dumps(found)), substitute)


# Moon and sun

SHOTS = [
    ("standard", 3, False),
    ("standard", 5, False),
    ("standard", 6, False),
    ("parlor", 4, False),
    ("party", 6, False),
    ("party", 7, False),
    ("black_maria_moon", 3, False),
    ("omnibus", 6, False),
    ("omnibus_parlor", 3, False),
    ("spot", 4, False),
    ("plain_hearts", 5, False),
    ("sun", 3, False),
    ("sun", 3, True),
    ("sun", 4, True),
    ("sun_plain", 3, True),
    ("sun_plain", 4, True),
]


@cache
def shot(name: str, players: int, *, is_sun: bool) -> tuple[Record, int]:
    """Return a record with a moon or sun that was chosen for, and the deal of it."""
    for seed in range(256):
        record = sample_record(
            seed,
            preset_name=name,
            players=players,
            shooter=seed % players,
            pass_count=min(8, preset(name, players=players).hand_size),
            deals_max=8,
        )
        for number, result in enumerate(replay(record).results, start=1):
            if result.moon_choice and result.is_sun == is_sun:
                return record, number
    raise AssertionError(f"no seed has a shot of {name}")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players", "is_sun"), SHOTS)
def test_a_changed_moon_or_sun_is_refused(
    name: str, players: int, is_sun: bool
) -> None:
    """Who shot it and how it scores is proved, and that there was one."""
    record, number = shot(name, players, is_sun=is_sun)
    verify(record, substitute)
    found = members(record)
    deal = found["deals"][number - 1]
    moon = deal["moon"]
    choice = {"add": "subtract", "subtract": "add"}[moon["choice"]]
    seats = set(range(players)) - {moon["seat"]}
    changes: list[Members | None] = [None, moon | {"choice": choice}]
    for change in changes + [moon | {"seat": seat} for seat in seats]:
        deal["moon"] = change

        assert number == refuse(found).deal


def test_a_moon_where_there_was_none_is_refused() -> None:
    """A deal without a shooter has no choice to record."""
    for name, players in PRESET_SEATS:
        found = members(sample(name, players))
        for number, deal in enumerate(found["deals"][:DEALS], start=1):
            if deal["moon"] is None:
                deal["moon"] = {"choice": "add", "seat": players - 1}

                assert number == refuse(found).deal
                deal["moon"] = None


def test_samples_have_what_is_to_be_proved() -> None:
    """The records here have faults and cards of a double pack."""
    records = [sample(name, players) for name, players in PRESET_SEATS]
    doubled = f"{card_name(9)} {card_name(9)}"

    assert sum(bool(record.faults) for record in records) > 0.9 * len(records)
    assert any(doubled in hand for r in records for hand in r.deals[0].hands)
    assert all(len(record.deals) == DEALS + 1 for record in records)
