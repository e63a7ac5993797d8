"""What has ended is gone at once: no circles of objects wait for a search for them."""

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from arena.edge_stream import Stream
from arena.session import Seat, Session
from arena.table import Table
from hearts.arena.v1 import play_pb2
from tests.arena_thread import running_arena
from tests.test_edge import answers, ending, play_on, spec

KINDS = (Table, Seat, Session, Stream)


@pytest.fixture
def circles() -> Iterator[Callable[[], dict[str, int]]]:
    """Let Python look for circles only when it is asked; then tell the arena's own."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)

    def find() -> dict[str, int]:
        gc.collect()
        found = [one for one in gc.garbage if isinstance(one, KINDS)]
        gc.garbage.clear()
        return dict(Counter(type(one).__name__ for one in found))

    yield find
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


@pytest.mark.slow
def test_calls_that_end_badly_hold_no_games(
    circles: Callable[[], dict[str, int]],
) -> None:
    """A game with lost, taken over and refused calls in it leaves nothing behind."""
    with running_arena() as arena, ThreadPoolExecutor() as pool:
        others = [pool.submit(play_on, arena, name) for name in ("bob", "cat")]
        with arena.bot("ada") as (_, lost), arena.bot("dot") as (send, refused):
            arena.wait_for(lambda server: len(server.presence()) == 4)
            game = pool.submit(arena.play, spec(1))
            next(frame for frame in lost if frame.turns)
            turns = next(frame for frame in refused if frame.turns)
            send(answers(turns))
            send(play_pb2.PlayRequest(hello=play_pb2.Hello()))

            assert ("INVALID_ARGUMENT", "BAD_FIELD") == ending(refused)
            with arena.bot("ada") as (_, again):
                next(frame for frame in again if frame.turns)

                assert ("ABORTED", "TAKEN_OVER") == ending(lost)
        others += [pool.submit(play_on, arena, name) for name in ("ada", "dot")]

        assert "finished" == game.result().ending
        for other in others:
            other.result()
        arena.wait_for(lambda server: not server.presence())

        assert {} == circles()
