"""``tilelab export``: the results of a sweep for other programs."""

import json
from pathlib import Path

import click

from tilelab.cli.completion import completes, completes_files
from tilelab.cli.outputs import FILE, Output, WritingCommand
from tilelab.cli.saying import say
from tilelab.core.files.paths import path_text
from tilelab.core.flags import path_of, word_of
from tilelab.core.text.language import tr
from tilelab.core.text.wording import counted
from tilelab.experiments.iohprofiler import write_iohprofiler
from tilelab.experiments.results import Kept, read_results, rows_csv
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.files.kinds import ROWS


def _write_csv(kept: Kept, file: Path) -> Path:
    return write_atomically(file, rows_csv(kept.rows))


def _write_json(kept: Kept, file: Path) -> Path:
    return write_atomically(file, json.dumps(kept.rows, indent=1) + "\n")


FORMATS = {"iohprofiler": write_iohprofiler, "csv": _write_csv, "json": _write_json}


def export_command() -> click.Command:
    """Make the command."""
    return WritingCommand(
        "export",
        callback=_export,
        params=[
            click.Argument(["folder"], type=FILE, metavar="DIR", shell_complete=completes_files),
            click.Option(
                ["--format", "form"],
                metavar="WORD",
                required=True,
                shell_complete=completes(lambda: FORMATS),
                help=tr(
                    "iohprofiler: a new folder, as IOHanalyzer and iohinspector read it; csv, "
                    "json: a file with the rows of all runs."
                ),
            ),
            Output(
                "--out",
                ROWS,
                metavar="PATH",
                required=True,
                help=tr("The folder or file to write."),
            ),
        ],
        help=tr("Write the runs of a sweep for other programs. See docs/experiments.md."),
    )


def _export(folder: str, form: str, out: str) -> int:
    write = FORMATS[word_of({"format": form}, "format", FORMATS)]
    target = path_of("--out", out)
    kept = read_results(path_of("DIR", folder))
    written = write(kept, target)
    say(
        tr(
            "Wrote {n_runs} to {file}",
            n_runs=counted(len(kept.rows), "run"),
            file=path_text(written),
        ),
        err=True,
    )
    for sentence in kept.doubts:
        say(sentence, err=True)
    if kept.n_failed:
        say(
            tr("{n_failed} failed and left out.", n_failed=counted(kept.n_failed, "run")),
            err=True,
        )
    return 0
