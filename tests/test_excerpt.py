"""Text of others in errors: never long, and always in one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cards import CardError, parse_card
from arena.document import DocumentError, parse_document
from arena.excerpt import LENGTH_MAX, cut, shown
from arena.nearest import did_you_mean

LONG = "x" * 100


def nested(depth: int) -> list[object]:
    """Return lists within lists."""
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


def test_short_text_is_whole() -> None:
    """What fits is shown as it is, or in quotes."""
    assert "x" * LENGTH_MAX == cut("x" * LENGTH_MAX)
    assert f"'{'x' * (LENGTH_MAX - 2)}'" == shown("x" * (LENGTH_MAX - 2))
    assert ["'a'", "[1, 'a']", "None"] == [shown(v) for v in ("a", [1, "a"], None)]


def test_long_text_ends_with_dots() -> None:
    """What does not fit says that it is cut, within its quotes."""
    assert "x" * (LENGTH_MAX - 3) + "..." == cut(LONG)
    assert "'" + "x" * (LENGTH_MAX - 5) + "...'" == shown(LONG)
    assert "['" + "x" * (LENGTH_MAX - 5) + "..." == shown([LONG])


def test_what_python_does_not_write_is_named_by_its_type() -> None:
    """A number of thousands of digits and deep lists are no errors themselves."""
    assert "<int>" == shown(10**5000)
    assert "<list>" == shown(nested(100_000))


@given(st.text(max_size=200))
def test_any_text_is_one_short_line(text: str) -> None:
    """Whatever a text holds, it is printed in one line."""
    assert len(shown(text)) <= LENGTH_MAX
    assert shown(text).isprintable()


def test_errors_are_short() -> None:
    """A megabyte in the wrong place is not repeated."""
    huge = "x" * 1_000_000
    with pytest.raises(CardError) as card:
        parse_card(huge)
    with pytest.raises(DocumentError) as key:
        parse_document(f'{{"{huge}": 1, "{huge}": 2}}')
    with pytest.raises(DocumentError) as unknown:
        parse_document(f'{{"{huge}": 1}}').members()
    with pytest.raises(DocumentError) as path:
        parse_document(f'{{"{huge}": 1}}').entries()[huge].flag()

    for caught in (card, key, unknown, path):
        assert len(str(caught.value)) < 150
    assert "" == did_you_mean(huge, ["arena"])
