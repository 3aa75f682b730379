"""Make a picture of the window after some seconds of work, without a display.

``python packaging/screenshot.py --out window.png`` acts like a user: load, GO, STOP.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer

from tilelab import catalog
from tilelab.gui.letters.word_panel import WordPanel
from tilelab.gui.puzzles.sliding.face import SlidingFace
from tilelab.gui.run.run_page import PuzzleFace
from tilelab.gui.shell.main_window import MainWindow
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import NAMES
from tilelab.runs.actions import Action, State

MAX_WAIT_MILLISECONDS = 120_000
"""Largest wait in milliseconds, enough to compile everything on a slow machine."""


def main(arguments: Sequence[str]) -> int:
    """Write the picture; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the PNG file to write")
    parser.add_argument("--puzzle", choices=tuple(catalog.puzzles()))
    parser.add_argument("--grid", type=Path, help="a saved grid or board to start from")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long to run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--theme", choices=NAMES[:-1], default="light")
    parser.add_argument("--size", default="1280x800", help="such as 1280x800")
    asked = parser.parse_args(arguments)
    make_application(sys.argv[:1], asked.theme)
    with tempfile.TemporaryDirectory() as folder:
        window = MainWindow(Settings(Path(folder) / "window.ini"))
        window.shutdown.asks = False
        window.set_theme(asked.theme)
        width, _, height = asked.size.partition("x")
        window.resize(int(width), int(height))
        window.show()
        _wait_for(window, State.READY)
        if asked.puzzle is not None:
            window.show_puzzle(asked.puzzle)
        _wait_for(window, State.READY)
        if asked.grid is not None:
            window.page.face.load.open(asked.grid)
        _play(window, asked.seed, asked.seconds)
        written = window.grab().save(str(asked.out), "PNG")
        window.close()
        window.deleteLater()
    if not written:
        sys.stderr.write(f"{asked.out} cannot be written\n")
    return 0 if written else 1


def _play(window: MainWindow, seed: int, seconds: float) -> None:
    """Run for some seconds, stop, and show a word's path or a place of the solution."""
    _wait_for(window, State.READY)
    window.page.panel.seed_field.set_seed(seed)
    window.act(Action.GO)
    _wait_for(window, State.RUNNING, State.FINISHED)
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()
    if Action.STOP in window.page.run.status.allowed:
        window.act(Action.STOP)
    _wait_for(window, State.PAUSED, State.FINISHED)
    _point_out(window.page.face)
    settle = QEventLoop()
    QTimer.singleShot(200, settle.quit)
    settle.exec()


def _point_out(face: PuzzleFace) -> None:
    """Highlight a part of the best: a word's path, or a place of the solution."""
    if isinstance(face, SlidingFace):
        bar = face.desk.solution_bar
        bar.go_to(bar.length // 3)
    elif isinstance(face.best_panel, WordPanel):
        face.best_panel.choose_first()


def _wait_for(window: MainWindow, *states: State) -> None:
    deadline = QDeadlineTimer(MAX_WAIT_MILLISECONDS)
    while window.page.run.status.state not in states or window.page.run.status.pending:
        loop = QEventLoop()
        QTimer.singleShot(10, loop.quit)
        loop.exec()
        if deadline.hasExpired():
            raise SystemExit(
                f"the window is still {window.page.run.status.state} after a long while"
            )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
