"""Commands on a data directory: bots, games and standings."""

import json
import re
from pathlib import Path

import pytest

from arena.notation import read_notation
from arena.record import read_record, write_record
from arena.transcript import compact, transcript
from leagues.config import LeagueConfig, parse_league
from leagues.reports.standings import FORMATS
from leagues.running.hosting import Hosted, check_programs
from leagues.storage.bots import BotTokens
from leagues.storage.store import Store
from tests.command_line import Arena
from tests.league_games import league_config, play_run

GAMES = 12
PLAYED = 10


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with an older league and one in the middle of its games."""
    directory = tmp_path_factory.mktemp("data")
    with Store.open(directory, command="a test") as store:
        store.open_league(league_config(name="older"))
        config = league_config(games=GAMES)
        play_run(store, config, finished=PLAYED, unsteady=frozenset({"fox"}))
    return directory


class TestBots:
    """`arena bot`."""

    def test_a_token_is_shown_once(self, arena: Arena, tmp_path: Path) -> None:
        """The token alone goes to standard output, the way to use it beside it."""
        done = arena("bot", "add", "fox", "--owner", "ann", "--data", tmp_path)
        token = done.out.strip()
        listed = arena("bot", "list", "--data", tmp_path)
        with Store.open_read_only(tmp_path) as store:
            identities = BotTokens(store)._identities.values()

        assert 0 == done.code
        assert re.fullmatch(r"hb_[\w-]{32}", token)
        assert f"HEARTS_TOKEN={token}" in done.error
        assert token not in listed.out
        assert re.search(r"^fox +ann +\S+ +in force$", listed.out, re.MULTILINE)
        assert [("fox", "ann")] == [(one.name, one.owner) for one in identities]

    def test_a_token_can_be_revoked(self, arena: Arena, tmp_path: Path) -> None:
        """A revoked bot stays in the list and can be added again."""
        first = json.loads(arena("bot", "add", "fox", "--json", "--data", tmp_path).out)
        arena("bot", "revoke", "fox", "--data", tmp_path)
        second = arena("bot", "add", "fox", "--data", tmp_path)
        bots = json.loads(arena("bot", "list", "--json", "--data", tmp_path).out)

        assert first["token"] != second.out.strip()
        assert [True, False] == [bool(bot["revoked"]) for bot in bots]

    def test_a_bot_is_added_while_an_arena_runs(
        self, arena: Arena, tmp_path: Path
    ) -> None:
        """Bots can be changed beside the process that owns the directory."""
        with Store.open(tmp_path, command="arena serve"):
            done = arena("bot", "add", "fox", "--data", tmp_path)

        assert 0 == done.code

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["add", "fox"], "bot 'fox' exists"),
            (["add", "no name"], "'no name' is no name; expected"),
            (["add", "Careful"], "'Careful' is a house bot, which the arena starts"),
            (["revoke", "owl"], "no bot 'owl'"),
        ],
    )
    def test_what_can_not_be_done_is_explained(
        self, arena: Arena, tmp_path: Path, arguments: list[str], message: str
    ) -> None:
        """A name that is taken, is none, or is unknown gives exit code 2."""
        arena("bot", "add", "fox", "--data", tmp_path)
        done = arena("bot", *arguments, "--data", tmp_path)

        assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
        assert message in done.error

    def test_an_empty_list_says_what_to_do(
        self, arena: Arena, data: Path, tmp_path: Path
    ) -> None:
        """Without any bot, or any directory, the way to add one is named."""
        for folder in (data, tmp_path / "none"):
            done = arena("bot", "list", "--data", folder)
            expected = f"no bots yet; `arena bot add NAME --data {folder}` adds one\n"

            assert (0, "", expected) == (done.code, done.out, done.error)
        assert not (tmp_path / "none").exists()

    def test_a_token_comes_with_the_address_of_the_arena(
        self, arena: Arena, tmp_path: Path
    ) -> None:
        """A running arena's own address is named, else the usual one."""
        with Store.open(tmp_path, command="arena serve") as store:
            store.announce("127.0.0.1:777")
            running = arena("bot", "add", "fox", "--data", tmp_path)
        stopped = arena("bot", "add", "owl", "--data", tmp_path)

        assert "HEARTS_ARENA=127.0.0.1:777 HEARTS_TOKEN=" in running.error
        assert "HEARTS_ARENA=127.0.0.1:50051 HEARTS_TOKEN=" in stopped.error

    def test_a_token_comes_with_what_tls_needs(
        self, arena: Arena, tmp_path: Path
    ) -> None:
        """An arena that asks for certificates has the bot's named, and who makes it."""
        with Store.open(tmp_path, command="arena serve") as store:
            store.announce("127.0.0.1:777", has_tls=True)
            plain = arena("bot", "add", "owl", "--data", tmp_path)
            store.announce("127.0.0.1:777", has_tls=True, wants_certificate=True)
            asking = arena("bot", "add", "fox", "--data", tmp_path)

        files = "HEARTS_TLS_CERT=client-fox.pem HEARTS_TLS_KEY=client-fox-key.pem"
        assert ":777 HEARTS_TLS_CA=ca.pem HEARTS_TOKEN=" in plain.error
        assert "arena cert" not in plain.error
        assert f":777 HEARTS_TLS_CA=ca.pem {files} HEARTS_TOKEN=" in asking.error
        assert "`arena cert --client fox` makes its certificate and" in asking.error


