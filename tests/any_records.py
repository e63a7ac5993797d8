"""Records of any content: not games, but all that the format allows."""

from itertools import chain
from typing import TypeVar

from hypothesis import strategies as st

from arena.cards import card_names, card_set, cards_in
from arena.missed import ENDS, MISSED_KEYS, Missed
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
    seal,
)

_T = TypeVar("_T")

COUNTS = st.integers(0, 2**31 - 1)
SCORES = st.integers(-(2**31) + 1, 2**31 - 1)
TEXTS = st.text(max_size=12) | st.sampled_from(
    [
        *("", " ", '"', "\\", "]", "[Game x]", "; no comment", "{", "}", "% 1"),
        *(
            "a\nb",
            "\r\n",
            "\t",
            "\x00\x7f\x85\u2028",
            "\ud800",
            "\U0001f0a1",
            "é\ufeff",
        ),
    ]
)
CARDS = st.lists(st.integers(1, 52), max_size=9)


def hexadecimals(size_bytes: int) -> st.SearchStrategy[str]:
    """Draw so many bytes as digits."""
    return st.binary(min_size=size_bytes, max_size=size_bytes).map(bytes.hex)


def card_sets() -> st.SearchStrategy[str]:
    """Draw cards in notation order, some of them twice."""
    return CARDS.map(lambda cards: card_names(cards_in(card_set(cards))))


@st.composite
def deal_records(draw: st.DrawFn, players: int) -> DealRecord:
    """Draw a deal that hardly ever follows any rules."""

    def by_seat(what: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
        return st.tuples(*[what] * players)

    scores = st.none() | st.tuples(*[SCORES] * players)
    moons = st.builds(
        MoonRecord,
        choice=st.sampled_from(["add", "subtract"]),
        seat=st.integers(0, players - 1),
    )
    return DealRecord(
        dealer=draw(st.integers(0, players - 1)),
        direction=draw(st.sampled_from(["left", "right", "across", "hold"])),
        hands=draw(by_seat(card_sets())),
        moon=draw(st.none() | moons),
        passes=draw(st.just(()) | by_seat(st.just("")) | by_seat(card_sets())),
        plays=draw(CARDS.map(card_names)),
        points=draw(scores),
        totals=draw(scores),
    )


def _places(players: int) -> dict[str, st.SearchStrategy[int]]:
    return {
        "deal": st.integers(1, 2**31 - 1),
        "seat": st.integers(0, players - 1),
        "trick": st.integers(0, 53),
    }


def _faults(players: int) -> st.SearchStrategy[Fault]:
    return st.builds(
        Fault,
        kind=st.sampled_from(["late", "illegal", "away", "start"]),
        offered=CARDS.map(card_names),
        reason=st.sampled_from(["", "illegal", "wrong_count", "unknown_card"]),
        **_places(players),
    )


def _given_up(players: int) -> st.SearchStrategy[GivenUp]:
    causes = st.sampled_from(["faults", "start", "left"])
    return st.builds(GivenUp, cause=causes, **_places(players))


def _missed(players: int) -> st.SearchStrategy[Missed]:
    known: dict[str, st.SearchStrategy[int | None]] = {
        name: COUNTS for name in MISSED_KEYS if name == "losses" or name.endswith("_ms")
    }
    unknown = ("answered_ms", "echoed_ms", "paused_ms", "round_trip_ms", "think_ms")
    known |= {name: COUNTS | st.none() for name in unknown}
    return st.builds(Missed, **known, end=st.sampled_from(ENDS), **_places(players))


def _times(players: int) -> st.SearchStrategy[Times]:
    turn = st.tuples(*[COUNTS] * 5) | st.tuples(*[COUNTS] * 6)
    # Runs of equal times are written as one.
    runs = st.tuples(turn, st.sampled_from([1, 2, 1999])).map(lambda t: [t[0]] * t[1])
    turns = st.lists(runs, max_size=3).map(lambda runs: tuple(chain(*runs)))
    texts = st.text(max_size=12)
    return st.builds(
        Times,
        ended=texts,
        started=texts,
        turns=st.lists(turns, max_size=3).map(tuple),
        missed=_some(_missed(players)),
    )


def _rules(players: int) -> st.SearchStrategy[RulesRecord]:
    return st.builds(
        RulesRecord,
        hash=hexadecimals(32),
        overrides=st.dictionaries(TEXTS, TEXTS, max_size=2),
        players=st.just(players),
        preset=TEXTS,
    )


def _some(what: st.SearchStrategy[_T]) -> st.SearchStrategy[tuple[_T, ...]]:
    return st.lists(what, max_size=2).map(tuple)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Draw a record whose hash is right, and nothing else need be."""
    players = draw(st.integers(1, 11))
    scores = st.none() | st.tuples(*[SCORES] * players)
    notes = st.builds(Note, text=TEXTS, **_places(players))
    seat = st.builds(SeatRecord, bot=TEXTS, owner=TEXTS, version=TEXTS)
    clock = st.builds(
        TimeRecord, bank_ms=COUNTS, increment_ms=COUNTS, turn_limit_ms=COUNTS
    )
    drawn = st.builds(
        Record,
        game=TEXTS,
        league=TEXTS,
        block=COUNTS,
        attempt=COUNTS,
        rules=_rules(players),
        seats=st.tuples(*[seat] * players),
        sequence_seed=hexadecimals(32),
        table_key=hexadecimals(8),
        time_control=clock,
        faults_max=COUNTS,
        stand_in=TEXTS,
        open_deals=st.booleans(),
        deals=_some(deal_records(players)),
        faults=_some(_faults(players)),
        given_up=_some(_given_up(players)),
        ending=st.sampled_from([None, "finished", "max_deals", "void"]),
        totals=scores,
        places=scores,
        notes=_some(notes),
        times=_times(players),
    )
    return seal(draw(drawn))
