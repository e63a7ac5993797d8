"""Whether games from files are all those that standings were made of.

    proof = proof_of(evidence, games, altered=…)
    print(*proof.changed, proof.missing)

The hashes of records and the digest over them show it. A line of results has only the
hash of its record: that line's figures are its writer's word.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from arena.excerpt import shown
from leagues.appeals import appeals_of
from leagues.audit import Action
from leagues.claimed import first_difference
from leagues.evidence import Evidence, record_problems
from leagues.reports.merged import FileGame
from leagues.results import GameResult
from leagues.standings import LeagueFacts, Standings, standings_of

__all__ = ["Proof", "proof_of", "table_problem"]


@dataclass(frozen=True, slots=True)
class Proof:
    """What the games of a league in files are, beside its standings."""

    changed: tuple[str, ...] = ()
    """What says that games were changed or stand twice."""
    missing: str = ""
    """What says that games are missing, or that there are too many."""
    is_whole: bool = False
    """Whether these are all games that count."""
    is_digest_checked: bool = False
    """Whether these are all that were finished, so that the digest tells."""


def proof_of(
    evidence: Evidence, games: Iterable[FileGame], *, altered: Collection[str]
) -> Proof:
    """Compare games with the hashes in standings.

    Args:
        evidence: The standings; their log holds.
        games: Of files, also of other leagues, and with those that are void.
        altered: Where the records stand that have another hash than they say.
    """
    log = evidence.entries
    void = {entry.record for entry in log if entry.action == Action.VOID}
    own = [item for item in games if item.league == evidence.league]
    wrong = [
        f"{item.place}: the record of game {shown(item.game)} was changed"
        for item in own
        if item.place in altered
    ]
    own = [item for item in own if item.result.record_hash not in void]
    wrong += _twice(own)
    hashes = {item.result.number: item.result.record_hash for item in own}
    if wrong:
        return Proof(tuple(wrong))
    if len(hashes) == evidence.games_finished:
        wrong += (
            f"league {evidence.league}: {problem}"
            for problem in record_problems(evidence, hashes=hashes)
        )
        return Proof(tuple(wrong), is_whole=True, is_digest_checked=True)
    counting = appeals_of(log).counting([item.result for item in own])
    table = evidence.table
    young = len(counting)
    if table and table.window:
        young = min(young, table.window)
    if table and len(own) == len(counting) and young == table.games_counted:
        # What is published of results leaves out the games of excluded bots.
        return Proof(is_whole=True)
    return Proof(missing=next(iter(record_problems(evidence, hashes=hashes))))


def _twice(games: list[FileGame]) -> Iterator[str]:
    first: dict[int, FileGame] = {}
    for item in games:
        if (before := first.setdefault(item.result.number, item)) is not item:
            yield (
                f"{item.place}: game {shown(item.game)} stands twice, first in "
                f"{before.place}"
            )


def table_problem(
    evidence: Evidence,
    standings: Standings,
    facts: LeagueFacts,
    results: Iterable[GameResult],
) -> str:
    """Say where the table of standings differs first from that of all its games.

    Args:
        evidence: With the table.
        standings: What the games came to.
        facts: What these were made with; who is rated 1500 there may be another one.
        results: All games that count.
    """
    table = evidence.table
    if table is None:
        return ""
    same = replace(facts, anchor=table.anchor, versions=table.versions)
    if (same.anchor, same.versions) != (standings.anchor, facts.versions):
        standings = standings_of(same, results, appeals=standings.appeals)
    if difference := first_difference(table, standings):
        return f"the table is not that of these games: {difference}"
    return ""
