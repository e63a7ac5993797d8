"""Entrants that join by the file, that withdraw and that come back, in the store."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from hashlib import sha256

import pytest

from leagues.appeals import AppealError
from leagues.audit import Action, first_fault
from leagues.normal_form import normalised
from leagues.storage import schema
from leagues.storage.audited import decide
from leagues.storage.roster import committed_plans
from leagues.storage.store import LeagueChanged, Store, StoreError
from tests.league_appeals import entry, play, void
from tests.league_games import league_spec, played
from tests.league_rosters import league, seated, with_more, withdraw


def texts(store: Store) -> list[str]:
    """The audit log without what differs from run to run."""
    return [
        f"{one.action} {one.entrant}: {one.reason}" for one in store.decisions("demo")
    ]


def test_who_joins_comes_last_and_is_seated_in_what_is_left(store: Store) -> None:
    """Finished games and numbers stay, whatever the order in the file."""
    config = league()
    before = store.open_league(config)
    play(store, config, *range(1, 11))
    after = store.open_league(with_more(config, "random"))

    assert (*before.entrants, "random") == after.entrants
    assert before.seatings[:10] == after.seatings[:10]
    assert 20 == len(after.seatings)
    assert 8 <= seated(after, range(11, 21))["random"]
    assert before.secret == after.secret
    assert [
        "join random: added to the league file",
        "plan : random joined; 10 of 20 games are seated anew",
    ] == texts(store)
    # What was published before the first game stays published.
    assert before.commitment == after.commitment


def test_the_same_file_again_changes_nothing(store: Store) -> None:
    """Whoever has joined stands in the form, so that it joins once."""
    config = league()
    store.open_league(config)
    play(store, config, 1, 2)
    first = store.open_league(with_more(config, "random"))
    again = store.open_league(with_more(config, "random"))
    moved = replace(config, entrants=with_more(config, "random").entrants[::-1])

    assert first == again == store.open_league(moved)
    assert 2 == len(store.decisions("demo"))


def test_stored_entrants_are_numbered_in_the_order_of_the_schedule(
    store: Store,
) -> None:
    """The table of entrants follows the roster."""
    config = league()
    store.open_league(config)
    known = store.open_league(with_more(config, "random", "shooter"))
    table = schema.entrants
    with store.database.read() as connection:
        rows = connection.execute(
            table.select().with_only_columns(table.c.name).order_by(table.c.number)
        ).scalars()
        assert known.entrants == tuple(rows)


def test_all_else_is_still_refused(store: Store) -> None:
    """With a newcomer, too, rules and clocks and who is there already stay."""
    config = league()
    known = store.open_league(config)
    gone = with_more(config, "random")
    gone = replace(gone, entrants=tuple(e for e in gone.entrants if e.name != "fox"))
    for other, why in (
        (replace(with_more(config, "random"), faults_max=9), "faults_max: 3 -> 9 "),
        (replace(with_more(config, "random"), games=24), "games: 20 -> 24 "),
        (gone, "entrant fox: house -> nothing .*arena league withdraw"),
    ):
        with pytest.raises(LeagueChanged, match=why):
            store.open_league(other)
        assert (known.form, ()) == (store.league("demo").form, store.decisions("demo"))


@pytest.mark.parametrize("seed", [None, "1"])
def test_nobody_joins_a_finished_league(store: Store, seed: str | None) -> None:
    """Its secret is published, or it has no game left to play."""
    config = league(4, seed=seed)
    store.open_league(config)
    play(store, config, *range(1, 5))
    store.stop_run("demo")
    with pytest.raises(LeagueChanged, match=r"random.*\(refused: the league is fini"):
        store.open_league(with_more(config, "random"))
    if seed:
        longer = store.open_league(replace(with_more(config, "random"), games=12))
        assert 8 == seated(longer, range(5, 13))["random"]


def test_a_withdrawal_takes_nothing_away(store: Store) -> None:
    """What is finished counts, and what is left is played by the others."""
    config = league(entrants=6)
    before = store.open_league(config)
    play(store, config, *range(1, 11))
    withdraw(store, "fox")
    assert before.seatings == store.league("demo").seatings
    assert [] == [n for n in store.missing_games("demo") if "fox" in before.seats(n)]
    after = store.open_league(config)

    assert before.seatings[:10] == after.seatings[:10]
    assert 0 == seated(after, range(11, 21))["fox"]
    assert [*range(11, 21)] == store.missing_games("demo")
    assert 10 == store.standings("demo").games_counted
    games = seated(after, range(1, 21))
    stayed = [games[name] for name in after.entrants if name != "fox"]
    assert max(stayed) - min(stayed) <= 1


def test_whoever_is_reinstated_catches_up(store: Store) -> None:
    """Without a way back other than the same log, it plays again."""
    config = league(60, entrants=6)
    store.open_league(config)
    play(store, config, *range(1, 11))
    withdraw(store, "fox")
    play(store, config, *range(11, 31))
    store.open_league(config)
    decide(store, "demo", entry(Action.REINSTATE, entrant="fox"))
    after = store.open_league(config)
    games = seated(after, range(1, 61))

    assert max(games.values()) - min(games.values()) <= 2
    assert "plan : fox came back; 30 of 60 games are seated anew" == texts(store)[-1]


def test_a_withdrawal_without_games_to_come_plans_nothing(store: Store) -> None:
    """Nothing is written that would change nothing."""
    config = league(4, entrants=6)
    known = store.open_league(config)
    bot = known.seats(1)[0]
    own = [n for n in range(1, 5) if bot in known.seats(n)]
    play(store, config, *own)
    withdraw(store, bot)

    assert known.seatings == store.open_league(config).seatings
    assert ["withdraw"] == [one.action.value for one in store.decisions("demo")]


def test_what_excluded_entrants_played_is_caught_up_with(store: Store) -> None:
    """Counts are of games that count, and nobody plans for who is excluded."""
    config = league(60, entrants=6)
    store.open_league(config)
    play(store, config, *range(1, 31))
    decide(store, "demo", entry(Action.EXCLUDE, entrant="dares"))
    after = store.open_league(with_more(config, "shooter"))
    counted: Counter[str] = Counter()
    for number in range(1, 61):
        if "dares" not in after.seats(number):
            counted.update(after.seats(number))

    assert 0 == seated(after, range(31, 61))["dares"]
    assert max(counted.values()) - min(counted.values()) <= 3
    decide(store, "demo", entry(Action.REINSTATE, entrant="dares"))
    again = store.open_league(with_more(config, "shooter"))
    assert 0 < seated(again, range(31, 61))["dares"]


def test_void_games_that_are_not_played_again_keep_their_seats(store: Store) -> None:
    """They are over, like finished ones; those that are played again are planned."""
    config = league(entrants=6)
    known = store.open_league(config)
    play(store, config, *range(1, 11))
    fox = [n for n in range(1, 11) if "fox" in known.seats(n)]
    decide(store, "demo", void(fox[0], is_replayed=False))
    decide(store, "demo", void(fox[1]))
    withdraw(store, "fox")
    after = store.open_league(config)

    assert known.seats(fox[0]) == after.seats(fox[0])
    assert "fox" not in after.seats(fox[1])
    assert fox[1] in store.missing_games("demo")


def test_begun_blocks_are_played_to_their_end(store: Store) -> None:
    """A rotated block with a finished game keeps who has withdrawn; no other does."""
    config = league(80, entrants=6, luck="rotate")
    known = store.open_league(config)
    own = [b for b in range(1, 21) if "fox" in known.seats(4 * b)]
    play(store, config, 4 * own[0] - 3, *known.blocks.games(own[1]))
    withdraw(store, "fox")
    after = store.open_league(config)
    left = [n for n in store.missing_games("demo") if "fox" in after.seats(n)]

    assert [*known.blocks.games(own[0])][1:] == left
    for number in range(1, 81, 4):
        turned = [after.seatings[n - 1] for n in after.blocks.games(number // 4 + 1)]
        assert 4 == len({seats[0] for seats in turned})
        assert 1 == len({frozenset(seats) for seats in turned})


def test_every_commitment_can_be_worked_out(store: Store) -> None:
    """Each plan that a league has had is kept, and its commitment is in the log."""
    config = league(entrants=5)
    store.open_league(config)
    play(store, config, 1, 2)
    store.open_league(with_more(config, "random"))
    play(store, config, 3, 4)
    withdraw(store, "fox")
    known = store.open_league(with_more(config, "random"))
    with store.database.read() as connection:
        plans = committed_plans(connection, known)
    rules = known.values["rules"]
    for plan in plans:
        document = {
            "league": "demo",
            "roster": list(plan.roster),
            "rules": rules,
            "schedule": [list(seating) for seating in plan.seatings],
        }
        text = json.dumps(document, sort_keys=True, separators=(",", ":"))
        start = b"hearts/1/commitment" + known.secret
        assert plan.commitment == sha256(start + text.encode()).digest()

    assert [0, 2, 4] == [plan.entry for plan in plans]
    assert [5, 6, 6] == [len(plan.roster) for plan in plans]
    marks = [one.commitment for one in store.decisions("demo") if one.commitment]
    assert marks == [plan.commitment.hex() for plan in plans[1:]]
    assert first_fault("demo", store.decisions("demo")) is None


def test_former_plans_are_never_changed(store: Store) -> None:
    """Whoever opens the file itself can't remove what a commitment stands for."""
    config = league()
    store.open_league(config)
    play(store, config, 1)
    store.open_league(with_more(config, "random"))
    for statement in ("UPDATE plans SET entry = 9", "DELETE FROM plans"):
        with (
            pytest.raises(StoreError, match="never changed or removed"),
            store.database.write() as connection,
        ):
            connection.exec_driver_sql(statement)


