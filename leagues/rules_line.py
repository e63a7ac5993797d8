"""Rules in a few words: the preset and what differs from it."""

from arena.rules import RuleSet

__all__ = ["rules_line"]

_SEATS_USUAL = 4


def rules_line(rules: RuleSet) -> str:
    """Return text like `party, 7 seats, target = 50`."""
    seats = [] if rules.players == _SEATS_USUAL else [f"{rules.players} seats"]
    options = [f"{name} = {text}" for name, text in rules.overrides.items()]
    return ", ".join([rules.preset, *seats, *options])
