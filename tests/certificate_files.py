"""Certificates of the tests, made anew each time and valid around now."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from arena.certificates import Paths, issue_client, issue_server
from arena.listen import Tls
from arena.tls_files import read_tls


def make_server(folder: Path, *, hosts: tuple[str, ...] = (), age_days: int = 0) -> Tls:
    """Make a server's pair, some days ago, for ten days; return what it says then."""
    made = datetime.now(UTC) - timedelta(days=age_days)
    _make_authority(folder, made)
    pair = issue_server(folder, hosts=hosts, days=10, now=made)
    return read_tls(pair.certificate, pair.key, now=made)


def make_client(folder: Path, *, age_days: int = 0) -> tuple[Path, Path]:
    """Make a bot's pair, some days ago, for ten days; return its files."""
    made = datetime.now(UTC) - timedelta(days=age_days)
    pair = issue_client(folder, "owl", days=10, now=made)
    return pair.certificate, pair.key


def _make_authority(folder: Path, made: datetime) -> None:
    """Make an authority that is older than any pair, unless there is one."""
    if not Paths(folder).ca.exists():
        issue_server(folder, hosts=(), days=1, now=made - timedelta(days=60))
