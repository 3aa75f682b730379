"""Entry point of ``tilelab`` and ``python -m tilelab``.

Without arguments it opens the window; with arguments it is the command line. A run file or a lesson
as the only argument opens in the window.
"""

import gc
import multiprocessing
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tilelab.cli.interruption import Interruption
from tilelab.core.errors import Stopped
from tilelab.core.files.paths import path_from
from tilelab.core.registry import Lazy
from tilelab.core.text import language
from tilelab.lessons import ENDING, PACKED

if TYPE_CHECKING:
    from tilelab.cli.command import command_pages
    from tilelab.gui.shell.qt_application import draw_sheets
else:  # The window and the command line do not import each other.
    command_pages = Lazy("tilelab.cli.command:command_pages")
    draw_sheets = Lazy("tilelab.gui.shell.qt_application:draw_sheets")

RUN_SUFFIX = ".tilelab"
"""Repeated here because the module of run files loads all puzzles, and `--version` needs none."""

_SUFFIXES = (RUN_SUFFIX, ENDING, PACKED)

COMPLETION = "_TILELAB_COMPLETE"
NO_PLUGINS = "--no-plugins"


def lighten_start() -> None:
    """Make imports faster; call this before numpy is imported.

    The threads of numpy's linear algebra spin for a tenth of a second after their start, in every
    process, and no array here is large enough for them. Imports create no garbage to collect.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()


def main() -> None:
    """Start the program; this function never returns."""
    # In a frozen program this must come before anything else.
    multiprocessing.freeze_support()
    lighten_start()
    language.use(language.of_system())
    words = sys.argv[1:]
    leaves_out = words[:1] == [NO_PLUGINS]
    file = _file_for_window(words[leaves_out:])
    # Shell completion sets an environment variable and passes no arguments.
    has_command = (len(words) > leaves_out or COMPLETION in os.environ) and file is None
    interruption = Interruption()
    interruption.begin()
    try:
        sys.exit(_command_line(words, interruption) if has_command else _window(file, leaves_out))
    except Stopped:
        sys.exit(interruption.say_stopped())


def _window(file: Path | None, leaves_out: bool) -> int:
    """Open the window, which then handles signals itself."""
    from tilelab.gui.shell.app import run
    from tilelab.manual.places import register_filler
    from tilelab.plugins import leave_out

    register_filler("commands", command_pages)
    if leaves_out:
        leave_out()
    return run(file)


def _file_for_window(arguments: Sequence[str]) -> Path | None:
    """Return the run file or the lesson that is the only argument, or None."""
    path = path_from(*arguments) if len(arguments) == 1 else None
    return path if path is not None and path.suffix in _SUFFIXES and path.is_file() else None


def _command_line(arguments: Sequence[str], interruption: Interruption) -> int:
    """Run the command line; signals are handled from before it is loaded to the very end."""
    from tilelab.cli.command import main as command_line

    # Collect seldom: most new objects are modules and types, which stay.
    gc.set_threshold(20_000)
    gc.enable()
    return command_line(arguments, interruption, draw_sheets)


if __name__ == "__main__":
    main()
