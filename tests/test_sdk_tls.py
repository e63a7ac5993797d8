"""TLS between a bot and an arena: the bot's files, and what each side says."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

import hearts
from arena.listen import Tls
from hearts.channel import Address, parse_address
from hearts.league import LeagueError, download_games
from hearts.status import StatusError, get_status
from hearts.tls import TlsError, handshake_problem, read_tls
from tests.arena_thread import RunningArena, running_arena
from tests.certificate_files import make_client, make_server


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("HEARTS_TLS_")]:
        monkeypatch.delenv(name)


@contextmanager
def serving(tls: Tls | None, *, host: str = "127.0.0.1") -> Iterator[Address]:
    """Run an arena; yield where bots dial in."""
    with running_arena(host=host, tls=tls) as arena:
        yield parse_address(arena.server.bot_address)


def _wrong(folder: Path) -> Iterator[tuple[dict[str, Path | str], str]]:
    make_server(folder)
    cert, key = make_client(folder)
    ca, none = folder / "ca.pem", folder / "none.pem"
    yield {"ca": none}, f"HEARTS_TLS_CA names {none}: No such file or directory; exp"
    yield {"ca": key}, f"{key} holds no certificate; HEARTS_TLS_CA is the arena's"
    yield {"ca": ca, "cert": cert}, "_CERT is of no use without HEARTS_TLS_KEY; set"
    yield {"ca": ca, "key": key}, "_KEY is of no use without HEARTS_TLS_CERT; set"
    yield {"cert": cert, "key": key}, "_CERT is of no use without HEARTS_TLS_CA"
    yield {"ca": ca, "cert": none, "key": key}, f"HEARTS_TLS_CERT names {none}: No "
    other = folder / "ca-key.pem"
    yield {"ca": ca, "cert": cert, "key": other}, f"{other} is not the key of {cert}"
    yield {"ca": ca, "cert": key, "key": cert}, "are no certificate and its key in"


def test_a_file_of_no_use_is_named(tmp_path: Path) -> None:
    """Each way in which a bot's file can be wrong is told with the file."""
    for given, message in _wrong(tmp_path):
        with pytest.raises(TlsError) as caught:
            read_tls(**given)
        assert message in str(caught.value)


def test_arguments_of_run_are_files_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong file that `run` is given ends the program with one line."""

    class Lowest(hearts.Bot):
        def choose_card(self, turn: hearts.Turn) -> hearts.Card:
            return turn.choices[0]

    make_server(tmp_path)
    ca, (cert, _) = tmp_path / "ca.pem", make_client(tmp_path)
    key = tmp_path / "ca-key.pem"
    with pytest.raises(SystemExit) as ended:
        hearts.run(Lowest, tls_ca=ca, tls_cert=str(cert), tls_key=key)
    said = capsys.readouterr().err

    assert (2, 1) == (ended.value.code, len(said.splitlines()))
    assert f"{key} is not the key of {cert}" in said


def test_an_expired_authority_is_told(tmp_path: Path) -> None:
    """A bot says that its ca.pem has expired before it connects."""
    make_server(tmp_path, age_days=3660)

    with pytest.raises(TlsError, match=r"ca\.pem expired on .*; ask the host of the"):
        read_tls(tmp_path / "ca.pem")


def test_the_environment_stands_in_for_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files come from arguments, else from variables; an empty one is none."""
    make_server(tmp_path)
    ca = str(tmp_path / "ca.pem")
    assert read_tls() is None
    monkeypatch.setenv("HEARTS_TLS_CA", ca)
    found = read_tls()
    public = read_tls("public")

    assert found is not None
    assert ca == found.ca
    assert public is not None
    assert public.roots is None
    assert read_tls("") is None


def test_each_side_s_mistake_has_its_text(tmp_path: Path) -> None:
    """Why a handshake failed is told in one line, with what to do."""
    server = make_server(tmp_path / "class")
    make_server(tmp_path / "other")
    ours, other = (read_tls(tmp_path / name / "ca.pem") for name in ("class", "other"))
    with serving(server) as address:
        assert "" == handshake_problem(address, ours)
        assert (
            f"the arena at {address} speaks TLS; set HEARTS_TLS_CA to the ca.pem"
            in (handshake_problem(address, None))
        )
        assert "is not from the authority in" in handshake_problem(address, other)
        assert "is not from a public authority; set HEARTS_TLS_CA" in (
            handshake_problem(address, read_tls("public"))
        )
    assert "" == handshake_problem(address, ours), "it is down, so it may come"
    with serving(make_server(tmp_path / "class", age_days=20)) as address:
        assert f"the certificate of the arena at {address} has expired; its host" in (
            handshake_problem(address, ours)
        )
    with serving(None) as address:
        assert f"the arena at {address} speaks no TLS; leave HEARTS_TLS_CA out" == (
            handshake_problem(address, ours)
        )
        assert "" == handshake_problem(address, None)


