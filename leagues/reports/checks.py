"""How anybody checks what a closed league has published, as commands to be typed."""

from dataclasses import dataclass

from leagues.audit import Action
from leagues.reports.words import counted
from leagues.standings import Standings

__all__ = ["Check", "checks_of", "schedule_words"]


@dataclass(frozen=True, slots=True)
class Check:
    """A command, for a shell in the directory of the files."""

    command: str
    what: str
    """What it tells, to be read after the command."""


def checks_of(standings: Standings) -> tuple[Check, ...]:
    """Return the commands that check the files of this very league.

    All of them succeed where nothing was changed, whatever kind of league it is.
    """
    void = [one for one in standings.appeals.entries if one.action == Action.VOID]
    log = "arena league audit --file standings.json --records records.jsonl"
    log += " --void void.jsonl" if void else ""
    return (
        Check("sha256sum -c SHA256SUMS", "tells whether the files are whole"),
        Check(*_verify(standings)),
        Check(
            "arena rate records.jsonl --audit standings.json",
            "works the standings out from the records, and compares hashes and figures "
            "with the published ones",
        ),
        Check(
            "arena rate results.jsonl",
            "works them out from the results alone, each version of a bot by itself",
        ),
        Check(log, "checks the audit log, and that the records are those it goes with"),
    )


def _verify(standings: Standings) -> tuple[str, str]:
    """Return how records are checked; the rest can be once there is a secret."""
    league = standings.league
    command, what = "arena verify records.jsonl", "plays every game again"
    if not league.secret or league.practice_seed is not None:
        return command, what
    command += (
        f" --secret {league.secret} --schedule schedule.json --audit standings.json "
        f"--commitment {league.commitment}"
    )
    settled = "that it seats whom the schedule does, which was settled before"
    if league.window:
        settled = "that the deals were settled before"
    if (plans := _plans(standings)) > 1:
        settled = f"that it seats whom the {plans} plans of the league do"
    return command, f"{what}, deals it from the secret, and checks {settled}"


def schedule_words(standings: Standings) -> str:
    """Say what a closed league's schedule holds, and what of it was settled before."""
    if standings.league.window:
        return "the rules, which were settled before; who would come nobody knew"
    if (plans := _plans(standings)) > 1:
        later = counted(plans - 1, "later one")
        verb = "is" if plans == 2 else "are"
        return (
            f"rules, roster and all {plans} plans of games: the first was settled "
            f"before, the {later} {verb} in the audit log"
        )
    return "roster, rules and schedule, which were settled before"


def _plans(standings: Standings) -> int:
    """Return how many plans the league has had."""
    entries = standings.appeals.entries
    return 1 + sum(entry.action == Action.PLAN for entry in entries)
