"""
What follows from the plays of a game, for texts that leave it out.

`filled` plays a record and returns it with dealers, scores, moons, ending and places
where its text says nothing of them. What a text does say is kept, right or wrong:
whether it is true is the business of `arena.verify`.
"""

from collections.abc import Set
from dataclasses import replace

from arena.cards import card_set, parse_cards
from arena.game import Game, Phase
from arena.illegal import IllegalPass, IllegalPlay
from arena.mismatch import VerifyError
from arena.record import DealRecord, MoonRecord, Record
from arena.replay import rules_of, set_up
from arena.rules import MoonChoice, RuleSet
from arena.seeds import first_dealer


def filled(record: Record, said: Set[str]) -> Record:
    """
    Return a record with what follows from its rules, hands and plays.

    Points, totals and moon of a deal are filled in once all its cards are played;
    a moon only where the deal has no points either, and never one whose shooter is
    to choose. Nothing follows from the first answer on that the rules forbid.

    Args:
        record: The record; what its text leaves out is None, dealers are any.
        said: The paths in the record that its text names, such as `ending`,
            `sequence_seed`, `deals[0].dealer` or `deals[2].points`.
    """
    if not _is_missing(record, said):
        return record
    try:
        rules = rules_of(record)
        record = _with_dealers(record, rules, said)
        game = set_up(record, rules)
    except VerifyError:
        return record
    _play_all(record, game)
    deals = tuple(
        _scored(deal, game, index, said) for index, deal in enumerate(record.deals)
    )
    return _ended(replace(record, deals=deals), game, said)


def leaders_of(record: Record) -> list[list[int]]:
    """Return the leaders of each deal, as far as the rules allow its cards."""
    try:
        game = set_up(record, rules_of(record))
    except VerifyError:
        return []
    _play_all(record, game)
    return [deal.leaders for deal in game.deals]


def _is_missing(record: Record, said: Set[str]) -> bool:
    """Tell whether there is anything that could be filled in."""
    names = {"ending"}
    if "ending" not in said or record.ending not in (None, "void"):
        names |= {"totals", "places"}
    for index in range(len(record.deals)):
        names |= {f"deals[{index}].{name}" for name in ("dealer", "points", "totals")}
    return bool(record.deals) and not names <= said


def _with_dealers(record: Record, rules: RuleSet, said: Set[str]) -> Record:
    """Return the record with a first dealer that fits, where the text names none."""
    count = len(record.deals)
    if any(f"deals[{index}].dealer" in said for index in range(count)):
        return record
    if "sequence_seed" in said:
        return _dealt_from(record, first_dealer(_seed(record), rules))
    # Where the eldest hand leads, only one dealer fits the first card.
    first = replace(record, deals=record.deals[:1])
    lengths = [
        _length(_dealt_from(first, seat), rules) for seat in range(rules.players)
    ]
    return _dealt_from(record, lengths.index(max(lengths)))


def _seed(record: Record) -> bytes:
    return bytes.fromhex(record.sequence_seed)


def _dealt_from(record: Record, dealer: int) -> Record:
    """Return the record with another first dealer; the deal passes to the left."""
    players = record.rules.players
    deals = (
        replace(deal, dealer=(dealer + index) % players)
        for index, deal in enumerate(record.deals)
    )
    return replace(record, deals=tuple(deals))


def _length(record: Record, rules: RuleSet) -> int:
    """Return how many cards of the first deal the rules allow."""
    game = set_up(record, rules)
    _play_all(record, game)
    return len(game.deals[0].plays)


def _play_all(record: Record, game: Game) -> None:
    """Play a record as far as the rules allow."""
    for number, recorded in enumerate(record.deals, start=1):
        if game.deal_number < number or game.phase == Phase.OVER:
            return
        for given_up in record.given_up:
            if given_up.deal == number:
                game.give_up(given_up.seat)
        try:
            _play(recorded, game)
        except (IllegalPass, IllegalPlay):
            return


def _play(recorded: DealRecord, game: Game) -> None:
    deal = game.deal
    for seat, cards in enumerate(recorded.passes):
        if cards:
            game.pass_cards(seat, card_set(parse_cards(cards)))
    for card in parse_cards(recorded.plays):
        if deal.is_over:
            return
        game.play(card)
    moon = recorded.moon
    if game.is_choosing and moon and moon.seat == game.moon_seat:
        game.choose_moon(MoonChoice[moon.choice.upper()])


def _scored(deal: DealRecord, game: Game, index: int, said: Set[str]) -> DealRecord:
    """Return a deal with the scores that it does not name."""
    missing = {
        name
        for name in ("moon", "points", "totals")
        if f"deals[{index}].{name}" not in said
    }
    if index >= len(game.results):
        return deal
    result = game.results[index]
    if "points" in missing:
        deal = replace(deal, points=result.points)
        if "moon" in missing and result.shooter is not None and result.moon_choice:
            choice = result.moon_choice.label
            deal = replace(deal, moon=MoonRecord(choice=choice, seat=result.shooter))
    return replace(deal, totals=result.totals) if "totals" in missing else deal


def _ended(record: Record, game: Game, said: Set[str]) -> Record:
    """Return a game with the result that it does not name."""
    if game.phase != Phase.OVER:
        return record
    if "ending" not in said:
        record = replace(record, ending=game.ending)
    if record.ending in (None, "void"):
        return record
    if "totals" not in said:
        record = replace(record, totals=tuple(game.totals))
    if "places" not in said:
        record = replace(record, places=game.places())
    return record
