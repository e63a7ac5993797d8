"""The measures: what can be measured alone, and the figures that each gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from tests.benchmarks.arena import TABLE_COUNT, Play, play, turn_us
from tests.benchmarks.bare import echo_per_s, ring_us
from tests.benchmarks.engine import deals_per_s, verify_games_per_s
from tests.benchmarks.figures import Figures, percentile


@dataclass(frozen=True, slots=True)
class Effort:
    """How long each window is, and how often what is compared alternates."""

    seconds: float
    repeats: int


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
    plays: list[Play] = []
    for number in range(1, effort.repeats + 1):
        echoes.append(echo_per_s(effort.seconds))
        plays.append(play(TABLE_COUNT, effort.seconds))
        turns = plays[-1].turns_per_s
        say(
            f"{number} of {effort.repeats}: {echoes[-1]:,.0f} echoes/s, "
            f"{turns:,.0f} turns/s, ratio {turns / echoes[-1]:.2f}; {_costs(plays[-1])}"
        )
    turns_per_s = [one.turns_per_s for one in plays]
    return {
        "echo_per_s": round(median(echoes)),
        "turns_per_s": round(median(turns_per_s)),
        "ratio_echo": _ratio(turns_per_s, echoes),
        "turns_per_frame": _median([1 / one.per_turn(one.frames) for one in plays]),
        "arena_cpu_us_per_turn": _median([_arena_us(one) for one in plays], 1),
        "bots_cpu_us_per_turn": _median([_bots_us(one) for one in plays], 1),
    }


def _arena_us(one: Play) -> float:
    return one.per_turn(one.arena_seconds) * 1e6


def _bots_us(one: Play) -> float:
    return one.per_turn(one.bots_seconds) * 1e6


def _costs(one: Play) -> str:
    return (
        f"{_arena_us(one):.1f} µs of processor time a turn in the arena, "
        f"{_bots_us(one):.1f} µs in the bots, "
        f"{1 / one.per_turn(one.frames):.1f} turns a frame"
    )


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
