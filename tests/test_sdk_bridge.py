"""Bots of lines: what the lines hold, and the bridge as a process of its own."""

import asyncio
import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from hearts.answer import AnswerError
from hearts.arena.v1 import game_pb2, play_pb2
from hearts.bridge import Command, LineGame
from hearts.lines import StrayLineError, read_answer, turn_line
from hearts.profile import Profile
from hearts.session import Session
from hearts.turn import Turn
from tests.scripted_arena import (
    Expect,
    ExpectEnd,
    Meet,
    Say,
    ScriptedArena,
    Step,
    open_arena,
)
from tests.sdk_frames import (
    begun,
    cards,
    closed,
    moon_turn,
    pass_turn,
    play_turn,
    start,
)
from tests.sdk_programs import started
from tests.sources import ROOT

EXAMPLES = ROOT / "clients" / "stdio" / "examples"
AWK = ("awk", "-W", "interactive", "-f", str(EXAMPLES / "lowest.awk"))
BASH = ("bash", str(EXAMPLES / "highest.sh"))

PLAY = Turn(
    play_turn(7, choices="2S TS", plays="2C 5C KC 9C QS", leaders=[0, 2]), start()
)
PASS = Turn(pass_turn(8, choices="2C 3D 4H 5S"), start())
MOON = Turn(moon_turn(9), start())
SUN = Turn(moon_turn(9), start())
SUN.message.kind = game_pb2.TURN_KIND_SUN
TWICE = Turn(pass_turn(8, choices="3D 3D 4H 5S"), start())


def test_a_turn_is_one_line() -> None:
    """The line holds the whole turn, without blanks, in a fixed order."""
    assert (
        '{"type":"turn","turn":7,"game":"demo-1","kind":"play","seat":2,"players":4,'
        '"deal":1,"dealer":0,"hand":["2S","TS"],"choices":["2S","TS"],"count":1,'
        '"trick":["QS"],"leader":2,"plays":["2C","5C","KC","9C","QS"],'
        '"leaders":[0,2],"pass":"left","passed":[],"received":[],'
        '"points":[0,0,0,0],"totals":[0,0,0,0],"broken":false,'
        '"time_ms":5000,"bank_ms":30000,"cancelled":[],"carried":[],"forced":[],'
        '"kitty":[],"worth":0,"winning":"QS","winner":2,"rules":{}}'
    ) == turn_line(PLAY, "{}")


def test_a_line_holds_what_variants_add() -> None:
    """Cancelled tricks and what they leave, announced plays, the kitty, the rules."""
    message = play_turn(7, plays="5D 5D KD KD 2C", leaders=[0, 0])
    message.cancelled_tricks.extend([1])
    message.forced_plays.extend([4])
    message.kitty.extend(cards("3S"))
    begin = start()
    begin.rules.pack.extend(cards("JD QS QS"))
    begin.rules.card_points.extend([0, 13, 13])
    begin.rules.bonus_card = cards("JD")[0]
    begin.rules.options.update(moon="off", players="4")
    line = json.loads(turn_line(Turn(message, begin)))

    assert ([1], ["5D", "5D", "KD", "KD"], [4], ["3S"], 0, "2C", 0) == (
        line["cancelled"],
        line["carried"],
        line["forced"],
        line["kitty"],
        line["worth"],
        line["winning"],
        line["winner"],
    )
    assert {
        "preset": "arena",
        "pack": ["JD", "QS", "QS"],
        "card_points": [0, 13, 13],
        "hand_size": 0,
        "bonus_card": "JD",
        "bonus_points": 0,
        "moon_points": 0,
        "sun_points": 0,
        "options": {"moon": "off"},
    } == line["rules"]


def test_the_bridge_writes_the_rules_once_a_game() -> None:
    """What it keeps of a game is what the line of each turn would hold."""
    game = LineGame()
    game.game_started(PLAY.game)

    assert turn_line(PLAY) == turn_line(PLAY, game.rules)


@pytest.mark.parametrize("turn", [PLAY, PASS, TWICE, MOON, SUN])
def test_the_first_choices_are_always_an_answer(turn: Turn) -> None:
    """A bot that knows no rules may name the first `count` of `choices`."""
    line = json.loads(turn_line(turn))
    choices = line["choices"][: line["count"]]
    answers = {
        read_answer(text, turn).SerializeToString()
        for text in (
            " ".join(choices) + "\n",
            ",".join(choices),
            json.dumps(choices),
            json.dumps({"cards": choices}),
            json.dumps({"turn": turn.id, "cards": " ".join(choices)}),
            json.dumps({"choice": choices, "unknown": [1]}),
        )
    }
    expected = play_pb2.Answer(turn_id=turn.id)
    if turn.moon_choices:
        expected.moon_choice = game_pb2.MOON_CHOICE_ADD
    else:
        expected.cards.extend(cards(" ".join(choices)))

    assert {expected.SerializeToString()} == answers


