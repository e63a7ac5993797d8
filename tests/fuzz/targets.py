"""What is fuzzed: each target is a function of bytes, and returns or asserts.

A target takes its documented exceptions itself, so whatever comes out of it is a
fault of ours. What a reader accepts must be the same when it is written and read
again. Nothing here knows who makes up the bytes.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from arena.cards import CardError, card_names, parse_cards
from arena.commands.rules import chosen_rules
from arena.commitment import read_schedule, write_schedule
from arena.document import DocumentError
from arena.edge_limits import Door, peer_address
from arena.edge_services import page_start
from arena.edge_tokens import authenticate
from arena.mismatch import VerifyError
from arena.notation import NotationError, read_notation, write_notation
from arena.perft import PerftError, read_perft
from arena.position import position_text
from arena.record import Record, RecordError, read_record, write_record
from arena.replay import replay
from arena.rules import RulesError, RuleSet, parse_rules
from arena.rules_text import options_text, rules_text, rules_value
from arena.status import CallError
from arena.substitution import substitute
from arena.terminal import CommandError
from arena.transcript import compact, transcript
from arena.verify import verify
from hearts.answer import AnswerError
from hearts.lines import read_answer
from hearts.turn import Turn
from leagues.analysis.rows import rows_of
from leagues.config import ConfigError, parse_league
from leagues.normal_form import normalised
from leagues.reports.merged import FileGames, MergeError, merged
from leagues.results_file import ResultsError, read_result, write_result
from tests.fuzz import seeds
from tests.fuzz.frames import play_requests, play_responses
from tests.sdk_frames import moon_turn, pass_turn, play_turn, start

Target = Callable[[bytes], None]

ERROR_LENGTH_MAX = 2_000
"""No error text is longer, whatever it is about."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """As much of a call's context as the reader of tokens asks for."""

    pairs: tuple[tuple[str, str | bytes], ...]

    def invocation_metadata(self) -> tuple[tuple[str, str | bytes], ...]:
        """Return the metadata of the call."""
        return self.pairs

    def peer(self) -> str:
        """Return where the call comes from."""
        return "ipv4:192.0.2.1:5000"