def test_a_store_of_the_version_before_gets_plans(store: Store) -> None:
    """Its audit log stays as it is, entry for entry, and can be added to."""
    config = league(entrants=6)
    store.open_league(config)
    play(store, config, 1, 2)
    decide(store, "demo", void(1))
    log = store.decisions("demo")
    with store.database.write() as connection:
        schema.plans.drop(connection)
        connection.exec_driver_sql("ALTER TABLE audit DROP COLUMN commitment")
        connection.execute(schema.schema_version.update().values(version=3))
    store.close()
    with Store.open(store.directory, command="a test") as newer:
        assert log == newer.decisions("demo")
        withdraw(newer, "fox")
        newer.open_league(config)
        found = newer.decisions("demo")
        assert ["void", "withdraw", "plan"] == [one.action.value for one in found]
        assert first_fault("demo", found) is None


@pytest.mark.parametrize(
    ("before", "asked", "problem"),
    [
        ((), "nobody", "league demo has no entrant 'nobody'"),
        (("fox",), "fox", "fox has withdrawn from league demo already: its owner left"),
        (
            ("fox", "dares"),
            "lowest",
            "without lowest league demo could play no more games: 3 bots cannot fill "
            "4 seats (who is new in its file counts once the league has been run "
            "with it)",
        ),
    ],
)
def test_withdrawals_that_can_t_be_are_refused(
    store: Store, before: tuple[str, ...], asked: str, problem: str
) -> None:
    """Each with what stands against it."""
    store.open_league(league(entrants=6))
    withdraw(store, *before)
    with pytest.raises(AppealError) as caught:
        withdraw(store, asked)
    assert str(caught.value).startswith(problem)


