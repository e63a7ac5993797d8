"""Commands that report on leagues: `arena league report`."""

import json
from pathlib import Path

import pytest

from leagues.reports.formats import FORMATS
from leagues.reports.head_to_head import head_to_head
from leagues.reports.kinds import OF_RESULTS
from leagues.reports.source import Source, source_of
from leagues.store import Store
from tests.command_line import Arena, runner
from tests.league_games import league_config, league_spec, played

GAMES = 12
PLAYED = 10


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Arena:
    """Run a command of the arena."""
    return runner(capsys)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a league in the middle of its games."""
    directory = tmp_path_factory.mktemp("data")
    with Store.open(directory, command="a test") as store:
        config = league_config(games=GAMES)
        league = store.open_league(config)
        store.start_run(league.name)
        for number in range(1, PLAYED + 1):
            spec = league_spec(config, league, number)
            record = played(spec, unsteady=frozenset({"fox"}))
            assert store.finish_game(league.name, record)
        store.stop_run(league.name)
    return directory


def source(data: Path) -> Source:
    """What the reports of the league are made of."""
    with Store.open_read_only(data) as store:
        return source_of(store.league("demo").facts(), store.results("demo"))


class TestReport:
    """`arena league report`."""

    @pytest.mark.parametrize("form", FORMATS)
    @pytest.mark.parametrize("kind", OF_RESULTS)
    def test_a_report_is_printed(
        self, arena: Arena, data: Path, kind: str, form: str
    ) -> None:
        """Each kind is printed in each format."""
        done = arena("league", "report", "demo", kind, "--format", form, "--data", data)

        assert (0, "") == (done.code, done.error)
        assert FORMATS[form](OF_RESULTS[kind](source(data))) == done.out

    def test_two_bots_are_compared(self, arena: Arena, data: Path) -> None:
        """Head to head takes two names."""
        names = ("careful", "fox")
        done = arena("league", "report", "demo", "head-to-head", *names, "--data", data)

        assert FORMATS["text"](head_to_head(source(data), *names)) == done.out

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("head-to-head", "fox"), "is about two bots, but 1 given; for example"),
            (("head-to-head", "fox", "fox"), "is about two bots, but 1 given"),
            (("head-to-head", "fox", "zz"), "has no game of 'zz'; there are: "),
            (("los", "fox"), "'fox' is one word too many: los is about all bots"),
        ],
    )
    def test_wrong_bots_are_one_line(
        self, arena: Arena, data: Path, words: tuple[str, ...], message: str
    ) -> None:
        """Bots that are missing, unknown or too many are told in a line."""
        done = arena("league", "report", "demo", *words, "--data", data)

        assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
        assert message in done.error

    def test_json_is_for_programs(self, arena: Arena, data: Path) -> None:
        """JSON holds the kind, the counts and the rows."""
        done = arena(
            *("league", "report", "demo", "faults", "--format", "json", "--data", data)
        )
        document = json.loads(done.out)
        faulty = {row["entrant"]: row["late"] for row in document["rows"]}

        assert ("faults", PLAYED) == (document["report"], document["games"])
        assert faulty["fox"]
        assert not faulty["careful"]