class TestLeagues:
    """`arena league standings` and `list`."""

    @pytest.mark.parametrize("form", FORMATS)
    def test_standings_in_every_format(
        self, arena: Arena, data: Path, form: str
    ) -> None:
        """The newest league is taken; the text is that of the library."""
        done = arena("league", "standings", "--format", form, "--data", data)
        with Store.open_read_only(data) as store:
            standings = store.standings("demo")

        assert (0, "") == (done.code, done.error)
        assert FORMATS[form](standings) == done.out

    def test_leagues_are_listed(self, arena: Arena, data: Path) -> None:
        """The newest comes first, with its state and how far it is."""
        done = arena("league", "list", "--data", data)
        found = json.loads(arena("league", "list", "--json", "--data", data).out)

        line = r"^demo +stopped +10/12 +arena, target = 10 +\S+ +careful, fox"
        assert re.search(line, done.out, re.MULTILINE)
        assert ["demo", "older"] == [league["name"] for league in found]
        assert (PLAYED, GAMES) == (
            found[0]["games_finished"],
            found[0]["games_planned"],
        )

    def test_an_unknown_league_is_named(self, arena: Arena, data: Path) -> None:
        """The leagues that there are stand in the error."""
        done = arena("league", "standings", "friday", "--data", data)

        assert 2 == done.code
        assert "error: there is no league 'friday'; there are: demo, older\n" == (
            done.error
        )

    def test_a_missing_directory_is_explained(
        self, arena: Arena, tmp_path: Path
    ) -> None:
        """A directory without games is an error that says how to get some."""
        done = arena("league", "list", "--data", tmp_path / "none")

        assert (2, 1) == (done.code, len(done.error.splitlines()))
        assert "holds no games yet" in done.error

    def test_the_directory_comes_from_the_environment(
        self, arena: Arena, data: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """HEARTS_DATA names the data directory when nothing else does."""
        monkeypatch.setenv("HEARTS_DATA", str(data))

        assert arena("league", "list").out.startswith("League ")


class TestGames:
    """`arena games`."""

    def test_the_last_games_are_listed(self, arena: Arena, data: Path) -> None:
        """Each line has the game and the entrants with totals, the best first."""
        done = arena("games", "list", "--limit", 3, "--data", data)
        lines = done.out.splitlines()[1:]

        assert ["demo-8", "demo-9", "demo-10"] == [line.split()[0] for line in lines]
        assert "the last 3 of 10 games; --limit 0 lists all" in done.error

    def test_games_can_be_read_by_programs(self, arena: Arena, data: Path) -> None:
        """JSON has entrants, totals and places by seat."""
        found = json.loads(
            arena("games", "list", "demo", "--limit", 0, "--json", "--data", data).out
        )
        with Store.open_read_only(data) as store:
            record = read_record(store.record("demo", 3))

        assert list(range(1, PLAYED + 1)) == [game["number"] for game in found]
        assert list(record.places or ()) == found[2]["places"]
        assert [seat.bot for seat in record.seats] == found[2]["entrants"]

    def test_a_game_is_shown(self, arena: Arena, data: Path) -> None:
        """A game is shown as a transcript, on few lines, or as its record."""
        with Store.open_read_only(data) as store:
            line = store.record("demo", 3)
        record = read_record(line)

        assert (
            transcript(record) == arena("games", "show", "demo-3", "--data", data).out
        )
        short = arena("games", "show", "demo-3", "--short", "--data", data)
        assert compact(record) == short.out
        assert (
            line + "\n"
            == arena("games", "show", "demo-3", "--json", "--data", data).out
        )

    @pytest.mark.parametrize(
        ("game", "message"),
        [
            ("demo", "'demo' is no game; expected its name, such as demo-17"),
            ("demo-x", "'demo-x' is no game"),
            (f"demo-{'9' * 5000}", "...' is no game; expected its name"),
            ("demo-13", "league demo has games 1 to 12, but no 13"),
            ("demo-11", "game demo-11 is not finished yet"),
            ("friday-1", "there is no league 'friday'"),
        ],
    )
    def test_a_game_that_is_not_there(
        self, arena: Arena, data: Path, game: str, message: str
    ) -> None:
        """What is no game, or is not finished, is named; exit code 2."""
        done = arena("games", "show", game, "--data", data)

        assert 2 == done.code
        assert message in done.error

    def test_an_export_holds_all_records_in_order(
        self, arena: Arena, data: Path, tmp_path: Path
    ) -> None:
        """The file has one record a line, and appears when it is whole."""
        file = tmp_path / "games.jsonl"
        done = arena("games", "export", "demo", "-o", file, "--data", data)
        with Store.open_read_only(data) as store:
            lines = [line for _, line in store.records("demo")]

        assert 0 == done.code
        assert lines == file.read_text().splitlines()
        assert [file] == list(tmp_path.iterdir())
        assert f"{file}: 10 games\n" == done.error

    def test_an_export_goes_to_standard_output(self, arena: Arena, data: Path) -> None:
        """Without a file the records are printed, from a number on if asked."""
        done = arena("games", "export", "--after", 8, "--data", data)

        assert ["demo-9", "demo-10"] == [
            read_record(line).game for line in done.out.splitlines()
        ]

    def test_an_export_as_notation_reads_as_the_records(
        self, arena: Arena, data: Path
    ) -> None:
        """The notation of all games is read as what the store holds."""
        done = arena("games", "export", "--format", "notation", "--data", data)
        with Store.open_read_only(data) as store:
            lines = [line for _, line in store.records("demo")]

        assert lines == [write_record(record) for record in read_notation(done.out)]

    def test_an_export_as_text_holds_transcripts(
        self, arena: Arena, data: Path
    ) -> None:
        """The text format is every game as people read it."""
        done = arena("games", "export", "--format", "text", "--data", data)

        assert PLAYED == done.out.count("Game demo-")
        assert "Deal 1: " in done.out

    def test_an_export_that_can_not_be_written(
        self, arena: Arena, data: Path, tmp_path: Path
    ) -> None:
        """A folder that is missing is named in one line."""
        file = tmp_path / "none" / "games.jsonl"
        done = arena("games", "export", "-o", file, "--data", data)

        assert (2, 1) == (done.code, len(done.error.splitlines()))
        assert f"error: {file}: can't be written: No such file" in done.error

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--arena", "127.0.0.1:1"], "--arena needs the league's name"),
            (["demo", "--arena", "127.0.0.1:1"], "no arena answers at 127.0.0.1:1; "),
            (["demo", "--arena", "nonsense"], "is not an arena's address"),
        ],
    )
    def test_a_download_that_can_not_be(
        self, arena: Arena, arguments: list[str], message: str
    ) -> None:
        """A download without a league, an arena or an address is explained."""
        done = arena("games", "export", *arguments)

        assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
        assert message in done.error


