"""Certificates in files: made for a class, and checked before an arena listens."""

import ssl
import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
)

from arena.certificates import Paths, issue_client, issue_server
from arena.listen import Listen
from arena.terminal import CommandError
from arena.tls_files import TlsError, TlsFiles, read_certificates, read_key, read_tls
from leagues.commands.listening import chosen_listen
from leagues.commands.running import place_text
from tests.arena_thread import running_arena
from tests.command_line import Arena

NOW = datetime(2031, 5, 1, 12, tzinfo=UTC)
YEAR = timedelta(days=365)


def _server(folder: Path, *hosts: str, now: datetime = NOW) -> tuple[Path, Path]:
    pair = issue_server(folder, hosts=hosts, days=365, now=now)
    return pair.certificate, pair.key


def _names(certificate: Path) -> list[str]:
    leaf = x509.load_pem_x509_certificate(certificate.read_bytes())
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    return [str(name.value) for name in names.value]


def test_a_server_pair_covers_its_hosts_and_its_own_machine(tmp_path: Path) -> None:
    """Names and addresses are there once each, loopback always."""
    certificate, key = _server(tmp_path, "arena.example", "[fd00::2]", "localhost")
    expected = ["localhost", "127.0.0.1", "::1", "arena.example", "fd00::2"]
    tls = read_tls(certificate, key, tmp_path / "ca.pem", now=NOW)

    assert expected == _names(certificate)
    assert certificate.read_bytes() == tls.certificate
    assert (tmp_path / "ca.pem").read_bytes() == tls.client_ca


def test_pairs_come_from_the_authority_in_their_folder(tmp_path: Path) -> None:
    """The authority is made once, and every pair is verifiably its own."""
    _server(tmp_path)
    ca = (tmp_path / "ca.pem").read_bytes()
    certificate, _ = _server(tmp_path, "arena.example", now=NOW + YEAR)
    client = issue_client(tmp_path, "ann", days=30, now=NOW)
    authority = x509.load_pem_x509_certificate(ca)
    for path in (certificate, client.certificate):
        leaf, issuer = x509.load_pem_x509_certificates(path.read_bytes())
        leaf.verify_directly_issued_by(authority)
        assert authority == issuer

    assert ca == (tmp_path / "ca.pem").read_bytes()
    assert NOW + timedelta(days=30) == client.valid_until


def test_keys_are_their_owner_s_alone(tmp_path: Path) -> None:
    """Nobody else can read a key, and no half-written file is left."""
    _server(tmp_path)
    issue_client(tmp_path, "ann", days=1, now=NOW)
    keys = {path for path in tmp_path.iterdir() if "-key" in path.name}

    assert 3 == len(keys)
    assert {0o600} == {stat.S_IMODE(key.stat().st_mode) for key in keys}
    assert [] == list(tmp_path.glob("*.new"))


def test_no_pair_outlives_its_authority(tmp_path: Path) -> None:
    """A pair that is made late ends with the authority; after that none is made."""
    _server(tmp_path)
    late = issue_client(tmp_path, "ann", days=365, now=NOW + 9.5 * YEAR)

    assert NOW + 10 * YEAR == late.valid_until
    with pytest.raises(TlsError, match=r"ca\.pem .* expired on 2041-04-28; renew it"):
        issue_client(tmp_path, "ann", days=1, now=NOW + 11 * YEAR)


@pytest.mark.parametrize(
    "host", ["", "a:1", "http://a", "a b", "-a", "a..b", "1.2.3.4/8", "a" * 64]
)
def test_what_is_no_host_is_refused(tmp_path: Path, host: str) -> None:
    """A host that no certificate can name is an error, and nothing is written."""
    with pytest.raises(TlsError, match="expected a name such as arena"):
        _server(tmp_path / "tls", host)
    assert not (tmp_path / "tls").exists()


