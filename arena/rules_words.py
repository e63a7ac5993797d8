"""
A rule set in words: the sentences that a player would read before sitting down.

`rules_words` goes through a deal and a game in their order, and leaves out what the
rules have no use for; `value_words` says any single option.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final

from arena.cards import FULL_PACK, HEARTS, card_name, card_names, cards_in, suit
from arena.meaning import Meaning
from arena.options import PassDirection, option_text, spade_penalties
from arena.play_meanings import PLAY_MEANINGS
from arena.rules import RuleSet
from arena.rules_effect import (
    ban_can_bite,
    can_be_forced,
    has_effect,
    has_shot,
    taken_off,
)
from arena.scoring_meanings import SCORING_MEANINGS

__all__ = [
    "MEANINGS",
    "bonus_worth",
    "cards_words",
    "points_words",
    "rules_words",
    "value_words",
]

MEANINGS: Final[Mapping[str, Meaning]] = {**PLAY_MEANINGS, **SCORING_MEANINGS}
"""What every option means, in the order of the rules."""

_SUIT_NAMES: Final = ("club", "diamond", "heart", "spade")
_WAYS: Final[Mapping[PassDirection, str]] = {
    PassDirection.LEFT: "to the left",
    PassDirection.RIGHT: "to the right",
    PassDirection.ACROSS: "across the table",
    PassDirection.HOLD: "nowhere",
}


def value_words(rules: RuleSet, option: str) -> str:
    """Return what an option's value in these rules says, as a sentence."""
    meaning, text = MEANINGS[option], option_text(getattr(rules, option))
    if text not in meaning.values:
        return meaning.other.format(value=_value_text(option, text))
    return meaning.values[text].replace("moon or sun", _shots(rules, option))


def _shots(rules: RuleSet, option: str) -> str:
    """Return what an option is about here: the moon, the sun or both."""
    if option == "moon_floor":
        found = taken_off(rules)
    else:
        found = [name for name in ("moon", "sun") if getattr(rules, name) != "off"]
    return " or ".join(found or ("moon", "sun"))


def _told(rules: RuleSet, *options: str) -> Iterator[str]:
    """Say those of the options that have an effect."""
    for option in options:
        if has_effect(rules, option):
            yield value_words(rules, option)


def _value_text(option: str, text: str) -> str:
    if option == "pass_cycle":
        return ", ".join(text.split())
    if option == "exact_hit":
        return text.removeprefix("minus_")
    if option == "spade_penalties":
        costs = spade_penalties(text).items()
        return ", ".join(f"{card_name(card)} {points}" for card, points in costs)
    return text


def rules_words(rules: RuleSet) -> dict[str, list[str]]:
    """Return the rules as sentences, by the part of the game they are about."""
    parts = {
        "Deal": _deal(rules),
        "Pass": _pass(rules),
        "First trick": _first_trick(rules),
        "Tricks": _tricks(rules),
        "Leading hearts": _leading_hearts(rules),
        "Points": _points(rules),
        "Bonus": _bonus(rules),
        "Moon": _moon(rules),
        "Sun": _sun(rules),
        "End": _end(rules),
    }
    found = {part: list(sentences) for part, sentences in parts.items()}
    return {part: sentences for part, sentences in found.items() if sentences}


def _deal(rules: RuleSet) -> Iterator[str]:
    yield value_words(rules, "packs")
    yield value_words(rules, "removed")
    count = rules.pack.bit_count()
    yield (
        f"{count - rules.kitty_size} cards are dealt, one at a time from the dealer's "
        f"left: {rules.hand_size} to each of {rules.players} seats, for "
        f"{rules.hand_size} tricks."
    )
    if rules.kitty_size:
        verb = "is" if rules.kitty_size == 1 else "are"
        yield f"{rules.kitty_size} of {count} cards {verb} left over."
    yield from _told(rules, "leftover")
    yield value_words(rules, "first_dealer")
    yield "The deal passes one seat to the left each time."