def sent_text(data: bytes) -> str:
    """Return bytes as gRPC's library makes text of them."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def text_of(data: bytes) -> str:
    """Return any bytes as text, with halves of surrogate pairs where they are wrong."""
    return data.decode("utf-8", errors="surrogateescape")


def check_error(error: Exception) -> None:
    """Check that an error is short, whatever it was made from."""
    assert len(str(error)) <= ERROR_LENGTH_MAX


def record_json(data: bytes) -> None:
    """Read a record, write it again, and judge it."""
    try:
        record = read_record(text_of(data))
    except RecordError as error:
        check_error(error)
        return
    check_record(record)
    assert record == read_record(write_record(record))


def results_file(data: bytes) -> None:
    """Read results, write them again and read the same, and put them together."""
    lines = []
    try:
        for number, text in enumerate(text_of(data).split("\n"), start=1):
            if text.strip():
                lines.append(read_result(text, file="results", line=number))
    except ResultsError as error:
        check_error(error)
        return
    for line in lines:
        again = write_result(
            line.result,
            league=line.league,
            rules=line.rules,
            owners=line.owners,
            unit=line.unit,
        )
        assert line == read_result(again, file=line.file, line=line.line)
    try:
        merged(map(FileGames().of_result, lines), state="")
    except MergeError as error:
        check_error(error)


def schedule_file(data: bytes) -> None:
    """Read what a league has settled, write it again and read the same."""
    try:
        found = read_schedule(text_of(data))
    except DocumentError as error:
        check_error(error)
        return
    assert found == read_schedule(write_schedule(found))
    for settled, _ in found:
        settled.commitment(bytes(32))


def notation(data: bytes) -> None:
    """Read games in notation, write them again, and judge them."""
    try:
        records = read_notation(text_of(data))
    except NotationError as error:
        check_error(error)
        return
    for record in records:
        check_record(record)


def check_record(record: Record) -> None:
    """Check that a record which was read is written, told and judged."""
    assert [record] == read_notation(write_notation(record))
    try:
        game = replay(record)
    except VerifyError as error:
        check_error(error)
    else:
        names = [seat.bot for seat in record.seats]
        for text in (transcript(record), compact(record)):
            assert text
        assert len(record.deals) == len(rows_of(record).deals)
        assert position_text(game, names=names)
    for as_dealt in (False, True):
        try:
            verify(record, substitute, as_dealt=as_dealt)
        except VerifyError as error:
            check_error(error)


def league_file(data: bytes) -> None:
    """Read a league file, and bring it into its normal form."""
    try:
        config = parse_league(text_of(data), file="league.toml", houses=("careful",))
    except ConfigError as error:
        check_error(error)
    else:
        normalised(config)


def rules_object(data: bytes) -> None:
    """Read rules from a JSON object, and tell them."""
    try:
        mapping = json.loads(text_of(data))
    except (ValueError, RecursionError):
        return
    if isinstance(mapping, dict):
        try:
            rules = parse_rules(mapping)
        except RulesError as error:
            check_error(error)
        else:
            check_rules(rules)


def rule_options(data: bytes) -> None:
    """Read the name of rules and `--rule` options, one a line."""
    name, *changes = text_of(data).split("\n")
    try:
        rules = chosen_rules(name, None, changes)
    except CommandError as error:
        check_error(error)
    else:
        check_rules(rules)


def check_rules(rules: RuleSet) -> None:
    """Check that rules are the same when they are written and read again."""
    again = parse_rules({"players": rules.players, **rules.options})
    assert rules.hash == again.hash
    rules_text(rules)
    options_text(rules)
    rules_value(rules)


def perft_file(data: bytes) -> None:
    """Read positions and set them up."""
    try:
        positions = read_perft(text_of(data).split("\n"))
    except PerftError as error:
        check_error(error)
    else:
        for position in positions:
            position.deal()


def cards(data: bytes) -> None:
    """Read names of cards."""
    try:
        found = parse_cards(text_of(data))
    except CardError as error:
        check_error(error)
    else:
        assert found == parse_cards(card_names(found))


_ASKED = tuple(
    Turn(message, start())
    for message in (play_turn(1), pass_turn(1, choices="QS KS AS 2C"), moon_turn(1))
)


def bridge_line(data: bytes) -> None:
    """Read the line of a program as an answer to every kind of turn."""
    line = data.decode(errors="replace")
    for turn in _ASKED:
        try:
            answer = read_answer(line, turn)
        except AnswerError:
            continue
        answer.SerializeToString()


def page_token(data: bytes) -> None:
    """Read where a page begins."""
    try:
        after = page_start(sent_text(data))
    except CallError as error:
        check_call_error(error)
    else:
        assert 0 <= after < 2**31


def call_metadata(data: bytes) -> None:
    """Find a bot by metadata, a pair a line, as text and as bytes."""
    for make in (sent_text, bytes):
        lines = [line.partition(b":") for line in data.split(b"\n")]
        pairs = tuple((sent_text(key), make(value)) for key, _, value in lines)
        try:
            authenticate(Metadata(pairs), seeds.TOKENS, Door(), 0.0)
        except CallError as error:
            check_call_error(error)


def peer(data: bytes) -> None:
    """Read whom a call is counted for."""
    address = peer_address(sent_text(data))
    assert address == peer_address(sent_text(data))


def check_call_error(error: CallError) -> None:
    """Check that an error can be sent: short, and of known words."""
    check_error(error)
    assert error.code
    for _, value in error.trailing_metadata():
        assert len(value) <= ERROR_LENGTH_MAX


TARGETS: Mapping[str, Target] = {
    "bridge_line": bridge_line,
    "call_metadata": call_metadata,
    "cards": cards,
    "league_file": league_file,
    "notation": notation,
    "page_token": page_token,
    "peer": peer,
    "perft_file": perft_file,
    "play_requests": play_requests,
    "play_responses": play_responses,
    "record_json": record_json,
    "results_file": results_file,
    "rule_options": rule_options,
    "rules_object": rules_object,
    "schedule_file": schedule_file,
}
"""All targets, by name."""


def seeds_of(target: str) -> list[bytes]:
    """Return good inputs of a target, from which bad ones are made."""
    make: Callable[[], Iterator[bytes]] = getattr(seeds, target)
    return list(make())
