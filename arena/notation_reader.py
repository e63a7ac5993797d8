"""
The reader of the written notation: from the words of a game to its record.

It is forgiving in form, since people write the notation by hand: tags may come in
any order and most may be missing. What it has read goes through the same checks as
the members of a JSON record, and an error names the line.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from arena.cards import Card, CardError, card_names, parse_card
from arena.document import DocumentError, Node
from arena.excerpt import cut
from arena.notation_filled import filled, leaders_of
from arena.notation_tags import Draft, Members, Tag
from arena.notation_text import NotationError, Word, spelled
from arena.record import FORMAT, PLAYERS_MAX, Record, record_from, seal
from arena.rules import PRESETS, RulesError, RuleSet, preset


@dataclass(frozen=True, slots=True)
class WrittenGame:
    """One game of a text, not read yet."""

    words: tuple[Word, ...]

    @property
    def line(self) -> int:
        """The number of its first line, from 1."""
        return self.words[0].line

    def read(self) -> Record:
        """
        Return the record.

        Raises:
            NotationError: The text is no game. One that says something false is
                still a game.
        """
        return _record(_draft(self.words), self.words[-1].line)


def read_notation(text: str) -> list[Record]:
    """
    Read all games of a text.

    Raises:
        NotationError: The first thing that can't be read.
    """
    return [game.read() for game in written_games(text.split("\n"))]


def written_games(lines: Iterable[str]) -> Iterator[WrittenGame]:
    """Yield the games of a text; each but the first begins with a line `[Game …`."""
    words: list[Word] = []
    for word in spelled(lines):
        if words and _is_start(words[-1], word):
            # The bracket before belongs to the new game.
            *before, bracket = words
            if before:
                yield WrittenGame(tuple(before))
            words = [bracket]
        words.append(word)
    if words:
        yield WrittenGame(tuple(words))


def _is_start(before: Word, word: Word) -> bool:
    """Tell whether a word is the name of the tag that begins a line and a game."""
    is_tag = before.kind == "[" and before.is_first and word.kind == "word"
    return is_tag and word.text.lower() == "game"


# Words to a draft

_PLAY: Final = re.compile(
    r"(?P<leader>(?:[0-9]+|-):)?(?P<card>[^:!=~?]*)(?P<marks>(?:[!=~]|\?[a-z]?)*)"
)
"""A word outside tags: a leader, a card, marks, or several of them together."""


def _draft(words: Iterable[Word]) -> Draft:
    draft = Draft()
    rest = iter(words)
    for word in rest:
        if word.kind == "[":
            draft.add(_tag(word, rest))
        elif word.kind == "word":
            _play(draft, word)
        else:
            _refuse(word, "stands outside a tag; expected a card or a tag")
    return draft


def _tag(bracket: Word, rest: Iterator[Word]) -> Tag:
    values: list[Word] = []
    for word in rest:
        if word.kind == "]":
            break
        if word.kind not in ("word", "text"):
            _refuse(word, f"comes before the ] of the tag from line {bracket.line}")
        values.append(word)
    else:
        _refuse(bracket, "has no ] at the end of its tag")
    if not values or values[0].kind != "word":
        _refuse(bracket, "has no name of a tag behind it; expected for example [Rules")
    return Tag(values[0].text, bracket.line, tuple(values[1:]))


def _refuse(word: Word, reason: str) -> NoReturn:
    if word.kind == "broken":
        raise NotationError(line=word.line, reason=word.text)
    name = word.text if word.kind in "[]" else f'"{cut(word.text)}"'
    raise NotationError(line=word.line, reason=f"{name} {reason}")


def _play(draft: Draft, word: Word) -> None:
    """Take a leader or a card; marks follow from the cards and are passed over."""
    found = _PLAY.fullmatch(word.text)
    if found and found["leader"] not in (None, "-:"):
        draft.lead(int(found["leader"][:-1][:9]), word.line)
    text = found["card"] if found else word.text
    if found and not text:
        return
    try:
        draft.play(parse_card(text), word.line)
    except CardError as error:
        reason = f"{error}; a trick is written like 3: 2C 5C KC 9C"
        raise NotationError(line=word.line, reason=reason) from None


# A draft to a record

_TIME_CONTROL: Final = {"bank_ms": 0, "increment_ms": 0, "turn_limit_ms": 0}
_HANDS_FORM: Final = "; name the seat of each hand, as in [Deal 0:AQ4.K7.J93.84 1:…]"
_DEFAULTS: Final[Members] = {
    "format": FORMAT,
    "game": "game",
    "league": "",
    "block": 0,
    "attempt": 0,
    "sequence_seed": "00" * 32,
    "table_key": "00" * 8,
    "faults_max": 3,
    "stand_in": "careful-1",
    "open_deals": True,
    "ending": None,
    "totals": None,
    "places": None,
    "hash": "00" * 32,
}


def _record(draft: Draft, last_line: int) -> Record:
    game = draft.game
    if "rules.preset" not in game:
        reason = 'the game has no rules; expected a tag such as [Rules "arena"]'
        raise NotationError(line=last_line, reason=reason)
    players = _players(draft)
    deals = _Deals(draft, players)
    document = {name: game.get(name, value) for name, value in _DEFAULTS.items()}
    document |= {
        "seats": _seats(draft, players),
        "deals": deals.members(),
        "rules": deals.rules_members(),
        "faults": draft.lists["faults"],
        "given_up": draft.lists["given_up"],
        "notes": draft.lists["notes"],
        "time_control": _TIME_CONTROL | game.get("time_control", {}),
        "times": {
            "ended": game.get("times.ended", ""),
            "started": game.get("times.started", ""),
            "turns": draft.lists["times.turns"],
            "missed": draft.lists["times.missed"],
        },
    }
    try:
        record = record_from(Node(document))
    except DocumentError as error:
        _fail(draft, error.path, error.reason)
    record = filled(record, draft.places.keys())
    _check_leads(draft, record)
    return record if "hash" in game else seal(record)


def _check_leads(draft: Draft, record: Record) -> None:
    """Refuse a leader that another one must be by the cards before."""
    leaders = leaders_of(record) if draft.leads else []
    for lead in draft.leads:
        trick, card = divmod(lead.place, record.rules.players)
        known = leaders[lead.deal] if 0 <= lead.deal < len(leaders) else []
        if card or trick >= len(known) or known[trick] == lead.seat:
            continue
        reason = (
            f"seat {lead.seat} can't lead trick {trick + 1}: by hands and cards before "
            f"it seat {known[trick]} does"
        )
        raise NotationError(line=lead.line, reason=reason)


def _fail(draft: Draft, path: str, reason: str) -> NoReturn:
    """Refuse what stands at a path of the record, with the tag it is from."""
    while path not in draft.places:
        assert path, "what no tag says can't be wrong"
        path = re.sub(r"(\.|\[)[^.\[]*$|^[^.\[]*$", "", path)
    draft.places[path].fail(reason)


def _players(draft: Draft) -> int:
    """Return how many seats there are: said, or else counted."""
    places = (
        "rules.players",
        "deals[0].hands",
        f"seats[{max(draft.seats, default=0)}]",
    )
    hands = draft.deals[0].get("hands", ()) if draft.deals else ()
    count = max(len(hands), *(seat + 1 for seat in draft.seats), 0)
    found = draft.game.get("rules.players", count or _usual_players(draft))
    # Checked here already, since lists of this length are made from it.
    if type(found) is not int or not 1 <= found <= PLAYERS_MAX:
        reason = (
            f"expected a number of seats from 1 to {PLAYERS_MAX}, got {cut(str(found))}"
        )
        _fail(draft, next(path for path in places if path in draft.places), reason)
    return found


def _usual_players(draft: Draft) -> int:
    """Return how many seats there are when the text shows none."""
    try:
        return preset(draft.game["rules.preset"]).players
    except RulesError:
        return 4


def _seats(draft: Draft, players: int) -> list[Members]:
    for seat in draft.seats:
        if seat >= players:
            reason = f"there is no seat {seat} in a game of {players} seats"
            _fail(draft, f"seats[{seat}]", reason)
    return [
        {
            "bot": f"seat {seat}",
            "owner": "",
            "version": "1",
            **draft.seats.get(seat, {}),
        }
        for seat in range(players)
    ]


class _Deals:
    """The deals of a draft as members, with what follows from the rules."""

    def __init__(self, draft: Draft, players: int) -> None:
        self._draft = draft
        self._players = players
        self._options: Members = dict(draft.options)
        self._is_passing = "pass_count" in draft.options or any(
            "direction" in deal or "passes" in deal for deal in draft.deals
        )
        self._has_hash = "rules.hash" in draft.game
        if draft.deals and not self._is_passing and not self._has_hash:
            # Hands without a word about passing are those that play begins with.
            self._options["pass_count"] = "0"
        self._known_rules: RuleSet | None = None

    def rules_members(self) -> Members:
        game = self._draft.game
        has_hash = self._has_hash
        # Whatever a hash stands for is for those to say who verify.
        return {
            "hash": game["rules.hash"] if has_hash else self._rules().hash,
            "overrides": self._options if has_hash else self._rules().overrides,
            "players": self._players,
            "preset": game["rules.preset"],
        }

    def _rules(self) -> RuleSet:
        if self._known_rules is None:
            name = self._draft.game["rules.preset"]
            try:
                self._known_rules = preset(name, players=self._players, **self._options)
            except RulesError as error:
                self._refuse(error)
            except TypeError as error:
                _fail(self._draft, "rules.preset", str(error))
        return self._known_rules

    def _refuse(self, error: RulesError) -> NoReturn:
        """Refuse rules, by the tag that says or leads to what is wrong with them."""
        places = self._draft.places
        if f"rules.overrides.{error.option}" in places:
            _fail(self._draft, f"rules.overrides.{error.option}", str(error))
        if error.option == "players":
            for path, what in (
                ("rules.players", ""),
                (f"seats[{min(self._draft.seats, default=0)}]", "seat"),
                ("deals[0].hands", "hand"),
            ):
                if path in places:
                    found = f"found {self._players} {what}s; " if what else ""
                    form = _HANDS_FORM if what == "hand" else ""
                    _fail(self._draft, path, f"{found}{error}{form}")
        _fail(self._draft, "rules.preset", str(error))

    def members(self) -> list[Members]:
        return [
            {"dealer": dealer, **self._cards(index, deal)}
            for index, (dealer, deal) in enumerate(
                zip(self._dealers(), self._draft.deals, strict=True)
            )
        ]

    def _dealers(self) -> Iterator[Any]:
        """Yield the dealers: the deal passes to the left, from those that are named."""
        named = [deal.get("dealer") for deal in self._draft.deals]
        numbers = [
            (dealer - index) % self._players
            for index, dealer in enumerate(named)
            if type(dealer) is int
        ]
        after = numbers[0] if numbers else 0
        for dealer in named:
            yield after if dealer is None else dealer
            last = dealer if type(dealer) is int else after
            after = (last + 1) % self._players

    def _cards(self, index: int, deal: Members) -> Members:
        if "hands" not in deal:
            reason = "the deal has no hands; expected [Deal …] in it"
            _fail(self._draft, f"deals[{index}]", reason)
        direction = deal.get("direction") or self._direction(index)
        nobody: Any = None if direction == "hold" else {}
        passes = deal.get("passes", nobody)
        return {
            "direction": direction,
            "hands": self._by_seat(index, "hands", deal["hands"]),
            "passes": [] if passes is None else self._by_seat(index, "passes", passes),
            "plays": card_names(deal.get("plays", ())),
            **{name: deal.get(name) for name in ("moon", "points", "totals")},
        }

    def _direction(self, index: int) -> str:
        if self._has_hash and self._draft.game["rules.preset"] not in PRESETS:
            return "hold"
        return self._rules().direction(index).label

    def _by_seat(
        self, index: int, name: str, cards: dict[int, list[Card]]
    ) -> list[str]:
        """Return the cards of each seat in notation order; all seats have hands."""
        seats = range(self._players)
        is_whole = name == "passes" or len(cards) == self._players
        if not is_whole or cards.keys() - set(seats):
            named = " ".join(map(str, cards)) or "none"
            found, form = f"found seats {named}", ""
            if name == "hands":
                found, form = f"found {len(cards)} hands, of seats {named}", _HANDS_FORM
            reason = f"{found}, expected seats 0 to {self._players - 1}{form}"
            _fail(self._draft, f"deals[{index}].{name}", reason)
        return [card_names(sorted(cards.get(seat, ()))) for seat in seats]
