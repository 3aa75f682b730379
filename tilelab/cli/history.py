"""``tilelab history``: lists the runs, shows one of them, or exports all as a file."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

import click

from tilelab.cli.flags import Output, WritingCommand, option, switch
from tilelab.cli.groups import ProgramCommand
from tilelab.cli.terminal import print_json, print_table, say
from tilelab.core.errors import ParameterError, UsageError
from tilelab.core.flags import path_of, whole
from tilelab.core.text.language import figures, marked, moment_text, tr
from tilelab.core.text.wording import counted, duration
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.files.kinds import ROWS
from tilelab.runs.history.export import csv_parts, json_parts, plain_line, plain_record
from tilelab.runs.history.record import RunLine, RunRecord
from tilelab.runs.history.store import ORDERS, History, Query
from tilelab.runs.result import figure_texts

DEFAULT_LIMIT = 20
_MAX_NUMBER = 10**18 - 1  # maximum number of runs to list, and largest number of a run


def history_commands() -> list[click.Command]:
    as_json = switch("--json as_json", tr("Print JSON."))
    return [
        ProgramCommand(
            "list",
            example="--sort best --limit 10",
            callback=_list,
            params=[*_choice(), _limit(str(DEFAULT_LIMIT)), as_json],
            help=tr("List previous runs, the newest first."),
        ),
        ProgramCommand(
            "show",
            example="1",
            callback=_show,
            params=[click.Argument(["run"], metavar="N"), as_json],
            help=tr("Show the run with a number from the list."),
        ),
        WritingCommand(
            "export",
            example="--csv --out runs.csv",
            callback=_export,
            params=[
                *_choice(),
                _limit("all"),
                switch("--csv as_csv", tr("Write CSV (the default).")),
                switch("--json as_json", tr("Write a JSON array.")),
                Output("--out", "FILE", ROWS, tr("Write to this file instead of standard output.")),
            ],
            help=tr("Write the runs as a table or as JSON, with boards and parameters."),
        ),
    ]


def _choice() -> list[click.Parameter]:
    return [
        option("--puzzle", "KEY", tr("Only of this puzzle."), default=""),
        option("--solver", "KEY", tr("Only of this solver."), default=""),
        option("--search", "WORDS", tr("Only those with all of these words."), default=""),
        option(
            "--sort",
            "COLUMN",
            tr("Sort by {columns}, the largest first [default: begun].", columns=", ".join(ORDERS)),
            default="begun",
        ),
        switch("--reverse", tr("Reverse the order.")),
    ]


def _limit(default: str) -> click.Option:
    help_text = tr("Maximum number of runs [default: {default}].", default=default)
    return option("--limit", "N", help_text)


def _list(limit: str | None, as_json: bool, reverse: bool, **choice: str) -> int:
    query = Query(**choice, descending=not reverse)
    max_runs = DEFAULT_LIMIT if limit is None else whole("--limit", limit, high=_MAX_NUMBER)
    with _open_history() as history:
        ids = _find_runs(history, query, max_runs)
        lines = history.lines(ids)
        n_all = len(_find_runs(history, query, -1)) if len(ids) == max_runs else len(ids)
    if as_json:
        print_json([plain_line(line) for line in lines])
    elif lines or not sys.stdout.isatty():
        rows = [_cells(line) for line in lines]
        print_table(_HEADINGS, rows, bold="best", numbers=_NUMBERS)
        if sys.stdout.isatty() and n_all > len(lines):
            say(
                tr(
                    "{n_lines} of {n_all}; --limit shows more",
                    n_lines=figures(len(lines), ","),
                    n_all=counted(n_all, "run"),
                )
            )
    else:
        say(tr("There is no such run."))
    return 0


def _show(run: str, as_json: bool) -> int:
    number = whole("N", run, high=_MAX_NUMBER)
    with _open_history() as history:
        record = history.record(number)
    if as_json:
        print_json(plain_record(record, curves=True))
    else:
        _print_record(record)
    return 0


def _export(
    limit: str | None, as_csv: bool, as_json: bool, out: str | None, reverse: bool, **choice: str
) -> int:
    if as_csv and as_json:
        raise click.UsageError(tr("--csv and --json exclude each other"))
    target = None if out is None else path_of("--out", out)
    max_runs = -1 if limit is None else whole("--limit", limit, high=_MAX_NUMBER)
    is_json = as_json or (not as_csv and target is not None and target.suffix.lower() == ".json")
    write: Callable[[History, Sequence[int]], Iterator[str]] = json_parts if is_json else csv_parts
    with _open_history() as history:
        ids = _find_runs(history, Query(**choice, descending=not reverse), max_runs)
        if target is None:
            for part in write(history, ids):
                click.echo(part, nl=False)
        else:
            file = write_atomically(target, "".join(write(history, ids)))
            say(
                tr("Wrote {n_runs} to {file}", n_runs=counted(len(ids), "run"), file=file), err=True
            )
    return 0


@contextmanager
def _open_history() -> Iterator[History]:
    """Open the history, and report its errors at the end: damage may show at any moment."""
    with History() as history:
        try:
            yield history
        finally:
            if history.notice:
                say(history.notice, err=True)


def _find_runs(history: History, query: Query, max_runs: int) -> list[int]:
    try:
        return history.ids(query, max_runs)
    except ParameterError as error:
        raise UsageError(f"--{error}") from None


def when(moment: str) -> str:
    """Return a moment of the history in short form, still in UTC: ``2026-03-01 09:30``."""
    try:
        return moment_text(datetime.fromisoformat(moment))
    except ValueError:
        return moment


_HEADINGS = (
    marked("N"),
    marked("begun (UTC)"),
    marked("puzzle"),
    marked("instance"),
    marked("size"),
    marked("solver"),
    marked("best"),
    marked("time"),
    marked("status"),
    marked("evaluations"),
)
_NUMBERS = ("N", "best", "time", "evaluations")


def _cells(line: RunLine) -> tuple[str, ...]:
    return (
        str(line.id),
        when(line.begun),
        line.puzzle,
        line.title,
        f"{line.rows}×{line.cols}",
        line.solver,
        line.shown_value,
        duration(line.seconds),
        line.status,
        figure_texts(line, line.n_moves)["evaluations"],
    )


def _print_record(record: RunRecord) -> None:
    for row in record.board:
        say(row)
    if record.board:
        say()
    found = ""
    if record.best_unit is not None and not record.is_search:
        found = tr(
            " at {unit} {number}", unit=tr(record.unit), number=figures(record.best_unit, ",")
        )
    turned = ", ".join(
        tr(
            "{name} {value} at {number}",
            name=change.name,
            value=change.value,
            number=figures(change.unit, ","),
        )
        for change in record.journal
    )
    facts = {
        "run": str(record.id),
        "puzzle": f"{record.puzzle} {record.rows}×{record.cols}",
        "instance": ", ".join(f"{name} {value}" for name, value in record.instance.items()),
        "rules": json.dumps(dict(record.puzzle_params), ensure_ascii=False),
        "solver": f"{record.solver} ({record.solver_title})",
        "parameters": json.dumps(dict(record.params), ensure_ascii=False),
        "seed": record.shown_seed,
        "best": (record.shown_value + found) if record.shown_value else "none",
        "moves": record.moves or "",
        "status": record.status,
        "work": tr(
            "{units} in {duration}",
            units=counted(record.units, record.unit),
            duration=duration(record.seconds),
        ),
        **figure_texts(record, record.n_moves),
        "begun": f"{when(record.begun)} UTC",
        "ended": f"{when(record.ended)} UTC",
        "turned": turned,
        "run file": record.run_file or "",
        "program": f"TileLab {record.program}",
        "tags": record.tags,
        "note": record.note.replace("\n", " "),
    }
    width = max(len(name) for name in facts) + 2
    for name, text in facts.items():
        if text:
            say(f"{name:{width}}{text}")
