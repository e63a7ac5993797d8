"""Games in this process: the table of the arena, driven without host or clock.

`hearts.local` finds `play` by its entry point.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256

from arena import seeds, wire
from arena.chronicle import record_of
from arena.news import DealNews
from arena.record import write_record
from arena.rules import RuleSet, parse_rules
from arena.spec import GameSpec, SeatSpec, TimeControl
from arena.table import Table
from arena.view import Answer, View
from hearts import DealEnded, GameEnded, GameStart, Turn
from hearts.answer import ask
from hearts.bot import ChoosesCards
from hearts.local import GameResult, IllegalAnswerError

LEAGUE = "local"
NO_CLOCK = TimeControl(turn_limit_ms=0)
NO_TIME = "1970-01-01T00:00:00Z"
"""When local games are played: equal seeds shall give equal records."""

BotClass = Callable[[], ChoosesCards]


def play(
    bots: Sequence[BotClass],
    *,
    deals: int | None = None,
    games: int = 1,
    seed: int = 0,
    rules: str | Mapping[str, object] = "arena",
) -> list[GameResult]:
    """Play games between bots; see `hearts.local.play`."""
    rule_set = parse_rules({"preset": rules} if isinstance(rules, str) else rules)
    _check(bots, rule_set, deals=deals, games=games)
    # Each seed is a secret of its own, drawn apart from every league's.
    secret = sha256(f"hearts/1/local {seed}".encode()).digest()
    results: list[GameResult] = []
    deal_count = 0
    while len(results) < games if deals is None else deal_count < deals:
        spec = _spec(bots, rule_set, secret, number=len(results) + 1)
        limit = None if deals is None else deals - deal_count
        result = _play_game(spec, bots, deals_max=limit)
        results.append(result)
        deal_count += len(result.points)
    return results


def _check(
    bots: Sequence[BotClass], rules: RuleSet, *, deals: int | None, games: int
) -> None:
    if len(bots) != rules.players:
        raise ValueError(f"{len(bots)} bots; the rules are for {rules.players}")
    for bot_class in bots:
        if not callable(bot_class):
            raise ValueError(f"{bot_class!r} is not a class or makes no bot")
    if deals is not None and deals < 1:
        raise ValueError(f"deals is {deals}; expected at least 1")
    if games < 1:
        raise ValueError(f"games is {games}; expected at least 1")


def _spec(
    bots: Sequence[BotClass], rules: RuleSet, secret: bytes, *, number: int
) -> GameSpec:
    return GameSpec(
        game_id=f"{LEAGUE}-{number}",
        rules=rules,
        seats=tuple(SeatSpec(name) for name in _names(bots)),
        sequence_seed=seeds.sequence_seed(secret, block=number, attempt=0),
        table_key=seeds.table_key(LEAGUE, number),
        league=LEAGUE,
        block=number,
        time_control=NO_CLOCK,
        faults_max=0,
    )


def _names(bots: Sequence[BotClass]) -> Iterator[str]:
    """Name seats by their classes, equal ones with their seat's number."""
    names = [getattr(bot_class, "__name__", "bot") for bot_class in bots]
    for seat, name in enumerate(names):
        yield name if names.count(name) == 1 else f"{name}-{seat}"


def _play_game(
    spec: GameSpec, bots: Sequence[BotClass], *, deals_max: int | None
) -> GameResult:
    table = Table(spec, _no_stand_in)
    seats = [bot_class() for bot_class in bots]
    starts = [wire.start_message(spec, seat) for seat in range(len(bots))]
    for bot, start in zip(seats, starts, strict=True):
        _tell(bot, "game_started", GameStart(start))
    table.start()
    results = table.game.results
    turn_id = told_count = 0
    while not table.is_over and len(results) != deals_max:
        for seat in table.take_asked():
            turn_id += 1
            message = wire.turn_message(
                table.view(seat), turn_id=turn_id, game_id=spec.game_id
            )
            _take_answer(table, seat, seats[seat], Turn(message, starts[seat]))
        if len(results) > told_count:
            _tell_deal(table, seats, index=told_count)
            told_count += 1
    if table.is_over:
        for seat, bot in enumerate(seats):
            end = wire.game_ended_message(table, seat)
            _tell(bot, "game_ended", GameEnded(end))
    return _result(table)


def _take_answer(table: Table, seat: int, bot: ChoosesCards, turn: Turn) -> None:
    deal, trick = table.deal_number, table.trick_number
    answer = ask(bot, turn)
    refusal = table.answer(seat, answer.cards, answer.moon_choice, note=answer.note)
    if refusal is not None:
        name = table.spec.seats[seat].bot
        raise IllegalAnswerError(
            f"{table.spec.game_id}, deal {deal}, trick {trick}: seat {seat} ({name}):"
            f" {refusal.message}"
        )


def _tell_deal(table: Table, seats: Sequence[ChoosesCards], *, index: int) -> None:
    news = DealNews(table, index, table.game.results[index])
    end = DealEnded(wire.deal_ended_message(news))
    for bot in seats:
        _tell(bot, "deal_ended", end)


def _tell(bot: ChoosesCards, name: str, news: object) -> None:
    """Call one of the methods that a bot need not have."""
    method = getattr(bot, name, None)
    if method is not None:
        method(news)


def _result(table: Table) -> GameResult:
    results = table.game.results
    return GameResult(
        game_id=table.spec.game_id,
        points=tuple(result.points for result in results),
        totals=results[-1].totals,
        places=table.game.places() if table.is_over else None,
        record=write_record(record_of(table, started=NO_TIME, ended=NO_TIME)),
    )


def _no_stand_in(view: View) -> Answer:
    raise AssertionError("local games give no seat up")