def test_a_certificate_for_another_name_is_told(tmp_path: Path) -> None:
    """A bot that dials a name which the certificate lacks is told to use another."""
    server = make_server(tmp_path)
    ours = read_tls(tmp_path / "ca.pem")
    with serving(server, host="127.0.0.9") as address:
        assert (
            "is not for '127.0.0.9'; use the name that it is for in HEARTS_ARENA"
            in (handshake_problem(address, ours))
        )


def test_an_arena_may_ask_for_a_certificate(tmp_path: Path) -> None:
    """Without a valid certificate of the arena's authority a bot is told so."""
    ca = tmp_path / "ca.pem"
    server = replace(make_server(tmp_path), client_ca=ca.read_bytes())
    with serving(server) as address:
        old = handshake_problem(
            address, read_tls(ca, *make_client(tmp_path, age_days=20))
        )
        good = handshake_problem(address, read_tls(ca, *make_client(tmp_path)))
        none = handshake_problem(address, read_tls(ca))
        arenas = (tmp_path / "server.pem", tmp_path / "server-key.pem")
        other = handshake_problem(address, read_tls(ca, *arenas))

    assert "" == good
    assert "does not accept the certificate" in old
    assert "it has expired, it is not a bot's (`arena cert --client NAME` m" in old
    assert "or an authority has issued it that the arena does not know" in old
    assert old.replace("client-owl.pem", "server.pem") == other
    assert f"the arena at {address} admits only bots with a certificate; set" in none


def test_results_are_read_over_tls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records travel over TLS too, and a missing authority is told."""
    with serving(make_server(tmp_path)) as address:
        with pytest.raises(LeagueError, match="speaks TLS; set HEARTS_TLS_CA"):
            list(download_games("none", address=str(address)))
        monkeypatch.setenv("HEARTS_TLS_CA", str(tmp_path / "ca.pem"))
        with pytest.raises(LeagueError, match="this arena keeps no leagues"):
            list(download_games("none", address=str(address)))


def test_the_operator_asks_over_tls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status travels over TLS too, and a missing authority is told."""
    with running_arena(tls=make_server(tmp_path), operator_token="secret") as arena:
        address = arena.server.bot_address
        with pytest.raises(StatusError, match="speaks TLS; set HEARTS_TLS_CA"):
            get_status(address, "secret")
        monkeypatch.setenv("HEARTS_TLS_CA", str(tmp_path / "none.pem"))
        with pytest.raises(StatusError, match="No such file"):
            get_status(address, "secret")
        monkeypatch.setenv("HEARTS_TLS_CA", str(tmp_path / "ca.pem"))
        assert 0 == get_status(address, "secret").tables_count


def _status(arena: RunningArena, token: str) -> str:
    with arena.bot(token) as (_, responses):
        try:
            return next(responses).welcome.bot_name
        except grpc.RpcError as error:
            return str(error)


def test_the_port_without_tls_is_for_started_programs(tmp_path: Path) -> None:
    """Beside TLS, programs that the arena started connect plainly, others do not."""
    with running_arena(tls=make_server(tmp_path)) as arena:
        started = _status(arena, "once-ada")
        other = _status(arena, "bob")

    assert arena.address != arena.server.bot_address
    assert "ada" == started
    assert "PERMISSION_DENIED" in other
    assert "this port is for programs that the arena starts; bots that" in other


def test_ipv6_and_other_addresses_are_dialled(tmp_path: Path) -> None:
    """The address that a server gives its programs is the one it listens on."""
    for host, text in (("::1", "[::1]:"), ("127.0.0.9", "127.0.0.9:")):
        with running_arena(host=host) as arena:
            assert arena.address.startswith(text)
            assert "ada" == _status(arena, "once-ada")
