"""``tilelab report``: the results of a sweep as one HTML file."""

import click

from tilelab.cli.completion import completes_files
from tilelab.cli.outputs import FILE, Output, WritingCommand
from tilelab.cli.saying import say
from tilelab.core.files.paths import path_text
from tilelab.core.flags import path_of
from tilelab.core.text.language import tr
from tilelab.experiments.report import write_report
from tilelab.runs.files.kinds import PAGE


def report_command() -> click.Command:
    """Make the command."""
    return WritingCommand(
        "report",
        callback=_report,
        params=[
            click.Argument(["folder"], type=FILE, metavar="DIR", shell_complete=completes_files),
            Output(
                "--out",
                PAGE,
                metavar="FILE",
                required=True,
                help=tr("The HTML file to write."),
            ),
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
