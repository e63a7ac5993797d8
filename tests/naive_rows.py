"""The rows of a record once more, from its text and the reference engine alone."""

from collections.abc import Iterator
from typing import Any

from arena.record import DealRecord, Record
from tests.reference.cards import in_order
from tests.reference.deal import ReferenceDeal
from tests.reference.game import ReferenceGame
from tests.reference.options import options_of
from tests.reference.values import card_points, points_of

Values = dict[str, Any]
"""Columns of one row by their names, cards as names."""


def naive_rows(record: Record) -> tuple[list[Values], list[Values]]:
    """Return what the rows of the deals and of the turns have to say."""
    rules = record.rules
    options = options_of(rules.preset, rules.players, **rules.overrides)
    first = record.deals[0].dealer if record.deals else 0
    game = ReferenceGame(options, first_dealer=first)
    deals, turns = [], []
    for number, recorded in enumerate(record.deals, start=1):
        for given_up in record.given_up:
            if given_up.deal == number:
                game.give_up(given_up.seat)
        hands = [hand.split() for hand in recorded.hands]
        kitty = list(options.pack)
        for card in [card for hand in hands for card in hand]:
            kitty.remove(card)
        deal = game.next_deal(hands, kitty)
        rows = list(_turns(record, number, recorded, deal, game))
        for row in rows:
            _tell_trick(row, deal)
        turns += rows
        deals.append(_deal(record, number, recorded, deal, game, in_order(kitty)))
    return deals, turns


def _turns(
    record: Record,
    number: int,
    recorded: DealRecord,
    deal: ReferenceDeal,
    game: ReferenceGame,
) -> Iterator[Values]:
    where = {"league": record.league, "game": record.game, "deal": number}
    count = 0
    for seat, text in enumerate(recorded.passes):
        if text:
            count += 1
            hand = list(deal.hands[seat])
            kind = {"kind": "pass", "trick": 0, "seat": seat, "turn": count}
            answer = {"hand": hand, "choices": hand, "passed": text.split()}
            is_forced = len(hand) == len(text.split())
            yield where | kind | answer | {"is_forced": is_forced, "led": None}
            deal.pass_cards(seat, text.split())
    for card in recorded.plays.split():
        count += 1
        seat, place = deal.turn, len(deal.trick)
        kind = {"kind": "play", "trick": len(deal.tricks) + 1, "seat": seat}
        yield (
            where
            | kind
            | {
                "turn": count,
                "position": place + 1,
                "hand": list(deal.hands[seat]),
                "choices": sorted(set(deal.legal())),
                "is_forced": len(set(deal.legal())) == 1,
                "hearts_broken": deal.hearts_broken,
                "led": deal.trick[0] if deal.trick else None,
                "card": card,
                "card_points": card_points(deal.options, card),
            }
        )
        deal.play(card)
    asked = game.asked(deal) if deal.is_over else None
    if asked and recorded.moon:
        kind = {"kind": asked[1], "trick": len(deal.tricks) + 1, "seat": asked[0]}
        choice: Values = {"hand": [], "moon_choice": recorded.moon.choice, "led": None}
        choice |= {"choices": None, "is_forced": False, "card": None}
        yield where | kind | {"turn": count + 1} | choice


def _tell_trick(row: Values, deal: ReferenceDeal) -> None:
    """Add what came of the trick of a play."""
    if row["kind"] == "play" and row["trick"] <= len(deal.tricks):
        trick = deal.tricks[row["trick"] - 1]
        cost = points_of(deal.options, trick.cards)
        row |= {"trick_points": cost, "winner": trick.winner}


def _deal(
    record: Record,
    number: int,
    recorded: DealRecord,
    deal: ReferenceDeal,
    game: ReferenceGame,
    kitty: list[str],
) -> Values:
    row: Values = {
        "league": record.league,
        "game": record.game,
        "deal": number,
        "players": len(record.seats),
        "entrants": [seat.bot for seat in record.seats],
        "direction": recorded.direction,
        "dealer": recorded.dealer,
        "leader": _leader(deal),
        "hands": [hand.split() for hand in recorded.hands],
        "passed": [text.split() or None for text in recorded.passes] or None,
        "received": _received(recorded, deal),
        "kitty": kitty,
        "kitty_taker": deal.kitty_taker,
        "tricks": deal.tricks_won,
        "penalties": deal.points,
        "faults": sum(fault.deal == number for fault in record.faults),
    }
    asked = game.asked(deal) if deal.is_over else None
    if deal.is_over and (recorded.moon or not asked):
        choice = recorded.moon.choice if asked and recorded.moon else None
        result = game.finish(deal, choice)
        row |= {
            "points": result.points,
            "totals": list(game.totals),
            "shot": result.shot,
            "shooter": result.shooter,
            "moon_choice": result.choice,
        }
    return row


def _leader(deal: ReferenceDeal) -> int | None:
    if deal.tricks:
        return deal.tricks[0].leader
    return None if deal.is_passing else deal.leader


def _received(recorded: DealRecord, deal: ReferenceDeal) -> list[list[str]] | None:
    """Return what each seat received, once all have passed."""
    if not recorded.passes or "" in recorded.passes:
        return None
    received: list[list[str]] = [[] for _ in recorded.passes]
    for seat, text in enumerate(recorded.passes):
        received[deal.receiver(seat)] = text.split()
    return received