def _encrypt(path: Path) -> None:
    path.write_bytes(
        read_key(path).private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")
        )
    )


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda p: p.pair("server")[0].unlink(), "server.pem: No such file or direct"),
        (lambda p: p.pair("server")[1].unlink(), "server-key.pem: No such file or di"),
        (lambda p: p.ca.unlink(), "ca.pem: No such file or directory; `arena cert` m"),
        (lambda p: p.ca.write_text("x"), "ca.pem is no certificate; expected PEM"),
        (lambda p: p.ca.replace(p.pair("server")[1]), "is a certificate and no priv"),
        (
            lambda p: p.ca_key.replace(p.pair("server")[0]),
            "server.pem is a key and no certificate; expected PEM",
        ),
        (
            lambda p: p.ca_key.replace(p.pair("server")[1]),
            "server-key.pem is not the key of .*server.pem; expected the two files",
        ),
        (lambda p: _encrypt(p.pair("server")[1]), "needs a passphrase; `openssl pke"),
    ],
)
def test_a_file_of_no_use_is_named(
    tmp_path: Path, spoil: Callable[[Paths], object], message: str
) -> None:
    """Each way in which a file can be wrong is told with the file."""
    certificate, key = _server(tmp_path)
    spoil(Paths(tmp_path))

    with pytest.raises(TlsError, match=message):
        read_tls(certificate, key, tmp_path / "ca.pem", now=NOW)


@pytest.mark.parametrize(
    ("now", "message"),
    [
        (NOW + YEAR, r"\(the certificate of CN=server\) expired on 2032-04-30; renew"),
        (NOW - YEAR, "is valid from 2031-05-01 only; is the clock of this machine"),
    ],
)
def test_certificates_are_valid_in_their_time(
    tmp_path: Path, now: datetime, message: str
) -> None:
    """An expired certificate is told from one that is not valid yet."""
    certificate, _ = _server(tmp_path)

    with pytest.raises(TlsError, match=message):
        read_certificates(certificate, now=now)


@pytest.mark.parametrize(("days_left", "is_told"), [(15, False), (13, True)])
def test_a_certificate_near_its_end_is_told(
    tmp_path: Path, days_left: int, is_told: bool
) -> None:
    """Two weeks before it expires its file is named with the day; earlier nothing."""
    certificate, key = _server(tmp_path)
    now = NOW + YEAR - timedelta(days=days_left)
    files = TlsFiles(certificate, key, tmp_path / "ca.pem", clock=lambda: now)
    expected = (
        f"{certificate} (the certificate of CN=server) expires on 2032-04-30; renew it "
        "before then, with `arena cert` if that made it"
    )

    assert [expected] * is_told == files.warnings()


def test_a_command_warns_of_a_certificate_near_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The arena is opened nevertheless, and with an expired one it is not."""

    def listen(days_ago: int) -> Listen:
        made = datetime.now(UTC) - timedelta(days=days_ago)
        folder = tmp_path / str(days_ago)
        pair = issue_server(folder, hosts=(), days=20, now=made)
        return chosen_listen(
            "0.0.0.0",
            0,
            certificate=pair.certificate,
            key=pair.key,
            client_ca=None,
            allows_insecure=False,
        )

    assert [True, True] == [listen(ago).tls is not None for ago in (0, 10)]
    told = capsys.readouterr().err
    assert 1 == told.count("warning: ")
    assert "(the certificate of CN=server) expires on " in told
    with pytest.raises(CommandError, match=r"server\.pem .* expired on"):
        listen(21)


def test_changed_files_are_read_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A renewed pair is given once; a half of one is none, and is logged."""
    certificate, key = _server(tmp_path)
    files = TlsFiles(certificate, key, clock=lambda: NOW)
    caplog.set_level("INFO")
    first = files.read()
    unchanged = files.renewed()
    new, new_key = _server(tmp_path / "new")
    new.replace(certificate)
    half = files.renewed()
    new_key.replace(key)
    whole = files.renewed()

    assert (None, None, None) == (unchanged, half, files.renewed())
    assert whole is not None
    assert first.certificate != whole.certificate == certificate.read_bytes()
    assert key.read_bytes() == whole.key
    assert ["WARNING", "INFO"] == [
        record.levelname for record in caplog.records if record.name == "arena.tls"
    ]


def test_an_arena_shows_a_renewed_certificate(tmp_path: Path) -> None:
    """Connections after the change see it, and the arena was not restarted."""

    def shown(port: int) -> bytes:
        pem = ssl.get_server_certificate(("127.0.0.1", port), timeout=30)
        return x509.load_pem_x509_certificate(pem.encode()).public_bytes(Encoding.PEM)

    def renew(folder: Path) -> bytes:
        pair = issue_server(folder, hosts=(), days=30, now=datetime.now(UTC))
        return pair.certificate.read_bytes()

    before = renew(tmp_path)
    files = TlsFiles(*Paths(tmp_path).pair("server"), clock=lambda: datetime.now(UTC))
    with running_arena(tls=files.read()) as arena:
        found = [shown(arena.server.port)]
        after = renew(tmp_path)
        found += [shown(arena.server.port) for _ in range(2)]

    assert before.startswith(found[0])
    assert {found[1]} == set(found[1:])
    assert after.startswith(found[1])


