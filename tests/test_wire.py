"""The wire under all rules: what the messages say of rules, moons and deals' ends."""

import pytest

from arena import wire
from arena.cards import SUIT_SETS, CardSet, both, card_set, cards_in, parse_card
from arena.game import Game, Phase
from arena.news import DealNews
from arena.rules import RuleSet, parse_rules, preset
from arena.spec import GameSpec, SeatSpec
from arena.substitution import substitute
from arena.table import Table
from hearts.arena.v1 import game_pb2, play_pb2
from tests.sample_records import PRESET_SEATS

RULES = [preset(name, players=players) for name, players in PRESET_SEATS] + [
    preset("cancellation", players=9, leftover="kitty_first_heart", bonus_card="TD"),
    preset("standard", players=7, leftover="kitty_first_trick", target=60),
    preset("sun", players=4, sun_value=70, moon_value=30),
    preset("party", players=5, exact_hit="minus_50", max_deals="none"),
]


def spec_of(rules: RuleSet) -> GameSpec:
    """Return a game under rules."""
    return GameSpec(
        game_id="g-1",
        rules=rules,
        seats=tuple(SeatSpec(f"bot-{seat}") for seat in range(rules.players)),
        sequence_seed=bytes(32),
        faults_max=0,
    )


def played(rules: RuleSet, game: Game | None = None) -> Table:
    """Return a game that substitutions have played through its first deal."""
    table = Table(spec_of(rules), substitute, game=game)
    table.start()
    while not table.game.results:
        table.miss(min(table.wanted), "late")
    return table


def name(rules: RuleSet) -> str:
    """Return the preset and seats of rules, for the names of tests."""
    return f"{rules.preset}-{rules.players}"


@pytest.mark.parametrize("rules", RULES, ids=name)
def test_a_game_start_says_all_of_the_rules(rules: RuleSet) -> None:
    """A client needs no table of presets: options, pack and points are all there."""
    start = wire.start_message(spec_of(rules), rules.players - 1)
    message = game_pb2.GameStart.FromString(start.SerializeToString()).rules
    points = list(message.card_points)

    assert (rules.players, rules.players - 1) == (start.players, start.seat)
    assert rules.players == len(start.seat_names)
    assert (rules.preset, rules.hash) == (message.preset, message.hash)
    assert rules == parse_rules({**message.options})
    assert rules == parse_rules(
        {"preset": message.preset, "players": message.players, **message.overrides}
    )
    assert rules.pack == card_set(message.pack)
    assert sorted(message.pack) == list(message.pack)
    assert rules.total_points == sum(points)
    assert points == [rules.card_points[card] for card in message.pack]
    dealt = rules.players * message.hand_size + rules.kitty_size
    assert dealt == len(message.pack)
    assert (rules.moon_points, rules.sun_points) == (
        message.moon_points,
        message.sun_points,
    )


def test_a_bonus_card_is_named_with_its_points() -> None:
    """It is not in the card points; rules without one leave both fields empty."""
    with_bonus = wire.rules_message(preset("omnibus", bonus_value=-15))
    without = wire.rules_message(preset("standard"))

    assert (parse_card("JD"), -15) == (with_bonus.bonus_card, with_bonus.bonus_points)
    assert 26 == sum(with_bonus.card_points)
    assert (0, 0) == (without.bonus_card, without.bonus_points)


@pytest.mark.parametrize(
    ("name", "moon", "sun"),
    [
        ("arena", 26, 0),
        ("sun", 26, 52),
        ("black_maria", 0, 0),
        ("omnibus_parlor", 26, 0),
    ],
)
def test_what_the_rules_do_not_have_is_worth_nothing(
    name: str, moon: int, sun: int
) -> None:
    """Moon and sun are worth 0 where there is none; a folded bonus is left out."""
    message = wire.rules_message(preset(name))

    assert (moon, sun) == (message.moon_points, message.sun_points)


def test_equal_rules_keep_their_own_names() -> None:
    """Two presets with the same options are told apart by name only."""
    one, other = (wire.rules_message(preset(one)) for one in ("arena", "msft"))

    assert ("arena", "msft", one.hash) == (one.preset, other.preset, other.hash)


@pytest.mark.parametrize("rules", RULES, ids=name)
def test_a_deals_end_tells_all_cards(rules: RuleSet) -> None:
    """Hands and kitty are the pack, and cancelled tricks are those of the engine."""
    table = played(rules)
    news = DealNews(table, 0, table.game.results[0])
    message = wire.deal_ended_message(news)
    deal = table.game.deals[0]
    told = card_set(message.kitty)
    for hand in message.hands:
        told = (
            both(told, card_set(hand.cards))
            if rules.packs == 2
            else told | card_set(hand.cards)
        )

    assert rules.pack == told
    assert rules.kitty_size == len(message.kitty)
    assert rules.players * rules.hand_size == len(message.plays)
    assert rules.hand_size == len(message.leaders)
    assert list(deal.cancelled_tricks) == list(message.cancelled_tricks)
    assert list(news.result.points) == list(message.points)
    assert list(news.result.totals) == list(message.totals)