class TestLeagueFiles:
    """`arena league run` and `serve` refuse what can't work before they begin."""

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("name = 'x'", "entrant: expected at least 4"),
            (
                "name = 'x'\n" + "[[entrant]]\nhouse = 'careful'\n" * 4,
                "'careful' is taken by entrant #1",
            ),
            (
                "name = 'x'\n"
                + "".join(
                    f"[[entrant]]\nname = 'm{n}'\ncommand = 'no-such-program'\n"
                    for n in range(4)
                ),
                "entrant 'm0': 'no-such-program' is no program",
            ),
        ],
    )
    @pytest.mark.parametrize("command", [["league", "run"], ["serve", "--league"]])
    def test_a_broken_file_is_explained(
        self,
        arena: Arena,
        tmp_path: Path,
        text: str,
        message: str,
        command: list[str],
    ) -> None:
        """The file, the place and what was expected stand in one line."""
        file = tmp_path / "league.toml"
        file.write_text(text)
        done = arena(*command, file, "--data", tmp_path / "data")

        assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
        assert str(file) in done.error
        assert message in done.error
        assert [file] == list(tmp_path.iterdir())

    def test_a_missing_file_is_explained(self, arena: Arena, tmp_path: Path) -> None:
        """A league file that does not exist is named."""
        done = arena("league", "run", tmp_path / "none.toml")

        assert 2 == done.code
        assert "none.toml: there is no such file" in done.error

    def test_other_machines_need_a_word(self, arena: Arena, tmp_path: Path) -> None:
        """Listening beyond this machine must be asked for by name."""
        done = arena("serve", "--host", "0.0.0.0", "--data", tmp_path)

        assert 2 == done.code
        assert "or add --insecure if the network is to be trusted" in done.error


