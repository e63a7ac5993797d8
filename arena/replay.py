"""
A replay: a record played through the engine, answer by answer.

`replay` returns the game as it stands at the end of a record, finished or not.
`steps` is what it is made of, and lets `arena.verify` look at every answer before
it is given.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.cards import (
    Card,
    CardSet,
    card_names,
    card_set,
    cards_in,
    lowest,
    parse_cards,
    without,
)
from arena.deal import IllegalPass, IllegalPlay
from arena.excerpt import cut, shown
from arena.game import Game, Phase
from arena.mismatch import VerifyError, differing_seat, mismatch, named
from arena.record import DealRecord, MoonRecord, Record, RulesRecord
from arena.rules import MoonChoice, PassDirection, RulesError, RuleSet, preset
from arena.seeds import deal_hands
from arena.view import Answer

__all__ = [
    "Step",
    "VerifyError",
    "check_end",
    "replay",
    "rules_of",
    "rules_said",
    "set_up",
    "steps",
]

_NO_SEED = "00" * 32
"""The seed in records of games that were dealt by hand."""


@dataclass(frozen=True, slots=True)
class Step:
    """One recorded answer, yielded before the game is given it."""

    deal: int
    trick: int
    seat: int
    answer: Answer


def replay(record: Record) -> Game:
    """
    Return the game as it stands at the end of a record.

    The hands are those of the record, so that positions set up by hand can be
    replayed too; a deal that the record does not have yet comes from its seed.

    Raises:
        VerifyError: The record does not fit the rules, or contradicts itself.
    """
    game = set_up(record, rules_of(record))
    for _ in steps(record, game):
        pass
    check_end(record, game)
    return game


def set_up(record: Record, rules: RuleSet) -> Game:
    """
    Return the game before its first answer, with the hands of a record.

    Raises:
        VerifyError: The hands are not the whole pack in equal parts.
    """
    for number, deal in enumerate(record.deals, start=1):
        _check_pack(record, rules, number, deal)

    def deals(deal_index: int, dealer: int) -> tuple[CardSet, ...]:
        if deal_index < len(record.deals):
            return _hands(record.deals[deal_index])
        return deal_hands(seed, deal_index, rules, dealer)

    seed = bytes.fromhex(record.sequence_seed)
    if record.deals:
        return Game(rules, deals, first_dealer=record.deals[0].dealer)
    return Game.from_seed(rules, seed)


def rules_of(record: Record) -> RuleSet:
    """
    Return the rules of a record.

    Raises:
        VerifyError: They can't be played, their hash is another, or the options
            that differ from the preset are not in normal form.
    """
    return rules_said(record.rules, game=record.game)


def rules_said(said: RulesRecord, *, game: str) -> RuleSet:
    """
    Return the rules that a record names, or a result.

    Args:
        said: As it stands there.
        game: The name of the game, for errors.

    Raises:
        VerifyError: As `rules_of` does.
    """
    try:
        options = dict(said.overrides)
        rules = preset(said.preset, players=said.players, **options)
    except (RulesError, TypeError) as error:
        raise VerifyError(game=game, reason=str(error)) from None
    if said.hash != rules.hash:
        reason = mismatch("rules.hash", said.hash, rules.hash)
        raise VerifyError(game=game, reason=reason)
    for name in sorted(options.keys() | rules.overrides.keys()):
        if options.get(name) != rules.overrides.get(name):
            reason = _override_reason(name, options, rules)
            raise VerifyError(game=game, reason=reason)
    return rules


def _override_reason(name: str, options: dict[str, str], rules: RuleSet) -> str:
    """Tell what to do about an option that is not written in normal form."""
    option = f"rules.overrides.{cut(name)} ([Option {cut(name)}])"
    value, expected = options.get(name), rules.overrides.get(name)
    if value is None:
        return f"{option} is missing, expected {shown(expected)}"
    if expected is None:
        usual = f"the preset {rules.preset} has that anyway; leave it out"
        return f"{option} is {shown(value)}, expected none: {usual}"
    return f"{option} is {shown(value)}, expected {shown(expected)}"


def steps(record: Record, game: Game) -> Iterator[Step]:
    """
    Play a record through a new game, and yield each answer before it is given.

    Raises:
        VerifyError: An answer breaks the rules, or the record and the game
            differ in a deal's hands, pass, moon or score.
    """
    for number, deal in enumerate(record.deals, start=1):
        if game.deal_number < number or game.phase == Phase.OVER:
            reason = "the game was over or stood still before this deal"
            raise VerifyError(game=record.game, deal=number, reason=reason)
        for given_up in record.given_up:
            # When in the deal makes no difference to its score.
            if given_up.deal == number:
                game.give_up(given_up.seat)
        yield from _DealSteps(record, number, deal, game).run()


class _DealSteps:
    """Plays one recorded deal."""

    def __init__(
        self, record: Record, number: int, deal: DealRecord, game: Game
    ) -> None:
        self._record = record
        self._number = number
        self._recorded = deal
        self._game = game
        self._deal = game.deal

    def run(self) -> Iterator[Step]:
        self._check_dealt()
        yield from self._passes()
        yield from self._plays()
        yield from self._moon()
        self._check_score()

    def _check_dealt(self) -> None:
        recorded, deal = self._recorded, self._deal
        self._check_seed()
        if recorded.dealer != deal.dealer:
            self._fail(mismatch("dealer", recorded.dealer, deal.dealer))
        if recorded.direction != deal.direction.label:
            self._fail(mismatch("direction", recorded.direction, deal.direction.label))
        for seat, hand in enumerate(_hands(recorded)):
            if wrong := hand ^ deal.dealt[seat]:
                dealt = card_names(cards_in(deal.dealt[seat]))
                reason = mismatch("hands", recorded.hands[seat], dealt)
                reason += f", which {named('sequence_seed')} deals"
                self._fail(reason, seat=seat, card=lowest(wrong))

    def _check_seed(self) -> None:
        """Tell of a game that was dealt by hand, rather than of its first card."""
        recorded, deal = self._recorded, self._deal
        is_dealt = recorded.dealer == deal.dealer and _hands(recorded) == deal.dealt
        if (
            self._number == 1
            and self._record.sequence_seed == _NO_SEED
            and not is_dealt
        ):
            self._fail(
                f"these hands come from no seed: {named('sequence_seed')} is zeros, "
                "and deals others; to check all but the hands, verify them as dealt "
                "(--as-dealt)"
            )

    def _passes(self) -> Iterator[Step]:
        passes, deal = self._recorded.passes, self._deal
        expected = 0 if deal.direction == PassDirection.HOLD else deal.players
        if len(passes) != expected:
            counts = f"of {len(passes)} seats", f"of {expected}"
            self._fail(mismatch("passes", *counts), trick=0)
        for seat, text in enumerate(passes):
            if not text:
                continue
            cards = parse_cards(text)
            yield Step(self._number, 0, seat, cards)
            try:
                self._game.pass_cards(seat, card_set(cards))
            except IllegalPass as error:
                self._fail(str(error), trick=0, seat=seat, card=cards[0])

    def _plays(self) -> Iterator[Step]:
        deal = self._deal
        for card in parse_cards(self._recorded.plays):
            trick, seat = deal.trick_count + 1, deal.turn
            if seat < 0:
                reason = "a card is played before the pass or after the last trick"
                self._fail(reason, trick=trick, card=card)
            yield Step(self._number, trick, seat, [card])
            try:
                self._game.play(card)
            except IllegalPlay as error:
                self._fail(str(error), trick=trick, seat=seat, card=card)

    def _moon(self) -> Iterator[Step]:
        moon, game = self._recorded.moon, self._game
        if not game.is_choosing or moon is None:
            return
        trick = self._deal.trick_count + 1
        if moon.seat != game.moon_seat:
            expected = MoonRecord(choice=moon.choice, seat=game.moon_seat)
            reason = mismatch("moon", moon, expected)
            self._fail(reason, trick=trick, seat=moon.seat)
        choice = MoonChoice[moon.choice.upper()]
        yield Step(self._number, trick, moon.seat, choice)
        game.choose_moon(choice)

    def _check_score(self) -> None:
        recorded, game = self._recorded, self._game
        points: tuple[int, ...] | None = None
        totals: tuple[int, ...] | None = None
        moon: MoonRecord | None = None
        if len(game.results) == self._number:
            result = game.results[-1]
            points, totals = result.points, result.totals
            if result.shooter is not None and result.moon_choice:
                choice = result.moon_choice.label
                moon = MoonRecord(choice=choice, seat=result.shooter)
        elif game.is_choosing and (recorded.points or recorded.totals):
            choices = f"the choice of seat {game.moon_seat}, add or subtract"
            self._fail(mismatch("moon", None, choices), seat=game.moon_seat)
        if moon != recorded.moon:
            self._fail(mismatch("moon", recorded.moon, moon))
        for name, found, expected in (
            ("points", recorded.points, points),
            ("totals", recorded.totals, totals),
        ):
            if found != expected:
                seat = differing_seat(found, expected)
                self._fail(mismatch(name, found, expected), seat=seat)

    def _fail(
        self,
        reason: str,
        *,
        trick: int | None = None,
        seat: int | None = None,
        card: Card | None = None,
    ) -> None:
        raise VerifyError(
            game=self._record.game,
            deal=self._number,
            trick=trick,
            seat=seat,
            card=card,
            reason=reason,
        )


def check_end(record: Record, game: Game) -> None:
    """
    Check how a replayed game ended, the totals and the places.

    A void game has been broken off before its end, wherever that was: one that is
    over can't be declared void afterwards.

    Raises:
        VerifyError: The record says something else.
    """
    is_over = game.phase == Phase.OVER
    allowed = (game.ending,) if is_over else (None, "void")
    if record.ending not in allowed:
        reason = mismatch("ending", record.ending, allowed[0])
        raise VerifyError(game=record.game, reason=reason)
    totals = tuple(game.totals) if is_over else None
    places = game.places() if is_over else None
    for name, found, expected in (
        ("final totals", record.totals, totals),
        ("places", record.places, places),
    ):
        if found != expected:
            reason = mismatch(name, found, expected)
            seat = differing_seat(found, expected)
            raise VerifyError(game=record.game, seat=seat, reason=reason)


def _check_pack(record: Record, rules: RuleSet, number: int, deal: DealRecord) -> None:
    """Refuse hands that are not the whole pack in equal parts."""
    left = rules.pack
    for seat, hand in enumerate(_hands(deal)):
        count = hand.bit_count()
        sizes = f"of {count} cards", f"of {rules.hand_size}"
        reason = mismatch("hands", *sizes)
        wrong = hand & ~left
        if wrong:
            reason = "the card was dealt before, or is not in the pack"
        if wrong or count != rules.hand_size:
            card = lowest(wrong) if wrong else None
            raise VerifyError(
                game=record.game, deal=number, seat=seat, card=card, reason=reason
            )
        left = without(left, hand)


def _hands(deal: DealRecord) -> tuple[CardSet, ...]:
    return tuple(card_set(parse_cards(hand)) for hand in deal.hands)
