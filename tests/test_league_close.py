"""Closing a league: the page, what lies beside it, and that it appears whole."""

import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from arena.excerpt import label
from arena.record import Record, read_record
from leagues.audit import Action
from leagues.closing import CHECKSUMS, FILES, CloseError, close_league
from leagues.config import parse_league
from leagues.reports.worst_deals import KEPT, WorstDeals
from leagues.results import result_of
from leagues.storage.audited import decide
from leagues.storage.store import Store
from tests.command_line import Arena
from tests.league_appeals import entry
from tests.league_games import league_spec, play_run, played

PLAYED = 12
OWNERS = {
    "careful": "the host",
    "ada": "<script>alert(1)</script>",
    "bea": "'\"><img src=x onerror=alert(1)>",
    "cid": "{{ 7 * 7 }} & Sons",
    "dan": "Ü\u202ednE",
}
VOID_TAGS = {"meta", "br", "line", "rect"}


def play(
    directory: Path,
    *,
    games: int,
    finished: int,
    unsteady: frozenset[str] = frozenset({"bea"}),
) -> None:
    """Make a league of bots whose owners mean harm, and play some of its games."""
    parts = ["name = 'friday'", f"games = {games}", "practice_seed = '1'"]
    parts += ["[rules]", "target = 20"]
    for name in OWNERS:
        kind = "house = 'careful'" if name == "careful" else "command = 'true'"
        parts += ["[[entrant]]", f"name = '{name}'", kind]
    config = parse_league("\n".join(parts), file="friday.toml")
    # A file with such owners is refused, but a store may hold what an older one said.
    owned = [replace(one, owner=OWNERS[one.name]) for one in config.entrants]
    config = replace(config, entrants=tuple(owned))
    with Store.open(directory, command="a test") as store:
        play_run(store, config, finished=finished, unsteady=unsteady)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a finished league."""
    directory = tmp_path_factory.mktemp("data")
    play(directory, games=PLAYED, finished=PLAYED)
    return directory


@pytest.fixture(scope="module")
def closed(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What closing that league has written."""
    output = tmp_path_factory.mktemp("closed") / "friday"
    with Store.open_read_only(data) as store:
        close_league(store, store.league("friday"), output)
    return output


