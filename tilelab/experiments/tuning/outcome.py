"""What a tuning has come to: for programs, as a table, and as lines to copy."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from tilelab.core.plain import JsonObject
from tilelab.core.text.language import tr
from tilelab.experiments.tables import Lines
from tilelab.experiments.tuning.held_out import Verdict
from tilelab.experiments.tuning.space import Setting, Task
from tilelab.experiments.tuning.trials import DONE, FAILED, PRUNED, Trial


@dataclass(frozen=True)
class TuneOutcome:
    """What a tuning has come to by now."""

    task: Task
    trials: tuple[Trial, ...]
    best: Trial | None
    command: str
    """What makes the first run of the best trial again, alone, or ''."""
    importance: Mapping[str, float]
    """Of each parameter, the largest first, all together 1; empty with too few trials."""
    verdict: Verdict | None
    """None until the best setting was compared with the default."""

    def n(self, state: str) -> int:
        """Return how many trials are done, pruned or failed."""
        return sum(trial.state == state for trial in self.trials)


def trial_lines(outcome: TuneOutcome) -> Lines:
    """Return the trials as a table: how far each came, its setting, its mean on each rung."""
    task = outcome.task
    names = [axis.name for axis in task.axes]
    rungs = [
        tr("{of} on rung {rung}").format(of=task.tune.of, rung=rung)
        for rung in range(1, task.n_rungs + 1)
    ]
    lines = [["trial", "state", *names, *rungs, "note"]]
    for trial in outcome.trials:
        figures = [f"{value:.12g}" for value in trial.rungs]
        figures += [""] * (len(rungs) - len(figures))
        setting = [str(trial.setting[name]) for name in names]
        lines.append([str(trial.number + 1), trial.state, *setting, *figures, trial.note])
    return lines


def toml(task: Task, setting: Setting) -> str:
    """Write the solver with a setting as a plan has it."""
    (solver,) = task.plan.solvers
    params = {**solver.params, **setting}
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in params.items()]
    return "\n".join(
        ["[[solvers]]", f"solver = {json.dumps(solver.solver)}", "[solvers.params]", *lines]
    )


def summary(outcome: TuneOutcome) -> JsonObject:
    """Return the one object that says all."""
    task, best = outcome.task, outcome.best
    (solver,) = task.plan.solvers
    found: JsonObject | None = None
    if best is not None:
        found = {
            "trial": best.number + 1,
            "params": dict(best.setting),
            "mean": best.value,
            "toml": toml(task, best.setting),
            "command": outcome.command,
        }
    return {
        "solver": solver.solver,
        "of": task.tune.of,
        "direction": "maximize" if task.is_maximized else "minimize",
        "n_trials": task.tune.trials,
        **{f"n_{state}": outcome.n(state) for state in (DONE, PRUNED, FAILED)},
        "best": found,
        "default": dict(task.default),
        "importance": dict(outcome.importance),
        "held_out": None if outcome.verdict is None else asdict(outcome.verdict),
        "trials": [_as_object(trial) for trial in outcome.trials],
    }


def _as_object(trial: Trial) -> JsonObject:
    return {
        "trial": trial.number + 1,
        "state": trial.state,
        "params": dict(trial.setting),
        "rungs": list(trial.rungs),
        "note": trial.note,
    }