def test_a_single_card_may_be_a_json_string() -> None:
    """What a JSON library writes for a string is an answer."""
    assert cards("QS") == read_answer('"QS"', PLAY).cards


def test_an_answer_may_hold_a_remark() -> None:
    """A note goes with the answer, cut to its greatest length."""
    line = json.dumps({"cards": ["2S"], "note": "x" * 300})

    assert "x" * 200 == read_answer(line, PLAY).note


@pytest.mark.parametrize(
    ("line", "turn", "reason"),
    [
        ("hello", PLAY, "the line gave 'hello'; expected a card"),
        ('{"cards":', PLAY, "is not JSON"),
        ("[" * 100_000, PLAY, "is not JSON"),
        ("{}", PLAY, "is no answer; expected QS or"),
        ('{"cards":[1]}', PLAY, "is no answer; expected QS or"),
        ("both", MOON, "the line gave 'both'; expected 'add' or 'subtract'"),
        ("", MOON, "is not one of add, subtract"),
    ],
)
def test_what_is_no_answer_is_refused(line: str, turn: Turn, reason: str) -> None:
    """A line that names no choices raises an error that says what was expected."""
    with pytest.raises(AnswerError) as error_info:
        read_answer(line, turn)

    assert reason in str(error_info.value)


def test_an_answer_to_another_turn_is_told_apart() -> None:
    """A line that names another turn is not taken for the answer."""
    with pytest.raises(StrayLineError, match="answers turn 6; expected 7"):
        read_answer('{"turn":6,"cards":["2S"]}', PLAY)


def answered(turn_id: int, names: str) -> Expect:
    """Expect one answer."""
    return Expect(
        play_pb2.PlayRequest(
            answers=[play_pb2.Answer(turn_id=turn_id, cards=cards(names))]
        )
    )


LEAVE = (
    Expect(
        play_pb2.PlayRequest(
            leave=play_pb2.Leave(message="the program was told to stop")
        )
    ),
    ExpectEnd(),
)


def bridge(command: tuple[str, ...]) -> tuple[str, ...]:
    """The arguments of a bridge with its command."""
    return ("-m", "hearts.bridge", "--", *command)


def python_bot(folder: Path, text: str) -> tuple[str, ...]:
    """Write a bot of lines in Python; give its command."""
    path = folder / "bot.py"
    path.write_text(text)
    return (sys.executable, "-u", str(path))


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "expected"),
    [(AWK, ("2C 3D 4H", "2S")), (BASH, ("3D 4H 5S", "TS"))],
    ids=["awk", "bash"],
)
def test_a_bot_of_ten_lines_plays(
    command: tuple[str, ...], expected: tuple[str, str]
) -> None:
    """The examples answer a pass, a play and a moon, and end with their input."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    moon = play_pb2.Answer(turn_id=3, moon_choice=game_pb2.MOON_CHOICE_ADD)

    async def main() -> None:
        reached, go_on = asyncio.Event(), asyncio.Event()
        go_on.set()
        arena = ScriptedArena(
            [
                [
                    Say(begun(pass_turn(1, choices="2C 3D 4H 5S"))),
                    answered(1, expected[0]),
                    Say(play_pb2.PlayResponse(turns=[play_turn(2, choices="2S TS")])),
                    answered(2, expected[1]),
                    Say(play_pb2.PlayResponse(turns=[moon_turn(3)])),
                    Expect(play_pb2.PlayRequest(answers=[moon])),
                    Meet(reached, go_on),
                    *LEAVE,
                ]
            ]
        )
        async with (
            open_arena(arena) as address,
            started(*bridge(command), address=address) as program,
        ):
            await reached.wait()
            program.interrupt()

            assert 0 == await program.exit_code()
        assert [] == arena.failures
        assert arena.hellos[0].sdk.endswith(" bridge")

    asyncio.run(main())


@pytest.mark.e2e
@pytest.mark.slow
def test_a_malformed_line_is_an_illegal_answer(tmp_path: Path) -> None:
    """What is no answer costs one turn at once, and the author reads why."""
    command = python_bot(
        tmp_path,
        """
for line in ("nonsense", "x" * 9000, '{"turn":9,"cards":[]}\\nKS\\nand more'):
    input()
    print(line)
