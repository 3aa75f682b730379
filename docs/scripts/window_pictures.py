"""Take the pictures of the window: run ``python docs/scripts/window_pictures.py [NAME …]``.

No display is needed. Each picture is taken in a process of its own, which has settings and a
history of its own. Figures in them depend on the speed of the machine.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parents[1]
SIZE = (1280, 800)


def run_picture(path, *arguments):
    """Load, GO, some seconds, STOP."""
    size = "{}x{}".format(*SIZE)
    script = FOLDER.parent / "packaging" / "screenshot.py"
    command = [sys.executable, script, "--out", path, "--size", size, *arguments]
    subprocess.run(command, check=True)


def tree_picture(path):
    """The tree of A*, step by step."""
    from PySide6.QtTest import QTest

    from tilelab.core.views import ViewKind
    from tilelab.runs.actions import Action

    window = empty_window("sliding")
    page = window.page
    page.choose_solver("a-star")
    page.solver_set.emit()
    page.panel.controls["heuristic"].set_value("manhattan")
    page.view_stack.captions.setChecked(True)
    page.view_stack.choose(ViewKind.TREE)
    for _ in range(16):
        window.act(Action.STEP)
        QTest.qWait(300)
    take(window, path)


def race_picture(path):
    """Two solvers side by side."""
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QComboBox

    from tilelab.runs.actions import Action

    window = empty_window("boggle")
    window.show_race()
    window.race.resize(*SIZE)
    race = window.race
    race.frame.table.selectRow(1)
    solvers = race.findChild(QComboBox, "race_solver")
    solvers.setCurrentIndex(solvers.findData("annealing"))
    race.act(Action.GO)
    wait_until(lambda: race.statuses and all(one.seconds > 4 for one in race.statuses))
    race.act(Action.STOP)
    QTest.qWait(1000)
    take(window.race, path)


def compare_picture(path):
    """Two searches step by step."""
    from PySide6.QtTest import QTest

    from tilelab.runs.actions import Action

    window = empty_window("sliding")
    window.page.choose_solver("a-star")
    window.show_step_by_step()
    race = window.race
    race.resize(*SIZE)
    for _ in range(4):
        race.act(Action.STEP)
        wait_until(lambda: not race.is_running)
    QTest.qWait(1000)
    take(race, path)


PICTURES = {
    "window-light": lambda path: run_picture(path, "--seconds", "6"),
    "window-dark": lambda path: run_picture(path, "--seconds", "6", "--theme", "dark"),
    "window-sliding": lambda path: run_picture(path, "--puzzle", "sliding"),
    "window-words": lambda path: run_picture(path, "--puzzle", "wordtiles"),
    "window-tree": tree_picture,
    "window-race": race_picture,
    "window-compare": compare_picture,
}


def empty_window(puzzle):
    """A window without a past, ready for a run."""
    from tilelab.gui.shell.main_window import MainWindow
    from tilelab.gui.shell.qt_application import make_application
    from tilelab.gui.widgets.settings import Settings

    make_application(sys.argv[:1], "light")
    window = MainWindow(Settings(Path(os.environ["TILELAB_CONFIG_DIR"]) / "window.ini"))
    window.resize(*SIZE)
    window.show()
    window.show_puzzle(puzzle)
    wait_until(lambda: window.page.run.status.allowed and not window.page.run.status.pending)
    return window


def wait_until(is_so):
    """Wait, two minutes at most: kernels may have to be compiled."""
    from PySide6.QtTest import QTest

    for _ in range(1200):
        if is_so():
            return
        QTest.qWait(100)
    sys.exit("the window is not ready after two minutes")


def take(window, path):
    """Write a picture and end, whatever is still at work."""
    is_written = window.grab().save(str(path), "PNG")
    sys.stdout.flush()
    os._exit(0 if is_written else 1)


def main(names):
    """Take all pictures, or those that are named."""
    for name in names or PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            own = {
                "QT_QPA_PLATFORM": "offscreen",
                "TILELAB_CONFIG_DIR": f"{folder}/settings",
                "TILELAB_DATA_DIR": f"{folder}/data",
            }
            command = [sys.executable, __file__, "--take", name]
            subprocess.run(command, env={**os.environ, **own}, check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--take"]:
        PICTURES[sys.argv[2]](FOLDER / f"{sys.argv[2]}.png")
    else:
        main(sys.argv[1:])
