"""Asks what a film of the run shall show, and makes it."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QSpinBox, QWidget

from tilelab.core.puzzle import Best
from tilelab.core.solver import SolverSpec
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import about, counted, plural
from tilelab.core.views import ViewKind
from tilelab.gui.boards.animation import FILM_KINDS, FilmFlow
from tilelab.gui.boards.scene import CellScene
from tilelab.gui.run.messages import Begun, Board
from tilelab.gui.run.run_film import LAST_MILLISECONDS, Film
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.run.save_best import SavedBest
from tilelab.gui.widgets.file_dialog import ask_to_save
from tilelab.gui.widgets.manual_link import bind_manual_key
from tilelab.gui.widgets.parts import accepted, column_layout, ok_cancel, text_label
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import current_theme
from tilelab.runs.moments import MOST_PICTURES, Pace

_USUAL_PICTURES, _USUAL_RATE, _FASTEST = 100, 5, 25


class RunFilmDialog(QDialog):
    """What is shown, how often, how fast, and up to where."""

    def __init__(
        self,
        solver: SolverSpec,
        n_units: int,
        views: Mapping[ViewKind, str],
        shown: ViewKind | None,
        parent: QWidget | None = None,
    ) -> None:
        """n_units: that the run has done. views: the views that there are, and their titles.

        shown: the one that the page shows; None for the board.
        """
        super().__init__(parent)
        self.setObjectName("run_film_dialog")
        self.setWindowTitle(tr("Film of the run"))
        bind_manual_key(self, "watching#for-a-class")
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
        self._said = text_label("muted", self)
        self._said.setWordWrap(True)
        form = QFormLayout()
        form.addRow(tr("Show"), self.view)
        form.addRow(tr("One picture every"), self.every)
        form.addRow("", self.counts)
        form.addRow(tr("Pictures"), self.rate)
        form.addRow(tr("Up to"), self.up_to)
        self._buttons = ok_cancel(self)
        whole = column_layout(self, 16, 12)
        whole.addLayout(form)
        whole.addWidget(self._said)
        whole.addWidget(self._buttons)
        for box in (self.every, self.rate, self.up_to):
            box.valueChanged.connect(self._estimate)
        self.counts.currentIndexChanged.connect(self._estimate)
        self._estimate()

    @property
    def pace(self) -> Pace:
        """Which moments are shown."""
        return Pace(self.every.value(), by_steps=bool(self.counts.currentData()))

    def _number(self, low: int, high: int, value: int) -> QSpinBox:
        box = QSpinBox(self)
        box.setRange(low, high)
        box.setValue(value)
        box.setGroupSeparatorShown(True)
        return box

    @Slot()
    def _estimate(self) -> None:
        """Say how long the film will be, or that it would be too long."""
        pace, ok = self.pace, self._buttons.button(self._buttons.StandardButton.Ok)
        n_pictures = -(-self.up_to.value() // pace.every) + 1
        is_known = not pace.by_steps
        ok.setEnabled(not is_known or n_pictures <= MOST_PICTURES)
        if not is_known:
            # How many steps its units have, only the run itself knows.
            text = tr(
                "At most {most_pictures} pictures.", most_pictures=figures(MOST_PICTURES, ",")
            )
        elif n_pictures > MOST_PICTURES:
            text = tr(
                "{n_pictures} pictures are too many; {most_pictures} are allowed.",
                n_pictures=figures(n_pictures, ","),
                most_pictures=figures(MOST_PICTURES, ","),
            )
        else:
            seconds = (n_pictures - 1) / self.rate.value() + LAST_MILLISECONDS / 1000
            text = f"{counted(n_pictures, 'picture')}, {about(seconds)}."
        self._said.setText(text)


class RunFilms:
    """Makes films of the run of a page."""

    def __init__(self, run: RunModel, settings: Settings, window: QWidget) -> None:
        self._run, self._settings, self._window = run, settings, window
        self.flow = FilmFlow(settings, window)
        """Says when a film is done, or why it cannot be."""

    def ask(self, saved_kind: type[SavedBest], shown: ViewKind | None = None) -> None:
        """Ask what the film shall show and where it is written; then make it.

        saved_kind: how a best board of the puzzle is drawn. shown: the view that the page shows;
        None for the board.
        """
        # The run may go on, or give way to another, while this is asked.
        begun, n_units = self._run.begun, self._run.trace.n_units
        past = self._run.past(n_units - 1) if n_units else None
        if begun is None or past is None:
            return
        views = {kind: tr(kind.label) for kind in begun.solver.views}
        dialog = RunFilmDialog(begun.solver, n_units, views, shown, self._window)
        if not accepted(dialog):
            return
        suggested = self._settings.folder / f"{begun.puzzle.spec.key}-{begun.solver.key}.gif"
        path = ask_to_save(self._window, tr("Film of the run"), suggested, FILM_KINDS)
        if path is None:
            return
        film = Film(
            past.up_to(dialog.up_to.value()),
            begun.solver,
            dialog.pace,
            round(1000 / dialog.rate.value()),
            dialog.view.currentData(),
            partial(_scene, begun, saved_kind),
            current_theme(),
            path,
        )
        self.flow.begin(film.frames(), path)


def _scene(begun: Begun, saved_kind: type[SavedBest], best: Best) -> CellScene:
    board = Board.of(begun.puzzle, best.cells)
    return saved_kind(board, best, begun.solver.unit, begun.seed).scene()
