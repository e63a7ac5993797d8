"""
TLS to an arena: the files that it takes, and why an arena and a bot do not agree.
"""

import os
import socket
import ssl
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

import grpc

from hearts.channel import Address, channel_options

PUBLIC: Final = "public"
"""Stands for the authorities that browsers trust, in place of a file."""

PROBE_SECONDS: Final = 3.0
"""How long an arena may take to say what is wrong with a connection."""

File: TypeAlias = str | os.PathLike[str]


class TlsError(ValueError):
    """
    A file that is no use for TLS: which one, why, and what to do.
    """


@dataclass(frozen=True, slots=True)
class Tls:
    """
    What a bot needs to reach an arena that speaks TLS.
    """

    ca: str
    """The file with the arena's authority, or `public`."""
    cert: str = ""
    """The file with the bot's certificate, for an arena that asks for one."""
    key: str = ""
    roots: bytes | None = field(default=None, repr=False)
    cert_pem: bytes | None = field(default=None, repr=False)
    key_pem: bytes | None = field(default=None, repr=False)

    def credentials(self) -> grpc.ChannelCredentials:
        """
        What gRPC takes for a channel.
        """
        return grpc.ssl_channel_credentials(self.roots, self.key_pem, self.cert_pem)


def read_tls(
    ca: File | None = None, cert: File | None = None, key: File | None = None
) -> Tls | None:
    """
    Read TLS files, named here or in the environment; None stands for no TLS.

    Args:
        ca: The arena's authority or `public`; default `HEARTS_TLS_CA`.
        cert: The bot's certificate; default `HEARTS_TLS_CERT`.
        key: The key of that certificate; default `HEARTS_TLS_KEY`.

    Raises:
        TlsError: A file cannot be used, or one is missing beside another.
    """
    ca, cert, key = (
        os.environ.get(name, "") if given is None else os.fspath(given)
        for name, given in (
            ("HEARTS_TLS_CA", ca),
            ("HEARTS_TLS_CERT", cert),
            ("HEARTS_TLS_KEY", key),
        )
    )
    if bool(cert) != bool(key):
        named, missing = ("CERT", "KEY") if cert else ("KEY", "CERT")
        raise TlsError(
            f"HEARTS_TLS_{named} is of no use without HEARTS_TLS_{missing}; set both"
        )
    if not ca:
        if cert:
            raise TlsError(
                "HEARTS_TLS_CERT is of no use without HEARTS_TLS_CA, the file with the"
                " arena's authority"
            )
        return None
    tls = Tls(
        ca,
        cert,
        key,
        roots=None if ca == PUBLIC else _content("HEARTS_TLS_CA", ca),
        cert_pem=_content("HEARTS_TLS_CERT", cert) if cert else None,
        key_pem=_content("HEARTS_TLS_KEY", key) if key else None,
    )
    _context(tls)
    return tls


def _content(variable: str, path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise TlsError(
            f"{variable} names {path}: {error.strerror}; expected a file that the host"
            " of the arena gave you"
        ) from None


def _context(tls: Tls) -> ssl.SSLContext:
    """
    What the standard library takes; making it checks the files.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.set_alpn_protocols(["h2"])
    if tls.roots is None:
        context.load_default_certs()
    else:
        _load_roots(context, tls.ca)
    if tls.cert:
        try:
            # Without a password the library would ask for one on the terminal.
            context.load_cert_chain(tls.cert, tls.key, password="")
        except ssl.SSLError as error:
            if error.reason == "KEY_VALUES_MISMATCH":
                text = f"{tls.key} is not the key of {tls.cert}; expected the two files"
                raise TlsError(f"{text} that were made together") from None
            text = f"{tls.cert} and {tls.key} are no certificate and its key in PEM"
            raise TlsError(f"{text} without a passphrase") from None
    return context


def _load_roots(context: ssl.SSLContext, path: str) -> None:
    try:
        context.load_verify_locations(path)
    except ssl.SSLError:
        raise TlsError(
            f"{path} holds no certificate; HEARTS_TLS_CA is the arena's ca.pem, which"
            " begins with -----BEGIN CERTIFICATE-----"
        ) from None
    for certificate in context.get_ca_certs():
        end = str(certificate["notAfter"])
        if ssl.cert_time_to_seconds(end) <= time.time():
            raise TlsError(
                f"{path} expired on {end}; ask the host of the arena for a new one"
            )


def open_channel(address: Address, tls: Tls | None) -> grpc.Channel:
    """
    Open a channel to an arena, with TLS or without.
    """
    options = channel_options(address)
    if tls is None:
        return grpc.insecure_channel(str(address), options)
    return grpc.secure_channel(str(address), tls.credentials(), options)


def handshake_problem(address: Address, tls: Tls | None) -> str:
    """
    Say why a connection that has failed can't work; empty when it may some time.

    gRPC says little of that, so the handshake is done once more by itself. Takes
    up to some seconds.
    """
    if address.socket:
        return ""
    context = _open_context() if tls is None else _context(tls)
    try:
        with (
            socket.create_connection(
                (address.host, address.port), PROBE_SECONDS
            ) as raw,
            context.wrap_socket(raw, server_hostname=address.host) as secured,
        ):
            if tls is None:
                return (
                    f"the arena at {address} speaks TLS; set HEARTS_TLS_CA to the"
                    " ca.pem that its host gives you"
                )
            # An arena that does not like the bot's certificate closes only now.
            is_welcome = bool(secured.recv(1))
    except ssl.SSLCertVerificationError as error:
        assert tls is not None
        return _distrust_text(address, tls, error)
    except ssl.SSLError as error:
        if tls is not None and error.reason == "WRONG_VERSION_NUMBER":
            return f"the arena at {address} speaks no TLS; leave HEARTS_TLS_CA out"
        is_welcome = tls is None or "ALERT" not in (error.reason or "")
    except OSError:
        return ""
    if is_welcome or tls is None:
        return ""
    if not tls.cert:
        return (
            f"the arena at {address} admits only bots with a certificate; set"
            " HEARTS_TLS_CERT and HEARTS_TLS_KEY to those that its host gives you"
        )
    return (
        f"the arena at {address} does not accept the certificate {tls.cert}; it has"
        " expired, it is not a bot's (`arena cert --client NAME` makes those), or an"
        " authority has issued it that the arena does not know"
    )


def _open_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.set_alpn_protocols(["h2"])
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


_EXPIRED: Final = 10
_NOT_YET_VALID: Final = 9
_OTHER_HOST: Final = frozenset({62, 64})
"""What OpenSSL numbers reasons, X509_V_ERR_…; its texts change with its versions."""


def _distrust_text(
    address: Address, tls: Tls, error: ssl.SSLCertVerificationError
) -> str:
    text = f"the certificate of the arena at {address}"
    if error.verify_code == _EXPIRED:
        return f"{text} has expired; its host has to renew it"
    if error.verify_code == _NOT_YET_VALID:
        return f"{text} is not valid yet; is the clock of this machine right?"
    if error.verify_code in _OTHER_HOST:
        return (
            f"{text} is not for {address.host!r}; use the name that it is for in"
            f" HEARTS_ARENA, or have its host add it (`arena cert --host"
            f" {address.host}`)"
        )
    known = "a public authority" if tls.ca == PUBLIC else f"the authority in {tls.ca}"
    return (
        f"{text} is not from {known}; set HEARTS_TLS_CA to the ca.pem of this arena"
        f" ({error.verify_message})"
    )
