"""``tilelab`` and ``python -m tilelab``: without arguments the window, else the command line."""

import multiprocessing
import sys
from collections.abc import Sequence

from tilelab.cli.interruption import Interruption, Stopped


def main() -> None:
    """Start the program; never returns."""
    # In a frozen program this must come before anything else.
    multiprocessing.freeze_support()
    if len(sys.argv) > 1:
        sys.exit(_command_line(sys.argv[1:]))
    from tilelab.gui.app import run

    sys.exit(run())


def _command_line(arguments: Sequence[str]) -> int:
    """Run the command line; signals count from here, where loading it begins, to the very end."""
    interruption = Interruption()
    interruption.take()
    try:
        from tilelab.cli.command import main as command_line

        return command_line(arguments, interruption)
    except Stopped:
        return interruption.say_stopped()


if __name__ == "__main__":
    main()
