"""
The answer that a bot's choice makes.
"""

from typing import Any, Final

from hearts.arena.v1 import game_pb2, play_pb2
from hearts.bot import Bot, ChoosesCards
from hearts.cards import Card, CardError
from hearts.game import MOON_CHOICE_NAMES
from hearts.turn import Turn

_PASS: Final = game_pb2.TURN_KIND_PASS
_PLAY: Final = game_pb2.TURN_KIND_PLAY
_MOONS: Final = (game_pb2.TURN_KIND_MOON, game_pb2.TURN_KIND_SUN)
_MOON_CHOICES: Final = {name: choice for choice, name in MOON_CHOICE_NAMES.items()}
_DEFAULTS: Final = Bot()

NOTE_MAX: Final = 200
"""The most characters of a note."""


class AnswerError(ValueError):
    """
    A bot gave something that cannot be an answer.
    """


def ask(
    bot: ChoosesCards, turn: Turn, answer: play_pb2.Answer | None = None
) -> play_pb2.Answer:
    """
    Put a turn to its bot.

    The answer need not be legal; the arena judges that.

    Args:
        answer: The empty message to put it into; by default a new one.

    Raises:
        AnswerError: What the bot gave cannot be an answer.
        Exception: Whatever the bot raises.
    """
    if answer is None:
        answer = play_pb2.Answer()
    message = turn.message
    kind = message.kind
    if kind == _PLAY:
        card: Any = bot.choose_card(turn)
        if card.__class__ is not Card:
            card = read_card(card, "choose_card")
        answer.cards.append(card)
    elif kind == _PASS:
        choose_pass = getattr(bot, "choose_pass", _DEFAULTS.choose_pass)
        answer.cards.extend(_read_cards(choose_pass(turn)))
    elif kind in _MOONS:
        choose_moon = getattr(bot, "choose_moon", _DEFAULTS.choose_moon)
        answer.moon_choice = read_moon_choice(choose_moon(turn), "choose_moon")
    else:
        _take_first(message, answer)
    answer.turn_id = message.turn_id
    if turn.remark:
        answer.note = turn.remark
    return answer


def failure_note(error: Exception, remark: str) -> str:
    """
    What is noted beside an answer that failed, since records are all that a host has.

    Of an exception only its kind: its text may hold what is nobody's business.
    """
    is_ours = isinstance(error, AnswerError)
    said = str(error) if is_ours else f"raised {type(error).__name__}"
    return (f"{said}; {remark}" if remark else said)[:NOTE_MAX]


def _take_first(message: game_pb2.Turn, answer: play_pb2.Answer) -> None:
    """
    Answer a turn with the first of its choices, as if of a kind not known here.
    """
    if message.choices:
        answer.cards.extend(message.choices[: message.answer_count])
    elif message.moon_choices:
        answer.moon_choice = message.moon_choices[0]


def read_card(value: Any, source: str) -> Any:
    """
    Read a card from a card, its number or its name.

    Raises:
        AnswerError: It is none, naming the `source` that gave it.
    """
    # What is returned is a `Card`; the stubs know another class of that name.
    try:
        return Card(value)
    except (CardError, TypeError):
        raise AnswerError(
            f"{source} gave {value!r}; expected a card of turn.choices"
        ) from None


def read_moon_choice(value: Any, source: str) -> game_pb2.MoonChoice:
    """
    Read a way to score the moon from its name.

    Raises:
        AnswerError: It is none, naming the `source` that gave it.
    """
    choice = _MOON_CHOICES.get(value) if isinstance(value, str) else None
    if choice is None:
        raise AnswerError(f"{source} gave {value!r}; expected 'add' or 'subtract'")
    return choice


def _read_cards(values: Any) -> list[Any]:
    try:
        return [read_card(value, "choose_pass") for value in values]
    except TypeError:
        raise AnswerError(
            f"choose_pass gave {values!r}; expected a list of cards"
        ) from None
