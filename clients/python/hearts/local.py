"""
Games in this process, without a network, for training and for tests.

The turns are the ones that an arena would send, the rules are its engine's:

    [result] = hearts.local.play([MyBot, "careful", "careful", "dodger"], seed=7)
    print(result.totals, result.places)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any, Final

from hearts import house
from hearts.bot import ChoosesCards

_GROUP: Final = "hearts.local"


class EngineMissingError(ImportError):
    """
    The engine that deals and knows the rules is not installed.
    """


class IllegalAnswerError(ValueError):
    """
    A bot's answer breaks the rules; the message says where and what was expected.
    """


@dataclass(frozen=True, slots=True)
class GameResult:
    """
    What one game came to. Seats are in the order in which the bots were given.
    """

    game_id: str

    points: tuple[tuple[int, ...], ...]
    """The score of each complete deal, by seat, with moon, sun and bonus card."""

    totals: tuple[int, ...]
    """The totals after the last complete deal, by seat."""

    places: tuple[int, ...] | None
    """The places by seat, 1 the best, equal ones shared; None when the game was
    cut off after the number of deals that was asked for."""

    record: str = field(repr=False)
    """The game as one line of JSON, such as `arena games export` writes."""


def play(
    bots: Sequence[Callable[[], ChoosesCards] | str],
    *,
    deals: int | None = None,
    games: int = 1,
    seed: int = 0,
    rules: str | Mapping[str, object] = "arena",
) -> list[GameResult]:
    """
    Play games between bots in this process, without clocks.

    The same bots and seed give the same games. What a bot raises comes through,
    and an illegal answer raises, so that a test notices.

    Args:
        bots: One class for each seat, or the name of a house bot, such as
            `careful`; each game gets new objects of them.
        deals: How many deals to play, over as many games as that takes; then the
            last game is cut off.
        games: How many whole games to play when `deals` is not given.
        seed: Decides the deals.
        rules: The name of a preset, or a table of options as in a league file.

    Raises:
        EngineMissingError: The engine is not installed.
        IllegalAnswerError: A bot answered what the rules do not allow.
        ValueError: An argument is out of range, or there is no such house bot.
    """
    classes = [_house_bot(bot) if isinstance(bot, str) else bot for bot in bots]
    results: list[GameResult] = _find_engine()(
        classes, deals=deals, games=games, seed=seed, rules=rules
    )
    return results


def _house_bot(name: str) -> Callable[[], ChoosesCards]:
    if name not in house.BOTS:
        raise ValueError(
            f"{name!r} is no house bot; expected one of {', '.join(house.BOTS)}"
        )
    return house.BOTS[name]


def _find_engine() -> Callable[..., Any]:
    # Found by its entry point, because this package knows nothing of the arena's.
    advice = "hearts.local needs the engine: pip install . in a clone"
    try:
        [entry] = metadata.entry_points(group=_GROUP)
    except ValueError:
        raise EngineMissingError(advice) from None
    try:
        engine: Callable[..., Any] = entry.load()
    except ModuleNotFoundError as error:
        raise EngineMissingError(f"{advice} ({error})") from error
    return engine
