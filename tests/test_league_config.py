"""League files: what they may say, and where an error stands."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.spec import TimeControl
from hearts.house import BOTS
from leagues.config import ConfigError, EntrantKind, LeagueConfig, parse_league
from leagues.normal_form import changes, normalised
from leagues.storage.league_file import read_league
from leagues.toml_source import key_lines
from tests.sources import ROOT

EXAMPLES = sorted((ROOT / "docs/leagues").glob("*.toml"))
HOUSES = ("careful", "ducker", "lowest", "random")

FOUR = """
name = "friday"
games = 12
practice_seed = "friday"

[[entrant]]
house = "careful"

[[entrant]]
name = "mine"
owner = "ann"
command = "python 'my bot.py' --fast"

[[entrant]]
bot = "remote-1"

[[entrant]]
name = "second"
house = "careful"
"""


def league(text: str = FOUR) -> LeagueConfig:
    """Read a text as the file friday.toml."""
    return parse_league(text, file="friday.toml", houses=HOUSES)


def refusal(text: str) -> str:
    """Return the text of the error that a file earns."""
    with pytest.raises(ConfigError) as caught:
        league(text)
    return str(caught.value)


def test_defaults_are_filled_in() -> None:
    """A short file says all that a league needs."""
    config = league()

    assert "friday" == config.name
    assert "arena" == config.rules.preset
    assert TimeControl() == config.time_control
    assert (3, "none", 64) == (config.faults_max, config.luck, config.tables_limit)
    assert config.is_open
    assert "careful" == config.anchor


def test_the_three_kinds_of_entrants() -> None:
    """Commands are split like in a shell; house bots and callers name themselves."""
    careful, mine, remote, second = league().entrants

    assert ("careful", EntrantKind.HOUSE) == (careful.name, careful.kind)
    assert ("python", "my bot.py", "--fast") == mine.command
    assert ("ann", "grpc", 3) == (mine.owner, mine.protocol, mine.max_restarts)
    assert ("remote-1", EntrantKind.BOT) == (remote.name, remote.kind)
    assert ("second", "careful") == (second.name, second.house)


def test_rules_may_be_a_table() -> None:
    """Options of the rules stand in their own table beside the preset."""
    text = FOUR + "\n[rules]\npreset = 'arena'\ntarget = 50\nmoon = 'choice'\n"

    assert {"target": "50", "moon": "choice"} == league(text).rules.overrides


def test_times_are_seconds() -> None:
    """The time control is written in seconds and kept in milliseconds."""
    text = FOUR + "[time]\nbank = 10\nincrement = 0.05\nturn_limit = 0\nstart = 5\n"
    config = league(text)

    assert TimeControl(10_000, 50, 0, 30_000) == config.time_control
    assert 5.0 == config.start_seconds


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("gamse = 3", "friday.toml:1: gamse: no such key; did you mean 'games'?"),
        ("games = 0", "friday.toml:1: games: 0 is not within 1 to 10000000"),
        ("games = true", "games: expected a whole number, found true or false"),
        ("games = 1.5", "games: expected a whole number, found a number"),
        ("luck = 'lots'", "friday.toml:1: luck: 'lots' is neither 'none' nor 'rotate'"),
        ("rules = 'arenaa'", "friday.toml:1: rules: 'arenaa' is not a preset"),
        ("rules = ['arena']", "rules: expected a table, [rules], found an array"),
        ("rules = {target = 0}", "1: rules.target: '0' is out of range"),
        ("rules = {taget = 9}", "rules.taget: no such option; did you mean 'target'?"),
        ("rules = {pack = 2}", "1: rules.pack: no such option; did you mean 'packs'?"),
        ("rules = {q = 2}", "rules.q: no such option; `arena rules show arena --o"),
        ("rules = 'party_'", "'party_' is not a preset; did you mean 'party'?"),
        ("rules = 'vegas'", "'vegas' is not a preset; `arena rules list` has all"),
        (
            "rules = {preset = 'party', players = 8}",
            "friday.toml:1: rules.players: '8' is not what the preset party is made",
        ),
        (
            "rules = {preset = 'party', removed = ['2H']}",
            "friday.toml:1: rules.removed: '2H' takes out 2H",
        ),
        ("time = 5", "friday.toml:1: time: expected a table, [time], found a whole"),
        (
            "time.bank = 'x'",
            "friday.toml:1: time.bank: expected a number, found a text",
        ),
        ("time.banks = 3", "time.banks: no such key; did you mean 'bank'?"),
        ("time.bank = -1", "time.bank: -1 is not within 0 to 86400"),
        (
            "time.turn_limit = 0.0004",
            "turn_limit: 0.0004 is less than a millisecond; expected 0.001 or more, or",
        ),
        (f"x = {'[' * 2000}", "friday.toml: tables or arrays are nested too deeply"),
        ("deadline_minutes = -1", "deadline_minutes: -1 is not within 0 to"),
        ("tables_max = 2030-01-01", "expected a whole number, found a date or time"),
        ("faults_max = 9999", "faults_max: 9999 is not within 0 to 1000"),
        ("practice_seed = ''", "practice_seed: expected 1 to 200 characters"),
        ("luck = ", "friday.toml:1: not TOML: Invalid value"),
        ("[entrant]", "friday.toml:1: entrant: expected tables, each headed [[entrant"),
    ],
)
def test_errors_of_the_league_name_line_and_key(line: str, error: str) -> None:
    """A wrong key is named with its line and with what was expected."""
    rest = FOUR.replace('practice_seed = "friday"', "").replace("games = 12", "")
    text = f"{line}\n" + ("name = 'x'" if line == "[entrant]" else rest)
    if line == "[entrant]":
        text = "name = 'x'\n[entrant]\n"
        error = error.replace(":1:", ":2:")

    assert error in refusal(text)


ROTATED = """
name = "turns"
luck = "rotate"
sandbox = "bwrap"

