"""Versions of bots: which are seated, and how each is rated by itself."""

import json
from dataclasses import replace

import pytest

from arena.host import Host
from arena.introduction import Introduction
from arena.news import StatusNews
from arena.presence import Presence
from arena.record import GivenUp, Record
from arena.rules import preset
from arena.spec import GameSpec, SeatSpec
from arena.substitution import substitute
from leagues.admission import Admission, Played
from leagues.families import Member, families
from leagues.reports.source import source_of
from leagues.reports.standings import FORMATS, full_form
from leagues.results import GameResult
from leagues.standings import LeagueFacts, Standings, standings_of
from leagues.versions import Versions
from tests.league_games import played
from tests.sample_results import game_result

RULES = preset("arena")
OTHERS = ("bob", "cat", "dot")
FACTS = LeagueFacts(
    name="demo",
    state="running",
    entrants=("ada", *OTHERS, "eve"),
    players=4,
    tricks=13,
    has_moon=True,
    has_queen=True,
    rules="arena",
    rules_hash="ab" * 32,
    games_planned=20,
    commitment="cd" * 32,
    practice_seed=None,
    versions=Versions.LATEST,
)


def game(number: int, version: str, *, ahead: bool = True) -> GameResult:
    """A game in which `ada` plays in some version, first or last."""
    places = {"bob": 2, "cat": 3, "dot": 4} if ahead else {"bob": 1, "cat": 2, "dot": 3}
    placing = [("ada", 1 if ahead else 4), *places.items()]
    result = game_result(number, placing[number % 4 :] + placing[: number % 4])
    return replace(
        result,
        seats=tuple(
            replace(seat, version=version if seat.entrant == "ada" else "1")
            for seat in result.seats
        ),
    )


def without_ada(result: GameResult) -> GameResult:
    """The game with nobody in `ada`'s seat from the first card on."""
    seat = [one.entrant for one in result.seats].index("ada")
    item = GivenUp(cause="start", deal=1, seat=seat, trick=0)
    return replace(result, given_up=(item,))


def played_by(version: str, *, more: int = 20) -> list[GameResult]:
    """Twenty games of version 1, of which it loses some, and some of another."""
    games = [game(number, "1", ahead=number % 3 == 0) for number in range(1, 21)]
    return games + [game(20 + n, version, ahead=n % 3 > 0) for n in range(1, more + 1)]


# What is rated


def test_a_bot_of_one_version_keeps_its_name() -> None:
    """Nothing is called name@version where there is nothing to tell apart."""
    games = [game(1, "7"), game(2, "7")]
    found = families(games, Versions.ALL)

    assert tuple(games) == found.games
    assert Member("ada", "7") == found.members["ada"]
    assert {"ada", *OTHERS} == set(found.members)


@pytest.mark.parametrize("versions", list(Versions))
def test_each_version_is_rated_by_itself(versions: Versions) -> None:
    """Of several each has its name, and that of the last game is the newest."""
    found = families([game(3, "2"), game(1, "1"), game(2, "1.1")], versions)
    names = [[seat.entrant for seat in game.seats] for game in found.games]
    ada = [next(name for name in seats if "ada" in name) for seats in names]

    assert ["ada@1", "ada@1.1", "ada@2"] == ada
    assert "ada@2" == found.newest("ada")
    assert ["ada@2", *OTHERS] == sorted(
        name for name, member in found.members.items() if member.is_newest
    )


def test_an_older_league_rates_a_bot_as_one() -> None:
    """Without a choice all versions of a bot are one entrant."""
    games = (game(1, "1"), game(2, "2"))
    found = families(games, None)

    assert games == found.games
    assert Member("ada", "") == found.members["ada"]


def test_a_seat_that_nobody_took_is_no_version() -> None:
    """It is a game of the version that played before, whatever the record says."""
    games = [game(1, "2"), without_ada(game(2, "1")), game(3, "3")]
    found = families(games, Versions.ALL)
    alone = families([without_ada(game(1, "1"))], Versions.ALL)

    assert {"ada@2", "ada@3"} == {name for name in found.members if "@" in name}
    assert "ada@2" in {seat.entrant for seat in found.games[1].seats}
    assert "ada" in alone.members


