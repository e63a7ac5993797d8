"""The stand-in: plays the rest of a game for a seat that is given up.

It is the policy of the house bot `careful`, asked about the same turn that the
bot would have been sent. The name in the registry is frozen with its decisions,
since `verify` derives the stand-in's cards again years later: a better policy
gets a new name.
"""

from collections.abc import Mapping

from arena import wire
from arena.game import MoonChoice, Phase
from arena.view import Answer, StandIn, View
from hearts import Turn
from hearts.arena.v1 import game_pb2
from hearts.house import careful

LATEST = "careful-1"


def careful_1(view: View) -> Answer:
    """Answer as the house bot `careful` does."""
    start = game_pb2.GameStart(
        game_id="stand-in",
        seat=view.seat,
        players=view.players,
        rules=wire.rules_message(view.rules),
        table_key=bytes(8),
    )
    turn = Turn(wire.turn_message(view, turn_id=1, game_id="stand-in"), start)
    if view.kind == Phase.PLAY:
        return [int(careful.choose_card(turn))]
    if view.kind == Phase.PASS:
        return [int(card) for card in careful.choose_pass(turn)]
    return MoonChoice[careful.choose_moon(turn).upper()]


STAND_INS: Mapping[str, StandIn] = {LATEST: careful_1}
