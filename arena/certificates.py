"""Certificates for a class: an authority of its own, and the pairs that it issues.

    made = issue_server(folder, hosts=["arena.example"], days=365, now=now)

A folder holds one authority for good, so that a pair can be renewed and a bot's be
added later without handing out `ca.pem` again.
"""

import ipaddress
import os
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from arena.tls_files import TlsError, read_certificates, read_key

__all__ = ["Pair", "Paths", "check_client_name", "issue_client", "issue_server"]

LOCAL_HOSTS: Final = ("localhost", "127.0.0.1", "::1")
"""The names of this machine for itself, which every server's certificate covers."""
AUTHORITY_DAYS: Final = 3650
EARLY: Final = timedelta(hours=1)
"""How far clocks of other machines may be behind."""
_HOST: Final = re.compile(
    r"(?:\*\.)?(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*", re.I
)
_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,39}")


@dataclass(frozen=True, slots=True)
class Pair:
    """A certificate and its key, in files."""

    certificate: Path
    key: Path
    valid_until: datetime
    hosts: tuple[str, ...] = ()
    """The names and addresses that a server's pair is valid for."""


@dataclass(frozen=True, slots=True)
class Paths:
    """The files of a class in a folder."""

    folder: Path

    @property
    def ca(self) -> Path:
        """The authority's certificate, which everybody may have."""
        return self.folder / "ca.pem"

    @property
    def ca_key(self) -> Path:
        """The authority's key, which nobody else may have."""
        return self.folder / "ca-key.pem"

    def pair(self, name: str) -> tuple[Path, Path]:
        """Return the certificate and the key of a name."""
        return self.folder / f"{name}.pem", self.folder / f"{name}-key.pem"


def issue_server(
    folder: Path, *, hosts: Iterable[str], days: int, now: datetime
) -> Pair:
    """Make a server's pair, with its authority where the folder has none.

    Args:
        folder: Where the files lie; made if it is missing.
        hosts: Names and IP addresses under which bots reach the server, beside
            those of its own machine.
        days: How long the pair is valid, at most as long as the authority.
        now: The time, with a time zone.

    Raises:
        TlsError: A host is none, or the authority cannot be used.
    """
    names = [_general_name(host) for host in dict.fromkeys((*LOCAL_HOSTS, *hosts))]
    builder = x509.CertificateBuilder().add_extension(
        x509.SubjectAlternativeName(names), critical=False
    )
    usage = ExtendedKeyUsageOID.SERVER_AUTH
    pair = _issue(folder, "server", builder, usage, days=days, now=now)
    return replace(pair, hosts=tuple(str(name.value) for name in names))


def issue_client(folder: Path, name: str, *, days: int, now: datetime) -> Pair:
    """Make the pair of a bot or its owner, for arenas that ask for one.

    Raises:
        TlsError: The name cannot be one, or the authority cannot be used.
    """
    check_client_name(name)
    usage = ExtendedKeyUsageOID.CLIENT_AUTH
    builder = x509.CertificateBuilder()
    return _issue(folder, f"client-{name}", builder, usage, days=days, now=now)


def check_client_name(name: str) -> None:
    """Refuse a name that could not be part of a file's.

    Raises:
        TlsError: It is one.
    """
    if not _NAME.fullmatch(name):
        raise TlsError(
            f"--client {name!r}: expected at most 40 letters, digits, dots, dashes and "
            "underscores"
        )


def _issue(
    folder: Path,
    name: str,
    builder: x509.CertificateBuilder,
    usage: x509.ObjectIdentifier,
    *,
    days: int,
    now: datetime,
) -> Pair:
    authority, authority_key = _authority(Paths(folder), now=now)
    key = ec.generate_private_key(ec.SECP256R1())
    until = min(now + timedelta(days=days), authority.not_valid_after_utc)
    certificate = (
        _dated(builder, key, now=now, until=until)
        .subject_name(_subject(name))
        .issuer_name(authority.subject)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(is_authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        .add_extension(_issuer_id(authority_key), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    path, key_path = Paths(folder).pair(name)
    _write_key(key_path, key)
    _write(path, _pem(certificate) + _pem(authority), mode=0o644)
    return Pair(path, key_path, certificate.not_valid_after_utc)


def _authority(
    paths: Paths, *, now: datetime
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """Return the authority of a folder; make it if there is none."""
    if not paths.ca.exists():
        if paths.ca_key.exists():
            # It may be the key of what bots trust already.
            raise TlsError(
                f"{paths.ca}, the certificate of {paths.ca_key}, is missing; put it "
                "back, or begin anew in another folder (--out), whose ca.pem everybody "
                "needs then"
            )
        return _new_authority(paths, now=now)
    certificate = read_certificates(paths.ca, now=now)[0]
    if not paths.ca_key.exists():
        raise TlsError(
            f"{paths.ca_key}, the key of {paths.ca}, is missing, and no certificate "
            "can be made without it; put it back, or begin anew in another folder "
            "(--out), whose ca.pem everybody needs then"
        )
    key = read_key(paths.ca_key)
    is_ours = isinstance(key, ec.EllipticCurvePrivateKey)
    if not is_ours or key.public_key() != certificate.public_key():
        raise TlsError(
            f"{paths.ca_key} is not the key of {paths.ca}; make new ones in another "
            "folder (--out)"
        )
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return certificate, key


def _new_authority(
    paths: Paths, *, now: datetime
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    # Two authorities of one name would be taken for each other.
    name = _subject(f"Hearts Arena authority {secrets.token_hex(4)}")
    until = now + timedelta(days=AUTHORITY_DAYS)
    certificate = (
        _dated(x509.CertificateBuilder(), key, now=now, until=until)
        .subject_name(name)
        .issuer_name(name)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage(is_authority=True), critical=True)
        .add_extension(_issuer_id(key), critical=False)
        .sign(key, hashes.SHA256())
    )
    paths.folder.mkdir(parents=True, exist_ok=True)
    _write_key(paths.ca_key, key)
    _write(paths.ca, _pem(certificate), mode=0o644)
    return certificate, key


def _dated(
    builder: x509.CertificateBuilder,
    key: ec.EllipticCurvePrivateKey,
    *,
    now: datetime,
    until: datetime,
) -> x509.CertificateBuilder:
    public = key.public_key()
    return (
        builder.public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLY)
        .not_valid_after(until)
        .add_extension(
            x509.SubjectKeyIdentifier.from_public_key(public), critical=False
        )
    )


def _subject(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _issuer_id(key: ec.EllipticCurvePrivateKey) -> x509.AuthorityKeyIdentifier:
    return x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key())


def _key_usage(*, is_authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not is_authority,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host.strip("[]")))
    except ValueError:
        pass
    if not _HOST.fullmatch(host) or len(host) > 253:
        raise TlsError(
            f"--host {host!r}: expected a name such as arena.example or an IP address, "
            "without a port"
        )
    return x509.DNSName(host)


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(Encoding.PEM)


def _write_key(path: Path, key: ec.EllipticCurvePrivateKey) -> None:
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    _write(path, pem, mode=0o600)


def _write(path: Path, content: bytes, *, mode: int) -> None:
    """Write a file whole or not at all; nobody else can read it in between."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(
        os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb"
    ) as (file):
        file.write(content)
    draft.replace(path)
