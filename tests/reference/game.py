"""A game of several deals: totals, exact hits, the end, ties and places."""

from collections.abc import Sequence

from tests.reference.deal import ReferenceDeal
from tests.reference.options import Options
from tests.reference.scoring import DealResult, deal_scores, shot_of


class ReferenceGame:
    """The score of one game; its deals come from outside.

    `next_deal` sets one up with the right dealer and direction, and `finish` or
    `score` counts it. `totals` lets a game begin with a score.
    """

    def __init__(
        self,
        options: Options,
        *,
        first_dealer: int = 0,
        totals: Sequence[int] | None = None,
    ) -> None:
        self.options = options
        self.first_dealer = first_dealer
        self.totals = [0] * options.players if totals is None else list(totals)
        self.deal_number = 1
        """The number of the deal that is being played or comes next."""
        self.results: list[DealResult] = []
        self.given_up: set[int] = set()
        self.exact_winners: set[int] = set()
        """The seats that won by hitting the target exactly."""
        self.ending: str | None = None
        """"finished" or "max_deals" once the game is over."""
        self._had_tie = False

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.ending is not None

    @property
    def dealer(self) -> int:
        """The seat that deals the current deal."""
        return (self.first_dealer + self.deal_number - 1) % self.options.players

    @property
    def direction(self) -> str:
        """Where cards are passed in the current deal."""
        cycle = self.options.pass_cycle
        if self.options.pass_count == 0:
            return "hold"
        return cycle[(self.deal_number - 1) % len(cycle)]

    def next_deal(
        self, hands: Sequence[Sequence[str]], kitty: Sequence[str] = ()
    ) -> ReferenceDeal:
        """Set up the current deal."""
        return ReferenceDeal(
            self.options,
            hands,
            dealer=self.dealer,
            direction=self.direction,
            kitty=kitty,
        )

    def asked(self, deal: ReferenceDeal) -> tuple[int, str] | None:
        """Return the seat that is asked how its shot is paid: "moon" or "sun"."""
        shot = shot_of(self.options, deal.taken, deal.tricks_won)
        if shot is None:
            return None
        rule = self.options.sun if shot[1] == "sun" else self.options.moon
        return shot if rule == "choice" else None

    def finish(self, deal: ReferenceDeal, choice: str | None = None) -> DealResult:
        """Count a deal that has been played."""
        assert deal.is_over
        return self.score(deal.taken, tricks_won=deal.tricks_won, choice=choice)

    def score(
        self,
        taken: Sequence[Sequence[str]],
        *,
        tricks_won: Sequence[int] | None = None,
        choice: str | None = None,
    ) -> DealResult:
        """Count a deal from the cards that were taken; go on to the next or end."""
        assert not self.is_over
        result = deal_scores(
            self.options,
            taken,
            totals=self.totals,
            tricks_won=tricks_won,
            choice=choice,
            given_up=self.given_up,
        )
        self.results.append(result)
        for seat, points in enumerate(result.points):
            self.totals[seat] += points
        self._hit_exactly()
        self._end()
        if not self.is_over:
            self.deal_number += 1
        return result

    def give_up(self, seat: int) -> None:
        """Take a seat out of the running from the current deal on."""
        self.given_up.add(seat)

    @property
    def running(self) -> list[int]:
        """The seats that have not given up."""
        return [s for s in range(self.options.players) if s not in self.given_up]

    def _hit_exactly(self) -> None:
        rule = self.options.exact_hit
        for seat, total in enumerate(self.totals):
            if rule == "none" or total != self.options.target:
                continue
            if rule == "wins":
                if seat in self.running:
                    self.exact_winners.add(seat)
            elif rule == "to_zero":
                self.totals[seat] = 0
            else:
                self.totals[seat] -= int(rule.removeprefix("minus_"))

    def _end(self) -> None:
        if self.exact_winners:
            self.ending = "finished"
            return
        if self._end_is_reached():
            ties = len(self._lowest()) > 1
            if not ties or self.options.tie != "further_deals":
                self.ending = "finished"
                return
            self._had_tie = True
        if self.deal_number == self.options.max_deals:
            self.ending = "max_deals"

    def _end_is_reached(self) -> bool:
        if self._had_tie and self.options.tie_recheck == "tie_only":
            return True
        if self.options.end_when == "reach":
            return any(total >= self.options.target for total in self.totals)
        return any(total > self.options.target for total in self.totals)

    def _lowest(self) -> list[int]:
        """The seats in the running that share the lowest total."""
        pool = self.running
        if self.options.winner_pool == "not_over":
            below = [s for s in pool if self.totals[s] <= self.options.target]
            pool = below or pool
        return [s for s in pool if self.totals[s] == min(self.totals[t] for t in pool)]

    def places(self) -> list[int]:
        """Return each seat's place, 1 the best; who ranks equal shares a place."""
        assert self.is_over
        keys = [self._rank(seat) for seat in range(self.options.players)]
        return [1 + sum(other < key for other in keys) for key in keys]

    def _rank(self, seat: int) -> tuple[int, int]:
        """Return what places are sorted by."""
        if seat in self.given_up:
            return 3, 0
        if seat in self.exact_winners:
            return 1, 0
        return 2, self.totals[seat]

    def winners(self) -> list[int]:
        """List the seats in the first place; none while the game goes on."""
        if not self.is_over:
            return []
        return [seat for seat, place in enumerate(self.places()) if place == 1]
