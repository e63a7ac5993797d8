"""What the options of deal, pass, tricks and breaking hearts mean, in words."""

from collections.abc import Mapping
from typing import Final

from arena.meaning import Meaning

_LAST: Final = "A cancelled last trick goes, with all that still lies on the table, to "
_KITTY: Final = "Cards that do not deal out evenly are a kitty, which goes to "
PLAY_MEANINGS: Final[Mapping[str, Meaning]] = {
    "players": Meaning(
        "how many seats the table has",
        other="There are {value} seats, each on its own.",
        other_name="3 to 11",
    ),
    "packs": Meaning(
        "how many packs are shuffled together",
        {
            "1": "One pack of 52 cards is used, without jokers.",
            "2": "Two packs are shuffled together, without jokers; every card is there "
            "twice.",
        },
    ),
    "removed": Meaning(
        "which cards are taken out before the deal",
        {"none": "No card is taken out."},
        "Taken out before the deal: {value}.",
        "cards like 2D 2C",
    ),
    "leftover": Meaning(
        "what becomes of cards that do not deal out evenly",
        {
            "remove": "The pack has to deal out evenly; nothing is left over.",
            "kitty_first_trick": f"{_KITTY}whoever wins the first trick.",
            "kitty_first_heart": f"{_KITTY}whoever wins the first trick with a heart "
            "in it.",
        },
    ),
    "first_dealer": Meaning(
        "who deals first",
        {
            "random": "The first dealer is drawn by lot.",
            "draw_low": "Each seat draws a card for the first deal; the lowest deals.",
            "seat0": "Seat 0 deals first.",
        },
    ),
    "pass_count": Meaning(
        "how many cards each seat passes before play",
        {"0": "No cards are passed."},
        "Each seat passes {value} cards of its choice, before it sees what it gets.",
        "1 to the size of a hand",
    ),
    "pass_cycle": Meaning(
        "where the cards go, deal by deal, and then from the beginning again",
        other="The passes of the deals go in turn: {value}.",
        other_name="left, right, across, hold, in any order",
    ),
    "opening_leader": Meaning(
        "who leads to the first trick",
        {
            "holder": "Whoever holds the opening card after the pass leads first.",
            "eldest": "The seat to the dealer's left leads first.",
        },
    ),
    "opening_card": Meaning(
        "which card opens",
        {"lowest_club": "The lowest club in the pack is the opening card."},
        "The opening card is {value}.",
        "a card like 2D",
    ),
    "opening_play": Meaning(
        "what may be led to the first trick",
        {
            "that_card": "The opening card has to be the first card led.",
            "any_of_suit": "The first lead may be any card of the opening card's suit.",
            "any": "The first lead is free, like any other.",
        },
    ),
    "first_trick_ban": Meaning(
        "what may not be played to the first trick",
        {
            "penalties": "No card that costs points may be played to the first trick, "
            "not even by a hand without the suit led.",
            "hearts": "No heart may be played to the first trick, but a spade that "
            "costs points may.",
            "unless_no_clubs": "No card that costs points may be played to the first "
            "trick by a hand with a club; a hand without clubs may play anything.",
            "none": "Nothing is banned from the first trick: whoever can't follow suit "
            "may throw any card.",
        },
    ),
    "first_trick_escape": Meaning(
        "what a hand may play to the first trick when all its choices are banned",
        {
            "any": "A hand whose every choice is banned may play any of them.",
            "hearts": "A hand whose every choice is banned plays a heart, if it can.",
            "queen": "A hand whose every choice is banned plays the queen of spades, "
            "if it can.",
        },
    ),
    "announce_forced": Meaning(
        "whether a banned card on the first trick is announced as forced",
        {
            "false": "A banned card that had to be played is not remarked on.",
            "true": "A banned card that had to be played is announced as forced; the "
            "hand is not shown.",
        },
    ),
    "hearts_lead": Meaning(
        "whether hearts have to be broken before they are led",
        {
            "must_break": "A heart may not be led until hearts are broken.",
            "free": "A heart may be led at any time.",
        },
    ),
    "break_on": Meaning(
        "which hearts break hearts",
        {
            "heart_played": "Any heart that is played breaks hearts, also one led by a "
            "hand of hearts alone.",
            "heart_discarded": "Only a heart thrown on another suit's lead breaks "
            "hearts; a heart led by a hand of hearts alone does not, and neither do "
            "those that follow it.",
        },
    ),
    "queen_breaks": Meaning(
        "whether the queen of spades breaks hearts",
        {
            "no": "The queen of spades does not break hearts.",
            "played": "The queen of spades breaks hearts, however she is played.",
            "discarded": "The queen of spades breaks hearts when she is thrown on "
            "another suit's lead.",
        },
    ),
    "unbroken_lead_exception": Meaning(
        "who may lead a heart although hearts are not broken",
        {
            "only_hearts": "A hand of hearts alone may lead one although they are not "
            "broken.",
            "only_penalties": "A hand of nothing but cards that cost points may lead "
            "any of them although hearts are not broken.",
        },
    ),
    "queen_lead": Meaning(
        "when the queen of spades may be led",
        {
            "free": "The queen of spades may be led at any time.",
            "after_broken": "The queen of spades may not be led until hearts are "
            "broken, except by a hand that has nothing else to lead.",
        },
    ),
    "cancellation": Meaning(
        "whether equal cards in one trick cancel each other",
        {
            "false": "Of two equal highest cards the first played wins the trick.",
            "true": "Two equal cards in one trick cancel: neither wins it, but both "
            "still score. The highest card left of the suit led wins; if there is "
            "none, the trick waits on the table for the winner of the next.",
        },
    ),
    "cancel_next_leader": Meaning(
        "who leads after a cancelled trick",
        {
            "same": "After a cancelled trick the seat that led it leads again.",
            "next_seat": "After a cancelled trick the seat left of its leader leads.",
        },
    ),
    "cancel_last_trick": Meaning(
        "who takes the last trick when it is cancelled",
        {
            "leader": f"{_LAST}the seat that led it.",
            "second_highest": f"{_LAST}whoever played its highest uncancelled card of "
            "any suit, or to its leader if all are cancelled.",
            "nobody": f"{_LAST}nobody, and scores for nobody.",
        },
    ),
}
"""What the options say of the deal, the pass and the tricks."""
