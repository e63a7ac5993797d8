"""The audit log and what follows from it, as values: the chain, appeals, evidence."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.document import DocumentError, parse_document
from leagues.appeals import Setting, appeals_of, objection
from leagues.audit import (
    Action,
    AuditEntry,
    chained,
    checked_text,
    first_fault,
    genesis,
    head_of,
    read_entry,
)
from leagues.evidence import Evidence, log_problem, read_evidence, record_problems
from leagues.reports.standings import FORMATS
from leagues.results import GameResult, SeatResult
from leagues.standings import LeagueFacts, Standings, records_digest, standings_of

TIME = "2026-03-01T12:00:00Z"
NAMES = ("ann", "bob", "cat", "dan", "eve", "fay")
SETTING = Setting(
    name="demo",
    entrants=NAMES,
    players=4,
    games=9,
    is_finished=False,
    is_open=False,
    has_record=True,
)


def entry(action: Action, reason: str = "so", **values: object) -> AuditEntry:
    """An entry without its place in the log."""
    return AuditEntry(action, reason, "ada", TIME, **values)  # type: ignore[arg-type]


def log(*entries: AuditEntry) -> tuple[AuditEntry, ...]:
    """The log of league `demo` with these entries."""
    found: list[AuditEntry] = []
    for number, one in enumerate(entries, start=1):
        found.append(chained(one, number=number, before=head_of("demo", found)))
    return tuple(found)


LOG = log(
    entry(Action.PAUSE),
    entry(Action.VOID, game=3, record="ab" * 32, is_replayed=True),
    entry(Action.EXCLUDE, entrant="bob"),
    entry(Action.RESUME),
    entry(Action.VOID, "gone for good", game=5, record="cd" * 32),
)


def result(number: int, *names: str) -> GameResult:
    """A game that ended in the order of its seats."""
    seats = tuple(
        SeatResult(
            entrant=name,
            version="1",
            total=10 * place,
            place=place,
            points=10 * place,
            moons=0,
            queens=0,
        )
        for place, name in enumerate(names, start=1)
    )
    digest = sha256(str(number).encode()).hexdigest()
    return GameResult(
        number=number,
        block=number,
        deals=2,
        seats=seats,
        faults=(),
        given_up=(),
        record_hash=digest,
    )


RESULTS = [
    result(1, "ann", "bob", "cat", "dan"),
    result(2, "eve", "fay", "ann", "cat"),
    result(4, "fay", "dan", "eve", "bob"),
]

FACTS = LeagueFacts(
    name="demo",
    state="stopped",
    entrants=NAMES,
    players=4,
    tricks=13,
    has_moon=True,
    has_queen=True,
    rules="arena",
    rules_hash="ab" * 32,
    games_planned=9,
    commitment="cd" * 32,
    practice_seed=None,
    anchor="bob",
)


def standings(entries: tuple[AuditEntry, ...] = LOG) -> Standings:
    """Standings under a log."""
    return standings_of(FACTS, RESULTS, appeals=appeals_of(entries))


def test_the_chain_follows_its_definition() -> None:
    """Whoever has the log can work its head out by hand."""
    digest = sha256(b"hearts/1/auditdemo").digest()
    for one in LOG:
        text = json.dumps(one.document(), sort_keys=True, separators=(",", ":"))
        digest = sha256(digest + text.encode()).digest()

    assert digest.hex() == head_of("demo", LOG)
    assert genesis("demo") == head_of("demo", ())
    assert genesis("demo") != genesis("demo2")


def test_a_log_that_nobody_touched_is_right() -> None:
    """The chain of a log has no fault, with any number of entries."""
    assert [None] * 6 == [first_fault("demo", LOG[:count]) for count in range(6)]
    assert 1 == getattr(first_fault("other", LOG), "number", None)


@pytest.mark.parametrize("number", range(1, 6))
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("action", Action.REINSTATE),
        ("reason", "else"),
        ("by", "bob"),
        ("time", "2026-03-01T12:00:01Z"),
        ("entrant", "cat"),
        ("game", 8),
        ("record", "ee" * 32),
        ("is_replayed", None),
        ("number", 7),
        ("digest", "ee" * 32),
    ],
)
def test_a_changed_entry_is_found(number: int, field: str, value: object) -> None:
    """The first entry with a change is the one that is named."""
    entries = list(LOG)
    if field == "is_replayed":
        value = not entries[number - 1].is_replayed
    entries[number - 1] = replace(entries[number - 1], **{field: value})  # type: ignore[arg-type]

    assert number == getattr(first_fault("demo", entries), "number", None)


@pytest.mark.parametrize("number", range(1, 6))
def test_an_entry_that_is_gone_is_found(number: int) -> None:
    """Where one is left out the next one is wrong; the last one leaves the head."""
    entries = LOG[: number - 1] + LOG[number:]
    evidence = Evidence("demo", entries, head_of("demo", LOG), "00" * 32, 0)

    assert f"entry {number} " in log_problem(evidence)


def test_a_log_that_is_made_anew_is_found_by_whoever_has_noted_its_head() -> None:
    """Entries that are chained anew fit each other, and no longer an older head."""
    anew = log(*(replace(one, reason="else") for one in LOG))
    evidence = Evidence("demo", anew, head_of("demo", anew), "00" * 32, 0)
    noted = [genesis("demo"), LOG[2].digest]

    assert "" == log_problem(evidence)
    assert "" == log_problem(evidence, noted=noted[:1])
    assert LOG[2].digest in log_problem(evidence, noted=noted)
    real = replace(evidence, entries=LOG, audit_head=head_of("demo", LOG))
    assert "" == log_problem(real, noted=noted)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        ("  \t\n ", "is empty"),
        ("x" * 31, "has 31 characters; expected at most 30"),
        ("two\nlines", r"has the character '\\n'"),
        ("\x1b[31mred", r"has the character '\\x1b'"),
        ("turned \u202e round", r"has the character '\\u202e'"),
        ("half \ud800", r"has the character '\\ud800'"),
    ],
)
def test_a_text_is_one_printable_line(text: str, problem: str) -> None:
    """What terminals and pages show is short and does nothing to them."""
    with pytest.raises(ValueError, match=f"^--reason {problem}"):
        checked_text(text, what="--reason", length_max=30)


@given(st.text(max_size=40))
def test_a_checked_text_is_itself_again(text: str) -> None:
    """A text that is taken is taken again as it is."""
    try:
        once = checked_text(text, what="it", length_max=30)
    except ValueError:
        return

    assert once == checked_text(once, what="it", length_max=30) == text.strip()


def test_entries_are_read_as_they_were_written() -> None:
    """The JSON of an entry reads as the same entry."""
    objects = json.loads(FORMATS["json"](standings()))["audit"]

    assert list(LOG) == [read_entry(parse_document(json.dumps(one))) for one in objects]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("action", "forgive"),
        ("reason", ""),
        ("reason", "x" * 301),
        ("by", "a\x07"),
        ("time", "yesterday"),
        ("entrant", None),
        ("entrant", "ada\nleague friday: nothing was changed"),
        ("entrant", "ada\x1b[2K"),
        ("game", -1),
        ("game", True),
        ("record", "abc"),
        ("replay", 1),
        ("number", 0),
        ("digest", ""),
        ("more", 1),
    ],
)
def test_what_is_no_entry_is_refused(key: str, value: object) -> None:
    """A strange file can't bring anything in that an entry may not have."""
    text = json.dumps({**LOG[1].document(), "digest": LOG[1].digest, key: value})

    with pytest.raises(DocumentError):
        read_entry(parse_document(text))


