"""The laws of the deals of a league: what is dealt again, to whom, and who may know it.

Without rotations no cards are dealt twice, unless anybody can compute them. With them
the games of a block share their deals, no life of the programs sees more than one of
these games, and none is told before all are finished.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping

from arena.arrangements import arrangements
from arena.record import Record, read_record
from arena.spec import GameSpec
from leagues.blocks import ARRANGE, NONE, blocks_of
from leagues.config import LeagueConfig
from leagues.programs.breakdowns import was_begun
from leagues.storage.store import Store

__all__ = ["DealWatch", "number_of"]


def number_of(spec: GameSpec) -> int:
    """Return the number of a game."""
    return int(spec.game_id.rpartition("-")[2])


class DealWatch:
    """What was dealt in a league so far."""

    def __init__(self, config: LeagueConfig) -> None:
        self._name = config.name
        self._is_open = config.is_open
        self._is_rotated = config.luck != NONE
        self._is_arranged = config.luck == ARRANGE
        self._first_side = {
            one.name for one in config.entrants[: len(config.entrants) // 2]
        }
        self._blocks = blocks_of(config.luck, seats=config.rules.players)
        self._dealt: dict[bytes, int] = {}
        """The block of each sequence seed."""
        self._begun: set[bytes] = set()
        self._in_run: set[int] = set()
        """The games that were begun in this run."""
        self._seen: set[int] = set()
        """The blocks of which this life of the programs has seen a game."""

    def begin(self, spec: GameSpec) -> None:
        """Check a game that is about to be dealt."""
        self._in_run.add(number_of(spec))
        assert spec.block == self._blocks.block(number_of(spec)), f"{spec.game_id}"
        known = self._dealt.setdefault(spec.sequence_seed, spec.block)
        assert known == spec.block, f"{spec.game_id} is dealt as block {known}"
        if self._is_rotated:
            self._check_unseen(spec)
        elif not self._is_open:
            assert spec.sequence_seed not in self._begun, f"{spec.game_id}: dealt again"
            self._begun.add(spec.sequence_seed)

    def start_run(self) -> None:
        """Note that the arena has forgotten everything."""
        self._in_run.clear()

    def is_begun(self, number: int, over: Collection[int]) -> bool:
        """Tell whether a game shares its deals with others that were begun."""
        block = self._blocks.block(number)
        others = set(self._blocks.games(block)) - {number}
        return bool(others & (self._in_run | set(over)))

    def end(self, spec: GameSpec, record: Record | None) -> None:
        """Note a game that has ended; the programs have seen it if it was begun."""
        if self._is_rotated and (record is None or was_begun(record)):
            self._check_unseen(spec)
            self._seen.add(spec.block)

    def start_afresh(self) -> None:
        """Note that the programs have forgotten everything."""
        self._seen.clear()

    def _check_unseen(self, spec: GameSpec) -> None:
        assert spec.block not in self._seen, (
            f"{spec.game_id}: the programs have seen the deals of block {spec.block}"
        )

    def check_told(self, store: Store) -> None:
        """What the store tells anybody is whole, unless that gives away nothing."""
        every = [number for number, _ in store.records(self._name, with_withheld=True)]
        told = [number for number, _ in store.records(self._name)]
        is_free = self._is_open or store.league(self._name).state == "finished"
        # A game that is void for good is over like a finished one.
        over = {*every} | store.agenda(self._name).appeals.dropped
        open_blocks = frozenset() if is_free else self._blocks.open(over)
        expected = [n for n in every if self._blocks.block(n) not in open_blocks]
        assert told == expected, f"games {told} are told, {open_blocks} are open"
        assert told == [result.number for result in store.results(self._name)]

    def check_records(self, records: Mapping[int, str]) -> None:
        """The games of each block are rotations, or arrangements, dealt alike."""
        if not self._is_rotated:
            return
        blocks: defaultdict[int, dict[int, Record]] = defaultdict(dict)
        for number, text in records.items():
            at = self._blocks.rotation(number)
            blocks[self._blocks.block(number)][at] = read_record(text)
        for number, games in blocks.items():
            first = next(iter(games.values()))
            self._check_seats(number, games)
            dealt = {
                (one.block, one.attempt, one.sequence_seed) for one in games.values()
            }
            assert len(dealt) == 1, f"block {number}: dealt as {dealt}"
            for game in games.values():
                for deal, other in zip(game.deals, first.deals, strict=False):
                    assert deal.hands == other.hands, f"{game.game} has other hands"
                    assert deal.dealer == other.dealer, f"{game.game}: another dealer"

    def _check_seats(self, block: int, games: Mapping[int, Record]) -> None:
        seats = {
            at: tuple(seat.bot for seat in game.seats) for at, game in games.items()
        }
        if self._is_arranged:
            for at, names in seats.items():
                sides = tuple(int(name not in self._first_side) for name in names)
                ways = arrangements(len(names))
                assert sides == ways[at], f"block {block}: {names} in game {at}"
            return
        turned = [(*names[at:], *names[:at]) for at, names in seats.items()]
        assert len({*turned}) == 1, f"block {block}: {turned} are no rotations"
