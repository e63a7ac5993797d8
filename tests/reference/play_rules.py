"""Which cards may be played, who wins a trick, and what breaks hearts.

Plain functions of what lies on the table; the deal keeps the score.
"""

from collections.abc import Sequence

from tests.reference.cards import QUEEN, in_order, is_heart, of_suit, rank, suit
from tests.reference.options import Options
from tests.reference.values import is_penalty


def wanted_opening_card(options: Options) -> str:
    """Return the card that opens, if somebody holds it."""
    if options.opening_card != "lowest_club":
        return options.opening_card
    clubs = of_suit(options.pack, "C")
    return clubs[0] if clubs else "2C"


def opening_card(options: Options, hands: Sequence[Sequence[str]]) -> str | None:
    """Return the card that opens this deal: if need be the lowest held of its suit.

    None when nobody holds a card of that suit.
    """
    wanted = wanted_opening_card(options)
    held = [card for hand in hands for card in hand]
    if wanted in held:
        return wanted
    others = in_order(of_suit(held, suit(wanted)))
    return others[0] if others else None


def may_be_led(options: Options, hand: Sequence[str], *, broken: bool) -> list[str]:
    """List the cards that a hand may lead to any trick but for the opening."""
    if broken:
        return list(hand)
    hearts_wait = options.hearts_lead == "must_break"
    queen_waits = options.queen_lead == "after_broken"
    has_nothing_else = all(is_heart(card) or card == QUEEN for card in hand)
    if has_nothing_else and hearts_wait and queen_waits:
        return list(hand)
    has_only_penalties = all(is_penalty(options, card) for card in hand)
    if has_only_penalties and options.unbroken_lead_exception == "only_penalties":
        hearts_wait = False
    leads = []
    for card in hand:
        if is_heart(card) and hearts_wait:
            continue
        if card == QUEEN and queen_waits:
            continue
        leads.append(card)
    return leads if leads else list(hand)


def is_banned(options: Options, hand: Sequence[str], card: str) -> bool:
    """Say whether a card of a hand is banned from the first trick."""
    ban = options.first_trick_ban
    if ban == "none":
        return False
    if ban == "hearts":
        return is_heart(card)
    if ban == "unless_no_clubs" and not of_suit(hand, "C"):
        return False
    return is_penalty(options, card)


def playable(
    options: Options,
    hand: Sequence[str],
    trick: Sequence[str],
    *,
    is_first: bool,
    broken: bool,
    opening: str | None,
) -> list[str]:
    """List what a hand could play if nothing were banned from the first trick."""
    if trick:
        return of_suit(hand, suit(trick[0])) or list(hand)
    leads = may_be_led(options, hand, broken=broken)
    if is_first and opening is not None:
        if options.opening_play == "that_card" and opening in hand:
            return [opening]
        if options.opening_play == "any_of_suit":
            return of_suit(hand, suit(opening)) or leads
    return leads


def legal_cards(
    options: Options,
    hand: Sequence[str],
    trick: Sequence[str],
    *,
    is_first: bool,
    broken: bool,
    opening: str | None,
) -> tuple[list[str], bool]:
    """List the cards that a hand may play, each once, in order.

    `trick` is what was played to the trick before, `is_first` says whether it is the
    first of the deal, and `opening` is the deal's opening card. The second value
    says whether the hand is forced: all that it could play is banned.
    """
    base = playable(
        options, hand, trick, is_first=is_first, broken=broken, opening=opening
    )
    if not is_first:
        return in_order(set(base)), False
    allowed = [card for card in base if not is_banned(options, hand, card)]
    if allowed:
        return in_order(set(allowed)), False
    escapes = base
    if options.first_trick_escape == "hearts":
        escapes = of_suit(base, "H") or base
    if options.first_trick_escape == "queen" and QUEEN in base:
        escapes = [QUEEN]
    return in_order(set(escapes)), True


def breaks_hearts(options: Options, card: str, led: str) -> bool:
    """Say whether playing a card to a trick of the suit `led` breaks hearts."""
    if is_heart(card):
        return options.break_on == "heart_played" or led != "H"
    if card == QUEEN:
        if options.queen_breaks == "discarded":
            return led != "S"
        return options.queen_breaks == "played"
    return False


def standing_cards(options: Options, trick: Sequence[str]) -> list[int]:
    """List the places in a trick of the cards that no equal card cancels."""
    if not options.cancellation:
        return list(range(len(trick)))
    return [place for place, card in enumerate(trick) if trick.count(card) == 1]


def highest_place(trick: Sequence[str], places: Sequence[int]) -> int:
    """Return which of some places holds the highest card; the first of equals."""
    best = places[0]
    for place in places[1:]:
        if rank(trick[place]) > rank(trick[best]):
            best = place
    return best


def winning_place(options: Options, trick: Sequence[str]) -> int | None:
    """Return the place of the card that wins a trick, None if it is cancelled."""
    led = suit(trick[0])
    places = [p for p in standing_cards(options, trick) if suit(trick[p]) == led]
    return highest_place(trick, places) if places else None
