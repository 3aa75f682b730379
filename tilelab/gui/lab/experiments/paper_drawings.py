"""The charts and pictures that belong to a paper's table, each behind a button beside the table."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QButtonGroup, QFrame, QStackedWidget, QWidget

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import tool_tip
from tilelab.experiments.chart_values import Chart
from tilelab.experiments.papers.base import Comparison, Picture
from tilelab.gui.lab.experiments.chart_view import ExperimentChart
from tilelab.gui.widgets.parts import column_layout, row_layout, text_label
from tilelab.gui.widgets.segments import SegmentButton
from tilelab.gui.widgets.theme import set_role


class PaperDrawings(QStackedWidget):
    """Shows one thing of a comparison at a time: its table, a chart or a picture."""

    def __init__(self, table: QWidget, parent: QWidget) -> None:
        """table: what is seen first, and always there."""
        super().__init__(parent)
        self.addWidget(table)
        self.switch = QFrame(parent)
        self.switch.setAccessibleName(tr("What is shown of the table"))
        set_role(self.switch, "segments")
        self._row = row_layout(self.switch, 2, 0)
        self._group = QButtonGroup(self)
        self.buttons: list[SegmentButton] = []
        self._pages: list[QWidget] = []
        self.show_comparison(None)

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Show the table of another comparison, and buttons for what it has besides."""
        for button in self.buttons:
            self._group.removeButton(button)
            self._row.removeWidget(button)
            button.setParent(None)
            button.deleteLater()
        self.buttons = []
        for page in self._pages:
            self.removeWidget(page)
            page.deleteLater()
        self._pages = []
        kinds: dict[str, Sequence[Chart | Picture]] = {}
        if comparison is not None:
            kinds = {tr("Chart"): comparison.charts, tr("Picture"): comparison.pictures}
        self.switch.setVisible(any(kinds.values()))
        if not any(kinds.values()):
            return
        self._add_button(tr("Table"), tr("The printed figures beside ours"))
        for kind, drawings in kinds.items():
            for number, drawing in enumerate(drawings, 1):
                self._pages.append(_page(drawing, self))
                self.addWidget(self._pages[-1])
                word = kind if len(drawings) == 1 else f"{kind} {number}"
                self._add_button(word, tool_tip(drawing.title))
        self.buttons[0].setChecked(True)

    def _add_button(self, word: str, tip: str) -> None:
        button = SegmentButton(word, self.switch)
        place = len(self.buttons)
        button.setObjectName(f"paper_shown_{place}")
        button.setToolTip(tip)
        button.setCheckable(True)
        button.clicked.connect(partial(self._show_page, place))
        self._group.addButton(button)
        self._row.addWidget(button)
        self.buttons.append(button)

    def _show_page(self, place: int, _checked: bool = False) -> None:
        self.setCurrentIndex(place)


class _PictureView(QWidget):
    """Draws a picture as large as there is room, on its own ground."""

    def __init__(self, picture: Picture, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Picture: {title}").format(title=picture.title))
        self._drawn = QSvgRenderer(picture.svg.encode(), self)
        self._drawn.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._drawn.render(painter, self.rect())
        painter.end()


def _page(drawing: Chart | Picture, parent: QWidget) -> QWidget:
    """Return a picture, which has its title in it, or a chart between its title and its words."""
    if isinstance(drawing, Picture):
        return _PictureView(drawing, parent)
    page = QWidget(parent)
    column = column_layout(page, 0, 6)
    column.addWidget(text_label("muted", page, drawing.title))
    chart = ExperimentChart(page)
    chart.show_chart(drawing)
    column.addWidget(chart, 1)
    caption = text_label("small", page, drawing.caption)
    caption.setWordWrap(True)
    column.addWidget(caption)
    return page
