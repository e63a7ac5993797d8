"""Where an arena listens, and how its own machine finds it."""

import pytest

from arena.listen import Listen, Tls, address_text


@pytest.mark.parametrize(
    ("host", "near", "is_loopback"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.9", "127.0.0.9", True),
        ("::1", "::1", True),
        ("[::1]", "::1", True),
        ("localhost", "localhost", True),
        ("0.0.0.0", "127.0.0.1", False),
        ("::", "::1", False),
        ("192.168.1.20", "192.168.1.20", False),
        ("fd00::2", "fd00::2", False),
        ("arena.example", "arena.example", False),
    ],
)
def test_this_machine_finds_what_it_listens_on(
    host: str, near: str, is_loopback: bool
) -> None:
    """An address for all stands for loopback; any other is dialled as it is."""
    listen = Listen(host)

    assert (near, is_loopback) == (listen.near_host, listen.is_loopback)


@pytest.mark.parametrize(
    ("host", "text"),
    [("127.0.0.1", "127.0.0.1:1"), ("::1", "[::1]:1"), ("[::]", "[::]:1")],
)
def test_addresses_are_written_as_clients_read_them(host: str, text: str) -> None:
    """An IPv6 address stands in brackets, once."""
    assert text == address_text(host, 1)


def test_a_key_is_not_shown() -> None:
    """What is logged of TLS holds no key."""
    assert "secret" not in repr(Tls(certificate=b"public", key=b"secret"))
