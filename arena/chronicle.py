"""From a table to its record."""

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
from arena.spec import GameSpec
from arena.table import Table, Timing


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
            rules=_rules(spec),
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


def _rules(spec: GameSpec) -> RulesRecord:
    rules = spec.rules
    return RulesRecord(
        hash=rules.hash,
        overrides=rules.overrides,
        players=rules.players,
        preset=rules.preset,
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
    turns = tuple(tuple(map(_figures, deal)) for deal in table.timings)
    missed = tuple(evidence.missed for evidence in table.missed)
    return Times(started=started, ended=ended, turns=turns, missed=missed)


def _figures(timing: Timing) -> tuple[int, ...]:
    # What was handed back is rare, and without it a record is shorter.
    return tuple(timing) if timing.returned_ms else timing[:-1]
