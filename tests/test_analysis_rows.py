"""Records as rows: the same as the reference engine says, and the laws of Hearts."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings

from arena.cards import Card, card_names, card_set, cards_in
from arena.record import DealRecord, Fault, GivenUp, Note, Record, deal_records
from arena.replay import VerifyError, replay, rules_of
from leagues.analysis.rows import rows_of
from leagues.analysis.tables import COLUMNS, Kind, Row, TurnRow
from leagues.results import result_of
from tests.any_records import records
from tests.naive_rows import Values, naive_rows
from tests.sample_records import PRESET_SEATS, sample_record

DEALS = 2

SAMPLES: dict[str, dict[str, Any]] = {
    f"{name}_{players}": {"preset_name": name, "players": players}
    for name, players in PRESET_SEATS
} | {
    "kitty": {"preset_name": "party", "players": 5, "leftover": "kitty_first_trick"},
    "cancelled": {"preset_name": "cancellation", "players": 8},
    "moon": {"shooter": 2, "moon": "choice"},
    "sun": {"preset_name": "sun", "players": 5, "shooter": 1, "seed": 17},
    "sun_added": {"preset_name": "parlor_sun", "players": 5, "shooter": 1, "seed": 17},
}

every_sample = pytest.mark.parametrize("name", SAMPLES)


@cache
def sample(name: str) -> Record:
    """Return a game that is broken off in its third deal."""
    if name == "cancelled":
        return cancelled()
    return sample_record(**{"seed": 9, "deals_max": DEALS, **SAMPLES[name]})


def cancelled() -> Record:
    """Return a game of two packs whose seats play the equals of cards on the table."""
    begun = sample_record(0, answers_max=0, **SAMPLES["cancelled"])
    game = replay(begun)
    while game.deal_number <= DEALS:
        deal = game.deal
        if deal.is_passing:
            seat = deal.passed.index(0)
            passed = cards_in(deal.hands[seat])[: deal.rules.pass_count]
            game.pass_cards(seat, card_set(passed))
        else:
            legal = cards_in(deal.legal())
            game.play(max(set(legal) & set(deal.trick), default=legal[0]))
    return replace(begun, deals=deal_records(game))


def named(row: Row, table: str) -> Values:
    """Return a row by its columns, with cards as their names."""
    found = {}
    for column, value in zip(COLUMNS[table], row, strict=True):
        if column.kind in (Kind.CARD, Kind.CARDS, Kind.HANDS):
            value = _names(value)
        found[column.name] = list(value) if isinstance(value, tuple) else value
    return found


def _names(value: Any) -> Any:
    if isinstance(value, list):
        return [_names(item) for item in value]
    return value if value is None else card_names([value])


def said(rows: list[Values], expected: list[Values]) -> list[Values]:
    """Return of each row what is expected of it, legal cards in one order."""
    found = [
        {name: row[name] for name in wanted}
        for row, wanted in zip(rows, expected, strict=True)
    ]
    for row in found:
        if row.get("kind") == "play":
            row["choices"] = sorted(row["choices"])
    return found


class TestAgainstTheReferenceEngine:
    """The rows say what another engine makes of the same text."""

    @every_sample
    def test_deals(self, name: str) -> None:
        """Hands, kitty, tricks, points, moons and totals are the same."""
        expected, _ = naive_rows(sample(name))
        rows = [named(row, "deals") for row in rows_of(sample(name)).deals]

        assert expected == said(rows, expected)

    @every_sample
    def test_turns(self, name: str) -> None:
        """So are seats, hands, legal cards, broken hearts, winners, in their order."""
        _, expected = naive_rows(sample(name))
        rows = [named(row, "turns") for row in rows_of(sample(name)).turns]

        assert expected == said(rows, expected)


class TestLaws:
    """What is true of the rows of every game."""

    @every_sample
    def test_rows_are_counted(self, name: str) -> None:
        """A deal has a row for each pass and each card, and one for a choice."""
        record = sample(name)
        rows = rows_of(record)
        kinds = Counter((turn.deal, turn.kind) for turn in rows.turns)

        assert (1, len(record.deals)) == (len(rows.games), len(rows.deals))
        for number, deal in enumerate(record.deals, start=1):
            choices = kinds[number, "moon"] + kinds[number, "sun"]

            assert sum(map(bool, deal.passes)) == kinds[number, "pass"]
            assert len(deal.plays.split()) == kinds[number, "play"]
            assert choices <= (deal.moon is not None)
            assert rows.deals[number - 1].turns == (
                kinds[number, "pass"] + kinds[number, "play"] + choices
            )
            if deal.points:
                dealt = sum(len(hand.split()) for hand in deal.hands)
                assert dealt == kinds[number, "play"]

    @every_sample
    def test_hands_shrink_by_one(self, name: str) -> None:
        """Every card played was in the hand and among the choices, and leaves it."""
        held: dict[tuple[int, int], Counter[Card]] = {}
        for turn in rows_of(sample(name)).turns:
            if turn.kind != "play":
                continue
            assert turn.card is not None
            hand = Counter(turn.hand)
            before = held.get((turn.deal, turn.seat), hand)

            assert before == hand
            assert turn.card in hand
            assert turn.card in (turn.choices or ())
            assert set(turn.choices or ()) <= set(hand)
            assert turn.is_forced == (len(turn.choices or ()) == 1)
            held[turn.deal, turn.seat] = hand - Counter([turn.card])

    @every_sample
    def test_points_add_up(self, name: str) -> None:
        """The tricks that seats have cost what they are charged; games add up deals."""
        record = sample(name)
        rows = rows_of(record)
        seats = range(len(record.seats))
        for deal in rows.deals:
            taken = [0 for _ in seats]
            for turn in rows.turns:
                if turn.deal == deal.deal and turn.taker is not None:
                    taken[turn.taker] += turn.card_points or 0

            if not deal.kitty:
                assert taken == deal.penalties
            recorded = record.deals[deal.deal - 1].points
            assert recorded == (None if deal.points is None else tuple(deal.points))
        scored = [deal.points for deal in record.deals if deal.points]
        assert rows.games[0].points == [sum(p[seat] for p in scored) for seat in seats]

    @every_sample
    def test_a_trick_has_one_winner(self, name: str) -> None:
        """All plays of a trick agree on it; with one pack every trick has a winner."""
        rows = rows_of(sample(name))
        packs = rules_of(sample(name)).packs
        size = len(sample(name).deals[0].hands[0].split())
        whole = {deal.deal for deal in rows.deals if deal.points is not None}
        tricks: dict[tuple[int, int], list[TurnRow]] = {}
        for turn in rows.turns:
            if turn.kind == "play" and turn.deal in whole:
                tricks.setdefault((turn.deal, turn.trick), []).append(turn)

        assert len(whole) * size == len(tricks) > 0
        for plays in tricks.values():
            assert 1 == len({(p.winner, p.taker, p.trick_points) for p in plays})
            assert list(range(1, len(plays) + 1)) == [p.position for p in plays]
            assert [None, *[plays[0].card] * (len(plays) - 1)] == [p.led for p in plays]
            if packs == 1:
                assert plays[0].winner == plays[0].taker
                assert plays[0].winner in range(len(plays))

    @given(records())
    @settings(max_examples=30)
    def test_any_record_is_told_or_refused(self, record: Record) -> None:
        """Whatever a record says, it has rows or a mismatch, and nothing worse."""
        deals = -1
        with suppress(VerifyError):
            deals = len(rows_of(record).deals)

        assert deals in (-1, len(record.deals))


def test_samples_have_what_is_to_be_proved() -> None:
    """Among them are choices, cancelled tricks, a kitty, faults, forced cards."""
    rows = [rows_of(sample(name)) for name in SAMPLES]
    turns = [turn for one in rows for turn in one.turns]
    deals = [deal for one in rows for deal in one.deals]
    plays = [turn for turn in turns if turn.kind == "play"]

    assert {"pass", "play", "moon", "sun"} == {turn.kind for turn in turns}
    assert {"bot", "substitute", "stand_in"} == {turn.source for turn in turns}
    assert {"moon", "sun", None} == {deal.shot for deal in deals}
    assert any(p.winner is None and p.taker is not None for p in plays)
    assert any(p.is_forced for p in plays)
    assert any(deal.kitty_taker is not None for deal in deals)
    assert any(2 in deal.queens for deal in deals)


class TestWhoseAnswer:
    """Faults, stand-ins, remarks and times belong to their turns."""

    def test_faults_and_stand_ins(self) -> None:
        """A faulty answer is a substitute; a stand-in plays from the third one on."""
        record = sample_record(7)
        (given_up,) = record.given_up
        turns = rows_of(record).turns
        faults = {(f.deal, f.trick, f.seat): f for f in record.faults}
        since = given_up.deal, given_up.trick

        assert {"bot", "substitute", "stand_in"} == {turn.source for turn in turns}
        for turn in turns:
            place = turn.deal, turn.trick, turn.seat
            fault = faults.get(place)
            is_stood_in = turn.seat == given_up.seat and place[:2] >= since
            expected = "stand_in" if is_stood_in else "bot"

            assert ("substitute" if fault else expected) == turn.source
            assert (fault.kind if fault else None) == turn.fault
            assert ((fault.reason or None) if fault else None) == turn.fault_reason

    def test_a_seat_that_never_started(self) -> None:
        """Its answers are the stand-in's, its faults of the kind `start` too."""
        absent = GivenUp(cause="start", deal=1, seat=3, trick=0)
        fault = Fault(deal=1, kind="start", offered="", reason="", seat=3, trick=0)
        record = replace(sample("arena_4"), given_up=(absent,), faults=(fault,))
        with pytest.raises(VerifyError):
            rows_of(record)  # Its points were those of a seat that plays.
        unscored = replace(record.deals[0], points=None, totals=None)
        turns = rows_of(replace(record, deals=(cut_short(unscored),))).turns

        assert {"stand_in"} == {turn.source for turn in turns if turn.seat == 3}
        assert {"bot"} == {turn.source for turn in turns if turn.seat != 3}
        assert ["start"] == [turn.fault for turn in turns if turn.fault]

    def test_times_and_remarks(self) -> None:
        """Times go by the order of the answers; what is missing is null."""
        record = sample("arena_4")
        timed = [(i, 1, 2, 3, 4, *([5] if i % 2 else [])) for i in range(9)]
        notes = tuple(
            Note(deal=2, seat=1, text=text, trick=4) for text in ("well", "well")
        )
        times = replace(record.times, turns=(tuple(timed),))
        turns = rows_of(replace(record, times=times, notes=notes)).turns
        found = [turn[-6:] for turn in turns]

        expected = [(*time, 0)[:6] for time in timed]
        assert expected + [(None,) * 6] * (len(found) - 9) == found
        assert [(2, 4, 1, "well\nwell")] == [
            (t.deal, t.trick, t.seat, t.note) for t in turns if t.note is not None
        ]


