"""The commands, and what becomes of their faults: one sentence and an exit status."""

import contextlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

import tilelab
from tilelab.cli.interruption import Interruption, Stopped
from tilelab.cli.listing import list_command
from tilelab.cli.saying import say
from tilelab.cli.tables import tables_command
from tilelab.core.errors import TileLabError
from tilelab.core.shown_text import MOST_QUOTED, quoted, shortened, shown_path

FAULT = 1


class NamedGroup(click.Group):
    """Commands of a kind; when one is missing or unknown, those that there are get named."""

    what = "command"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            raise click.UsageError(f"Which {self.what}? There is {self._known(ctx)}")
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and name not in self.list_commands(ctx):
            raise click.UsageError(
                f"{quoted(name)} is not a {self.what}; there is {self._known(ctx)}"
            )
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names in the order in which they are met."""
        return list(self.commands)

    def _known(self, ctx: click.Context) -> str:
        return ", ".join(self.list_commands(ctx)) or "none yet"


class PuzzleGroup(NamedGroup):
    """One command for each puzzle, made only when it is asked for: that loads the kernels.

    keys: lists the puzzles that the command can do something with.
    """

    def __init__(
        self,
        name: str,
        keys: Callable[[], list[str]],
        make: Callable[[str], click.Command],
        **settings: Any,
    ) -> None:
        super().__init__(name, **settings)
        self.what = f"puzzle to {name}"
        self._keys = keys
        self._make = make

    def list_commands(self, ctx: click.Context) -> list[str]:
        return self._keys()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self._make(cmd_name) if cmd_name in self._keys() else None


class LateCommand(click.Command):
    """A command that is made only when it is called: that loads the kernels."""

    def __init__(self, name: str, make: Callable[[], click.Command], **settings: Any) -> None:
        super().__init__(name, **settings)
        self._make = make

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        return self._make().make_context(info_name, args, parent, **extra)


class _HistoryGroup(NamedGroup):
    """The commands of the history, loaded only when they are asked for."""

    what = "command of history"

    def list_commands(self, ctx: click.Context) -> list[str]:
        return ["list", "show", "export"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from tilelab.cli.history import history_commands

        made = {command.name: command for command in history_commands()}
        return made.get(cmd_name)


def commands() -> click.Group:
    """Make the whole command line."""
    top = NamedGroup(
        "tilelab",
        help="A laboratory for letter grids and sliding tiles. Without arguments the window opens.",
        context_settings={"max_content_width": 100},
        commands=[
            PuzzleGroup("run", _with_solvers, _run, help="Run a solver on a puzzle."),
            PuzzleGroup("score", _with_scores, _score, help="Score a grid that someone else made."),
            LateCommand("resume", _resume, help="Go on with a run that was saved or interrupted."),
            list_command(),
            _HistoryGroup("history", help="List, show and export the runs that there were."),
            tables_command(),
        ],
    )
    return click.version_option(tilelab.__version__, prog_name="TileLab")(top)


def main(arguments: Sequence[str], interruption: Interruption | None = None) -> int:
    """Run the command line; returns the exit status.

    0 done, 1 a fault, 128 and the number of the signal that has stopped it.
    interruption: what notes the signals, when it is in force already.
    """
    if interruption is None:
        with Interruption() as mine:
            return main(arguments, mine)
    _let_everything_be_written()
    try:
        status = commands().main(
            list(arguments), prog_name="tilelab", standalone_mode=False, obj=interruption
        )
        sys.stdout.flush()
    except Stopped:
        return interruption.say_stopped()
    except click.ClickException as fault:
        return _say(_shortly(fault.format_message(), arguments))
    except TileLabError as fault:
        return _say(str(fault))
    except MemoryError:
        return _say("There is not enough memory for this.")
    except BrokenPipeError:
        _give_up_output()
        return FAULT
    except OSError as fault:
        if fault.filename is None:
            _give_up_output()
        name = "The output" if fault.filename is None else shown_path(str(fault.filename))
        return _say(f"{name}: {fault.strerror or fault}")
    return status if isinstance(status, int) else 0


def _with_solvers() -> list[str]:
    from tilelab import catalog

    return [key for key in catalog.puzzles() if catalog.solvers(key)]


def _with_scores() -> list[str]:
    from tilelab import catalog

    return [key for key, cls in catalog.puzzles().items() if cls.spec.scores_boards]


def _run(puzzle_key: str) -> click.Command:
    from tilelab.cli.run import run_command

    return run_command(puzzle_key)


def _resume() -> click.Command:
    from tilelab.cli.resume import resume_command

    return resume_command()


def _score(puzzle_key: str) -> click.Command:
    from tilelab.cli.score import score_command

    return score_command(puzzle_key)


def _say(text: str) -> int:
    say(" ".join(text.split()), err=True)
    return FAULT


def _shortly(message: str, arguments: Sequence[str]) -> str:
    """Shorten what click quotes whole."""
    for argument in arguments:
        for given in (argument, argument.partition("=")[2]):
            if len(given) > MOST_QUOTED:
                message = message.replace(given, shortened(given))
    return message


def _let_everything_be_written() -> None:
    """See to it that no symbol of a lexicon, and no closed output, can break a result off."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # it was closed by whoever started the program
            setattr(sys, name, io.StringIO())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _give_up_output() -> None:
    """Nobody takes the output any more; Python would complain once more at its end."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
