"""Moments: which one the key `until` of a league file means, and how it is stored."""

from datetime import UTC, datetime, time, timedelta, tzinfo

__all__ = ["moment_of", "now_text", "seconds_of", "utc_text"]


def moment_of(until: str, *, now: datetime, zone: tzinfo | None = None) -> datetime:
    """Return the moment that a text of `leagues.until.read_until` means.

    A time is the next one at which a clock shows it, also where it is put back and
    shows it twice; one that it leaves out is the moment in which it is put forward.

    Args:
        until: The text; a time without an offset is one of the zone.
        now: The present moment, with its offset.
        zone: Where the clock is; `None` for this machine's zone.

    Raises:
        ValueError: There is no such day, or it is over already.
    """
    if "T" not in until:
        hour, here = time.fromisoformat(until), now.astimezone(zone)
        # A clock that is put back at midnight shows the day before once more.
        days = [here + timedelta(days=count) for count in (-1, 0, 1, 2)]
        found = [m for day in days for m in _shown(datetime.combine(day, hour), zone)]
    elif (moment := datetime.fromisoformat(until)).tzinfo:
        found = [moment.astimezone(UTC)]
    else:
        found = _shown(moment, zone)
    # In UTC, since times of one zone are compared as clocks show them.
    if later := [moment for moment in found if moment > now.astimezone(UTC)]:
        return min(later).astimezone(zone)
    here = now.astimezone(zone)
    raise ValueError(
        f"until: {until.replace('T', ' ')!r} is over: it is {here:%Y-%m-%d %H:%M} now, "
        f"{here.tzname()}, UTC{here:%z}; write a time to come, or a time of day"
    )


def _shown(time: datetime, zone: tzinfo | None) -> list[datetime]:
    """Return the moments in UTC at which a clock shows a time, one or two.

    Where it never does, the first one at which it shows a later one.
    """
    pair = [_utc(time.replace(fold=fold), zone) for fold in (0, 1)]
    if found := [moment for moment in pair if _clock(moment, zone) == time]:
        return found
    low, high = sorted(pair)
    while (seconds := (high - low) // timedelta(seconds=1)) > 1:
        middle = low + timedelta(seconds=seconds // 2)
        low, high = (low, middle) if _clock(middle, zone) > time else (middle, high)
    return [high]


def _utc(time: datetime, zone: tzinfo | None) -> datetime:
    # A time without a zone is taken for one of this machine's.
    return (time.replace(tzinfo=zone) if zone else time).astimezone(UTC)


def _clock(moment: datetime, zone: tzinfo | None) -> datetime:
    """Return what a clock shows."""
    return moment.astimezone(zone).replace(tzinfo=None, fold=0)


def seconds_of(moment: str) -> float:
    """Return a stored moment in seconds since 1970."""
    return datetime.fromisoformat(moment).timestamp()


def now_text() -> str:
    """Return the present moment as it is stored."""
    return utc_text(datetime.now(UTC))


def utc_text(moment: datetime) -> str:
    """Return a moment as it is stored: `2026-03-01T12:00:00Z`."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
