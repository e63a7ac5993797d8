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
    card_name,
    card_set,
    lowest,
    parse_cards,
    without,
)
from arena.deal import IllegalPass, IllegalPlay
from arena.game import Game, Phase
from arena.record import DealRecord, Record
from arena.rules import MoonChoice, PassDirection, RulesError, RuleSet, preset
from arena.seeds import deal_hands
from arena.view import Answer


class VerifyError(ValueError):
    """
    A record that can't be true, with the first place that is wrong.

    Attributes:
        game: The name of the game.
        deal: The number of the deal, from 1; None when the whole game is meant.
        trick: The number of the trick, from 1; 0 is the pass, one more than the
            last trick is the moon choice; None when the whole deal is meant.
        seat: The seat, None when no single one is meant.
        card: The card, None when no single one is meant.
        reason: What is wrong there, and what was expected.
    """

    def __init__(
        self,
        *,
        game: str,
        reason: str,
        deal: int | None = None,
        trick: int | None = None,
        seat: int | None = None,
        card: Card | None = None,
    ) -> None:
        place = {"deal": deal, "trick": trick, "seat": seat}
        words = [f"game {game}"]
        words += [f"{name} {at}" for name, at in place.items() if at is not None]
        words += [] if card is None else [f"card {card_name(card)}"]
        super().__init__(f"{', '.join(words)}: {reason}")
        self.game = game
        self.deal = deal
        self.trick = trick
        self.seat = seat
        self.card = card
        self.reason = reason


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
        VerifyError: The record does not fit the rules.
    """
    rules = rules_of(record)
    for number, deal in enumerate(record.deals, start=1):
        _check_pack(record, rules, number, deal)

    def deals(deal_index: int, dealer: int) -> tuple[CardSet, ...]:
        if deal_index < len(record.deals):
            return _hands(record.deals[deal_index])
        return deal_hands(seed, deal_index, rules, dealer)

    seed = bytes.fromhex(record.sequence_seed)
    if record.deals:
        game = Game(rules, deals, first_dealer=record.deals[0].dealer)
    else:
        game = Game.from_seed(rules, seed)
    for _ in steps(record, game):
        pass
    return game


def rules_of(record: Record) -> RuleSet:
    """
    Return the rules of a record.

    Raises:
        VerifyError: They can't be played, or their hash is another.
    """
    named = record.rules
    try:
        options = dict(named.overrides)
        rules = preset(named.preset, players=named.players, **options)
    except (RulesError, TypeError) as error:
        raise VerifyError(game=record.game, reason=str(error)) from None
    if named.hash != rules.hash:
        reason = f"rules.hash is {named.hash}, but these rules have {rules.hash}"
        raise VerifyError(game=record.game, reason=reason)
    if dict(named.overrides) != rules.overrides:
        reason = f"rules.overrides are {dict(named.overrides)}, not {rules.overrides}"
        raise VerifyError(game=record.game, reason=reason)
    return rules


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
        if recorded.dealer != deal.dealer:
            self._fail(f"the dealer is seat {recorded.dealer}, expected {deal.dealer}")
        if recorded.direction != deal.direction.label:
            direction = deal.direction.label
            self._fail(f"the direction is {recorded.direction}, expected {direction}")
        for seat, hand in enumerate(_hands(recorded)):
            if wrong := hand ^ deal.dealt[seat]:
                card = lowest(wrong)
                reason = "the hand is not the one that sequence_seed deals"
                self._fail(reason, seat=seat, card=card)

    def _passes(self) -> Iterator[Step]:
        passes, deal = self._recorded.passes, self._deal
        expected = 0 if deal.direction == PassDirection.HOLD else deal.players
        if len(passes) != expected:
            self._fail(f"{len(passes)} seats passed, expected {expected}", trick=0)
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
            reason = f"the moon is given to this seat, but {game.moon_seat} shot it"
            self._fail(reason, trick=trick, seat=moon.seat)
        choice = MoonChoice[moon.choice.upper()]
        yield Step(self._number, trick, moon.seat, choice)
        game.choose_moon(choice)

    def _check_score(self) -> None:
        recorded = self._recorded
        points: tuple[int, ...] | None = None
        totals: tuple[int, ...] | None = None
        moon: tuple[int, str] | None = None
        if len(self._game.results) == self._number:
            result = self._game.results[-1]
            points, totals = result.points, result.totals
            if result.shooter is not None and result.moon_choice:
                moon = result.shooter, result.moon_choice.label
        recorded_moon = recorded.moon and (recorded.moon.seat, recorded.moon.choice)
        if moon != recorded_moon:
            self._fail(f"the moon is {_or_none(recorded_moon)}, not {_or_none(moon)}")
        self._check_numbers("points", recorded.points, points)
        self._check_numbers("totals", recorded.totals, totals)

    def _check_numbers(
        self,
        name: str,
        recorded: tuple[int, ...] | None,
        expected: tuple[int, ...] | None,
    ) -> None:
        if recorded == expected:
            return
        seat = differing_seat(recorded, expected)
        reason = f"the {name} are {_or_none(recorded)}, expected {_or_none(expected)}"
        self._fail(reason, seat=seat)

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


def differing_seat(
    recorded: tuple[int, ...] | None, expected: tuple[int, ...] | None
) -> int | None:
    """Return the first seat whose numbers differ, None when one side is missing."""
    if recorded is None or expected is None:
        return None
    pairs = zip(recorded, expected, strict=True)
    return next((seat for seat, (one, other) in enumerate(pairs) if one != other), None)


def _check_pack(record: Record, rules: RuleSet, number: int, deal: DealRecord) -> None:
    """Refuse hands that are not the whole pack in equal parts."""
    left = rules.pack
    for seat, hand in enumerate(_hands(deal)):
        reason = f"the hand has {hand.bit_count()} cards, expected {rules.hand_size}"
        wrong = hand & ~left
        if wrong:
            reason = "the card was dealt before, or is not in the pack"
        if wrong or hand.bit_count() != rules.hand_size:
            card = lowest(wrong) if wrong else None
            raise VerifyError(
                game=record.game, deal=number, seat=seat, card=card, reason=reason
            )
        left = without(left, hand)


def _hands(deal: DealRecord) -> tuple[CardSet, ...]:
    return tuple(card_set(parse_cards(hand)) for hand in deal.hands)


def _or_none(value: object) -> str:
    return "none" if value is None else str(value)
