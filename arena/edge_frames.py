"""Frames that can't be encoded: the games to blame end, and no others."""

from collections.abc import Callable, Iterator

from arena import wire
from arena.news import DealNews, GameNews
from arena.session import Frame


def without_broken(frame: Frame, break_game: Callable[[str], None]) -> Frame:
    """
    Leave out of a frame what can't be encoded.

    Args:
        frame: the frame, which is changed.
        break_game: called for each game that is to blame.
    """
    blamed = dict.fromkeys(name for name, part in _parts(frame) if _is_broken(part))
    frame.starts = [s for s in frame.starts if s.table.spec.game_id not in blamed]
    frame.turns = [t for t in frame.turns if t.owner.table.spec.game_id not in blamed]
    frame.news = [news for news in frame.news if _game_of(news) not in blamed]
    for game_id in blamed:
        break_game(game_id)
    return frame


def _parts(frame: Frame) -> Iterator[tuple[str, Frame]]:
    """Yield everything of a frame that tells of a game, alone."""
    for seat in frame.starts:
        yield seat.table.spec.game_id, Frame(starts=[seat])
    for turn in frame.turns:
        yield turn.owner.table.spec.game_id, Frame(turns=[turn])
    for news in frame.news:
        if game_id := _game_of(news):
            yield game_id, Frame(news=[news])


def _game_of(news: object) -> str:
    return news.table.spec.game_id if isinstance(news, DealNews | GameNews) else ""


def _is_broken(part: Frame) -> bool:
    try:
        wire.encode_frame(part, "")
    except Exception:
        return True
    return False
