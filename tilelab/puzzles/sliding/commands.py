"""The commands for sliding tiles only: ``tilelab tables``, and the scoring of a board."""

import click

from tilelab.cli.groups import HelpSection, NamedGroup, OwnCommand, ProgramCommand, register_command
from tilelab.cli.terminal import say
from tilelab.core.registry import Lazy
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import duration


def tables_command() -> click.Command:
    """Make the command that builds the large tables of pattern databases in advance."""
    build = ProgramCommand(
        "build",
        example="5-5-5",
        callback=_build,
        params=[click.Argument(["partition"], metavar="5-5-5|6-6-3|7-8|6-6-6-6")],
        help=tr(
            "Build the pattern databases of a partition and keep them in the cache: 6-6-6-6 is "
            "for boards of 5×5, the others are for 4×4."
        ),
    )
    return NamedGroup("tables", commands=[build], help=tr("Build pattern databases."))


def _build(partition: str) -> int:
    import time
    from contextlib import closing

    from rich.console import Console
    from rich.progress import Progress

    from tilelab.puzzles.sliding.heuristics import pattern_database as patterns

    n_bytes = sum(patterns.partition_named(partition).sizes)
    began = time.monotonic()
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(tr("Making {partition}", partition=partition), total=1.0)
        # Closed in any case, also after Ctrl-C, so that no incomplete file is left.
        with closing(patterns.building(partition)) as slices:
            for share in slices:
                progress.update(task, completed=share)
    seconds = time.monotonic() - began
    say(
        tr(
            "{partition}: {megabytes} MB in {time}",
            partition=partition,
            megabytes=figures(n_bytes / 2**20, ",.0f"),
            time=duration(seconds),
        )
    )
    return 0


_score: Lazy[[], click.Command] = Lazy(
    "tilelab.puzzles.sliding.score_command:score_sliding_command"
)
register_command(OwnCommand("tables", tables_command, section=HelpSection.SET_UP))
register_command(OwnCommand("sliding", _score, group="score"))