def test_the_order_of_results_does_not_matter() -> None:
    """Which version is the newest follows from the numbers of games."""
    games = played_by("2")

    assert families(games, Versions.ALL) == families(games[::-1], Versions.ALL)


# Standings


def made(versions: Versions | None = Versions.LATEST, **options: int) -> Standings:
    """Standings of forty games, in which `ada` has got better."""
    return standings_of(replace(FACTS, versions=versions), played_by("2", **options))


def test_the_short_form_shows_the_newest_version() -> None:
    """Its ranks and LOS are those among what it shows, and nothing else differs."""
    standings = made()
    whole = {row.entrant: row for row in standings.rows}
    short = {row.entrant: row for row in standings.short}

    assert whole.keys() - short.keys() == {"ada@1"}
    assert [(row.rank, row.los) for row in standings.short] == [
        (row.rank, row.los) for row in standings_of(FACTS, played_by("2")).short
    ]
    assert [1, 2, 3, 4, 5] == [row.rank for row in standings.short]
    assert 5 == whole["dot"].rank == short["dot"].rank + 1
    for name, row in short.items():
        assert replace(whole[name], rank=0, los=None) == replace(row, rank=0, los=None)


@pytest.mark.parametrize("versions", [Versions.FROZEN, Versions.ALL])
def test_other_leagues_show_every_version(versions: Versions) -> None:
    """What has played is told; only `latest` has a shorter form."""
    standings = made(versions)

    assert standings.rows == standings.short
    assert {"ada@1", "ada@2", *OTHERS, "eve"} == {r.entrant for r in standings.rows}


def test_texts_are_short_and_files_are_whole() -> None:
    """People see the newest versions and which are left out, programs all of them."""
    standings = made()
    text, whole = FORMATS["text"](standings), FORMATS["text"](full_form(standings))
    rows = json.loads(FORMATS["json"](standings))["standings"]
    table = FORMATS["csv"](standings).splitlines()

    assert "ada@2 " in text
    assert "Older versions, left out above (--full shows them): ada@1\n" in text
    assert "left out" not in whole
    assert [("ada", "2", True), ("ada", "1", False)] == [
        (row["bot"], row["version"], row["newest"])
        for row in rows
        if row["bot"] == "ada"
    ]
    assert 7 == len(table)
    assert "given_up,bot,version,newest,records_digest" in table[0]
    assert "ada@2" in FORMATS["md"](standings)
    assert "| ada@1 |" not in FORMATS["md"](standings)


def test_the_anchor_is_its_newest_version() -> None:
    """One version of the anchor is 1500; the others are rated like everybody."""
    facts = replace(FACTS, anchor="ada")
    elo = {row.entrant: row.elo for row in standings_of(facts, played_by("2")).rows}
    source = source_of(facts, played_by("2"))

    assert 1500.0 == elo["ada@2"] != elo["ada@1"]
    assert "ada@2" == source.ratings.anchor
    assert {"ada@1", "ada@2", *OTHERS} == set(source.ranked)


# Which sessions are seated


def presence(*versions: str) -> Presence:
    """A bot with a session of each of these versions, in the order of coming."""
    sessions = tuple(Introduction("ada", version=version) for version in versions)
    each = {s.version: Presence(1, 8, 0, (s,)) for s in sessions}
    return Presence(
        len(sessions), 8, 0, sessions, by_version=each if len(sessions) > 1 else {}
    )


def seated(admission: Admission, *versions: str) -> tuple[str, ...]:
    """The versions of `ada` that may be seated of those that are there."""
    found = admission.admitted({"ada": presence(*versions)})
    return found["ada"].versions if "ada" in found else ()


def begin(admission: Admission, *versions: str) -> dict[str, str]:
    """Begin a game while these versions are there."""
    return admission.begin(["ada"], {"ada": presence(*versions)}, given_up=())


def finished(version: str) -> Record:
    """The record of a game of `ada` in a version."""
    spec = GameSpec(
        "demo-1",
        RULES,
        tuple(SeatSpec(bot, version) for bot in ("ada", *OTHERS)),
        bytes(32),
    )
    return played(spec)