class TestPlayArguments:
    """`arena play` checks its arguments before it starts anything."""

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--", "no-such-program"], "'no-such-program' is no program"),
            (
                ["--against", "careful,lowest,lowest,lowest", "--", "true"],
                "4 names, but the table has 3 more seats",
            ),
            (["--against", "a,b,c", "--", "true"], "'a' is no house bot; there are: "),
            (["--rule", "target=x", "--", "true"], "rules.target: 'x' is not a whole"),
            (["--rule", "target", "--", "true"], "--rule target: expected OPTION=VALU"),
            (["--rules", "vegas", "--", "true"], "rules.preset: 'vegas' is not a pre"),
            (["--players", "9", "--", "true"], "rules.players: '9' is not what the pr"),
        ],
    )
    def test_wrong_arguments_are_explained(
        self, arena: Arena, tmp_path: Path, arguments: list[str], message: str
    ) -> None:
        """Unknown programs, house bots and rules are named; exit code 2."""
        done = arena("play", "--data", tmp_path, *arguments)

        assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
        assert message in done.error
        assert [] == list(tmp_path.iterdir())


class TestServedLeagues:
    """Several leagues in one arena."""

    @pytest.mark.parametrize(
        ("one", "other", "message"),
        [
            ("command = 'true'", "command = 'false'", "has this name too"),
            ("command = 'true'", "bot = 'm'", "has this name too"),
            ("command = 'true'", "command = 'true'", "has this name too"),
            ("bot = 'm'", "bot = 'm'", ""),
        ],
    )
    def test_a_name_means_one_program(
        self, tmp_path: Path, one: str, other: str, message: str
    ) -> None:
        """Sessions are told apart by names, so two programs can't share one."""
        leagues = [
            Hosted(_three_bots_and(name, entrant), tmp_path)
            for name, entrant in (("a", one), ("b", other))
        ]
        error = ""
        try:
            check_programs(leagues)
        except ValueError as refused:
            error = str(refused)

        assert message in error
        assert bool(message) == bool(error)

    def test_a_league_may_stand_only_once(self, arena: Arena, tmp_path: Path) -> None:
        """Two files of one league are refused."""
        files = [tmp_path / "a.toml", tmp_path / "b.toml"]
        for file in files:
            file.write_text(LEAGUE.format(name="a", entrant="bot = 'm'"))
        done = arena("serve", "--league", files[0], "--league", files[1])

        assert (2, "") == (done.code, done.out)
        assert "league 'a' stands in two of the files" in done.error


LEAGUE = (
    "name = '{name}'\n"
    + "".join(f"[[entrant]]\nhouse = '{h}'\n" for h in ("careful", "lowest", "ducker"))
    + "[[entrant]]\n{entrant}\n"
)


def _three_bots_and(name: str, entrant: str) -> LeagueConfig:
    """Return a league of three bots that dial in, and one more entrant."""
    is_named = entrant.startswith("bot")
    text = entrant if is_named else f"name = 'm'\n{entrant}"
    bots = "".join(f"[[entrant]]\nbot = '{bot}'\n" for bot in ("x", "y", "z"))
    whole = f"name = '{name}'\n{bots}[[entrant]]\n{text}\n"
    return parse_league(whole, file=f"{name}.toml")
