"""Where an arena listens, and the certificate that it shows there."""

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["Listen", "Tls", "address_text"]


@dataclass(frozen=True, slots=True)
class Tls:
    """What an arena needs to speak TLS, as PEM."""

    certificate: bytes
    """Its own certificate, then those of the authorities that issued it."""
    key: bytes = field(repr=False)
    client_ca: bytes = b""
    """The authorities of bots' certificates; with any, every bot must show one."""
    renewed: "Callable[[], Tls | None]" = field(
        default=lambda: None, repr=False, compare=False
    )
    """Is asked before each handshake, on a thread of gRPC's, for what is to be used
    from then on; nothing while that has not changed."""


@dataclass(frozen=True, slots=True)
class Listen:
    """An address to listen on."""

    host: str = "127.0.0.1"
    """A name or an IP address, v6 with or without brackets."""
    port: int = 0
    """0 is any free one."""
    tls: Tls | None = None
    socket: str = ""
    """A socket in the file system to listen on too; empty for none."""
    program_sockets: tuple[str, ...] = ()
    """The same, one for each program in a sandbox, which sees no other."""

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can connect."""
        try:
            return ipaddress.ip_address(_bare(self.host)).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def near_host(self) -> str:
        """Where this machine finds what listens here."""
        try:
            address = ipaddress.ip_address(_bare(self.host))
        except ValueError:
            return self.host
        if not address.is_unspecified:
            return _bare(self.host)
        return "127.0.0.1" if address.version == 4 else "::1"


def address_text(host: str, port: int) -> str:
    """Return `host:port`, with an IPv6 address in brackets."""
    host = _bare(host)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _bare(host: str) -> str:
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host
