"""TLS in real processes: `arena cert`, an arena with it, bots with and without."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.processes import (
    BOTS,
    TIMEOUT_SECONDS,
    Done,
    address_of,
    arena,
    environment,
    houses,
    left_over,
    records,
    start,
    write_league,
)

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

CERT = ("--tls-cert", "arena-tls/server.pem", "--tls-key", "arena-tls/server-key.pem")


@contextmanager
def serving(folder: Path, *options: object) -> Iterator[str]:
    """Serve with TLS until the block is left; yield the address."""
    process = start(folder, "serve", "--port", 0, *CERT, *options)
    try:
        yield address_of(process)
        process.send_signal(signal.SIGTERM)
        printed, _ = process.communicate(timeout=TIMEOUT_SECONDS)
        assert 0 == process.returncode, printed
    finally:
        process.kill()
        process.communicate()


def practise(folder: Path, address: str, token: str, **tls: str) -> Done:
    """Run a bot that plays one practice game, with some of HEARTS_TLS_*."""
    variables = {f"HEARTS_TLS_{name.upper()}": file for name, file in tls.items()}
    done = subprocess.run(
        [sys.executable, BOTS / "practising.py"],
        cwd=folder,
        env=environment(folder, HEARTS_ARENA=address, HEARTS_TOKEN=token, **variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def test_a_bot_with_the_authority_plays_and_others_are_told(tmp_path: Path) -> None:
    """Over TLS a bot plays programs of the arena; without the right file it ends."""
    assert 0 == arena(tmp_path, "cert").code
    assert 0 == arena(tmp_path, "cert", "--out", "other").code
    token = arena(tmp_path, "bot", "add", "owl").out.strip()
    with serving(tmp_path) as address:
        told = arena(tmp_path, "bot", "add", "fox")
        near = address.replace("127.0.0.1", "localhost")
        plays = practise(tmp_path, near, token, ca="arena-tls/ca.pem")
        plain = practise(tmp_path, address, token)
        wrong = practise(tmp_path, address, token, ca="other/ca.pem")
        hidden = arena(
            tmp_path,
            *("games", "export", "none", "--arena", address),
            HEARTS_TLS_CA="arena-tls/ca.pem",
        )

    assert plays.out.startswith("places "), plays.error
    assert (2, 1) == (plain.code, len(plain.error.splitlines())), plain.error
    assert f"{address} speaks TLS; set HEARTS_TLS_CA to the ca.pem" in plain.error
    assert (2, 1) == (wrong.code, len(wrong.error.splitlines())), wrong.error
    assert "is not from the authority in other/ca.pem" in wrong.error
    assert "there is no league 'none'" in hidden.error
    assert f"HEARTS_ARENA={address} HEARTS_TLS_CA=ca.pem HEARTS_TOKEN=" in told.error
    assert [] == left_over(tmp_path)


def test_an_arena_may_ask_for_certificates(tmp_path: Path) -> None:
    """With --tls-client-ca only a bot with a pair of that authority plays."""
    assert 0 == arena(tmp_path, "cert", "--client", "owl").code
    assert 0 == arena(tmp_path, "cert", "--client", "owl", "--out", "other").code
    token = arena(tmp_path, "bot", "add", "owl").out.strip()
    ca = "arena-tls/ca.pem"
    with serving(tmp_path, "--tls-client-ca", ca) as address:
        told = arena(tmp_path, "bot", "add", "fox")
        pairs = {
            folder: {"cert": f"{folder}/client-owl.pem", "key": f"{folder}/{key}"}
            for folder, key in (
                ("arena-tls", "client-owl-key.pem"),
                ("other", "client-owl-key.pem"),
            )
        }
        plays = practise(tmp_path, address, token, ca=ca, **pairs["arena-tls"])
        without = practise(tmp_path, address, token, ca=ca)
        foreign = practise(tmp_path, address, token, ca=ca, **pairs["other"])

    assert plays.out.startswith("places "), plays.error
    assert (2, 1) == (without.code, len(without.error.splitlines())), without.error
    assert "admits only bots with a certificate; set HEARTS_TLS_CERT" in without.error
    assert (2, 1) == (foreign.code, len(foreign.error.splitlines())), foreign.error
    assert "does not accept the certificate other/client-owl.pem" in foreign.error
    assert "HEARTS_TLS_CERT=client-fox.pem HEARTS_TLS_KEY=client-fox-k" in told.error
    assert [] == left_over(tmp_path)


@pytest.mark.parametrize("host", ["::1", "localhost"])
@pytest.mark.parametrize("options", [(), CERT], ids=["plain", "tls"])
def test_started_programs_find_the_arena(
    tmp_path: Path, host: str, options: tuple[str, ...]
) -> None:
    """Whatever the address and with TLS too, programs of the arena connect."""
    if options:
        assert 0 == arena(tmp_path, "cert").code
    names = ("careful", "lowest", "ducker", "dodger")
    rules = "rules = { preset = 'arena', target = 20 }"
    file = write_league(tmp_path, "near", "games = 1", rules, *houses(*names))
    # What the host's shell asks for is not meant for programs of the arena.
    done = arena(
        tmp_path,
        *("league", "run", file, "--host", host, *options),
        HEARTS_TLS_CA="none.pem",
    )

    assert 0 == done.code, done.error
    assert 1 == len(records(tmp_path, "near"))
    assert [] == left_over(tmp_path)
