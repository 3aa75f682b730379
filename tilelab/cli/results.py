"""``tilelab table``, ``plot``, ``report`` and ``export``: the results of a sweep."""

import json
from pathlib import Path

import click

from tilelab.cli.completion import completes_files, make_completer
from tilelab.cli.flags import FILE, Output, WritingCommand, option, switch
from tilelab.cli.groups import ProgramCommand
from tilelab.cli.terminal import say, say_lines
from tilelab.core.errors import UsageError
from tilelab.core.files.paths import path_text
from tilelab.core.flags import path_of, word_of
from tilelab.core.plain import number_from
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import quoted
from tilelab.core.text.wording import counted
from tilelab.experiments.chart_values import Options
from tilelab.experiments.charts import KINDS, chart_of
from tilelab.experiments.iohprofiler import write_iohprofiler
from tilelab.experiments.report import write_report
from tilelab.experiments.results import Kept, read_results, rows_csv
from tilelab.experiments.statistics import describe_comparison
from tilelab.experiments.tables import (
    FIGURES,
    FOR_PROGRAMS,
    FORMATS,
    across,
    by_setting,
    comparison_of,
    require_figure,
    sort_lines,
)
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.files.kinds import PAGE, PICTURE, ROWS


def table_command() -> click.Command:
    return ProgramCommand(
        "table",
        example="results --tests",
        callback=_table,
        params=[
            click.Argument(["folder"], metavar="DIR", shell_complete=completes_files),
            option(
                "--of",
                "FIGURE",
                tr(
                    "The figure of the table: {figures}, or a metric of the solvers [default: "
                    "value].",
                    figures=", ".join(FIGURES),
                ),
                default="value",
                known=lambda: FIGURES,
            ),
            option(
                "--across across_name",
                "PARAMETER",
                tr("Put the values of this parameter into columns: mean (minimum to maximum)."),
            ),
            option(
                "--target", "X", tr("Count the runs that reached this value [default: the plan's].")
            ),
            option(
                "--format form",
                "WORD",
                tr("{formats} [default: markdown].", formats=", ".join(FORMATS)),
                default="markdown",
                known=lambda: FORMATS,
            ),
            option("--sort", "COLUMN", tr("Sort the lines by a column, in ascending order.")),
            switch("--reverse", tr("Sort in descending order.")),
            switch("--tests", tr("Test whether the settings differ.")),
        ],
        help=tr(
            "Print the table of a sweep's results: a line for each setting, with the mean, its "
            "95 % interval, median and extremes. See docs/experiments.md."
        ),
    )


def _table(
    folder: str,
    of: str,
    across_name: str | None,
    target: str | None,
    form: str,
    sort: str | None,
    reverse: bool,
    tests: bool,
) -> int:
    write = FORMATS[word_of({"format": form}, "format", FORMATS)]
    value = target_of(target)
    kept = read_results(path_of("DIR", folder))
    require_figure(kept, of)
    aim = kept.plan.limits.target if value is None else value
    if across_name is None:
        lines = by_setting(kept, of, aim, plain=form in FOR_PROGRAMS)
    else:
        lines = across(kept, of, across_name)
    if sort is not None:
        lines = sort_lines(lines, sort, downwards=reverse)
    elif reverse:
        raise UsageError.tr("--reverse goes with --sort COLUMN")
    remarks = describe_comparison(comparison_of(kept, of)) if tests else []
    is_text = write is FORMATS["markdown"]
    for sentence in kept.doubts:
        say(sentence, err=not is_text)
    if kept.doubts and is_text:
        say()
    say_lines(write(lines))
    for sentence in remarks:
        say()
        say(sentence)
    if kept.n_failed:
        say(
            tr("Failed and left out: {n_failed}.", n_failed=counted(kept.n_failed, "run")), err=True
        )
    return 0


def target_of(text: str | None) -> float | None:
    """Return the number of ``--target``, or None where it is not given."""
    if text is None:
        return None
    try:
        return number_from(text)
    except ValueError:
        raise UsageError.tr("--target: {text} is not a number", text=quoted(text)) from None


