"""The wire: the host's values as protobuf messages, and back.

A turn is encoded from the table's view at the moment its frame is made, see
`turn_bytes`; all else is built with the library. Numbers of cards, kinds and
directions are the same on both sides, so nothing is translated.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from arena.cards import cards_in
from arena.desk import OpenTurn
from arena.introduction import Introduction
from arena.news import DealNews, DrainNews, GameNews, News
from arena.rules import RuleSet
from arena.session import Closing, Frame, Rejection, Seat, Session
from arena.spec import GameSpec
from arena.table import Table, printable
from arena.turn_bytes import (
    NOTICES,
    RULES,
    STARTS,
    TURNS,
    deal_bytes,
    element,
    turn_bytes,
)
from arena.view import View
from hearts.arena.v1 import game_pb2, play_pb2

PROTOCOL_MINOR = 1
NO_LIMIT = float("inf")
LIMITS = {"bot_version": 40, "instance": 40, "sdk": 80}
"""The most characters of what a bot calls itself."""
MAX_GAMES_MOST = 1024
WORKERS_MOST = 64
PRESETS_MOST, PRESET_LENGTH_MOST, PLAYERS_MOST = 64, 40, 16
"""The most presets that a bot names, the longest, and the most numbers of seats."""

# The stubs want members of the generated enums; cards, kinds and directions are
# plain numbers here, the same ones.
_RULES: Any = game_pb2.Rules
_DEAL_ENDED: Any = game_pb2.DealEnded
_CARD_LIST: Any = game_pb2.CardList
_REJECTED: Any = play_pb2.Rejected
_TURN_CLOSED: Any = play_pb2.TurnClosed

_FAULT_KINDS = {
    "late": game_pb2.FAULT_KIND_LATE,
    "illegal": game_pb2.FAULT_KIND_ILLEGAL,
    "away": game_pb2.FAULT_KIND_AWAY,
    "start": game_pb2.FAULT_KIND_START,
}


class WireError(ValueError):
    """A message that breaks the protocol; the text names the field."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field} {problem}")
        self.field = field


# Out


def encode_frame(frame: Frame, arena: str, token: str = "") -> bytes:
    """Build the message for a frame, a `PlayResponse`, as it goes out.

    Args:
        frame: What to send.
        arena: The arena's software and version, for the welcome.
        token: The session's own token, for the welcome of a program that the
            arena started.
    """
    pieces = [
        *map(_start, frame.starts),
        *map(_news, frame.news),
        *map(_turn, frame.turns),
    ]
    if frame.has_more:  # Seldom.
        message = play_pb2.PlayResponse(
            rejections=_rejections(frame.rejections),
            closed=_closings(frame.closings),
        )
        if frame.welcome is not None:
            message.welcome.CopyFrom(_welcome(frame.welcome, arena, token))
        if frame.heartbeat:
            message.heartbeat.id = frame.heartbeat
        pieces.append(message.SerializeToString())
    return b"".join(pieces)


def turn_message(view: View, *, turn_id: int, game_id: str) -> game_pb2.Turn:
    """Build a `Turn` without a clock from what the seat may see."""
    deal = deal_bytes(view, game_id=game_id)
    return game_pb2.Turn.FromString(turn_bytes(view, turn_id=turn_id, deal=deal))


def start_message(spec: GameSpec, seat: int) -> game_pb2.GameStart:
    """Build the `GameStart` for one seat of a game."""
    return game_pb2.GameStart.FromString(_start_bytes(spec, seat))


def _start_bytes(spec: GameSpec, seat: int) -> bytes:
    """Return a `GameStart` whose rules, by far the most of it, are encoded once."""
    control = spec.time_control
    message = game_pb2.GameStart(
        game_id=spec.game_id,
        seat=seat,
        players=spec.rules.players,
        seat_names=[wanted.bot for wanted in spec.seats],
        time_control=game_pb2.TimeControl(
            bank_ms=control.bank_ms,
            increment_ms=control.increment_ms,
            turn_limit_ms=control.turn_limit_ms,
        ),
        table_key=spec.table_key,
        league=spec.league,
        faults_max=spec.faults_max,
    )
    rules = _rules_bytes(spec.rules, spec.rules.preset)
    return message.SerializeToString() + element(RULES, rules)


