"""The two bots of a match: what the command line may say, and what it makes of it."""

from pathlib import Path

import pytest

from arena.arrangements import arrangements
from arena.rules import RuleSet, preset
from arena.terminal import CommandError
from leagues.blocks import ARRANGE
from leagues.commands.match_sides import read_sides
from leagues.config import LeagueConfig
from leagues.entrants import EntrantKind, Sandboxing
from leagues.match import Claims, Match
from leagues.match_config import Side, blocks_for, match_config
from leagues.normal_form import changes, normalised
from leagues.storage.league import League
from leagues.storage.store import LeagueChanged, Store

HOUSES = ("careful", "lowest", "random")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two versions of a bot."""
    for name in ("mybot.py", "old/mybot.py"):
        (tmp_path / "bots" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "bots" / name).write_text(f"# {name}\n")
    return tmp_path / "bots"


def read(folder: Path, a: str, b: str, *, is_stdio: bool = False) -> tuple[Side, Side]:
    """Read two bots in a folder."""
    return read_sides(
        (a, b), houses=HOUSES, is_stdio=is_stdio, data=folder / "data", folder=folder
    )


def house_match(**options: object) -> LeagueConfig:
    """A match of two house bots."""
    given: dict[str, object] = {"rules": RuleSet(), "blocks": 10, **options}
    sides = (Side("careful", house="careful"), Side("fox", house="lowest"))
    return match_config("careful-fox", sides, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("a", "b", "names"),
    [
        ("careful", "random", ("careful", "random")),
        ("careful", "careful", ("careful-A", "careful-B")),
        ("one=careful", "careful", ("one", "careful")),
        ("careful=lowest", "careful", ("careful", "careful-B")),
        ("python mybot.py", "careful", ("mybot", "careful")),
        ("python mybot.py", "python old/mybot.py", ("mybot-A", "mybot-B")),
        ("new=python mybot.py", "old=python old/mybot.py", ("new", "old")),
        ("python -m mybot", "careful", ("bot", "careful")),
        ("python 'my bot.py'", "random", ("bot", "random")),
    ],
)
def test_bots_have_names_that_differ(
    folder: Path, a: str, b: str, names: tuple[str, str]
) -> None:
    """A house bot brings its name, a command that of its file, and `=` gives one."""
    assert names == tuple(side.name for side in read(folder, a, b))


def test_a_command_is_split_as_a_shell_does(folder: Path) -> None:
    """It runs in a sandbox, in each of as many entrants as it may have seats."""
    one, _ = read(folder, "python mybot.py --level '3 a'", "careful", is_stdio=True)
    entrants = [*one.entrants(seats=5)]

    assert ("python", "mybot.py", "--level", "3 a") == one.command
    assert ["mybot-1", "mybot-2", "mybot-3"] == [each.name for each in entrants]
    assert {(EntrantKind.COMMAND, Sandboxing.BWRAP, "stdio")} == {
        (each.kind, each.sandbox, each.protocol) for each in entrants
    }


def test_the_state_of_a_program_is_that_of_its_files(folder: Path) -> None:
    """Changed files are another program; what is elsewhere can be read there."""
    before = [side.program for side in read(folder, "python mybot.py", "careful")]
    other = folder.parent / "elsewhere" / "fox.py"
    other.parent.mkdir()
    other.write_text("# fox\n")
    same, fox = read(folder, "python mybot.py", f"python {other}")
    (folder / "mybot.py").write_text("# better\n")
    after, _ = read(folder, "python mybot.py", "careful")
    otherwise, _ = read(folder, "python mybot.py --fast", "careful")

    assert [same.program, ""] == before
    assert 3 == len({same.program, after.program, otherwise.program})
    assert ((), (str(other.parent),)) == (same.readable, fox.readable)


@pytest.mark.parametrize(
    ("a", "b", "problem"),
    [
        ("carefull", "random", "neither a house bot nor a command"),
        ("carefull", "random", "did you mean 'careful'?"),
        ("mybot.py", "random", "is not executable"),
        ("x=", "random", "the command is empty"),
        ("python 'mybot.py", "random", "No closing quotation"),
        ("fox=careful", "fox=random", "both bots are called fox; give one"),
        ("fox=careful", "FOX=random", "fox and FOX differ in upper and lower case"),
        ("ä=careful", "random", "'ä' is no name; expected 1 to 28 of the letters a-z"),
        ("a b=python mybot.py", "random", "'a b' is no name; expected 1 to 28"),
        ("=careful", "random", "'=careful': there is no name before the `=`; expected"),
        ("ä=carefull", "random", "neither a house bot nor a command"),
        ("ä='", "random", "No closing quotation"),
        (29 * "a" + "=careful", "random", "expected up to 28 characters"),
    ],
)
def test_what_is_no_bot_is_refused(folder: Path, a: str, b: str, problem: str) -> None:
    """With what was given, and what to give instead."""
    with pytest.raises(CommandError) as caught:
        read(folder, a, b)

    assert problem in str(caught.value)


def test_the_league_of_a_match() -> None:
    """Two entrants a side share the deals of whole blocks."""
    claims = Claims(0, 0.1)
    config = house_match(claims=claims, practice_seed="7")

    assert (60, ARRANGE, "7") == (config.games, config.luck, config.practice_seed)
    assert ["careful-1", "careful-2", "fox-1", "fox-2"] == [
        entrant.name for entrant in config.entrants
    ]
    assert Match(("careful", "fox"), claims) == config.match


@pytest.mark.parametrize(
    ("claims", "blocks"),
    [
        (None, 100),
        (Claims(0, 0.1), 4400),
        (Claims(0, 0.5), 180),
        (Claims(-0.1, 0.1), 1100),
        (Claims(0, 3), 100),
        (Claims(0, 0.001), 20_000),
    ],
)
def test_a_test_has_patience(claims: Claims | None, blocks: int) -> None:
    """It may take four times as many blocks as a fixed number that errs as seldom."""
    assert blocks == blocks_for(claims)


def test_tables_that_are_too_large_are_refused() -> None:
    """More than eight seats have too many arrangements."""
    rules = preset("cancellation", players=9, packs="2", removed="2C 2D 2D 3C 3C")

    with pytest.raises(ValueError, match="for tables of up to 8 seats, not 9"):
        house_match(rules=rules)
    with pytest.raises(ValueError, match="12,000,000 games, above 10,000,000"):
        house_match(blocks=2_000_000)


def stored(folder: Path, config: LeagueConfig) -> League:
    """The match as a store gives it back."""
    with Store.open(folder, command="a test") as store:
        return store.open_league(config)


def test_a_match_is_stored_whole(tmp_path: Path) -> None:
    """Its league knows sides, claims and blocks, and seats them in arrangements."""
    config = house_match(claims=Claims(0, 0.1))
    league = stored(tmp_path, config)
    sides = [tuple(entrant // 2 for entrant in game) for game in league.seatings]

    assert config.match == league.match == league.facts().match
    assert 10 * [*arrangements(4)] == sides
    assert (6, 10) == (league.blocks.size, league.facts().blocks_planned)


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"claims": Claims(0, 0.2)}, "match.claims.d1"),
        ({"claims": None}, "match.claims"),
        ({"blocks": 20}, "games"),
    ],
)
def test_a_match_goes_on_only_as_it_was(
    tmp_path: Path, options: dict[str, object], key: str
) -> None:
    """Who could change claims or length half-way would choose the result."""
    options = {"claims": Claims(0, 0.1), **options}
    stored(tmp_path, house_match(claims=Claims(0, 0.1)))

    with pytest.raises(LeagueChanged) as caught:
        stored(tmp_path, house_match(**options))
    assert key in str(caught.value)


def test_other_programs_are_another_match() -> None:
    """The hash of their files is part of the form."""
    sides = (Side("one", command=("x",), program="ab"), Side("two", house="careful"))
    changed = (Side("one", command=("x",), program="cd"), Side("two", house="careful"))
    forms = [
        normalised(match_config("m", each, rules=RuleSet(), blocks=1))
        for each in (sides, changed)
    ]

    assert [("match.programs", False)] == [
        (change.key, change.is_allowed) for change in changes(*forms)
    ]
