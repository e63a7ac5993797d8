"""Options for who watches an arena: its metrics and its log."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from typing import Annotated

import typer

from arena.metrics import open_metrics
from arena.server import Server
from arena.terminal import CommandError, print_note

__all__ = [
    "LogFormat",
    "LogFormatOption",
    "LogLevel",
    "LogLevelOption",
    "MetricsOption",
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
        help="Serve metrics for Prometheus there, by default to this machine only.",
        show_default=False,
    ),
]
LogFormatOption = Annotated[
    LogFormat, typer.Option("--log-format", help="How a line of the log is written.")
]
LogLevelOption = Annotated[
    LogLevel, typer.Option("--log-level", help="The least that is logged.")
]


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
def serve_metrics(server: Server, address: tuple[str, int] | None) -> Iterator[None]:
    """
    Serve metrics while the block lasts, if there is an address for them.

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
        shown = f"[{host}]" if ":" in host else host
        print_note(f"metrics: http://{shown}:{found}/metrics")
        yield
