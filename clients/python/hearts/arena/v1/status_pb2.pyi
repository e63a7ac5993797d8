from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetStatusRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetStatusResponse(_message.Message):
    __slots__ = ("arena", "uptime_ms", "sessions_count", "sessions", "tables_count", "turns_waiting_count", "turns_on_desks_count", "turns_answered_count", "turns_per_second", "bot_time", "arena_time", "lag", "games_finished_count", "games_void_count", "faults_count", "disturbances_count", "pause")
    ARENA_FIELD_NUMBER: _ClassVar[int]
    UPTIME_MS_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_COUNT_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    TABLES_COUNT_FIELD_NUMBER: _ClassVar[int]
    TURNS_WAITING_COUNT_FIELD_NUMBER: _ClassVar[int]
    TURNS_ON_DESKS_COUNT_FIELD_NUMBER: _ClassVar[int]
    TURNS_ANSWERED_COUNT_FIELD_NUMBER: _ClassVar[int]
    TURNS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    BOT_TIME_FIELD_NUMBER: _ClassVar[int]
    ARENA_TIME_FIELD_NUMBER: _ClassVar[int]
    LAG_FIELD_NUMBER: _ClassVar[int]
    GAMES_FINISHED_COUNT_FIELD_NUMBER: _ClassVar[int]
    GAMES_VOID_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAULTS_COUNT_FIELD_NUMBER: _ClassVar[int]
    DISTURBANCES_COUNT_FIELD_NUMBER: _ClassVar[int]
    PAUSE_FIELD_NUMBER: _ClassVar[int]
    arena: str
    uptime_ms: int
    sessions_count: int
    sessions: _containers.RepeatedCompositeFieldContainer[SessionStatus]
    tables_count: int
    turns_waiting_count: int
    turns_on_desks_count: int
    turns_answered_count: int
    turns_per_second: float
    bot_time: DurationSpread
    arena_time: DurationSpread
    lag: DurationSpread
    games_finished_count: int
    games_void_count: int
    faults_count: int
    disturbances_count: int
    pause: str
    def __init__(self, arena: _Optional[str] = ..., uptime_ms: _Optional[int] = ..., sessions_count: _Optional[int] = ..., sessions: _Optional[_Iterable[_Union[SessionStatus, _Mapping]]] = ..., tables_count: _Optional[int] = ..., turns_waiting_count: _Optional[int] = ..., turns_on_desks_count: _Optional[int] = ..., turns_answered_count: _Optional[int] = ..., turns_per_second: _Optional[float] = ..., bot_time: _Optional[_Union[DurationSpread, _Mapping]] = ..., arena_time: _Optional[_Union[DurationSpread, _Mapping]] = ..., lag: _Optional[_Union[DurationSpread, _Mapping]] = ..., games_finished_count: _Optional[int] = ..., games_void_count: _Optional[int] = ..., faults_count: _Optional[int] = ..., disturbances_count: _Optional[int] = ..., pause: _Optional[str] = ...) -> None: ...

class SessionStatus(_message.Message):
    __slots__ = ("session_id", "bot_name", "bot_version", "instance", "connected", "practice", "open_games_count", "max_games", "turns_waiting_count", "turns_on_desk_count", "mean_charged_ms", "round_trip_ms")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    BOT_NAME_FIELD_NUMBER: _ClassVar[int]
    BOT_VERSION_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    CONNECTED_FIELD_NUMBER: _ClassVar[int]
    PRACTICE_FIELD_NUMBER: _ClassVar[int]
    OPEN_GAMES_COUNT_FIELD_NUMBER: _ClassVar[int]
    MAX_GAMES_FIELD_NUMBER: _ClassVar[int]
    TURNS_WAITING_COUNT_FIELD_NUMBER: _ClassVar[int]
    TURNS_ON_DESK_COUNT_FIELD_NUMBER: _ClassVar[int]
    MEAN_CHARGED_MS_FIELD_NUMBER: _ClassVar[int]
    ROUND_TRIP_MS_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    bot_name: str
    bot_version: str
    instance: str
    connected: bool
    practice: bool
    open_games_count: int
    max_games: int
    turns_waiting_count: int
    turns_on_desk_count: int
    mean_charged_ms: float
    round_trip_ms: float
    def __init__(self, session_id: _Optional[str] = ..., bot_name: _Optional[str] = ..., bot_version: _Optional[str] = ..., instance: _Optional[str] = ..., connected: bool = ..., practice: bool = ..., open_games_count: _Optional[int] = ..., max_games: _Optional[int] = ..., turns_waiting_count: _Optional[int] = ..., turns_on_desk_count: _Optional[int] = ..., mean_charged_ms: _Optional[float] = ..., round_trip_ms: _Optional[float] = ...) -> None: ...

class DurationSpread(_message.Message):
    __slots__ = ("durations_count", "p50_ms", "p90_ms", "p99_ms")
    DURATIONS_COUNT_FIELD_NUMBER: _ClassVar[int]
    P50_MS_FIELD_NUMBER: _ClassVar[int]
    P90_MS_FIELD_NUMBER: _ClassVar[int]
    P99_MS_FIELD_NUMBER: _ClassVar[int]
    durations_count: int
    p50_ms: float
    p90_ms: float
    p99_ms: float
    def __init__(self, durations_count: _Optional[int] = ..., p50_ms: _Optional[float] = ..., p90_ms: _Optional[float] = ..., p99_ms: _Optional[float] = ...) -> None: ...
