"""``tilelab plot``: a chart of a sweep's results as a picture."""

import click

from tilelab.cli.completion import completes, completes_files
from tilelab.cli.outputs import FILE, Output, WritingCommand
from tilelab.cli.saying import say
from tilelab.cli.table import target_of
from tilelab.core.files.paths import path_text
from tilelab.core.flags import path_of, word_of
from tilelab.core.text.language import tr
from tilelab.experiments.chart_values import Options
from tilelab.experiments.charts import KINDS, chart_of
from tilelab.experiments.results import read_results
from tilelab.experiments.tables import FIGURES
from tilelab.runs.files.kinds import PICTURE


def plot_command() -> click.Command:
    """Make the command."""
    return WritingCommand(
        "plot",
        callback=_plot,
        params=[
            click.Argument(["folder"], type=FILE, metavar="DIR", shell_complete=completes_files),
            click.Option(
                ["--kind"],
                metavar="WORD",
                default="boxes",
                shell_complete=completes(lambda: KINDS),
                help=tr("{kinds} [default: boxes].", kinds=", ".join(KINDS)),
            ),
            click.Option(
                ["--of"],
                metavar="FIGURE",
                default="value",
                shell_complete=completes(lambda: FIGURES),
                help=tr(
                    "Boxes, lines and heat maps of which figure: {figures}, or a "
                    "metric of the solvers [default: value].",
                    figures=", ".join(FIGURES),
                ),
            ),
            click.Option(
                ["--x"],
                metavar="AXIS",
                default="",
                help=tr(
                    "What stands across: a parameter that varies, or solver; of curves "
                    "evaluations, units or seconds."
                ),
            ),
            click.Option(
                ["--y"], metavar="AXIS", default="", help=tr("The other axis of a heat map.")
            ),
            click.Option(
                ["--target"],
                metavar="X",
                help=tr(
                    "The value whose reaching run-length shows [default: the plan's, or one that "
                    "half of the runs have reached]."
                ),
            ),
            Output(
                "--out",
                PICTURE,
                metavar="FILE",
                required=True,
                help=tr("The picture to write, .png or .svg."),
            ),
        ],
        help=tr("Draw a chart of a sweep's results. See docs/experiments.md."),
    )


def _plot(folder: str, kind: str, of: str, x: str, y: str, target: str | None, out: str) -> int:
    word_of({"kind": kind}, "kind", KINDS)
    options = Options(figure=of, x=x, y=y, target=target_of(target))
    file = path_of("--out", out)
    chart = chart_of(read_results(path_of("DIR", folder)), kind, options)
    from tilelab.experiments.drawing import write_picture  # matplotlib, which may not be there

    written = write_picture(chart, file)
    say(chart.caption, err=True)
    say(path_text(written))
    return 0
