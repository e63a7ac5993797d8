"""`arena games faults`: each fault of a league with its verdict and the figures."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.excerpt import shown
from arena.record import Fault, Record, RecordError, read_record
from arena.terminal import (
    DATA_DEFAULT,
    CommandError,
    DataOption,
    JsonOption,
    counted,
    print_columns,
    print_json,
    print_note,
    progress_bar,
)
from arena.verdict import KINDS, TimeHandedBack, Verdict, time_handed_back, verdicts
from leagues.commands.data import chosen_league, reading, tell_withheld
from leagues.storage.league import League
from leagues.storage.store import Store

__all__ = ["faults"]


@dataclass(frozen=True, slots=True)
class _Game:
    """What is told of one game; the record itself may be large."""

    name: str
    is_void: bool
    bots: tuple[str, ...]
    tricks: int
    """The number of the last trick of a deal."""
    explained: tuple[tuple[Fault, Verdict], ...]
    handed_back: TimeHandedBack


def faults(
    league: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="The league; by default the newest one."),
    ] = None,
    *,
    bot: Annotated[
        str, typer.Option(metavar="NAME", help="Only the faults of this bot.")
    ] = "",
    as_json: JsonOption = False,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Tell each fault of a league and whose it was: the bot's or the link's.

    A bot that was late was thinking (bot), had a link slower than is allowed (link),
    or gave no sign of life (unreachable). Time that the arena itself lost is handed
    back and never charged; the last line says how much it was.
    """
    with reading(data) as store:
        chosen = chosen_league(store, league)
        if bot and bot not in chosen.entrants:
            entrants = ", ".join(chosen.entrants)
            raise CommandError(
                f"league {chosen.name} has no bot {shown(bot)}; it has: {entrants}"
            )
        games = list(_games(store, chosen))
        tell_withheld(store, chosen)
    found = [
        (game, fault, verdict)
        for game in games
        for fault, verdict in game.explained
        if bot in ("", game.bots[fault.seat])
    ]
    if as_json:
        print_json(_summary(games, found))
    else:
        _print(games, found, bot)


def _games(store: Store, league: League) -> Iterator[_Game]:
    """Yield all games of a league that have a record, in their order, void ones too."""
    void = _void_games(store.directory / "void", league.name)
    total = league.games_finished
    with progress_bar("read", total=total) as bar:
        finished = ((n, read_record(line)) for n, line in store.records(league.name))
        for done, (number, record) in enumerate(finished, start=1):
            while void and void[0][0] <= number:
                yield void.pop(0)[1]
            yield _game(record)
            bar.update(done)
    yield from (game for _, game in void)


def _void_games(directory: Path, league: str) -> list[tuple[int, _Game]]:
    """Return what was kept of a league's void games, with the number of each."""
    found = []
    for file in sorted(directory.glob("*.json")):
        try:
            record = read_record(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecordError) as error:
            print_note(f"{file} is passed over: {error}")
            continue
        number = record.game.rpartition("-")[2]
        if record.league == league and number.isdecimal():
            found.append((int(number), _game(record)))
    return sorted(found, key=lambda item: item[0])


def _game(record: Record) -> _Game:
    return _Game(
        record.game,
        record.ending == "void",
        tuple(seat.bot for seat in record.seats),
        len(record.deals[0].hands[0].split()) if record.deals else 0,
        tuple(verdicts(record)),
        time_handed_back([record]),
    )


_Found = Sequence[tuple[_Game, Fault, Verdict]]


def _print(games: Sequence[_Game], found: _Found, bot: str) -> None:
    whose = f" of {bot}" if bot else ""
    if found:
        heads = ("Game", "Deal", "Trick", "Bot", "Fault", "Verdict", "Why")
        print_columns(heads, [_row(*item) for item in found])
        typer.echo()
        kinds = [kind for kind in KINDS if any(v.kind == kind for _, _, v in found)]
        counts = Counter((game.bots[f.seat], v.kind) for game, f, v in found)
        bots = sorted({name for name, _ in counts})
        rows = [
            (name, *(str(counts[name, kind] or "-") for kind in kinds)) for name in bots
        ]
        print_columns(("Faults by verdict", *kinds), rows)
    else:
        typer.echo(f"{counted(len(games), 'game')}, no fault{whose}")
    back = _sum(games)
    if back.turns:
        typer.echo(
            f"\nThe arena itself stood still for up to {back.most_ms / 1000:.3g} s: "
            f"{counted(back.turns, 'turn')} had {back.ms / 1000:,.3g} s handed back in "
            "all, and nobody was charged"
        )


def _row(game: _Game, fault: Fault, verdict: Verdict) -> tuple[str, ...]:
    trick = str(fault.trick) if fault.trick <= game.tricks else "moon"
    return (
        f"{game.name}, void" if game.is_void else game.name,
        str(fault.deal),
        trick if fault.trick else "pass",
        game.bots[fault.seat],
        fault.kind,
        verdict.kind,
        verdict.words,
    )


def _sum(games: Sequence[_Game]) -> TimeHandedBack:
    back = [game.handed_back for game in games]
    return TimeHandedBack(
        sum(item.turns for item in back),
        sum(item.ms for item in back),
        max((item.most_ms for item in back), default=0),
    )


def _summary(games: Sequence[_Game], found: _Found) -> dict[str, Any]:
    counts = Counter((game.bots[fault.seat], v.kind) for game, fault, v in found)
    return {
        "faults": [
            {
                "game": game.name,
                "void": game.is_void,
                "deal": fault.deal,
                "trick": fault.trick,
                "seat": fault.seat,
                "bot": game.bots[fault.seat],
                "kind": fault.kind,
                "verdict": verdict.kind,
                "why": verdict.words,
            }
            for game, fault, verdict in found
        ],
        "counts": [
            {"bot": name, "verdict": kind, "faults": count}
            for (name, kind), count in sorted(counts.items())
        ],
        "games": len(games),
        "handed_back": asdict(_sum(games)),
    }
