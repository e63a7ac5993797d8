"""The notation as people write it, and what the reader says of mistakes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.notation import NotationError, read_notation, write_notation, written_games
from arena.record import Record, read_record, seal, write_record
from arena.replay import replay
from arena.rules import preset

HANDS = "0:2.2.2.2 1:3.3.3.3 2:4.4.4.4 3:5.5.5.5"
SHORT = f'[Rules "arena"]\n[Deal {HANDS}]\n'
"""A position as short as it can be."""


def read_one(text: str) -> Record:
    """Read a text of one game."""
    (record,) = read_notation(text)
    return record


def test_rules_hands_and_cards_are_enough() -> None:
    """A position needs no more, and what is missing has defaults."""
    record = read_one(SHORT + "1: 2C 3C\n")
    (deal,) = record.deals

    assert ("2C 2D 2H 2S", "2C 3C", "hold", ()) == (
        deal.hands[0],
        deal.plays,
        deal.direction,
        deal.passes,
    )
    assert ("game", "", 0, None) == (record.game, record.league, 0, record.ending)
    assert ("seat 3", "", "1") == (
        record.seats[3].bot,
        record.seats[3].owner,
        record.seats[3].version,
    )
    assert preset("arena", pass_count=0).hash == record.rules.hash
    assert record == seal(record) == read_record(write_record(record))


def test_a_whole_pack_written_by_hand_can_be_replayed() -> None:
    """With all cards dealt the position is one that can be gone on from."""
    text = """
        [Rules "arena"]
        [Deal 0:AKQJT98765432... 1:.AKQJT98765432.. 2:..AKQJT98765432.
              3:...AKQJT98765432]
        3: 2c
    """
    game = replay(read_one(text))

    assert (0, 1) == (game.deal.turn, len(game.deal.plays))


SAME = [
    ("in small letters", f'[rules "arena"] [deal {HANDS}]\n1: 2c 3c'),
    ("with tens", f"{SHORT} 10c 3C"),
    ("without leaders", f"{SHORT} 2C 3C"),
    ("close together", f"{SHORT}1:2C 3C"),
    ("with leaders that no whole pack tells", f"{SHORT}3: 2C 0: 3C"),
    ("with marks", f"{SHORT}1: 2C! 3C?t = ~"),
    ("with a word as text", f'[Rules arena][Deal "{HANDS}"] 2C 3C'),
    ("with comments", f"% of old\n{SHORT}; [x] {{\n1: {{ 4C\n; }} 2C {{}} 3C ; =\n%"),
    ("with line ends of another system", f"{SHORT}1: 2C 3C".replace("\n", "\r\n")),
    ("with a byte order mark", f"\ufeff{SHORT}1: 2C 3C"),
    ("with hands unnamed", f"{SHORT}1: 2C 3C".replace(" 1:3", " 3")),
    ("with hands of cards", f"{SHORT}1: 2C 3C".replace("0:2.2.2.2", "0: 2H 2S 2C 2D")),
    ("with all that can be guessed", f"[Players 4]\n{SHORT}[Pass -] 2C 3C [Result *]"),
]


@pytest.mark.parametrize("text", [text for _, text in SAME], ids=[n for n, _ in SAME])
def test_the_form_may_vary(text: str) -> None:
    """However it is written down, the deal is the same."""
    expected = read_one(SHORT + "1: 2C 3C").deals[0]
    found = read_one(text).deals[0]

    assert expected.hands == found.hands
    assert expected.plays == found.plays.replace("TC", "2C")


def test_a_text_says_who_passes_what() -> None:
    """The direction follows from the rules, and cards may come in any order."""
    text = SHORT + "[Passed 0: 2S 2H 2C 2: 4C 10H 4D]"
    (deal,) = read_one(text).deals

    assert ("left", ("2C 2H 2S", "", "4C 4D TH", "")) == (deal.direction, deal.passes)


def test_dealers_and_directions_follow_each_other() -> None:
    """Without a dealer the next seat deals; the cycle is that of the rules."""
    deals = f"[Deal {HANDS}]\n" * 3
    record = read_one(f'[Rules "arena"][Dealer 3]\n[Passed]{deals}')

    assert [3, 0, 1] == [deal.dealer for deal in record.deals]
    assert ["left", "right", "across"] == [deal.direction for deal in record.deals]
    assert ("",) * 4 == record.deals[2].passes


def test_deals_end_where_the_next_begins() -> None:
    """Tags that begin a deal may come in any order."""
    text = f"""
        [Rules arena]
        [Pass left] [Dealer 2] [Deal {HANDS}]
        [Points 1 2 3 20] [Totals 1 2 3 20]
        [Deal {HANDS}] [Dealer 3] [Pass R]
        [Moon 1 Add]
        [Pass across] [Deal {HANDS}]
    """
    record = read_one(text)
    found = [(deal.dealer, deal.direction, deal.points) for deal in record.deals]

    assert [
        (2, "left", (1, 2, 3, 20)),
        (3, "right", None),
        (0, "across", None),
    ] == found
    assert ["add"] == [deal.moon.choice for deal in record.deals if deal.moon]


def test_the_number_of_seats_is_counted() -> None:
    """Hands or seats tell how many there are, unless a tag does."""
    rules = '[Rules "of old"] [RulesHash ' + "ab" * 32 + "]"

    assert 3 == read_one(rules + "[Deal 0:... 1:... 2:...]").rules.players
    assert 6 == read_one(rules + "[Seat 5 x] [Seat 0 y]" + "[Players 6]").rules.players
    assert 2 == read_one(rules + "[Seat 1 x] [Seat 0 y]").rules.players
    assert 4 == read_one(rules).rules.players
    assert 4 == read_one(f"{SHORT}[Seat 0 x]").rules.players
    assert 3 == read_one("[Rules black_maria]").rules.players


def test_a_wrong_leader_is_refused() -> None:
    """Whoever slips there means another game; without a leader it is no question."""
    dealt = """[Rules "arena"] [Deal 0:AKQJT98765432... 1:.AKQJT98765432..
      2:..AKQJT98765432. 3:...AKQJT98765432]
    """
    reason = "line 3: seat 2 can't lead trick 1: by hands and cards before it seat 3"

    with pytest.raises(NotationError, match=reason):
        read_notation(f"{dealt}2: 2C 2S")
    assert read_notation(f"{dealt}2C 2S") == read_notation(f"{dealt}3: 2C 2S")


def test_a_said_hash_is_kept() -> None:
    """Whether a hash is right is told by who verifies, not by who reads."""
    assert "ab" * 32 == read_one(SHORT + f"[Hash {'AB' * 32}]").hash


def test_games_begin_with_their_names() -> None:
    """The first game may do without, and each has its lines."""
    text = f"; one\n{SHORT}2C\n\n[Game two]\n{SHORT}  [game three]\n{SHORT}"
    names = [record.game for record in read_notation(text)]

    assert ["game", "two", "three"] == names
    assert [2, 6, 9] == [game.line for game in written_games(text.split("\n"))]
    assert [] == read_notation("; nothing\n\n")


def test_a_wrong_game_does_not_hide_the_next() -> None:
    """Each game is read by itself, whatever is wrong with the one before."""
    text = f'[Game one]\n{SHORT} "\n[Game two]\n{SHORT}'
    first, second = written_games(text.split("\n"))

    assert "two" == second.read().game
    with pytest.raises(NotationError, match="line 4: a text that begins here"):
        first.read()


PIECES = [*'[]{};"%:.?!=~-*/ \n\\', "[Rules arena]", f"[Deal {HANDS}]", "[Game x]"]
PIECES += [
    "2C",
    "0:",
    "[Pass left]",
    "[Passed",
    "seat 1",
    "[Turns 1",
    "none",
    "9" * 5000,
]


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_any_text_is_read_or_refused(pieces: list[str]) -> None:
    """Whatever the text, it gives records or an error with a line."""
    text = "".join(pieces)
    read, line = [], 1
    try:
        read = read_notation(text)
    except NotationError as error:
        line = error.line

    assert 1 <= line <= 1 + text.count("\n")
    assert read == [read_one(write_notation(record)) for record in read]


HASH = "ab" * 32
RULES = '[Rules "arena"]\n'
WRONG = [
    ("[Deal", 1, "[ has no ] at the end of its tag"),
    ("[[", 1, "[ comes before the ] of the tag from line 1"),
    ("\n[]", 2, "[ has no name of a tag behind it"),
    ('["Game" x]', 1, "[ has no name of a tag behind it"),
    ("]", 1, "] stands outside a tag; expected a card or a tag"),
    ('"2C"', 1, '"2C" stands outside a tag'),
    ('\n\n["x', 3, "a text that begins here has no"),
    ('[Game "\\x"]', 1, "is not written as in JSON"),
    ("\n{\n", 2, "a comment that begins here has no }"),
    ("}", 1, "no comment ends here"),
    ("[Gam x]", 1, "[Gam]: is no tag; the tags are Game, Format"),
    (
        "[Game x]\n [League y] [Game x]",
        2,
        "[Game]: stands twice, first in line 1; a fu",
    ),
    (f"{RULES}\n{RULES}", 3, "[Rules]: stands twice, first in line 1"),
    ("2C", 1, "a card is played before a deal; expected [Deal …]"),
    ("\n[Game x]\n[Block 1]", 3, "the game has no rules; expected a tag such as"),
    ("[Rules nonsense]", 1, "[Rules]: rules.preset: 'nonsense' "),
    (f"{RULES}[Option nonsense 1]", 2, "[Option]: rules.nonsense: "),
    (f"{RULES}[Option name 1]", 2, "[Option]: rules.name: "),
    (f"{RULES}[Option target]", 2, "[Option]: expected a name and a value"),
    (f"{RULES}[Option target 1e3]", 2, "[Option]: rules.target: '1e3' "),
    (
        f"{RULES}[RulesHash {HASH}][Option target {'x' * 401}]",
        2,
        "[Option]: expected at most 400 char",
    ),
    (f"{RULES}[Players 12]", 2, "[Players]: expected a number of seats from 1 to 11"),
    (f"{RULES}[Players four]", 2, "[Players]: expected a number of seats from 1 to 11"),
    (f"{RULES}[Format hearts-record/2]", 2, "[Format]: expected hearts-record/1, got"),
    (f"{RULES}[Block -1]", 2, "[Block]: expected a number from 0 to"),
    (
        f"{RULES}[Block 1e3]",
        2,
        '[Block]: expected a number from 0 to 2147483647, got "1',
    ),
    (f"{RULES}[Hash 12]", 2, "[Hash]: expected 64 hex digits"),
    (f"{RULES}[OpenDeals perhaps]", 2, "[OpenDeals]: expected true or false"),
    (f"{RULES}[Result won]", 2, "[Result]: expected finished or max_deals or void"),
    (f"{RULES}[Places 1 2 3]", 2, "[Places]: expected 4 items, got 3"),
    (f"{RULES}[Seat 4 x]\n[Players 4]", 2, "[Seat]: there is no seat 4 in a game of 4"),
    (
        f"{RULES}[Seat x]",
        2,
        '[Seat]: expected a seat and a name, such as [Seat 0 "care',
    ),
    (f"{RULES}[Seat 0 x]\n[Seat 0 y]", 3, "[Seat]: seat 0 stands twice"),
    (
        f"{RULES}[Seat 0 x age 3]",
        2,
        "[Seat]: 'age' is unknown or stands twice; expected",
    ),
    (f"{RULES}[Seat 0 x owner]", 2, "[Seat]: no value for 'owner'; expected version"),
    (
        f"{RULES}[TimeControl bank 1]",
        2,
        "[TimeControl]: 'bank' is unknown or stands tw",
    ),
    (f"{RULES}[TimeControl bank_ms x]", 2, "[TimeControl]: expected a number from 0"),
    (f"{RULES}[Points 1 2 3 4]", 2, "[Points]: stands before the first deal; expected"),
    (f"{RULES}\n[Dealer 1]", 3, "[Dealer]: the deal has no hands; expected [Deal …]"),
    (f"{RULES}\n[Dealer 1] 2C", 3, "a card is played before a deal"),
    (f"{RULES}[Deal 0:1.2.3.4]", 2, "[Deal]: '1S' is not a card; cards are written"),
    (f"{RULES}[Deal 0:2C 1:XX]", 2, "[Deal]: 'XX' is not a card"),
    (f"{RULES}[Deal 2C]", 2, "[Deal]: '2C' belongs to no seat; expected for example"),
    (f"{RULES}[Deal x:2C]", 2, "[Deal]: 'x' is no seat or stands twice; seats are num"),
    (f"{RULES}[Deal 0:2C 0:3C]", 2, "[Deal]: '0' is no seat or stands twice"),
    (
        f"{RULES}[Players 4]\n[Deal 0:2C 1:3C 2:4C]",
        3,
        "[Deal]: found 3 hands, of seats 0 1 2, expected seats 0 to 3; name the seat",
    ),
    (
        f"{RULES}[Players 4]\n[Deal]",
        3,
        "[Deal]: found 0 hands, of seats none, expected",
    ),
    (
        f"[Rules black_maria]\n[Deal {HANDS}]",
        2,
        "[Deal]: found 4 hands; rules.players: ",
    ),
    (
        f"[Rules black_maria]\n[Deal {HANDS}]",
        2,
        "`leftover` that is a kitty; name the seat of each hand, as in [Deal 0:",
    ),
    ("[Rules black_maria]\n[Seat 3 x]", 2, "[Seat]: found 4 seats; rules.players: "),
    ("[Rules arena]\n[Players 5]", 2, "[Players]: rules.players: "),
    ("[Rules arena]\n[Seat 11 x]", 2, "[Seat]: expected a number of seats from 1 to"),
    (f"{SHORT}[Passed 4: 2C]", 3, "[Passed]: found seats 4, expected seats 0 to 3"),
    (f"{SHORT}[Dealer 4]", 3, "[Dealer]: expected a number from 0 to 3, got 4"),
    (f"{SHORT}[Pass up]", 3, "[Pass]: expected left or right or across or hold"),
    (f"{SHORT}[Moon add]", 3, "[Moon]: expected a seat and a choice, such as [Moon 0"),
    (f"{SHORT}[Moon 0 all]", 3, "[Moon]: expected add or subtract"),
    (f"{SHORT}[Points 1 2 3 4 x]", 3, "[Points]: expected 4 items, got 5"),
    (f"{SHORT}[Points 1 2 3 x]", 3, "[Points]: expected a number from -2147483647"),
    (f"{SHORT}1: {'2C ' * 334}", 2, "[Deal]: expected at most 1000 characters"),
    (f"{SHORT}1: 2C 5", 3, "'5' is not a card; cards are written like QS or TD; a tri"),
    (f"{SHORT}1: 2C 3C4C", 3, "'3C4C' is not a card"),
    (f"{SHORT}1. 2C", 3, "'1.' is not a card"),
    (f"{SHORT}1: 2C\n\n2: ?C", 5, "'?C' is not a card"),
    (
        f"{RULES}[Fault late seat 1 deal 2]",
        2,
        "[Fault]: the place is missing; expected",
    ),
    (
        f"{RULES}[Fault slow deal 1 trick 2 seat 3]",
        2,
        "[Fault]: expected late or illegal",
    ),
    (
        f"{RULES}[Fault late deal 1 trick 54 seat 3]",
        2,
        "[Fault]: expected a number from",
    ),
    (
        f"{RULES}[Fault late deal 1 trick 1 seat 1 offered XX]",
        2,
        "[Fault]: 'XX' is not",
    ),
    (f"{RULES}[GivenUp]", 2, "[GivenUp]: the place is missing; expected"),
    (f"{RULES}[GivenUp left deal 0 trick 1 seat 3]", 2, "[GivenUp]: expected a number"),
    (
        f"{RULES}[Note deal 1 trick 2 seat 0 a b]",
        2,
        "[Note]: expected a place and a te",
    ),
    (
        f"{RULES}[Note deal 1 trick 2 seat 9 a]",
        2,
        "[Note]: expected a number from 0 to 3",
    ),
    (
        f"{RULES}[Turns 2 0/0/0/0/0]",
        2,
        "[Turns]: expected the times of deal 1, got '2'",
    ),
    (f"{RULES}[Turns 1 0/0/0/0]", 2, "[Turns]: '0/0/0/0' is not the time of an answer"),
    (f"{RULES}[Turns 1 0/0/0/0/9999999999]", 2, "[Turns]: expected a number from 0"),
]


@pytest.mark.parametrize(("text", "line", "message"), WRONG)
def test_errors_name_the_line(text: str, line: int, message: str) -> None:
    """An error says in which line what is wrong and what was expected."""
    with pytest.raises(NotationError) as error:
        read_notation(text)

    assert message in error.value.reason
    assert (line, f"line {line}: {error.value.reason}") == (
        error.value.line,
        str(error.value),
    )
