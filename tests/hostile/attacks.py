"""All attacks, by name."""

from collections.abc import Mapping

from tests.hostile import on_calls, on_frames, on_sessions
from tests.hostile.victim import Attack

ATTACKS: Mapping[str, Attack] = {
    attack.__name__: attack
    for module in (on_frames, on_calls, on_sessions)
    for attack in module.ATTACKS
}
