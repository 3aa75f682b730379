"""The choice of the next setting and of the trials that end early: Optuna's part of a tuning.

Optuna's file only ever gets trials that are over, each in one transaction. The trial in progress is
in a study in memory that begins with those trials; its seed follows from its number.
"""

import contextlib
import sqlite3
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import optuna
from optuna.trial import TrialState
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from tilelab.core.errors import TileLabError, reason
from tilelab.core.text.shown_text import shown_path
from tilelab.experiments.plan import Scalar
from tilelab.experiments.tuning.trials import (
    DONE,
    FAILED,
    PRUNED,
    REDUCTION,
    ParameterRange,
    Setting,
    Trial,
)

_NAME = "tune"
_STATES = {TrialState.COMPLETE: DONE, TrialState.PRUNED: PRUNED, TrialState.FAIL: FAILED}
_SETTING, _NOTE = "setting", "note"
_MIN_TRIALS = 10  # number of trials from which importance is computed
_TOP, _MIN_TOP = 0.1, 5  # trials that count as best for importance: share, and minimum


class Study(contextlib.AbstractContextManager["Study"]):
    def __init__(
        self,
        file: Path,
        axes: Sequence[ParameterRange],
        seed: int,
        *,
        maximize: bool,
        first: Setting | None,
    ) -> None:
        """Open or make the file; raises TileLabError. first: the setting of the first trial."""
        self._axes, self._seed, self._file, self._first = axes, seed, file, first
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self._direction = "maximize" if maximize else "minimize"
        with contextlib.ExitStack() as undo:
            with self._errors():
                # Not by a URL: the folder's name may contain anything.
                self._storage = optuna.storages.RDBStorage(
                    "sqlite:///tune.sqlite",
                    engine_kwargs={"creator": lambda: sqlite3.connect(file), "poolclass": NullPool},
                )
                undo.callback(self.close)
                self._kept = optuna.create_study(
                    storage=self._storage,
                    study_name=_NAME,
                    direction=self._direction,
                    load_if_exists=True,
                )
                past = self._kept.get_trials(deepcopy=False)
            self._study = self._begin_study(past)
            self._trial: optuna.Trial | None = None
            self._value: float | None = None
            undo.pop_all()

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._storage.remove_session()
        self._storage.engine.dispose()

    def trials(self) -> tuple[Trial, ...]:
        return tuple(
            Trial(
                number,
                _STATES[trial.state],
                trial.user_attrs[_SETTING],
                tuple(value for _, value in sorted(trial.intermediate_values.items())),
                trial.user_attrs[_NOTE],
            )
            for number, trial in enumerate(self._finished_trials())
        )

    def ask(self) -> Setting:
        """Begin the next trial, and return its setting: the same for each call."""
        if self._trial is not None:  # it was interrupted
            self._study = self._begin_study(self._finished_trials())
        number = len(self._finished_trials())
        (seed,) = np.random.SeedSequence(self._seed, spawn_key=(number,)).generate_state(1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            # Parameters together: the importance of one may depend on another.
            self._study.sampler = optuna.samplers.TPESampler(seed=int(seed), multivariate=True)
        self._trial = self._study.ask({axis.name: _distribution(axis) for axis in self._axes})
        params = self._trial.params
        setting = {
            axis.name: axis.values[int(params[axis.name])] if axis.is_ordered else params[axis.name]
            for axis in self._axes
        }
        self._trial.set_user_attr(_SETTING, setting)
        return setting

    def report(self, rung: int, value: float) -> None:
        assert self._trial is not None
        self._trial.report(value, REDUCTION**rung)
        self._value = value

    def is_promoted(self) -> bool:
        """Return whether the trial is among the best on its rung, and continues to the next."""
        assert self._trial is not None
        return not self._trial.should_prune()

    def finish(self, state: str, note: str = "") -> None:
        """End the trial, on disk when this returns; done: it has been on the last rung."""
        assert self._trial is not None
        self._trial.set_user_attr(_NOTE, note)
        value = self._value if state == DONE else None
        code = next(code for code, word in _STATES.items() if word == state)
        over = self._study.tell(self._trial, value, code)
        self._trial = None
        with self._errors():
            self._kept.add_trial(over)

    def best(self) -> Trial | None:
        """Return the best trial that is done, the first of equals."""
        done = [trial for trial in self.trials() if trial.state == DONE]
        sign = 1 if self._direction == "maximize" else -1
        return max(done, key=lambda trial: sign * trial.rungs[-1], default=None)

    def importance(self) -> dict[str, float]:
        """Return how important each parameter is for being among the best; {} with too few trials.

        PED-ANOVA (Watanabe et al. 2023); trials that ended early count behind others. The sum is 1.
        """
        trials = [trial for trial in self._finished_trials() if trial.state is not TrialState.FAIL]
        if len(trials) < _MIN_TRIALS:
            return {}
        ranks = self._ranks(trials)
        ranked = optuna.create_study(direction="minimize")
        for trial, rank in zip(trials, ranks, strict=True):
            ranked.add_trial(
                optuna.trial.create_trial(
                    value=rank, params=trial.params, distributions=trial.distributions
                )
            )
        share = min(0.5, max(_TOP, _MIN_TOP / len(trials)))
        evaluator = optuna.importance.PedAnovaImportanceEvaluator(target_quantile=share)
        found = optuna.importance.get_param_importances(ranked, evaluator=evaluator)
        return {name: float(part) for name, part in found.items()}

    def _begin_study(self, past: Sequence[optuna.trial.FrozenTrial]) -> optuna.Study:
        """Return a study in memory that continues after some trials."""
        pruner = optuna.pruners.SuccessiveHalvingPruner(1, REDUCTION)
        study = optuna.create_study(direction=self._direction, pruner=pruner)
        study.add_trials(past)
        if not past and self._first is not None:
            study.enqueue_trial(self._encode(self._first))
        return study

    def _ranks(self, trials: Sequence[optuna.trial.FrozenTrial]) -> list[float]:
        """Return the rank of each trial, from 0 for the best; equals share one."""
        sign = -1.0 if self._direction == "maximize" else 1.0

        def key(trial: optuna.trial.FrozenTrial) -> tuple[bool, int, float]:
            last = trial.last_step
            value = 0.0 if last is None else sign * trial.intermediate_values[last]
            return trial.state is not TrialState.COMPLETE, -(last or 0), value

        keys = [key(trial) for trial in trials]
        places = {each: place for place, each in reversed(list(enumerate(sorted(keys))))}
        return [float(places[each]) for each in keys]

    def _finished_trials(self) -> list[optuna.trial.FrozenTrial]:
        return [trial for trial in self._study.get_trials(deepcopy=False) if trial.state in _STATES]

    def _encode(self, setting: Setting) -> dict[str, Scalar]:
        return {
            axis.name: axis.values.index(setting[axis.name])
            if axis.is_ordered
            else setting[axis.name]
            for axis in self._axes
        }

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (optuna.exceptions.OptunaError, SQLAlchemyError, RuntimeError) as error:
            why = reason(error)
            raise TileLabError.tr(
                "{file} cannot be used: {reason}", file=shown_path(self._file), reason=why
            ) from None


def _distribution(axis: ParameterRange) -> optuna.distributions.BaseDistribution:
    # By their position: numbers are ordered, however large their differences are.
    if axis.is_ordered:
        return optuna.distributions.IntDistribution(0, len(axis.values) - 1)
    return optuna.distributions.CategoricalDistribution(axis.values)
