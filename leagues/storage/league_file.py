"""League files on disk."""

from collections.abc import Collection
from pathlib import Path

from leagues.config import ConfigError, LeagueConfig, parse_league


def read_league(
    path: Path | str, *, houses: Collection[str] | None = None
) -> LeagueConfig:
    """Read a league file.

    Args:
        path: Where it is.
        houses: The house bots that exist; `None` leaves their names unchecked.

    Raises:
        ConfigError: The file cannot be read, or something in it is wrong.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        problem = "there is no such file"
    except UnicodeDecodeError as error:
        problem = f"expected UTF-8, found byte {error.object[error.start]:#04x}"
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
    else:
        return parse_league(text, file=str(path), houses=houses)
    raise ConfigError(file=str(path), line=0, key="", problem=problem)
