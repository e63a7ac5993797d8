"""The normal form of a league: canonical JSON of all that its file says.

It is stored when the league is created. A later run with the same form goes on
where the league stopped; with another form `changes` says what differs, and
whether that may be:

* may change: `tables_max`, `deadline_minutes`, `until` as long as the league is not
  finished, how long a start may take, when a bot version is suspended, who may meet
  in games that are not planned yet, which versions play those that are not begun
  yet, and how a command is run (`command`, `directory`, `protocol`, `max_restarts`,
  `sandbox`, `limits`, `readable`);
* may be named where nobody was: the `owner` of an entrant, for games that are not
  planned yet;
* may grow, in an open league: `games`. In a secret league it may not, or a host
  could play on until the standings please;
* may grow: the entrants, by new ones, who get the next numbers. The order in the file
  means nothing once the league is created (`in_order`);
* may change, in a ladder: how many games count, and whom it is open to;
* all the rest decides results and is refused.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from arena.document import canonical_json
from leagues.config import Entrant, LeagueConfig
from leagues.limits import NO_LIMITS

_FREE = frozenset(
    {"tables_max", "deadline_minutes", "time.start_ms", "owners", "until", "versions"}
)
STAYS = (
    "what it has played counts; leave it in the file, and `arena league withdraw` lets "
    "it play no more"
)
"""What is told who removes an entrant from the file of a league."""
_FREE_OF_LADDER = frozenset({"ladder.open_to", "ladder.window"})
_FREE_GROUP = "suspension."
_FREE_OF_ENTRANT = frozenset(
    {"command", "directory", "protocol", "max_restarts", "sandbox", "readable"}
    | asdict(NO_LIMITS).keys()
)


@dataclass(frozen=True, slots=True)
class Change:
    """One thing in which a league file differs from the league as it was created."""

    key: str
    """Where, for example `time.bank_ms` or `entrant careful.kind`."""
    old: str
    new: str
    is_allowed: bool
    why: str = ""
    """Why it is refused, where that does not go without saying."""

    def __str__(self) -> str:
        why = f": {self.why}" if self.why else ""
        verdict = "" if self.is_allowed else f" (refused{why})"
        return f"{self.key}: {self.old} -> {self.new}{verdict}"


def normalised(config: LeagueConfig, *, before: str = "") -> str:
    """Write the normal form: one line of JSON with sorted keys.

    Args:
        config: The league's file.
        before: The form that the league had. One without `versions` is older than that
            choice, and is left as it is by a file that does not choose.
    """
    time = config.time_control
    form: dict[str, object] = {
        "deadline_minutes": config.deadline_minutes,
        "entrants": [entrant_form(entrant) for entrant in config.entrants],
        "faults_max": config.faults_max,
        "games": config.games,
        "luck": config.luck,
        "name": config.name,
        "practice_seed": config.practice_seed,
        "rules": {
            "hash": config.rules.hash,
            "overrides": config.rules.overrides,
            "players": config.rules.players,
            "preset": config.rules.preset,
        },
        "suspension": {
            "after": config.suspension.after,
            "games": config.suspension.games.value,
            "share": config.suspension.share,
        },
        "tables_max": config.tables_max,
        "time": {
            "away_ms": time.away_ms,
            "bank_ms": time.bank_ms,
            "increment_ms": time.increment_ms,
            "start_ms": round(config.start_seconds * 1000),
            "turn_limit_ms": time.turn_limit_ms,
        },
    }
    if config.match is not None:
        form["match"] = config.match.form()
    if config.ladder is not None:
        form["ladder"] = config.ladder.form()
    if config.versions or not before or "versions" in json.loads(before):
        form["versions"] = config.versions_taken.value
    # Left out otherwise, as it was before there was a choice.
    form |= {} if config.owners_apart else {"owners": "mixed"}
    form |= {"until": config.until} if config.until else {}
    return canonical_json(form)


def in_order(config: LeagueConfig, entrants: Sequence[str]) -> LeagueConfig:
    """Return a configuration whose entrants stand in the order of their numbers.

    Args:
        config: As the file has it.
        entrants: Those who have numbers, in their order; all others come after them.
    """
    known = {name: number for number, name in enumerate(entrants)}
    ordered = sorted(
        config.entrants, key=lambda entrant: known.get(entrant.name, len(known))
    )
    return replace(config, entrants=tuple(ordered))


def changes(old: str, new: str) -> list[Change]:
    """Compare two normal forms, whose entrants are in order, and judge what differs."""
    former, latter = json.loads(old), json.loads(new)
    found = _roster_changes(former["entrants"], latter["entrants"])
    staying = _names(former) & _names(latter)
    for form in (former, latter):
        form["entrants"] = [e for e in form["entrants"] if e["name"] in staying]
    before, after = dict(_flat(former)), dict(_flat(latter))
    grows = latter["games"] > former["games"] and former["practice_seed"] is not None
    found += [
        Change(
            key=key,
            old=before.get(key, "nothing"),
            new=after.get(key, "nothing"),
            is_allowed=_is_free(key)
            or (key in _FREE_OF_LADDER and key in before and key in after)
            or (_is_owner(key) and before.get(key) == '""')
            or (key == "games" and grows),
        )
        for key in sorted(before.keys() | after.keys())
        if before.get(key) != after.get(key) and key != "rules.hash"
    ]
    return sorted(found, key=lambda change: change.key)


def _names(form: dict[str, Any]) -> set[str]:
    return {entrant["name"] for entrant in form["entrants"]}


def _roster_changes(
    before: list[dict[str, Any]], after: list[dict[str, Any]]
) -> list[Change]:
    """Tell who has come, which may be, and who is gone, which may not."""
    old, new = ({one["name"]: one["kind"] for one in some} for some in (before, after))
    return [
        Change(
            key=f"entrant {name}",
            old=old.get(name, "nothing"),
            new=new.get(name, "nothing"),
            is_allowed=name in new,
            why="" if name in new else STAYS,
        )
        for name in old.keys() ^ new.keys()
    ]


def entrant_form(entrant: Entrant) -> dict[str, object]:
    return {
        "command": list(entrant.command),
        "directory": entrant.directory,
        "house": entrant.house,
        "kind": entrant.kind,
        "limits": asdict(entrant.limits),
        "max_restarts": entrant.max_restarts,
        "name": entrant.name,
        "owner": entrant.owner,
        "protocol": entrant.protocol,
        "readable": list(entrant.readable),
        "sandbox": entrant.sandbox.value,
    }


def _flat(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every plain value under a name for people, as JSON text."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "entrants":
                yield from _flat_entrants(item)
            else:
                yield from _flat(item, f"{path}.{key}" if path else key)
    else:
        yield path, canonical_json(value)


def _flat_entrants(entrants: list[dict[str, object]]) -> Iterator[tuple[str, str]]:
    """Name entrants rather than count them, so that a swap reads as one."""
    yield "order of entrants", ", ".join(str(entrant["name"]) for entrant in entrants)
    for entrant in entrants:
        for key, item in entrant.items():
            if key != "name":
                yield from _flat(item, f"entrant {entrant['name']}.{key}")


def _is_free(key: str) -> bool:
    if key.startswith("entrant "):
        return key.rpartition(".")[2] in _FREE_OF_ENTRANT
    return key in _FREE or key.startswith(_FREE_GROUP)


def _is_owner(key: str) -> bool:
    return key.startswith("entrant ") and key.endswith(".owner")
