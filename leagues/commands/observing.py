"""Options for who watches an arena: its metrics and its log."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

import typer

from arena.listen import Listen, address_text
from arena.metrics import open_metrics
from arena.server import Server
from arena.terminal import CommandError, print_note

__all__ = [
    "OBSERVING_DEFAULT",
    "LogFormat",
    "LogFormatOption",
    "LogLevel",
    "LogLevelOption",
    "MetricsOption",
    "Observing",
    "chosen_observing",
    "metrics_address",
    "serve_metrics",
]

_ADDRESS = re.compile(r"(?:(?P<host>[^:\[\]]+|\[[0-9A-Fa-f:.]+\]):)?(?P<port>\d{1,5})")


class LogFormat(StrEnum):
    """How a line of the log is written."""

    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    """What is important enough for the log."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


MetricsOption = Annotated[
    str,
    typer.Option(
        "--metrics",
        metavar="[HOST:]PORT",
        help="Serve metrics for Prometheus there, by default to this machine only; "
        "other machines need --insecure.",
        show_default=False,
    ),
]
LogFormatOption = Annotated[
    LogFormat, typer.Option("--log-format", help="How a line of the log is written.")
]
LogLevelOption = Annotated[
    LogLevel, typer.Option("--log-level", help="The least that is logged.")
]


@dataclass(frozen=True, slots=True)
class Observing:
    """What a command lets people see of its arena; metrics may be nowhere."""

    metrics: tuple[str, int] | None = None
    log_format: LogFormat = LogFormat.TEXT
    log_level: LogLevel = LogLevel.INFO


OBSERVING_DEFAULT: Final = Observing()


def chosen_observing(
    metrics: str, log_format: LogFormat, log_level: LogLevel, *, allows_insecure: bool
) -> Observing:
    """
    Return what is to be seen of an arena.

    Raises:
        CommandError: The address of the metrics is none, or other machines could
            read them and nobody has said that this is meant.
    """
    if not metrics:
        return Observing(None, log_format, log_level)
    address = metrics_address(metrics)
    if not Listen(*address).is_loopback and not allows_insecure:
        raise CommandError(
            f"--metrics {metrics} lets other machines read metrics, unencrypted and "
            "without a token; add --insecure if the network is to be trusted, or name "
            "127.0.0.1"
        )
    return Observing(address, log_format, log_level)


def metrics_address(text: str) -> tuple[str, int]:
    """
    Read `[HOST:]PORT`; an IPv6 address stands in brackets.

    Raises:
        CommandError: It is something else.
    """
    found = _ADDRESS.fullmatch(text)
    port = int(found["port"]) if found else -1
    if found is None or port > 65535:
        raise CommandError(
            f"--metrics {text!r} is no address; expected a port as 9464, or "
            "127.0.0.1:9464"
        )
    return (found["host"] or "127.0.0.1").strip("[]"), port


@contextmanager
def serve_metrics(
    server: Server,
    address: tuple[str, int] | None,
    *,
    say: Callable[[str], None] = print_note,
) -> Iterator[None]:
    """
    Serve metrics while the block lasts, if there is an address for them.

    Args:
        say: Prints a line.

    Raises:
        CommandError: The address can't be listened on.
    """
    if address is None:
        yield
        return
    host, port = address
    with ExitStack() as stack:
        try:
            metrics = open_metrics(server, listen=host, port=port)
            found = stack.enter_context(metrics)
        except OSError as error:
            raise CommandError(
                f"metrics can't be served at {host}:{port}: {error.strerror}; choose "
                "another address with --metrics"
            ) from None
        say(f"metrics: http://{address_text(host, found)}/metrics")
        yield
