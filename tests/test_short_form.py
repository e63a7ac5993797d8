"""The short form of standings: the best bot of each owner, and all on demand."""

import re
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from leagues.rating.ratings import rate
from leagues.reports.page import results_page
from leagues.reports.source import source_of
from leagues.reports.standings import FORMATS, full_form, table_lines
from leagues.standings import Standings, standings_of
from tests.made_up_leagues import facts_of
from tests.sample_results import game_results

NAMES = ("fox", "owl", "elk", "bee", "ant", "gnu")
"""From the best one down."""


def places(four: tuple[str, ...], upset: int) -> list[tuple[str, int]]:
    """Seat four, who come out as they ought to but for two that have changed."""
    order = list(four)
    order[upset], order[upset + 1] = order[upset + 1], order[upset]
    found = order if upset else list(four)
    return [(name, place) for place, name in enumerate(found, start=1)]


GAMES = game_results(
    places(four, upset) for upset in range(3) for four in combinations(NAMES, 4)
)


def owned(owners: dict[str, str]) -> Standings:
    """Standings in which some bots are owned."""
    facts = replace(facts_of(NAMES), anchor=None, owners=owners)
    return standings_of(facts, GAMES)


NEVER_MET = game_results(
    places(four, upset)
    for upset in range(3)
    for four in combinations(NAMES, 4)
    if not {"fox", "elk"} <= set(four)
)


def apart(owners: dict[str, str]) -> Standings:
    """Standings of a league in which two bots never sat at one table."""
    facts = replace(facts_of(NAMES), anchor=None, owners=owners)
    return standings_of(facts, NEVER_MET)


OWNED = {"fox": "Uta", "elk": "Uta", "gnu": "Uta", "owl": "Eve", "ant": ""}


def test_the_short_form_has_a_row_for_each_owner() -> None:
    """The best of an owner's bots stays, and who is nobody's; ranks are among these."""
    found = owned(OWNED)

    assert [(1, "fox", 2), (2, "owl", 0), (3, "bee", 0), (4, "ant", 0)] == [
        (row.rank, row.entrant, row.more) for row in found.short
    ]
    assert ["fox", "owl", "elk", "bee", "ant", "gnu"] == [r.entrant for r in found.rows]
    assert {0} == {row.more for row in found.rows}


def test_who_is_nobodys_has_a_row_each() -> None:
    """Without owners the short form is the whole table."""
    found = owned({})

    assert found.rows == found.short
    assert not any("Owner" in line for line in table_lines(found))
    assert "--full" not in FORMATS["text"](found)


def test_superiority_is_that_over_the_next_row_shown() -> None:
    """Where rows are left out, the one that follows is another."""
    ratings = rate(GAMES, anchor=None)
    likely = dict(zip(ratings.names, ratings.superiority(), strict=True))
    found = owned(dict.fromkeys(("owl", "elk", "bee", "ant"), "Uta"))

    for rows in (found.rows, found.short):
        for row, below in pairwise(rows):
            expected = likely[row.entrant][ratings.names.index(below.entrant)]
            assert row.los is not None
            assert abs(expected - row.los) < 1e-6
        assert rows[-1].los is None
    assert ["fox", "owl", "gnu"] == [row.entrant for row in found.short]


@pytest.mark.parametrize("form", ["text", "md"])
def test_people_are_shown_the_short_form_first(form: str) -> None:
    """The owner's column says how many more there are; all of them are had in full."""
    found = owned(OWNED)
    short, full = FORMATS[form](found), FORMATS[form](full_form(found))

    assert "Uta (+2)" in short
    assert "The best bot of each owner; 2 more in the full form (--full)" in short
    assert not any(name in short for name in ("elk", "gnu"))
    assert all(name in full for name in found.league.entrants)
    assert "--full" not in full


@pytest.mark.parametrize("form", ["json", "csv"])
def test_programs_always_get_all(form: str) -> None:
    """Rows for programs do not hang on who owns what, and name the owner."""
    found = owned(OWNED)

    assert FORMATS[form](found) == FORMATS[form](full_form(found))
    assert "elk" in FORMATS[form](found)
    assert 3 == FORMATS[form](found).count("Uta")