def _pass(rules: RuleSet) -> Iterator[str]:
    yield value_words(rules, "pass_count")
    if not rules.pass_count:
        return
    if len(set(rules.pass_cycle)) == 1:
        yield f"They go {_WAYS[rules.pass_cycle[0]]} in every deal."
        return
    ways = [
        f"{_WAYS[direction]} in deal {number}"
        for number, direction in enumerate(rules.pass_cycle, start=1)
    ]
    yield f"They go {', '.join(ways)}; then it begins again."


def _first_trick(rules: RuleSet) -> Iterator[str]:
    opening = card_name(rules.opening)
    is_eldest = rules.opening_leader == "eldest"
    leader = f"Whoever holds {opening} after the pass"
    if is_eldest:
        leader = "The seat to the dealer's left"
    elif not rules.pass_count:
        leader = f"Whoever holds {opening}"
    suit_name = _SUIT_NAMES[suit(rules.opening)]
    free = _free_lead(rules)
    of_suit = f"{suit_name}, or without one {free}" if is_eldest else suit_name
    yield {
        "that_card": f"{leader} leads that card.",
        "any_of_suit": f"{leader} leads any {of_suit}.",
        "any": f"{leader} leads {free}.",
    }[rules.opening_play]
    if not is_eldest and cards_in(rules.pack).count(rules.opening) > 1:
        yield "If two seats hold one, the first of them from the dealer's left leads."
    if not is_eldest and rules.kitty_size:
        yield (
            f"If {opening} lies in the kitty, the lowest {suit_name} in any hand takes "
            "its place."
        )
    yield value_words(rules, "first_trick_ban")
    if rules.banned_void:
        yield f"Banned are {cards_words(rules.banned)}."
    elif rules.banned:
        yield _ban_with_clubs(rules)
    if can_be_forced(rules):
        yield value_words(rules, "first_trick_escape")
        if rules.announce_forced:
            yield value_words(rules, "announce_forced")


def _free_lead(rules: RuleSet) -> str:
    """Return what may be led to the first trick where no card or suit is set."""
    kept = rules.banned_void | (FULL_PACK & ~rules.lead_until_broken)
    names = ["a heart"] if kept & HEARTS else []
    names += [card_name(card) for card in cards_in(kept & ~HEARTS)]
    return f"any card but {' or '.join(names)}" if names else "any card"


def _ban_with_clubs(rules: RuleSet) -> str:
    """Say what a ban that spares hands without clubs comes to."""
    if not ban_can_bite(rules):
        return "So nothing is banned: a hand with a club follows the club that is led."
    words = f"Banned are {cards_words(rules.banned)} for a hand with a club"
    if (
        _SUIT_NAMES[suit(rules.opening)] != "diamond"
        or rules.opening_play != "that_card"
    ):
        return f"{words}."
    return (
        f"{words}: without diamonds, but with a club, it may not throw a heart on "
        f"{card_name(rules.opening)}."
    )


def _tricks(rules: RuleSet) -> Iterator[str]:
    yield (
        "Each seat plays a card, in turn to the left: of the suit led if it has one, "
        "otherwise any."
    )
    yield (
        "The highest card of the suit led takes the trick, ace high and two low; "
        "there are no trumps."
    )
    yield from _told(rules, "cancellation")
    yield "Whoever takes a trick leads to the next."
    yield from _told(rules, "cancel_next_leader", "cancel_last_trick")


def _leading_hearts(rules: RuleSet) -> Iterator[str]:
    yield value_words(rules, "hearts_lead")
    yield from _told(rules, "break_on", "queen_breaks")
    # Where only the queen waits, a hand of hearts alone is no exception.
    is_wider = rules.unbroken_lead_exception == "only_penalties"
    if rules.hearts_lead == "must_break" or is_wider:
        yield from _told(rules, "unbroken_lead_exception")
    yield value_words(rules, "queen_lead")


