"""``tilelab records run``: one seed after another on every core, for a night or until a target."""

from functools import partial

import click

from tilelab import catalog
from tilelab.cli.flags import flags, option, switch
from tilelab.cli.groups import ProgramCommand
from tilelab.cli.interruption import present_interruption
from tilelab.cli.progress import report_count, report_preparation
from tilelab.cli.records import command_text
from tilelab.cli.run import help_of, run_params, validate_params
from tilelab.cli.sweep import SAY_SECONDS, StopBySignal, announce, n_workers_of
from tilelab.cli.terminal import print_json, say
from tilelab.core.errors import RunError, UsageError
from tilelab.core.flags import checked, given, whole_of
from tilelab.core.parameters import Params, describe, parameter
from tilelab.core.plain import Json, Value, Values
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import about, counted, plain_number
from tilelab.experiments.jobs import Job, recipe_of
from tilelab.experiments.seed_search import SearchGoal, SeedSearch, SeedSearchProgress, job_of
from tilelab.experiments.workers import MAX_WORKERS, Processes
from tilelab.library.loading import random_seed
from tilelab.runs.history.record import RunRecord
from tilelab.runs.history.store import History
from tilelab.runs.recipe import warm_up
from tilelab.runs.records import replace_record
from tilelab.runs.session import Limits

_HOUR = 3_600.0


class SearchLimits(Params):
    """The limits of the search; the first that is reached ends it."""

    hours: float = parameter(
        8.0,
        marked("Hours"),
        above=0.0,
        unit="h",
        help=marked("End the search after this many hours."),
    )
    seeds: int | None = parameter(
        None, marked("Seeds"), low=1, help=marked("Maximum number of seeds.")
    )


def search_command(puzzle_key: str) -> click.Command:
    return ProgramCommand(
        puzzle_key,
        example="--seconds 60 --hours 1",
        callback=partial(_search, puzzle_key),
        params=[
            *run_params(puzzle_key),
            *flags([SearchLimits]),
            option(
                "--workers",
                "N",
                tr(
                    "Number of runs at a time, 1..{most_workers} [default: one for each core].",
                    most_workers=MAX_WORKERS,
                ),
            ),
            switch("--json as_json", tr("Print one JSON object.")),
        ],
        help=tr(
            "{help} Repeats the run with one seed after another and keeps the best one in "
            "the history. --units, --evaluations, --seconds or --units-without-improvement end "
            "each run; a run that reaches --target ends the search.",
            help=help_of(puzzle_key),
        ),
    )


def _search(puzzle_key: str, **values: Value) -> int:
    ends = checked(SearchLimits, values)
    n_workers = n_workers_of(None if values["workers"] is None else str(values["workers"]))
    job = _job(puzzle_key, values)
    wanted = SearchGoal(ends.hours * _HOUR, ends.seeds)
    interruption = present_interruption()
    recipe = recipe_of(job)
    for line in recipe.puzzle.reported():
        say(line, err=True)
    with announce(Processes(n_workers, n_runs=ends.seeds)) as workers:
        with report_preparation() as prepare:
            prepare(partial(warm_up, recipe))
        workers.require_started()
        interruption.can_wait = True
        search, progress, kept = SeedSearch(job, workers, wanted), None, 0
        with report_count(ends.seeds or 0, SAY_SECONDS) as show:
            for progress in search.steps(StopBySignal(interruption)):
                if progress.is_new and progress.best is not None:
                    kept = _keep(progress.best, kept)
                show(progress.n_done, _progress_text(progress))
    if progress is None or not progress.n_done:
        say(tr("No run has ended."), err=True)
        return interruption.exit_status
    if progress.n_failed == progress.n_done:
        raise RunError.tr("every run has failed: {error}", error=progress.error)
    _report(progress, kept, as_json=bool(values["as_json"]))
    return interruption.exit_status if interruption.number else 0


def _job(puzzle_key: str, values: Values) -> Job:
    limits = checked(Limits, values)
    solver_key, _ = validate_params(puzzle_key, values)
    if limits.model_copy(update={"target": None}) == Limits():
        raise UsageError.tr(
            "each run needs an end: --units, --evaluations, --seconds or "
            "--units-without-improvement"
        )
    seed = whole_of(values, "seed", MAX_SEED)
    puzzle_class = catalog.puzzle(puzzle_key)
    flags_of = [flag.name for flag in catalog.instance_flags(puzzle_class)]
    names = [*flags_of, *(spec.name for spec in describe(puzzle_class.spec.params))]
    own = {name: values.get(name) for name in names}
    drawn = puzzle_class.drawn(own, random_seed())
    chosen = catalog.solver(puzzle_key, solver_key).spec.params
    seed = random_seed() if seed is None else seed
    return job_of(puzzle_key, {**own, **drawn}, solver_key, given(chosen, values), seed, limits)


def _keep(record: RunRecord, before: int) -> int:
    """Keep the best run in the history in place of the previous one; return its number."""
    with History() as history:
        number, verdict_text = replace_record(record, before, history)
        for notice in filter(None, (history.notice, verdict_text)):
            say(notice, err=True)
    return number


def _progress_text(progress: SeedSearchProgress) -> str:
    best = "" if progress.best is None else tr(", best {value}", value=progress.best.shown_value)
    left = tr(", about {time} left", time=about(max(progress.seconds_left, 0.0)))
    return f"{counted(progress.n_done, 'seed')}{best}{left}"


def _report(progress: SeedSearchProgress, number: int, *, as_json: bool) -> None:
    best = progress.best
    if as_json:
        result: dict[str, Json] = {
            "n_done": progress.n_done,
            "n_failed": progress.n_failed,
            "best": None if best is None else _plain(best, number),
        }
        print_json(result)
        return
    if best is None:
        say(tr("No run has found a board."))
        return
    for row in best.board:
        say(row)
    say()
    failed = (
        tr(", {n_failed} failed", n_failed=figures(progress.n_failed, ","))
        if progress.n_failed
        else ""
    )
    say(
        tr(
            "{value} with the seed {seed}, the best of "
            "{n_seeds}{failed}; run {number} of the history.",
            value=best.shown_value,
            seed=best.seed,
            n_seeds=counted(progress.n_done, "seed"),
            failed=failed,
            number=number,
        )
    )
    if command := command_text(best):
        say(tr("Again: {command}", command=command))


def _plain(best: RunRecord, number: int) -> dict[str, Json]:
    return {
        "value": None if best.value is None else plain_number(best.value),
        "board": list(best.board),
        "seed": best.seed,
        "units": best.units,
        "seconds": best.seconds,
        "run": number,
        "command": command_text(best) or None,
    }
