"""
Which options a rule set has a use for.

The value of a bonus card decides nothing where there is no bonus card, and nothing
can be forced on a trick that bans nothing. Whoever tells rules leaves such options
out, and games under rules that differ in nothing else are the same games.
"""

from collections.abc import Callable, Mapping
from typing import Final

from arena.cards import FULL_PACK, PACK_SIZE, SUIT_SETS, CardSet, suit
from arena.rules import OPTIONS, RuleSet

__all__ = ["ban_can_bite", "can_be_forced", "has_effect", "has_shot", "taken_off"]


def has_effect(rules: RuleSet, option: str) -> bool:
    """Tell whether what an option decides can come up under these rules."""
    assert option in OPTIONS
    matters = _CONDITIONS.get(option)
    return matters is None or matters(rules)


def has_shot(rules: RuleSet) -> bool:
    """Tell whether there is a moon or a sun."""
    return "off" != rules.moon or "off" != rules.sun


def taken_off(rules: RuleSet) -> list[str]:
    """Return which of `moon` and `sun` may be taken off the shooter's own total."""
    return [
        name for name in ("moon", "sun") if getattr(rules, name) not in ("add", "off")
    ]


def ban_can_bite(rules: RuleSet) -> bool:
    """
    Tell whether the ban can keep a hand from a card on the first trick.

    It can't when it spares hands without clubs and a club is led: all others
    follow suit.
    """
    if not rules.banned_void and not _first_suits(rules) & ~SUIT_SETS[0]:
        return False
    return bool(rules.banned)


def can_be_forced(rules: RuleSet) -> bool:
    """
    Tell whether a hand may have to play a banned card to the first trick.

    That takes a suit led of which it has only banned cards, or enough banned cards
    for a whole hand.
    """
    if rules.banned & _first_suits(rules):
        return True
    both = rules.banned_void | rules.banned_void << PACK_SIZE
    return (rules.pack & both).bit_count() >= rules.hand_size


def _first_suits(rules: RuleSet) -> CardSet:
    """Return the suits of which a card may be led to the first trick."""
    is_held = rules.opening_leader == "holder" and rules.opening_play != "any"
    return SUIT_SETS[suit(rules.opening)] if is_held else FULL_PACK


def _has_bonus(rules: RuleSet) -> bool:
    return rules.bonus_card != "none"


def _has_passes(rules: RuleSet) -> bool:
    return rules.pass_count > 0


def _has_opening_card(rules: RuleSet) -> bool:
    return rules.opening_leader == "holder" or rules.opening_play != "any"


def _waits_for_hearts(rules: RuleSet) -> bool:
    """Tell whether anything may be led only when hearts are broken."""
    return rules.lead_until_broken != FULL_PACK


def _has_cancellation(rules: RuleSet) -> bool:
    return rules.cancellation


def _is_moon_worth_known(rules: RuleSet) -> bool:
    """Tell whether the worth of the moon is asked for, if only by the sun."""
    return rules.moon != "off" or (
        rules.sun != "off" and rules.sun_value in ("double", "same")
    )


def _has_shot_with_bonus(rules: RuleSet) -> bool:
    return has_shot(rules) and _has_bonus(rules)


_CONDITIONS: Final[Mapping[str, Callable[[RuleSet], bool]]] = {
    "leftover": lambda rules: rules.kitty_size > 0,
    "pass_cycle": _has_passes,
    "opening_card": _has_opening_card,
    "first_trick_escape": can_be_forced,
    "announce_forced": can_be_forced,
    "break_on": _waits_for_hearts,
    "queen_breaks": _waits_for_hearts,
    "unbroken_lead_exception": _waits_for_hearts,
    "cancellation": lambda rules: rules.packs > 1,
    "cancel_next_leader": _has_cancellation,
    "cancel_last_trick": _has_cancellation,
    "bonus_value": _has_bonus,
    "bonus_floor": _has_bonus,
    "moon_value": _is_moon_worth_known,
    "moon_floor": lambda rules: bool(taken_off(rules)),
    "moon_needs_bonus": _has_shot_with_bonus,
    "moon_bonus": lambda rules: (
        _has_shot_with_bonus(rules) and rules.moon_needs_bonus != "for_full_value"
    ),
    "sun_value": lambda rules: rules.sun != "off",
    # A total of exactly the target is another before the end is tested.
    "end_when": lambda rules: rules.exact_hit == "none",
    "tie_recheck": lambda rules: rules.tie == "further_deals",
    "moon_default": lambda rules: "choice" in (rules.moon, rules.sun),
}
"""When an option matters; all others always do."""
