"""Opening the window."""

import os
import sys

from tilelab.gui.display import display_available

NO_DISPLAY = (
    "There is no display to open a window on; `tilelab run boggle` does the same in the terminal."
)


def run() -> int:
    """Open the main window and stay until it is closed; returns the exit status."""
    if not display_available():
        sys.stderr.write(NO_DISPLAY + "\n")
        return 1
    # Only now: without Qt's libraries these imports fail.
    from tilelab.gui.application import make_application
    from tilelab.gui.main_window import MainWindow
    from tilelab.gui.run_thread import any_unfinished

    app = make_application(sys.argv)
    window = MainWindow()
    window.show()
    status = app.exec()
    if any_unfinished():
        # A compiler cannot be broken off, and ending Python under it would abort.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status