def test_a_frozen_league_takes_the_version_of_the_first_game() -> None:
    """Whoever came first begins it, and from then on no other version is seated."""
    busy: dict[str, int] = {}
    admission = Admission(Versions.FROZEN, RULES, busy=busy)

    assert ("1",) == seated(admission, "1", "2")
    assert {"ada": "1"} == begin(admission, "1", "2")
    busy["ada"] = 1
    assert () == seated(admission, "2")
    admission.settle(finished("1"))
    busy["ada"] = 0
    assert () == seated(admission, "2")
    assert ("1",) == seated(admission, "2", "1")


def test_a_first_game_that_is_void_freezes_nothing() -> None:
    """While it runs no other version may be seated; then it is open again."""
    busy = {"ada": 1}
    admission = Admission(Versions.FROZEN, RULES, busy=busy)
    begin(admission, "1")

    assert () == seated(admission, "2")
    busy["ada"] = 0
    assert ("2",) == seated(admission, "2")


def test_the_latest_version_is_that_which_came_last() -> None:
    """Of several that are there the last one plays, alone any of them may."""
    admission = Admission(Versions.LATEST, RULES, busy={})

    assert ("2",) == seated(admission, "1", "2")
    assert {"ada": "2"} == begin(admission, "1", "2")
    assert ("1",) == seated(admission, "1")


@pytest.mark.parametrize("versions", [Versions.ALL, None])
def test_elsewhere_every_version_is_seated(versions: Versions | None) -> None:
    """No seat is for one version only."""
    admission = Admission(versions, RULES, busy={})

    assert ("1", "2") == seated(admission, "1", "2")
    assert {} == begin(admission, "1", "2")
    assert [] == admission.strangers({"ada": presence("1", "2")})


@pytest.mark.parametrize(
    ("versions", "expected"), [(Versions.FROZEN, "1"), (Versions.ALL, "2")]
)
def test_a_seat_that_is_given_up_has_the_version_that_played(
    versions: Versions, expected: str
) -> None:
    """The record does not make up a version that nobody has."""
    admission = Admission(versions, RULES, busy={})
    admission.know({"ada": Played("1", "2")})

    assert {"ada": expected} == admission.begin(["ada", "bob"], {}, given_up={"ada"})


def test_only_a_session_of_the_version_takes_a_seat_for_it() -> None:
    """The arena seats no other session, and says which version is not there."""
    host = Host({"careful-1": substitute})
    for bot in OTHERS:
        host.connect(Introduction(bot, max_games=2), now=0.0)
    host.connect(Introduction("ada", version="2", max_games=9), now=0.0)

    def start(name: str) -> None:
        seats = (SeatSpec("ada", "1", is_pinned=True), *map(SeatSpec, OTHERS))
        host.start_game(GameSpec(name, RULES, seats, bytes(32)), now=1.0)

    start("g-1")
    (table,) = host.take_finished()
    host.connect(Introduction("ada", version="1"), now=0.0)
    start("g-2")
    moves = {move.bot: move.league for move in host.take_moves()}

    assert "version 1 of ada is not connected or has no free place" == table.void_reason
    assert "1" == host.tables["g-2"].table.spec.seats[0].version
    here = moves["ada"]
    assert here is not None
    assert [(9, 0), (1, 1)] == [
        (one.max_games, one.open_games)
        for version in ("2", "1")
        if (one := here.of_version(version))
    ]


def test_one_version_of_a_bot_is_told_alone() -> None:
    """The other sessions of the bot do not hear of it."""
    host = Host({})
    first = host.connect(Introduction("ada", version="1"), now=0.0)
    second = host.connect(Introduction("ada", version="2"), now=0.0)
    host.tell("ada", "you are not seated", (), version="2")
    news = []
    for session in (first, second):
        frame = host.take(session, now=1.0)
        news.append(frame and [n.message for n in frame.news if type(n) is StatusNews])

    assert ["you are not seated"] == news[1]
    assert news[0] in (None, [])