def test_who_is_out_already_needs_no_withdrawal(store: Store) -> None:
    """An exclusion covers it, and a finished league has nothing to withdraw from."""
    config = league(4, entrants=6)
    store.open_league(config)
    decide(store, "demo", entry(Action.EXCLUDE, "a pair", entrant="fox"))
    with pytest.raises(AppealError, match=r"fox is excluded .*: a pair"):
        withdraw(store, "fox")
    decide(store, "demo", entry(Action.REINSTATE, entrant="fox"))
    play(store, config, 1)
    withdraw(store, "fox")
    store.open_league(config)
    play(store, config, 2, 3, 4)
    store.stop_run("demo")
    with pytest.raises(AppealError, match="is finished, so there is nothing to with"):
        withdraw(store, "dares")
    with pytest.raises(AppealError, match="can play no more in it; what it has played"):
        decide(store, "demo", entry(Action.REINSTATE, entrant="fox"))


def test_an_exclusion_after_a_withdrawal_is_undone_first(store: Store) -> None:
    """Step by step: results count again, and only then it plays again."""
    store.open_league(league(entrants=6))
    withdraw(store, "fox")
    decide(store, "demo", entry(Action.EXCLUDE, entrant="fox"))
    states = []
    for _ in range(2):
        decide(store, "demo", entry(Action.REINSTATE, entrant="fox"))
        appeals = store.agenda("demo").appeals
        states.append((set(appeals.excluded), set(appeals.withdrawn)))

    assert [(set(), {"fox"}), (set(), set())] == states


def test_who_leaves_too_few_is_excluded_once_the_league_is_ended(store: Store) -> None:
    """Else it would be finished at once, by a decision that can be taken back."""
    config = league(entrants=5)
    before = store.open_league(config)
    play(store, config, 1, 2)
    withdraw(store, "fox")
    with pytest.raises(ValueError, match="end it first"):
        decide(store, "demo", entry(Action.EXCLUDE, entrant="dares"))
    assert "stopped" == store.stop_run("demo").state
    decide(store, "demo", entry(Action.END))
    decide(store, "demo", entry(Action.EXCLUDE, entrant="dares"))

    assert before.seatings == store.open_league(config).seatings
    assert [] == store.missing_games("demo")
    assert "finished" == store.stop_run("demo").state


def test_a_league_is_not_over_while_games_can_be_planned_anew(store: Store) -> None:
    """A withdrawal as a run ends leaves the games to the next one."""
    config = league(entrants=6)
    known = store.open_league(config)
    play(store, config, *(n for n in range(1, 21) if "fox" not in known.seats(n)))
    withdraw(store, "fox")

    assert [] == store.missing_games("demo")
    assert "stopped" == store.stop_run("demo").state
    store.open_league(config)
    assert [] != store.missing_games("demo")


def test_a_record_of_a_game_that_was_seated_anew_is_refused(store: Store) -> None:
    """What was played as it had been planned before is no game of the league."""
    config = league(entrants=6)
    before = store.open_league(config)
    numbers = [n for n in range(1, 21) if "fox" in before.seats(n)]
    record = played(league_spec(config, before, numbers[0]))
    withdraw(store, "fox")
    store.open_league(config)
    with pytest.raises(ValueError, match="expected"):
        store.finish_game("demo", record)


def test_the_form_is_that_of_a_file_in_the_order_of_numbers(store: Store) -> None:
    """So the same entrants in any order are the same league."""
    config = league()
    store.open_league(config)
    joined = store.open_league(with_more(config, "random"))
    last = replace(
        config, entrants=(*config.entrants, *with_more(config, "random").entrants[:1])
    )

    assert normalised(last) == joined.form
