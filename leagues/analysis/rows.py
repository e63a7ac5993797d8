"""A record as rows of the tables for analysis.

`rows_of` plays the record through the engine, so that it says for every turn what the
seat held and might have answered, and for every trick who won it. A record that can't
be played is refused; what else may be wrong with one is the business of `arena verify`.
"""

from collections.abc import Sequence
from typing import Final

from arena.cards import PACK_SIZE, QUEEN_OF_SPADES, Card, CardSet, cards_in
from arena.deal import Deal
from arena.game import DealResult, Game, Phase
from arena.record import DealRecord, Record
from arena.replay import Step, check_end, rules_of, set_up, steps
from arena.rules import MoonChoice, PassDirection
from leagues.analysis.tables import DealRow, GameRow, Rows, TurnRow
from leagues.analysis.turns import Asked, Sources, deal_turns
from leagues.results import has_queen

__all__ = ["rows_of"]

_UNSCORED: Final = DealResult((), (), None, None)
"""Stands for the result of a deal that is not over."""


def rows_of(record: Record) -> Rows:
    """
    Return all rows of one game, finished or not.

    Raises:
        VerifyError: The record does not fit the rules, or contradicts itself.
    """
    game = set_up(record, rules_of(record))
    asked: list[list[Asked]] = [[] for _ in record.deals]
    for step in steps(record, game):
        asked[step.deal - 1].append(_asked(step, game))
    check_end(record, game)
    sources = Sources(record)
    deals: list[DealRow] = []
    turns: list[TurnRow] = []
    for number, recorded in enumerate(record.deals, start=1):
        deal = game.deals[number - 1]
        of_deal = deal_turns(record, number, deal, asked[number - 1], sources)
        is_over = len(game.results) >= number
        result = game.results[number - 1] if is_over else _UNSCORED
        deals.append(_deal_row(record, number, recorded, deal, result, len(of_deal)))
        turns += of_deal
    return Rows([_game_row(record, deals)], deals, turns)


def _asked(step: Step, game: Game) -> Asked:
    """Look at a turn before it is answered."""
    deal, answer = game.deal, step.answer
    hand = cards_in(deal.hands[step.seat])
    if isinstance(answer, MoonChoice):
        kind = game.phase.name.lower()
        return Asked(step, kind, hand, None, False, deal.hearts_broken, None)
    if game.phase == Phase.PASS:
        is_forced = len(hand) == len(answer)
        return Asked(step, "pass", hand, hand, is_forced, False, None)
    choices = cards_in(deal.legal())
    trick = deal.trick
    led = trick[0] if trick else None
    is_forced = len(choices) == 1
    return Asked(step, "play", hand, choices, is_forced, deal.hearts_broken, led)


def _deal_row(
    record: Record,
    number: int,
    recorded: DealRecord,
    deal: Deal,
    result: DealResult,
    turn_count: int,
) -> DealRow:
    is_scored = result is not _UNSCORED
    has_passed = deal.direction != PassDirection.HOLD
    has_received = has_passed and any(deal.received)
    shot = "sun" if result.is_sun else "moon"
    return DealRow(
        league=record.league,
        game=record.game,
        deal=number,
        players=deal.players,
        entrants=[seat.bot for seat in record.seats],
        direction=recorded.direction,
        dealer=deal.dealer,
        leader=deal.leaders[0] if deal.leaders else None,
        hands=_hands(deal.dealt),
        passed=_hands(deal.passed) if has_passed else None,
        received=_hands(deal.received) if has_received else None,
        kitty=cards_in(deal.kitty),
        kitty_taker=deal.kitty_taker,
        tricks=deal.tricks_won,
        penalties=list(deal.points),
        queens=_queens(deal),
        shot=None if result.shooter is None else shot,
        shooter=result.shooter,
        moon_choice=result.moon_choice.label if result.moon_choice else None,
        points=result.points if is_scored else None,
        totals=result.totals if is_scored else None,
        faults=sum(fault.deal == number for fault in record.faults),
        turns=turn_count,
    )


def _hands(hands: Sequence[CardSet]) -> list[list[Card] | None]:
    """Return the cards of each seat; none at all stand for what is not known yet."""
    return [cards_in(hand) or None for hand in hands]


def _queens(deal: Deal) -> list[int]:
    if not has_queen(deal.rules):
        return [0] * deal.players
    first, second = QUEEN_OF_SPADES, QUEEN_OF_SPADES + PACK_SIZE
    return [(cards >> first & 1) + (cards >> second & 1) for cards in deal.taken]


def _game_row(record: Record, deals: Sequence[DealRow]) -> GameRow:
    seats = range(len(record.seats))
    scored = [deal for deal in deals if deal.points is not None]
    shooters = [deal.shooter for deal in scored]
    faulty = [fault.seat for fault in record.faults]
    causes = {given_up.seat: given_up.cause for given_up in record.given_up}
    control = record.time_control
    return GameRow(
        league=record.league,
        game=record.game,
        block=record.block,
        attempt=record.attempt,
        record_hash=record.hash,
        preset=record.rules.preset,
        options=record.rules.overrides,
        rules_hash=record.rules.hash,
        players=len(record.seats),
        open_deals=record.open_deals,
        entrants=[seat.bot for seat in record.seats],
        versions=[seat.version for seat in record.seats],
        owners=[seat.owner for seat in record.seats],
        deals=len(deals),
        ending=record.ending,
        totals=record.totals,
        places=record.places,
        points=[
            sum(deal.points[seat] for deal in scored if deal.points) for seat in seats
        ],
        moons=[shooters.count(seat) for seat in seats],
        queens=[sum(deal.queens[seat] for deal in scored) for seat in seats],
        faults=[faulty.count(seat) for seat in seats],
        given_up=[causes.get(seat) for seat in seats],
        bank_ms=control.bank_ms,
        increment_ms=control.increment_ms,
        turn_limit_ms=control.turn_limit_ms,
        faults_max=record.faults_max,
        stand_in=record.stand_in,
        started=record.times.started or None,
        ended=record.times.ended or None,
    )
