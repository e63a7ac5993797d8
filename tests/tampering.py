"""
Ways to falsify a record, each with what `verify` must say about it.

A change works on the members of the record's JSON object. `CHANGES` has them all;
those with `is_hash_only` can be told by the hash alone, since nothing else in the
record contradicts them.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from arena.cards import card_name, parse_cards
from arena.record import Record, write_record
from arena.verify import replay
from tests.sample_records import sample_record

Members: TypeAlias = dict[str, Any]
Apply: TypeAlias = Callable[[Members], None]
Facts: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """One way to falsify the sample."""

    apply: Apply
    message: str
    """A pattern in the reason."""
    place: Facts
    """Attributes of the error; a function gets them from the sample."""
    is_hash_only: bool

    @property
    def name(self) -> str:
        """Return the name of the change."""
        return self.apply.__name__


CHANGES: list[Change] = []


@cache
def sample() -> Record:
    """Return a record with faults, a given-up seat and a moon of another seat."""
    records = (sample_record(seed, moon="choice") for seed in range(256))
    return next(record for record in records if _is_eventful(record))


def _is_eventful(record: Record) -> bool:
    """Tell whether a record has something of each kind to change."""
    if len(record.given_up) != 1 or len(record.faults) != record.faults_max:
        return False
    (out,) = record.given_up
    moons = [deal.moon for deal in record.deals if deal.moon]
    return (
        2 < out.deal < len(record.deals)
        and 1 < out.trick < 13
        and any(moon.choice == "subtract" and moon.seat != out.seat for moon in moons)
        and any(fault.offered for fault in record.faults)
        and all(fault.trick for fault in record.faults)
    )


def members(record: Record) -> Members:
    """Return a record as the members of its JSON object."""
    found: Members = json.loads(write_record(record))
    return found


def change(
    message: str, *, is_hash_only: bool = False, **place: Any
) -> Callable[[Apply], Apply]:
    """Return the decorator that registers a change."""

    def register(apply: Apply) -> Apply:
        CHANGES.append(Change(apply, message, place, is_hash_only))
        return apply

    return register


def _in_order(cards: list[str]) -> str:
    """Return names of cards in notation order."""
    return " ".join(card_name(card) for card in sorted(parse_cards(" ".join(cards))))


def _moon_deal(found: Members) -> Members:
    """Return the first deal with a moon."""
    deal: Members = next(deal for deal in found["deals"] if deal["moon"])
    return deal


def _moon_number(record: Record) -> int:
    return next(n for n, deal in enumerate(record.deals, start=1) if deal.moon)


def _last_number(record: Record) -> int:
    return len(record.deals)


def _refused(record: Record) -> int:
    """Return which fault has an offer."""
    return next(n for n, fault in enumerate(record.faults) if fault.offered)


def _first_choice(record: Record, *, is_lowest: bool) -> tuple[int, int, int]:
    """
    Return index, trick and seat of a play of deal 1 with a choice of cards.

    The play is the lowest legal card or another one, and no fault stands there.
    """
    faults = {(fault.deal, fault.trick, fault.seat) for fault in record.faults}
    deal = replay(record).deals[0]
    again = type(deal)(
        deal.rules, deal.dealt, dealer=deal.dealer, direction=deal.direction
    )
    for seat, cards in enumerate(deal.passed):
        again.pass_cards(seat, cards)
    for index, card in enumerate(deal.plays):
        legal, trick, seat = again.legal(), again.trick_count + 1, again.turn
        lowest = (legal & -legal) == 1 << card
        is_own = (1, trick, seat) not in faults and seat != record.given_up[0].seat
        if is_own and legal.bit_count() > 1 and lowest == is_lowest:
            return index, trick, seat
        again.play(card)
    raise AssertionError("deal 1 has no such play")


# Rules and seed


@change("rules.preset: 'other' is not a preset")
def preset(found: Members) -> None:
    found["rules"]["preset"] = "other"


@change(r"rules.hash \(\[RulesHash\]\) is .*, expected .*")
def rules_override(found: Members) -> None:
    found["rules"]["overrides"]["target"] = "50"


@change("rules.moon: 'blue' is not one of")
def rules_value(found: Members) -> None:
    found["rules"]["overrides"]["moon"] = "blue"


@change("players")
def rules_players(found: Members) -> None:
    found["rules"]["overrides"]["players"] = "4"


@change("overrides.target .* is '100', expected none: .*; leave it out")
def rules_spelling(found: Members) -> None:
    found["rules"]["overrides"]["target"] = "100"


@change(r"hash \(\[Hash\]\) is", is_hash_only=True)
def preset_with_equal_rules(found: Members) -> None:
    found["rules"]["preset"] = "msft"


@change(r"rules.hash \(\[RulesHash\]\) is 0000")
def rules_hash(found: Members) -> None:
    found["rules"]["hash"] = "0" * 64


@change(r"dealer \(\[Dealer\]\) is|which sequence_seed .* deals", deal=1)
def sequence_seed(found: Members) -> None:
    seed = found["sequence_seed"]
    found["sequence_seed"] = ("1" if seed[0] == "0" else "0") + seed[1:]


# Hands, passes and plays


@change(r"dealer \(\[Dealer\]\) is ., expected .", deal=2)
def dealer(found: Members) -> None:
    found["deals"][1]["dealer"] = (found["deals"][1]["dealer"] + 1) % 4


@change(r"direction \(\[Pass\]\) is hold, expected right", deal=2)
def direction(found: Members) -> None:
    found["deals"][1]["direction"] = "hold"


@change(r"hands \(\[Deal\]\) are .*, which sequence_seed .* deals", deal=2, seat=0)
def hands(found: Members) -> None:
    hands = [hand.split() for hand in found["deals"][1]["hands"]]
    hands[0][0], hands[3][0] = hands[3][0], hands[0][0]
    found["deals"][1]["hands"] = [_in_order(hand) for hand in hands]


@change(r"hands \(\[Deal\]\) are .*, which sequence_seed .* deals", deal=2, seat=1)
def one_card_of_a_hand(found: Members) -> None:
    hand = found["deals"][1]["hands"][1].split()
    other = found["deals"][1]["hands"][2][:2]
    found["deals"][1]["hands"][1] = _in_order([other, *hand[1:]])


@change("does not hold it", deal=1)
def one_card_of_a_pass(found: Members) -> None:
    deal = found["deals"][0]
    passed = deal["passes"][3].split()
    kept = [name for name in deal["hands"][3].split() if name not in passed]
    deal["passes"][3] = _in_order([*passed[:2], kept[-1]])


@change("does not hold them all", deal=1, trick=0, seat=3)
def pass_of_another_hand(found: Members) -> None:
    deal = found["deals"][0]
    other = deal["hands"][0][:2]
    deal["passes"][3] = _in_order([*deal["passes"][3].split()[:2], other])


@change("3 cards are to be passed", deal=1, trick=0, seat=3)
def short_pass(found: Members) -> None:
    deal = found["deals"][0]
    deal["passes"][3] = deal["passes"][3][:5]


@change(r"passes \(\[Passed\]\) are of 0 seats, expected of 4", deal=1, trick=0)
def no_pass(found: Members) -> None:
    found["deals"][0]["passes"] = []


@change("before the pass", deal=1, trick=1)
def missing_pass(found: Members) -> None:
    found["deals"][0]["passes"][3] = ""


@change(r"passes \(\[Passed\]\) are of 4 seats, expected of 0", deal=4, trick=0)
def pass_on_hold(found: Members) -> None:
    found["deals"][3]["passes"] = ["2C 3C 4C"] * 4


@change("can't play", deal=1)
def two_plays(found: Members) -> None:
    plays = found["deals"][0]["plays"].split()
    plays[5], plays[9] = plays[9], plays[5]
    found["deals"][0]["plays"] = " ".join(plays)


@change("does not hold it|expected .., the substitution", deal=1, trick=13)
def one_card_of_the_plays(found: Members) -> None:
    plays = found["deals"][0]["plays"].split()
    found["deals"][0]["plays"] = " ".join([*plays[:-1], plays[0]])


@change("after the last trick", deal=1, trick=14, card=1)
def one_play_more(found: Members) -> None:
    found["deals"][0]["plays"] += " 2C"


@change("expected none", deal=1)
def one_play_less(found: Members) -> None:
    found["deals"][0]["plays"] = found["deals"][0]["plays"][:-3]


# Scores


@change(r"moon \(\[Moon\]\) is|points \(\[Points\]\) are", deal=_moon_number)
def moon_choice(found: Members) -> None:
    moon = _moon_deal(found)["moon"]
    moon["choice"] = "add" if moon["choice"] == "subtract" else "subtract"


@change(
    r"moon \(\[Moon\]\) is seat . .*, expected seat . ", deal=_moon_number, trick=14
)
def moon_seat(found: Members) -> None:
    moon = _moon_deal(found)["moon"]
    moon["seat"] = (moon["seat"] + 1) % 4


@change(r"moon \(\[Moon\]\) is none, expected the choice of seat .", deal=_moon_number)
def no_moon(found: Members) -> None:
    _moon_deal(found)["moon"] = None


@change(r"moon \(\[Moon\]\) is seat 0 add, expected none", deal=1)
def another_moon(found: Members) -> None:
    found["deals"][0]["moon"] = {"choice": "add", "seat": 0}


@change(r"points \(\[Points\]\) are \S+ \S+ \S+ \S+, expected", deal=3, seat=2)
def points(found: Members) -> None:
    found["deals"][2]["points"][2] += 1


@change(r"points \(\[Points\]\) are none, expected \d", deal=3)
def no_points(found: Members) -> None:
    found["deals"][2]["points"] = None


@change(r"totals \(\[Totals\]\) are", deal=3, seat=3)
def deal_totals(found: Members) -> None:
    found["deals"][2]["totals"][3] -= 1


@change(r"final totals \(\[FinalTotals\]\) are", deal=None, seat=1)
def final_totals(found: Members) -> None:
    found["totals"][1] += 1


@change(r"places \(\[Places\]\) are", deal=None)
def places(found: Members) -> None:
    found["places"][found["places"].index(3)] = 4


@change(r"places \(\[Places\]\) are none, expected", deal=None)
def no_places(found: Members) -> None:
    found["places"] = None


@change(r"ending \(\[Result\]\) is max_deals, expected finished", deal=None)
def ending(found: Members) -> None:
    found["ending"] = "max_deals"


@change(r"ending \(\[Result\]\) is void, expected finished", deal=None)
def void(found: Members) -> None:
    found["ending"] = "void"


@change(r"ending \(\[Result\]\) is finished, expected none", deal=None)
def one_deal_less(found: Members) -> None:
    del found["deals"][-1]


@change("the game was over", deal=lambda record: len(record.deals) + 1)
def one_deal_more(found: Members) -> None:
    found["deals"].append(found["deals"][-1])


# Faults and given-up seats


@change(
    "the seat is not given up|is given up",
    deal=lambda record: record.given_up[0].deal,
    trick=lambda record: record.given_up[0].trick,
    seat=lambda record: record.given_up[0].seat,
)
def one_fault_less(found: Members) -> None:
    del found["faults"][0]


@change(
    "the answer is .., expected .., the substitution",
    deal=1,
    trick=lambda record: _first_choice(record, is_lowest=False)[1],
    seat=lambda record: _first_choice(record, is_lowest=False)[2],
)
def one_fault_more(found: Members) -> None:
    _, trick, seat = _first_choice(sample(), is_lowest=False)
    place = {"deal": 1, "seat": seat, "trick": trick}
    found["faults"].append({**place, "kind": "late", "offered": "", "reason": ""})


@change(r"hash \(\[Hash\]\) is", is_hash_only=True)
def a_plausible_fault(found: Members) -> None:
    _, trick, seat = _first_choice(sample(), is_lowest=True)
    place = {"deal": 1, "seat": seat, "trick": trick}
    found["faults"].append({**place, "kind": "late", "offered": "", "reason": ""})


@change(r"hash \(\[Hash\]\) is", is_hash_only=True)
def fault_kind(found: Members) -> None:
    fault = found["faults"][0]
    kind = "away" if fault["kind"] == "late" else "late"
    found["faults"][0] |= {"kind": kind, "reason": "", "offered": ""}


@change("the substitution|gave no answer|is given up")
def fault_trick(found: Members) -> None:
    found["faults"][0]["trick"] = 13 if found["faults"][0]["trick"] < 13 else 1


@change("a fault stands where the seat gave no answer", deal=99)
def fault_deal(found: Members) -> None:
    found["faults"].append({**found["faults"][0], "deal": 99})


@change(
    "two faults stand for one answer",
    deal=lambda record: record.faults[0].deal,
    trick=lambda record: record.faults[0].trick,
    seat=lambda record: record.faults[0].seat,
)
def same_fault_twice(found: Members) -> None:
    found["faults"].append(found["faults"][0])


@change("a fault of a seat that is given up", deal=_last_number, trick=5)
def fault_of_the_stand_in(found: Members) -> None:
    place = {"deal": len(found["deals"]), "trick": 5}
    found["faults"].append(
        {**found["faults"][0], **place, "kind": "late", "offered": "", "reason": ""}
    )


@change(
    "the refused answer '..' was legal",
    deal=lambda record: record.faults[_refused(record)].deal,
    trick=lambda record: record.faults[_refused(record)].trick,
)
def fault_of_a_legal_card(found: Members) -> None:
    fault = found["faults"][_refused(sample())]
    deal = replay(sample()).deals[fault["deal"] - 1]
    place = (fault["seat"] - deal.leaders[fault["trick"] - 1]) % 4
    card = deal.plays[4 * (fault["trick"] - 1) + place]
    fault |= {"offered": card_name(card)}


@change(
    "the refused answer '.. ..' is wrong_count, not illegal",
    deal=lambda record: record.faults[_refused(record)].deal,
    trick=lambda record: record.faults[_refused(record)].trick,
)
def offer_of_two_cards(found: Members) -> None:
    found["faults"][_refused(sample())] |= {"offered": "2C 3C", "reason": "illegal"}


@change("a fault late with reason ''", deal=lambda record: record.faults[0].deal)
def offer_of_a_late_seat(found: Members) -> None:
    found["faults"][0] |= {"kind": "late", "reason": "", "offered": "2C"}


@change("a seat that never started must", deal=lambda record: record.faults[0].deal)
def fault_of_the_start(found: Members) -> None:
    found["faults"][0] |= {"kind": "start", "reason": "", "offered": ""}


@change("fault 3 of 3: the seat is not given up")
def no_given_up_seat(found: Members) -> None:
    found["given_up"] = []


@change("the seat is given up for faults, but has none here")
def given_up_early(found: Members) -> None:
    found["given_up"][0]["trick"] -= 1


@change("fault 3 of 3: the seat is not given up")
def given_up_late(found: Members) -> None:
    found["given_up"][0]["trick"] += 1


@change("a fault of a seat that is given up")
def given_up_cause(found: Members) -> None:
    found["given_up"][0]["cause"] = "left"


@change("the seat is given up twice")
def given_up_twice(found: Members) -> None:
    found["given_up"].append(found["given_up"][0])


@change("a seat is given up where the game never was", deal=99)
def given_up_after_the_end(found: Members) -> None:
    seat = (found["given_up"][0]["seat"] + 1) % 4
    found["given_up"].append({"cause": "left", "deal": 99, "seat": seat, "trick": 1})


@change(r"the stand-in's answer|points \(\[Points\]\) are", deal=1)
def another_given_up_seat(found: Members) -> None:
    seat = (found["given_up"][0]["seat"] + 1) % 4
    found["given_up"].append({"cause": "left", "deal": 1, "seat": seat, "trick": 1})


@change("the seat is not given up|is given up")
def faults_max(found: Members) -> None:
    found["faults_max"] = 4


# What only the hash tells


@change(r"hash \(\[Hash\]\) is 0000", is_hash_only=True)
def record_hash(found: Members) -> None:
    found["hash"] = "0" * 64


@change(r"hash \(\[Hash\]\) is", is_hash_only=True)
def bot(found: Members) -> None:
    found["seats"][0]["bot"] = "someone else"


@change(r"hash \(\[Hash\]\) is", is_hash_only=True)
def league(found: Members) -> None:
    found["league"] = "another"


@change(r"hash \(\[Hash\]\) is", is_hash_only=True)
def time_control(found: Members) -> None:
    found["time_control"]["bank_ms"] += 1