def rules_message(rules: RuleSet) -> game_pb2.Rules:
    """Return the message that describes a rule set; read it, never change it."""
    return _rules_message(rules, rules.preset)


@lru_cache(maxsize=64)
def _rules_message(rules: RuleSet, preset: str) -> game_pb2.Rules:
    # Equal rules may have come under several names.
    pack = cards_in(rules.pack)
    bonus = cards_in(rules.bonus_cards)
    message: game_pb2.Rules = _RULES(
        preset=preset,
        players=rules.players,
        overrides=rules.overrides,
        hash=rules.hash,
        options=rules.options,
        pack=pack,
        card_points=[rules.card_points[card] for card in pack],
        hand_size=rules.hand_size,
        moon_points=rules.moon_points,
        sun_points=rules.sun_points,
    )
    if bonus:
        message.bonus_card = bonus[0]  # type: ignore[assignment]
        message.bonus_points = rules.bonus_value
    return message


@lru_cache(maxsize=64)
def _rules_bytes(rules: RuleSet, preset: str) -> bytes:
    return _rules_message(rules, preset).SerializeToString()


def deal_ended_message(news: DealNews) -> game_pb2.DealEnded:
    """Build the notice that a deal ended."""
    table, result = news.table, news.result
    deal = table.game.deals[news.index]
    message: game_pb2.DealEnded = _DEAL_ENDED(
        game_id=table.spec.game_id,
        deal_number=news.index + 1,
        points=result.points,
        totals=result.totals,
        hands=[_CARD_LIST(cards=cards_in(hand)) for hand in deal.dealt],
        plays=deal.plays,
        leaders=deal.leaders,
        cancelled_tricks=deal.cancelled_tricks,
        kitty=cards_in(deal.kitty),
    )
    if result.shooter is not None:
        message.is_sun = result.is_sun
        message.moon_seat = result.shooter
        if result.moon_choice is not None:
            message.moon_choice = int(result.moon_choice)  # type: ignore[assignment]
    return message


def game_ended_message(table: Table, seat: int) -> game_pb2.GameEnded:
    """Build the notice that a game ended, with the seat's own faults."""
    message = game_pb2.GameEnded(
        game_id=table.spec.game_id,
        faults=[
            game_pb2.Fault(
                seat=fault.seat,
                deal_number=fault.deal,
                trick_number=fault.trick,
                kind=_FAULT_KINDS[fault.kind],
                cause=fault.reason or fault.kind,
            )
            for fault in table.faults
            if fault.seat == seat
        ],
    )
    if table.void_reason:
        message.ending = game_pb2.GAME_ENDING_VOID
        message.message = table.void_reason
    else:
        message.ending = game_pb2.GAME_ENDING_FINISHED
        message.totals.extend(table.game.totals)
        message.places.extend(table.game.places())
    return message


def _turn(turn: OpenTurn[Seat]) -> bytes:
    seat, clock = turn.owner, turn.clock
    view = seat.table.view(seat.index)
    key = (view.deal_number, view.passed, view.received)
    if seat.deal_key != key:
        seat.deal_bytes = deal_bytes(view, game_id=seat.table.spec.game_id)
        seat.deal_key = key
    limit = turn.time_limit() if turn.spent else clock.limit()
    left_ms = 0 if limit == NO_LIMIT else int((limit - turn.spent) * 1000) or 1
    message = turn_bytes(
        view,
        turn_id=turn.id,
        deal=seat.deal_bytes,
        limit_ms=left_ms,
        bank_ms=int(clock.bank * 1000),
        charged_ms=int(clock.last_charged * 1000),
    )
    return element(TURNS, message)


def _start(seat: Seat) -> bytes:
    return element(STARTS, _start_bytes(seat.table.spec, seat.index))


def _welcome(session: Session, arena: str, token: str) -> play_pb2.Welcome:
    introduction = session.introduction
    return play_pb2.Welcome(
        session_id=session.id,
        bot_name=introduction.bot,
        max_games=introduction.max_games,
        workers=introduction.workers,
        protocol_minor=PROTOCOL_MINOR,
        arena=arena,
        token=token,
        games_resumed=session.resumed_count,
    )


