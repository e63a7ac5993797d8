"""The running Elo that screens show, and that counts for nothing."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from leagues.audit import Action
from leagues.board import board
from leagues.commands.standings import live_elo
from leagues.rating.live import live_ratings
from leagues.reports.standings import FORMATS, as_text
from leagues.reports.standings_foot import foot_lines
from leagues.running_elo import GAMES_MAX, running_elo
from leagues.standings import standings_of
from leagues.storage.audited import decide
from leagues.storage.store import Store
from tests.command_line import Arena
from tests.league_appeals import config, entry, play
from tests.made_up_leagues import facts_of, made_up
from tests.sample_results import game_results

NOTE = "to look at only; it hangs on their order and counts for nothing"


def test_games_count_in_the_order_of_their_numbers() -> None:
    """Whichever game has ended first, the running Elo is the same."""
    results = made_up(1)
    games = [[(s.entrant, float(s.place)) for s in game.seats] for game in results]
    expected = live_ratings(games)
    found = running_elo(reversed(results), anchor=None)

    assert expected == found
    assert sum(found.values()) == pytest.approx(1500 * len(found))


def test_it_is_told_from_the_anchor_as_ratings_are() -> None:
    """The anchor has 1500, and all distances stay."""
    free, anchored = (running_elo(made_up(1), anchor=a) for a in (None, "careful"))

    assert 1500 == anchored["careful"]
    for name, rating in free.items():
        assert rating - free["careful"] == pytest.approx(anchored[name] - 1500)
    assert free == running_elo(made_up(1), anchor="nobody")


def test_only_the_last_games_count() -> None:
    """What was long ago is not gone through again and again."""
    early = game_results([[("a", 1), ("b", 2)]] * 3)
    late = game_results([[("a", 2), ("b", 1)]] * (GAMES_MAX + 3))
    last = running_elo(late[3:], anchor=None)

    assert last == running_elo([*early, *late[3:]], anchor=None)


def test_a_screen_says_what_it_is() -> None:
    """The column is in brackets, and a line below says that it counts for nothing."""
    games = made_up(1)
    standings = standings_of(
        facts_of(("ada", "bea", "careful", "dan", "eve", "flo")), games
    )
    live = running_elo(games, anchor="careful")
    text = as_text(standings, live=live)
    file = io.StringIO()
    shown = board(standings, width=160, live=live)
    Console(width=160, file=file).print(shown)

    for told in (text, file.getvalue()):
        assert "+/-  (Live)" in told
        assert NOTE in told
        for row in standings.rows:
            line = next(
                one for one in told.splitlines() if one.split()[1:2] == [row.entrant]
            )
            assert f" {live[row.entrant]:.0f} " in line
    assert all(
        "Live" not in write(standings) and NOTE not in write(standings)
        for write in FORMATS.values()
    )
    assert not any(NOTE in line for line in foot_lines(standings))


def test_a_host_may_look_at_it(arena: Arena, tmp_path: Path) -> None:
    """`--live` shows it beside the ratings, without games that do not count."""
    with Store.open(tmp_path, command="a test") as store:
        league = config(games=30)
        store.open_league(league)
        play(store, league, *range(1, 21))
        before = live_elo(store, store.standings("demo"))
        excluded = store.league("demo").entrants[-1]
        decide(store, "demo", entry(Action.EXCLUDE, entrant=excluded))
        after = live_elo(store, store.standings("demo"))
    plain = arena("league", "standings", "demo", "--data", tmp_path)
    live = arena("league", "standings", "demo", "--live", "--data", tmp_path)
    words = ("--live", "--format", "csv", "--data", tmp_path)
    refused = arena("league", "standings", "demo", *words)

    assert {excluded} == before.keys() - after.keys()
    assert "(Live)" in live.out
    assert NOTE in live.out
    assert "(Live)" not in plain.out
    assert (2, "") == (refused.code, refused.out)
    assert "--live is for screens only; leave out --format csv" in refused.error
