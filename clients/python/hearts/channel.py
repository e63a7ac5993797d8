"""
The way to an arena: its address, the options of the channel, and what a failed
call means.
"""

import ipaddress
from dataclasses import dataclass
from typing import Final

import grpc

KEEPALIVE_MS: Final = 30_000
"""How often a silent connection is probed. Arenas refuse clients that probe more
often than every 10 s; 30 s keeps the tables of home routers alive."""

PROBE_TIMEOUT_MS: Final = 10_000
"""How long the arena may take to answer a probe."""

RECONNECT_MS_MAX: Final = 1_000
"""The longest pause of the channel's own attempts to connect."""


class AddressError(ValueError):
    """
    Something is not the address of an arena.
    """


class ArenaRefusedError(Exception):
    """
    The arena does not want this bot, or nothing that it says can be of use.
    """


@dataclass(frozen=True, slots=True)
class Address:
    """
    Where an arena listens.
    """

    host: str
    port: int
    socket: str = ""
    """The path of a socket on this machine; then host and port mean nothing."""

    def __str__(self) -> str:
        if self.socket:
            return f"unix:{self.socket}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def is_near(self) -> bool:
        """Whether it is this machine or one in the same private network."""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(self.host).is_private
        except ValueError:
            # A name without a dot is one that only the local network knows.
            return "." not in self.host


def parse_address(text: str) -> Address:
    """
    Read `HOST:PORT`, where HOST is a name or an IP address, v6 in brackets.

    `unix:PATH` is a socket on this machine.

    Raises:
        AddressError: It is something else.
    """
    if text.startswith("unix:/"):
        return Address("localhost", 0, text.removeprefix("unix:"))
    host, _, port = text.strip().rpartition(":")
    host = host.removeprefix("[").removesuffix("]") if host.startswith("[") else host
    is_bare_v6 = ":" in host and not text.strip().startswith("[")
    if "/" in host or not host or is_bare_v6:
        raise AddressError(
            f"{text!r} is not an arena's address; expected HOST:PORT, for example"
            " 127.0.0.1:50051"
        )
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise AddressError(f"{text!r}: {port!r} is not a port; expected 1 to 65535")
    return Address(host, int(port))


def channel_options(address: Address, *, shared: bool = False) -> list[tuple[str, int]]:
    """
    The options of a channel to an arena.
    """
    return [
        ("grpc.keepalive_time_ms", KEEPALIVE_MS),
        ("grpc.keepalive_timeout_ms", PROBE_TIMEOUT_MS),
        # The keepalive timeout alone has no effect in many versions of gRPC.
        ("grpc.http2.ping_timeout_ms", PROBE_TIMEOUT_MS),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.max_reconnect_backoff_ms", RECONNECT_MS_MAX),
        # A new channel shall try at once, not share the pauses of the old one.
        ("grpc.use_local_subchannel_pool", 0 if shared else 1),
        # With proxy variables set, gRPC would not even reach this machine.
        ("grpc.enable_http_proxy", 0 if address.is_near else 1),
    ]


_REFUSALS: Final = {
    grpc.StatusCode.UNAUTHENTICATED: "does not know the token",
    grpc.StatusCode.PERMISSION_DENIED: "does not admit the bot",
    grpc.StatusCode.ABORTED: "has handed the games to another process of the bot",
    grpc.StatusCode.INVALID_ARGUMENT: "cannot read what this program sends",
    grpc.StatusCode.FAILED_PRECONDITION: "cannot read what this program sends",
    grpc.StatusCode.UNIMPLEMENTED: "is not a Hearts Arena, or one too old or new",
}
"""Statuses that no second attempt can change, and what they mean."""


def check_refusal(
    code: grpc.StatusCode, details: str, *, address: Address, has_token: bool
) -> None:
    """
    Return when it is worth while to call again.

    Raises:
        ArenaRefusedError: It is not; the message says why and what to do.
    """
    meaning = _REFUSALS.get(code)
    if meaning is None:
        return
    text = f"the arena at {address} {meaning}"
    if code == grpc.StatusCode.UNAUTHENTICATED and not has_token:
        text = (
            f"the arena at {address} wants a token; make one with"
            " `arena bot add NAME` and set HEARTS_TOKEN"
        )
    raise ArenaRefusedError(f"{text} ({details})" if details else text)


def absence_text(address: Address, details: str) -> str:
    """
    What to tell people about an arena that was never reached.
    """
    if "DNS" in details:
        return f"there is no host {address.host!r} for an arena; waiting ({details})"
    return f"no arena at {address} yet; waiting (start one with `arena serve`)"


def draining_text(address: Address, details: str, *, was_connected: bool) -> str:
    """
    What to tell people about an arena that goes away by its own word.
    """
    if was_connected:
        return (
            f"the arena at {address} has closed ({details}); waiting for it to come"
            " back"
        )
    return f"the arena at {address} takes no bots now: {details}; waiting"
