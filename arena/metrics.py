"""Metrics for Prometheus: what an arena counts, read when somebody asks.

Nothing is measured for them that is not counted anyway: a scrape looks at the
arena once, from a thread of its own.
"""

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import accumulate
from typing import Protocol
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from arena.counters import VOID_CAUSES
from arena.disturbance import KINDS
from arena.observation import Observation
from arena.spread import BOUNDS, Spread
from arena.table import Reason

LOOK_SECONDS = 5.0
"""How long a scrape waits for the arena; without an answer it says so."""


class Observed(Protocol):
    """What metrics need of `arena.server.Server`."""

    def observe(self) -> "Future[Observation]":
        """Look at the arena, from any thread."""


class ArenaCollector(Collector):
    """The metrics of an arena."""

    def __init__(self, server: Observed, *, look_seconds: float = LOOK_SECONDS) -> None:
        self._server = server
        self._look_seconds = look_seconds

    def collect(self) -> Iterator[Metric]:
        """Look at the arena once and yield what it says."""
        try:
            seen = self._server.observe().result(self._look_seconds)
        except TimeoutError:
            seen = None
        text = (
            "Whether the arena answered the scrape in time; else all else is missing."
        )
        yield _gauge("responding", text, int(seen is not None))
        if seen is not None:
            yield from _gauges(seen)
            yield from _counters(seen)
            yield from _histograms(seen)

    def describe(self) -> Iterable[Metric]:
        """Name nothing in advance: to know the names the arena would be asked."""
        return ()


def _gauges(seen: Observation) -> Iterator[Metric]:
    sessions = GaugeMetricFamily(
        "hearts_sessions", "Sessions of bots.", labels=("state",)
    )
    sessions.add_metric(("connected",), seen.sessions_connected)
    sessions.add_metric(("away",), seen.sessions_away)
    yield sessions
    turns = GaugeMetricFamily(
        "hearts_open_turns",
        "Turns that wait in the arena, or that bots have and have not answered.",
        labels=("place",),
    )
    turns.add_metric(("arena",), seen.waiting)
    turns.add_metric(("desk",), seen.on_desks)
    yield turns
    yield _gauge("open_games", "Running games.", seen.tables)
    yield _gauge("uptime_seconds", "How long the arena has been serving.", seen.uptime)


def _counters(seen: Observation) -> Iterator[Metric]:
    counts = seen.counts
    yield _counter("turns_answered", "Answers that were taken.", seen.turns_answered)
    yield _counter("games_finished", "Finished games.", counts.games_finished)
    voids = _from_zero(counts.voids, *VOID_CAUSES)
    yield _by("games_void", "Void games by cause.", "cause", voids)
    disturbances = _from_zero(counts.disturbances, *KINDS)
    text = "What has disturbed the arena as a whole, by kind."
    yield _by("disturbances", text, "kind", disturbances)
    faults = _from_zero(counts.faults, "late", "illegal", "away", "start")
    yield _by("faults", "Faults by kind.", "kind", faults)
    given_up = _from_zero(counts.given_up, "faults", "left", "start")
    yield _by("seats_given_up", "Given-up seats by cause.", "cause", given_up)
    rejections = _from_zero(
        counts.rejections, *(reason.name.lower() for reason in Reason)
    )
    text = "Refused answers by reason."
    yield _by("answers_rejected", text, "reason", rejections)
    text = "Streams of bots that ended or were refused, by reason."
    yield _by("streams_ended", text, "reason", counts.streams_ended)
    text = "Other calls that were refused or ended in an error, by reason."
    yield _by("calls_refused", text, "reason", counts.calls_refused)
    frames = {"received": counts.frames_received, "sent": counts.frames_sent}
    yield _by("frames", "Messages from and to bots.", "direction", frames)


def _histograms(seen: Observation) -> Iterator[Metric]:
    counts = seen.counts
    yield _histogram("bot_time", "What bots were charged a turn.", counts.bot_time)
    yield _histogram(
        "arena_time",
        "From what let a turn go, its question or an answer, to its hand-over.",
        counts.arena_time,
    )
    yield _histogram("lag", "How late the arena's own timer was.", counts.lag)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"hearts_{name}", text, value=value)


def _counter(name: str, text: str, value: float) -> Metric:
    return CounterMetricFamily(f"hearts_{name}", text, value=value)


def _by(name: str, text: str, label: str, values: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(f"hearts_{name}", text, labels=(label,))
    for key, value in sorted(values.items()):
        family.add_metric((key,), value)
    return family


def _from_zero(counts: Mapping[str, int], *known: str) -> dict[str, int]:
    """Return counts with what has not happened yet, so that a first time is a rise."""
    return dict.fromkeys(known, 0) | dict(counts)


def _histogram(name: str, text: str, spread: Spread) -> Metric:
    bounds = [*(f"{bound:g}" for bound in BOUNDS), "+Inf"]
    buckets = list(zip(bounds, map(float, accumulate(spread.counts)), strict=True))
    return HistogramMetricFamily(
        f"hearts_{name}_seconds", text, buckets=buckets, sum_value=spread.seconds
    )


@contextmanager
def open_metrics(server: Observed, *, listen: str, port: int) -> Iterator[int]:
    """
    Serve metrics over HTTP while the block lasts; yield the port.

    Args:
        server: the arena.
        listen: the address to listen on.
        port: 0 takes a free one.

    Raises:
        OSError: the address is in use or not this machine's.
    """
    registry = CollectorRegistry()
    registry.register(ArenaCollector(server))
    ProcessCollector(registry=registry)
    http: WSGIServer
    http, thread = start_http_server(port, addr=listen, registry=registry)
    try:
        yield http.server_port
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
