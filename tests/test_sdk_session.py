"""The SDK's session against scripted arenas: frames in, frames out."""

import pytest

from hearts.arena.v1 import game_pb2, play_pb2
from hearts.bot import Bot
from hearts.cards import Card
from hearts.game import DealEnded, GameEnded, GameStart
from hearts.profile import Profile
from hearts.session import Session
from hearts.turn import Turn
from tests.sdk_frames import (
    begun,
    closed,
    deal_ended,
    game_ended,
    moon_turn,
    pass_turn,
    play_turn,
    start,
    turns,
    welcome,
)
from tests.sdk_peer import Lowest, Peer, answered


def test_hello_introduces_the_bot() -> None:
    """The first request holds the profile, and that moon choices are answered."""
    session = Session(
        Lowest,
        Profile(
            version="7",
            instance="b",
            sdk="x 1",
            max_games=3,
            workers=2,
            presets=("party", "spot"),
            players=(4, 7),
            two_packs=False,
        ),
        clock=float,
        report=print,
    )

    assert (
        play_pb2.PlayRequest(
            hello=play_pb2.Hello(
                bot_version="7",
                instance="b",
                sdk="x 1",
                protocol_minor=1,
                max_games=3,
                workers=2,
                capabilities=play_pb2.Capabilities(
                    presets=["party", "spot"], players=[4, 7], moon_choice=True
                ),
            )
        )
        == session.hello()
    )


def test_a_bot_plays_anything_unless_it_says_otherwise() -> None:
    """All presets, all numbers of seats, two packs."""
    capabilities = Profile().hello().capabilities

    assert play_pb2.Capabilities(
        presets=["*"], players=range(3, 12), two_packs=True, moon_choice=True
    ) == (capabilities)


def test_thinking_is_measured_and_remarks_are_kept() -> None:
    """An answer tells whole milliseconds of thinking and the bot's remark."""
    peer = Peer()

    class Slow(Lowest):
        def choose_card(self, turn: Turn) -> Card:
            peer.now += 0.0125
            return super().choose_card(turn)

    peer.session = Session(Slow, Profile(), clock=lambda: peer.now, report=print)
    peer.session.hello()
    [request] = peer.tell(begun(play_turn(1)))

    assert (12, "asked 1") == (request.answers[0].think_ms, request.answers[0].note)


def test_one_object_for_each_game() -> None:
    """What a bot keeps in itself is its game's, from one turn to the next."""
    frame = begun(play_turn(1), play_turn(2, game_id="demo-2"))
    frame.starts.append(start("demo-2"))
    peer = Peer()
    requests = peer.tell(frame) + peer.tell(turns(play_turn(3)))
    notes = [answer.note for request in requests for answer in request.answers]

    assert ["asked 1", "asked 1", "asked 2"] == notes


def test_the_default_pass_gives_the_highest_cards() -> None:
    """Without a choice of its own a bot passes by rank, ties S H D C."""
    requests = Peer().tell(begun(pass_turn(1, choices="AC KD AD 2H AH KS")))

    assert [(1, "AH AD AC")] == answered(requests)


def test_a_card_held_twice_may_be_passed_twice() -> None:
    """Of two packs both copies count."""
    requests = Peer().tell(begun(pass_turn(1, choices="2C AD AD KH KH")))

    assert [(1, "AD AD KH")] == answered(requests)


@pytest.mark.parametrize("kind", [game_pb2.TURN_KIND_MOON, game_pb2.TURN_KIND_SUN])
def test_the_default_moon_and_sun_add(kind: game_pb2.TurnKind) -> None:
    """Without a choice of its own a bot adds."""
    message = moon_turn(1)
    message.kind = kind
    [request] = Peer().tell(begun(message))

    assert game_pb2.MOON_CHOICE_ADD == request.answers[0].moon_choice


def test_the_default_moon_is_one_of_the_choices() -> None:
    """Where nobody may add, a bot without a choice of its own subtracts."""
    message = moon_turn(1)
    del message.moon_choices[0]
    [request] = Peer().tell(begun(message))

    assert game_pb2.MOON_CHOICE_SUBTRACT == request.answers[0].moon_choice


def test_a_bot_need_not_inherit() -> None:
    """A class with nothing but `choose_card` answers every kind and hears news."""

    class Plain:
        def choose_card(self, turn: Turn) -> int:
            return 50

    session = Session(Plain, Profile(), clock=float, report=print)
    frame = begun(pass_turn(1, choices="2C 3C 4C"), moon_turn(2), play_turn(3))
    frame.notices.append(deal_ended())
    session.receive(frame)
    requests = iter(session.answer, None)

    assert [(1, "4C 3C 2C"), (2, ""), (3, "QS")] == answered(requests)


def test_cards_may_be_names_or_numbers() -> None:
    """A bot may answer `qs` or 50 for the queen of spades."""
    values: list[object] = ["qs", 50]

    class Loose(Bot):
        def choose_card(self, turn: Turn) -> Card:
            return values.pop()  # type: ignore[return-value]

    requests = Peer(Loose).tell(begun(play_turn(1), play_turn(2)))

    assert [(1, "QS"), (2, "QS")] == answered(requests)


