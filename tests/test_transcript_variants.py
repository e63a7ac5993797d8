"""Transcripts under other rules: suns, kitties, cancelled tricks, announced cards."""

from collections.abc import Callable

from arena.cards import cards_in
from arena.chronicle import record_of
from arena.record import Record
from arena.replay import replay
from arena.rules import preset
from arena.spec import GameSpec, SeatSpec
from arena.substitution import substitute
from arena.table import Table
from arena.transcript import compact, deal_lines, transcript
from tests.sample_records import sample_record


def first(make: Callable[[int], Record], fits: Callable[[Record], bool]) -> Record:
    """Return the first record of a seed that has what is looked for."""
    return next(record for record in map(make, range(256)) if fits(record))


def test_a_sun_is_not_called_a_moon() -> None:
    """Both forms say which of them it was, deal by deal."""

    def make(seed: int) -> Record:
        return sample_record(
            seed, preset_name="sun", players=3, shooter=seed % 3, pass_count=8
        )

    record = first(make, lambda one: any(r.is_sun for r in replay(one).results))
    results = replay(record).results
    kinds = ["sun" if r.is_sun else "moon" for r in results if r.shooter is not None]
    lines = [line for line in compact(record).splitlines() if "n: " in line]

    assert kinds == [line.rpartition(": ")[0].rpartition("  ")[2] for line in lines]
    assert len(kinds) == transcript(record).count(" shot the ")
    assert kinds.count("sun") == transcript(record).count(" shot the sun ")


def test_a_kitty_has_its_line_and_its_taker() -> None:
    """It is shown with the hands, and by whom it was taken after the trick."""
    record = sample_record(
        1, preset_name="arena", players=5, leftover="kitty_first_heart", deals_max=1
    )
    lines = list(deal_lines(record, 0))

    assert 1 == sum(line.strip().startswith("kitty") for line in lines)
    assert 1 == sum(line.endswith(" takes the kitty") for line in lines)


def test_cancelled_tricks_and_those_who_sweep_them_are_told() -> None:
    """A cancelled trick has no winner; a last one may be taken all the same."""

    def make(seed: int) -> Record:
        return sample_record(seed, preset_name="cancellation", players=6, deals_max=2)

    record = first(make, lambda one: bool(replay(one).deals[0].cancelled_tricks))
    deal = replay(record).deals[0]
    lines = list(deal_lines(record, 0))
    told = [line for line in lines if "cancelled" in line]

    assert len(deal.cancelled_tricks) == len(told)


def test_announced_cards_are_marked() -> None:
    """The mark stands behind the card, in the first trick alone."""

    def make(seed: int) -> Record:
        return sample_record(
            seed,
            preset_name="classic",
            opening_card="2S",
            spade_penalties="7:1 8:1 9:1 T:1 J:1 Q:13 K:1 A:1",
            deals_max=1,
        )

    record = first(make, lambda one: bool(replay(one).deals[0].forced_plays))
    told = [line for line in deal_lines(record, 0) if "!" in line]

    assert ["1"] == [line.split()[0] for line in told]
    assert len(replay(record).deals[0].forced_plays) == told[0].count("!")


def test_cancelled_cards_are_marked() -> None:
    """Both cards of a pair within one trick have the mark, and no others."""
    record = sample_record(3, preset_name="cancellation", players=6, deals_max=1)
    deal = replay(record).deals[0]
    tricks = [deal.plays[start : start + 6] for start in range(0, len(deal.plays), 6)]
    pairs = sum(trick.count(card) == 2 for trick in tricks for card in trick)
    lines = [line for line in deal_lines(record, 0) if line.lstrip()[:1].isdigit()]

    assert 0 < pairs == sum(line.count("=") for line in lines)


def test_the_bonus_card_is_told_with_its_trick() -> None:
    """Whoever takes it has its value behind the name."""
    record = sample_record(5, preset_name="omnibus", deals_max=1)
    lines = [line for line in deal_lines(record, 0) if " JD " in line and "-10" in line]

    assert 1 == len(lines)


def test_a_card_that_was_named_too_often_is_explained() -> None:
    """With two packs a card may be named twice, but only by whoever holds it twice."""
    texts = []
    for rules in (preset("arena"), preset("cancellation", players=6)):
        spec = GameSpec(
            game_id="g-1",
            rules=rules,
            seats=tuple(SeatSpec(f"bot-{seat}") for seat in range(rules.players)),
            sequence_seed=bytes(32),
        )
        table = Table(spec, substitute)
        table.start()
        hand = cards_in(table.view(0).hand)
        once = next(card for card in hand if hand.count(card) == 1)
        table.answer(0, [once, once, once])
        texts.append(transcript(record_of(table, started="", ended="")))

    assert "but 3 cards are to be named, none twice" in texts[0]
    assert "but 3 cards are to be named, none more often than it is held" in texts[1]
