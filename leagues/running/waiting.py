"""Results that wait for a busy file: the host is told, and nobody waits for ever."""

from collections.abc import Callable
from typing import Final

import trio

from leagues.storage.patience import Patience

__all__ = ["Waiting"]

_LOOK_SECONDS: Final = 10.0


class Waiting:
    """
    What a run does while its results can't be stored.

    Args:
        patience: Of the store.
        say: Is told of it now and then.
        look_again: Is called when games may start again.
    """

    def __init__(
        self,
        patience: Patience,
        *,
        say: Callable[[str], None],
        look_again: Callable[[], None],
    ) -> None:
        self.is_over = False
        """Set once the run has ended by itself."""
        self._patience = patience
        self._say = say
        self._look_again = look_again

    @property
    def trouble(self) -> str:
        """Why no games should start: results that wait must not pile up."""
        return self._patience.trouble

    async def watch(self) -> None:
        """Tell the host of trouble, until cancelled."""
        was_in_trouble = False
        try:
            while True:
                await trio.sleep(_LOOK_SECONDS)
                if trouble := self.trouble:
                    self._say(f"warning: {trouble}; results wait, and no games start")
                elif was_in_trouble:
                    self._say("the file is free again: results are stored")
                    self._look_again()
                was_in_trouble = bool(trouble)
        finally:
            # Whoever ends all at once does not wait for what results wait for.
            if not self.is_over:
                self._patience.hurry()

    def hurry(self) -> None:
        """Let results wait no longer: running games have had their time."""
        self._patience.hurry()
