"""Which match `arena match` plays: one to go on with, or one under a free name."""

from collections.abc import Callable, Sequence
from pathlib import Path

from arena.terminal import CommandError, counted, print_note
from leagues.commands.data import reading
from leagues.config import LeagueConfig
from leagues.match import ALPHA, BETA, Claims
from leagues.match_config import Side
from leagues.normal_form import Change, changes, normalised
from leagues.storage.database import FILE_NAME
from leagues.storage.league import League

__all__ = ["differences", "named_match", "next_match"]


def named_match(data: Path, config: LeagueConfig) -> LeagueConfig:
    """Return the match that `--name` asks for.

    Raises:
        CommandError: The name is that of something else.
    """
    league = _known(data).get(config.name)
    if league is None:
        return config
    if league.match is None:
        raise CommandError(
            f"--name: {config.name} is a league and no match; give another name"
        )
    if found := differences(league, config):
        state = "is finished" if league.state == "finished" else "exists"
        raise CommandError(
            f"--name: match {config.name} {state}, and was begun with "
            f"{', '.join(found)}; give another name, or the options that it has"
        )
    return config


def next_match(
    data: Path, sides: Sequence[Side], config: Callable[[str], LeagueConfig]
) -> LeagueConfig:
    """Return the match to go on with, else one with a name that is free."""
    known = _known(data)
    number, name = 1, "-".join(side.name for side in sides)
    base, unfinished = name, ""
    while (league := known.get(name)) is not None:
        made = config(name)
        if league.state != "finished" and league.match is not None:
            found = differences(league, made)
            if not found:
                print_note(
                    f"match {name} goes on: {counted(league.games_finished, 'game')} "
                    "of it are finished"
                )
                return made
            unfinished = f"{name} is unfinished, begun with {', '.join(found)}"
        number += 1
        name = f"{base}-{number}"
    if unfinished:
        print_note(f"match {unfinished}; beginning {name}")
    return config(name)


def _known(data: Path) -> dict[str, League]:
    if not (data / FILE_NAME).exists():
        return {}
    with reading(data) as store:
        return {league.name: league for league in store.leagues()}


def differences(league: League, config: LeagueConfig) -> tuple[str, ...]:
    """Say what a stored match has otherwise, as the command line would.

    Returns:
        A text for each option; none when it may go on as this match.
    """
    old, new = league.match, config.match
    assert old is not None
    assert new is not None
    is_over = league.state == "finished"
    refused = [
        change
        for change in changes(league.form, normalised(config, before=league.form))
        if not change.is_allowed or (change.key == "games" and is_over)
    ]
    texts = [
        _text(change, league)
        for change in refused
        # How many blocks a test has at most follows from its claims.
        if change.key != "games" or old.claims == new.claims
    ]
    return tuple(dict.fromkeys(texts))


def _text(change: Change, league: League) -> str:
    key, old = change.key, change.old.strip('"')
    is_unset = change.old in ("nothing", "null")
    if key == "match.programs":
        return "programs that have changed since"
    if key.startswith("match.claims"):
        match = league.match
        return _sprt(match.claims if match else None)
    if key == "games":
        return f"--blocks {len(league.seatings) // league.blocks.size}"
    if key == "practice_seed":
        return "no --seed" if is_unset else f"--seed {old}"
    if key.startswith("rules.overrides."):
        rule = key.removeprefix("rules.overrides.")
        return f"no --rule {rule}" if is_unset else f"--rule {rule}={old}"
    if key in ("rules.players", "rules.preset"):
        option = "--players" if key == "rules.players" else "--rules"
        return f"{option} {old}"
    if key.startswith(("entrant ", "order of entrants", "match.sides")):
        return "other bots, or the same ones run otherwise"
    return f"{key} = {change.old}"


def _sprt(claims: Claims | None) -> str:
    if claims is None:
        return "no --sprt"
    text = f"--sprt {claims.d0:g},{claims.d1:g}"
    if claims.alpha != ALPHA:
        text += f" --alpha {claims.alpha:g}"
    return text if claims.beta == BETA else f"{text} --beta {claims.beta:g}"
