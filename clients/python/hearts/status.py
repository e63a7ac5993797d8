"""
What a running arena tells its operator, over gRPC.

    print(get_status("127.0.0.1:50051", operator_token).turns_per_second)
"""

import grpc

from hearts.arena.v1 import status_pb2
from hearts.channel import AddressError, parse_address
from hearts.tls import TlsError, handshake_problem, open_channel, read_tls

__all__ = ["StatusError", "get_status"]

TIMEOUT_SECONDS = 10.0


class StatusError(Exception):
    """An arena that is not there, or does not tell whoever asks."""


def get_status(address: str, operator_token: str) -> status_pb2.GetStatusResponse:
    """
    Ask an arena what it is doing.

    An arena that speaks TLS is reached with what HEARTS_TLS_CA, HEARTS_TLS_CERT and
    HEARTS_TLS_KEY name.

    Args:
        address: the arena, as `host:port`.
        operator_token: what the arena keeps for its operator.

    Raises:
        StatusError: the arena can't be reached, or does not know the token.
    """
    try:
        found, tls = parse_address(address), read_tls()
    except (AddressError, TlsError) as error:
        raise StatusError(str(error)) from None
    with open_channel(found, tls) as channel:
        ask = channel.unary_unary(
            "/hearts.arena.v1.StatusService/GetStatus",
            request_serializer=status_pb2.GetStatusRequest.SerializeToString,
            response_deserializer=status_pb2.GetStatusResponse.FromString,
        )
        metadata = (("authorization", f"Bearer {operator_token}"),)
        try:
            response: status_pb2.GetStatusResponse = ask(
                status_pb2.GetStatusRequest(),
                metadata=metadata,
                timeout=TIMEOUT_SECONDS,
            )
        except grpc.RpcError as error:
            # Every error that ends a call is a `grpc.Call` too.
            code, problem = error.code(), ""
            if code == grpc.StatusCode.UNAVAILABLE:
                problem = handshake_problem(found, tls)
            raise StatusError(
                problem or _text(str(found), code, error.details())
            ) from None
    return response


def _text(address: str, code: grpc.StatusCode, details: str) -> str:
    if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
        return f"no arena answers at {address}; is it running? ({details})"
    if code == grpc.StatusCode.UNAUTHENTICATED:
        return (
            f"the arena at {address} says: {details}; the data directory of a running "
            "arena holds it, and each start makes a new one"
        )
    return f"the arena at {address} can't tell: {code.name}: {details}"
