"""Drawing sheets for the command line: without a window, and without a display."""

import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from tilelab.core.errors import TileLabError
from tilelab.gui.sheet.painter import write_sheets
from tilelab.gui.shell.display import display_error
from tilelab.gui.shell.qt_application import make_application
from tilelab.sheets.sheet import Sheet, SheetOptions, SheetTargets


def draw_sheets(
    sheets: Sequence[Sheet], options: SheetOptions, targets: SheetTargets
) -> tuple[Path, ...]:
    """Draw sheets into files; what :data:`tilelab.sheets.sheet.DrawSheets` promises."""
    if QCoreApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        if error := display_error():
            raise TileLabError(error)
        make_application([], "light")
    return write_sheets(sheets, options, targets)
