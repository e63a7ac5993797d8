"""Faults by bot: how often each was late, illegal, away, and given up."""

from collections import Counter

from leagues.reports.document import Column, Report, Rows, Table
from leagues.reports.source import Source
from leagues.reports.words import counted, listed
from leagues.standings import FAULT_KINDS

__all__ = ["faults"]

_COLUMNS = (
    Column("Entrant", "entrant", is_text=True),
    Column("Games", "games"),
    *(Column(kind.capitalize(), kind) for kind in FAULT_KINDS),
    Column("Given up", "given_up"),
    Column("Games with faults", "games_with_faults"),
    Column("Percent", "games_with_faults_percent", 1),
)


def faults(source: Source) -> Report:
    """Count the faults of each bot, and the games that had any; most games first."""
    games: Counter[str] = Counter()
    kinds: Counter[tuple[str, str]] = Counter()
    given_up: Counter[str] = Counter()
    faulty: Counter[str] = Counter()
    for game in source.results:
        names = [seat.entrant for seat in game.seats]
        games.update(names)
        kinds.update((names[fault.seat], fault.kind) for fault in game.faults)
        given_up.update(names[item.seat] for item in game.given_up)
        seats = {fault.seat for fault in game.faults}
        seats |= {item.seat for item in game.given_up}
        faulty.update(names[seat] for seat in seats)
    order = sorted(games, key=lambda name: (-faulty[name] / games[name], name))
    rows: Rows = tuple(
        (
            name,
            games[name],
            *(kinds[name, kind] for kind in FAULT_KINDS),
            given_up[name],
            faulty[name],
            100 * faulty[name] / games[name],
        )
        for name in order
    )
    return source.report(
        "faults",
        _summary([name for name in order if faulty[name]], given_up),
        Table(_COLUMNS, rows),
        notes=(
            "A bot that is late or answers illegally has its answer put in by the "
            "arena; after too many faults its seat is given up, and comes last in that "
            "game. `arena games faults` tells each fault with whose it was.",
        ),
    )


def _summary(faulty: list[str], given_up: Counter[str]) -> str:
    if not faulty:
        return "No bot had a fault in any game."
    had = f"{counted(len(faulty), 'bot')} had faults, most often {listed(faulty)}"
    lost = sum(given_up.values())
    if not lost:
        return f"{had}; no seat was given up, so that each game was played to its end."
    return f"{had}; seats were given up {counted(lost, 'time')}."
