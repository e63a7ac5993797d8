"""The ports of the edge: one for everybody, and with TLS one for our own programs.

Programs that the arena starts itself dial in over loopback, where nothing can be
overheard, so they need neither a certificate for this machine's inner names nor a
key of their own; whoever else comes to that port is sent away. Those in a sandbox see
no network at all, and reach the arena through a socket in the file system.
"""

from typing import Any

import grpc

from arena.listen import Listen, Tls, address_text
from arena.status import CallError

__all__ = [
    "PortTakenError",
    "check_encryption",
    "open_near_port",
    "open_port",
    "open_socket",
]


class PortTakenError(OSError):
    """The address to listen on is in use or not ours."""


def open_port(server: Any, listen: Listen) -> int:
    """Have a server listen; return the port.

    Raises:
        PortTakenError: It cannot.
    """
    address = address_text(listen.host, listen.port)
    try:
        if listen.tls is None:
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, _credentials(listen.tls))
    except RuntimeError:
        port = 0
    if port == 0:
        raise PortTakenError(
            f"cannot listen on {address}: the port is taken or the address is not this "
            "machine's; choose another with --port or --host"
        )
    return int(port)


def open_near_port(server: Any) -> str:
    """Have a server listen on loopback without TLS; return the address.

    Raises:
        PortTakenError: It cannot.
    """
    near = Listen()
    return address_text(near.host, open_port(server, near))


def open_socket(server: Any, path: str) -> None:
    """Have a server listen on a socket in the file system.

    Raises:
        PortTakenError: It cannot.
    """
    try:
        port = server.add_insecure_port(f"unix:{path}")
    except RuntimeError:
        port = 0
    if port == 0:
        raise PortTakenError(f"cannot listen on the socket {path}")


def check_encryption(context: Any) -> None:
    """Refuse a call that came without TLS.

    Raises:
        CallError: It did.
    """
    if context.auth_context().get("transport_security_type") != [b"ssl"]:
        raise CallError(
            "TLS_EXPECTED",
            "this port is for programs that the arena starts; bots that dial in use "
            "its TLS port",
        )


def _credentials(tls: Tls) -> Any:
    def renewed() -> Any:
        found = tls.renewed()
        return None if found is None else _configuration(found)

    return grpc.dynamic_ssl_server_credentials(
        _configuration(tls),
        renewed,
        require_client_authentication=bool(tls.client_ca),
    )


def _configuration(tls: Tls) -> Any:
    return grpc.ssl_server_certificate_configuration(
        [(tls.key, tls.certificate)], root_certificates=tls.client_ca or None
    )
