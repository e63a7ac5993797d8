"""
A rule set in words: the sentences that a player would read before sitting down.

`rules_words` goes through a deal and a game in their order, and leaves out what the
rules have no use for; `value_words` says any single option.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final

from arena.cards import card_name, card_names, cards_in, suit
from arena.meaning import Meaning
from arena.options import PassDirection, option_text, spade_penalties
from arena.play_meanings import PLAY_MEANINGS
from arena.rules import RuleSet
from arena.scoring_meanings import SCORING_MEANINGS

__all__ = ["MEANINGS", "cards_words", "points_words", "rules_words", "value_words"]

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
    if text in meaning.values:
        return meaning.values[text]
    return meaning.other.format(value=_value_text(option, text))


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
        yield f"{rules.kitty_size} of {count} cards are left over."
        yield value_words(rules, "leftover")
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
    yield {
        "that_card": f"{leader} leads that card.",
        "any_of_suit": f"{leader} leads any {suit_name}, or any card without one.",
        "any": f"{leader} leads any card that may be led.",
    }[rules.opening_play]
    if not is_eldest and cards_in(rules.pack).count(rules.opening) > 1:
        yield "If two seats hold one, the first of them from the dealer's left leads."
    if not is_eldest and rules.kitty_size:
        yield (
            f"If {opening} lies in the kitty, the lowest {suit_name} in any hand takes "
            "its place."
        )
    yield value_words(rules, "first_trick_ban")
    if rules.banned:
        clubless = " for a hand with a club" if not rules.banned_void else ""
        yield f"Banned are {cards_words(rules.banned)}{clubless}."
        yield value_words(rules, "first_trick_escape")
        if rules.announce_forced:
            yield value_words(rules, "announce_forced")


def _tricks(rules: RuleSet) -> Iterator[str]:
    yield (
        "Each seat plays a card, in turn to the left: of the suit led if it has one, "
        "otherwise any."
    )
    yield (
        "The highest card of the suit led takes the trick, ace high and two low; "
        "there are no trumps."
    )
    if rules.packs > 1:
        yield value_words(rules, "cancellation")
    yield "Whoever takes a trick leads to the next."
    if rules.cancellation:
        yield value_words(rules, "cancel_next_leader")
        yield value_words(rules, "cancel_last_trick")


def _leading_hearts(rules: RuleSet) -> Iterator[str]:
    yield value_words(rules, "hearts_lead")
    waits = rules.hearts_lead == "must_break" or rules.queen_lead == "after_broken"
    if waits:
        yield value_words(rules, "break_on")
        yield value_words(rules, "queen_breaks")
    if rules.hearts_lead == "must_break":
        yield value_words(rules, "unbroken_lead_exception")
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
        yield value_words(rules, "bonus_value")
        yield value_words(rules, "bonus_floor")


def _moon(rules: RuleSet) -> Iterator[str]:
    if (rules.moon, rules.sun) != ("off", "off"):
        yield (
            "The shooter is the seat that takes every card that costs points; one of "
            "them in other tricks, and all points stay where they are."
        )
    yield value_words(rules, "moon")
    if rules.moon != "off":
        yield value_words(rules, "moon_value")
        yield f"That is {rules.moon_points} here."
    if (rules.moon, rules.sun) != ("off", "off"):
        if rules.moon not in ("add", "off") or rules.sun not in ("add", "off"):
            yield value_words(rules, "moon_floor")
        if rules.bonus_card != "none":
            yield value_words(rules, "moon_needs_bonus")
            if rules.moon_needs_bonus != "for_full_value":
                yield value_words(rules, "moon_bonus")
        if "choice" in (rules.moon, rules.sun):
            yield value_words(rules, "moon_default")


def _sun(rules: RuleSet) -> Iterator[str]:
    if rules.sun == "off":
        return
    yield value_words(rules, "sun")
    yield value_words(rules, "sun_value")
    yield f"That is {rules.sun_points} here."


def _end(rules: RuleSet) -> Iterator[str]:
    yield value_words(rules, "target")
    yield value_words(rules, "end_when")
    if rules.exact_hit != "none":
        yield value_words(rules, "exact_hit")
    yield value_words(rules, "winner_pool")
    yield value_words(rules, "tie")
    if rules.tie == "further_deals":
        yield value_words(rules, "tie_recheck")
    yield value_words(rules, "max_deals")
