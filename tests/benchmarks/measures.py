"""The measures: what can be measured alone, and the figures that each gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.benchmarks.arena import (
    Span,
    distinct_bots,
    four_bots,
    turn_us,
    turns_per_s,
)
from tests.benchmarks.bare import echo_per_s, ring_us
from tests.benchmarks.engine import deals_per_s, verify_games_per_s
from tests.benchmarks.figures import Figures, Window, percentile
from tests.benchmarks.idle import idle_session_kb, with_and_without_idle
from tests.benchmarks.ratings import (
    bootstrap_1000_s,
    large_league,
    rate_100k_s,
    standings_10k_s,
)
from tests.benchmarks.schedules import schedule_100_s

SLOW_TABLE_COUNT = 32


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done for a figure."""

    seconds: float
    """How long each window is."""
    repeats: int
    """How often what is compared alternates."""
    sessions: int
    """How many idle bots share in the memory that one takes."""


@dataclass(frozen=True, slots=True)
class Measure:
    """Figures that are measured together."""

    name: str
    figures: tuple[str, ...]
    run: Callable[[Effort], Figures]


def say(line: str) -> None:
    """Tell people how far it is."""
    print(line, flush=True)


def _throughput(effort: Effort) -> Figures:
    """Measure echo and arena in turn, and their ratio."""
    echoes: list[float] = []
    turns: list[float] = []
    spans: list[Span] = []
    for number in range(1, effort.repeats + 1):
        echoes.append(echo_per_s(effort.seconds))
        rate, span = turns_per_s(four_bots, effort.seconds)
        turns.append(rate)
        spans.append(span)
        say(_line(number, effort, echoes[-1], rate, span))
    return {
        "echo_per_s": round(median(echoes)),
        "turns_per_s": round(median(turns)),
        "ratio_echo": _ratio(turns, echoes),
        "turns_per_frame": _median([span.turns_per_frame for span in spans]),
        "arena_cpu_us_per_turn": _median([span.arena_us for span in spans], 1),
        "bots_cpu_us_per_turn": _median([span.bots_us for span in spans], 1),
    }


def _seats(effort: Effort) -> Figures:
    """Measure echo in turn with an arena whose every seat has a bot of its own."""
    echoes: list[float] = []
    turns: list[float] = []
    for number in range(1, effort.repeats + 1):
        echoes.append(echo_per_s(effort.seconds))
        rate, span = turns_per_s(distinct_bots, effort.seconds)
        turns.append(rate)
        say(_line(number, effort, echoes[-1], rate, span))
    return {
        "turns_per_s_256_seats": round(median(turns)),
        "ratio_256_seats": _ratio(turns, echoes),
    }


def _line(number: int, effort: Effort, echo: float, turns: float, span: Span) -> str:
    return (
        f"{number} of {effort.repeats}: {echo:,.0f} echoes/s, "
        f"{turns:,.0f} turns/s, ratio {turns / echo:.2f}; {_costs(span)}"
    )


def _costs(span: Span) -> str:
    return (
        f"{span.arena_us:.1f} µs of processor time a turn in the arena, "
        f"{span.bots_us:.1f} µs in the bots, {span.turns_per_frame:.1f} turns a frame"
    )


def _slow(effort: Effort) -> Figures:
    """Measure how many turns wait long in the arena."""
    percents = []
    with TemporaryDirectory() as name, four_bots(Path(name), SLOW_TABLE_COUNT) as arena:
        for number in range(1, effort.repeats + 1):
            span = arena.watch(Window(effort.seconds))
            percents.append(span.slow_percent)
            say(
                f"{number} of {effort.repeats}: {percents[-1]:.3f} % of "
                f"{span.turns:,} turns spent more than 5 ms in the arena; "
                f"{_costs(span)}"
            )
    return {"slow_turns_percent": _median(percents, 3)}


def _idle(effort: Effort) -> Figures:
    """Measure four bots with idle ones beside them and without, in turn."""
    ratios = []
    for number, (without, beside) in enumerate(
        with_and_without_idle(effort.seconds, effort.repeats), start=1
    ):
        ratios.append(beside.turns_per_s / without.turns_per_s)
        say(
            f"{number} of {effort.repeats}: {without.turns_per_s:,.0f} turns/s, "
            f"beside idle bots {beside.turns_per_s:,.0f}, ratio {ratios[-1]:.2f}; "
            f"{_costs(without)}; beside idle bots {_costs(beside)}"
        )
    return {"ratio_idle": _median(ratios)}


def _sessions(effort: Effort) -> Figures:
    """Measure the memory of an idle session."""
    kib = idle_session_kb(effort.sessions)
    say(f"an idle session takes {kib:.1f} KiB of the arena")
    return {"idle_session_kb": round(kib, 1)}


