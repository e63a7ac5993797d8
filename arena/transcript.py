"""
A record as text for people: hands, passes, tricks, faults, points.

    print(transcript(record))

Works for finished games and for unfinished ones, as far as they go. Pure: equal
records give equal text, and times outside the record's hash show only as the
reason of a late answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.cards import (
    RANKS,
    CardSet,
    card_name,
    card_names,
    card_set,
    cards_in,
    parse_cards,
    rank,
    suit,
)
from arena.causes import GIVEN_UP_CAUSES, fault_cause
from arena.deal import IllegalPass, IllegalPlay
from arena.double_deal import start_deal
from arena.excerpt import printable
from arena.game import kitty_of
from arena.record import Fault, Record
from arena.replay import rules_of
from arena.rules import PassDirection
from arena.scoring import shot_of
from arena.verdict import verdicts

__all__ = ["compact", "deal_lines", "hand_text", "transcript"]

_SUBSTITUTED = "?"
"""Marks a card that the arena played in place of an answer."""
_FORCED = "!"
"""Marks a card that was announced as forced."""
_CANCELLED = "="
"""Marks a card that its equal in the trick cancels."""
_STOOD_IN = "~"
"""Marks a card that the stand-in played for a seat that was given up."""


def transcript(record: Record) -> str:
    """Return the whole game: its seats, each deal trick by trick, and the result."""
    record = _clean(record)
    lines = [*_game_lines(record), *_legend(record), ""]
    for index in range(len(record.deals)):
        lines += [*deal_lines(record, index), ""]
    return printable("\n".join([*lines, *_result_lines(record)]) + "\n", keeps="\n")


def compact(record: Record) -> str:
    """Return the game on few lines: its seats, one line a deal, and the result."""
    record = _clean(record)
    names = _names(record)
    lines = list(_game_lines(record))
    for number, deal in enumerate(record.deals, start=1):
        faults = [fault for fault in record.faults if fault.deal == number]
        words = [f"deal {number:2} {deal.direction:6}"]
        if deal.points is None or deal.totals is None:
            words.append(f"unfinished after {len(deal.plays.split())} cards")
        else:
            points = " ".join(f"{value:3}" for value in deal.points)
            totals = " ".join(f"{value:4}" for value in deal.totals)
            words.append(f"points {points}  totals {totals}")
        if deal.moon is not None:
            words.append(f"{_shot_name(record, number - 1)}: {names[deal.moon.seat]}")
        if faults:
            words.append(f"faults: {', '.join(names[fault.seat] for fault in faults)}")
        lines.append("  ".join(words))
    return printable("\n".join([*lines, *_result_lines(record)]) + "\n", keeps="\n")


def _clean(record: Record) -> Record:
    """Return a record in which nothing that strangers wrote does more than print."""
    return replace(
        record,
        game=printable(record.game),
        league=printable(record.league),
        seats=tuple(
            replace(
                seat,
                bot=printable(seat.bot),
                owner=printable(seat.owner),
                version=printable(seat.version),
            )
            for seat in record.seats
        ),
        notes=tuple(replace(note, text=printable(note.text)) for note in record.notes),
    )


def hand_text(cards: CardSet, *, widths: Sequence[int] = (0, 0, 0, 0)) -> str:
    """
    Return a hand by suit, spades first, each from high to low.

    Args:
        cards: the hand.
        widths: how wide the ranks of spades, hearts, diamonds and clubs stand.
    """
    suits = zip("SHDC", _ranks_by_suit(cards), widths, strict=True)
    return "  ".join(f"{suit} {ranks or '-':{w}}" for suit, ranks, w in suits).rstrip()


def _game_lines(record: Record) -> Iterator[str]:
    """Yield what is so for the whole game: its name, rules and seats."""
    where = f" of league {record.league}" if record.league else ""
    yield f"Game {record.game}{where}"
    rules = [f"rules {record.rules.preset}", f"{record.rules.players} seats"]
    rules += [
        f"{name} = {value}" for name, value in sorted(record.rules.overrides.items())
    ]
    yield "  " + ", ".join(rules)
    for seat, bot in enumerate(record.seats):
        owner = f", of {bot.owner}" if bot.owner else ""
        yield f"  seat {seat}  {bot.bot}, version {bot.version}{owner}"


def _legend(record: Record) -> Iterator[str]:
    """Yield what the marks mean that may occur in the game."""
    rules = rules_of(record)
    if rules.announce_forced:
        yield f"  {_FORCED} announced as forced: the hand held only cards banned then"
    if rules.cancellation:
        yield f"  {_CANCELLED} cancelled by its equal in the trick"
    if record.faults:
        yield f"  {_SUBSTITUTED} played by the arena, as the answer was late or wrong"
    if record.given_up:
        yield (
            f"  {_STOOD_IN} played by the stand-in ({record.stand_in}) for a seat "
            "that was given up"
        )


def _result_lines(record: Record) -> Iterator[str]:
    """Yield how the game ended."""
    if record.places is None or record.totals is None:
        is_void = record.ending == "void"
        yield "The game is void." if is_void else "The game is unfinished."
        return
    capped = ", at the cap on deals" if record.ending == "max_deals" else ""
    count = len(record.deals)
    yield f"Over after {count} deal{'s' if count > 1 else ''}{capped}:"
    names = _names(record)
    width = max(map(len, names))
    for place, seat in sorted(
        (place, seat) for seat, place in enumerate(record.places)
    ):
        faults = sum(fault.seat == seat for fault in record.faults)
        line = f"  {place}. {names[seat]:{width}} {record.totals[seat]:5}"
        if faults:
            line += f"  {faults} fault{'s' if faults > 1 else ''}"
        if any(given.seat == seat for given in record.given_up):
            line += ", given up"
        yield line


def _names(record: Record) -> list[str]:
    return [seat.bot for seat in record.seats]


def _ranks_by_suit(cards: CardSet) -> list[str]:
    """Return the ranks of spades, hearts, diamonds and clubs, high to low."""
    ranks = ["", "", "", ""]
    for card in reversed(cards_in(cards)):
        ranks[3 - suit(card)] += RANKS[rank(card)]
    return ranks


def deal_lines(record: Record, index: int) -> Iterator[str]:
    """Yield one deal; `index` is its place in the record, from 0."""
    return _DealText(record, index).lines()


def _shot_name(record: Record, index: int) -> str:
    """Return whether the shot of a deal is a moon or a sun."""
    text = _DealText(record, index)
    for _ in text.lines():
        pass
    return text.shot_name()


class _DealText:
    """Writes one deal while playing it again, so that it can say what was legal."""

    def __init__(self, record: Record, index: int) -> None:
        self._record = record
        self._number = index + 1
        self._deal_record = record.deals[index]
        rules = rules_of(record)
        hands = [card_set(parse_cards(hand)) for hand in self._deal_record.hands]
        self._deal = start_deal(
            rules,
            hands,
            dealer=self._deal_record.dealer,
            direction=PassDirection[self._deal_record.direction.upper()],
            kitty=kitty_of(rules, hands),
        )
        self._names = _names(record)
        self._width = max(map(len, ["leader", *self._names]))
        # Faults that were a matter of time, where the record tells more of them.
        self._explained = {
            fault: verdict
            for fault, verdict in (verdicts(record) if record.times.missed else ())
            if fault.kind in ("late", "away")
        }

    def lines(self) -> Iterator[str]:
        deal, names = self._deal, self._names
        dealer, direction = names[deal.dealer], deal.direction.label
        yield f"Deal {self._number}: {dealer} deals, pass {direction}"
        yield from self._hands()
        yield from self._seats_given_up_before()
        yield from self._remarks(0)
        if deal.is_passing:
            yield from self._passes()
        if not deal.is_passing:
            yield from self._tricks()
        yield from self._moon()
        yield from self._scores()

    def _hands(self) -> Iterator[str]:
        dealt = self._deal.dealt
        columns = zip(*map(_ranks_by_suit, dealt), strict=True)
        widths = [max(len(ranks) for ranks in column) for column in columns]
        for name, hand in zip(self._names, dealt, strict=True):
            yield f"  {name:{self._width}}  {hand_text(hand, widths=widths)}"
        if self._deal.kitty:
            yield f"  {'kitty':{self._width}}  {hand_text(self._deal.kitty)}"

    def _passes(self) -> Iterator[str]:
        deal, names, width = self._deal, self._names, self._width
        passes = [parse_cards(cards) for cards in self._deal_record.passes]
        for seat in range(deal.players):
            if fault := self._fault(seat, 0):
                yield self._fault_line(fault, self._pass_cause(fault))
        for seat, cards in enumerate(passes):
            if not cards:
                continue
            target = (seat + deal.direction.steps(deal.players)) % deal.players
            passed = card_names(cards) + self._mark(seat, 0)
            yield f"  {names[seat]:{width}}  passes {passed} to {names[target]}"
            deal.pass_cards(seat, card_set(cards))

    def _tricks(self) -> Iterator[str]:
        plays = parse_cards(self._deal_record.plays)
        size = self._deal.players
        if plays:
            heads = f"{'leader':{self._width}}  {'cards in order':{4 * size - 1}}"
            yield f"   #  {heads}  winner"
        for start in range(0, len(plays), size):
            yield from self._trick(plays[start : start + size])

    def _trick(self, cards: list[int]) -> Iterator[str]:
        deal, number = self._deal, self._deal.trick_count + 1
        leader, points, kitty_taker = deal.turn, list(deal.points), deal.kitty_taker
        marks, remarks, carried = [], [], deal.carried
        for card in cards:
            seat = deal.turn
            if fault := self._fault(seat, number):
                remarks.append(self._fault_line(fault, self._play_cause(fault)))
            marks.append(self._mark(seat, number))
            deal.play(card)
        words = self._words(cards, marks)
        line = f"  {number:2}  {self._names[leader]:{self._width}}  {' '.join(words)}"
        if deal.trick_count == number:
            line += f"  {self._outcome(points, [*carried, *cards])}"
        yield line.rstrip()
        if deal.kitty_taker is not None and kitty_taker is None:
            yield f"      {self._names[deal.kitty_taker]} takes the kitty"
        yield from remarks
        yield from self._remarks(number)

    def _words(self, cards: list[int], marks: list[str]) -> Iterator[str]:
        """Yield the cards of a trick with all their marks."""
        deal = self._deal
        forced = deal.forced_plays if len(deal.plays) == len(cards) else []
        for place, (card, mark) in enumerate(zip(cards, marks, strict=True)):
            if place in forced:
                mark += _FORCED
            if deal.rules.cancellation and cards.count(card) > 1:
                mark += _CANCELLED
            yield f"{card_name(card)}{mark:1}"

    def _outcome(self, points: list[int], cards: list[int]) -> str:
        """Return who won the trick that is complete now, and what it cost.

        Args:
            points: what the seats had before.
            cards: what goes with the trick.
        """
        deal = self._deal
        seat = deal.takers[-1]
        if seat is None:
            return "cancelled"
        taken = deal.points[seat] - points[seat]
        words = [self._names[seat], *([f"+{taken}"] if taken else [])]
        bonus = sum(bool(1 << card & deal.rules.bonus_cards) for card in cards)
        words += [str(deal.rules.bonus_value)] * bonus
        if deal.winners[-1] is None:
            words.append("takes what is cancelled")
        return " ".join(words)

    def _moon(self) -> Iterator[str]:
        moon = self._deal_record.moon
        if moon is None:
            return
        number = self._deal.trick_count + 1
        if fault := self._fault(moon.seat, number):
            yield self._fault_line(
                fault, f"it named no way to score the {self.shot_name()}"
            )
        yield from self._remarks(number)
        does = "adds to the others" if moon.choice == "add" else "subtracts"
        yield f"  {self._names[moon.seat]} shot the {self.shot_name()} and {does}"

    def shot_name(self) -> str:
        """Return `sun` once every line is written and it was one, else `moon`."""
        shot = self._deal.is_over and shot_of(self._deal)
        return "sun" if shot and shot.is_sun else "moon"

    def _scores(self) -> Iterator[str]:
        record = self._deal_record
        widths = [max(len(name), 4) for name in self._names]
        heads = zip(self._names, widths, strict=True)
        yield "          " + "  ".join(f"{name:>{width}}" for name, width in heads)
        if record.points is None or record.totals is None:
            yield self._row("so far", self._deal.points, widths)
            return
        yield self._row("points", record.points, widths)
        yield self._row("totals", record.totals, widths)

    def _row(self, label: str, values: Sequence[int], widths: list[int]) -> str:
        cells = zip(values, widths, strict=True)
        return f"  {label}  " + "  ".join(f"{value:{width}}" for value, width in cells)

    # Faults

    def _fault(self, seat: int, trick: int) -> Fault | None:
        for fault in self._record.faults:
            if (fault.deal, fault.trick, fault.seat) == (self._number, trick, seat):
                return fault
        return None

    def _mark(self, seat: int, trick: int) -> str:
        """Return the mark of an answer that the seat's bot did not give."""
        if self._fault(seat, trick):
            return _SUBSTITUTED
        for given in self._record.given_up:
            place = (given.deal, given.trick)
            if given.seat == seat and place <= (self._number, trick):
                return _STOOD_IN
        return ""

    def _fault_line(self, fault: Fault, cause: str) -> str:
        earlier = self._record.faults[: self._record.faults.index(fault)]
        count = 1 + sum(other.seat == fault.seat for other in earlier)
        most = f" of {self._record.faults_max}" if self._record.faults_max else ""
        name = self._names[fault.seat]
        if fault in self._explained:
            cause += f"; {self._explained[fault].words}"
        return f"      {_SUBSTITUTED} {name}: {cause} (fault {count}{most})"

    def _pass_cause(self, fault: Fault) -> str:
        offered = parse_cards(fault.offered)
        if fault.reason == "illegal":
            try:
                self._deal.pass_cards(fault.seat, card_set(offered))
            except IllegalPass as error:
                return f"offered {fault.offered}: {error.reason}"
        return self._cause(fault, self._deal.rules.pass_count)

    def _play_cause(self, fault: Fault) -> str:
        legal = card_names(cards_in(self._deal.legal()))
        if fault.reason == "illegal" and fault.offered:
            try:
                self._deal.play(parse_cards(fault.offered)[0])
            except IllegalPlay as error:
                return f"offered {fault.offered}: {error.reason}; legal: {legal}"
        return self._cause(fault, 1)

    def _cause(self, fault: Fault, count: int) -> str:
        cause = fault_cause(kind=fault.kind, reason=fault.reason, offered=fault.offered)
        if not fault.offered and fault.reason == "wrong_count":
            return f"{cause}; see its log"
        if not fault.offered or fault.reason == "unknown_card":
            return cause
        is_double = self._deal.rules.packs == 2
        most = "more often than it is held" if is_double else "twice"
        return (
            f"offered {fault.offered}, but {count} cards are to be named, none {most}"
        )

    def _seats_given_up_before(self) -> Iterator[str]:
        """Remind of the seats that were given up in an earlier deal."""
        for given in self._record.given_up:
            if given.deal < self._number:
                yield self._given_up_line(given.seat, "")

    def _given_up_line(self, seat: int, why: str) -> str:
        return (
            f"  {_STOOD_IN} {self._names[seat]} is given up{why}: counts the worst "
            f"score of the deal, the stand-in ({self._record.stand_in}) plays"
        )

    def _remarks(self, trick: int) -> Iterator[str]:
        """Yield who was given up at this place, and the bots' own notes."""
        for given in self._record.given_up:
            if (given.deal, given.trick) == (self._number, trick):
                why = GIVEN_UP_CAUSES[given.cause]
                yield "    " + self._given_up_line(given.seat, f" ({why})")
        for note in self._record.notes:
            if (note.deal, note.trick) == (self._number, trick):
                yield f'      {self._names[note.seat]} notes: "{note.text}"'
