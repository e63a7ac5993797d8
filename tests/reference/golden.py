"""The golden scenarios and deals, asked of the reference engine."""

import json
from pathlib import Path
from typing import Any

from tests.reference import play_rules
from tests.reference.cards import in_order
from tests.reference.deal import IllegalMove, ReferenceDeal
from tests.reference.game import ReferenceGame
from tests.reference.options import Options, options_of
from tests.reference.values import points_of, total_points

GOLDEN = Path(__file__).parent.parent / "golden"

Json = dict[str, Any]
"""An object of a golden file: what it holds depends on its kind."""


def scenarios() -> list[Json]:
    """Read the golden scenarios."""
    found: list[Json] = json.loads((GOLDEN / "scenarios.json").read_text())
    return found


def golden_deals() -> list[Json]:
    """Read the golden deals."""
    lines = (GOLDEN / "deals.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def options_for(rules: Json) -> Options:
    """Return the options that a golden file names."""
    texts = {name: str(value) for name, value in rules.items()}
    preset, players = texts.pop("preset"), int(texts.pop("players"))
    return options_of(preset.replace("omnibus_001", "omnibus_parlor"), players, **texts)


def setup_answer(case: Json) -> Json:
    """Say what is dealt, what opens and what it costs."""
    options = options_for(case["rules"])
    opens = options.opening_leader == "holder"
    return {
        "removed": " ".join(options.removed),
        "hand_size": options.hand_size,
        "opening": play_rules.wanted_opening_card(options) if opens else None,
        "total_points": total_points(options),
    }


def pass_answer(case: Json) -> Json:
    """Say what all hold after a pass, who leads, and what may be led."""
    deal = ReferenceDeal(
        options_for(case["rules"]),
        [hand.split() for hand in case["hands"]],
        dealer=0,
        direction="left",
    )
    for seat, cards in enumerate(case["passes"]):
        deal.pass_cards(seat, cards.split())
    return {
        "hands": [" ".join(hand) for hand in deal.hands],
        "leader": deal.turn,
        "legal": " ".join(deal.legal()),
    }


def legal_answer(case: Json) -> str:
    """Say which cards of a hand may be played."""
    options = options_for(case["rules"])
    legal, _ = play_rules.legal_cards(
        options,
        case["hand"].split(),
        case["trick"].split(),
        is_first=case["trick_number"] == 1,
        broken=case["broken"],
        opening=play_rules.wanted_opening_card(options),
    )
    return " ".join(legal)


def broken_answer(case: Json) -> bool:
    """Say whether a trick breaks hearts."""
    options = options_for(case["rules"])
    trick = case["trick"].split()
    return any(play_rules.breaks_hearts(options, card, trick[0][1]) for card in trick)


def trick_answer(case: Json) -> Json:
    """Say who wins a trick and what it costs."""
    options = options_for(case["rules"])
    trick = case["trick"].split()
    place = play_rules.winning_place(options, trick)
    assert place is not None
    return {
        "winner": (case["leader"] + place) % options.players,
        "points": points_of(options, trick),
    }


def pass_legal_answer(case: Json) -> bool:
    """Say whether a hand may pass some cards."""
    options = options_for(case["rules"])
    hands = [case["hand"].split()] * options.players
    deal = ReferenceDeal(options, hands, dealer=0, direction="left")
    try:
        deal.pass_cards(0, case["pass"].split())
    except IllegalMove:
        return False
    return True


def played_deal(options: Options, golden: Json) -> ReferenceDeal:
    """Play a golden deal; every card must be legal."""
    deal = ReferenceDeal(
        options,
        [hand.split() for hand in golden["hands"]],
        dealer=golden["dealer"],
        direction=golden["direction"],
    )
    if golden["passes"]:
        for seat, cards in enumerate(golden["passes"]):
            deal.pass_cards(seat, cards.split())
    after: list[str] = golden.get("hands_after_pass") or golden["hands"]
    assert [in_order(hand.split()) for hand in after] == deal.hands
    for card in golden["plays"].split():
        deal.play(card)
    return deal


def moon_answer(case: Json, deal: ReferenceDeal) -> Json:
    """Say what a played deal does to the totals."""
    game = ReferenceGame(deal.options, totals=case["totals"])
    result = game.score(
        deal.taken, tricks_won=deal.tricks_won, choice=case.get("choice")
    )
    return {
        "tricks_won": deal.tricks_won,
        "shot": result.shot,
        "totals": game.totals,
    }


def score_answer(case: Json) -> Json:
    """Say what taken cards do to the totals, and who has won."""
    game = ReferenceGame(options_for(case["rules"]), totals=case["totals"])
    taken = [cards.split() for cards in case["taken"]]
    result = game.score(taken, choice=case.get("choice"))
    return {"totals": game.totals, "shot": result.shot, "winners": game.winners()}
