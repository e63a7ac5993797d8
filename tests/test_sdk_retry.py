"""When the SDK calls again: not before the arena wants it to."""

import grpc
import grpc.aio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.status import CallError
from hearts.retry import SECONDS_MAX, is_draining, retry_seconds


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
    assert not is_draining(None)
    assert not is_draining(error(("a", "b")))


@pytest.mark.parametrize("reason", ["DRAINING", "ARENA_FULL", "BAD_FIELD", "INTERNAL"])
def test_an_arena_that_goes_away_is_told_by_its_reason(reason: str) -> None:
    """No text for people is read for that, and no other reason taken for it."""
    refused = CallError(reason, "DRAINING")

    assert (reason == "DRAINING") is is_draining(error(*refused.trailing_metadata()))


@given(st.binary(max_size=60))
def test_no_details_break_a_bot(details: bytes) -> None:
    """Whatever stands there, the delay is a number within its bounds."""
    refused = error(("grpc-status-details-bin", details))

    assert 0.0 <= retry_seconds(refused) <= SECONDS_MAX
    assert not is_draining(refused)