def test_whose_files_are_whose_is_told(arena: Arena, tmp_path: Path) -> None:
    """The hosts of a server's pair are named, and what a bot's owner does with hers."""
    made = arena("cert", "--host", "[fd00::2]", "--client", "ann", "--out", tmp_path)
    added = arena("cert", "--client", "bob", "--out", tmp_path)

    pair = f"{tmp_path}/client-ann.pem and {tmp_path}/client-ann-key.pem"
    told = f"Hand {pair} to ann alone: the bot names them in HEARTS_TLS_CERT and HEART"
    assert "server.pem is valid for localhost, 127.0.0.1, ::1, fd00::2\n" in made.error
    assert told in made.error
    assert "client-bob-key.pem to bob alone" in added.error
    assert "valid for" not in added.error
    assert "ann" not in added.error


@pytest.mark.parametrize(
    ("lost", "told"),
    [
        ("ca-key.pem", "{0}/ca-key.pem, the key of {0}/ca.pem, is missing"),
        ("ca.pem", "{0}/ca.pem, the certificate of {0}/ca-key.pem, is missing"),
    ],
)
def test_half_an_authority_makes_nothing(
    arena: Arena, tmp_path: Path, lost: str, told: str
) -> None:
    """What is missing is told, and the two ways on; the other half stays."""
    arena("cert", "--out", tmp_path)
    (tmp_path / lost).unlink()
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    done = arena("cert", "--host", "arena.example", "--out", tmp_path)

    assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
    assert told.format(tmp_path) in done.error
    assert "put it back, or begin anew in another folder (--out), whose" in done.error
    assert before == {file: file.read_bytes() for file in tmp_path.iterdir()}


def test_an_arena_with_tls_says_so_before_its_address(tmp_path: Path) -> None:
    """The address ends the line either way, for programs that read it."""
    pair = _server(tmp_path, now=datetime.now(UTC))
    with running_arena() as plain:
        without = place_text(plain.server)
    with running_arena(tls=read_tls(*pair, now=datetime.now(UTC))) as arena:
        with_tls = place_text(arena.server)

    assert f"at 127.0.0.1:{plain.server.port}" == without
    assert f"with TLS at 127.0.0.1:{arena.server.port}" == with_tls


def test_a_second_run_keeps_the_authority(arena: Arena, tmp_path: Path) -> None:
    """Without an order nothing is made anew; a host renews, a client is added."""
    folder = ("--out", tmp_path / "tls")
    made = arena("cert", *folder)
    again = arena("cert", *folder)
    server = (tmp_path / "tls/server.pem").read_bytes()
    added = arena("cert", "--client", "ann", *folder)
    kept = (tmp_path / "tls/server.pem").read_bytes()
    renewed = arena("cert", "--host", "arena.example", *folder)

    assert [0, 2, 0, 0] == [each.code for each in (made, again, added, renewed)]
    assert "server.pem is there already; --host NAME renews it" in again.error
    assert server == kept
    assert "arena.example" in _names(tmp_path / "tls/server.pem")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--host", "a:1"], "--host 'a:1': expected a name such as arena.example"),
        (["--client", "a/b"], "--client 'a/b': expected at most 40 letters"),
    ],
)
def test_wrong_names_are_one_line(
    arena: Arena, tmp_path: Path, options: list[str], message: str
) -> None:
    """A name that can't be used is told, and nothing is written."""
    done = arena("cert", *options, "--out", tmp_path / "tls")

    assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
    assert message in done.error
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tls-cert", "a.pem"], "--tls-cert a.pem is of no use without --tls-key"),
        (["--tls-key", "a.pem"], "--tls-key a.pem is of no use without --tls-cert"),
        (
            ["--tls-client-ca", "a.pem"],
            "--tls-client-ca a.pem is of no use without --tls-cert and --tls-key",
        ),
        (
            ["--tls-cert", "none.pem", "--tls-key", "none.pem"],
            "none.pem: No such file or directory; `arena cert` makes",
        ),
    ],
)
def test_a_missing_half_is_told(
    arena: Arena, tmp_path: Path, options: list[str], message: str
) -> None:
    """`arena serve` says which file is missing before it opens anything."""
    done = arena("serve", *options, "--data", tmp_path / "data")

    assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
    assert message in done.error
    assert [] == list(tmp_path.iterdir())
