"""What the core of gRPC is told: to be silent, and no more than it understands."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hearts import grpc_core
from hearts.grpc_core import lean_core, without_setting
from tests.certificate_files import make_server

LEAN = "-event_engine_client,-event_engine_listener"
HANDSHAKE_FAILS = """
import asyncio
import sys

from {module} import *

import grpc

key, cert = (open(name, "rb").read() for name in sys.argv[1:])

async def main():
    server = grpc.aio.server()
    credentials = grpc.ssl_server_credentials([(key, cert)])
    port = server.add_secure_port("127.0.0.1:0", credentials)
    await server.start()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.0\\r\\n\\r\\n")
    assert b"" == await reader.read()
    await server.stop(0)

asyncio.run(main())
"""
"""A server that a stranger sends no TLS, in a process that has imported a module."""


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("1.61.3", ""),
        ("1.62.0", LEAN),
        ("1.85.3", LEAN),
        ("1.86.0rc1", ""),
        ("2.0.0", ""),
        ("0.0", ""),
    ],
)
def test_only_tried_releases_are_told_anything(release: str, expected: str) -> None:
    """Releases before and after those that were tried keep their own ways."""
    assert expected == lean_core(release)


def test_what_the_environment_says_stays() -> None:
    """An operator's own setting is not touched, an empty one either."""
    code = "import os, hearts; print(repr(os.environ['GRPC_EXPERIMENTS']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"GRPC_EXPERIMENTS": ""},
        capture_output=True,
        text=True,
        check=True,
    )

    assert "''\n" == done.stdout


def test_other_programs_are_told_what_the_operator_said_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A program may have another grpcio, so what was told here is not passed on."""
    monkeypatch.setattr(grpc_core, "SETTING", LEAN)
    own = {"PATH": "/bin", "GRPC_EXPERIMENTS": "one,two"}

    assert {"PATH": "/bin"} == without_setting(own | {"GRPC_EXPERIMENTS": LEAN})
    assert own == without_setting(own)


@pytest.mark.parametrize("module", ["hearts", "leagues.commands.serve", "arena.server"])
def test_a_handshake_that_fails_writes_nothing(tmp_path: Path, module: str) -> None:
    """The core's own lines are silenced early enough, before grpc is imported."""
    make_server(tmp_path)
    done = subprocess.run(
        [
            *(sys.executable, "-c", HANDSHAKE_FAILS.format(module=module)),
            *(tmp_path / "server-key.pem", tmp_path / "server.pem"),
        ],
        env={k: v for k, v in os.environ.items() if not k.startswith("GRPC_")},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert ("", "") == (done.stdout, done.stderr)
