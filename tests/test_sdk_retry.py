"""When the SDK calls again: not before the arena wants it to."""

import grpc
import grpc.aio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.status import CallError
from hearts.retry import SECONDS_MAX, retry_seconds


def error(*metadata: tuple[str, str | bytes]) -> grpc.aio.AioRpcError:
    """Return an error with this metadata."""
    return grpc.aio.AioRpcError(
        grpc.StatusCode.UNAVAILABLE, grpc.aio.Metadata(), grpc.aio.Metadata(*metadata)
    )


@pytest.mark.parametrize(
    ("refused", "seconds"),
    [
        (CallError("STALLED", "x"), 5.0),
        (CallError("DRAINING", "x", retry_seconds=2.25), 2.25),
        (CallError("ARENA_FULL", "x", retry_seconds=1e6), SECONDS_MAX),
        (CallError("BAD_FIELD", "x", field="hello"), 0.0),
    ],
)
def test_the_delay_is_found_in_the_details(refused: CallError, seconds: float) -> None:
    """What the arena says is read to the millisecond, and bounded."""
    assert seconds == retry_seconds(error(*refused.trailing_metadata()))


def test_who_says_nothing_asks_for_no_delay() -> None:
    """Without an error, or without details, there is none."""
    assert [0.0, 0.0] == [retry_seconds(None), retry_seconds(error(("a", "b")))]


@given(st.binary(max_size=60))
def test_no_details_break_a_bot(details: bytes) -> None:
    """Whatever stands there, the delay is a number within its bounds."""
    found = retry_seconds(error(("grpc-status-details-bin", details)))

    assert 0.0 <= found <= SECONDS_MAX
