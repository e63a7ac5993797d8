"""House bots: opponents of graded strength, each a pure function of the turn."""

from hearts.bot import Bot
from hearts.house.careful import Careful

NAMES = ("random", "lowest", "ducker", "dodger", "careful", "daring")
BOTS: dict[str, type[Bot]] = dict.fromkeys(NAMES, Careful)
