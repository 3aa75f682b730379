"""``tilelab table``: what the runs of a sweep say together."""

import click

from tilelab.cli.completion import completes, completes_files
from tilelab.cli.saying import say, say_lines
from tilelab.core.errors import UsageError
from tilelab.core.flags import path_of, word_of
from tilelab.core.text.language import tr
from tilelab.core.text.number_text import number_from
from tilelab.core.text.shown_text import quoted
from tilelab.core.text.wording import counted
from tilelab.experiments.results import read_results
from tilelab.experiments.statistics import in_words
from tilelab.experiments.tables import (
    FIGURES,
    FORMATS,
    across,
    by_setting,
    comparison_of,
    in_order,
    require_figure,
)


def table_command() -> click.Command:
    """Make the command."""
    return click.Command(
        "table",
        callback=_table,
        params=[
            click.Argument(["folder"], metavar="DIR", shell_complete=completes_files),
            click.Option(
                ["--of"],
                metavar="FIGURE",
                default="value",
                shell_complete=completes(lambda: FIGURES),
                help=tr(
                    "Of which figure: {figures}, or a metric of the solvers [default: value].",
                    figures=", ".join(FIGURES),
                ),
            ),
            click.Option(
                ["--across", "across_name"],
                metavar="PARAMETER",
                help=tr("Put the values of this parameter across: mean (minimum to maximum)."),
            ),
            click.Option(
                ["--target"],
                metavar="X",
                help=tr("Say how many runs have reached this value [default: the plan's]."),
            ),
            click.Option(
                ["--format", "form"],
                metavar="WORD",
                default="markdown",
                shell_complete=completes(lambda: FORMATS),
                help=tr("{formats} [default: markdown].", formats=", ".join(FORMATS)),
            ),
            click.Option(
                ["--sort"], metavar="COLUMN", help=tr("Sort the lines by a column, upwards.")
            ),
            click.Option(["--reverse"], is_flag=True, help=tr("Sort them downwards.")),
            click.Option(
                ["--tests"],
                is_flag=True,
                help=tr("Say whether the settings differ, and how surely."),
            ),
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
    lines = by_setting(kept, of, aim) if across_name is None else across(kept, of, across_name)
    if sort is not None:
        lines = in_order(lines, sort, downwards=reverse)
    elif reverse:
        raise UsageError(tr("--reverse goes with --sort COLUMN"))
    said = in_words(comparison_of(kept, of)) if tests else []
    is_text = write is FORMATS["markdown"]
    for sentence in kept.doubts:
        say(sentence, err=not is_text)
    if kept.doubts and is_text:
        say()
    say_lines(write(lines))
    for sentence in said:
        say()
        say(sentence)
    if kept.n_failed:
        say(
            tr("{n_failed} failed and left out.", n_failed=counted(kept.n_failed, "run")),
            err=True,
        )
    return 0


def target_of(text: str | None) -> float | None:
    """Return the number of ``--target``, or None where it is not given."""
    if text is None:
        return None
    try:
        return number_from(text)
    except ValueError:
        raise UsageError(tr("--target: {text} is not a number", text=quoted(text))) from None
