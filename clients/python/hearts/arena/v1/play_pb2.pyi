from hearts.arena.v1 import cards_pb2 as _cards_pb2
from hearts.arena.v1 import game_pb2 as _game_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RejectionReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REJECTION_REASON_UNSPECIFIED: _ClassVar[RejectionReason]
    REJECTION_REASON_ILLEGAL: _ClassVar[RejectionReason]
    REJECTION_REASON_WRONG_COUNT: _ClassVar[RejectionReason]
    REJECTION_REASON_UNKNOWN_CARD: _ClassVar[RejectionReason]
    REJECTION_REASON_TOO_LATE: _ClassVar[RejectionReason]
    REJECTION_REASON_UNKNOWN_TURN: _ClassVar[RejectionReason]

class ClosedReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLOSED_REASON_UNSPECIFIED: _ClassVar[ClosedReason]
    CLOSED_REASON_LATE: _ClassVar[ClosedReason]
    CLOSED_REASON_GIVEN_UP: _ClassVar[ClosedReason]
    CLOSED_REASON_VOID: _ClassVar[ClosedReason]
REJECTION_REASON_UNSPECIFIED: RejectionReason
REJECTION_REASON_ILLEGAL: RejectionReason
REJECTION_REASON_WRONG_COUNT: RejectionReason
REJECTION_REASON_UNKNOWN_CARD: RejectionReason
REJECTION_REASON_TOO_LATE: RejectionReason
REJECTION_REASON_UNKNOWN_TURN: RejectionReason
CLOSED_REASON_UNSPECIFIED: ClosedReason
CLOSED_REASON_LATE: ClosedReason
CLOSED_REASON_GIVEN_UP: ClosedReason
CLOSED_REASON_VOID: ClosedReason

