"""Times of day as moments, where clocks are put forward and back."""

import time
from calendar import monthrange
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leagues.config import LeagueConfig, parse_league
from leagues.storage.moments import moment_of, utc_text
from leagues.storage.store import LeagueOverError, Store
from leagues.toml_source import ConfigError
from tests.league_games import NAMES, league_config

ZONES = (
    "America/New_York",
    "Europe/Berlin",
    # Half an hour forth and back, across midnight, and at midnight.
    "Australia/Lord_Howe",
    "America/St_Johns",
    "America/Havana",
    "Africa/Casablanca",
    # A day that never was.
    "Pacific/Apia",
    "Asia/Kathmandu",
    "UTC",
)
ZONE = ZoneInfo("America/New_York")


def parse(text: str) -> LeagueConfig:
    """Read a file of four house bots that begins so."""
    houses = "".join(f"[[entrant]]\nhouse = '{name}'\n" for name in NAMES[:4])
    return parse_league(f"{text}\nname = 'a'\n{houses}", file="friday.toml")


@pytest.fixture
def in_new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This machine's clock shows the time of New York."""
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


NIGHTS = [
    # Clocks are put forward from 02:00 to 03:00.
    ("2026-03-08T00:10-05:00", "02:30", "2026-03-08T03:00-04:00"),
    ("2026-03-08T01:59-05:00", "02:00", "2026-03-08T03:00-04:00"),
    ("2026-03-08T03:00-04:00", "02:30", "2026-03-09T02:30-04:00"),
    ("2026-03-07T02:40-05:00", "02:30", "2026-03-08T03:00-04:00"),
    ("2026-03-01T00:00-05:00", "2026-03-08T02:30", "2026-03-08T03:00-04:00"),
    ("2026-03-08T01:50-05:00", "2026-03-08T02:30", "2026-03-08T03:00-04:00"),
    # Clocks are put back from 02:00 to 01:00.
    ("2026-11-01T00:10-04:00", "01:30", "2026-11-01T01:30-04:00"),
    ("2026-11-01T01:40-04:00", "01:30", "2026-11-01T01:30-05:00"),
    ("2026-11-01T01:40-04:00", "2026-11-01T01:30", "2026-11-01T01:30-05:00"),
    ("2026-11-01T01:10-05:00", "01:30", "2026-11-01T01:30-05:00"),
    ("2026-11-01T01:40-05:00", "01:30", "2026-11-02T01:30-05:00"),
]


@pytest.mark.usefixtures("in_new_york")
@pytest.mark.parametrize("zone", [None, ZONE], ids=["machine", "zone"])
@pytest.mark.parametrize(("now", "until", "expected"), NIGHTS)
def test_a_time_is_the_next_one_in_such_a_night(
    now: str, until: str, expected: str, zone: tzinfo | None
) -> None:
    """Shown twice it is the one to come; left out, when the clock is put forward."""
    found = moment_of(until, now=datetime.fromisoformat(now), zone=zone)

    assert utc_text(datetime.fromisoformat(expected)) == utc_text(found)


@given(
    zone=st.sampled_from(ZONES).map(ZoneInfo),
    now=st.datetimes(datetime(1990, 1, 1), datetime(2037, 1, 1)),
    near=st.none() | st.integers(-240, 240),
    minutes=st.integers(0, 24 * 60 - 1),
)
def test_a_time_is_the_next_at_which_a_clock_shows_it(
    zone: ZoneInfo, now: datetime, near: int | None, minutes: int
) -> None:
    """It is to come, a clock shows it or leaves it out, and none earlier does."""
    now = now.replace(tzinfo=UTC, microsecond=0)
    if near is not None:
        now = _change(now, zone) + timedelta(minutes=near)
    hour = f"{minutes // 60:02}:{minutes % 60:02}"
    found = moment_of(hour, now=now, zone=zone).astimezone(UTC)
    before = found - timedelta(seconds=1)
    is_shown = hour == f"{found.astimezone(zone):%H:%M}"

    assert now < found <= now + timedelta(days=3)
    assert is_shown or any(
        before.astimezone(zone).replace(tzinfo=None)
        < datetime.fromisoformat(f"{day:%Y-%m-%d}T{hour}")
        < found.astimezone(zone).replace(tzinfo=None)
        for day in (before.astimezone(zone), found.astimezone(zone))
    )
    minute = now.replace(second=0) + timedelta(minutes=1)
    while minute < found:
        assert hour != f"{minute.astimezone(zone):%H:%M}"
        minute += timedelta(minutes=1)


def _change(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return the day after another one on which a clock is changed, if there is one."""
    offset = moment.astimezone(zone).utcoffset()
    for _ in range(400):
        moment += timedelta(days=1)
        if moment.astimezone(zone).utcoffset() != offset:
            break
    return moment.replace(hour=0, minute=0, second=0)


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ('"9999-12-31 23:59"', "'9999-12-31 23:59': the year is not within"),
        ('"9999-12-31 23:59-05:00"', "'9999-12-31 23:59-05:00': the year is not"),
        ('"0001-01-01 00:00+05:00"', "'0001-01-01 00:00+05:00': the year is not"),
        ('"0000-01-01 00:00"', "'0000-01-01 00:00': the year is not within"),
        ("0001-01-01T00:00:00", "'0001-01-01T00:00:00': the year is not within"),
        ('"2026-02-30 07:00"', "'2026-02-30 07:00': there is no such day; expected"),
        ('"2026-03-02 07:00+99:99"', "'2026-03-02 07:00+99:99' is no time; expected"),
        ("7", "7 is no time; expected"),
        ("true", "True is no time; expected"),
        ('["07:00"]', "['07:00'] is no time; expected"),
    ],
)
def test_an_error_names_the_place_and_the_value(written: str, problem: str) -> None:
    """Whoever has written it reads where, what, and what is expected."""
    with pytest.raises(ConfigError, match="or with its day") as refused:
        parse(f"\nuntil = {written}\n")

    assert f"friday.toml:2: until: {problem}" in str(refused.value)


@pytest.mark.usefixtures("in_new_york")
@pytest.mark.parametrize("written", ["9000-12-31 23:59-23:59", "8999-03-08 02:30"])
def test_the_last_years_are_moments(written: str) -> None:
    """Nothing that is read can fail later on."""
    until = parse(f"until = '{written}'").until

    assert moment_of(until, now=datetime(2026, 1, 1, tzinfo=UTC)).year >= 8999


@pytest.mark.usefixtures("in_new_york")
def test_a_time_that_is_over_is_told_with_its_place(store: Store) -> None:
    """The file, the line and the key, the time now and in which zone."""
    league = parse("\nuntil = '2020-01-01 07:00'")
    assert league.until_at == "friday.toml:2"
    assert league == parse("until = '2020-01-01 07:00'")
    with pytest.raises(LeagueOverError) as refused:
        store.open_league(league)

    assert "friday.toml:2: until: '2020-01-01 07:00' is over: it is 20" in str(
        refused.value
    )
    assert ", UTC-0" in str(refused.value)
    assert "write a time to come" in str(refused.value)
    assert "" == league_config().until_at


@given(day=st.dates(date(2000, 1, 1), date(9000, 12, 31)))
def test_a_day_of_the_calendar_is_read(day: date) -> None:
    """All that there are, and none after the last of a month."""
    last = monthrange(day.year, day.month)[1]
    assert f"{day}T07:00" == parse(f"until = '{day} 07:00'").until
    with pytest.raises(ConfigError, match=r"there is no such day|is no time"):
        parse(f"until = '{day:%Y-%m}-{last + 1} 07:00'")
