"""
The meaning of an option of the rules: a sentence for each of its values.

Written for players rather than for programs. A sentence that holds for both says
"moon or sun", and is told of what the rules have. The options themselves stand in
`arena.play_meanings` and `arena.scoring_meanings`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one option decides, and what its values say."""

    about: str
    """The question that the option answers, without a full stop."""
    values: Mapping[str, str] = field(default_factory=dict)
    """The sentence of each value that is a word."""
    other: str = ""
    """The sentence of all other values, with `{value}` in their place."""
    other_name: str = ""
    """What the other values are called in a list of values, `1 to 100000`."""
