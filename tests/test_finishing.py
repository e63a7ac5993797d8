"""Sessions that want no new games: they play those they have, and then they end."""

import logging
from concurrent.futures import ThreadPoolExecutor

import pytest

from arena.host import Host
from arena.introduction import Introduction
from arena.presence import Presence
from arena.session import Session
from hearts.arena.v1 import play_pb2
from leagues.running.places import Places
from tests.arena_thread import RunningArena, running_arena
from tests.simulation.simulator import Behaviour, Simulator
from tests.test_edge import NAMES, answers, ending, play_on, spec

OTHERS = NAMES[1:]
FINISH = play_pb2.PlayRequest(leave=play_pb2.Leave(finish_games=True))


def seated(simulator: Simulator, behaviour: Behaviour) -> Session:
    """Seat `ada` among three others in eight games."""
    ada = simulator.add_bot("ada", behaviour)
    for name in OTHERS:
        simulator.add_bot(name)
    for number in range(8):
        simulator.play(f"g-{number}", list(NAMES))
    assert ada.session is not None
    return ada.session


def test_games_are_played_to_their_ends_and_then_the_session_ends() -> None:
    """Eight games end without a fault, and the stream ends when all are told."""
    simulator = Simulator(1, keep_messages=True)
    session = seated(simulator, Behaviour(finish_at=1000.01))
    simulator.run()
    ada = simulator.bots["ada"]
    ended = [
        notice.game_ended.game_id
        for message in ada.messages
        for notice in message.notices
        if notice.HasField("game_ended")
    ]

    assert [] == simulator.failures
    assert ["finished"] * 8 == [table.game.ending for table in simulator.finished]
    assert [{}] * 8 == [table.given_up for table in simulator.finished]
    assert not simulator.faults()
    assert 8 == len(ended)
    assert (1, -1) == (ada.seen["LEFT"], ada.stream)
    assert session not in simulator.host.sessions.values()


def test_who_finishes_gets_no_new_game() -> None:
    """A game that begins meanwhile is void, as if the bot were not there."""
    simulator = Simulator(2)
    seated(simulator, Behaviour(finish_at=1000.01))
    simulator.run(until=1000.05)
    simulator.play("late", list(NAMES))
    simulator.run()
    void = {t.spec.game_id: t.void_reason for t in simulator.finished if t.void_reason}

    assert {"late": "ada is not connected or has no free place"} == void


def test_a_lost_stream_that_finishes_goes_on_finishing() -> None:
    """It comes back for its open games alone, and ends with the last of them."""
    simulator = Simulator(3)
    seated(simulator, Behaviour(finish_at=1000.01, back_after=0.5))
    simulator.after(0.05, lambda: simulator.lose(simulator.bots["ada"]))
    simulator.run()

    assert [""] * 8 == [table.void_reason for table in simulator.finished]
    assert not simulator.faults()
    assert 1 == simulator.bots["ada"].seen["LEFT"]


def test_another_process_of_the_bot_does_not_finish() -> None:
    """The wish belongs to its stream: who takes the session over gets games again."""
    host = Host({})
    said = Introduction("ada", max_games=3)
    first = host.connect(said, now=0.0)
    host.finish(first, first.stream, now=0.0)
    second = host.connect(said, now=1.0)

    assert first is second
    assert 3 == second.free_games


def test_a_leave_gives_up_what_is_left() -> None:
    """Who has begun to finish may still go at once."""
    simulator = Simulator(4)
    seated(simulator, Behaviour(finish_at=1000.01, leave_at=1000.05))
    simulator.run()
    causes = {
        given_up.cause
        for table in simulator.finished
        for given_up in table.given_up.values()
    }

    assert {"left"} == causes
    assert 0 == simulator.bots["ada"].seen["LEFT"]


def test_a_session_that_finishes_is_not_there_for_leagues() -> None:
    """Its bot is absent, or present with its other sessions only."""
    simulator = Simulator(5)
    host = simulator.host
    session = seated(simulator, Behaviour(finish_at=float("inf")))
    host.take_moves()
    host.finish(session, session.stream, now=simulator.now)
    alone = {move.bot: move.league for move in host.take_moves()}
    host.connect(Introduction("ada", version="2", max_games=5), now=simulator.now)
    newer = {move.bot: move.league for move in host.take_moves()}["ada"]

    assert {"ada": None} == alone
    assert newer is not None
    assert (("2",), 5, 0, 8) == (
        newer.versions,
        newer.max_games,
        newer.open_games,
        newer.finishing_games,
    )
    assert newer is newer.of_version("2")


def test_a_newer_session_has_all_its_places() -> None:
    """The games that the older one plays to their ends take none of them."""
    places = Places(seats=4, tables_max=96, programs=(), cores=2)
    here = Presence(
        1, 5, 1, (Introduction("ada", version="2", max_games=5),), finishing_games=8
    )

    assert {"ada": 4} == places.free({"ada": here}, [("ada", "b", "c", "d")] * 9)


def finish_one(arena: RunningArena, name: str) -> list[play_pb2.PlayResponse]:
    """Play one game whose bot wants no other from its first turn on."""
    seen: list[play_pb2.PlayResponse] = []
    with arena.bot(name) as (send, responses):
        for response in responses:
            if response.turns:
                request = answers(response)
                if not any(earlier.turns for earlier in seen):
                    request.MergeFrom(FINISH)
                send(request)
            seen.append(response)
        assert ("OK", "") == ending(responses)
    return seen


def test_the_call_ends_with_ok_after_the_last_game(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Over gRPC the last message tells the end of the game, and the status is OK."""
    with running_arena() as arena, ThreadPoolExecutor() as pool:
        played = [pool.submit(play_on, arena, name) for name in OTHERS]
        finishing = pool.submit(finish_one, arena, "ada")
        arena.wait_for(lambda server: len(server.presence()) == 4)
        record = arena.play(spec(1))
        seen = finishing.result()
        for future in played:
            future.result()
        arena.wait_for(lambda server: not server.presence())

    assert ("finished", ()) == (record.ending, record.given_up)
    assert [True] == [notice.HasField("game_ended") for notice in seen[-1].notices][-1:]
    assert [] == [line for line in caplog.records if line.levelno >= logging.WARNING]


@pytest.mark.parametrize("is_with_hello", [True, False])
def test_without_a_game_the_call_ends_at_once(is_with_hello: bool) -> None:
    """Be it along with the `Hello` or after it, an idle bot is welcomed and ended."""
    first = play_pb2.PlayRequest(hello=play_pb2.Hello())
    with running_arena() as arena, arena.bot("ada", hello="none") as (send, responses):
        if is_with_hello:
            first.MergeFrom(FINISH)
        send(first)
        welcome = next(responses).welcome
        if not is_with_hello:
            send(FINISH)

        assert ("ada", 1) == (welcome.bot_name, welcome.protocol_minor)
        assert ("OK", "") == ending(responses)
