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


class AnswerError(ValueError):
    """
    A bot gave something that cannot be an answer.
    """


def ask(bot: ChoosesCards, turn: Turn) -> play_pb2.Answer:
    """
    Put a turn to its bot.

    The answer need not be legal; the arena judges that.

    Raises:
        AnswerError: What the bot gave cannot be an answer.
        Exception: Whatever the bot raises.
    """
    message = turn.message
    kind = message.kind
    if kind == _PLAY:
        card: Any = bot.choose_card(turn)
        if card.__class__ is not Card:
            card = read_card(card, "choose_card")
        # Like this it takes two thirds of the time.
        answer = play_pb2.Answer()
        answer.turn_id = message.turn_id
        answer.cards.append(card)
    elif kind == _PASS:
        choose_pass = getattr(bot, "choose_pass", _DEFAULTS.choose_pass)
        cards = _read_cards(choose_pass(turn))
        answer = play_pb2.Answer(turn_id=message.turn_id, cards=cards)
    elif kind in _MOONS:
        choose_moon = getattr(bot, "choose_moon", _DEFAULTS.choose_moon)
        choice = read_moon_choice(choose_moon(turn), "choose_moon")
        answer = play_pb2.Answer(turn_id=message.turn_id, moon_choice=choice)
    else:
        answer = any_answer(message)
    if turn.remark:
        answer.note = turn.remark
    return answer


def any_answer(message: game_pb2.Turn) -> play_pb2.Answer:
    """
    Answer a turn with the first of its choices, as if of a kind not known here.
    """
    answer = play_pb2.Answer(turn_id=message.turn_id)
    if message.choices:
        answer.cards.extend(message.choices[: message.answer_count])
    elif message.moon_choices:
        answer.moon_choice = message.moon_choices[0]
    return answer


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
