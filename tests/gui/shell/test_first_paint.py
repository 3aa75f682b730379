"""What is loaded before the window's first paint: nothing that it does not show."""

import os
import subprocess
import sys

import pytest

from tests.programs import ROOT

PROGRAM = """
import builtins
import sys

import psutil

from tilelab.__main__ import lighten_start

lighten_start()
from tilelab.gui.shell.app import import_before_qt

plain_import = builtins.__import__
import_before_qt()
# Qt's hook reads the source of each module that is imported after Qt.
assert builtins.__import__ is plain_import
# The threads of linear algebra spin for a tenth of a second after their start.
assert psutil.Process().num_threads() == 1
loaded = list(sys.modules)
assert max(map(loaded.index, ("numpy", "pydantic", "tilelab.catalog"))) < loaded.index("PySide6")

from PySide6.QtCore import QEvent, QEventLoop, QObject

from tilelab.gui.shell.main_window import MainWindow
from tilelab.gui.shell.qt_application import make_application

LATER = (
    "numba",
    "pyqtgraph",
    "tilelab.gui.lab.history.window",
    "tilelab.gui.lab.race.dialog",
    "tilelab.gui.shell.recovery_dialog",
    "tilelab.gui.puzzles.sliding.face",
    "tilelab.gui.puzzles.wordtiles.face",
    "tilelab.runs.history.store",
)


def print_missing():
    print(*(name for name in LATER if name not in sys.modules))


class FirstPaint(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            window.page.removeEventFilter(self)
            assert "click" not in sys.modules  # which only the command line needs
            print_missing()
        return False


app = make_application([])
# With Python's own 5 ms the window waits for 40 to 60 while kernels are compiled.
assert sys.getswitchinterval() <= 0.001
# Two threads that import it at once, for numba and for pyqtgraph, can fail.
assert "colorama" in sys.modules
window = MainWindow()
watcher = FirstPaint()
window.page.installEventFilter(watcher)
loop = QEventLoop()
window.loaded.connect(loop.quit)
window.show()
loop.exec()
ready = QEventLoop()
window.page.run.status_changed.connect(
    lambda: None if window.page.run.status.pending else ready.quit()
)
if window.page.run.status.pending:
    ready.exec()
print_missing()
window.close()
"""


PLUG_INS = """
from tilelab.gui.shell.app import choose_plugins, import_before_qt

choose_plugins()
import_before_qt()
from PySide6.QtWidgets import *

print(QWizard.__name__)  # which nothing has used yet
"""


@pytest.mark.exhaustive
def test_plug_ins_can_import_all_names_of_qt(tmp_path):
    """Noticed: Qt's hook of imports, which completes them, is taken back under plug-ins."""
    done = start(PLUG_INS, tmp_path)
    assert (done.stdout, done.stderr) == ("QWizard\n", "")


def test_what_is_not_shown_is_loaded_after_the_first_paint(tmp_path):
    done = start(PROGRAM, tmp_path)
    assert done.stderr == ""
    at_first_paint, afterwards = done.stdout.split("\n")[:2]
    assert len(at_first_paint.split()) == 8
    assert afterwards == ""


def start(program, tmp_path):
    """Run a program in a process of its own."""
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "TILELAB_CONFIG_DIR": str(tmp_path / "settings"),
        "TILELAB_DATA_DIR": str(tmp_path / "data"),
    }
    environment.pop("OPENBLAS_NUM_THREADS", None)
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
