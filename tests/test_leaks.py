"""Hidden cards stay hidden: the messages to a seat know nothing of other hands."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from arena import wire
from arena.cards import HEARTS, QUEEN_OF_SPADES, CardSet, card_set, cards_in
from arena.game import Game
from arena.host import Host
from arena.rules import preset
from arena.seeds import deal_hands, first_dealer
from arena.session import Introduction
from arena.spec import GameSpec, SeatSpec
from arena.substitution import substitute
from hearts.arena.v1 import game_pb2, play_pb2

RULES = preset("arena")
PENALTIES = (HEARTS | 1 << QUEEN_OF_SPADES) & sum(1 << card for card in range(1, 53))
NAMES = ("ada", "bob", "cat", "dot")

Choose = Callable[[int, game_pb2.Turn], list[int]]


@dataclass
class Played:
    """What came of a scripted game."""

    messages: dict[str, list[bytes]]
    answers: list[tuple[int, list[int]]]
    game: Game
    fault_count: int


def play(hands: Sequence[CardSet], seed: bytes, choose: Choose, count: int) -> Played:
    """Play `count` answers of a game whose first deal has the given hands."""

    def deals(index: int, dealer: int) -> Sequence[CardSet]:
        return hands if index == 0 else deal_hands(seed, index, RULES, dealer)

    game = Game(RULES, deals, first_dealer=first_dealer(seed, 4))
    host = Host({"careful-1": substitute})
    sessions = [host.connect(Introduction(name), now=0.0) for name in NAMES]
    spec = GameSpec("g-1", RULES, tuple(map(SeatSpec, NAMES)), seed)
    host.start_game(spec, now=0.0, game=game)
    table = host.tables["g-1"].table
    played = Played({name: [] for name in NAMES}, [], game, 0)
    waiting: list[tuple[int, game_pb2.Turn]] = []
    while True:
        for seat, session in enumerate(sessions):
            while frame := host.take(session, now=0.0):
                message = wire.encode_frame(frame, arena="test")
                host.sent(session, session.stream, frame, now=0.0)
                played.messages[session.bot].append(message.SerializeToString())
                waiting += [(seat, turn) for turn in message.turns]
        played.fault_count = len(table.faults)
        if len(played.answers) == count or not waiting or table.faults:
            return played
        seat, turn = waiting.pop(0)
        cards = choose(seat, turn)
        played.answers.append((seat, cards))
        answer = play_pb2.Answer(turn_id=turn.turn_id, cards=cards)  # type: ignore[arg-type]
        host.receive(sessions[seat], [answer], now=0.0)


def exchanged(
    game: Game, hands: Sequence[CardSet], seat: int, rng: random.Random
) -> list[CardSet]:
    """Swap one unseen card, a penalty card if there is one, between two others.

    Unseen are the cards that the others still hold, except those that the seat
    gave away itself.
    """
    deal = game.deal
    others = [other for other in range(4) if other != seat]
    known = deal.passed[seat] if deal.received[seat] else 0
    unseen = {other: deal.hands[other] & deal.dealt[other] & ~known for other in others}
    penalties = [
        (other, card)
        for other in others
        for card in cards_in(unseen[other] & PENALTIES)
    ]
    plain = [(other, card) for other in others for card in cards_in(unseen[other])]
    giver, card = rng.choice(penalties or plain)
    taker = rng.choice([other for other in others if other != giver])
    back = rng.choice(cards_in(unseen[taker]))
    swapped = list(hands)
    swapped[giver] = swapped[giver] & ~(1 << card) | 1 << back
    swapped[taker] = swapped[taker] & ~(1 << back) | 1 << card
    return swapped


class Moved:
    """Counts what the property test has tried."""

    cases = 0
    penalties = 0
    plays = 0


def script_of(answers: list[tuple[int, list[int]]]) -> Choose:
    """Answer as before; whoever is asked out of turn has no legal answer."""
    left = iter(answers)

    def choose(seat: int, _: game_pb2.Turn) -> list[int]:
        asked, cards = next(left)
        return list(cards) if asked == seat else []

    return choose


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 3), st.integers(0, 40))
def check_one_exchange(number: int, seat: int, count: int) -> None:
    """Play, exchange, play the same answers again, compare every byte."""
    rng = random.Random(number)
    seed = rng.randbytes(32)
    hands = deal_hands(seed, 0, RULES, first_dealer(seed, 4))

    def at_random(_: int, turn: game_pb2.Turn) -> list[int]:
        choices: list[int] = list(turn.choices)
        return rng.sample(choices, turn.answer_count)

    first = play(hands, seed, at_random, count)
    for _ in range(60):
        try:
            others = exchanged(first.game, hands, seat, rng)
        except IndexError:
            return  # Nothing is unseen any more.
        second = play(others, seed, script_of(first.answers), count)
        if second.fault_count == 0 and first.answers == second.answers:
            break
    else:
        return  # What was played leaves no other hands than these.
    Moved.cases += 1
    Moved.plays += bool(first.game.deal.plays)
    changed = [a ^ b for a, b in zip(hands, others, strict=True)]
    Moved.penalties += any(cards & PENALTIES for cards in changed)

    assert first.messages[NAMES[seat]] == second.messages[NAMES[seat]]


def test_no_message_to_a_seat_changes_with_the_other_hands() -> None:
    """Unseen cards exchanged among the other hands change no byte to a seat."""
    Moved.cases = Moved.penalties = Moved.plays = 0
    check_one_exchange()

    assert Moved.cases >= 100
    assert Moved.plays >= 0.5 * Moved.cases
    assert Moved.penalties >= 0.9 * Moved.cases


def test_the_exchange_would_be_seen_by_its_seats() -> None:
    """The comparison can fail: a seat whose own hand changed gets other bytes."""
    seed = bytes(32)
    hands = deal_hands(seed, 0, RULES, first_dealer(seed, 4))
    swapped = [hands[1], hands[0], *hands[2:]]

    def lowest(_: int, turn: game_pb2.Turn) -> list[int]:
        return list(turn.choices[: turn.answer_count])

    first = play(hands, seed, lowest, 0)
    second = play(swapped, seed, lowest, 0)

    assert first.messages["ada"] != second.messages["ada"]
    assert first.messages["dot"] == second.messages["dot"]
    assert card_set(range(1, 53)) == sum(hands)
