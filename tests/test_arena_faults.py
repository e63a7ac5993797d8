"""Faults of the arena's own: whatever raises, one game is void and the others go on."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
import trio

from arena import chronicle, server, wire
from arena.rules import preset
from arena.server import VoidGame, open_server
from arena.spec import GameSpec, SeatSpec
from arena.stand_in import careful_1
from arena.table import Table
from arena.view import Answer, View
from hearts.arena.v1 import play_pb2
from tests.arena_thread import NamedTokens, running_arena

NAMES = ("ada", "bob", "cat", "dot")
BROKEN = "the arena broke; see its log"


def spec(number: int, **options: Any) -> GameSpec:
    """Return a game whose seats are all given up, unless the options say else."""
    defaults = GameSpec(
        game_id=f"g-{number}",
        rules=preset("arena", target=20),
        seats=tuple(map(SeatSpec, NAMES)),
        sequence_seed=number.to_bytes(32, "big"),
        given_up=frozenset(range(4)),
    )
    return replace(defaults, **options)


def broken_policy(view: View) -> Answer:
    """Raise in the second deal."""
    if view.deal_number > 1:
        raise RuntimeError("a policy broke")
    return careful_1(view)


async def reason_of(arena: server.Server, wanted: GameSpec) -> str:
    """Play a game; return why it was void, or how it ended."""
    with trio.fail_after(60):
        try:
            return (await arena.play(wanted)).ending or ""
        except VoidGame as void:
            return void.reason


async def test_a_policy_that_raises_costs_its_own_game() -> None:
    """The others of that moment are finished, and a new one can be played."""
    policies = {"careful-1": careful_1, "broken": broken_policy}
    async with open_server(tokens=NamedTokens(), stand_ins=policies) as arena:
        ends: dict[int, str] = {}

        async def play(number: int, stand_in: str) -> None:
            ends[number] = await reason_of(arena, spec(number, stand_in=stand_in))

        async with trio.open_nursery() as nursery:
            for number, stand_in in enumerate(("careful-1", "broken", "careful-1")):
                nursery.start_soon(play, number, stand_in)
        again = await reason_of(arena, spec(1))

    assert {0: "finished", 1: BROKEN, 2: "finished"} == ends
    assert "finished" == again


async def test_a_game_that_can_not_even_begin_is_void() -> None:
    """A stand-in that nobody knows leaves nothing to tell, and holds nobody up."""
    async with open_server(tokens=NamedTokens()) as arena:
        assert BROKEN == await reason_of(arena, spec(1, stand_in="unknown"))
        assert "finished" == await reason_of(arena, spec(1))
        assert 0 == arena.running_games


async def test_a_record_that_can_not_be_made_is_void(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A finished table without a record does not count, and is no error of a league."""
    made = chronicle.record_of

    def record_of(table: Table, **times: str) -> Any:
        if table.spec.game_id == "g-1":
            raise RuntimeError("a record broke")
        return made(table, **times)

    monkeypatch.setattr(server, "record_of", record_of)
    async with open_server(tokens=NamedTokens()) as arena:
        assert BROKEN == await reason_of(arena, spec(1))
        assert "finished" == await reason_of(arena, spec(2))


async def test_a_result_that_can_not_be_passed_on_is_void(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever waits for the game hears that nothing comes of it."""
    passed = server.Server.on_finished

    def on_finished(self: server.Server, table: Table) -> None:
        if table.spec.game_id == "g-1":
            raise RuntimeError("passing on broke")
        passed(self, table)

    monkeypatch.setattr(server.Server, "on_finished", on_finished)
    async with open_server(tokens=NamedTokens()) as arena:
        assert BROKEN == await reason_of(arena, spec(1))
        assert "finished" == await reason_of(arena, spec(2))


def test_a_frame_that_can_not_be_encoded_costs_the_game_to_blame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Bots keep their streams and their other games when one can't be told."""
    encode = wire.encode_frame

    def encode_frame(frame: Any, *rest: Any) -> Any:
        for turn in frame.turns:
            table = turn.owner.table
            if table.spec.game_id == "g-1" and table.trick_number > 3:
                raise RuntimeError("encoding broke")
        return encode(frame, *rest)

    monkeypatch.setattr(wire, "encode_frame", encode_frame)

    def play_two(name: str) -> str:
        ended = 0
        with arena.bot(name, max_games=2) as (send, responses):
            for response in responses:
                if response.turns:
                    answers = [
                        play_pb2.Answer(
                            turn_id=turn.turn_id,
                            cards=turn.choices[: turn.answer_count],
                        )
                        for turn in response.turns
                    ]
                    send(play_pb2.PlayRequest(answers=answers))
                ended += sum(n.HasField("game_ended") for n in response.notices)
                if ended == 2:
                    return "both ended"
        return "the stream ended"

    with running_arena() as arena, ThreadPoolExecutor() as pool:
        played = [pool.submit(play_two, name) for name in NAMES]
        arena.wait_for(lambda found: len(found.presence()) == 4)
        first = pool.submit(arena.play, spec(1, given_up=frozenset()))
        second = pool.submit(arena.play, spec(2, given_up=frozenset()))
        with pytest.raises(VoidGame, match=BROKEN):
            first.result()

        assert "finished" == second.result().ending
        assert ["both ended"] * 4 == [future.result() for future in played]
