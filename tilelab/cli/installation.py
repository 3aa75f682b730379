"""``tilelab list`` names what is installed, and ``tilelab warm`` compiles it in advance."""

import os
import time
from collections.abc import Callable

import click

from tilelab import catalog
from tilelab.cli.completion import make_completer
from tilelab.cli.flags import option, switch
from tilelab.cli.groups import ProgramCommand
from tilelab.cli.terminal import print_json, print_table, say
from tilelab.core.errors import RunError
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import about, duration, unknown_name
from tilelab.letters.builtin import builtin_lexicons

Entries = list[dict[str, str]]


def list_command() -> click.Command:
    return ProgramCommand(
        "list",
        example="solvers",
        callback=_list,
        params=[
            click.Argument(
                ["what"], metavar="|".join(_LISTS), shell_complete=make_completer(lambda: _LISTS)
            ),
            switch("--json as_json", tr("Print one JSON array.")),
        ],
    )


def _list(what: str, as_json: bool) -> int:
    if what not in _LISTS:
        raise unknown_name(what, marked("list"), _LISTS)
    entries = _LISTS[what]()
    if as_json:
        print_json(entries)
    elif entries:
        rows = [list(entry.values()) for entry in entries]
        print_table(list(entries[0]), rows, bold="key", whole="key", wraps=True)
    return 0


def _puzzles() -> Entries:
    return [
        {"key": key, "title": cls.spec.title, "source": cls.spec.source}
        for key, cls in catalog.puzzles().items()
    ]


def _solvers() -> Entries:
    return [
        {
            "key": key,
            "puzzle": puzzle_key,
            "title": cls.spec.title,
            "unit": cls.spec.unit,
            "source": cls.spec.source,
        }
        for puzzle_key in catalog.puzzles()
        for key, cls in catalog.solvers(puzzle_key).items()
    ]


def _lexicons() -> Entries:
    return [
        {"key": entry.key, "title": entry.title, "description": entry.description}
        for entry in builtin_lexicons()
    ]


def _heuristics() -> Entries:
    return [
        {
            "key": key,
            "title": spec.title,
            "admissible": tr("admissible") if spec.admissible else tr("not admissible"),
            "consistent": tr("consistent") if spec.consistent else tr("not consistent"),
            "source": spec.source,
        }
        for key, spec in catalog.heuristics().items()
    ]


def _instances() -> Entries:
    return [
        {"key": key, "title": boards.title, "description": boards.description}
        for cls in catalog.puzzles().values()
        for key, boards in cls.board_sets().items()
    ]


_LISTS: dict[str, Callable[[], Entries]] = {
    "puzzles": _puzzles,
    "solvers": _solvers,
    "lexicons": _lexicons,
    "heuristics": _heuristics,
    "instances": _instances,
}


MAX_JOBS = 64
_DEFAULT_MAX_JOBS = 4
_LOOK_SECONDS = 0.5


def warm_command() -> click.Command:
    return ProgramCommand(
        "warm",
        example="--jobs 2",
        callback=_warm,
        params=[
            option(
                "--jobs",
                "N",
                tr(
                    "Number of processes, 1..{most_jobs} [default: one for each core, at most "
                    "{usual_most_jobs}].",
                    most_jobs=MAX_JOBS,
                    usual_most_jobs=_DEFAULT_MAX_JOBS,
                ),
            )
        ],
    )


def _warm(jobs: str | None) -> int:
    from tilelab.cli.progress import report_count
    from tilelab.runs import kernel_warming as warming

    n_processes = _n_processes(jobs)
    warming.require_cache()
    n_all, left = len(warming.list_jobs()), warming.list_pending_jobs()
    if not left:
        say(tr("All {n_all} solvers are ready.", n_all=n_all))
        return 0
    began = time.monotonic()
    n_before, n_done, errors = n_all - len(left), 0, list[str]()
    workers = warming.WarmUpProcesses(left, n_processes)
    try:
        with report_count(n_all) as show:
            show(
                n_before,
                tr("Compiling: {n_before} of {n_all} solvers", n_before=n_before, n_all=n_all),
            )
            while workers.is_busy:
                for job, error in workers.finished(_LOOK_SECONDS):
                    n_done += 1
                    if error:
                        errors.append(
                            tr(
                                "{solver} of {puzzle}: {error}",
                                solver=job.solver,
                                puzzle=job.puzzle,
                                error=error,
                            )
                        )
                    rest = (time.monotonic() - began) / n_done * (len(left) - n_done)
                    more = tr(", about {time} left", time=about(max(rest, 1.0))) if rest else ""
                    n_now = n_before + n_done
                    show(
                        n_now,
                        tr(
                            "Compiling: {n_now} of {n_all} solvers{remaining}",
                            n_now=n_now,
                            n_all=n_all,
                            remaining=more,
                        ),
                    )
    finally:
        workers.end()
    if errors:
        raise RunError("; ".join(errors))
    say(
        tr(
            "All {n_all} solvers are ready, after {time}.",
            n_all=n_all,
            time=duration(time.monotonic() - began),
        )
    )
    return 0


def _n_processes(text: str | None) -> int:
    from tilelab.core.flags import whole

    if text is None:
        return min(os.cpu_count() or 1, _DEFAULT_MAX_JOBS)
    return whole("--jobs", text, 1, MAX_JOBS)