def _points(rules: RuleSet) -> Iterator[str]:
    yield value_words(rules, "heart_values")
    yield value_words(rules, "spade_penalties")
    twice = ", every card being there twice" if rules.packs > 1 else ""
    yield f"In a deal: {points_words(rules)}; {rules.total_points} in all{twice}."
    yield "They count for whoever takes the card; the number of tricks does not count."


def points_words(rules: RuleSet) -> str:
    """Return what each card costs, runs of equal cards together."""
    runs = groupby(cards_in(rules.penalties), key=lambda c: (suit(c), _cost(rules, c)))
    words = []
    for (_, points), run in runs:
        cards = list(run)
        each = " each" if len(cards) > 1 else ""
        words.append(f"{cards_words(sum(1 << c for c in cards))} {points}{each}")
    return ", ".join(words)


def _cost(rules: RuleSet, card: int) -> int:
    return rules.card_points[card]


def cards_words(cards: int) -> str:
    """Return the faces in a set as words, a run of a suit as `2H to AH`."""
    runs: list[list[int]] = []
    for card in cards_in(cards):
        if runs and card == runs[-1][-1] + 1 and suit(card) == suit(runs[-1][-1]):
            runs[-1].append(card)
        else:
            runs.append([card])
    return ", ".join(
        f"{card_name(run[0])} to {card_name(run[-1])}"
        if len(run) > 2
        else ", ".join(card_names(run).split())
        for run in runs
    )


def _bonus(rules: RuleSet) -> Iterator[str]:
    if rules.bonus_card != "none":
        yield value_words(rules, "bonus_card")
    yield from _told(rules, "bonus_value", "bonus_floor")


def _moon(rules: RuleSet) -> Iterator[str]:
    if has_shot(rules):
        yield (
            "The shooter is the seat that takes every card that costs points; one of "
            "them in other tricks, and all points stay where they are."
        )
    yield value_words(rules, "moon")
    if rules.moon != "off":
        yield value_words(rules, "moon_value")
        yield from _worth(rules, rules.moon_points, rules.moon_value)
    yield from _told(
        rules, "moon_floor", "moon_needs_bonus", "moon_bonus", "moon_default"
    )


def _sun(rules: RuleSet) -> Iterator[str]:
    if rules.sun == "off":
        return
    yield value_words(rules, "sun")
    if rules.moon == "off":
        yield "Without every trick the points stick, all of them too."
        yield f"The sun is worth {rules.sun_points} points."
        yield from _worth(rules, rules.sun_points, rules.sun_points)
        return
    yield "Every card that costs points, but not every trick, is a plain moon."
    yield value_words(rules, "sun_value")
    yield from _worth(rules, rules.sun_points, rules.sun_value)


def _worth(rules: RuleSet, points: int, value: int | str) -> Iterator[str]:
    """Say in figures what a moon or sun is worth, with the bonus card too."""
    most = points + bonus_worth(rules)
    cards = "the bonus card" if rules.packs == 1 else "both bonus cards"
    if most == points:
        if not isinstance(value, int):
            yield f"That is {points} here."
    elif rules.moon_needs_bonus == "true":
        yield f"That is {most} here, with {cards}."
    else:
        one = "" if rules.packs == 1 else f"{points - rules.bonus_value} with one, "
        yield f"That is {points} here, {one}and {most} with {cards}."


def bonus_worth(rules: RuleSet) -> int:
    """Return what all bonus cards make a moon or sun worth more, 0 for nothing."""
    if not rules.folds_bonus:
        return 0
    return -rules.bonus_value * rules.bonus_cards.bit_count()


def _end(rules: RuleSet) -> Iterator[str]:
    yield value_words(rules, "target")
    if rules.exact_hit == "none":
        yield value_words(rules, "end_when")
    else:
        yield value_words(rules, "exact_hit")
        # Nobody is exactly at the target when the end is tested.
        also = "also " if rules.exact_hit == "wins" else ""
        yield (
            f"The game {also}ends after a deal in which somebody has passed the target."
        )
    yield value_words(rules, "winner_pool")
    yield value_words(rules, "tie")
    yield from _told(rules, "tie_recheck")
    yield value_words(rules, "max_deals")
