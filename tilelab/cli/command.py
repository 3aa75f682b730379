"""The commands, and their errors: one sentence and an exit status."""

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import click

import tilelab
from tilelab.cli.completion import PROGRAM, completion_command
from tilelab.cli.groups import (
    HelpSection,
    LateCommand,
    LateGroup,
    ProgramCommand,
    WholeGroup,
    own_commands,
)
from tilelab.cli.interruption import Interruption
from tilelab.cli.terminal import say, say_lines
from tilelab.core.errors import Stopped, TileLabError, UsageError
from tilelab.core.registry import Lazy
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import MAX_QUOTED, shortened, shown_path
from tilelab.plugins import leave_out, report_left_out

ERROR, USAGE_ERROR = 1, 2
Draw = Callable[..., tuple[Path, ...]]
"""A function that draws sheets; :mod:`tilelab.sheets.sheet` declares its arguments."""
_history_commands: Lazy[[], list[click.Command]] = Lazy("tilelab.cli.history:history_commands")
_lesson_commands: Lazy[[], list[click.Command]] = Lazy("tilelab.cli.lesson:lesson_commands")
_records_commands: Lazy[[], list[click.Command]] = Lazy("tilelab.cli.records:records_commands")
_run_command: Lazy[[str], click.Command] = Lazy("tilelab.cli.run:run_command")
_score_command: Lazy[[str], click.Command] = Lazy("tilelab.cli.run:score_command")
_search_command: Lazy[[str], click.Command] = Lazy("tilelab.cli.record_search:search_command")
_sheet_command: Lazy[[Draw | None], click.Command] = Lazy("tilelab.sheets.command:sheet_command")
"""The command for sheets, loaded late: sheets know the puzzles, and the command line does not."""
_HISTORY = ("list", "show", "export")
_LESSON = ("check", "pack")
_RECORDS = ("list", "show", "run")


