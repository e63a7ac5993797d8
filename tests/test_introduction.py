"""What bots say of themselves: who can play what, and why somebody can't."""

import pytest

from arena.introduction import Introduction
from arena.rules import preset
from arena.server import Presence

ARENA = Introduction("fox")
ANY = Introduction("owl", presets=("*",), players=tuple(range(3, 12)), two_packs=True)


@pytest.mark.parametrize(
    ("bot", "rules", "reason"),
    [
        (ARENA, preset("arena"), ""),
        (ARENA, preset("party"), "plays arena only, not party"),
        (ANY, preset("cancellation", players=7), ""),
        (
            Introduction("cat", presets=("*",), players=(3, 4)),
            preset("party", players=7),
            "plays at 3 and 4 seats only, not at 7",
        ),
        (
            Introduction("cat", presets=("cancellation",), players=(6,)),
            preset("cancellation"),
            "plays with one pack only, not with two",
        ),
        (
            Introduction("cat", presets=("arena", "spot", "party")),
            preset("cancellation", players=7),
            "plays arena, spot and party only, not cancellation; it plays at 4 seats "
            "only, not at 7; it plays with one pack only, not with two",
        ),
    ],
)
def test_a_refusal_says_what_is_missing(
    bot: Introduction, rules: object, reason: str
) -> None:
    """The preset, the number of seats and the packs must all be declared."""
    assert reason == bot.refusal(rules)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        (ARENA, ""),
        (ANY, ""),
        (Introduction("cat", presets=("whist", "party")), ""),
        (
            Introduction("cat", presets=("whist", "go")),
            "plays whist and go only, no preset of this arena",
        ),
        (Introduction("cat", players=(2, 12, 3)), ""),
        (
            Introduction("cat", players=(2, 12)),
            "plays at 2 and 12 seats only; tables have 3 to 11",
        ),
        (
            Introduction("cat", players=(8, 9)),
            "plays at more than 7 seats only, and with one pack only",
        ),
    ],
)
def test_whom_no_rules_suit_is_told_why(bot: Introduction, reason: str) -> None:
    """A bot is seated if any preset and any number of seats are possible."""
    assert reason == bot.idle_reason
    assert bot.idle_note.startswith(f"{bot.bot} {reason}, so it will not be seated; ")


def test_one_session_that_can_play_is_enough() -> None:
    """A bot is refused only if all its sessions are."""
    party = preset("party")

    assert "" == Presence(2, 16, 0, (ARENA, ANY)).refusal(party)
    assert "plays arena only, not party" == Presence(1, 8, 0, (ARENA,)).refusal(party)
    assert "" == Presence(1, 8, 0).refusal(party)