class Page(HTMLParser):
    """Reads a page: its tags, its links, its text; checks that tags are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert [] == self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID_TAGS:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag that closes itself."""
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Close the last tag, which must be this one."""
        assert tag == self._open.pop()

    def handle_data(self, data: str) -> None:
        """Gather the text."""
        if self._open and self._open[-1] not in ("style", "title"):
            self.text += data

    def attributes(self, name: str) -> list[str]:
        """All values of an attribute."""
        return [str(of[name]) for _, of in self.tags if name in of]


def page(directory: Path) -> Page:
    """The page of a closed league."""
    return Page((directory / "index.html").read_text(encoding="utf-8"))


def test_the_page_is_whole_and_stands_alone(closed: Path) -> None:
    """It has no script, loads nothing, and links to itself and the files only."""
    found = page(closed)
    names = {tag for tag, _ in found.tags}
    links = found.attributes("href")
    places = {f"#{place}" for place in found.attributes("id")}
    files = {file.name for file in closed.iterdir()}

    assert set() == names & {"script", "img", "link", "iframe", "object", "form"}
    assert [] == found.attributes("src")
    assert set(links) <= places | files
    assert files - {"index.html"} <= set(links)
    assert [] == [name for _, of in found.tags for name in of if name.startswith("on")]
    assert "http" not in "".join(links)
    assert "default-src 'none'; style-src 'unsafe-inline'" in found.attributes(
        "content"
    )
    assert "url(" not in (closed / "index.html").read_text(encoding="utf-8")


def test_owners_can_do_no_harm(closed: Path) -> None:
    """Whatever owners call themselves is text on the page, and nothing more."""
    found = page(closed)

    shown = [label(owner) for owner in OWNERS.values()]
    assert [] == [owner for owner in shown if owner not in found.text]
    # What turns the direction of text is written as an escape.
    assert '"Ü\\u202ednE"' in shown
    assert "\u202e" not in (closed / "index.html").read_text(encoding="utf-8")


def test_the_page_tells_what_reports_tell(closed: Path, data: Path) -> None:
    """It has the standings with tiers and bars, and a part for each bot."""
    found = page(closed)
    with Store.open_read_only(data) as store:
        standings = store.standings("friday")
    rows = re.findall(
        r"<td>(\d+)</td><td class=\"name\"><a href=\"#bot-\d\"><bdi>(\w+)</bdi></a>",
        (closed / "index.html").read_text(encoding="utf-8"),
    )

    assert [(str(row.rank), row.entrant) for row in standings.rows] == rows
    assert len(OWNERS) == [tag for tag, _ in found.tags].count("svg")
    assert {f"bot-{n}" for n in range(1, 6)} <= set(found.attributes("id"))
    assert f"League friday: finished, {PLAYED} of {PLAYED} games" in found.text
    assert f"Digest of records {standings.digest}" in found.text
    assert "bea had" not in found.text
    assert "1 bot had faults, most often bea" in found.text


def test_checksums_are_those_of_all_files(closed: Path) -> None:
    """Each file but the list itself stands in it with its SHA-256."""
    lines = (closed / CHECKSUMS).read_text().splitlines()
    listed = {line.split("  ")[1]: line.split("  ")[0] for line in lines}

    assert {"index.html", *(file.name for file in FILES)} == {
        file.name for file in closed.iterdir()
    }
    assert {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in closed.iterdir()
        if file.name != CHECKSUMS
    } == listed


def test_anybody_can_check_the_files(arena: Arena, closed: Path, data: Path) -> None:
    """Records and results both give the standings that lie beside them."""
    records = arena("rate", closed / "records.jsonl", "--format", "csv")
    results = arena("rate", closed / "results.jsonl", "--format", "csv")
    league = arena("league", "standings", "friday", "--format", "csv", "--data", data)

    assert records.out == results.out
    assert league.out == (closed / "standings.csv").read_text()
    # The head of the audit log, which stands last, is the store's alone.
    assert [line.rpartition(",")[0] for line in league.out.splitlines()] == [
        line.rpartition(",")[0] for line in records.out.splitlines()
    ]


def test_results_are_of_the_games_that_count(arena: Arena, tmp_path: Path) -> None:
    """Whoever rates them has the standings, without who is excluded."""
    play(tmp_path / "data", games=PLAYED, finished=PLAYED)
    where = ("--data", tmp_path / "data")
    arena("league", "exclude", "friday", "dan", "--reason", "plays for bea", *where)
    arena("league", "close", "friday", "-o", tmp_path / "out", *where)
    rated = arena("rate", tmp_path / "out" / "results.jsonl", "--format", "csv").out
    table = (tmp_path / "out" / "standings.csv").read_text()

    # The last two columns are of all records, and of the store.
    assert [line.rsplit(",", 2)[0] for line in table.splitlines()] == [
        line.rsplit(",", 2)[0] for line in rated.splitlines()
    ]
    assert 5 == len(table.splitlines())


def test_records_can_be_verified(arena: Arena, tmp_path: Path) -> None:
    """Each record is true, card by card."""
    play(tmp_path / "data", games=3, finished=3, unsteady=frozenset())
    data, output = tmp_path / "data", tmp_path / "a"
    arena("league", "close", "friday", "-o", output, "--data", data)
    done = arena("verify", output / "records.jsonl")

    assert 0 == done.code
    assert "3 games, " in done.out


def test_reports_are_those_of_the_command(
    arena: Arena, closed: Path, data: Path
) -> None:
    """Tables and PGN are what `arena league report` prints."""
    for kind in ("crosstable", "errors", "los", "seats", "faults"):
        done = arena(
            *("league", "report", "friday", kind, "--format", "csv", "--data", data)
        )

        assert done.out == (closed / f"{kind}.csv").read_text()
    done = arena("league", "report", "friday", "pgn", "--data", data)

    assert done.out == (closed / "pairs.pgn").read_text()


def test_a_directory_in_use_is_left_alone(
    arena: Arena, data: Path, tmp_path: Path
) -> None:
    """Where something is already, nothing is written."""
    (tmp_path / "mine.txt").write_text("mine")
    done = arena(*("league", "close", "friday", "--output", tmp_path, "--data", data))

    assert (2, "") == (done.code, done.out)
    assert "is there already and not empty; name a new one" in done.error
    assert ["mine.txt"] == [file.name for file in tmp_path.iterdir()]


def test_an_empty_directory_will_do(arena: Arena, data: Path, tmp_path: Path) -> None:
    """A directory that was made for it is taken."""
    output = tmp_path / "out"
    output.mkdir()
    done = arena("league", "close", "friday", "-o", output, "--data", data)

    assert (0, f"{output}: 17 files; open {output / 'index.html'}\n") == (
        done.code,
        done.out,
    )
    assert 17 == len(list(output.iterdir()))


def test_the_directory_that_one_is_in_will_do(
    arena: Arena, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dot is a directory like others, and nothing is left beside it."""
    monkeypatch.chdir(tmp_path)
    done = arena("league", "close", "friday", "-o", ".", "--data", data)

    assert 0 == done.code
    assert (tmp_path / "index.html").exists()
    assert [] == list(tmp_path.parent.glob(f".{tmp_path.name}*"))


