"""``tilelab paper``: reproduces a paper's table, with printed figures next to ours."""

import contextlib
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from tilelab.cli.completion import make_completer
from tilelab.cli.flags import Output, WritingCommand, option, switch
from tilelab.cli.interruption import Interruption, present_interruption
from tilelab.cli.progress import report_count, report_preparation
from tilelab.cli.sweep import SAY_SECONDS, StopBySignal, announce, n_workers_of, progress_text
from tilelab.cli.terminal import print_json, print_table, say, say_lines
from tilelab.core.files.paths import path_text
from tilelab.core.flags import checked, path_of, word_of
from tilelab.core.text.language import tr
from tilelab.core.text.wording import about
from tilelab.experiments.papers import (
    PAGE,
    PaperTable,
    TableRun,
    as_json,
    compare_results,
    in_a_sentence,
    lines_of,
    page_of,
    paper_table,
    tables,
    write_files,
)
from tilelab.experiments.sweep import open_workers, prepare
from tilelab.experiments.tables import FORMATS
from tilelab.runs.files.kinds import COMPARISON
from tilelab.runs.limits import Limits


def paper_command() -> click.Command:
    return WritingCommand(
        "paper",
        example="damodaran --small",
        callback=_paper,
        params=[
            click.Argument(
                ["name"],
                required=False,
                shell_complete=make_completer(lambda: [table.key for table in tables()]),
            ),
            Output(
                "--out",
                "DIR",
                COMPARISON,
                tr("Keep runs, table and pictures in this folder."),
                within={PAGE: COMPARISON},
            ),
            option("--workers", "N", tr("Number of runs at a time [default: one for each core].")),
            switch("--resume", tr("Continue the runs in the folder.")),
            switch("--small", tr("Do only a few of the runs, to try it out.")),
            option("--seconds", "N", tr("Seconds for each run, in place of those of the table.")),
            switch("--json as_json_", tr("Print one JSON object.")),
            option(
                "--format form",
                "WORD",
                tr("{formats} [default: markdown].", formats=", ".join(FORMATS)),
                default="markdown",
                known=lambda: FORMATS,
            ),
        ],
        help=tr(
            "Reproduce the table of a paper and print its figures next to ours, with what "
            "agrees and why it may differ. Without NAME, list the tables. See docs/papers.md."
        ),
    )


def _paper(
    name: str | None,
    out: str | None,
    workers: str | None,
    resume: bool,
    small: bool,
    seconds: str | None,
    as_json_: bool,
    form: str,
) -> int:
    write = FORMATS[word_of({"format": form}, "format", FORMATS)]
    if name is None:
        _print_tables()
        return 0
    interruption = present_interruption()
    table, n_workers = paper_table(name), n_workers_of(workers)
    limit = checked(Limits, {"seconds": seconds}).seconds
    with _folder(out) as folder:
        with TableRun(table, folder, small=small, resume=resume, seconds=limit) as making:
            is_whole = _make(making, n_workers, interruption, small=small)
        if not is_whole:
            flags = [*(["--small"] if small else []), *(["--seconds", seconds] if seconds else [])]
            return _stopped(table, out, interruption, flags)
        made = compare_results(table, folder, small=small)
        if as_json_:
            print_json(as_json(table, made, small=small))
        elif form == "markdown":
            say_lines(page_of(table, made))
        else:
            say_lines(write(lines_of(made)))
            say(in_a_sentence(made), err=True)
        if out is not None:
            for file in write_files(table, made, folder):
                say(tr("Wrote {file}", file=path_text(file)), err=True)
    return 0


def _make(
    making: TableRun, n_workers: int | None, interruption: Interruption, *, small: bool
) -> bool:
    n_left = making.n_left
    if not n_left:
        return making.is_done()
    with announce(open_workers(n_workers, None, making.n_at_a_time)) as crew:
        with report_preparation() as prepared:
            prepare(making.kinds, prepared)
            expected = None if small else making.estimate()
        if expected is not None:
            say(expected.sentence(crew.n_workers), err=True)
        interruption.can_wait = True
        with report_count(n_left, SAY_SECONDS) as show:
            for progress in making.steps(crew, StopBySignal(interruption)):
                if progress is not None:
                    show(progress.n_done, progress_text(progress))
    return making.is_done()


@contextlib.contextmanager
def _folder(out: str | None) -> Iterator[Path]:
    if out is not None:
        yield path_of("--out", out)
        return
    with tempfile.TemporaryDirectory(prefix="tilelab-") as folder:
        yield Path(folder)


def _stopped(
    table: PaperTable, out: str | None, interruption: Interruption, flags: Sequence[str]
) -> int:
    """Report how to continue; flags: those that must be the same again."""
    if out is None:
        say(tr("Stopped. Nothing is kept without --out."), err=True)
    else:
        words = ["tilelab", "paper", table.key, "--out", out, *flags, "--resume"]
        say(tr("Stopped. To continue: {command}", command=shlex.join(words)), err=True)
    return interruption.exit_status


def _print_tables() -> None:
    rows = [[table.key, table.source, table.title, about(table.seconds)] for table in tables()]
    print_table(["name", "table", "title", "takes"], rows, bold="name", whole="name", wraps=True)
