"""The lines above a table of standings: which league it is, and what ends it."""

from typing import Final

from leagues.blocks import ARRANGE, NONE, ROTATE, SHARED, Withheld, blocks_of
from leagues.reports.words import counted
from leagues.standings import STOPPED_BY, Standings

__all__ = ["head_lines"]

_DEALS: Final = {
    NONE: "each game its own",
    ROTATE: "the same in all rotations of a seating",
    ARRANGE: "the same in all arrangements of the two",
    SHARED: "some games share theirs",
}


def head_lines(standings: Standings) -> list[str]:
    """Say in a few lines which league it is."""
    league = standings.league
    lines = [
        f"League {league.name}: {league.state}, {_games_text(standings)}",
        *_match_lines(standings),
        *_ending_lines(standings),
        f"Rules {league.rules}; deals: {_deals(standings)}",
        _elo_line(standings),
        *_luck_lines(standings),
    ]
    if league.practice_seed is not None:
        lines.append(
            f"Open deals, not for competition; practice seed {league.practice_seed!r}"
        )
    if league.trusted:
        lines.append(f"Trusted, without a sandbox: {', '.join(league.trusted)}")
    lines += [f"Suspended: {text}" for text in league.suspended]
    return [*lines, *_appeal_lines(standings)]


def _match_lines(standings: Standings) -> list[str]:
    """Say of a match where its result is told: it is no question of ratings."""
    league = standings.league
    if league.match is None:
        return []
    one, other = league.match.sides
    told = f"`arena league report {league.name} match` tells which is better"
    return [f"Match of {one} against {other}: {told}"]


def _games_text(standings: Standings) -> str:
    """Say how many games there are, and how many of a ladder count."""
    league, finished = standings.league, standings.games_finished
    if league.until and not league.stopped_by and league.state != "finished":
        # How many there will be is for the time to decide.
        return f"{counted(finished, 'game')} so far"
    if not league.window:
        return f"{finished} of {league.games_planned} games"
    which = " without excluded bots" if standings.appeals.excluded else ""
    some = f", of which the last {league.window}{which} count"
    return counted(finished, "game") + (some if finished > league.window else "")


def _ending_lines(standings: Standings) -> list[str]:
    """Say what ends a league other than its schedule."""
    league = standings.league
    lines = []
    if league.until:
        until = league.until[:16].replace("T", " ")
        lines.append(f"Time: as many whole rounds as end before {until} UTC")
    if league.stopped_by:
        verb = "Ended" if league.state == "finished" else "Ends"
        left = league.games_planned - standings.games_finished
        if league.window:
            # Of a ladder nobody had planned to play more.
            left = 0
        rest = f", {counted(left, 'game')} left unplayed" if left > 0 else ""
        lines.append(f"{verb} by {STOPPED_BY[league.stopped_by]}{rest}")
    return lines


def _elo_line(standings: Standings) -> str:
    """Say what ratings are measured from, and where that is to be seen."""
    anchor = standings.anchor
    is_hidden = anchor and all(row.entrant != anchor for row in standings.short)
    note = f" (not shown: {anchor}, the anchor)" if is_hidden else ""
    origin = f"{anchor or 'the mean'} = 1500{note}"
    return f"Ratings (Elo): {origin}; +/- holds in 19 leagues of 20"


def _luck_lines(standings: Standings) -> list[str]:
    """Say how far the blocks of a rotated league have come, and what they are for."""
    league = standings.league
    if league.luck == NONE:
        return []
    effect = standings.design_effect
    # Games from files come without their schedule.
    planned = f" of {league.blocks_planned}" if league.blocks_planned else ""
    lines = [
        f"Blocks: {standings.blocks}{planned}, {_shared(standings)}"
        + ("" if effect is None else f"; design effect {effect:.2f}")
    ]
    withheld = Withheld(league.withheld_games, league.withheld_blocks)
    if withheld.games:
        lines.append(f"Not counted: {withheld}")
    return lines


def _shared(standings: Standings) -> str:
    """Say what the games of a block have in common."""
    luck, players = standings.league.luck, standings.league.players
    if luck not in (ROTATE, ARRANGE):
        return "each of games with the same deals"
    size = blocks_of(luck, seats=players).size
    count = f"all {size}" if _are_whole(standings) else f"up to {size}"
    if luck == ARRANGE:
        return f"each two bots in {count} arrangements with the same deals"
    return f"each a seating in {count} rotations with the same deals"


def _deals(standings: Standings) -> str:
    """Say which games have the same deals."""
    text = _DEALS[standings.league.luck]
    return text if _are_whole(standings) else text.replace("in all", "in the")


def _are_whole(standings: Standings) -> bool:
    """Tell whether all games of each block count.

    A game may be void, and a league may end or be cut off within a block.
    """
    league = standings.league
    size = blocks_of(league.luck, seats=league.players).size
    return standings.games_counted == standings.blocks * size


def _appeal_lines(standings: Standings) -> list[str]:
    """Say what the host has decided that is in force."""
    appeals = standings.appeals
    lines = []
    if appeals.pause is not None:
        lines.append(f"Paused by {appeals.pause.by}: {appeals.pause.reason}")
    if appeals.excluded:
        names = ", ".join(sorted(appeals.excluded))
        lines.append(f"Excluded: {names}; games that count: {standings.games_counted}")
    if appeals.joined:
        lines.append(f"Joined late: {', '.join(appeals.joined)}")
    if appeals.withdrawn:
        names = ", ".join(sorted(appeals.withdrawn))
        lines.append(f"Withdrawn, with what they have played: {names}")
    return lines