input()
""",
    )

    async def main() -> None:
        reached, go_on = asyncio.Event(), asyncio.Event()
        go_on.set()
        turns = [play_turn(number) for number in (1, 2, 3)]
        answers = [answered(1, ""), answered(2, ""), answered(3, "KS")]
        arena = ScriptedArena(
            [[Say(begun(*turns)), *answers, Meet(reached, go_on), *LEAVE]]
        )
        async with (
            open_arena(arena) as address,
            started(*bridge(command), address=address) as program,
        ):
            await reached.wait()
            await program.line("and more")
            program.interrupt()
            await program.exit_code()
        assert [] == arena.failures
        assert [
            "ann: turn 1 of demo-1: the line gave 'nonsense'; expected a card of"
            " turn.choices; expected 1 of QS KS",
            "ann: turn 2 of demo-1: the line is longer than 4096 bytes; expected 1 of"
            " QS KS",
            'ann: {"turn":9,"cards":[]} answers turn 9; expected 3',
            f"ann: `{shlex.join(command)}` wrote without being asked: 'and more'",
        ] == program.lines[1:5]

    asyncio.run(main())


@pytest.mark.e2e
@pytest.mark.slow
def test_a_command_that_ends_ends_the_bridge(tmp_path: Path) -> None:
    """The bridge ends with the command's exit code and without a `Leave`."""
    command = python_bot(tmp_path, "input()\nraise SystemExit(7)\n")

    async def main() -> None:
        arena = ScriptedArena([[Say(begun(play_turn(1))), ExpectEnd()]])
        async with (
            open_arena(arena) as address,
            started(*bridge(command), address=address) as program,
        ):
            assert 7 == await program.exit_code()
            await arena.done.wait()
        assert [] == arena.failures
        shown = shlex.join(command)
        assert f"ann: `{shown}` ended with exit code 7" == program.lines[-1]

    asyncio.run(main())


async def hints(code: str, *, hint_seconds: float) -> list[str]:
    """
    Put two turns to a command that answers each when it is told to go on; give
    what the bridge says meanwhile.
    """
    reports: asyncio.Queue[str] = asyncio.Queue()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-u", "-c", code),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        process_group=0,
    )
    assert process.stdin is not None
    command = Command(
        process, text="bot", report=reports.put_nowait, hint_seconds=hint_seconds
    )
    listening = asyncio.create_task(command.listen())
    session = Session(LineGame, Profile(), clock=float, report=print)
    session.receive(begun(play_turn(1), play_turn(2)))
    heard: list[str] = []
    try:
        while (asked := session.take()) is not None:
            choosing = asyncio.create_task(command.choose(asked))
            if not heard and not hint_seconds:
                heard.append(await reports.get())
            process.stdin.write(b"go on\n")
            session.settle(asked, await choosing)
    finally:
        await command.end()
        await listening
    while not reports.empty():
        heard.append(reports.get_nowait())
    return heard


@pytest.mark.e2e
@pytest.mark.parametrize("hint_seconds", [0.0, 3600.0])
def test_a_first_line_that_does_not_come_is_wondered_about(hint_seconds: float) -> None:
    """Who forgot to flush is told so, once, and what comes then is an answer."""
    code = "while input():\n    input()\n    print('QS')"
    hint = "bridge: no line yet in answer to turn 1; does the program flush its output?"
    expected = [] if hint_seconds else [hint]

    assert expected == asyncio.run(hints(code, hint_seconds=hint_seconds))


WAITING = """
import os, sys

os.mkfifo({release!r})
input()
print("waiting", file=sys.stderr)
open({release!r}).read()
print("QS")
input()
"""


@pytest.mark.e2e
@pytest.mark.slow
def test_a_slow_command_holds_up_nothing_but_its_turn(tmp_path: Path) -> None:
    """Heartbeats are echoed meanwhile, and a late answer is sent all the same."""
    release = tmp_path / "release"
    command = python_bot(tmp_path, WAITING.format(release=str(release)))

    async def main() -> None:
        reached, go_on, heard = asyncio.Event(), asyncio.Event(), asyncio.Event()
        beat = play_pb2.Heartbeat(id=4)
        script: list[Step] = [
            Say(begun(play_turn(1))),
            Say(play_pb2.PlayResponse(heartbeat=beat)),
            Expect(play_pb2.PlayRequest(heartbeat=beat)),
            Say(closed(1)),
            Meet(reached, go_on),
            answered(1, "QS"),
            Meet(heard, go_on),
            *LEAVE,
        ]
        arena = ScriptedArena([script])
        async with (
            open_arena(arena) as address,
            started(*bridge(command), address=address) as program,
        ):
            await reached.wait()
            await program.line("waiting")
            go_on.set()
            with await asyncio.to_thread(release.open, "w"):
                pass
            await program.line("no answer in time")
            await heard.wait()
            program.interrupt()

            assert 0 == await program.exit_code()
        assert [] == arena.failures

    asyncio.run(main())


@pytest.mark.e2e
@pytest.mark.slow
def test_a_command_that_cannot_be_started_is_named() -> None:
    """A command that does not exist ends the bridge as it would end a shell."""

    async def main() -> None:
        arguments = bridge(("no-such-bot",))
        async with started(*arguments, address="127.0.0.1:9") as program:
            assert 127 == await program.exit_code()
        assert [
            "ann: cannot start 'no-such-bot': No such file or directory"
        ] == program.lines

    asyncio.run(main())
