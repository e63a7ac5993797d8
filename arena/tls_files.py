"""Certificates and keys in files: read for an arena, and checked before it listens.

What a library would say hours later as a failed handshake is said here, with the
file and what to do about it.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from arena.listen import Tls

__all__ = ["TlsError", "read_certificates", "read_key", "read_tls"]


class TlsError(ValueError):
    """A file that is no use for TLS: which one, why, and what to do."""


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
        name = f"{path} (the certificate of {certificate.subject.rfc4514_string()})"
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


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TlsError(
            f"{path}: {error.strerror}; `arena cert` makes certificates and keys"
        ) from None


def _day(moment: datetime) -> str:
    return moment.astimezone(UTC).date().isoformat()
