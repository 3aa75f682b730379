"""What the runs of a plan have come to so far, as the window knows it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tilelab.experiments.cell_run import FAILED, Outcome, Row
from tilelab.experiments.cells import Runs
from tilelab.experiments.improvements import Improvement
from tilelab.experiments.results import Kept


@dataclass(eq=False)
class Outcomes:
    """Belongs to the window's thread; what others are given is a :class:`Kept`, which stays."""

    runs: Runs
    folder: Path
    rows: dict[int, Row] = field(default_factory=dict)
    """By the places of their runs, in no order; those that have failed are among them."""
    improvements: dict[int, tuple[Improvement, ...]] = field(default_factory=dict)
    n_failed: int = 0
    found_unsound: frozenset[int] = frozenset()
    """Places of the rows that were damaged, missing or altered in the folder."""
    doubt: str = ""
    """A sentence on what is not known of the rows, or ''."""

    @property
    def unsound(self) -> tuple[int, ...]:
        """Places of those that have not been done again yet."""
        return tuple(sorted(self.found_unsound - self.rows.keys()))

    @property
    def n_runs(self) -> int:
        """How many runs there are in all."""
        return len(self.runs)

    @property
    def n_left(self) -> int:
        """How many of them have come to nothing yet."""
        return self.n_runs - len(self.rows)

    def add(self, outcomes: Iterable[tuple[int, Outcome]]) -> set[int]:
        """Take in what some runs have come to; returns the settings that they belong to."""
        touched = set()
        for place, (row, improvements) in outcomes:
            before = self.rows.get(place)
            self.n_failed += row["status"] == FAILED
            self.n_failed -= before is not None and before["status"] == FAILED
            self.rows[place], self.improvements[place] = row, improvements
            touched.add(self.runs.setting_at(place))
        return touched

    def done(self, setting: int) -> list[tuple[int, Row]]:
        """Return the places and rows of a setting's runs that are over, in the plan's order."""
        first, end = self.runs.firsts[setting : setting + 2]
        return [(place, self.rows[place]) for place in range(first, end) if place in self.rows]

    def kept(self) -> Kept:
        """Return all that is over, for charts, tests and reports."""
        places = sorted(place for place, row in self.rows.items() if row["status"] != FAILED)
        return Kept(
            self.runs.plan,
            rows=tuple(self.rows[place] for place in places),
            n_failed=self.n_failed,
            places=tuple(places),
            improvements=tuple(self.improvements[place] for place in places),
            errors=tuple(
                (place, row["error"])
                for place, row in sorted(self.rows.items())
                if row["status"] == FAILED
            ),
            n_runs=self.n_runs,
            unsound=self.unsound,
            doubt=self.doubt,
        )