def test_cancelled_tricks_are_told_at_the_end() -> None:
    """There is a deal with some, or the test before proves little."""
    rules = preset("cancellation", players=6)
    table = Table(spec_of(rules), substitute)
    table.start()
    found: list[int] = []
    while not (table.is_over or found):
        count = len(table.game.results)
        seat = min(table.wanted)
        choices = cards_in(table.view(seat).choices)
        # Whoever can cancels a card of the trick.
        if cards := [card for card in choices if card in table.game.deal.trick]:
            table.answer(seat, cards[:1])
        else:
            table.miss(seat, "late")
        if len(table.game.results) > count:
            news = DealNews(table, count, table.game.results[count])
            found = list(wire.deal_ended_message(news).cancelled_tricks)
    index = len(table.game.results) - 1

    assert found
    assert found == list(table.game.deals[index].cancelled_tricks)


@pytest.mark.parametrize(
    ("options", "kind", "value"),
    [
        ({"moon": "choice"}, Phase.MOON, 26),
        ({"moon": "choice", "sun": "choice"}, Phase.SUN, 52),
        ({"moon": "choice", "moon_value": 40}, Phase.MOON, 40),
        (
            {
                "moon": "choice",
                "sun": "choice",
                "bonus_card": "JD",
                "moon_bonus": "fold",
            },
            Phase.SUN,
            62,
        ),
    ],
)
def test_moons_and_suns_are_asked_and_told(
    options: dict[str, str], kind: Phase, value: int
) -> None:
    """The turn has its kind and value, the end of the deal who shot which of them."""
    rules = preset("arena", pass_count=0, **options)  # type: ignore[arg-type]
    game = Game(rules, whole_suits, first_dealer=0)
    table = Table(spec_of(rules), substitute, game=game)
    table.start()
    while not table.is_choosing:
        (seat,) = table.wanted
        table.answer(seat, cards_in(table.view(seat).choices)[:1])
    turn = wire.turn_message(table.view(0), turn_id=1, game_id="g-1")
    table.answer(0, [], game_pb2.MOON_CHOICE_SUBTRACT)
    end = wire.deal_ended_message(DealNews(table, 0, game.results[0]))

    assert (int(kind), value) == (turn.kind, turn.moon_points)
    assert [1, 2] == list(turn.moon_choices)
    assert ([], 1) == (list(turn.choices), turn.answer_count)
    assert (True, 0) == (end.HasField("moon_seat"), end.moon_seat)
    assert (game_pb2.MOON_CHOICE_SUBTRACT, kind is Phase.SUN) == (
        end.moon_choice,
        end.is_sun,
    )


def whole_suits(index: int, dealer: int) -> tuple[CardSet, ...]:
    """Deal a suit to each seat: seat 0 has the clubs and wins every trick."""
    return SUIT_SETS


def test_a_deal_without_a_moon_tells_of_none() -> None:
    """Nobody shot it, so no seat and no choice is set."""
    table = played(preset("plain_hearts", players=6))
    end = wire.deal_ended_message(DealNews(table, 0, table.game.results[0]))

    assert table.game.results[0].shooter is None
    assert not end.HasField("moon_seat")
    assert (0, False) == (end.moon_choice, end.is_sun)


def test_announced_plays_and_the_kitty_reach_the_turn() -> None:
    """What everybody may know of trick one and of the kitty is in each turn."""
    rules = preset(
        "classic",
        players=5,
        leftover="kitty_first_trick",
        pass_cycle="left",
        opening_card="2S",
        spade_penalties="7:1 8:1 9:1 T:1 J:1 Q:13 K:1 A:1",
    )
    table = Table(spec_of(rules), substitute)
    table.start()
    while table.game.deal.trick_count == 0:
        table.miss(min(table.wanted), "late")
        deal = table.game.deal
        turn = wire.turn_message(
            table.view(min(table.wanted)), turn_id=1, game_id="g-1"
        )

        assert list(deal.forced_plays) == list(turn.forced_plays)
        assert bool(deal.trick_count) == bool(turn.kitty)
    assert cards_in(deal.kitty) == list(turn.kitty)
    assert len(turn.forced_plays) > 0


def test_presets_of_a_hello_are_harmless_text() -> None:
    """What a bot says it plays is shown to people, and so is one printable line."""
    capabilities = play_pb2.Capabilities(presets=["arena", "x\n\x1b[31m"])
    hello = play_pb2.Hello(capabilities=capabilities)
    introduction = wire.decode_hello(hello, bot="ada", owner="")

    assert ("arena", "x  [31m") == introduction.presets