def test_a_bot_that_raises_gives_an_empty_answer() -> None:
    """The traceback is reported once, the answer has no cards, the rest goes on."""

    class Broken(Lowest):
        def choose_card(self, turn: Turn) -> Card:
            if turn.id == 1:
                raise ZeroDivisionError("oh dear")
            return super().choose_card(turn)

    peer = Peer(Broken)

    assert [(1, ""), (2, "QS")] == answered(
        peer.tell(begun(play_turn(1), play_turn(2)))
    )
    assert 1 == len(peer.reports)
    assert peer.reports[0].endswith("ZeroDivisionError: oh dear")
    assert "turn 1" in peer.reports[0].lower()


def test_a_remark_outlives_an_exception() -> None:
    """What a bot noted goes with its empty answer, behind what it raised."""

    class Broken(Bot):
        def choose_card(self, turn: Turn) -> Card:
            turn.remark = "searched 3 plies"
            raise ZeroDivisionError

    [request] = Peer(Broken).tell(begun(play_turn(1)))

    note = "raised ZeroDivisionError; searched 3 plies"
    assert play_pb2.Answer(turn_id=1, note=note) == request.answers[0]


def test_what_is_no_card_gives_an_empty_answer_and_a_reason() -> None:
    """A bot that returns nothing is told what was expected of it."""

    class Forgetful(Bot):
        def choose_card(self, turn: Turn) -> Card:
            return None  # type: ignore[return-value]

        def choose_pass(self, turn: Turn) -> list[Card]:
            return None  # type: ignore[return-value]

        def choose_moon(self, turn: Turn) -> str:
            return "both"

    peer = Peer(Forgetful)
    frame = begun(play_turn(1), pass_turn(2, choices="2C 3C 4C"), moon_turn(3))

    assert [(1, ""), (2, ""), (3, "")] == answered(peer.tell(frame))
    assert [
        "choose_card gave None; expected a card of turn.choices",
        "choose_pass gave None; expected a list of cards",
        "choose_moon gave 'both'; expected 'add' or 'subtract'",
    ] == [report.rpartition("AnswerError: ")[2] for report in peer.reports]


def test_a_bot_that_cannot_be_made_answers_nothing() -> None:
    """A constructor that raises costs the game its answers, not the session."""

    class Unmade(Lowest):
        def __init__(self) -> None:
            raise RuntimeError("no model file")

    peer = Peer(Unmade)

    assert [(1, "")] == answered(peer.tell(begun(play_turn(1))))
    assert "RuntimeError: no model file" in peer.reports[0]


def test_a_closed_turn_is_skipped() -> None:
    """A turn that is closed before it was begun is not put to the bot."""
    frame = begun(play_turn(1))
    peer = Peer()
    peer.session.receive(frame)

    assert [(2, "QS")] == answered(
        [*peer.tell(closed(1)), *peer.tell(turns(play_turn(2)))]
    )
    assert ["turn 1 of demo-1: no answer in time, the arena has answered"] == (
        peer.reports
    )


def test_turns_of_a_game_that_ended_are_skipped() -> None:
    """What still waits when its game ends is not put to the bot."""
    peer = Peer()
    frame = begun(play_turn(1), play_turn(2, game_id="demo-2"))
    frame.starts.append(start("demo-2"))
    peer.session.receive(frame)
    requests = peer.tell(play_pb2.PlayResponse(notices=[game_ended()]))

    assert [(2, "QS")] == answered(requests)


def test_a_repeated_turn_gets_the_same_answer() -> None:
    """A turn that comes again after a reconnect is not put to the bot again."""
    peer = Peer()
    first = peer.tell(begun(play_turn(1)))
    peer.session.hello()
    again = welcome(games_resumed=1)
    again.starts.append(start())
    again.turns.append(play_turn(1))
    second = peer.tell(again)

    assert first == second
    assert "asked 1" == second[0].answers[0].note


def test_a_resumed_game_keeps_its_object() -> None:
    """A game that goes on after a reconnect goes on with the same bot object."""
    peer = Peer()
    peer.tell(begun(play_turn(1)))
    peer.session.hello()
    again = welcome(games_resumed=1)
    again.starts.append(start())
    again.turns.append(play_turn(2))

    assert "asked 2" == peer.tell(again)[0].answers[0].note


def test_a_new_arena_gets_new_objects() -> None:
    """An arena that resumed nothing deals anew, even under the same game id."""
    peer = Peer()
    peer.tell(begun(play_turn(1)))
    peer.session.hello()

    assert "asked 1" == peer.tell(begun(play_turn(1)))[0].answers[0].note


def test_games_that_do_not_go_on_are_forgotten() -> None:
    """A game that was not named between two reconnects is dropped."""
    peer = Peer()
    frame = begun()
    frame.starts.append(start("demo-2"))
    peer.tell(frame)
    counts = []
    for _ in range(2):
        peer.session.hello()
        again = welcome(games_resumed=1)
        again.starts.append(start())
        peer.tell(again)
        counts.append(peer.session.game_count)

    assert [2, 1] == counts