[[entrant]]
house = "careful"

[[entrant]]
house = "lowest"

[[entrant]]
house = "random"

[[entrant]]
name = "mine"
command = "python mine.py"
"""


def test_house_bots_and_sandboxed_programs_may_rotate() -> None:
    """Nobody in such a league can remember a deal, and its games are whole blocks."""
    config = league(ROTATED)

    assert ("rotate", 240) == (config.luck, config.games)


def test_the_default_of_games_is_a_whole_number_of_blocks() -> None:
    """Seven seats do not divide 240 games, so there are a few more."""
    rules = "[rules]\npreset = 'cancellation'\nplayers = 7"
    entrants = "".join(
        f"[[entrant]]\nhouse = 'random'\nname = 'r{n}'\n" for n in range(7)
    )
    text = f"name = 'x'\nluck = 'rotate'\n{entrants}{rules}"

    assert 245 == league(text).games


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (
            'sandbox = "bwrap"',
            "",
            "entrant #4.command: 'mine' runs without a sandbox, so it can keep notes: "
            "luck = 'rotate' plays the same deals in every rotation, and a bot that "
            'remembers them knows all hands; set sandbox = "bwrap" for it, or set luck '
            '= "none"',
        ),
        (
            'house = "lowest"',
            'bot = "ada"',
            "entrant #2.bot: 'ada' dials in, so nobody can make it forget: luck = "
            "'rotate' plays the same deals in every rotation, and a bot that remembers "
            "them knows all hands; give its program as a command with sandbox = "
            '"bwrap", or set luck = "none"',
        ),
        (
            'luck = "rotate"',
            'luck = "rotate"\ngames = 250',
            "turns.toml:4: games: 250 games are no whole number of blocks: luck = "
            "'rotate' plays each seating in 4 rotations; expected 248 or 252",
        ),
        ('luck = "rotate"', 'luck = "rotate"\ngames = 3', "4 rotations; expected 4"),
    ],
)
def test_rotation_is_refused_with_what_to_do(old: str, new: str, error: str) -> None:
    """Whoever could remember a deal is named, and so are numbers that fit."""
    with pytest.raises(ConfigError) as caught:
        parse_league(ROTATED.replace(old, new), file="turns.toml", houses=HOUSES)

    assert error in str(caught.value)


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (
            "house = 'carefull'",
            "21: entrant #5.house: 'carefull' is no house bot; did y",
        ),
        ("house = 'q'", "expected careful, ducker, lowest, random"),
        (
            "hose = 'careful'",
            ":21: entrant #5.hose: no such key; did you mean 'house'?",
        ),
        (
            "name = 'x'",
            ":20: entrant #5: expected one of command, house, bot; found no",
        ),
        ("house = 'ducker'\nbot = 'a'", ":22: entrant #5.bot: expected one of command"),
        ("command = 'x'", "friday.toml:20: entrant #5: name is missing"),
        (
            "name = 'x'\ncommand = ''",
            "friday.toml:22: entrant #5.command: expected 1 to 10000 characters",
        ),
        (
            f"name = 'x'\ncommand = ['x', '{'é' * 60_000}']",
            "friday.toml:22: entrant #5.command: expected at most 100,000 bytes in all",
        ),
        ('name = "x"\ncommand = ["x", "a\\u0000b"]', "takes a NUL character"),
        (
            'house = "ducker"\nowner = "E\\u001b[31mvil\\n\\u202e"',
            "entrant #5.owner: 'E\\x1b[31mvil\\n\\u202e' is no name; expected",
        ),
        ("name = 'x'\ncommand = []", ":22: entrant #5.command: expected a program"),
        ("name = 'x'\ncommand = [1]", "expected a text in quotes, found an array"),
        ("name = 'x'\ncommand = 'a \"b'", "command: cannot be split: No closing quota"),
        ("name = 'x y'\nhouse = 'ducker'", "'x y' is no name; expected letters, digit"),
        ("name = '../x'\nhouse = 'ducker'", "'../x' is no name"),
        ("name = 'MINE'\nhouse = 'ducker'", "#5.name: 'MINE' is taken by entrant #2"),
        ("bot = 'remote-1'", ":21: entrant #5.bot: 'remote-1' is taken by entrant #3"),
        ("name = 'y'\nbot = 'x'", "'y' differs from the bot's name 'x'; leave it out"),
        (
            "name = 'y'\nbot = 3",
            "#5.bot: expected a text in quotes, found a whole numb",
        ),
        (
            "bot = 'x'\nprotocol = 'stdio'",
            "protocol: is for commands only; this is a b",
        ),
        (
            "name = 'x'\ncommand = 'x'\nprotocol = 'tcp'",
            "'tcp' is not one of grpc, std",
        ),
        ("bot = 'x'\nname = 'x'\nname = 'x'", "friday.toml:23: not TOML: "),
    ],
)
def test_errors_of_an_entrant_name_line_and_key(lines: str, error: str) -> None:
    """A wrong key of the fifth entrant is found in the fifth entrant."""
    assert error in refusal(f"{FOUR}[[entrant]]\n{lines}\n")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (f"{'x' * 10_000} = 1", "friday.toml:1: xxx"),
        (f"[{'x' * 10_000}]\n[{'x' * 10_000}]", "friday.toml:2: not TOML: "),
        (
            f"games = {'9' * 5000}",
            "friday.toml: not TOML: it has a number of thousands",
        ),
        (f"games = 0x{'f' * 5000}", "friday.toml:1: games: <int> is not within"),
        (f"games = {'9' * 1000}", "friday.toml:1: games: 999"),
        (f"faults_max = -{'9' * 1000}", "faults_max: -999"),
        (f"time.bank = {'9' * 1000}", "friday.toml:1: time.bank: 999"),
        (f"luck = '{'x' * 200}'", "friday.toml:1: luck: 'xxx"),
        (f"practice_seed = 0x{'f' * 5000}", "practice_seed: <int> has more than 200"),
        (f"rules = {{target = 0x{'f' * 5000}}}", "rules.target: '<int>' is no value"),
        ("rules = {target = {a = 1}}", "rules.target: \"{'a': 1}\" is no value of"),
        ("rules = {moon = ['add']}", "rules.moon: \"['add']\" is no value of an"),
        (f"rules = {{preset = {[1] * 5000}}}", "rules.preset: '[1, 1, "),
        (f"rules = {{{'x' * 10_000} = 1}}", "friday.toml:1: rules.xxx"),
    ],
    ids=range(14),
)
def test_errors_are_short(line: str, error: str) -> None:
    """However much stands in the wrong place, the error is about a line long."""
    rest = FOUR.replace('practice_seed = "friday"', "").replace("games = 12", "")
    found = refusal(f"{line}\n{rest}")

    assert error in found
    assert len(found) < 300


@pytest.mark.parametrize(
    ("rules", "seats"),
    [("", "arena"), ("[rules]\npreset = 'party'\nplayers = 7\n", "party, 7 seats")],
)
def test_too_few_entrants_are_refused(rules: str, seats: str) -> None:
    """A table needs an entrant for each seat."""
    error = refusal(FOUR.rpartition("[[entrant]]")[0] + rules)

    assert "friday.toml:6: entrant: expected at least " in error
    assert error.endswith(f"one for each seat of {seats}; found 3")


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: str(file.stem))
def test_the_example_leagues_are_right(file: Path) -> None:
    """Every example has the name of its file and can be played."""
    config = read_league(file, houses=tuple(BOTS))

    assert file.stem == config.name
    assert config.rules.players <= len(config.entrants)


def test_rules_may_seat_any_number() -> None:
    """Without a number a preset has four seats, or the fewest that it is for."""
    entrants = "".join(
        f"[[entrant]]\nname = 'c{number}'\nhouse = 'careful'\n" for number in range(7)
    )

    assert [4, 3, 6] == [
        league(f"name = 'x'\nrules = '{preset}'\n{entrants}").rules.players
        for preset in ("party", "black_maria", "cancellation")
    ]
    rules = "[rules]\npreset = 'cancellation'\nplayers = 7\n"
    assert 7 == league(f"name = 'x'\n{rules}{entrants}").rules.players


def test_a_missing_name_is_an_error_of_the_file() -> None:
    """Errors without a line name the file alone."""
    assert "friday.toml: name is missing" == refusal("games = 3\n")


def test_lines_are_found_among_strings_arrays_and_comments() -> None:
    """What looks like a header or a key inside a value is none."""
    text = '''# name = "no"
a = """
b = 1
[c]
"""
d = [
  ["e"], # ]
  "f = 1",
]
"g.h".i = { j = 1 }
[[k]]
[[ k ]]
l = 'x # y' # z
[k.m]
n = 1
'''

    assert {
        ("a",): 2,
        ("d",): 6,
        ("g.h", "i"): 10,
        ("k",): 11,
        ("k", 0): 11,
        ("k", 1): 12,
        ("k", 1, "l"): 13,
        ("k", "m"): 14,
        ("k", 1, "m"): 14,
        ("k", 1, "m", "n"): 15,
    } == key_lines(text)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    """A missing file and a file in another encoding are errors of the file."""
    missing, latin = tmp_path / "missing.toml", tmp_path / "latin.toml"
    latin.write_bytes("name = 'Zoë'".encode("latin-1"))

    with pytest.raises(ConfigError, match=r"missing\.toml: there is no such file"):
        read_league(missing)
    with pytest.raises(ConfigError, match=r"latin\.toml: expected UTF-8, found byte 0"):
        read_league(latin)
    with pytest.raises(ConfigError, match=r"cannot be read: Is a directory"):
        read_league(tmp_path)


def test_the_normal_form_forgets_how_a_file_is_written() -> None:
    """Comments, order and defaults written out do not change the normal form."""
    text = FOUR.replace("games = 12", "# twelve\nluck = 'none'\ngames = 12")

    assert normalised(league()) == normalised(league(text))
    assert [] == changes(normalised(league()), normalised(league(text)))


def test_what_may_change_and_what_may_not() -> None:
    """Concurrency and commands may change and entrants may come; rules, seeds and
    entrants that are there may not."""
    old = normalised(league())
    text = FOUR.replace("games = 12", "games = 11\ntables_max = 3")
    text = text.replace("--fast", "--slow").replace('"ann"', '"bob"')
    text = text.replace("remote-1", "remote-2") + "[rules]\ntarget = 50\n"
    found = {str(change) for change in changes(old, normalised(league(text)))}

    assert "tables_max: 0 -> 3" in found
    assert (
        'entrant mine.command: ["python","my bot.py","--fast"] -> '
        '["python","my bot.py","--slow"]' in found
    )
    assert 'entrant mine.owner: "ann" -> "bob" (refused)' in found
    assert "entrant remote-2: nothing -> bot" in found
    assert (
        "entrant remote-1: bot -> nothing (refused: what it has played counts; leave "
        "it in the file, and `arena league withdraw` lets it play no more)"
    ) in found
    assert "games: 12 -> 11 (refused)" in found
    assert 'rules.overrides.target: nothing -> "50" (refused)' in found


def test_bots_of_one_owner_stay_apart_unless_the_file_says_otherwise() -> None:
    """Owners part their bots, all may meet where the file mixes them."""
    text = FOUR + "\n[[entrant]]\nhouse = 'ducker'\nowner = 'ann'\n" * 1
    eight = text + "".join(f"\n[[entrant]]\nbot = 'b{n}'\n" for n in range(3))
    apart = league(eight)
    mixed = league(eight.replace("games = 12", "owners = 'mixed'\ngames = 12"))

    assert [[1, 4]] == apart.owners.groups(range(8))
    assert [] == mixed.owners.groups(range(8))
    assert ['owners: nothing -> "mixed"'] == [
        str(change) for change in changes(normalised(apart), normalised(mixed))
    ]


def test_an_owner_of_too_many_bots_is_named() -> None:
    """Two of five bots cannot play as often as the others and never meet."""
    text = FOUR + "\n[[entrant]]\nhouse = 'ducker'\nowner = 'ann'\n"

    assert (
        "friday.toml: owners: owner 'ann' has 2 of 5 bots; at tables of 4 at most 1 of "
        "one owner can play as often as the others and never meet; "
        'owners = "mixed" lets them'
    ) == refusal(text)
    assert "'friends' is not one of apart, mixed" in refusal(
        "owners = 'friends'\n" + text
    )


def test_an_open_league_may_grow_and_a_secret_one_may_not() -> None:
    """The commitment of a secret league covers its schedule."""
    for config, verdict in (
        (league(), True),
        (replace(league(), practice_seed=None), False),
    ):
        longer = replace(config, games=13)
        (change,) = changes(normalised(config), normalised(longer))

        assert verdict == change.is_allowed
