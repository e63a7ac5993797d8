"""What a program may use of the machine: memory, processes, files, processor."""

from dataclasses import asdict, dataclass
from typing import Final

__all__ = ["LIMITS_MAX", "NO_LIMITS", "SANDBOX_LIMITS", "Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one entrant's program and all that it starts; 0 means none."""

    memory_mb: int = 0
    """Memory of its own; more ends it."""
    processes: int = 0
    """Processes, each of their threads counted; more ends it, or can't be started."""
    open_files: int = 0
    """Open files of one process; more can't be opened."""
    disk_mb: int = 0
    """The largest file, and in a sandbox all that it writes."""
    cores: float = 0.0
    """Seconds of the processor a second; who uses more is held back."""

    @property
    def is_none(self) -> bool:
        """Whether there is no limit at all."""
        return self == NO_LIMITS

    def text(self) -> str:
        """Write the limits for the guard: `memory_mb=512,cores=1.5`."""
        return ",".join(f"{key}={value:g}" for key, value in asdict(self).items())


NO_LIMITS: Final = Limits()
SANDBOX_LIMITS: Final = Limits(
    memory_mb=1024, processes=256, open_files=1024, disk_mb=64, cores=1.0
)
"""The limits of a program in a sandbox, unless its league says otherwise."""
LIMITS_MAX: Final = 1_000_000
"""The largest number that a limit can be."""
