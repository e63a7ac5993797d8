"""The SDK's way to an arena: addresses, options, and what statuses mean."""

import grpc
import pytest

from hearts.channel import (
    Address,
    AddressError,
    ArenaRefusedError,
    absence_text,
    channel_options,
    check_refusal,
    parse_address,
)

HERE = Address("127.0.0.1", 50051)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("127.0.0.1:50051", "127.0.0.1", 50051),
        (" arena.example:443 ", "arena.example", 443),
        ("[::1]:50051", "::1", 50051),
    ],
)
def test_addresses_are_read(text: str, host: str, port: int) -> None:
    """A name or an IP address with a port is an address, and writes itself so."""
    address = parse_address(text)

    assert Address(host, port) == address
    assert text.strip() == str(address)


@pytest.mark.parametrize(
    "text",
    [
        *("", "localhost", ":50051", "host:", "host:x", "host:0", "host:65536"),
        *("http://host:1", "::1:50051"),
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    """Anything else raises an error that says what was expected."""
    with pytest.raises(AddressError, match="expected"):
        parse_address(text)


@pytest.mark.parametrize(
    ("host", "is_near"),
    [
        *(("localhost", True), ("127.0.0.1", True), ("::1", True), ("box", True)),
        *(("192.168.1.9", True), ("10.0.0.1", True), ("bots.localhost", True)),
        *(("8.8.8.8", False), ("arena.example", False)),
    ],
)
def test_no_proxy_stands_before_a_near_arena(host: str, is_near: bool) -> None:
    """Proxy variables count for arenas in the internet only."""
    options = dict(channel_options(Address(host, 1)))

    assert is_near == Address(host, 1).is_near
    assert int(not is_near) == options["grpc.enable_http_proxy"]


def test_probes_are_no_faster_than_arenas_allow() -> None:
    """A client that probes more often than every 20 seconds may be thrown out."""
    assert dict(channel_options(HERE))["grpc.keepalive_time_ms"] >= 20_000


@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    ],
)
def test_some_failures_pass(code: grpc.StatusCode) -> None:
    """Statuses that another attempt may change refuse nothing."""
    check_refusal(code, "", address=HERE, has_token=True)


def test_a_missing_token_is_told_with_advice() -> None:
    """A bot without a token is told how to get one."""
    with pytest.raises(ArenaRefusedError, match="arena bot add NAME"):
        check_refusal(
            grpc.StatusCode.UNAUTHENTICATED, "no token", address=HERE, has_token=False
        )


def test_an_absent_arena_is_told_from_an_unknown_host() -> None:
    """A wrong name in the address is not taken for an arena that is late."""
    unknown = absence_text(Address("arena.exmaple", 1), "DNS resolution failed")

    assert "no host 'arena.exmaple'" in unknown
    assert (
        "no arena at 127.0.0.1:50051 yet; waiting (start one with `arena serve`)"
        == absence_text(HERE, "Connection refused")
    )
