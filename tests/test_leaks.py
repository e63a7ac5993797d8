"""Hidden cards stay hidden: the messages to a seat know nothing of other hands."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from arena import wire
from arena.cards import CardSet, both, card_set, cards_in, without
from arena.deal import Deal
from arena.game import Game, kitty_of
from arena.host import Host
from arena.introduction import Introduction
from arena.rules import PRESETS, RuleSet, preset
from arena.seeds import deal_hands, first_dealer
from arena.spec import GameSpec, SeatSpec
from arena.substitution import substitute
from hearts.arena.v1 import game_pb2, play_pb2

Choose = Callable[[int, game_pb2.Turn], list[int]]

RULES = [
    preset(name, players=players) for name in PRESETS for players in PRESETS[name].seats
]
KITTIES = [
    preset("standard", players=3, leftover="kitty_first_trick"),
    preset("arena", players=5, leftover="kitty_first_heart"),
    preset("party", players=7, leftover="kitty_first_heart", announce_forced=True),
    preset("cancellation", players=7, leftover="kitty_first_trick"),
    preset("cancellation", players=9, leftover="kitty_first_heart"),
    preset("omnibus", players=11, packs=2, leftover="kitty_first_heart"),
]
CANCELLING = [
    preset("cancellation", players=8),
    preset("cancellation", players=6, cancel_next_leader="next_seat"),
    preset("cancellation", players=9, leftover="kitty_first_heart"),
]
# Many spades cost, and the first lead is a spade: hands often have no other choice.
FORCING: dict[str, Any] = {
    "announce_forced": True,
    "opening_card": "2S",
    "spade_penalties": "7:1 8:1 9:1 T:1 J:1 Q:13 K:1 A:1",
}
ANNOUNCED = [
    preset("classic", **FORCING),
    preset("parlor", players=5, **FORCING),
    preset("cancellation", players=8, **FORCING),
]


@dataclass
class Played:
    """What came of a scripted game."""

    messages: list[list[bytes]]
    """What was sent, by seat."""
    answers: list[tuple[int, list[int]]]
    game: Game
    fault_count: int = 0

    @property
    def is_known_to_all(self) -> tuple[object, ...]:
        """What the rules tell everybody: who leads, and which plays were forced."""
        deal = self.game.deal
        return self.answers, deal.turn, list(deal.leaders), list(deal.forced_plays)


def play(
    rules: RuleSet,
    hands: Sequence[CardSet],
    seed: bytes,
    choose: Choose,
    is_enough: Callable[[int, Deal], bool],
) -> Played:
    """
    Play a game whose first deal has the given hands.

    Args:
        rules: The rules.
        hands: The hands of the first deal.
        seed: Decides the later ones, and who deals first.
        choose: Answers for all seats.
        is_enough: Is asked whether to stop, given the number of answers so far.
    """

    def deals(index: int, dealer: int) -> Sequence[CardSet]:
        return hands if index == 0 else deal_hands(seed, index, rules, dealer)

    game = Game(rules, deals, first_dealer=first_dealer(seed, rules))
    names = [f"bot-{seat}" for seat in range(rules.players)]
    host = Host({"careful-1": substitute})
    sessions = [host.connect(introduction(name), now=0.0) for name in names]
    spec = GameSpec("g-1", rules, tuple(map(SeatSpec, names)), seed)
    host.start_game(spec, now=0.0, game=game)
    table = host.tables["g-1"].table
    played = Played([[] for _ in names], [], game)
    waiting: list[tuple[int, game_pb2.Turn]] = []
    while True:
        for seat, session in enumerate(sessions):
            while frame := host.take(session, now=0.0):
                sent = wire.encode_frame(frame, arena="test")
                message = play_pb2.PlayResponse.FromString(sent)
                host.sent(session, session.stream, frame, now=0.0)
                played.messages[seat].append(sent)
                waiting += [(seat, turn) for turn in message.turns]
        assert [] == host.take_failures()
        played.fault_count = len(table.faults)
        is_over = is_enough(len(played.answers), game.deal)
        if is_over or not waiting or table.faults:
            return played
        seat, turn = waiting.pop(0)
        cards = choose(seat, turn)
        played.answers.append((seat, cards))
        answer = play_pb2.Answer(turn_id=turn.turn_id, cards=cards)  # type: ignore[arg-type]
        host.receive(sessions[seat], [answer], now=0.0)


def introduction(name: str) -> Introduction:
    """Return what a bot says that plays anything."""
    return Introduction(
        name, presets=("*",), players=tuple(range(3, 12)), two_packs=True
    )


@dataclass
class Exchange:
    """Hands in which one unseen card has changed places with another."""

    hands: list[CardSet]
    cards: tuple[int, int]
    is_with_kitty: bool


def exchanged(
    game: Game, hands: Sequence[CardSet], seat: int, rng: random.Random
) -> Exchange:
    """Swap one unseen card, mostly a penalty card, with one in another place.

    Unseen are the cards that the others still hold, except those that the seat
    gave away itself, and the kitty that waits. The kitty is place `players`.

    Raises:
        IndexError: Nothing is unseen any more.
    """
    rules, deal = game.rules, game.deal
    known = deal.passed[seat] if deal.received[seat] else 0
    unseen = {
        other: without(held := deal.hands[other] & deal.dealt[other], known & held)
        for other in range(rules.players)
        if other != seat
    }
    if deal.kitty_taker is None:
        unseen[rules.players] = deal.kitty
    everything = [(place, card) for place in unseen for card in cards_in(unseen[place])]
    penalties = [pair for pair in everything if rules.penalties >> pair[1] & 1]
    is_penalty = penalties and rng.random() < 0.75
    giver, card = rng.choice(penalties if is_penalty else everything)
    others = [place for place in unseen if place != giver]
    is_kitty = rules.players in others and unseen[rules.players] and rng.random() < 0.5
    taker = rules.players if is_kitty else rng.choice(others)
    back = rng.choice([other for other in cards_in(unseen[taker]) if other != card])
    swapped = [*hands, kitty_of(rules, hands)]
    for place, gone, new in ((giver, card, back), (taker, back, card)):
        swapped[place] = both(without(swapped[place], 1 << gone), 1 << new)
    return Exchange(swapped[:-1], (card, back), rules.players in (giver, taker))


def script_of(answers: list[tuple[int, list[int]]]) -> Choose:
    """Answer as before; whoever is asked out of turn has no legal answer."""
    left = iter(answers)

    def choose(seat: int, _: game_pb2.Turn) -> list[int]:
        asked, cards = next(left)
        return list(cards) if asked == seat else []

    return choose


@dataclass
class Compared:
    """One comparison that was made."""

    game: Game
    exchange: Exchange


def at_random(rng: random.Random) -> Choose:
    """Choose any cards, but mostly one that another of the trick cancels."""

    def choose(_: int, turn: game_pb2.Turn) -> list[int]:
        choices: list[int] = list(turn.choices)
        open_count = len(turn.plays) % len(turn.points)
        trick = turn.plays[len(turn.plays) - open_count :]
        equal = [card for card in choices if card in trick]
        if equal and rng.random() < 0.9:
            return [rng.choice(equal)]
        return rng.sample(choices, turn.answer_count)

    return choose


def compare(
    rules: RuleSet, number: int, until: Callable[[Deal], bool] = lambda deal: False
) -> Compared | None:
    """
    Play, exchange, play the same answers again, compare every byte to one seat.

    Args:
        rules: The rules.
        number: Decides the hands, the seat and the answers.
        until: Ends the play early.

    Returns:
        What was compared, None when no other hands could be played so.
    """
    rng = random.Random(f"{rules.hash} {number}")
    seed = rng.randbytes(32)
    seat = rng.randrange(rules.players)
    most = rng.randrange(int(rules.players * (1 + rules.hand_size * 0.7)))
    hands = deal_hands(seed, 0, rules, first_dealer(seed, rules))
    first = play(
        rules,
        hands,
        seed,
        at_random(rng),
        lambda count, deal: count == most or until(deal),
    )
    for _ in range(60):
        try:
            exchange = exchanged(first.game, hands, seat, rng)
        except IndexError:
            continue
        second = play(
            rules,
            exchange.hands,
            seed,
            script_of(first.answers),
            lambda count, deal: count == len(first.answers),
        )
        if not second.fault_count and first.is_known_to_all == second.is_known_to_all:
            assert first.messages[seat] == second.messages[seat]
            return Compared(first.game, exchange)
    return None


@pytest.mark.parametrize(
    "rules", RULES + KITTIES, ids=lambda rules: f"{rules.preset}-{rules.players}"
)
def test_no_message_to_a_seat_changes_with_the_other_hands(rules: RuleSet) -> None:
    """Unseen cards exchanged among the other hands change no byte to a seat."""
    cases = [case for number in range(16) if (case := compare(rules, number))]
    penalties = [
        any(rules.penalties >> card & 1 for card in case.exchange.cards)
        for case in cases
    ]

    assert len(cases) >= 12
    assert sum(bool(case.game.deal.plays) for case in cases) >= 6
    assert sum(penalties) >= 0.5 * len(cases)


def fitting(
    rules: RuleSet, fits: Callable[[Compared], bool], until: Callable[[Deal], bool]
) -> int:
    """Compare until five cases fit; return how many did."""
    count = 0
    for number in range(100, 400):
        case = compare(rules, number, until)
        count += case is not None and fits(case)
        if count == 5:
            break
    return count


@pytest.mark.parametrize("rules", KITTIES, ids=lambda rules: f"{rules.players}")
def test_a_kitty_that_waits_is_hidden(rules: RuleSet) -> None:
    """Any of its cards may be another one before it is taken."""
    places = rules.players * 2
    found = fitting(
        rules,
        lambda case: case.exchange.is_with_kitty,
        lambda deal: len(deal.plays) == places,
    )

    assert 5 == found


@pytest.mark.parametrize("rules", CANCELLING, ids=lambda rules: f"{rules.players}")
def test_carried_cards_tell_nothing_else(rules: RuleSet) -> None:
    """Who will sweep the cards of cancelled tricks can't be read from a message."""
    found = fitting(
        rules,
        lambda case: bool(case.game.deal.carried),
        lambda deal: bool(deal.carried and deal.trick),
    )

    assert 5 == found


@pytest.mark.parametrize("rules", ANNOUNCED, ids=lambda rules: f"{rules.players}")
def test_announced_plays_tell_nothing_else(rules: RuleSet) -> None:
    """That a play was forced is told; what the hand still holds is not."""
    found = fitting(
        rules,
        lambda case: bool(case.game.deal.forced_plays),
        lambda deal: len(deal.plays) == 2 * deal.players,
    )

    assert 5 == found


def test_the_exchange_would_be_seen_by_its_seats() -> None:
    """The comparison can fail: a seat whose own hand changed gets other bytes."""
    rules, seed = preset("arena"), bytes(32)
    hands = deal_hands(seed, 0, rules, first_dealer(seed, rules))
    swapped = [hands[1], hands[0], *hands[2:]]

    def lowest(_: int, turn: game_pb2.Turn) -> list[int]:
        return list(turn.choices[: turn.answer_count])

    first, second = (
        play(rules, dealt, seed, lowest, lambda count, deal: True)
        for dealt in (hands, swapped)
    )

    assert first.messages[0] != second.messages[0]
    assert first.messages[3] == second.messages[3]
    assert card_set(range(1, 53)) == sum(hands)
