"""What the background does for the window of experiments; each step of it is short."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tilelab.core.errors import SOLVER_ERRORS, TileLabError
from tilelab.core.files.ordinary_file import read_text
from tilelab.experiments.cell_run import FAILED, Outcome, Row
from tilelab.experiments.cells import Runs, runs_of
from tilelab.experiments.executor import StopRequest, SweepProgress, Workers
from tilelab.experiments.improvements import Improvement
from tilelab.experiments.pilot import estimate
from tilelab.experiments.plan import MAX_BYTES, Plan
from tilelab.experiments.results import FILE, Kept, Results, read_results
from tilelab.experiments.sweep import swept, warm_ups
from tilelab.gui.lab.experiments.draft import checked, text_of
from tilelab.runs.recipe import with_prerequisites

Hands = Callable[[int], AbstractContextManager[Workers]]
"""Makes the workers, in the background, for that many runs at a time at most."""


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


class OpenedFile(NamedTuple):
    """What was found in a file or a folder."""

    path: Path
    text: str
    """The plan."""
    folder: Path | None
    """From where the files that it names are looked for."""
    outcomes: Outcomes | None
    """Of a folder with results; None of a plan alone."""


class Getting(NamedTuple):
    """What is being made before the runs begin; '' while kernels are compiled."""

    what: str


class Remark(NamedTuple):
    """A sentence about the workers."""

    text: str


class FormerResults(NamedTuple):
    """What was there before."""

    outcomes: Sequence[tuple[int, Outcome]]


class Step(NamedTuple):
    """What has come back."""

    outcomes: Sequence[tuple[int, Outcome]]
    progress: SweepProgress | None
    """None while nothing has."""


class _Watched(Results):
    """Hands on what it has kept."""

    def __init__(self, folder: Path, runs: Runs, *, resume: bool) -> None:
        super().__init__(folder, runs, resume=resume)
        self._fresh: list[tuple[int, Outcome]] = []

    def keep(self, outcomes: Sequence[tuple[int, Outcome]], n_tries: int = 1) -> None:
        """Keep what some runs have come to."""
        super().keep(outcomes, n_tries)
        self._fresh += outcomes

    def fresh(self) -> list[tuple[int, Outcome]]:
        """Return what was kept since the last time."""
        fresh, self._fresh = self._fresh, []
        return fresh


def checking(text: str, folder: Path | None) -> Iterator[object]:
    """Read a text; yields what it says, as Checked."""
    yield checked(text, folder)


def opening(path: Path, beside: Path | None = None) -> Iterator[object]:
    """Read a plan, or a folder with results; yields an OpenedFile. Raises TileLabError.

    beside: a folder where the files may be that the plan of results names.
    """
    if path.is_dir() or path.name == FILE:
        yield _with_results(path if path.is_dir() else path.parent, beside)
    else:
        yield OpenedFile(path, read_text(path, MAX_BYTES), path.absolute().parent, None)


def sweeping(
    runs: Runs, folder: Path, hands: Hands, asked: StopRequest, *, resume: bool
) -> Iterator[object]:
    """Do the runs that are left; yields FormerResults, Remark, Getting and Step.

    Closed before its end, it ends the workers at once.
    """
    with _Watched(folder, runs, resume=resume) as results:
        yield FormerResults(list(results.outcomes()))
        if not results.left():
            results.write_table()
            return
        with at_work(hands, len(results.left())) as workers:
            yield from remarks_on(workers)
            yield from prepared(warm_ups(runs), asked)
            for progress in swept(runs, results, workers, asked):
                yield Step(results.fresh(), progress)


def trying(runs: Runs, asked: StopRequest) -> Iterator[object]:
    """Find out how long the runs take; yields Getting, and at last an Estimate."""
    yield from prepared(warm_ups(runs), asked)
    yield estimate(runs, is_stopped=asked.is_stopped)


@contextmanager
def at_work(hands: Hands, n_runs: int) -> Iterator[Workers]:
    """Make workers for some runs; closed before its end, or after an error, it gives up these."""
    with hands(n_runs) as workers:
        has_ended = False
        try:
            yield workers
            has_ended = True
        finally:
            if not has_ended:
                # Their end would be waited for, which may be far.
                workers.kill()


def remarks_on(workers: Workers) -> Iterator[Remark]:
    """Say why there are fewer workers than requested."""
    if workers.remark:
        yield Remark(workers.remark)


def prepared(warm_ups: Iterable[Callable[[], None]], asked: StopRequest) -> Iterator[Getting]:
    """Compile and make what runs need; what is wrong with one is said in its row."""
    for warm_up in warm_ups:
        if asked.is_stopped():
            return
        yield Getting("")
        with suppress(*SOLVER_ERRORS):
            for making in with_prerequisites(warm_up):
                yield Getting(str(making))


def _with_results(folder: Path, beside: Path | None) -> OpenedFile:
    kept = read_results(folder)
    places = [beside, folder.parent, folder]
    plan_folder, runs = _runs_near([place for place in places if place is not None], kept.plan)
    outcomes = Outcomes(runs, folder, found_unsound=frozenset(kept.unsound), doubt=kept.doubt)
    with Results(folder, runs, resume=True) as results:
        outcomes.add(results.outcomes())
    return OpenedFile(folder, text_of(kept.plan), plan_folder, outcomes)


def _runs_near(places: Sequence[Path], plan: Plan) -> tuple[Path, Runs]:
    """Return the runs of a plan, and the first of some folders that has its files."""
    errors: list[TileLabError] = []
    for place in places:
        try:
            return place, runs_of(plan, place)
        except TileLabError as error:
            errors.append(error)
    raise errors[0]
