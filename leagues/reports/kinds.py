"""The kinds of reports by name."""

from collections.abc import Callable, Mapping
from typing import Final

from leagues.reports.crosstable import crosstable
from leagues.reports.document import Report
from leagues.reports.faults import faults
from leagues.reports.matrices import errors, los
from leagues.reports.source import Source

__all__ = ["OF_RESULTS"]

OF_RESULTS: Final[Mapping[str, Callable[[Source], Report]]] = {
    "crosstable": crosstable,
    "errors": errors,
    "los": los,
    "faults": faults,
}
"""The reports that need results only."""