def test_owners_in_a_table_only_print() -> None:
    """Whatever a file of strangers says of owners, it ends no line and no column."""
    found = owned({"fox": "E\x1b[2J\nx" + "y" * 300})
    line = next(line for line in table_lines(found) if "fox" in line)

    assert "E\\u001b[2J\\nxyyy" in line
    assert line.isprintable()
    assert len(line) < 250


def test_the_page_shows_each_owner_once_and_all_on_demand() -> None:
    """Of an owner's bots the best stands in the table; the others are folded away."""
    standings = owned({**dict.fromkeys(NAMES, "Uta <b>"), "ant": ""})
    source = source_of(standings.league, GAMES)
    text = results_page(standings, source, worst=lambda _: (), files=())
    folded = text.partition("<details>")[2].partition("</details>")[0]
    above = text.partition("<details>")[0]
    name = re.compile(r'<a href="#(bot-\d)"><bdi>(\w+)</bdi></a>')
    part = re.compile(r'id="(bot-\d)">\n<h3>\d. <bdi>(\w+)</bdi>')
    shown = [row.entrant for row in standings.short]
    others = [row.entrant for row in standings.rows if row.entrant not in shown]

    assert shown == [entrant for _, entrant in name.findall(above)]
    assert others == [entrant for _, entrant in name.findall(folded)]
    assert part.findall(text) == name.findall(above) + name.findall(folded)
    assert "<summary>The other bots: 4</summary>" in text
    assert "<bdi>Uta &lt;b&gt;</bdi>, 4 more</small>" in text


@pytest.mark.parametrize("form", ["text", "md"])
def test_bots_that_were_kept_apart_are_told(form: str) -> None:
    """Whose owner has a weak bot too was spared it, which plain figures do not know."""
    told = "Bots of one owner never met: points, scores and places are not corrected"
    one_owner = {"fox": "Uta", "elk": "Uta", "owl": "Eve", "bee": ""}

    assert told in FORMATS[form](apart(one_owner))
    assert told in FORMATS[form](full_form(apart(one_owner)))
    # Of these some have met; others have one bot each, or are nobody's.
    for owners in (dict.fromkeys(("fox", "elk", "owl"), "Uta"), {"fox": "Uta"}, {}):
        assert told not in FORMATS[form](apart(owners))
    assert told not in FORMATS[form](owned(one_owner))


def test_an_anchor_without_a_row_is_named() -> None:
    """Where the one that all are measured from is left out, the head says so."""
    facts = replace(facts_of(NAMES), anchor="elk", owners=OWNED)
    found = standings_of(facts, GAMES)
    short, full = (FORMATS["text"](one) for one in (found, full_form(found)))

    assert "(Elo): elk = 1500 (not shown: elk, the anchor); +/-" in short
    assert "* anchor" not in short
    assert "(Elo): elk = 1500; +/-" in full
    assert "* anchor" in full


def page_of(standings: Standings) -> str:
    """The results page of a league."""
    source = source_of(standings.league, NEVER_MET)
    return results_page(standings, source, worst=lambda _: (), files=())


def test_the_page_has_one_numbering() -> None:
    """A bot has the same number in both tables, in the crosstable and in its part."""
    standings = apart({"fox": "Uta", "elk": "Uta"})
    text = page_of(standings)
    ranks = {str(row.rank): row.entrant for row in standings.rows}
    table = r'<td>(\d)</td><td class="name">(?:<a href="#bot-\d">)?<bdi>(\w+)</bdi>'
    part = re.findall(r"<h3>(\d)\. <bdi>(\w+)</bdi>", text)

    assert ranks == dict(re.findall(table, text)) == dict(part)
    # The tables have each bot once, and so has the crosstable.
    assert 2 * len(NAMES) == len(re.findall(table, text))
    assert "some numbers are missing here" in text
    assert "Of the 15 pairs of all 6 bots" in text


def test_the_page_explains_what_it_shows() -> None:
    """It tells of bots that were kept apart, and of a line only where there is one."""
    told = "Bots of one owner never met"
    heavy, row = "A heavy line:", '<tr class="apart">'
    text, other = page_of(apart({"fox": "Uta", "elk": "Uta"})), page_of(apart({}))

    assert told in text
    assert told not in other
    for page in (text, other):
        assert (heavy in page) == (row in page)
        # Figures that take a test to read are folded away.
        assert "chi-square" in page.partition("<summary>The figures")[2]
        assert "chi-square" not in page.partition("<summary>The figures")[0]
