"""
Positions that real play can reach, for the laws of Hearts.

A position is drawn as a rule set, a seed and a number of answers, and then played
out to that point: so each one is reachable, and shrinking leads to early ones.
"""

import random

from hypothesis import strategies as st

from arena.cards import card_set, cards_in
from arena.deal import Deal
from arena.rules import PassDirection, RuleSet, parse_rules
from arena.seeds import deal_hands

PLAY_OPTIONS: dict[str, tuple[str, ...]] = {
    "opening_leader": ("holder", "eldest"),
    "opening_play": ("that_card", "any_of_suit", "any"),
    "first_trick_ban": ("penalties", "hearts", "unless_no_clubs", "none"),
    "first_trick_escape": ("any", "hearts", "queen"),
    "hearts_lead": ("must_break", "free"),
    "break_on": ("heart_played", "heart_discarded"),
    "queen_breaks": ("no", "played", "discarded"),
    "unbroken_lead_exception": ("only_hearts", "only_penalties"),
}
"""The options that decide which cards are legal, with the values in use."""

ANSWERS = 4 + 52
"""The answers of a deal: four passes and all cards."""


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Draw rules that differ in the play of the cards."""
    options: dict[str, object] = {
        name: draw(st.sampled_from(values)) for name, values in PLAY_OPTIONS.items()
    }
    if options["opening_play"] == "that_card":
        options["opening_leader"] = "holder"
    return parse_rules(options)


@st.composite
def reachable_deals(draw: st.DrawFn) -> Deal:
    """Draw a deal that random answers have brought somewhere, perhaps to its end."""
    answers = draw(st.integers(0, ANSWERS))
    return played_deal(draw(seeds()), rules=draw(rule_sets()), answers=answers)


def seeds() -> st.SearchStrategy[int]:
    """Draw what decides a random deal."""
    return st.integers(0, 2**32 - 1)


def played_deal(seed: int, *, rules: RuleSet, answers: int = ANSWERS) -> Deal:
    """Return a random deal after so many random answers, passes included."""
    chance = random.Random(seed)
    dealer = chance.randrange(rules.players)
    hands = deal_hands(seed.to_bytes(32, "big"), 0, rules, dealer)
    direction = chance.choice(list(PassDirection))
    deal = Deal(rules, hands, dealer=dealer, direction=direction)
    for _ in range(answers):
        if deal.is_over:
            break
        answer(deal, chance)
    return deal


def answer(deal: Deal, chance: random.Random) -> None:
    """Give a deal one random answer."""
    if deal.is_passing:
        waiting = [seat for seat in range(deal.players) if not deal.passed[seat]]
        seat = chance.choice(waiting)
        cards = chance.sample(cards_in(deal.hands[seat]), deal.rules.pass_count)
        deal.pass_cards(seat, card_set(cards))
    else:
        deal.play(chance.choice(cards_in(deal.legal())))