def plot_command() -> click.Command:
    return WritingCommand(
        "plot",
        example="results --out results.svg",
        callback=_plot,
        params=[
            click.Argument(["folder"], type=FILE, metavar="DIR", shell_complete=completes_files),
            option(
                "--kind",
                "WORD",
                tr("{kinds} [default: boxes].", kinds=", ".join(KINDS)),
                default="boxes",
                known=lambda: KINDS,
            ),
            option(
                "--of",
                "FIGURE",
                tr(
                    "The figure of boxes, lines and heat maps: {figures}, or a metric of the "
                    "solvers [default: value].",
                    figures=", ".join(FIGURES),
                ),
                default="value",
                known=lambda: FIGURES,
            ),
            option(
                "--x",
                "AXIS",
                tr(
                    "The horizontal axis: a parameter that varies, or solver; for curves "
                    "evaluations, units or seconds."
                ),
                default="",
            ),
            option("--y", "AXIS", tr("The other axis of a heat map."), default=""),
            option(
                "--target",
                "X",
                tr(
                    "The target value of run-length [default: the plan's, or one that half of "
                    "the runs reached]."
                ),
            ),
            Output(
                "--out", "FILE", PICTURE, tr("The picture to write, .png or .svg."), required=True
            ),
        ],
        help=tr("Draw a chart of a sweep's results. See docs/experiments.md."),
    )


def _plot(folder: str, kind: str, of: str, x: str, y: str, target: str | None, out: str) -> int:
    word_of({"kind": kind}, "kind", KINDS)
    options = Options(figure=of, x=x, y=y, target=target_of(target))
    file = path_of("--out", out)
    chart = chart_of(read_results(path_of("DIR", folder)), kind, options)
    from tilelab.experiments.drawing import write_picture  # matplotlib, which may not be installed

    written = write_picture(chart, file)
    say(chart.caption, err=True)
    say(path_text(written))
    return 0


def report_command() -> click.Command:
    return WritingCommand(
        "report",
        example="results --out report.html",
        callback=_report,
        params=[
            click.Argument(["folder"], type=FILE, metavar="DIR", shell_complete=completes_files),
            Output("--out", "FILE", PAGE, tr("The HTML file to write."), required=True),
        ],
        help=tr(
            "Write the results of a sweep as one HTML file: plan, tables, tests, charts. "
            "See docs/experiments.md."
        ),
    )


def _report(folder: str, out: str) -> int:
    written = write_report(path_of("DIR", folder), path_of("--out", out))
    say(path_text(written))
    return 0


def _write_csv(kept: Kept, file: Path) -> Path:
    return write_atomically(file, rows_csv(kept.rows))


def _write_json(kept: Kept, file: Path) -> Path:
    return write_atomically(file, json.dumps(kept.rows, indent=1) + "\n")


EXPORTS = {"iohprofiler": write_iohprofiler, "csv": _write_csv, "json": _write_json}


def export_command() -> click.Command:
    return WritingCommand(
        "export",
        example="results --format csv --out runs.csv",
        callback=_export,
        params=[
            click.Argument(["folder"], type=FILE, metavar="DIR", shell_complete=completes_files),
            click.Option(
                ["--format", "form"],
                metavar="WORD",
                required=True,
                shell_complete=make_completer(lambda: EXPORTS),
                help=tr(
                    "iohprofiler: a new folder, as IOHanalyzer and iohinspector read it; csv, "
                    "json: a file with the rows of all runs."
                ),
            ),
            Output("--out", "PATH", ROWS, tr("The folder or file to write."), required=True),
        ],
        help=tr("Write the runs of a sweep for other programs. See docs/experiments.md."),
    )


def _export(folder: str, form: str, out: str) -> int:
    write = EXPORTS[word_of({"format": form}, "format", EXPORTS)]
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
            tr("Failed and left out: {n_failed}.", n_failed=counted(kept.n_failed, "run")), err=True
        )
    return 0
