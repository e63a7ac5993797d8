"""The kinds of reports by name."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from leagues.reports.balance import balance
from leagues.reports.collusion import collusion
from leagues.reports.convergence import convergence
from leagues.reports.crosstable import crosstable
from leagues.reports.deals import GameRecord
from leagues.reports.document import Report
from leagues.reports.faults import faults
from leagues.reports.luck import luck
from leagues.reports.matrices import errors, los
from leagues.reports.passes import passes
from leagues.reports.seats import seats
from leagues.reports.source import Source

__all__ = ["OF_RECORDS", "OF_RESULTS"]

OF_RESULTS: Final[Mapping[str, Callable[[Source], Report]]] = {
    "crosstable": crosstable,
    "errors": errors,
    "los": los,
    "faults": faults,
    "seats": seats,
    "convergence": convergence,
    "balance": balance,
}
"""The reports that need results only."""

OF_RECORDS: Final[Mapping[str, Callable[[Source, Iterable[GameRecord]], Report]]] = {
    "passes": passes,
    "luck": luck,
    "collusion": collusion,
}
"""The reports that need deals or tricks, and so the records."""