def test_what_breaks_off_leaves_nothing(data: Path, tmp_path: Path) -> None:
    """An end in the middle leaves neither the directory nor a part of it."""

    def stop(count: int) -> None:
        if count == PLAYED // 2:
            raise KeyboardInterrupt

    with Store.open_read_only(data) as store, pytest.raises(KeyboardInterrupt):
        close_league(
            store, store.league("friday"), tmp_path / "a" / "out", on_record=stop
        )
    assert [] == list((tmp_path / "a").iterdir())


def test_a_league_that_changes_meanwhile_is_not_closed(tmp_path: Path) -> None:
    """The page and the records are of the same games, or there are none."""
    directory = tmp_path / "data"
    play(directory, games=PLAYED, finished=4)
    with Store.open(directory, command="a test") as store:
        league = store.league("friday")
        config = parse_league(
            "\n".join(
                ["name = 'friday'", f"games = {PLAYED}", "practice_seed = '1'"]
                + ["[rules]", "target = 20"]
                + [f"[[entrant]]\nname = '{n}'\ncommand = 'true'" for n in OWNERS]
            ),
            file="friday.toml",
        )

        def play_on(count: int) -> None:
            if count == 1:
                store.finish_game("friday", played(league_spec(config, league, 5)))

        with pytest.raises(CloseError, match="has changed meanwhile"):
            close_league(store, league, tmp_path / "out", on_record=play_on)
    assert not (tmp_path / "out").exists()


def test_a_decision_meanwhile_stands_on_all_pages_or_on_none(tmp_path: Path) -> None:
    """Where an exclusion comes in between, nothing is published."""
    play(tmp_path / "data", games=PLAYED, finished=PLAYED)
    with Store.open(tmp_path / "data", command="a test") as store:

        def exclude(count: int) -> None:
            if count == 1:
                decide(store, "friday", entry(Action.EXCLUDE, entrant="dan"))

        with pytest.raises(CloseError, match="has changed meanwhile"):
            close_league(
                store, store.league("friday"), tmp_path / "out", on_record=exclude
            )
    assert not (tmp_path / "out").exists()


