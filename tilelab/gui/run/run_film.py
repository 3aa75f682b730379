"""A film of a run: its moments computed again, each drawn as a frame with its caption."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter

from tilelab.core.puzzle import Best
from tilelab.core.solver import SolverSpec
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import capital, number
from tilelab.core.views import View, ViewKind
from tilelab.gui.boards.animation import FilmFile
from tilelab.gui.boards.scene import BoardLayout, CellScene
from tilelab.gui.views.kinds import picture_of
from tilelab.gui.widgets.text_painter import Lettering
from tilelab.gui.widgets.theme import Theme, pixel_font
from tilelab.runs.moments import Pace, RunMoment, moments
from tilelab.runs.replay import Past

SIZE = QSize(960, 640)
_MARGIN, _LINE = 24, 34
_TITLE, _CAPTION = 21, 17
"""Sizes of texts in pixels."""
LAST_MILLISECONDS = 2_000
"""How long the last frame is shown."""


@dataclass(frozen=True, eq=False)
class Film:
    """What a film of a run shows, and where it is written."""

    past: Past
    """The run, up to where the film ends."""
    solver: SolverSpec
    pace: Pace
    milliseconds: int
    """How long a frame is shown."""
    shows: ViewKind | None
    """None: the best board."""
    scene: Callable[[Best], CellScene]
    """Draws a best board."""
    theme: Theme
    path: Path

    def frames(self) -> Iterator[float]:
        """Make the film; yields the part that is done. Raises TileLabError."""
        file = FilmFile(self.path)
        kinds = frozenset() if self.shows is None else frozenset({self.shows})
        for moment in moments(self.past, self.pace, kinds):
            is_last = moment.part == 1
            file.add(self._frame(moment), LAST_MILLISECONDS if is_last else self.milliseconds)
            yield 0.9 * moment.part
        file.write()
        yield 1.0

    def _frame(self, moment: RunMoment) -> QImage:
        image = QImage(SIZE, QImage.Format.Format_RGB888)
        image.fill(self.theme.card)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(image.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        title = Lettering(painter, _TITLE, self.theme.text, strong=True)
        title.draw(rect.topLeft() + QPointF(0, _TITLE / 2), self._title(moment), align=0.0)
        view = None if self.shows is None else moment.views.get(self.shows)
        caption = "" if view is None else view.caption
        foot = 2 * _LINE if caption else 0
        self._paint(painter, rect.adjusted(0, _LINE + 8, 0, -foot), moment, view)
        if caption:
            painter.setFont(pixel_font(_CAPTION))
            painter.setPen(self.theme.text)
            below = QRectF(rect.left(), rect.bottom() - foot + 8, rect.width(), foot - 8)
            painter.drawText(below, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop, caption)
        painter.end()
        return image

    def _paint(self, painter: QPainter, rect: QRectF, moment: RunMoment, view: View | None) -> None:
        """Draw the view, or the best board; nothing before there is one."""
        if view is not None:
            picture_of(view, self.past.recipe.puzzle).paint(painter, rect, self.theme)
        elif self.shows is None and moment.best is not None:
            scene = self.scene(moment.best)
            scene.paint(painter, BoardLayout.fitted(scene.shape, rect), self.theme)

    def _title(self, moment: RunMoment) -> str:
        """Name the moment and the best by then."""
        spec = self.solver
        words = f"{capital(tr(spec.unit))} {figures(moment.units, ',')}"
        if moment.steps:
            words += f", {tr(spec.smallest_step)} {figures(moment.steps, ',')}"
        if moment.best is None:
            return words
        value = number(self.past.recipe.puzzle.own_value(moment.best.value))
        return tr("{words} · best {value}", words=words, value=value)
