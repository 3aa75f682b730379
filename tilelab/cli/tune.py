"""``tilelab tune``: the best parameters of a solver, compared with its defaults."""

import shlex
from collections.abc import Sequence

import click

from tilelab.cli.flags import WritingCommand, switch
from tilelab.cli.interruption import present_interruption
from tilelab.cli.progress import report_count, report_preparation
from tilelab.cli.sweep import (
    SAY_SECONDS,
    StopBySignal,
    announce,
    n_workers_of,
    plan_params,
    progress_text,
)
from tilelab.cli.terminal import print_json, say, say_lines
from tilelab.core.files.paths import path_text
from tilelab.core.flags import path_of
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import about, counted, number
from tilelab.experiments.plan import read_plan
from tilelab.experiments.statistics import Summary
from tilelab.experiments.sweep import open_workers, prepare
from tilelab.experiments.tables import Lines, markdown
from tilelab.experiments.tuning.trials import DEFAULT, DONE, FAILED, PRUNED, TUNED, Trial
from tilelab.experiments.tuning.tune import (
    TABLE,
    SolverTuning,
    TuneOutcome,
    TuneProgress,
    summary,
    toml,
)


def tune_command() -> click.Command:
    return WritingCommand(
        "tune",
        example="plan.toml --out tuning",
        callback=_tune,
        params=[
            *plan_params(tr("Keep the trials in this folder."), TABLE),
            switch("--json as_json", tr("Print one JSON object.")),
        ],
        help=tr(
            "Search for the best parameters of a solver: those that vary in a plan, a TOML "
            "file. See docs/experiments.md."
        ),
    )


def _tune(
    plan: str, out: str, workers: str | None, scheduler: str | None, resume: bool, as_json: bool
) -> int:
    interruption = present_interruption()
    n_workers, file = n_workers_of(workers), path_of("PLAN", plan)
    whole = read_plan(file)
    with SolverTuning(
        path_of("--out", out), whole, file.absolute().parent, resume=resume
    ) as tuning:
        with announce(open_workers(n_workers, scheduler, tuning.n_at_a_time)) as crew:
            with report_preparation() as prepared:
                prepare(tuning.task.kinds, prepared)
            interruption.can_wait = True
            with report_count(tuning.task.tune.trials, SAY_SECONDS) as show:
                for progress in tuning.steps(crew, StopBySignal(interruption)):
                    if progress is not None:
                        show(progress.n_done, _progress_text(progress))
        table, outcome = tuning.write_table(), tuning.outcome()
        if as_json:
            print_json(summary(outcome))
        else:
            _say(outcome)
            say()
            say(tr("All trials: {file}", file=path_text(table)))
    if outcome.is_done:
        return 0
    again = shlex.join(["tilelab", "tune", plan, "--out", out, "--resume"])
    say(tr("Stopped. To continue: {command}", command=again), err=True)
    return interruption.exit_status


def _progress_text(progress: TuneProgress) -> str:
    if progress.is_compared:
        runs = "" if progress.runs is None else f": {progress_text(progress.runs)}"
        return tr("comparing with the default{runs}", runs=runs)
    parts = [
        tr(
            "{n_done} of {n_trials}",
            n_done=figures(progress.n_done, ","),
            n_trials=counted(progress.n_trials, "trial"),
        )
    ]
    if progress.best is not None:
        parts.append(tr("best {best}", best=number(progress.best)))
    if progress.seconds_left is not None:
        parts.append(tr("about {time} left", time=about(progress.seconds_left)))
    return ", ".join(parts)


def _say(outcome: TuneOutcome) -> None:
    n_over = counted(len(outcome.trials), "trial")
    parts = [
        f"{figures(outcome.n(state), ',')} {tr(word)}" for state, word in _WORDS if outcome.n(state)
    ]
    say(f"{n_over}: {', '.join(parts)}" if parts else n_over)
    if outcome.best is None:
        return
    say()
    say_lines(markdown(_settings(outcome, outcome.best)))
    if outcome.verdict is not None:
        verdict = outcome.verdict
        say()
        say_lines(
            markdown(
                [
                    [tr("on held-out instances"), "runs", "mean", "95 % interval", "least", "most"],
                    [tr(DEFAULT), *_cells(verdict.default)],
                    [tr(TUNED), *_cells(verdict.tuned)],
                ]
            )
        )
        for sentence in verdict.words:
            say()
            say(sentence)
    say()
    say_lines(toml(outcome.task, outcome.best.setting))
    say()
    say(outcome.command)


_WORDS: Sequence[tuple[str, str]] = (
    (DONE, "done"),
    (PRUNED, marked("stopped early")),
    (FAILED, "failed"),
)


def _settings(outcome: TuneOutcome, best: Trial) -> Lines:
    lines = [["parameter", "default", "tuned", "importance"]]
    for axis in outcome.task.axes:
        name, part = axis.name, outcome.importance.get(axis.name)
        share = "" if part is None else f"{figures(100 * part, '.0f')} %"
        lines.append([name, str(outcome.task.default[name]), str(best.setting[name]), share])
    return lines


def _cells(facts: Summary) -> list[str]:
    means = (
        f"{figures(facts.mean, ',.2f')}",
        tr("{low} to {high}", low=figures(facts.low, ",.2f"), high=figures(facts.high, ",.2f")),
    )
    return [str(facts.n), *means, number(facts.minimum), number(facts.maximum)]
