"""The `.proto` files: a comment on everything, tidy names, current stubs.

The files are compiled afresh with their comments. Descriptors are plain data, so
every check is a function from one file's descriptor to a list of complaints.
"""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

from tests.sources import ROOT

PROTO = ROOT / "proto"
STUBS = ROOT / "clients/python"
SUITS, RANKS = "CDHS", "23456789TJQKA"

Check = Callable[[FileDescriptorProto], Iterator[str]]

# The field numbers of descriptor.proto that a location's path is made of.
FILE_MESSAGES, FILE_ENUMS, FILE_SERVICES = 4, 5, 6
MESSAGE_FIELDS, MESSAGE_MESSAGES, MESSAGE_ENUMS, MESSAGE_ONEOFS = 2, 3, 4, 8
ENUM_VALUES = SERVICE_METHODS = 2


def compile_protos(folder: Path, out: Path) -> list[FileDescriptorProto]:
    """Compile all `.proto` files below a folder, comments included."""
    paths = sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*.proto")
    )
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{folder}"]
    command += ["--include_source_info", f"--descriptor_set_out={out}", *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(FileDescriptorSet.FromString(out.read_bytes()).file)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[FileDescriptorProto]:
    """The descriptors of the project's `.proto` files."""
    return compile_protos(PROTO, tmp_path_factory.mktemp("proto") / "set.binpb")


def _elements_of_enum(
    enum: EnumDescriptorProto, path: tuple[int, ...], prefix: str
) -> Iterator[tuple[tuple[int, ...], str]]:
    yield path, f"enum {prefix}{enum.name}"
    for index, value in enumerate(enum.value):
        yield (*path, ENUM_VALUES, index), f"value {prefix}{enum.name}.{value.name}"


def _elements_of_message(
    message: DescriptorProto, path: tuple[int, ...], prefix: str
) -> Iterator[tuple[tuple[int, ...], str]]:
    if message.options.map_entry:
        return
    name = prefix + message.name
    yield path, f"message {name}"
    for index, field in enumerate(message.field):
        yield (*path, MESSAGE_FIELDS, index), f"field {name}.{field.name}"
    # The compiler makes one more oneof for each `optional` field.
    made = {field.oneof_index for field in message.field if field.proto3_optional}
    for index, oneof in enumerate(message.oneof_decl):
        if index not in made:
            yield (*path, MESSAGE_ONEOFS, index), f"oneof {name}.{oneof.name}"
    for index, nested in enumerate(message.nested_type):
        inside = (*path, MESSAGE_MESSAGES, index)
        yield from _elements_of_message(nested, inside, f"{name}.")
    for index, enum in enumerate(message.enum_type):
        yield from _elements_of_enum(enum, (*path, MESSAGE_ENUMS, index), f"{name}.")


def elements(file: FileDescriptorProto) -> Iterator[tuple[tuple[int, ...], str]]:
    """Yield the path and the kind and name of everything that a file declares."""
    for index, service in enumerate(file.service):
        yield (FILE_SERVICES, index), f"service {service.name}"
        for number, method in enumerate(service.method):
            path = (FILE_SERVICES, index, SERVICE_METHODS, number)
            yield path, f"rpc {service.name}.{method.name}"
    for index, message in enumerate(file.message_type):
        yield from _elements_of_message(message, (FILE_MESSAGES, index), "")
    for index, enum in enumerate(file.enum_type):
        yield from _elements_of_enum(enum, (FILE_ENUMS, index), "")


def missing_comments(file: FileDescriptorProto) -> Iterator[str]:
    """Find elements without a leading comment that is a sentence."""
    comments = {
        tuple(location.path): location.leading_comments.strip()
        for location in file.source_code_info.location
    }
    for path, name in elements(file):
        comment = comments.get(path, "")
        if not comment:
            yield f"{file.name}: {name}: no comment"
        elif not comment[0].isupper() or "." not in comment:
            yield f"{file.name}: {name}: the comment is no sentence: {comment!r}"


def misplaced_packages(file: FileDescriptorProto) -> Iterator[str]:
    """Find files whose folder, package, syntax or Go package do not agree."""
    folder = file.name.rpartition("/")[0].replace("/", ".")
    if file.package != folder:
        yield f"{file.name}: package {file.package} in folder {folder}"
    if not re.search(r"\.v\d+((alpha|beta)\d+)?$", file.package):
        yield f"{file.name}: package {file.package} has no version"
    if not re.fullmatch(r"[a-z][a-z0-9_]*\.proto", file.name.rpartition("/")[2]):
        yield f"{file.name}: the file's name is not lower_snake_case"
    if file.syntax != "proto3":
        yield f"{file.name}: syntax {file.syntax or 'proto2'}, expected proto3"
    if not file.options.go_package:
        yield f"{file.name}: no go_package"


def _messages(file: FileDescriptorProto) -> Iterator[DescriptorProto]:
    pending = list(file.message_type)
    while pending:
        message = pending.pop()
        if not message.options.map_entry:
            yield message
            pending.extend(message.nested_type)


def _enums(file: FileDescriptorProto) -> Iterator[EnumDescriptorProto]:
    yield from file.enum_type
    for message in _messages(file):
        yield from message.enum_type


def badly_named(file: FileDescriptorProto) -> Iterator[str]:
    """Find names in the wrong form."""
    pascal, snake = r"([A-Z][a-z0-9]*)+", r"[a-z][a-z0-9]*(_[a-z0-9]+)*"
    for message in _messages(file):
        if not re.fullmatch(pascal, message.name):
            yield f"{file.name}: message {message.name} is not PascalCase"
        names = [field.name for field in message.field]
        # A leading underscore marks what the compiler made for `optional`.
        names += [oneof.name.removeprefix("_") for oneof in message.oneof_decl]
        for name in names:
            if not re.fullmatch(snake, name):
                yield f"{file.name}: {message.name}.{name} is not snake_case"
    for enum in _enums(file):
        if not re.fullmatch(pascal, enum.name):
            yield f"{file.name}: enum {enum.name} is not PascalCase"


def unprefixed_values(file: FileDescriptorProto) -> Iterator[str]:
    """Find enum values without their enum's prefix, or a zero that means a thing."""
    for enum in _enums(file):
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", enum.name)
        prefix = words.upper() + "_"
        for value in enum.value:
            if not re.fullmatch(
                re.escape(prefix) + r"[A-Z0-9]+(_[A-Z0-9]+)*", value.name
            ):
                yield f"{file.name}: {value.name} is not {prefix}…"
        if (enum.value[0].number, enum.value[0].name) != (0, prefix + "UNSPECIFIED"):
            yield f"{file.name}: {enum.name} does not start with {prefix}UNSPECIFIED"
        if enum.options.allow_alias:
            yield f"{file.name}: {enum.name} allows two names for one number"


def odd_services(file: FileDescriptorProto) -> Iterator[str]:
    """Find services and RPCs, or their messages, that break the naming rules."""
    used: Counter[str] = Counter()
    for service in file.service:
        if not re.fullmatch(r"([A-Z][a-z0-9]*)+Service", service.name):
            yield f"{file.name}: service {service.name} is not …Service"
        for method in service.method:
            used.update([method.input_type, method.output_type])
            for kind, name in [
                ("Request", method.input_type),
                ("Response", method.output_type),
            ]:
                if name != f".{file.package}.{method.name}{kind}":
                    yield f"{file.name}: {method.name} uses {name} as its {kind}"
    for name, count in used.items():
        if count > 1:
            yield f"{file.name}: {name} serves {count} times"


CHECKS: list[Check] = [
    missing_comments,
    misplaced_packages,
    badly_named,
    unprefixed_values,
    odd_services,
]


@pytest.mark.parametrize("check", CHECKS)
def test_the_protocol_is_tidy(check: Check, files: list[FileDescriptorProto]) -> None:
    """No `.proto` file breaks the rule."""
    problems = [problem for file in files for problem in check(file)]

    assert "" == "\n".join(problems)


def test_the_protocol_has_its_five_files(files: list[FileDescriptorProto]) -> None:
    """Two files of words, and one for each service."""
    names = [file.name.rpartition("/")[2] for file in files]

    words = ["cards.proto", "game.proto"]
    services = ["league.proto", "play.proto", "status.proto"]
    assert [*words, *services] == sorted(names)


GOOD = """\
syntax = "proto3";
package a.v1;
option go_package = "a/v1;av1";
// Does things.
service ThingService {
  // Makes one.
  rpc Make(MakeRequest) returns (MakeResponse);
}
// Asks.
message MakeRequest {
  // What.
  oneof kind {
    // A number.
    int32 size_count = 1;
  }
  // Perhaps.
  optional int32 seat = 2;
  // A map.
  map<string, string> names = 3;
}
// Answers.
message MakeResponse {
  // Says how.
  enum HowSo {
    // Never.
    HOW_SO_UNSPECIFIED = 0;
    // Well.
    HOW_SO_WELL = 1;
  }
  // How.
  HowSo how_so = 1;
}
"""


@pytest.mark.parametrize(
    ("check", "old", "new"),
    [
        (missing_comments, "// Does things.", ""),
        (missing_comments, "// Makes one.", ""),
        (missing_comments, "// Asks.", ""),
        (missing_comments, "// What.", ""),
        (missing_comments, "// A number.", ""),
        (missing_comments, "// Perhaps.", ""),
        (missing_comments, "// Says how.", ""),
        (missing_comments, "// Well.", ""),
        (missing_comments, "// Well.", "// well"),
        (misplaced_packages, "package a.v1;", "package b.v1;"),
        (misplaced_packages, 'option go_package = "a/v1;av1";', ""),
        (badly_named, "size_count", "sizeCount"),
        (badly_named, "oneof kind", "oneof Kind"),
        (badly_named, "HowSo", "How_so"),
        (unprefixed_values, "HOW_SO_WELL", "WELL"),
        (unprefixed_values, "HOW_SO_UNSPECIFIED", "HOW_SO_BADLY"),
        (odd_services, "ThingService", "Thing"),
        (odd_services, "returns (MakeResponse)", "returns (MakeRequest)"),
        (odd_services, "rpc Make(", "rpc Create("),
    ],
)
def test_each_check_can_fail(check: Check, old: str, new: str, tmp_path: Path) -> None:
    """Every check of the protocol finds what it is there to find."""
    assert old in GOOD
    path = tmp_path / "a/v1/thing.proto"
    path.parent.mkdir(parents=True)
    path.write_text(GOOD.replace(old, new))

    (file,) = compile_protos(tmp_path, tmp_path / "set.binpb")

    assert [] != list(check(file))


def test_a_good_file_passes(tmp_path: Path) -> None:
    """A file in the right form is not complained about."""
    path = tmp_path / "a/v1/thing.proto"
    path.parent.mkdir(parents=True)
    path.write_text(GOOD)

    (file,) = compile_protos(tmp_path, tmp_path / "set.binpb")

    assert [] == [problem for check in CHECKS for problem in check(file)]


def test_cards_are_numbered_by_the_formula(files: list[FileDescriptorProto]) -> None:
    """Card number 13 * suit + rank + 1, in notation order, and nothing else."""
    (enum,) = (enum for file in files for enum in file.enum_type if enum.name == "Card")
    expected = {"CARD_UNSPECIFIED": 0} | {
        f"CARD_{rank}{suit}": 13 * suit_number + rank_number + 1
        for suit_number, suit in enumerate(SUITS)
        for rank_number, rank in enumerate(RANKS)
    }

    assert expected == {value.name: value.number for value in enum.value}


def _module(file: FileDescriptorProto, suffix: str) -> ModuleType:
    name = file.name.removesuffix(".proto").replace("/", ".")
    return importlib.import_module(name + suffix)


def plain(file: FileDescriptorProto) -> FileDescriptorProto:
    """Return the descriptor without what generated code does not hold."""
    copy = FileDescriptorProto()
    copy.CopyFrom(file)
    copy.ClearField("source_code_info")
    pending = list(copy.message_type)
    while pending:
        message = pending.pop()
        pending.extend(message.nested_type)
        for field in message.field:
            field.ClearField("json_name")
    return copy


def test_the_messages_are_current(files: list[FileDescriptorProto]) -> None:
    """The committed messages say what the `.proto` files say."""
    for file in files:
        committed = FileDescriptorProto()
        _module(file, "_pb2").DESCRIPTOR.CopyToProto(committed)

        assert plain(file) == plain(committed), f"{file.name}: run `make proto`"


class _Wire:
    """A channel that only notes which methods a stub asks for."""

    def __init__(self) -> None:
        self.methods: dict[str, str] = {}

    def __getattr__(self, arity: str) -> Callable[..., None]:
        def note(method: str, **_: object) -> None:
            self.methods[method] = arity

        return note


def test_the_services_are_current(files: list[FileDescriptorProto]) -> None:
    """Every service has a stub and a servicer with exactly its RPCs."""
    for file in files:
        for service in file.service:
            stubs, wire = _module(file, "_pb2_grpc"), _Wire()
            getattr(stubs, f"{service.name}Stub")(wire)
            servicer = getattr(stubs, f"{service.name}Servicer")
            arities = {False: "unary", True: "stream"}
            expected = {
                f"/{file.package}.{service.name}/{method.name}": (
                    f"{arities[method.client_streaming]}"
                    f"_{arities[method.server_streaming]}"
                )
                for method in service.method
            }

            assert expected == wire.methods
            assert {method.name for method in service.method} == {
                name for name in vars(servicer) if not name.startswith("_")
            }


def test_only_services_have_service_stubs(files: list[FileDescriptorProto]) -> None:
    """A file without a service leaves no empty stub module behind."""
    expected = {
        file.name.replace(".proto", "_pb2_grpc.py") for file in files if file.service
    }
    found = {path.relative_to(STUBS).as_posix() for path in STUBS.rglob("*_grpc.py")}

    assert expected == found


def _typed_classes(tree: ast.Module) -> dict[str, set[str]]:
    return {
        node.name: {
            item.target.id
            for item in node.body
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
        }
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }


def test_the_type_stubs_are_current(files: list[FileDescriptorProto]) -> None:
    """The type stubs name every message, field, enum and value, and no other."""
    for file in files:
        path = STUBS / file.name.replace(".proto", "_pb2.pyi")
        classes = _typed_classes(ast.parse(path.read_text()))
        for message in _messages(file):
            typed = {n for n in classes.pop(message.name) if not n.isupper()}

            assert {field.name for field in message.field} == typed - {"__slots__"}
        for enum in _enums(file):
            assert {value.name for value in enum.value} == classes.pop(enum.name)

        assert {} == {n: c for n, c in classes.items() if not n.endswith("Entry")}
