"""The clock of one seat in one game: bank, limit of a turn, time away.

All times are seconds as `float`; whoever calls says what time it is.
"""

from arena.spec import TimeControl

_NO_LIMIT = float("inf")


class Clock:
    """What a seat has left in one game.

    `bank` and `away` are seconds. A time control without a turn limit means
    that no clock runs: `limit` is then infinite.
    """

    __slots__ = (
        "away",
        "bank",
        "control",
        "increment",
        "last_charged",
        "turn_limit",
    )

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.bank = control.bank_ms / 1000
        self.away = control.away_ms / 1000
        self.increment = control.increment_ms / 1000
        self.turn_limit = control.turn_limit_ms / 1000 or _NO_LIMIT
        self.last_charged = 0.0

    @property
    def runs(self) -> bool:
        """Whether a clock runs at all."""
        return self.control.turn_limit_ms > 0

    def limit(self) -> float:
        """Return the seconds that the next turn may take.

        It is never less than the increment, or a bot that came back from a lost
        connection with an empty bank could only be late.
        """
        limit, bank, least = self.turn_limit, self.bank, self.increment
        if limit <= bank or limit == _NO_LIMIT:
            return limit
        bank = bank if bank > least else least
        return limit if limit < bank else bank

    def charge(self, seconds: float) -> None:
        """Draw an answered turn from the bank and add the increment."""
        self.last_charged = seconds
        rest = self.bank - seconds
        self.bank = (rest if rest > 0.0 else 0.0) + self.increment

    def time_away(self) -> float:
        """Return the seconds that a lost connection may still last."""
        return self.bank + self.away if self.runs else float("inf")

    def draw_away(self, seconds: float) -> None:
        """Draw time away from the bank first, then from the away budget."""
        from_bank = min(self.bank, seconds)
        self.bank -= from_bank
        self.away = max(0.0, self.away - (seconds - from_bank))
