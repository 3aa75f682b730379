"""Tunes a solver in the background; each step of it is short."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tilelab.core.text.language import tr
from tilelab.experiments.executor import StopRequest
from tilelab.experiments.plan import parsed_toml, plan_of
from tilelab.experiments.tuning.outcome import TuneOutcome
from tilelab.experiments.tuning.tune import TuneProgress, Tuning
from tilelab.gui.lab.experiments.tasks import Getting, Hands, Remark, at_work, prepared, remarks_on

_A_MOMENT = 0.5
"""Where trials take less, what they have come to is said not more often."""


class TunePlan(NamedTuple):
    """What is tuned, and where."""

    text: str
    beside: Path | None
    """From where the files that the plan names are looked for."""
    folder: Path


class Tuned(NamedTuple):
    """What a tuning has come to."""

    outcome: TuneOutcome
    is_done: bool
    """Whether all trials are over and compared with the default."""


def tuning(
    plan: TunePlan, hands: Hands, asked: StopRequest, *, resume: bool
) -> Iterator[Tuned | Getting | Remark | TuneProgress | None]:
    """Do the trials that are left, then the comparison; raises TileLabError.

    Yields None while nothing has come back; the last is a Tuned. Asked to stop before, it only
    finds out what there is. Closed before its end, it ends the workers at once.
    """
    values = parsed_toml(plan.text, tr("This is"))
    with Tuning(plan.folder, plan_of(values), plan.beside, resume=resume) as work:
        yield Tuned(work.outcome(), work.is_done)
        with at_work(hands, work.n_at_a_time) as workers:
            yield from remarks_on(workers)
            yield from prepared(work.warm_ups(), asked)
            n_said, said = -1, time.monotonic()
            for progress in work.steps(workers, asked):
                yield progress
                if progress is None:
                    continue
                now, n_done = time.monotonic(), progress.n_done
                is_time = now - said > _A_MOMENT or progress.is_compared
                if n_done != n_said and is_time:
                    n_said, said = n_done, now
                    yield Tuned(work.outcome(), work.is_done)
        if not asked.is_stopped():
            work.write_table()
        yield Tuned(work.outcome(), work.is_done)