def test_turns_that_waited_are_forgotten_with_their_connection() -> None:
    """What a lost connection left unanswered is not sent to the next one."""
    peer = Peer()
    peer.session.receive(begun(play_turn(1)))
    peer.session.hello()

    assert [] == peer.tell(welcome(games_resumed=1))


def test_news_reach_the_bot_before_the_next_deal() -> None:
    """A deal's end in the same frame as the next deal's first turn goes first."""
    seen: list[object] = []

    class Curious(Lowest):
        def game_started(self, start: GameStart) -> None:
            seen.append((start.game_id, start.seat))

        def deal_ended(self, end: DealEnded) -> None:
            seen.append((end.deal_number, end.moon_seat, end.moon_choice, end.totals))

        def game_ended(self, end: GameEnded) -> None:
            seen.append((end.ending, end.places))

        def choose_card(self, turn: Turn) -> Card:
            seen.append(turn.deal_number)
            return super().choose_card(turn)

    peer = Peer(Curious)
    peer.tell(begun(play_turn(1)))
    frame = turns(play_turn(2, deal_number=2))
    frame.notices.append(deal_ended())
    peer.tell(frame)
    peer.tell(play_pb2.PlayResponse(notices=[game_ended()]))

    assert [
        ("demo-1", 2),
        1,
        (1, 2, "add", [26, 26, 0, 26]),
        2,
        ("finished", [4, 2, 1, 2]),
    ] == seen
    assert 0 == peer.session.game_count


def test_a_hook_that_raises_is_reported() -> None:
    """An error in a hook costs nothing but the hook."""

    class Broken(Lowest):
        def deal_ended(self, end: DealEnded) -> None:
            raise KeyError("moon")

    peer = Peer(Broken)
    frame = begun(play_turn(1))
    frame.notices.append(deal_ended())

    assert [(1, "QS")] == answered(peer.tell(frame))
    assert peer.reports[0].startswith("demo-1: deal_ended failed")


def test_a_heartbeat_is_sent_back_before_the_bots_are_asked() -> None:
    """The echo does not wait for computing."""
    frame = begun(play_turn(1))
    frame.heartbeat.id = 9
    requests = Peer().tell(frame)

    assert play_pb2.PlayRequest(heartbeat=play_pb2.Heartbeat(id=9)) == requests[0]
    assert [(1, "QS")] == answered(requests[1:])


def test_unknown_kinds_are_survived() -> None:
    """A turn kind of a newer protocol gets the first choices, a notice nothing."""
    turn = play_turn(1, choices="2C 3C 4C")
    turn.kind = 99  # type: ignore[assignment]
    turn.answer_count = 2
    moon = moon_turn(2)
    moon.kind = 98  # type: ignore[assignment]
    frame = begun(turn, moon)
    frame.notices.add()
    # Field 99, a message: what a newer arena may send.
    data = frame.SerializeToString() + b"\x9a\x06\x02\x08\x01"
    peer = Peer()
    peer.session.receive(play_pb2.PlayResponse.FromString(data))
    requests = list(iter(peer.session.answer, None))

    assert [(1, "2C 3C"), (2, "")] == answered(requests)
    assert game_pb2.MOON_CHOICE_ADD == requests[1].answers[0].moon_choice


def test_a_turn_of_an_unknown_game_is_skipped() -> None:
    """A turn whose game never started is reported and left alone."""
    peer = Peer()

    assert [] == peer.tell(turns(play_turn(1, game_id="other")))
    assert "turn 1 of other is skipped" in peer.reports[0]


def test_rejections_and_status_are_reported() -> None:
    """The author reads what was wrong and what was played; a late one is no news."""
    frame = begun()
    frame.rejections.add(
        turn_id=4,
        game_id="demo-1",
        reason=play_pb2.REJECTION_REASON_ILLEGAL,
        message="AH is not legal; expected 1 of QS KS; QS was taken instead",
        substituted=[50],
    )
    frame.rejections.add(turn_id=5, reason=play_pb2.REJECTION_REASON_TOO_LATE)
    status = play_pb2.Status(message="waiting for 2 more bots")
    frame.notices.add(status=status)
    frame.notices.add(status=status)
    peer = Peer()
    peer.tell(frame)

    assert [
        "turn 4 of demo-1: AH is not legal; expected 1 of QS KS; QS was taken instead",
        "waiting for 2 more bots",
    ] == peer.reports


def test_welcome_and_draining_are_kept() -> None:
    """The token of a welcome outlives connections, an announcement does not."""
    peer = Peer()
    peer.tell(welcome(token="t2"))
    draining = play_pb2.Draining(reconnect_after_ms=50, message="update")
    peer.tell(play_pb2.PlayResponse(notices=[play_pb2.Notice(draining=draining)]))

    assert ("t2", draining) == (peer.session.token, peer.session.draining)
    peer.session.hello()
    peer.tell(welcome())

    assert ("t2", None) == (peer.session.token, peer.session.draining)