class TestEarly:
    """A league that is closed before its end."""

    @pytest.fixture
    def stopped(self, tmp_path: Path) -> Path:
        """A league that was stopped."""
        play(tmp_path / "data", games=PLAYED, finished=4)
        return tmp_path / "data"

    def close(self, arena: Arena, data: Path, *more: str) -> tuple[int, str]:
        """Close the league beside its data."""
        output = data.parent / "out"
        done = arena(
            *("league", "close", "friday", "-o", output, "--data", data, *more)
        )
        return done.code, done.error

    def test_a_reason_is_asked_for(self, arena: Arena, stopped: Path) -> None:
        """Without one it is not closed, and the command says how."""
        code, error = self.close(arena, stopped)

        assert 2 == code
        assert "not finished: 4 of 12 games are" in error
        assert "--early REASON" in error
        assert not (stopped.parent / "out").exists()

    def test_the_reason_stands_on_the_page(self, arena: Arena, stopped: Path) -> None:
        """It is in the title, in the standings, and harmless."""
        code, error = self.close(arena, stopped, "--early", "<b>term is over</b>")
        output = stopped.parent / "out"
        head = "League friday: closed early (<b>term is over</b>), 4 of 12 games"

        assert (0, "") == (code, error)
        assert head in page(output).text
        assert head == (output / "standings.txt").read_text().splitlines()[0]

    def test_decisions_stand_on_the_page(self, arena: Arena, stopped: Path) -> None:
        """The audit log is told with its reasons."""
        arena(
            *("league", "void", "friday", "2", "--reason", "the <network>"),
            *("--by", "ann", "--data", stopped),
        )
        self.close(arena, stopped, "--early", "over")
        text = page(stopped.parent / "out").text

        assert "void game 2, played again, by ann: the <network>" in text

    def test_who_is_excluded_has_no_part(self, arena: Arena, stopped: Path) -> None:
        """An excluded bot stands in the audit log, and neither ranked nor reported."""
        arena(
            *("league", "exclude", "friday", "dan", "--reason", "plays for bea"),
            *("--by", "ann", "--data", stopped),
        )
        self.close(arena, stopped, "--early", "over")
        source = (stopped.parent / "out" / "index.html").read_text(encoding="utf-8")
        records = (stopped.parent / "out" / "records.jsonl").read_text().splitlines()

        assert "exclude dan, by ann: plays for bea" in source
        assert "<bdi>dan</bdi>" not in source
        assert "<bdi>ada</bdi>" in source
        assert 4 == len(records)

    def test_who_has_not_played_is_told(self, arena: Arena, tmp_path: Path) -> None:
        """A bot without a game has its part, which says so."""
        play(tmp_path / "data", games=PLAYED, finished=1)
        self.close(arena, tmp_path / "data", "--early", "over")
        found = page(tmp_path / "out")

        assert 1 == found.text.count("It has no game that counts.")
        assert 4 == [tag for tag, _ in found.tags].count("svg")

    @pytest.mark.parametrize("reason", ["a\nb", "x" * 301, " "])
    def test_a_reason_is_one_line(
        self, arena: Arena, stopped: Path, reason: str
    ) -> None:
        """What is no line of text is refused."""
        code, error = self.close(arena, stopped, "--early", reason)

        assert 2 == code
        assert "the reason" in error

    def test_a_league_that_is_played_is_not_closed(
        self, arena: Arena, stopped: Path
    ) -> None:
        """While games go on there is nothing to close, whatever the reason."""
        with Store.open(stopped, command="a test") as store:
            store.start_run("friday")
            code, error = self.close(arena, stopped, "--early", "over")

        assert 2 == code
        assert "league friday is being played" in error

    def test_without_games_there_is_nothing(self, arena: Arena, tmp_path: Path) -> None:
        """A league that has not begun has no results."""
        play(tmp_path / "data", games=PLAYED, finished=0)
        code, error = self.close(arena, tmp_path / "data", "--early", "over")

        assert 2 == code
        assert "has no finished game yet" in error


def test_a_finished_league_needs_no_reason(
    arena: Arena, data: Path, tmp_path: Path
) -> None:
    """A reason for closing early is refused where it makes no sense."""
    done = arena(
        *("league", "close", "friday", "-o", tmp_path / "out"),
        *("--early", "over", "--data", data),
    )

    assert "league friday is finished; leave out --early" in done.error


def naive_worst(records: list[Record], bot: str) -> list[tuple[int, int, int]]:
    """Game, deal and points of a bot's worst deals, from a list of all."""
    found = []
    for record in records:
        for seat, sitting in enumerate(record.seats):
            if sitting.bot != bot:
                continue
            for number, deal in enumerate(record.deals, start=1):
                assert deal.points is not None
                mean = (sum(deal.points) - deal.points[seat]) / 3
                excess = deal.points[seat] - mean
                found.append((-excess, record.block, number, deal.points[seat]))
    return [row[1:] for row in sorted(found)[:KEPT] if row[0] < 0]


def test_worst_deals_are_the_worst(closed: Path) -> None:
    """Those are told that a sorted list of all deals begins with."""
    lines = (closed / "records.jsonl").read_text().splitlines()
    records = [read_record(line) for line in lines]
    worst = WorstDeals()
    for record in records:
        worst.add((result_of(record), record))
    for bot in OWNERS:
        found = [(deal.number, deal.deal, deal.points) for deal in worst.of(bot)]

        assert naive_worst(records, bot) == found
        assert found


def test_the_page_is_the_same_each_time(
    closed: Path, data: Path, tmp_path: Path
) -> None:
    """Closed again, a league gives the same files to the byte."""
    with Store.open_read_only(data) as store:
        close_league(store, store.league("friday"), tmp_path / "again")
    again = (tmp_path / "again" / CHECKSUMS).read_text()

    assert (closed / CHECKSUMS).read_text() == again
