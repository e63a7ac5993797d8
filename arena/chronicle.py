"""From a table to its record."""

from functools import lru_cache

from arena.record import (
    Note,
    Record,
    RulesRecord,
    SeatRecord,
    TimeRecord,
    Times,
    deal_records,
    seal,
)
from arena.rules import RuleSet
from arena.spec import GameSpec
from arena.table import Table


def record_of(table: Table, *, started: str, ended: str) -> Record:
    """Return the sealed record of a table that ended, void or not.

    Args:
        table: The table.
        started: When the game began, ISO 8601 in UTC.
        ended: When it ended.
    """
    spec, game = table.spec, table.game
    is_finished = table.is_over and not table.void_reason
    return seal(
        Record(
            game=spec.game_id,
            league=spec.league,
            block=spec.block,
            attempt=spec.attempt,
            rules=_rules(spec.rules, spec.rules.preset),
            seats=_seats(table),
            sequence_seed=spec.sequence_seed.hex(),
            table_key=spec.table_key.hex(),
            time_control=_time_control(spec),
            faults_max=spec.faults_max,
            stand_in=spec.stand_in,
            open_deals=spec.open_deals,
            deals=deal_records(game),
            faults=tuple(table.faults),
            given_up=tuple(table.given_up[seat] for seat in sorted(table.given_up)),
            ending="void" if table.void_reason else game.ending,
            totals=tuple(game.totals) if is_finished else None,
            places=game.places() if is_finished else None,
            notes=tuple(
                Note(deal=deal, trick=trick, seat=seat, text=text)
                for deal, trick, seat, text in table.notes
            ),
            times=_times(table, started, ended),
        )
    )


@lru_cache(maxsize=16)
def _rules(rules: RuleSet, preset: str) -> RulesRecord:
    """Return what a record says of its rules; a league's games share them.

    Rules are equal whatever preset they come from, hence the second key.
    """
    return RulesRecord(
        hash=rules.hash,
        overrides=rules.overrides,
        players=rules.players,
        preset=preset,
    )


def _seats(table: Table) -> tuple[SeatRecord, ...]:
    return tuple(
        SeatRecord(bot=seat.bot, owner=seat.owner, version=seat.version)
        for seat in table.spec.seats
    )


def _time_control(spec: GameSpec) -> TimeRecord:
    control = spec.time_control
    return TimeRecord(
        bank_ms=control.bank_ms,
        increment_ms=control.increment_ms,
        turn_limit_ms=control.turn_limit_ms,
    )


def _times(table: Table, started: str, ended: str) -> Times:
    # What was handed back is rare, and without it a record is shorter. It is the last
    # of the figures, and asking for it by its name takes three times as long.
    turns = tuple(
        tuple([tuple(turn) if turn[-1] else turn[:-1] for turn in deal])
        for deal in table.timings
    )
    missed = tuple(evidence.missed for evidence in table.missed)
    return Times(started=started, ended=ended, turns=turns, missed=missed)
