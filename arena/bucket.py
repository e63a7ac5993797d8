"""A leaky bucket: so much at once, and from then on so much a second."""

__all__ = ["Bucket"]


class Bucket:
    """How full one bucket is, and since when it leaks."""

    __slots__ = ("_at", "_burst", "_level", "_per_second")

    def __init__(self, *, burst: float, per_second: float) -> None:
        self._burst = burst
        self._per_second = per_second
        self._level = 0.0
        self._at = float("-inf")

    def add(self, now: float, amount: float = 1.0) -> float:
        """Pour something in; return 0, or the seconds to wait if it is too full.

        What does not fit is not poured in, so that whoever waits so long gets on.
        """
        level = self._left(now) + amount
        if level > self._burst:
            return (level - self._burst) / self._per_second
        self._level, self._at = level, now
        return 0.0

    def is_empty(self, now: float) -> bool:
        """Tell whether all has leaked out, as if the bucket were new."""
        return self._left(now) == 0.0

    def _left(self, now: float) -> float:
        return max(0.0, self._level - self._per_second * (now - self._at))
