"""Store and restore the place and state of the main window."""

from PySide6.QtWidgets import QApplication, QWidget

from tilelab.gui.run.choices import last_pace
from tilelab.gui.run.large_type import scale_texts
from tilelab.gui.run.messages import Lender
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.run.transport import SPEEDS
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import apply_theme
from tilelab.gui.widgets.window_place import keep_on_screen

SIZE = (1280, 800)
SMALLEST = (480, 360)  # minimum size of the window; smaller than the pages, which then scroll


def set_theme(name: str) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, name)


def apply_text_size(settings: Settings) -> None:
    scale_texts(settings.preferences.text_size / 100)


def restore_looks(settings: Settings) -> None:
    """Apply the stored theme, if there is one, and the size of texts."""
    if settings.text("theme"):
        set_theme(settings.preferences.theme)
    apply_text_size(settings)


def restore(window: QWidget, settings: Settings) -> None:
    """Restore place and size; defaults where nothing is stored."""
    window.setMinimumSize(*SMALLEST)
    window.resize(*SIZE)
    window.restoreGeometry(settings.bytes("geometry"))
    keep_on_screen(window)


def remember(window: QWidget, settings: Settings) -> None:
    """Store the place and size of the window."""
    settings.set_bytes("geometry", window.saveGeometry())
    settings.write()


def restore_page(page: PuzzlePage, settings: Settings) -> None:
    """Restore splitters, open sections and the speed of a puzzle's page."""
    key = page.puzzle_key
    page.client.set_pace(last_pace(settings, key, SPEEDS.values()))
    page.columns.restoreState(settings.bytes(f"{key}/columns"))
    page.middle.restoreState(settings.bytes(f"{key}/middle"))
    page.panel.set_open_sections(settings.lines(f"{key}/open_sections"))
    page.panel.set_folded(settings.flag(f"{key}/parameters_folded"))
    page.wants_chart = settings.flag(f"{key}/chart_at_side")


def remember_page(page: PuzzlePage, settings: Settings) -> None:
    """Store what :func:`restore_page` restores."""
    key = page.puzzle_key
    for name, state in zip(("columns", "middle"), page.sizes_to_keep, strict=True):
        settings.set_bytes(f"{key}/{name}", state)
    settings.set_lines(f"{key}/open_sections", page.panel.open_sections())
    settings.set_flag(f"{key}/parameters_folded", page.folds_parameters)
    settings.set_flag(f"{key}/chart_at_side", page.wants_chart)
    face = page.face
    kept = face.board_to_keep(), face.constraints_to_keep()
    # The board of an opened run is kept with its solver; what a lesson has set does not outlast it.
    is_run = page.source.context.lender is Lender.RUN
    solver = page.choices.solver_key if is_run else page.choices.own_solver_key
    page.choices.remember(settings, solver, face.lexicon, *kept, page.look.own_pace)
    face.remember()
