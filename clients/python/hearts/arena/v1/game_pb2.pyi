from hearts.arena.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TurnKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TURN_KIND_UNSPECIFIED: _ClassVar[TurnKind]
    TURN_KIND_PASS: _ClassVar[TurnKind]
    TURN_KIND_PLAY: _ClassVar[TurnKind]
    TURN_KIND_MOON: _ClassVar[TurnKind]
    TURN_KIND_SUN: _ClassVar[TurnKind]

class PassDirection(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PASS_DIRECTION_UNSPECIFIED: _ClassVar[PassDirection]
    PASS_DIRECTION_LEFT: _ClassVar[PassDirection]
    PASS_DIRECTION_RIGHT: _ClassVar[PassDirection]
    PASS_DIRECTION_ACROSS: _ClassVar[PassDirection]
    PASS_DIRECTION_HOLD: _ClassVar[PassDirection]

class MoonChoice(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MOON_CHOICE_UNSPECIFIED: _ClassVar[MoonChoice]
    MOON_CHOICE_ADD: _ClassVar[MoonChoice]
    MOON_CHOICE_SUBTRACT: _ClassVar[MoonChoice]

class GameEnding(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_ENDING_UNSPECIFIED: _ClassVar[GameEnding]
    GAME_ENDING_FINISHED: _ClassVar[GameEnding]
    GAME_ENDING_VOID: _ClassVar[GameEnding]

class FaultKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_KIND_UNSPECIFIED: _ClassVar[FaultKind]
    FAULT_KIND_LATE: _ClassVar[FaultKind]
    FAULT_KIND_ILLEGAL: _ClassVar[FaultKind]
    FAULT_KIND_AWAY: _ClassVar[FaultKind]
    FAULT_KIND_START: _ClassVar[FaultKind]
TURN_KIND_UNSPECIFIED: TurnKind
TURN_KIND_PASS: TurnKind
TURN_KIND_PLAY: TurnKind
TURN_KIND_MOON: TurnKind
TURN_KIND_SUN: TurnKind
PASS_DIRECTION_UNSPECIFIED: PassDirection
PASS_DIRECTION_LEFT: PassDirection
PASS_DIRECTION_RIGHT: PassDirection
PASS_DIRECTION_ACROSS: PassDirection
PASS_DIRECTION_HOLD: PassDirection
MOON_CHOICE_UNSPECIFIED: MoonChoice
MOON_CHOICE_ADD: MoonChoice
MOON_CHOICE_SUBTRACT: MoonChoice
GAME_ENDING_UNSPECIFIED: GameEnding
GAME_ENDING_FINISHED: GameEnding
GAME_ENDING_VOID: GameEnding
FAULT_KIND_UNSPECIFIED: FaultKind
FAULT_KIND_LATE: FaultKind
FAULT_KIND_ILLEGAL: FaultKind
FAULT_KIND_AWAY: FaultKind
FAULT_KIND_START: FaultKind

class GameStart(_message.Message):
    __slots__ = ("game_id", "seat", "players", "rules", "seat_names", "time_control", "table_key", "league", "faults_max")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    SEAT_NAMES_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    TABLE_KEY_FIELD_NUMBER: _ClassVar[int]
    LEAGUE_FIELD_NUMBER: _ClassVar[int]
    FAULTS_MAX_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    seat: int
    players: int
    rules: Rules
    seat_names: _containers.RepeatedScalarFieldContainer[str]
    time_control: TimeControl
    table_key: bytes
    league: str
    faults_max: int
    def __init__(self, game_id: _Optional[str] = ..., seat: _Optional[int] = ..., players: _Optional[int] = ..., rules: _Optional[_Union[Rules, _Mapping]] = ..., seat_names: _Optional[_Iterable[str]] = ..., time_control: _Optional[_Union[TimeControl, _Mapping]] = ..., table_key: _Optional[bytes] = ..., league: _Optional[str] = ..., faults_max: _Optional[int] = ...) -> None: ...

class Rules(_message.Message):
    __slots__ = ("preset", "players", "overrides", "hash", "options", "pack", "card_points", "hand_size", "bonus_card", "bonus_points", "moon_points", "sun_points")
    class OverridesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    PRESET_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    PACK_FIELD_NUMBER: _ClassVar[int]
    CARD_POINTS_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZE_FIELD_NUMBER: _ClassVar[int]
    BONUS_CARD_FIELD_NUMBER: _ClassVar[int]
    BONUS_POINTS_FIELD_NUMBER: _ClassVar[int]
    MOON_POINTS_FIELD_NUMBER: _ClassVar[int]
    SUN_POINTS_FIELD_NUMBER: _ClassVar[int]
    preset: str
    players: int
    overrides: _containers.ScalarMap[str, str]
    hash: str
    options: _containers.ScalarMap[str, str]
    pack: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    card_points: _containers.RepeatedScalarFieldContainer[int]
    hand_size: int
    bonus_card: _cards_pb2.Card
    bonus_points: int
    moon_points: int
    sun_points: int
    def __init__(self, preset: _Optional[str] = ..., players: _Optional[int] = ..., overrides: _Optional[_Mapping[str, str]] = ..., hash: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., pack: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., card_points: _Optional[_Iterable[int]] = ..., hand_size: _Optional[int] = ..., bonus_card: _Optional[_Union[_cards_pb2.Card, str]] = ..., bonus_points: _Optional[int] = ..., moon_points: _Optional[int] = ..., sun_points: _Optional[int] = ...) -> None: ...

class TimeControl(_message.Message):
    __slots__ = ("bank_ms", "increment_ms", "turn_limit_ms")
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_MS_FIELD_NUMBER: _ClassVar[int]
    TURN_LIMIT_MS_FIELD_NUMBER: _ClassVar[int]
    bank_ms: int
    increment_ms: int
    turn_limit_ms: int
    def __init__(self, bank_ms: _Optional[int] = ..., increment_ms: _Optional[int] = ..., turn_limit_ms: _Optional[int] = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ("turn_id", "game_id", "kind", "deal_number", "dealer", "hand", "choices", "moon_choices", "answer_count", "plays", "leaders", "pass_direction", "passed", "received", "points", "totals", "hearts_broken", "turn_left_ms", "bank_left_ms", "last_charged_ms", "cancelled_tricks", "forced_plays", "kitty", "moon_points")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    DEAL_NUMBER_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    MOON_CHOICES_FIELD_NUMBER: _ClassVar[int]
    ANSWER_COUNT_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    LEADERS_FIELD_NUMBER: _ClassVar[int]
    PASS_DIRECTION_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    RECEIVED_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    HEARTS_BROKEN_FIELD_NUMBER: _ClassVar[int]
    TURN_LEFT_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_LEFT_MS_FIELD_NUMBER: _ClassVar[int]
    LAST_CHARGED_MS_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_TRICKS_FIELD_NUMBER: _ClassVar[int]
    FORCED_PLAYS_FIELD_NUMBER: _ClassVar[int]
    KITTY_FIELD_NUMBER: _ClassVar[int]
    MOON_POINTS_FIELD_NUMBER: _ClassVar[int]
    turn_id: int
    game_id: str
    kind: TurnKind
    deal_number: int
    dealer: int
    hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    choices: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    moon_choices: _containers.RepeatedScalarFieldContainer[MoonChoice]
    answer_count: int
    plays: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    leaders: _containers.RepeatedScalarFieldContainer[int]
    pass_direction: PassDirection
    passed: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    received: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    points: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    hearts_broken: bool
    turn_left_ms: int
    bank_left_ms: int
    last_charged_ms: int
    cancelled_tricks: _containers.RepeatedScalarFieldContainer[int]
    forced_plays: _containers.RepeatedScalarFieldContainer[int]
    kitty: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    moon_points: int
    def __init__(self, turn_id: _Optional[int] = ..., game_id: _Optional[str] = ..., kind: _Optional[_Union[TurnKind, str]] = ..., deal_number: _Optional[int] = ..., dealer: _Optional[int] = ..., hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., choices: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., moon_choices: _Optional[_Iterable[_Union[MoonChoice, str]]] = ..., answer_count: _Optional[int] = ..., plays: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., leaders: _Optional[_Iterable[int]] = ..., pass_direction: _Optional[_Union[PassDirection, str]] = ..., passed: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., received: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., points: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ..., hearts_broken: bool = ..., turn_left_ms: _Optional[int] = ..., bank_left_ms: _Optional[int] = ..., last_charged_ms: _Optional[int] = ..., cancelled_tricks: _Optional[_Iterable[int]] = ..., forced_plays: _Optional[_Iterable[int]] = ..., kitty: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., moon_points: _Optional[int] = ...) -> None: ...

class DealEnded(_message.Message):
    __slots__ = ("game_id", "deal_number", "hands", "plays", "leaders", "points", "totals", "moon_seat", "moon_choice", "is_sun", "cancelled_tricks", "kitty")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    DEAL_NUMBER_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    LEADERS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    MOON_SEAT_FIELD_NUMBER: _ClassVar[int]
    MOON_CHOICE_FIELD_NUMBER: _ClassVar[int]
    IS_SUN_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_TRICKS_FIELD_NUMBER: _ClassVar[int]
    KITTY_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    deal_number: int
    hands: _containers.RepeatedCompositeFieldContainer[CardList]
    plays: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    leaders: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    moon_seat: int
    moon_choice: MoonChoice
    is_sun: bool
    cancelled_tricks: _containers.RepeatedScalarFieldContainer[int]
    kitty: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, game_id: _Optional[str] = ..., deal_number: _Optional[int] = ..., hands: _Optional[_Iterable[_Union[CardList, _Mapping]]] = ..., plays: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., leaders: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ..., moon_seat: _Optional[int] = ..., moon_choice: _Optional[_Union[MoonChoice, str]] = ..., is_sun: bool = ..., cancelled_tricks: _Optional[_Iterable[int]] = ..., kitty: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class CardList(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class GameEnded(_message.Message):
    __slots__ = ("game_id", "ending", "totals", "places", "faults", "message")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    ending: GameEnding
    totals: _containers.RepeatedScalarFieldContainer[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    faults: _containers.RepeatedCompositeFieldContainer[Fault]
    message: str
    def __init__(self, game_id: _Optional[str] = ..., ending: _Optional[_Union[GameEnding, str]] = ..., totals: _Optional[_Iterable[int]] = ..., places: _Optional[_Iterable[int]] = ..., faults: _Optional[_Iterable[_Union[Fault, _Mapping]]] = ..., message: _Optional[str] = ...) -> None: ...

class Fault(_message.Message):
    __slots__ = ("seat", "deal_number", "trick_number", "kind", "cause")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DEAL_NUMBER_FIELD_NUMBER: _ClassVar[int]
    TRICK_NUMBER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    deal_number: int
    trick_number: int
    kind: FaultKind
    cause: str
    def __init__(self, seat: _Optional[int] = ..., deal_number: _Optional[int] = ..., trick_number: _Optional[int] = ..., kind: _Optional[_Union[FaultKind, str]] = ..., cause: _Optional[str] = ...) -> None: ...
