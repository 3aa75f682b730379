"""Pictures of a run: the current view as a file, and a film of the run's moments."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QComboBox, QFormLayout, QSpinBox, QWidget

from tilelab.core.puzzle import Best
from tilelab.core.solver import SolverSpec
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import about, capital, counted, plural
from tilelab.core.views import View, ViewKind
from tilelab.gui.boards.animation import FILM_KINDS, FilmExport, FilmFile
from tilelab.gui.boards.scene import BoardLayout, CellScene
from tilelab.gui.run.messages import Board, RunStarted
from tilelab.gui.run.run_client import RunContext
from tilelab.gui.run.save_best import SavedBest
from tilelab.gui.views.kinds import picture_of
from tilelab.gui.views.view_stack import ViewStack
from tilelab.gui.widgets.file_dialog import ask_to_save, save_file
from tilelab.gui.widgets.parts import accepted, column_layout, ok_cancel, text_label
from tilelab.gui.widgets.text_painter import TextPainter, png_bytes, svg_bytes
from tilelab.gui.widgets.theme import Theme, current_theme, pixel_font
from tilelab.gui.widgets.window_place import Dialog
from tilelab.runs.replay import MAX_PICTURES, Pace, Past, RunMoment, moments

SIZE = QSize(960, 640)
_LINE = 34  # height of the title, and of half the caption
_TITLE, _CAPTION = 21, 17  # sizes of title and caption in pixels
LAST_MILLISECONDS = 2_000  # milliseconds that the last frame is shown
_USUAL_PICTURES, _USUAL_RATE, _FASTEST = 100, 5, 25
_FILTERS = marked("PNG picture (*.png);;SVG picture (*.svg)")
_LEAST, _MARGIN, _PNG_SCALE = QSize(640, 420), 16, 2.0


@dataclass(frozen=True, eq=False)
class Film:
    """Contents of a film of a run, and its file."""

    past: Past  # the run up to the end of the film
    solver: SolverSpec
    pace: Pace
    milliseconds: int  # milliseconds that a frame is shown
    shows: ViewKind | None  # view that the film shows; None for the best board
    scene: Callable[[Best], CellScene]  # function that returns the scene of a best board
    theme: Theme
    path: Path

    def frames(self) -> Iterator[float]:
        """Make the film; yields the progress, 0..1. Raises TileLabError."""
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
        title = TextPainter(painter, _TITLE, self.theme.text, strong=True)
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
        """Draw the view, or the best board if there is one."""
        if view is not None:
            picture_of(view, self.past.recipe.puzzle).paint(painter, rect, self.theme)
        elif self.shows is None and moment.best is not None:
            scene = self.scene(moment.best)
            scene.paint(painter, BoardLayout.fitted(scene.shape, rect), self.theme)

    def _title(self, moment: RunMoment) -> str:
        """Return the moment and its best in words."""
        words = capital(self.solver.moment(moment.units, moment.steps, moment.metrics))
        if moment.best is None:
            return words
        return f"{words} · {self.past.recipe.puzzle.best_words(moment.best)}"


class RunFilmDialog(Dialog):
    """The dialog of a film: contents, pace, speed and end."""

    def __init__(
        self,
        solver: SolverSpec,
        n_units: int,
        views: Mapping[ViewKind, str],
        shown: ViewKind | None,
        parent: QWidget | None = None,
    ) -> None:
        """n_units: units of the run. views: available views and their titles.

        shown: current view of the page; None for the board.
        """
        super().__init__(parent, tr("Film of the run"), "run_film_dialog", "watching#for-a-class")
        self._solver = solver
        self.view = QComboBox(self)
        self.view.addItem(tr("Best board"), None)
        for kind, title in views.items():
            self.view.addItem(title, kind)
        self.view.setCurrentIndex(max(self.view.findData(shown), 0))
        self.every = self._number(1, 1_000_000_000, max(1, -(-n_units // _USUAL_PICTURES)))
        self.counts = QComboBox(self)
        self.counts.setAccessibleName(tr("One picture every"))
        self.counts.addItem(plural(solver.unit), False)
        if solver.step:
            self.counts.addItem(plural(solver.step), True)
        self.rate = self._number(1, _FASTEST, _USUAL_RATE)
        self.rate.setSuffix(tr(" a second"))
        self.up_to = self._number(1, n_units, n_units)
        self.up_to.setPrefix(f"{tr(solver.unit)} ")
        self._said = text_label("muted", self, wraps=True)
        form = QFormLayout()
        form.addRow(tr("Show"), self.view)
        form.addRow(tr("One picture every"), self.every)
        form.addRow("", self.counts)
        form.addRow(tr("Pictures"), self.rate)
        form.addRow(tr("Up to"), self.up_to)
        self._buttons = ok_cancel(self)
        column_layout(self, 16, 12, form, self._said, self._buttons)
        for box in (self.every, self.rate, self.up_to):
            box.valueChanged.connect(self._estimate)
        self.counts.currentIndexChanged.connect(self._estimate)
        self._estimate()

    @property
    def pace(self) -> Pace:
        return Pace(self.every.value(), by_steps=bool(self.counts.currentData()))

    def _number(self, low: int, high: int, value: int) -> QSpinBox:
        box = QSpinBox(self)
        box.setRange(low, high)
        box.setValue(value)
        box.setGroupSeparatorShown(True)
        box.setAlignment(Qt.AlignmentFlag.AlignRight)
        return box

    @Slot()
    def _estimate(self) -> None:
        """Show the length of the film, or that it would be too long."""
        pace, ok = self.pace, self._buttons.button(self._buttons.StandardButton.Ok)
        n_pictures = -(-self.up_to.value() // pace.every) + 1
        is_known = not pace.by_steps
        ok.setEnabled(not is_known or n_pictures <= MAX_PICTURES)
        if not is_known:
            # Only the run itself knows how many steps its units have.
            text = tr("At most {most_pictures} pictures.", most_pictures=figures(MAX_PICTURES, ","))
        elif n_pictures > MAX_PICTURES:
            text = tr(
                "{n_pictures} pictures are too many; at most {most_pictures} are allowed.",
                n_pictures=figures(n_pictures, ","),
                most_pictures=figures(MAX_PICTURES, ","),
            )
        else:
            seconds = (n_pictures - 1) / self.rate.value() + LAST_MILLISECONDS / 1000
            text = f"{counted(n_pictures, 'picture')}, {about(seconds)}."
        self._said.setText(text)


class RunFilms:
    """Makes films of the run of a page."""

    def __init__(self, context: RunContext) -> None:
        self._run, self._settings, self._window = context.run, context.settings, context.window
        self.flow = FilmExport(context.settings, context.window, context.notice)

    def ask(self, saved_kind: type[SavedBest], shown: ViewKind | None = None) -> None:
        """Ask for contents and file of a film, then make it.

        saved_kind: class that draws a best board of the puzzle. shown: current view of the page;
        None for the board.
        """
        # The run may continue or be replaced while the dialog is open.
        started, n_units = self._run.started, self._run.trace.n_units
        past = self._run.past(n_units - 1) if n_units else None
        if started is None or past is None:
            return
        views = {kind: tr(kind.label) for kind in started.solver.views if kind.is_drawn}
        dialog = RunFilmDialog(started.solver, n_units, views, shown, self._window)
        if not accepted(dialog):
            return
        suggested = self._settings.folder / f"{started.puzzle.spec.key}-{started.solver.key}.gif"
        path = ask_to_save(self._window, tr("Film of the run"), suggested, FILM_KINDS)
        if path is None:
            return
        film = Film(
            past.up_to(dialog.up_to.value()),
            started.solver,
            dialog.pace,
            round(1000 / dialog.rate.value()),
            dialog.view.currentData(),
            partial(_scene, started, saved_kind),
            current_theme(),
            path,
        )
        self.flow.begin(film.frames(), path)


def _scene(started: RunStarted, saved_kind: type[SavedBest], best: Best) -> CellScene:
    board = Board.of(started.puzzle, best.cells)
    return saved_kind(board, best, started.solver.unit, started.recipe.seed).scene()


def save_view(stack: ViewStack, context: RunContext) -> None:
    """Ask for a file, and write the current view into it, if there is one."""
    shown, started = stack.shown, context.run.started
    if shown is None or started is None or not stack.has_picture:
        return
    suggested = context.settings.folder / f"{started.solver.key}-{shown}.png"
    title = tr("Save the view: {title}", title=tr(shown.label))
    path = ask_to_save(context.window, title, suggested, tr(_FILTERS))
    if path is None:
        return
    make = partial(view_file, stack, path.suffix.lower() == ".svg")
    save_file(path, make, context.notice, context.settings)


def view_file(stack: ViewStack, is_svg: bool) -> bytes:
    """Return the contents of a file of the view, in its size on screen but at least readable."""
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
        return svg_bytes(size, theme.card, tr(shown.label), said, paint)
    return png_bytes(size, theme.card, paint, scale=_PNG_SCALE)
