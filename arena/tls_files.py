"""Certificates and keys in files: read for an arena, and checked before it listens.

What a library would say hours later as a failed handshake is said here, with the
file and what to do about it.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from arena.listen import Tls
from arena.logs import Event

__all__ = [
    "TlsError",
    "TlsFiles",
    "ending_soon",
    "read_certificates",
    "read_key",
    "read_tls",
]

log = logging.getLogger("arena.tls")

SOON: Final = timedelta(days=14)
"""How long before its end a certificate should be renewed."""


class TlsError(ValueError):
    """A file that is no use for TLS: which one, why, and what to do."""


class TlsFiles:
    """What an arena needs to speak TLS, read again whenever its files have changed.

    Args:
        certificate: The arena's certificate, then those of its authorities.
        key: The private key of the first of them, without a passphrase.
        client_ca: The authorities of bots' certificates, if bots must show one.
        clock: Gives the time, with a time zone.
    """

    def __init__(
        self,
        certificate: Path,
        key: Path,
        client_ca: Path | None = None,
        *,
        clock: Callable[[], datetime],
    ) -> None:
        self._certificate = certificate
        self._key = key
        self._client_ca = client_ca
        self._clock = clock
        self._seen = self._stamps()

    def read(self) -> Tls:
        """Return what the files hold.

        Raises:
            TlsError: A file cannot be used.
        """
        now = self._clock()
        tls = read_tls(self._certificate, self._key, self._client_ca, now=now)
        return replace(tls, renewed=self.renewed)

    def renewed(self) -> Tls | None:
        """Return what the files hold if they have changed and can be used.

        It is asked at every handshake, and three looks at the disk are all that it
        does as a rule.
        """
        stamps = self._stamps()
        if stamps == self._seen:
            return None
        self._seen = stamps
        try:
            tls = self.read()
        except TlsError as error:
            # The next change may well make it good: files are replaced one by one.
            log.warning(Event("changed certificates can't be used", why=str(error)))
            return None
        log.info(Event("changed certificates are in use"))
        return tls

    def warnings(self) -> list[str]:
        """Return which certificates are near their end, for people.

        Raises:
            TlsError: A file cannot be used.
        """
        now, paths = self._clock(), (self._certificate, self._client_ca)
        found = (ending_soon(path, now=now) for path in paths if path is not None)
        return [text for text in found if text]

    def _stamps(self) -> list[tuple[int, int, int]]:
        """Return what tells a changed file from the one before."""
        stamps = []
        for path in (self._certificate, self._key, self._client_ca):
            try:
                stat = path.stat() if path is not None else None
            except OSError:
                stat = None
            key = (stat.st_mtime_ns, stat.st_size, stat.st_ino) if stat else (0, 0, 0)
            stamps.append(key)
        return stamps


def read_tls(
    certificate: Path, key: Path, client_ca: Path | None = None, *, now: datetime
) -> Tls:
    """Read what an arena needs to speak TLS.

    Args:
        certificate: The arena's certificate, then those of its authorities.
        key: The private key of the first of them, without a passphrase.
        client_ca: The authorities of bots' certificates, if bots must show one.
        now: The time at which all of them must be valid, with a time zone.

    Raises:
        TlsError: A file cannot be used.
    """
    chain = read_certificates(certificate, now=now)
    if read_key(key).public_key() != chain[0].public_key():
        raise TlsError(
            f"{key} is not the key of {certificate}; expected the two files that were "
            "made together"
        )
    if client_ca is not None:
        read_certificates(client_ca, now=now)
    return Tls(
        certificate=certificate.read_bytes(),
        key=key.read_bytes(),
        client_ca=client_ca.read_bytes() if client_ca else b"",
    )


def read_certificates(path: Path, *, now: datetime) -> Sequence[x509.Certificate]:
    """Return the certificates in a PEM file, one at least.

    Raises:
        TlsError: There are none, or one is not valid at `now`.
    """
    data = _content(path)
    try:
        found = x509.load_pem_x509_certificates(data)
    except ValueError:
        what = "is a key and" if b" PRIVATE KEY-" in data else "is"
        raise TlsError(
            f"{path} {what} no certificate; expected PEM, which begins with "
            "-----BEGIN CERTIFICATE-----"
        ) from None
    for certificate in found:
        name = _name(path, certificate)
        if certificate.not_valid_after_utc <= now:
            raise TlsError(
                f"{name} expired on {_day(certificate.not_valid_after_utc)}; renew it, "
                "with `arena cert` if that made it"
            )
        if now < certificate.not_valid_before_utc:
            raise TlsError(
                f"{name} is valid from {_day(certificate.not_valid_before_utc)} only; "
                "is the clock of this machine right?"
            )
    return found


def ending_soon(path: Path, *, now: datetime) -> str:
    """Return which certificate in a PEM file should be renewed by now; else nothing.

    Raises:
        TlsError: There are none, or one is not valid at `now`.
    """
    first = min(read_certificates(path, now=now), key=lambda c: c.not_valid_after_utc)
    end = first.not_valid_after_utc
    if end - now >= SOON:
        return ""
    return (
        f"{_name(path, first)} expires on {_day(end)}; renew it before then, with "
        "`arena cert` if that made it"
    )


def read_key(path: Path) -> PrivateKeyTypes:
    """Return the private key in a PEM file.

    Raises:
        TlsError: There is none that can be used without a passphrase.
    """
    data = _content(path)
    try:
        return load_pem_private_key(data, password=None)
    except TypeError:
        raise TlsError(
            f"{path} needs a passphrase; `openssl pkey -in {path} -out FILE` writes "
            "the key without one"
        ) from None
    except (ValueError, UnsupportedAlgorithm):
        what = "is a certificate and" if b" CERTIFICATE-" in data else "is"
        raise TlsError(
            f"{path} {what} no private key; expected PEM, which begins with "
            "-----BEGIN PRIVATE KEY-----"
        ) from None


def _name(path: Path, certificate: x509.Certificate) -> str:
    return f"{path} (the certificate of {certificate.subject.rfc4514_string()})"


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TlsError(
            f"{path}: {error.strerror}; `arena cert` makes certificates and keys"
        ) from None


def _day(moment: datetime) -> str:
    return moment.astimezone(UTC).date().isoformat()
