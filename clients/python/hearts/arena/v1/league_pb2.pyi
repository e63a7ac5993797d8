from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListLeaguesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListLeaguesResponse(_message.Message):
    __slots__ = ("leagues",)
    LEAGUES_FIELD_NUMBER: _ClassVar[int]
    leagues: _containers.RepeatedCompositeFieldContainer[League]
    def __init__(self, leagues: _Optional[_Iterable[_Union[League, _Mapping]]] = ...) -> None: ...

class League(_message.Message):
    __slots__ = ("name", "state", "games_finished_count", "games_total_count", "commitment", "open_deals", "games_withheld_count", "luck")
    NAME_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    GAMES_FINISHED_COUNT_FIELD_NUMBER: _ClassVar[int]
    GAMES_TOTAL_COUNT_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    OPEN_DEALS_FIELD_NUMBER: _ClassVar[int]
    GAMES_WITHHELD_COUNT_FIELD_NUMBER: _ClassVar[int]
    LUCK_FIELD_NUMBER: _ClassVar[int]
    name: str
    state: str
    games_finished_count: int
    games_total_count: int
    commitment: str
    open_deals: bool
    games_withheld_count: int
    luck: str
    def __init__(self, name: _Optional[str] = ..., state: _Optional[str] = ..., games_finished_count: _Optional[int] = ..., games_total_count: _Optional[int] = ..., commitment: _Optional[str] = ..., open_deals: bool = ..., games_withheld_count: _Optional[int] = ..., luck: _Optional[str] = ...) -> None: ...

class GetStandingsRequest(_message.Message):
    __slots__ = ("league",)
    LEAGUE_FIELD_NUMBER: _ClassVar[int]
    league: str
    def __init__(self, league: _Optional[str] = ...) -> None: ...

class GetStandingsResponse(_message.Message):
    __slots__ = ("league", "rows")
    LEAGUE_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    league: League
    rows: _containers.RepeatedCompositeFieldContainer[StandingsRow]
    def __init__(self, league: _Optional[_Union[League, _Mapping]] = ..., rows: _Optional[_Iterable[_Union[StandingsRow, _Mapping]]] = ...) -> None: ...

class StandingsRow(_message.Message):
    __slots__ = ("entrant", "rank", "rating", "games_count", "deals_count", "points_per_deal", "places", "faults_count", "given_up_count", "rating_half_width", "tier_first", "tier_last", "points_half_width")
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    GAMES_COUNT_FIELD_NUMBER: _ClassVar[int]
    DEALS_COUNT_FIELD_NUMBER: _ClassVar[int]
    POINTS_PER_DEAL_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    FAULTS_COUNT_FIELD_NUMBER: _ClassVar[int]
    GIVEN_UP_COUNT_FIELD_NUMBER: _ClassVar[int]
    RATING_HALF_WIDTH_FIELD_NUMBER: _ClassVar[int]
    TIER_FIRST_FIELD_NUMBER: _ClassVar[int]
    TIER_LAST_FIELD_NUMBER: _ClassVar[int]
    POINTS_HALF_WIDTH_FIELD_NUMBER: _ClassVar[int]
    entrant: str
    rank: int
    rating: float
    games_count: int
    deals_count: int
    points_per_deal: float
    places: _containers.RepeatedScalarFieldContainer[float]
    faults_count: int
    given_up_count: int
    rating_half_width: float
    tier_first: int
    tier_last: int
    points_half_width: float
    def __init__(self, entrant: _Optional[str] = ..., rank: _Optional[int] = ..., rating: _Optional[float] = ..., games_count: _Optional[int] = ..., deals_count: _Optional[int] = ..., points_per_deal: _Optional[float] = ..., places: _Optional[_Iterable[float]] = ..., faults_count: _Optional[int] = ..., given_up_count: _Optional[int] = ..., rating_half_width: _Optional[float] = ..., tier_first: _Optional[int] = ..., tier_last: _Optional[int] = ..., points_half_width: _Optional[float] = ...) -> None: ...

class ListGamesRequest(_message.Message):
    __slots__ = ("league", "page_size", "page_token")
    LEAGUE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    league: str
    page_size: int
    page_token: str
    def __init__(self, league: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListGamesResponse(_message.Message):
    __slots__ = ("games", "next_page_token")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[GameSummary]
    next_page_token: str
    def __init__(self, games: _Optional[_Iterable[_Union[GameSummary, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GameSummary(_message.Message):
    __slots__ = ("game_id", "game_number", "seat_names", "totals", "places", "deals_count")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_NUMBER_FIELD_NUMBER: _ClassVar[int]
    SEAT_NAMES_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    DEALS_COUNT_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    game_number: int
    seat_names: _containers.RepeatedScalarFieldContainer[str]
    totals: _containers.RepeatedScalarFieldContainer[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    deals_count: int
    def __init__(self, game_id: _Optional[str] = ..., game_number: _Optional[int] = ..., seat_names: _Optional[_Iterable[str]] = ..., totals: _Optional[_Iterable[int]] = ..., places: _Optional[_Iterable[int]] = ..., deals_count: _Optional[int] = ...) -> None: ...

class DownloadGamesRequest(_message.Message):
    __slots__ = ("league", "after_game_number")
    LEAGUE_FIELD_NUMBER: _ClassVar[int]
    AFTER_GAME_NUMBER_FIELD_NUMBER: _ClassVar[int]
    league: str
    after_game_number: int
    def __init__(self, league: _Optional[str] = ..., after_game_number: _Optional[int] = ...) -> None: ...

class DownloadGamesResponse(_message.Message):
    __slots__ = ("game_id", "record")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    record: str
    def __init__(self, game_id: _Optional[str] = ..., record: _Optional[str] = ...) -> None: ...