def _latency(effort: Effort) -> Figures:
    """Measure the way from one client to the next in turn, bare and in the arena."""
    found: dict[str, list[float]] = {}
    for number in range(1, effort.repeats + 1):
        for name, measure in (("ring", ring_us), ("turn", turn_us)):
            values = _measured(name, lambda do=measure: do(effort.seconds))  # type: ignore[misc]
            for percent in (50, 99):
                key = f"{name}_p{percent}_us"
                found.setdefault(key, []).append(percentile(values, percent))
        now = {key: values[-1] for key, values in found.items()}
        say(
            f"{number} of {effort.repeats}: ring {now['ring_p50_us']:.0f} µs, "
            f"turn {now['turn_p50_us']:.0f} µs; 99 % within "
            f"{now['ring_p99_us']:.0f} and {now['turn_p99_us']:.0f} µs"
        )
    figures: Figures = {key: round(median(values)) for key, values in found.items()}
    for percent in (50, 99):
        turns, rings = (found[f"{name}_p{percent}_us"] for name in ("turn", "ring"))
        figures[f"ratio_turn_p{percent}"] = _ratio(turns, rings)
    return figures


def _measured(name: str, measure: Callable[[], list[float]]) -> list[float]:
    """Measure until there is something to tell: a ring whose message was lost when
    its programs started is begun again, and never told as 0 µs."""
    for _ in range(3):
        if values := measure():
            return values
        say(f"{name}: nothing was measured; once more")
    raise SystemExit(f"{name}: nothing was measured three times")


def _engine(effort: Effort) -> Figures:
    """Measure the engine, and OpenSpiel's where it is installed."""
    figures: Figures = {}
    for name, value in deals_per_s(effort.seconds).items():
        digits = 2 if name.startswith("ratio") else None
        figures[name] = None if value is None else round(value, digits)
    own, other = figures["engine_deals_per_s"], figures["openspiel_deals_per_s"]
    say(f"engine: {own:,} deals/s")
    if other is not None:
        say(
            f"OpenSpiel: {other:,} deals/s; the engine plays "
            f"{figures['ratio_openspiel']} times as many whole deals, "
            f"{figures['ratio_openspiel_dealt']} from the same packs, "
            f"{figures['ratio_openspiel_ready']} from ready hands"
        )
    figures["verify_games_per_s"] = round(verify_games_per_s(effort.seconds))
    say(f"verify: {figures['verify_games_per_s']:,} games/s")
    return figures


def _ratings(effort: Effort) -> Figures:
    """Measure ratings of a large league, and the bootstrap that checks them."""
    league = large_league()
    figures: Figures = {
        "rate_100k_s": round(rate_100k_s(league, effort.seconds), 3),
        "bootstrap_1000_s": round(bootstrap_1000_s(league, effort.seconds), 2),
        "standings_10k_s": round(standings_10k_s(effort.seconds), 3),
    }
    say(
        f"ratings: 100 bots and 100,000 games in {figures['rate_100k_s']} s, "
        f"a thousand bootstraps in {figures['bootstrap_1000_s']} s, "
        f"standings of 10,000 games in {figures['standings_10k_s']} s"
    )
    return figures


def _schedule(effort: Effort) -> Figures:
    """Measure the planning of a large league."""
    figures: Figures = {"schedule_100_s": round(schedule_100_s(effort.seconds), 2)}
    say(f"schedule: 100 rounds of 100 bots in {figures['schedule_100_s']} s")
    return figures


def _ratio(upper: Sequence[float], lower: Sequence[float]) -> float:
    """Return the median of the ratios of what was measured side by side."""
    return _median([one / other for one, other in zip(upper, lower, strict=True)])


def _median(values: Sequence[float], digits: int = 2) -> float:
    return round(median(values), digits)


MEASURES = (
    Measure(
        "throughput",
        (
            "echo_per_s",
            "turns_per_s",
            "ratio_echo",
            "turns_per_frame",
            "arena_cpu_us_per_turn",
            "bots_cpu_us_per_turn",
        ),
        _throughput,
    ),
    Measure(
        "latency",
        (
            "ring_p50_us",
            "ring_p99_us",
            "turn_p50_us",
            "turn_p99_us",
            "ratio_turn_p50",
            "ratio_turn_p99",
        ),
        _latency,
    ),
    Measure("seats", ("turns_per_s_256_seats", "ratio_256_seats"), _seats),
    Measure("slow", ("slow_turns_percent",), _slow),
    Measure("idle", ("ratio_idle",), _idle),
    Measure("sessions", ("idle_session_kb",), _sessions),
    Measure(
        "engine",
        (
            "engine_deals_per_s",
            "openspiel_deals_per_s",
            "ratio_openspiel",
            "ratio_openspiel_dealt",
            "ratio_openspiel_ready",
            "verify_games_per_s",
        ),
        _engine,
    ),
    Measure(
        "ratings", ("rate_100k_s", "bootstrap_1000_s", "standings_10k_s"), _ratings
    ),
    Measure("schedule", ("schedule_100_s",), _schedule),
)


def chosen(names: str) -> list[Measure]:
    """Return the measures that are named, by their names or those of figures.

    Args:
        names: with commas between them; empty for all.

    Raises:
        ValueError: There is none of such a name.
    """
    wanted = set(names.split(",")) if names else {one.name for one in MEASURES}
    found = [one for one in MEASURES if wanted & {one.name, *one.figures}]
    known = {name for one in found for name in (one.name, *one.figures)}
    if unknown := sorted(wanted - known):
        raise ValueError(f"there is no figure {', '.join(unknown)}")
    return found
