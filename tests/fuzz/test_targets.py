"""What strangers write is read or refused, whatever it is: a short run in the tests.

Inputs are good ones with a few bytes changed, so that most of them get past the
first check; `make fuzz` searches for long.
"""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.seeds import NAMES
from tests.fuzz.targets import TARGETS, seeds_of

FOUND = Path(__file__).parent / "found"
EXAMPLES = 30
SEEDS = {name: seeds_of(name) for name in NAMES}
SCRAPS = [b"", b"\x00", b"\xff", b"\xed\xa0\x80", b"9" * 20, b"[" * 40, b"\n", b'"']


@st.composite
def inputs(draw: st.DrawFn, name: str) -> bytes:
    """Draw an input of a target: a good one, cut and stuck together differently."""
    data = draw(st.sampled_from(SEEDS[name]))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.sampled_from([0, 1, 2, 5, 100])))
        piece = draw(st.sampled_from(SCRAPS) | st.binary(max_size=6))
        data = data[:start] + piece + data[end:]
    return data


@pytest.mark.parametrize("name", NAMES)
def test_any_input_is_read_or_refused(name: str) -> None:
    """No input makes anything come out of a reader but what its documents say."""

    @settings(max_examples=EXAMPLES)
    @given(inputs(name))
    def check(data: bytes) -> None:
        TARGETS[name](data)

    check()


@pytest.mark.parametrize("name", NAMES)
def test_good_inputs_are_good(name: str) -> None:
    """What the inputs are made from passes, and so does nothing at all."""
    for data in (*SEEDS[name], b""):
        TARGETS[name](data)


@pytest.mark.parametrize("path", sorted(FOUND.glob("*/*")), ids=lambda p: p.name)
def test_what_was_found_once_stays_found(path: Path) -> None:
    """Inputs that broke a reader before are kept, and break it no more."""
    TARGETS[path.parent.name](path.read_bytes())