def _rejections(rejections: Iterable[Rejection]) -> list[play_pb2.Rejected]:
    return [
        _REJECTED(
            turn_id=rejection.turn_id,
            game_id=rejection.game_id,
            reason=int(rejection.refusal.reason),
            message=rejection.refusal.message,
            substituted=rejection.refusal.substituted,
        )
        for rejection in rejections
    ]


def _closings(closings: Iterable[Closing]) -> list[play_pb2.TurnClosed]:
    return [
        _TURN_CLOSED(
            turn_id=closing.turn_id,
            game_id=closing.game_id,
            reason=closing.reason,
        )
        for closing in closings
    ]


def _news(news: News) -> bytes:
    if not isinstance(news, DealNews):
        return element(NOTICES, _notice(news).SerializeToString())
    if not news.encoded:
        news.encoded = element(NOTICES, _notice(news).SerializeToString())
    return news.encoded


def _notice(news: News) -> play_pb2.Notice:
    if isinstance(news, DealNews):
        return play_pb2.Notice(deal_ended=deal_ended_message(news))
    if isinstance(news, GameNews):
        return play_pb2.Notice(game_ended=game_ended_message(news.table, news.seat))
    if isinstance(news, DrainNews):
        return play_pb2.Notice(
            draining=play_pb2.Draining(
                reconnect_after_ms=news.reconnect_after_ms, message=news.message
            )
        )
    return play_pb2.Notice(
        status=play_pb2.Status(message=news.message, waiting_for=news.waiting_for)
    )


# In


def decode_hello(hello: play_pb2.Hello, *, bot: str, owner: str) -> Introduction:
    """Read a `Hello` of the bot that the token stands for.

    Raises:
        WireError: A field is too long or out of range.
    """
    _check_hello(hello)
    capabilities = hello.capabilities
    return Introduction(
        bot=bot,
        owner=owner,
        version=hello.bot_version or "1",
        instance=hello.instance,
        sdk=hello.sdk,
        max_games=hello.max_games or 1,
        workers=hello.workers or 1,
        # Terminals are shown them, where a bot cannot be seated.
        presets=tuple(map(printable, capabilities.presets)) or ("arena",),
        players=tuple(capabilities.players) or (4,),
        two_packs=capabilities.two_packs,
        moon_choice=capabilities.moon_choice,
        practice=hello.practice,
    )


def _check_hello(hello: play_pb2.Hello) -> None:
    for name, most in LIMITS.items():
        text = getattr(hello, name)
        if len(text) > most:
            raise WireError(f"hello.{name}", f"is longer than {most} characters")
        # People see these texts, in terminals too.
        if wrong := next((one for one in text if not one.isprintable()), ""):
            problem = f"has {wrong!r}, expected characters that print"
            raise WireError(f"hello.{name}", problem)
    if problem := _version_problem(hello.bot_version):
        expected = "expected letters, digits and signs of ASCII, single spaces between"
        raise WireError("hello.bot_version", f"{problem}; {expected}")
    for name, most in (("max_games", MAX_GAMES_MOST), ("workers", WORKERS_MOST)):
        value = getattr(hello, name)
        if value > most:
            raise WireError(f"hello.{name}", f"is {value}, expected 1 to {most}")
    capabilities = hello.capabilities
    presets, players = capabilities.presets, capabilities.players
    where = "hello.capabilities"
    if len(presets) > PRESETS_MOST:
        raise WireError(f"{where}.presets", f"has more than {PRESETS_MOST} names")
    if any(len(name) > PRESET_LENGTH_MOST for name in presets):
        problem = f"has a name of more than {PRESET_LENGTH_MOST} characters"
        raise WireError(f"{where}.presets", problem)
    if len(players) > PLAYERS_MOST:
        raise WireError(f"{where}.players", f"has more than {PLAYERS_MOST} numbers")


def _version_problem(version: str) -> str:
    """Say why a text is no version that people can tell from any other."""
    if wrong := next((one for one in version if not one.isascii()), ""):
        return f"has {wrong!r}"
    if version[:1] == " ":
        return "begins with ' '"
    if version[-1:] == " ":
        return "ends with ' '"
    return "has two ' ' in a row" if "  " in version else ""