def cut_short(deal: DealRecord) -> DealRecord:
    """Return a deal that is broken off before its last card."""
    return replace(deal, plays=deal.plays[:-3], moon=None)


class TestGames:
    """The row of a game."""

    @every_sample
    def test_a_finished_game_is_what_counts(self, name: str) -> None:
        """Points, moons, queens and faults are those from which ratings come."""
        record = sample_record(**{"seed": 9, "target": 20, **SAMPLES[name]})
        (game,) = rows_of(record).games
        result = result_of(record)

        assert [seat.points for seat in result.seats] == game.points
        assert [seat.moons for seat in result.seats] == game.moons
        assert [seat.queens for seat in result.seats] == game.queens
        assert [seat.total for seat in result.seats] == list(game.totals or ())
        assert [seat.place for seat in result.seats] == list(game.places or ())
        assert [seat.entrant for seat in result.seats] == game.entrants
        assert len(result.faults) == sum(game.faults)
        assert {g.seat: g.cause for g in result.given_up} == {
            seat: cause for seat, cause in enumerate(game.given_up) if cause
        }
        assert (result.deals, result.record_hash) == (game.deals, game.record_hash)

    @every_sample
    def test_a_game_says_what_its_record_says(self, name: str) -> None:
        """Rules, seats, clock, seed's attempt and times are those of the record."""
        record = replace(sample(name), attempt=65_537, block=3)
        (game,) = rows_of(record).games
        control, rules = record.time_control, record.rules

        assert (record.league, record.game, 3, 65_537, record.hash) == game[:5]
        assert (rules.preset, rules.overrides, rules.hash, rules.players) == game[5:9]
        assert [(seat.bot, seat.version, seat.owner) for seat in record.seats] == (
            list(zip(game.entrants, game.versions, game.owners, strict=True))
        )
        assert (control.bank_ms, control.increment_ms, control.turn_limit_ms) == (
            game[-7:-4]
        )
        times = record.times
        assert (record.faults_max, record.stand_in, times.started, times.ended) == (
            game[-4:]
        )
        assert (record.open_deals, record.ending) == (game.open_deals, game.ending)

    @pytest.mark.parametrize("key", ["places", "totals", "ending"])
    def test_a_wrong_end_is_refused(self, key: str) -> None:
        """How the game ended is compared with how it was played."""
        record = sample_record(9, target=20)
        wrong = {"places": (1, 1, 1, 1), "totals": (0, 0, 0, 0), "ending": "max_deals"}
        changed: dict[str, Any] = {key: wrong[key]}
        with pytest.raises(VerifyError, match=key):
            rows_of(replace(record, **changed))

    def test_an_unfinished_game_has_no_result(self) -> None:
        """What is not known yet is null, and the open deal has no points."""
        rows = rows_of(sample_record(9, answers_max=30))
        (game,), (deal,) = rows.games, rows.deals
        plays = [turn for turn in rows.turns if turn.kind == "play"]

        assert (None, None, None) == (game.ending, game.totals, game.places)
        assert (None, None, None) == (deal.points, deal.totals, deal.shot)
        assert 30 == len(rows.turns) == deal.turns
        assert (None, None, None) == (
            plays[-1].trick_points,
            plays[-1].winner,
            plays[-1].taker,
        )

    @pytest.mark.parametrize("count", [0, 1, 3])
    def test_an_unfinished_pass(self, count: int) -> None:
        """Who has not passed yet has no row, and nobody has received anything."""
        rows = rows_of(sample_record(9, answers_max=count))
        (deal,) = rows.deals

        assert count == len(rows.turns)
        assert 4 - count == list(deal.passed or ()).count(None)
        assert (None, None) == (deal.received, deal.leader)
