"""
A position as text or as values: the table as it stands in the middle of a game.

It shows all hands, so it is for those who may see them: in records, never in what
is sent to a seat.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from arena.cards import CardSet, card_name, card_names, cards_in
from arena.game import Game, Phase
from arena.transcript import hand_text

__all__ = ["Json", "position_text", "position_value"]

Json: TypeAlias = Mapping[str, "Json"] | Sequence["Json"] | str | int | bool | None


def position_text(game: Game, *, names: Sequence[str]) -> str:
    """Return the table for people: hands, trick, who is to act, choices, scores."""
    deal = game.deal
    width = max(map(len, names))
    lines = [
        f"Deal {game.deal_number}, dealt by {names[deal.dealer]}, "
        f"pass {deal.direction.label}: {_stage(game)}"
    ]
    if game.phase != Phase.OVER:
        for seat, name in enumerate(names):
            given = ", given up" if seat in game.given_up else ""
            lines.append(f"  {name:{width}}  {hand_text(deal.hands[seat])}{given}")
        if deal.carried:
            lines.append(f"carried {card_names(deal.carried)}")
        if deal.kitty:
            taker = deal.kitty_taker
            whose = "not taken yet" if taker is None else f"taken by {names[taker]}"
            lines.append(f"kitty   {card_names(cards_in(deal.kitty))}, {whose}")
        if deal.trick:
            lines.append(f"trick   {_trick_text(game, names)}")
        for seat in seats_to_act(game):
            lines.append(f"to act  {names[seat]}: {_question(game, seat)}")
        lines += _bonus_line(game, names)
        lines.append(f"points  {_scores(deal.points, names)}")
    lines.append(f"totals  {_scores(game.totals, names)}")
    if game.phase == Phase.OVER:
        lines.append(f"places  {_scores(game.places(), names)}")
    return "\n".join(lines) + "\n"


def position_value(game: Game, *, names: Sequence[str]) -> dict[str, Json]:
    """Return the table for programs. Cards are names, numbers as in records."""
    deal = game.deal
    acting = seats_to_act(game)
    return {
        "bots": list(names),
        "phase": game.phase.name.lower(),
        "deal": game.deal_number,
        "dealer": deal.dealer,
        "direction": deal.direction.label,
        "trick_number": _trick_number(game),
        "hands": [card_names(cards_in(hand)) for hand in deal.hands],
        "trick": card_names(deal.trick),
        "carried": card_names(deal.carried),
        "kitty": card_names(cards_in(deal.kitty)),
        "kitty_taker": deal.kitty_taker,
        "leader": deal.leaders[-1] if deal.trick else None,
        "seats_to_act": list(acting),
        "choices": {
            str(seat): card_names(cards_in(_choices(game, seat))) for seat in acting
        },
        "hearts_broken": deal.hearts_broken,
        "points": list(deal.points),
        "bonus_points": [
            game.rules.bonus_value * (taken & game.rules.bonus_cards).bit_count()
            for taken in deal.taken
        ],
        "totals": list(game.totals),
        "given_up": sorted(game.given_up),
        "places": list(game.places()) if game.phase == Phase.OVER else None,
    }


def seats_to_act(game: Game) -> tuple[int, ...]:
    """Return the seats whose answer the game waits for, several while passing."""
    match game.phase:
        case Phase.PASS:
            passed = game.deal.passed
            return tuple(seat for seat, cards in enumerate(passed) if not cards)
        case Phase.PLAY:
            return (game.deal.turn,)
        case Phase.MOON | Phase.SUN:
            return (game.moon_seat,)
        case Phase.OVER:
            return ()


def _choices(game: Game, seat: int) -> CardSet:
    match game.phase:
        case Phase.PASS:
            return game.deal.hands[seat]
        case Phase.PLAY:
            return game.deal.legal()
        case _:
            return 0


def _trick_number(game: Game) -> int:
    """Return the place in the deal: 0 the pass, 1 and up the tricks, then the moon."""
    return 0 if game.phase == Phase.PASS else game.deal.trick_count + 1


def _stage(game: Game) -> str:
    match game.phase:
        case Phase.PASS:
            return "passing"
        case Phase.PLAY:
            broken = "" if game.deal.hearts_broken else "not "
            return f"trick {_trick_number(game)}, hearts {broken}broken"
        case Phase.MOON | Phase.SUN:
            return f"the {game.phase.name.lower()} is to be scored"
        case Phase.OVER:
            return "the game is over"


def _question(game: Game, seat: int) -> str:
    if game.shot is not None:
        return f"add or subtract {game.shot.value} points"
    cards = card_names(cards_in(_choices(game, seat)))
    if game.phase == Phase.PASS:
        return f"{game.rules.pass_count} of {cards}"
    return f"one of {cards}"


def _bonus_line(game: Game, names: Sequence[str]) -> list[str]:
    """Tell who has the bonus card, which the points leave out."""
    bonus, value = game.rules.bonus_cards, game.rules.bonus_value
    owners = [
        f"{name} {card_names(cards_in(taken & bonus))} {value * count}"
        for name, taken in zip(names, game.deal.taken, strict=True)
        if (count := (taken & bonus).bit_count())
    ]
    return [f"bonus   {'  '.join(owners)}"] if owners else []


def _trick_text(game: Game, names: Sequence[str]) -> str:
    deal = game.deal
    seats = (deal.leaders[-1] + index for index in range(len(deal.trick)))
    played = zip(seats, deal.trick, strict=True)
    return ", ".join(
        f"{names[seat % deal.players]} {card_name(card)}" for seat, card in played
    )


def _scores(values: Sequence[int], names: Sequence[str]) -> str:
    pairs = zip(names, values, strict=True)
    return "  ".join(f"{name} {value}" for name, value in pairs)
