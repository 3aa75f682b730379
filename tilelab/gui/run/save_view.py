"""Saving the view that is shown: as PNG, or as SVG whose letters are shapes."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.solver import SolverSpec
from tilelab.core.text.language import marked, tr
from tilelab.gui.views.kinds import KINDS
from tilelab.gui.views.view_stack import ViewStack
from tilelab.gui.widgets.file_dialog import ask_to_save
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.text_painter import png_bytes, svg_bytes
from tilelab.gui.widgets.theme import current_theme
from tilelab.runs.files.atomic import write_atomically

_FILTERS = marked("PNG picture (*.png);;SVG picture (*.svg)")
_LEAST, _MARGIN, _PNG_SCALE = QSize(640, 420), 16, 2.0


def save_view(
    stack: ViewStack, solver: SolverSpec, settings: Settings, notice: NoticeBar, window: QWidget
) -> None:
    """Ask for a file, and write the view that is shown into it; nothing happens without one."""
    shown = stack.shown
    if shown is None or not stack.has_picture:
        return
    suggested = settings.folder / f"{solver.key}-{shown}.png"
    title = tr("Save the view: {title}", title=tr(KINDS[shown].title))
    path = ask_to_save(window, title, suggested, tr(_FILTERS))
    if path is None:
        return
    try:
        target = write_atomically(path, view_file(stack, path.suffix.lower() == ".svg"))
    except TileLabError as error:
        notice.show_error(str(error))
        return
    settings.folder = target.resolve().parent
    notice.show_done(tr("Saved {target}", target=target))


def view_file(stack: ViewStack, is_svg: bool) -> bytes:
    """Return what a file of the view holds, as large as it is shown, and readable at least."""
    shown = stack.shown
    assert shown is not None
    widget, theme = stack.widgets[shown], current_theme()
    assert isinstance(widget, QWidget)
    size = widget.size().expandedTo(_LEAST) + QSize(2 * _MARGIN, 2 * _MARGIN)
    inside = QRectF(0, 0, size.width(), size.height()).adjusted(
        _MARGIN, _MARGIN, -_MARGIN, -_MARGIN
    )

    def paint(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        widget.paint(painter, inside, theme)

    if is_svg:
        said = widget.accessibleDescription()
        return svg_bytes(size, theme.card, tr(KINDS[shown].title), said, paint)
    return png_bytes(size, theme.card, paint, scale=_PNG_SCALE)
