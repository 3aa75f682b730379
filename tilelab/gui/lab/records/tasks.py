"""What the background does for the window of records."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from tilelab import catalog
from tilelab.core.files.paths import path_from
from tilelab.core.parameters import kept_params
from tilelab.core.plain import Value
from tilelab.core.text.language import tr
from tilelab.experiments.cells import Job, puzzle_of
from tilelab.experiments.executor import StopRequest
from tilelab.experiments.processes import Processes
from tilelab.experiments.seed_search import Progress, SeedSearch, Wanted, job_of
from tilelab.runs.history.record import RunRecord
from tilelab.runs.history.schema import HistoryError
from tilelab.runs.history.store import History
from tilelab.runs.limits import Limits
from tilelab.runs.making import made_first
from tilelab.runs.records import BestKnown, best_known, verdict
from tilelab.runs.warm_up import warm_up


class Found(NamedTuple):
    """How far a search over seeds is."""

    progress: Progress
    said: str
    """How a new best compares with what was known before, or a remark on the workers, or ''."""


def listing() -> Iterator[list[BestKnown]]:
    """Yield all that is known; raises HistoryError after the built-in records."""
    try:
        with History() as history:
            known = best_known(history)
    except HistoryError:
        yield best_known(None)
        raise
    yield known


def search_job(record: RunRecord, seed: int, limits: Limits) -> Job:
    """Return the run of a record with another seed; raises TileLabError."""
    puzzle, solver = catalog.puzzle(record.puzzle), catalog.solver(record.puzzle, record.solver)
    file, name = record.origin.get("file"), record.origin.get("lexicon")
    values: dict[str, Value] = {flag.name: flag.default for flag in catalog.instance_flags(puzzle)}
    values |= kept_params(puzzle.spec.params, record.puzzle_params).model_dump(mode="json")
    values["lexicon"] = str(path_from(file)) if isinstance(file, str) else str(name)
    params = kept_params(solver.spec.params, record.params).model_dump(mode="json")
    return job_of(record.puzzle, values, record.solver, params, seed, limits)


def searching(job: Job, wanted: Wanted, n_workers: int, asked: StopRequest) -> Iterator[object]:
    """Do a run with one seed after another; yields a text while it gets ready, then Found.

    The best run is kept in the history, in place of the best one before. Raises TileLabError.
    """
    yield tr("getting ready")
    puzzle = puzzle_of(job)
    params = catalog.solver_params(job["puzzle"], job["solver"], job["params"])
    for making in made_first(partial(warm_up, puzzle, job["solver"], params, job["seed"])):
        yield tr("getting ready: {making}").format(making=making)
    with Processes(n_workers, n_runs=wanted.n_runs, low_priority=True) as workers:
        try:
            workers.require_begun()
            yield from _found(SeedSearch(job, workers, wanted), asked, workers.remark)
        except GeneratorExit:
            # Their end would be waited for, which may be far.
            workers.kill()
            raise


def _found(search: SeedSearch, asked: StopRequest, remark: str) -> Iterator[Found]:
    kept, said = 0, remark
    for progress in search.steps(asked):
        if progress.is_new and progress.best is not None:
            with History() as history:
                said = verdict(progress.best, history)
                number = history.put(progress.best)
                if kept:
                    history.delete([kept])
            kept = number
        yield Found(progress, said)
        said = ""