class PlayRequest(_message.Message):
    __slots__ = ("hello", "answers", "heartbeat", "leave")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    LEAVE_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    heartbeat: Heartbeat
    leave: Leave
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ..., leave: _Optional[_Union[Leave, _Mapping]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("welcome", "starts", "rejections", "closed", "notices", "turns", "heartbeat")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    STARTS_FIELD_NUMBER: _ClassVar[int]
    REJECTIONS_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    starts: _containers.RepeatedCompositeFieldContainer[_game_pb2.GameStart]
    rejections: _containers.RepeatedCompositeFieldContainer[Rejected]
    closed: _containers.RepeatedCompositeFieldContainer[TurnClosed]
    notices: _containers.RepeatedCompositeFieldContainer[Notice]
    turns: _containers.RepeatedCompositeFieldContainer[_game_pb2.Turn]
    heartbeat: Heartbeat
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., starts: _Optional[_Iterable[_Union[_game_pb2.GameStart, _Mapping]]] = ..., rejections: _Optional[_Iterable[_Union[Rejected, _Mapping]]] = ..., closed: _Optional[_Iterable[_Union[TurnClosed, _Mapping]]] = ..., notices: _Optional[_Iterable[_Union[Notice, _Mapping]]] = ..., turns: _Optional[_Iterable[_Union[_game_pb2.Turn, _Mapping]]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("bot_version", "instance", "sdk", "protocol_minor", "max_games", "workers", "capabilities", "practice")
    BOT_VERSION_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MINOR_FIELD_NUMBER: _ClassVar[int]
    MAX_GAMES_FIELD_NUMBER: _ClassVar[int]
    WORKERS_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    PRACTICE_FIELD_NUMBER: _ClassVar[int]
    bot_version: str
    instance: str
    sdk: str
    protocol_minor: int
    max_games: int
    workers: int
    capabilities: Capabilities
    practice: bool
    def __init__(self, bot_version: _Optional[str] = ..., instance: _Optional[str] = ..., sdk: _Optional[str] = ..., protocol_minor: _Optional[int] = ..., max_games: _Optional[int] = ..., workers: _Optional[int] = ..., capabilities: _Optional[_Union[Capabilities, _Mapping]] = ..., practice: bool = ...) -> None: ...

class Capabilities(_message.Message):
    __slots__ = ("presets", "players", "two_packs", "moon_choice")
    PRESETS_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    TWO_PACKS_FIELD_NUMBER: _ClassVar[int]
    MOON_CHOICE_FIELD_NUMBER: _ClassVar[int]
    presets: _containers.RepeatedScalarFieldContainer[str]
    players: _containers.RepeatedScalarFieldContainer[int]
    two_packs: bool
    moon_choice: bool
    def __init__(self, presets: _Optional[_Iterable[str]] = ..., players: _Optional[_Iterable[int]] = ..., two_packs: bool = ..., moon_choice: bool = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("session_id", "bot_name", "max_games", "workers", "protocol_minor", "arena", "token", "games_resumed")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    BOT_NAME_FIELD_NUMBER: _ClassVar[int]
    MAX_GAMES_FIELD_NUMBER: _ClassVar[int]
    WORKERS_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MINOR_FIELD_NUMBER: _ClassVar[int]
    ARENA_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    GAMES_RESUMED_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    bot_name: str
    max_games: int
    workers: int
    protocol_minor: int
    arena: str
    token: str
    games_resumed: int
    def __init__(self, session_id: _Optional[str] = ..., bot_name: _Optional[str] = ..., max_games: _Optional[int] = ..., workers: _Optional[int] = ..., protocol_minor: _Optional[int] = ..., arena: _Optional[str] = ..., token: _Optional[str] = ..., games_resumed: _Optional[int] = ...) -> None: ...

class Leave(_message.Message):
    __slots__ = ("message", "finish_games")
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    FINISH_GAMES_FIELD_NUMBER: _ClassVar[int]
    message: str
    finish_games: bool
    def __init__(self, message: _Optional[str] = ..., finish_games: bool = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: int
    def __init__(self, id: _Optional[int] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("turn_id", "cards", "moon_choice", "think_ms", "note", "paused_ms")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    MOON_CHOICE_FIELD_NUMBER: _ClassVar[int]
    THINK_MS_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    PAUSED_MS_FIELD_NUMBER: _ClassVar[int]
    turn_id: int
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    moon_choice: _game_pb2.MoonChoice
    think_ms: int
    note: str
    paused_ms: int
    def __init__(self, turn_id: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., moon_choice: _Optional[_Union[_game_pb2.MoonChoice, str]] = ..., think_ms: _Optional[int] = ..., note: _Optional[str] = ..., paused_ms: _Optional[int] = ...) -> None: ...

class Rejected(_message.Message):
    __slots__ = ("turn_id", "game_id", "reason", "message", "substituted")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTED_FIELD_NUMBER: _ClassVar[int]
    turn_id: int
    game_id: str
    reason: RejectionReason
    message: str
    substituted: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, turn_id: _Optional[int] = ..., game_id: _Optional[str] = ..., reason: _Optional[_Union[RejectionReason, str]] = ..., message: _Optional[str] = ..., substituted: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class TurnClosed(_message.Message):
    __slots__ = ("turn_id", "game_id", "reason")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    turn_id: int
    game_id: str
    reason: ClosedReason
    def __init__(self, turn_id: _Optional[int] = ..., game_id: _Optional[str] = ..., reason: _Optional[_Union[ClosedReason, str]] = ...) -> None: ...

class Notice(_message.Message):
    __slots__ = ("deal_ended", "game_ended", "status", "draining")
    DEAL_ENDED_FIELD_NUMBER: _ClassVar[int]
    GAME_ENDED_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    DRAINING_FIELD_NUMBER: _ClassVar[int]
    deal_ended: _game_pb2.DealEnded
    game_ended: _game_pb2.GameEnded
    status: Status
    draining: Draining
    def __init__(self, deal_ended: _Optional[_Union[_game_pb2.DealEnded, _Mapping]] = ..., game_ended: _Optional[_Union[_game_pb2.GameEnded, _Mapping]] = ..., status: _Optional[_Union[Status, _Mapping]] = ..., draining: _Optional[_Union[Draining, _Mapping]] = ...) -> None: ...

class Status(_message.Message):
    __slots__ = ("message", "waiting_for")
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    WAITING_FOR_FIELD_NUMBER: _ClassVar[int]
    message: str
    waiting_for: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, message: _Optional[str] = ..., waiting_for: _Optional[_Iterable[str]] = ...) -> None: ...

class Draining(_message.Message):
    __slots__ = ("reconnect_after_ms", "message")
    RECONNECT_AFTER_MS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    reconnect_after_ms: int
    message: str
    def __init__(self, reconnect_after_ms: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...
