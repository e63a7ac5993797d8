"""What the options of points, bonus, moon, sun and the end mean, in words."""

from collections.abc import Mapping
from typing import Final

from arena.meaning import Meaning

_SILENT: Final = "A shooter who does not choose in time "

SCORING_MEANINGS: Final[Mapping[str, Meaning]] = {
    "heart_values": Meaning(
        "what each heart costs",
        {
            "flat": "Each heart costs 1 point.",
            "spot": "Hearts cost their pips, from 2 to 10; jack, queen and king of "
            "hearts cost 10 each, the ace 15.",
            "rank": "Hearts cost their rank: 2 to 10, jack 11, queen 12, king 13, "
            "ace 14.",
            "pips10": "Hearts cost their pips, from 2 to 10; jack, queen, king and ace "
            "of hearts cost 10 each.",
            "face": "Hearts from 2 to 10 cost 1 point each, the jack 2, the queen 3, "
            "the king 4, the ace 5.",
        },
    ),
    "spade_penalties": Meaning(
        "which spades cost points",
        {"none": "No spade costs points."},
        "Points for spades: {value}.",
        "ranks with points like Q:13 K:10",
    ),
    "bonus_card": Meaning(
        "which card is a bonus for whoever takes it",
        {
            "none": "There is no bonus card.",
            "JD": "The jack of diamonds is a bonus for whoever takes it.",
            "TD": "The ten of diamonds is a bonus for whoever takes it.",
        },
    ),
    "bonus_value": Meaning(
        "what the bonus card adds to the score",
        other="The bonus card adds {value} to the score of whoever takes it.",
        other_name="-1000 to -1",
    ),
    "bonus_floor": Meaning(
        "how far down the bonus card may take a score",
        {
            "none": "The bonus may take a deal's score and a total below zero.",
            "hand": "The bonus takes the score of a deal no lower than 0; a score that "
            "is lower without it stays.",
            "total": "The bonus takes a total no lower than 0; a total that is lower "
            "without it stays.",
        },
    ),
    "moon": Meaning(
        "what happens when one seat, the shooter, takes every card that costs points",
        {
            "add": "The moon is added to the totals of all others; the shooter's own "
            "penalty points do not count.",
            "choice": "The shooter chooses: the moon is added to the totals of all "
            "others, or taken off the shooter's own; nobody's penalty points count.",
            "subtract": "The moon is taken off the shooter's own total, and the "
            "penalty points do not count.",
            "off": "There is no moon: whoever takes every card that costs points keeps "
            "the points.",
            "auto": "The moon is added to the totals of all others, unless one of them "
            "would still have less than the shooter; then it is taken off the "
            "shooter's own total.",
        },
    ),
    "moon_value": Meaning(
        "what the moon is worth",
        {"total": "The moon is worth all penalty points in the deal."},
        "The moon is worth {value} points.",
        "1 to 10000",
    ),
    "moon_floor": Meaning(
        "how far down a moon or sun may take the shooter's own total",
        {
            "none": "A moon or sun that is taken off a total may take it below zero.",
            "zero": "A moon or sun that is taken off a total takes it no lower than 0; "
            "a total that is lower already stays.",
        },
    ),
    "moon_needs_bonus": Meaning(
        "whether the shooter needs the bonus card as well",
        {
            "false": "A moon or sun does not need the bonus card.",
            "true": "A moon or sun needs the bonus card as well; without it the "
            "penalty points stick.",
            "for_full_value": "A moon or sun does not need the bonus card, but is "
            "worth more with it, by the value of the card, which then does not count "
            "itself.",
        },
    ),
    "moon_bonus": Meaning(
        "what the bonus card does for a shooter who holds it",
        {
            "keep": "A shooter's bonus card counts as usual, beside the moon or sun.",
            "fold": "A shooter's bonus card does not count itself; the moon or sun is "
            "worth more by its value.",
            "drop": "A shooter's bonus card does not count.",
        },
    ),
    "sun": Meaning(
        "what happens when the shooter has taken every trick of the deal as well",
        {
            "off": "Taking every trick is no more than taking every card that costs "
            "points.",
            "choice": "Taking every trick is the sun: the shooter chooses whether it "
            "is added to the totals of all others or taken off the own one; nobody's "
            "penalty points count.",
            "add": "Taking every trick is the sun: it is added to the totals of all "
            "others; the shooter's own penalty points do not count.",
            "subtract": "Taking every trick is the sun: it is taken off the shooter's "
            "own total, and the penalty points do not count.",
        },
    ),
    "sun_value": Meaning(
        "what the sun is worth",
        {
            "double": "The sun is worth twice the moon.",
            "same": "The sun is worth as much as the moon.",
        },
        "The sun is worth {value} points.",
        "1 to 10000",
    ),
    "target": Meaning(
        "how many points end the game",
        other="The game is played to {value} points.",
        other_name="1 to 100000",
    ),
    "end_when": Meaning(
        "when the target ends the game",
        {
            "reach": "The game ends after a deal in which somebody has reached the "
            "target or passed it.",
            "exceed": "The game ends after a deal in which somebody has passed the "
            "target; to be exactly there is not enough.",
        },
    ),
    "tie": Meaning(
        "what happens when seats are level on the lowest total at the end",
        {
            "further_deals": "When seats are level on the lowest total the table plays "
            "on, whole deals at a time, until one seat alone is lowest.",
            "draw": "Seats level on the lowest total end the game in a draw.",
            "shared": "Seats level on the lowest total share the win.",
        },
    ),
    "tie_recheck": Meaning(
        "when a game ends after a deal that a tie has forced",
        {
            "finish_condition": "After a tie, too, the game ends only when somebody is "
            "at the target and one seat is alone lowest.",
            "tie_only": "After a tie the game ends as soon as one seat is alone "
            "lowest, wherever the totals then are.",
        },
    ),
    "exact_hit": Meaning(
        "what a total of exactly the target becomes",
        {
            "none": "A total of exactly the target is a total like any other.",
            "to_zero": "A total that is exactly the target after a deal becomes 0.",
            "wins": "A total that is exactly the target after a deal wins the game at "
            "once.",
        },
        "A total that is exactly the target after a deal is lowered by {value}.",
        "minus_50 or another amount",
    ),
    "winner_pool": Meaning(
        "who can win",
        {
            "all": "The lowest total wins, whoever has it.",
            "not_over": "The lowest total of those that have not passed the target "
            "wins; if all have passed it, the lowest of all.",
        },
    ),
    "max_deals": Meaning(
        "after how many deals a game ends in any case",
        {"none": "A game may take any number of deals."},
        "So that every game ends: after {value} deals the totals decide, and equal "
        "ones share the place.",
        "1 to 1000",
    ),
    "moon_default": Meaning(
        "what a moon or sun does when the shooter does not choose in time",
        {
            "add": f"{_SILENT}adds to the totals of the others.",
            "best": f"{_SILENT}adds to the totals of the others, unless one of them "
            "would still have less; then takes it off the own total.",
            "subtract": f"{_SILENT}takes it off the own total.",
        },
    ),
}
"""What the options say of points, the moon and the end."""