def test_appeals_follow_from_the_log() -> None:
    """What is in force is what the last word about it says."""
    before, after = appeals_of(LOG[:3]), appeals_of(LOG)

    assert LOG[0] == before.pause
    assert {"bob": LOG[2]} == before.excluded
    assert (None, {"bob": LOG[2]}) == (after.pause, after.excluded)
    assert (frozenset(), frozenset({5})) == (before.dropped, after.dropped)
    back = appeals_of(log(*LOG, entry(Action.REINSTATE, entrant="bob")))
    assert {} == back.excluded


def test_games_with_an_excluded_entrant_count_for_nobody() -> None:
    """It has no row, its games are in no figure, and it anchors no ratings."""
    found, without = standings(), standings_of(FACTS, RESULTS[1:2])
    rows = [row for row in without.rows if row.entrant != "bob"]

    assert rows == list(found.rows)
    assert (3, 1) == (found.games_finished, found.games_counted)
    # The records are those of all finished games.
    assert records_digest(one.record_hash for one in RESULTS) == found.digest


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_shows_both_heads(form: str) -> None:
    """Whoever has standings has the ends of both chains."""
    text = FORMATS[form](standings())

    assert head_of("demo", LOG) in text
    assert standings().digest in text


@pytest.mark.parametrize("form", ["text", "md", "json"])
def test_the_log_stands_at_the_foot(form: str) -> None:
    """Reasons are for everybody to read."""
    assert "gone for good" in FORMATS[form](standings())


def test_a_reason_is_no_markdown() -> None:
    """No link and no markup of a reason reaches a page."""
    entries = log(entry(Action.PAUSE, "[x](javascript:y) `z` <b>"))
    text = FORMATS["md"](standings(entries))

    assert r"\[x\](javascript:y) \`z\` \<b\>" in text


