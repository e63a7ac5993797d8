"""
The Python SDK of Hearts Arena.

>>> from hearts import Bot
>>> class Lowest(Bot):
...     def choose_card(self, turn):
...         return min(turn.choices, key=lambda card: card.rank)
"""

import hearts.grpc_core  # noqa: F401  The core reads it when grpc is imported.
from hearts.bot import Bot, highest_cards
from hearts.cards import (
    AC,
    AD,
    AH,
    AS,
    CARDS,
    JC,
    JD,
    JH,
    JS,
    KC,
    KD,
    KH,
    KS,
    QC,
    QD,
    QH,
    QS,
    RANKS,
    SUITS,
    TC,
    TD,
    TH,
    TS,
    Card,
    CardError,
    card_names,
    parse_card,
)
from hearts.game import DealEnded, Fault, GameEnded, GameStart, TimeControl
from hearts.program import run
from hearts.rules import Rules
from hearts.tricks import Trick
from hearts.turn import Turn

__all__ = [
    "Bot",
    "Card",
    "Turn",
    "run",
    "Trick",
    "GameStart",
    "DealEnded",
    "GameEnded",
    "Fault",
    "Rules",
    "TimeControl",
    "CARDS",
    "SUITS",
    "RANKS",
    "CardError",
    "parse_card",
    "card_names",
    "highest_cards",
    "TC",
    "JC",
    "QC",
    "KC",
    "AC",
    "TD",
    "JD",
    "QD",
    "KD",
    "AD",
    "TH",
    "JH",
    "QH",
    "KH",
    "AH",
    "TS",
    "JS",
    "QS",
    "KS",
    "AS",
]
