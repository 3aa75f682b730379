"""``tilelab`` and ``python -m tilelab``: without arguments the window, else the command line."""

import multiprocessing
import sys


def main() -> None:
    """Start the program; never returns."""
    # In a frozen program this must come before anything else.
    multiprocessing.freeze_support()
    if len(sys.argv) > 1:
        from tilelab.cli.command import main as command_line

        sys.exit(command_line(sys.argv[1:]))
    from tilelab.gui.app import run

    sys.exit(run())


if __name__ == "__main__":
    main()
