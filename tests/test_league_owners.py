"""Whose the bots are that dial in: the file says, else the one who added them."""

from dataclasses import replace

import pytest

from leagues.config import LeagueConfig, parse_league
from leagues.running.game_spec import game_spec
from leagues.storage.bots import add_bot, revoke_bot
from leagues.storage.league import League
from leagues.storage.league_owners import OwnerError
from leagues.storage.store import LeagueChanged, Store

DIAL_IN = ("ada", "bea", "cat", "dot")


def config(*, games: int = 24, mixed: bool = False, **owners: str) -> LeagueConfig:
    """An open league of four bots that dial in and four house bots."""
    lines = ["name = 'friday'", f"games = {games}", "practice_seed = 7"]
    lines += ["owners = 'mixed'"] if mixed else []
    for bot in DIAL_IN:
        lines += ["[[entrant]]", f"bot = '{bot}'"]
        lines += [f"owner = '{owners[bot]}'"] if bot in owners else []
    for house in ("careful", "ducker", "dodger", "lowest"):
        lines += ["[[entrant]]", f"house = '{house}'"]
    return parse_league("\n".join(lines), file="friday.toml")


def meetings(league: League, one: str, other: str) -> int:
    """Count the games in which two sit at one table."""
    games = range(1, len(league.seatings) + 1)
    return sum({one, other} <= set(league.seats(number)) for number in games)


def test_the_owner_is_the_one_who_added_the_bot(store: Store) -> None:
    """Bots of one owner never meet, and games are recorded as that owner's."""
    add_bot(store, "ada", owner="Uta")
    add_bot(store, "bea", owner="Uta")
    add_bot(store, "cat")
    file = config()
    league = store.open_league(file)
    number = next(n for n in range(1, 25) if "ada" in league.seats(n))
    spec = game_spec(file, league, number, attempt=0)

    assert 0 == meetings(league, "ada", "bea")
    assert 0 < meetings(league, "ada", "cat")
    assert ("Uta", "Uta", "", "") == tuple(league.owners[bot] for bot in DIAL_IN)
    assert {"ada": "Uta"} == {seat.bot: seat.owner for seat in spec.seats if seat.owner}


def test_the_file_may_say_the_same(store: Store) -> None:
    """Where both name an owner, and the same, all is well."""
    add_bot(store, "ada", owner="Uta")
    league = store.open_league(config(ada="Uta", cat="Eve"))

    assert ("Uta", "Eve") == (league.owners["ada"], league.owners["cat"])


def test_two_owners_of_one_bot_are_an_error(store: Store) -> None:
    """Which of the two is meant nobody can know; nothing is stored."""
    add_bot(store, "ada", owner="Uta")

    with pytest.raises(OwnerError) as caught:
        store.open_league(config(ada="Eve"))
    assert (
        "bot 'ada' is owned by 'Eve' in the league file, but its token was made for "
        "'Uta'; expected the same owner: change the file, or revoke the bot and add it "
        "again with the right --owner"
    ) == str(caught.value)
    assert [] == store.leagues()


def test_a_stored_league_keeps_its_owners(store: Store) -> None:
    """A token without an owner changes nothing, one of another owner is refused."""
    add_bot(store, "ada", owner="Uta")
    before = store.open_league(config())
    revoke_bot(store, "ada")
    add_bot(store, "ada")
    after = store.open_league(config())
    revoke_bot(store, "ada")
    add_bot(store, "ada", owner="Eve")

    assert before == after
    with pytest.raises(OwnerError, match="'Uta' in the league since it began, but its"):
        store.open_league(config())


def test_who_had_no_owner_may_get_one(store: Store) -> None:
    """What is planned stays planned; only what comes later keeps the bots apart."""
    before = store.open_league(config())
    add_bot(store, "ada", owner="Uta")
    add_bot(store, "bea", owner="Uta")
    after = store.open_league(config())
    longer = store.open_league(config(games=60))

    assert 0 < meetings(before, "ada", "bea")
    assert (before.seatings, before.commitment) == (after.seatings, after.commitment)
    assert ("Uta", "Uta") == (after.owners["ada"], after.owners["bea"])
    assert before.seatings == longer.seatings[:24]
    assert meetings(before, "ada", "bea") == meetings(longer, "ada", "bea")


def test_an_owner_who_is_named_does_not_change(store: Store) -> None:
    """The file can't hand a bot over to somebody else, nor to nobody."""
    store.open_league(config(cat="Eve"))

    with pytest.raises(LeagueChanged, match='owner: "Eve" -> "Uta"'):
        store.open_league(config(cat="Uta"))
    assert "Eve" == store.open_league(config()).owners["cat"]


def test_an_owner_of_too_many_bots_is_named(store: Store) -> None:
    """Three of eight bots at tables of four would have to meet, or play less."""
    for bot in ("ada", "bea", "cat"):
        add_bot(store, bot, owner="Uta")

    with pytest.raises(OwnerError) as caught:
        store.open_league(config())
    assert str(caught.value).startswith("league friday: owner 'Uta' has 3 of 8 bots")
    assert str(caught.value).endswith('; owners = "mixed" in its file lets them')
    assert 0 < meetings(store.open_league(config(mixed=True)), "ada", "bea")


def test_tokens_that_are_revoked_say_nothing(store: Store) -> None:
    """Whose a bot was does not matter once its token is worthless."""
    add_bot(store, "ada", owner="Uta")
    revoke_bot(store, "ada")

    assert "" == store.open_league(config()).owners["ada"]


def test_other_entrants_have_no_registration(store: Store) -> None:
    """A program that the arena starts is not the bot of this name that dials in."""
    add_bot(store, "fox", owner="Uta")
    file = config()
    program = replace(file.entrants[4], name="fox")
    league = store.open_league(
        replace(file, entrants=(*file.entrants[:4], program, *file.entrants[5:]))
    )

    assert "" == league.owners["fox"]
