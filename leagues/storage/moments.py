"""Moments: which one the key `until` of a league file means, and how it is stored."""

from datetime import UTC, datetime, time, timedelta

__all__ = ["moment_of", "now_text", "seconds_of", "utc_text"]


def moment_of(until: str, *, now: datetime) -> datetime:
    """Return the moment that a text of `leagues.until.read_until` means.

    Args:
        until: The text; a time without an offset is one of this machine's zone.
        now: The present moment, with its offset.

    Raises:
        ValueError: There is no such day, or it is over already.
    """
    here = now.astimezone()
    if "T" in until:
        found = datetime.fromisoformat(until).astimezone()
    else:
        hour = time.fromisoformat(until)
        found = datetime.combine(here, hour).astimezone()
        if found <= here:
            # Not a day of 24 hours later, since clocks are put back and forth.
            found = datetime.combine(here + timedelta(days=1), hour).astimezone()
    if found <= here:
        raise ValueError(f"until = {until!r} is over: it is {here:%Y-%m-%d %H:%M} now")
    return found


def seconds_of(moment: str) -> float:
    """Return a stored moment in seconds since 1970."""
    return datetime.fromisoformat(moment).timestamp()


def now_text() -> str:
    """Return the present moment as it is stored."""
    return utc_text(datetime.now(UTC))


def utc_text(moment: datetime) -> str:
    """Return a moment as it is stored: `2026-03-01T12:00:00Z`."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