@pytest.mark.parametrize(
    ("asked", "change", "problem"),
    [
        (entry(Action.PAUSE), {}, "is paused already: so"),
        (entry(Action.VOID, game=10), {}, "has games 1 to 9, but no 10"),
        (entry(Action.VOID, game=0), {}, "has games 1 to 9, but no 0"),
        (entry(Action.VOID, game=5), {}, "demo-5 is void already"),
        (entry(Action.VOID, game=6), {"has_record": False}, "demo-6 is not finished"),
        (
            entry(Action.VOID, game=6, is_replayed=True),
            {"is_finished": True},
            "secret is published",
        ),
        (entry(Action.EXCLUDE, entrant="bob"), {}, "bob is excluded .* already: so"),
        (entry(Action.EXCLUDE, entrant="bo"), {}, "did you mean 'bob'"),
        (entry(Action.EXCLUDE, entrant="zz"), {}, "it has ann, bob"),
        (entry(Action.REINSTATE, entrant="cat"), {}, "cat is not excluded"),
        (entry(Action.EXCLUDE, entrant="cat"), {"players": 5}, "has 4 entrants for"),
    ],
)
def test_what_can_not_be_decided(
    asked: AuditEntry, change: dict[str, int], problem: str
) -> None:
    """What would change nothing, or can't be, is refused with the reason."""
    known = appeals_of(LOG[:3] + LOG[4:])
    found = objection(asked, known, replace(SETTING, **change))  # type: ignore[arg-type]

    assert re.search(problem, found), found


@pytest.mark.parametrize(
    ("asked", "change"),
    [
        (entry(Action.RESUME), {}),
        (entry(Action.VOID, game=6), {"is_finished": True}),
        (entry(Action.VOID, game=6, is_replayed=True), {}),
        (
            entry(Action.VOID, game=6, is_replayed=True),
            {"is_finished": True, "is_open": True},
        ),
        (entry(Action.EXCLUDE, entrant="cat"), {}),
        (entry(Action.REINSTATE, entrant="bob"), {"is_finished": True}),
    ],
)
def test_what_can_be_decided(asked: AuditEntry, change: dict[str, bool]) -> None:
    """All else is the host's to decide."""
    setting = replace(SETTING, **change)  # type: ignore[arg-type]

    assert "" == objection(asked, appeals_of(LOG[:3]), setting)


def test_a_league_that_is_not_paused_can_not_go_on() -> None:
    """There is nothing to resume, and a finished league has nothing to pause."""
    nothing = appeals_of(())
    over = replace(SETTING, is_finished=True)

    assert "is not paused" in objection(entry(Action.RESUME), nothing, SETTING)
    assert "nothing to pause" in objection(entry(Action.PAUSE), nothing, over)
    assert "" == objection(entry(Action.PAUSE), nothing, SETTING)


def evidence() -> Evidence:
    """What the standings say, as a stranger reads them."""
    return read_evidence(FORMATS["json"](standings()))


def test_exported_standings_can_be_checked() -> None:
    """Standings in JSON hold all that it takes, and they are right."""
    found = evidence()
    hashes = {one.number: one.record_hash for one in RESULTS}

    assert (LOG, 3, "") == (found.entries, found.games_finished, log_problem(found))
    kept = {"ab" * 32, "cd" * 32}
    assert [] == list(record_problems(found, hashes=hashes, void=kept))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda hashes, void: hashes.pop(2), "records of 2 games, but 3 are finished"),
        (lambda hashes, void: hashes.update({2: "ee" * 32}), "their digest differs"),
        (
            lambda hashes, void: void.remove("cd" * 32),
            "game 5, which entry 5",
        ),
    ],
)
def test_records_that_differ_are_found(
    change: Callable[[dict[int, str], set[str]], object], problem: str
) -> None:
    """A record that is missing or another one does not go with the standings."""
    hashes = {one.number: one.record_hash for one in RESULTS}
    void = {"ab" * 32, "cd" * 32}
    change(hashes, void)
    (found,) = record_problems(evidence(), hashes=hashes, void=void)

    assert problem in found


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"league": "x"}', "no"])
def test_what_is_no_standings_is_refused(text: str) -> None:
    """Another file is one line of error."""
    with pytest.raises(DocumentError):
        read_evidence(text)


def test_a_league_has_a_name_that_prints() -> None:
    """What a stranger's file calls its league moves no cursor and ends no line."""
    text = FORMATS["json"](standings()).replace('"league": "demo"', '"league": "d\\n"')

    with pytest.raises(DocumentError, match="a league's name"):
        read_evidence(text)
