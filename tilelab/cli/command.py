"""The commands, and what becomes of their faults: one sentence and an exit status."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

import tilelab
from tilelab.cli.listing import list_command
from tilelab.core.errors import TileLabError

FAULT = 1
INTERRUPTED = 130


class PuzzleGroup(click.Group):
    """One command for each puzzle, made only when it is asked for: that loads the kernels."""

    def __init__(self, name: str, make: Callable[[str], click.Command], **settings: Any) -> None:
        super().__init__(name, **settings)
        self._make = make

    def list_commands(self, ctx: click.Context) -> list[str]:
        from tilelab import catalog

        return list(catalog.puzzles())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self._make(cmd_name) if cmd_name in self.list_commands(ctx) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        return _resolve(super().resolve_command, self, ctx, args, "puzzle")


class Commands(click.Group):
    """The top level; its commands are listed in the order in which they are met."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        return _resolve(super().resolve_command, self, ctx, args, "command")


def commands() -> click.Group:
    """Make the whole command line."""
    top = Commands(
        "tilelab",
        help="A laboratory for letter grids. Without arguments the window opens.",
        context_settings={"max_content_width": 100},
        commands=[
            PuzzleGroup("run", _run, help="Run a solver on a puzzle."),
            PuzzleGroup("score", _score, help="Score a grid that someone else made."),
            list_command(),
        ],
    )
    return click.version_option(tilelab.__version__, prog_name="TileLab")(top)


def main(arguments: Sequence[str]) -> int:
    """Run the command line; returns the exit status: 0 done, 1 a fault, 130 interrupted."""
    try:
        status = commands().main(list(arguments), prog_name="tilelab", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as fault:
        return _say(fault.format_message())
    except TileLabError as fault:
        return _say(str(fault))
    except MemoryError:
        return _say("There is not enough memory for this.")
    except (click.Abort, KeyboardInterrupt):
        _say("Stopped before there was anything to write.")
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever was reading has gone; Python would complain once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAULT
    return status if isinstance(status, int) else 0


def _run(puzzle_key: str) -> click.Command:
    from tilelab.cli.run import run_command

    return run_command(puzzle_key)


def _score(puzzle_key: str) -> click.Command:
    from tilelab.cli.score import score_command

    return score_command(puzzle_key)


def _say(text: str) -> int:
    click.echo(" ".join(text.split()), err=True)
    return FAULT


def _resolve(
    resolve: Callable[
        [click.Context, list[str]], tuple[str | None, click.Command | None, list[str]]
    ],
    group: click.Group,
    ctx: click.Context,
    args: list[str],
    what: str,
) -> tuple[str | None, click.Command | None, list[str]]:
    """Name what there is when something else was asked for."""
    if args and not args[0].startswith("-") and group.get_command(ctx, args[0]) is None:
        known = ", ".join(group.list_commands(ctx))
        raise click.UsageError(f"{args[0]!r} is not a {what}; there is {known}")
    return resolve(ctx, args)
