"""
Turns and answers as lines of text, for bots in any language.

A turn is one JSON object on one line, without blanks and with its keys always in
the same order, so that a bot may take it apart with patterns. The first of
`choices` is always good: a bot that names the first `count` of them answers
every kind of turn without knowing a rule. An answer is a JSON object, a JSON
list, or just words: `QS`, `QS KH AH`, `add`.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from hearts.answer import AnswerError, read_card, read_moon_choice
from hearts.arena.v1 import play_pb2
from hearts.cards import Card
from hearts.rules import Rules
from hearts.turn import Turn, remark_text

LINE_BYTES_MAX: Final = 4096
"""The longest line that a bot may write, its end included."""

_write_json: Final[Callable[[Any], str]] = json.JSONEncoder(
    separators=(",", ":")
).encode


class StrayLineError(AnswerError):
    """
    A line answers another turn than the one that was asked.
    """


def rules_json(rules: Rules) -> str:
    """
    Write the rules of a game, the same in each of its turns.
    """
    bonus = rules.bonus_card
    return _write_json(
        {
            "preset": rules.preset,
            "pack": _names(rules.pack),
            "card_points": [rules.points(card) for card in rules.pack],
            "hand_size": rules.hand_size,
            "bonus_card": bonus and bonus.name,
            "bonus_points": rules.bonus_points,
            "moon_points": rules.moon_points,
            "sun_points": rules.sun_points,
            # The turn itself tells how many seats there are, as a number.
            "options": {k: v for k, v in rules.options.items() if k != "players"},
        }
    )


def turn_line(turn: Turn, rules: str | None = None) -> str:
    """
    Write a turn, without a line end.

    Args:
        rules: What `rules_json` gave for the turn's game, if that is at hand.
    """
    message = turn.message
    winning = turn.winning_card
    line = _write_json(
        {
            "type": "turn",
            "turn": message.turn_id,
            "game": message.game_id,
            "kind": turn.kind,
            "seat": turn.seat,
            "players": turn.players,
            "deal": message.deal_number,
            "dealer": message.dealer,
            "hand": _names(turn.hand),
            "choices": _names(turn.choices) or turn.moon_choices,
            "count": message.answer_count,
            "trick": _names(turn.trick),
            "leader": turn.leader,
            "plays": _names(turn.plays),
            "leaders": turn.leaders,
            "pass": turn.pass_direction,
            "passed": _names(turn.passed),
            "received": _names(turn.received),
            "points": turn.points,
            "totals": turn.totals,
            "broken": message.hearts_broken,
            "time_ms": message.turn_left_ms,
            "bank_ms": message.bank_left_ms,
            "cancelled": turn.cancelled_tricks,
            "carried": _names(turn.carried),
            "forced": turn.forced_plays,
            "kitty": _names(turn.kitty),
            "worth": message.moon_points,
            "winning": winning and winning.name,
            "winner": turn.winning_seat,
        }
    )
    return f'{line[:-1]},"rules":{rules or rules_json(turn.rules)}}}'


def read_answer(line: str, turn: Turn) -> play_pb2.Answer:
    """
    Read the line that answers a turn.

    Raises:
        StrayLineError: The line names another turn.
        AnswerError: It is no answer; the message says what was expected.
    """
    answer = play_pb2.Answer(turn_id=turn.id)
    words = _read_words(line.strip(), answer)
    if turn.moon_choices:
        if len(words) != 1:
            raise AnswerError(f"{line.strip()!r} is not one of add, subtract")
        answer.moon_choice = read_moon_choice(words[0].lower(), "the line")
    else:
        answer.cards.extend([read_card(word, "the line") for word in words])
    return answer


def _names(cards: list[Card]) -> list[str]:
    return [card.name for card in cards]


def _read_words(text: str, answer: play_pb2.Answer) -> list[str]:
    """
    Take the chosen words out of a line, and a remark into the answer.
    """
    if not text.startswith(("{", "[", '"')):
        return text.replace(",", " ").split()
    try:
        value = json.loads(text)
    # Too many brackets for the reader are no answer either.
    except (ValueError, RecursionError) as error:
        raise AnswerError(f"{_excerpt(text)} is not JSON: {error}") from None
    if isinstance(value, dict):
        if value.get("turn", answer.turn_id) != answer.turn_id:
            raise StrayLineError(
                f"{_excerpt(text)} answers turn {value['turn']!r}; expected"
                f" {answer.turn_id}"
            )
        answer.note = remark_text(str(value.get("note", "")))
        value = value.get("cards", value.get("choice"))
    if isinstance(value, str):
        return value.replace(",", " ").split()
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return value
    raise AnswerError(
        f'{_excerpt(text)} is no answer; expected QS or {{"cards":["QS"]}}'
    )


def _excerpt(text: str) -> str:
    return text if len(text) <= 80 else text[:80] + "…"