def commands(draw: Draw | None = None) -> click.Group:
    """Make the whole command line; draw: as for :func:`main`."""
    top = WholeGroup(
        PROGRAM,
        {
            HelpSection.SOLVE: [
                LateGroup(
                    *("run", tr("puzzle to run"), _with_solvers, _run_command),
                    help=tr("Run a solver on a puzzle."),
                ),
                _late(
                    "tilelab.cli.resume:resume_command",
                    tr("Continue a run that was saved or interrupted."),
                ),
                LateGroup(
                    *("score", tr("puzzle to score"), _with_scores, _score),
                    help=tr("Score a board from a file."),
                ),
                _late(
                    "tilelab.cli.installation:list_command",
                    tr("List puzzles, solvers, lexicons, heuristics or instances."),
                ),
            ],
            HelpSection.PAPER: [
                LateCommand(
                    "sheet", partial(_sheet_command, draw), help=tr("Print puzzles on paper.")
                )
            ],
            HelpSection.RESULTS: [
                LateGroup(
                    *("history", tr("command of history"), lambda: list(_HISTORY)),
                    partial(_named, _history_commands),
                    help=tr("List, show and export previous runs."),
                ),
                LateGroup(
                    *("records", tr("command of records"), lambda: list(_RECORDS), _records),
                    default="list",
                    help=tr("List the best known values, show one, or search for a better one."),
                ),
            ],
            HelpSection.EXPERIMENTS: [
                _late("tilelab.cli.sweep:sweep_command", tr("Do the runs of a plan.")),
                _late(
                    "tilelab.cli.results:table_command",
                    tr("Print the table of a sweep and test for differences."),
                ),
                _late("tilelab.cli.results:plot_command", tr("Draw a chart of a sweep's results.")),
                _late(
                    "tilelab.cli.results:report_command",
                    tr("Write the results of a sweep as one HTML file."),
                ),
                _late(
                    "tilelab.cli.results:export_command",
                    tr("Write the runs of a sweep for other programs."),
                ),
                _late(
                    "tilelab.cli.tune:tune_command",
                    tr("Search for the best parameters of a solver."),
                ),
                _late(
                    "tilelab.cli.paper:paper_command",
                    tr("Reproduce a table of a paper and compare it with the printed one."),
                ),
            ],
            HelpSection.SET_UP: [
                LateGroup(
                    *("lesson", tr("command of lesson"), lambda: list(_LESSON)),
                    partial(_named, _lesson_commands),
                    help=tr("Check a lesson, or pack it with its pictures as one file."),
                ),
                _late(
                    "tilelab.cli.installation:warm_command",
                    tr("Compile all solvers in advance, so that no first run has to wait."),
                ),
                completion_command(),
                licences_command(),
            ],
        },
        help=tr(
            "A laboratory for letter boards and sliding tiles. Without arguments the window opens."
        ),
        params=[
            click.Option(
                ["--no-plugins"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_leave_plugins_out,
                help=tr("Load no plug-ins; alone, open the window without them."),
            )
        ],
        context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
    )
    return click.version_option(tilelab.__version__, prog_name="TileLab")(top)


def main(
    arguments: Sequence[str], interruption: Interruption | None = None, draw: Draw | None = None
) -> int:
    """Run the command line; return the exit status.

    0 done, 1 an error, 2 an error in the words of the command line themselves, 128 and the number
    of the signal that has stopped it. interruption: the object that notes the signals, if it is
    already in force. draw: draws sheets, which needs the window's part of the program; nothing here
    may import that.
    """
    if interruption is None:
        with Interruption() as mine:
            return main(arguments, mine, draw)
    _prepare_output()
    report_left_out(partial(say, err=True))
    try:
        status = commands(draw).main(
            list(arguments), prog_name=PROGRAM, standalone_mode=False, obj=interruption
        )
        sys.stdout.flush()
    except Stopped:
        return interruption.say_stopped()
    except click.ClickException as error:
        return _say(_shorten(error.format_message(), arguments), error.exit_code)
    except TileLabError as error:
        return _say(str(error), USAGE_ERROR if isinstance(error, UsageError) else ERROR)
    except MemoryError:
        return _say(tr("There is not enough memory for this."))
    except BrokenPipeError:
        _give_up_output()
        return ERROR
    except OSError as error:
        if error.filename is None:
            _give_up_output()
        name = tr("The output") if error.filename is None else shown_path(str(error.filename))
        return _say(f"{name}: {error.strerror or error}")
    return status if isinstance(status, int) else 0


def _leave_plugins_out(_context: click.Context, _option: click.Parameter, value: bool) -> None:
    if value:
        leave_out()


def _with_solvers() -> list[str]:
    from tilelab import catalog

    return [key for key in catalog.puzzles() if catalog.solvers(key)]


def _with_scores() -> list[str]:
    from tilelab import catalog

    known, own = catalog.puzzles(), own_commands("score")
    return [key for key, cls in known.items() if cls.spec.scores_boards or key in own]


def _with_records() -> list[str]:
    from tilelab import catalog

    known = catalog.puzzles()
    return [key for key in _with_solvers() if known[key].spec.has_records]


def _late(place: str, text: str) -> click.Command:
    """Make the command of a function; its name ends with _command."""
    name = place.partition(":")[2].removesuffix("_command")
    return LateCommand(name, Lazy(place), help=text)


def _named(made: Callable[[], list[click.Command]], name: str) -> click.Command:
    return next(command for command in made() if command.name == name)


def _records(name: str) -> click.Command:
    if name == "run":
        return LateGroup(
            *("run", tr("puzzle to run"), _with_records, _search_command),
            help=tr("Search for a better value with one seed after another."),
        )
    return _named(_records_commands, name)


def _score(puzzle_key: str) -> click.Command:
    own = own_commands("score").get(puzzle_key)
    return own.make() if own else _score_command(puzzle_key)


def _say(text: str, status: int = ERROR) -> int:
    say(" ".join(text.split()), err=True)
    return status


def _shorten(message: str, arguments: Sequence[str]) -> str:
    """Shorten words that click quotes whole."""
    for argument in arguments:
        for given in (argument, argument.partition("=")[2]):
            if len(given) > MAX_QUOTED:
                message = message.replace(given, shortened(given))
    return message


def _prepare_output() -> None:
    """Ensure that neither a symbol of a lexicon nor a closed output can interrupt a result."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # the program that started this one has closed it
            setattr(sys, name, io.StringIO())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _give_up_output() -> None:
    """Stop writing to a closed output; Python would report it once more at its end."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def licences_command() -> click.Command:
    return ProgramCommand(
        "licences",
        example="--texts",
        callback=_licences,
        params=[click.Option(["--texts"], is_flag=True, help=tr("Print the full texts, too."))],
        help=tr("List the licences of the program, its packages and its data."),
    )


def _licences(texts: bool) -> int:
    from tilelab.core.licences import licences

    found = licences()
    say_lines("\n".join(one.title for one in found))
    if texts:
        for one in found:
            text = one.text or tr("It brings no text.")
            say_lines(f"\n{'=' * 72}\n{one.title}\n\n{text}")
    return 0


def command_pages() -> str:
    """Return a section for each command and its subcommands, as ``-h`` prints them."""
    whole = commands()
    context = click.Context(whole, info_name="tilelab", **whole.context_settings)
    return "\n".join(_pages(whole, context))


def _pages(command: click.Command, context: click.Context) -> Iterator[str]:
    depth = 3 if context.parent is None or context.parent.parent is None else 4
    yield f"{'#' * depth} `{context.command_path}`\n\n```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from _pages(below, click.Context(below, parent=context, info_name=name))
