"""Details of the selected runs: their curves, two boards, tags and a note."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QColor, QFocusEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from tilelab import catalog
from tilelab.core.parameters import current_names, value_titles
from tilelab.core.plain import Value
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import tool_tip
from tilelab.core.text.wording import duration, metric_title
from tilelab.gui.boards.tile_pictures import BoardPicture, scene_of
from tilelab.gui.charts.curves import read_values
from tilelab.gui.charts.plot import Plot, PlotCurve
from tilelab.gui.widgets.manual_link import ManualButton
from tilelab.gui.widgets.parts import (
    STRETCH,
    ButtonRow,
    Card,
    FactTable,
    allow,
    column_layout,
    heading_of,
    named,
    offer_items,
    row_layout,
    row_of,
    small_button,
    spotted,
    text_label,
)
from tilelab.gui.widgets.theme import keep_scaled, keep_themed, set_role
from tilelab.runs.actions import State
from tilelab.runs.history.record import BY_HAND, NO_RERUN, Points, RunRecord
from tilelab.runs.history.store import run_file_of
from tilelab.runs.result import TITLES as FIGURES
from tilelab.runs.result import figure_texts

_MAX_TURNS, _MAX_IN_TIP = 4, 40
_FACTS = {
    "found": marked("Best at"),
    "units": marked("Done"),
    "seconds": marked("In"),
    **FIGURES,
    "seed": marked("Seed"),
    "program": marked("Program"),
}
_ESTIMATE = "nearest"  # metric of the heuristic's estimate for the nearest board of a search
# Metrics that are shown by default.
_FIRST = ("best_ever", "best", "best_of_generation", _ESTIMATE, "expanded")
_KNEE_SECONDS = 0.01
Chosen = Sequence[tuple[RunRecord, QColor]]


class HistoryBoard(QWidget):
    """A run's board below its number, solver and value."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._title, self._value = QLabel(self), QLabel(self)
        self._title.setProperty("rich", True)
        set_role(self._value, "title")
        # Two boards side by side have the same size, whatever their solvers' names.
        for label in (self._title, self._value):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._named: tuple[RunRecord, QColor] | None = None
        self._picture = BoardPicture(self)
        column_layout(self, 0, 2, self._title, self._value, (self._picture, 1))

    def show_record(self, record: RunRecord, colour: QColor) -> None:
        """Show a run's board; colour: that of its curve."""
        self._named = record, colour
        self._fit_title()
        self._title.setToolTip(tool_tip(record.solver_words))
        none = tr("Start board") if record.board else tr("No board")
        self._value.setText(record.shown_value or none)
        self._picture.show_scene(scene_of(record))
        self._picture.setToolTip(tool_tip("\n".join(record.board)))
        self.setAccessibleName(tr("Run {id}: {value}", id=record.id, value=self._value.text()))
        self.setAccessibleDescription(" / ".join(record.board))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_title()

    def _fit_title(self) -> None:
        """Shorten the solver's name where it would overlap the next board."""
        if self._named is None:
            return
        record, colour = self._named
        metrics = self._title.fontMetrics()
        room = self.width() - metrics.horizontalAdvance(f"●\xa0#{record.id} ")
        solver = metrics.elidedText(record.solver_words, Qt.TextElideMode.ElideRight, room)
        self._title.setText(spotted(f"#{record.id} {solver}", colour))


class HistoryChart(Card):
    """A chart of one metric of several runs, each in its colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, "history_chart")
        self.setMinimumSize(260, 180)
        self._chosen: Chosen = ()
        self.choice = named(QComboBox(self), "history_metric", tr("Metric of the curves"))
        self._metric: object = None  # metric that the user has chosen; None for the usual one
        self.choice.currentIndexChanged.connect(self._choose)
        self._legend = text_label("small", self, wraps=True)
        self._legend.setProperty("rich", True)
        title = text_label("title", self, tr("Curves"))
        self._plot = Plot(self)
        self.view = self._plot.view  # visible range and scale
        self.view.changed.connect(self._show_view)
        self._curves: list[PlotCurve] = []
        row = heading_of(
            title, ManualButton(tr("The history"), self), STRETCH, self.choice, spacing=None
        )
        column_layout(self, (16, 12, 16, 8), 6, row, self._legend, (self._plot, 1))
        keep_themed(self, self._draw)

    def show_runs(self, chosen: Chosen) -> None:
        """Draw the curves of these runs; the metric that was chosen stays if they have it."""
        self._chosen = chosen
        self.view.is_whole = True
        names = list(dict.fromkeys(name for record, _ in chosen for name in record.curves))
        if _ESTIMATE in names and not _share_estimate([record for record, _ in chosen]):
            names.remove(_ESTIMATE)
        usual = next((name for name in _FIRST if name in names), None)
        titles = {name: metric_title(name) for name in names}
        titles = {name: title[:1].upper() + title[1:] for name, title in titles.items()}
        wanted = self._metric if self._metric in names else usual
        offer_items(self.choice, titles, wanted)
        self.choice.setVisible(bool(names))
        self._draw()

    @Slot()
    def _choose(self) -> None:
        self._metric = self.choice.currentData()
        self._draw()

    @Slot()
    def _draw(self) -> None:
        name = self.choice.currentData()
        drawn = [(run, colour) for run, colour in self._chosen if name in run.curves]
        # Generations and moves cannot be compared, nor updates of a thousand and of 50,000 boards,
        # so such curves share the axis of time.
        units = list(dict.fromkeys(run.unit for run, _ in drawn))
        by_time = len({_unit_and_size(run) for run, _ in drawn}) > 1
        self._curves = [
            PlotCurve(*_points(run, name, by_time=by_time), colour) for run, colour in drawn
        ]
        self.view.set_knee(_KNEE_SECONDS if by_time else 1.0)
        self._plot.bottom.smallest = 0.0 if by_time else 1.0
        label = tr("seconds, at each run's mean speed") if by_time else "".join(map(tr, units))
        self._plot.apply_theme(label)
        self._show_view()
        are_games = all(run.solver == BY_HAND for run, _ in self._chosen)
        self._plot.show_empty(
            bool(self._chosen) and not drawn,
            tr("A game by hand has no curves.") if are_games else tr("No curves"),
        )
        texts = [spotted(f"#{run.id} {run.solver_words}", colour) for run, colour in self._chosen]
        self._legend.setText(
            "&nbsp;&nbsp; ".join(texts)
            or tr("Select runs in the list; use Ctrl or Shift to select several.")
        )

    @Slot()
    def _show_view(self) -> None:
        """Draw the visible range on the current scale."""
        ends = (float(curve.places.max()) for curve in self._curves if len(curve.places))
        self.view.show_to(max(ends, default=10.0) or 1.0)
        self._plot.draw(self._curves)


def _share_estimate(runs: Sequence[RunRecord]) -> bool:
    """Return whether all that have a curve of it estimate distances, and by the same heuristic."""
    heuristics: set[str] = set()
    for run in runs:
        if _ESTIMATE not in run.curves:
            continue
        solver = catalog.solvers(run.puzzle).get(run.solver)
        if solver is not None and solver.spec.metric_titles.get(_ESTIMATE) == "":
            return False
        heuristics.add(str(run.params.get(catalog.HEURISTIC, run.solver)))
        heuristics |= {str(turn.value) for turn in run.journal if turn.name == catalog.HEURISTIC}
    return len(heuristics) == 1


def _unit_and_size(run: RunRecord) -> tuple[object, ...]:
    """Return the unit of a run, and of a search what the number of boards in it depends on."""
    if not run.is_search:
        return (run.unit,)
    specs = catalog.parameters(run.puzzle, run.solver)
    sizes = (run.params[name] for name in specs if specs[name].sizes_unit and name in run.params)
    return run.unit, run.solver, *sizes


def _points(run: RunRecord, name: str, *, by_time: bool) -> Points:
    units, values = run.curves[name]
    puzzle = catalog.puzzles().get(run.puzzle)
    if puzzle is not None:
        values = read_values(name, values, partial(puzzle.recorded_values, run))
    # A point is the state at the end of its unit.
    return ((units + 1) * (run.seconds / max(run.units, 1)) if by_time else units), values


class HistoryDetails(QWidget):
    """Three cards below the list."""

    text_changed = Signal(int, str, str)
    """Emitted with a run's number, 'tags' or 'note', and the text that the user wrote."""
    again_requested = Signal(object)  # emitted with the RunRecord of a run to repeat
    resume_requested = Signal(object)  # emitted with the RunRecord of a run to resume from its file
    board_requested = Signal(object)  # emitted with the RunRecord whose board to open

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record: RunRecord | None = None
        self.chart = HistoryChart(self)
        self.boards = (HistoryBoard("history_board", self), HistoryBoard("history_other", self))
        empty = tr("The board of the selected run, or two boards side by side.")
        self._empty = text_label("muted", self, empty, wraps=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._title = text_label("title", self)
        self._facts = FactTable(_FACTS, self)
        self._params = text_label("small", self, "", "history_params", wraps=True)
        self._params.setTextFormat(Qt.TextFormat.PlainText)
        self.tags = named(QLineEdit(self), "history_tags", tr("Tags"))
        self.tags.setPlaceholderText(tr("Tags, with commas"))
        self.tags.editingFinished.connect(self.commit)
        self.note = _NoteEdit(self)
        self.note.left.connect(self.commit)
        self.resume = self._button(tr("Resume"), "history_resume", self.resume_requested)
        self.again = self._button(tr("Run again"), "history_again", self.again_requested)
        self.board = self._button(tr("Open board"), "history_open_board", self.board_requested)
        self._lay_out()
        self.show_runs(())

    def show_runs(self, chosen: Chosen) -> None:
        """Show these runs; the tags and note of the first can be edited."""
        self.commit()
        self.chart.show_runs(chosen)
        for place, board in enumerate(self.boards):
            board.setVisible(place < len(chosen))
            if place < len(chosen):
                board.show_record(*chosen[place])
        self._empty.setVisible(not chosen)
        self._record = record = chosen[0][0] if chosen else None
        for part in (self.tags, self.note):
            part.setEnabled(record is not None)
        self._allow(record)
        self._title.setText(
            tr("No run selected") if record is None else tr("Run #{number}", number=record.id)
        )
        self.tags.setText("" if record is None else record.tags)
        self.note.setPlainText("" if record is None else record.note)
        self._params.setText("" if record is None else f"{unusual(record)}{turned(record)}")
        self._params.setToolTip("" if record is None else turned(record, _MAX_IN_TIP).strip())
        for name, text in _reported(record).items():
            self._facts.show_fact(name, text)
            self._facts.show_line(name, name not in FIGURES or bool(text))

    def _allow(self, record: RunRecord | None) -> None:
        file = None if record is None else run_file_of(record)
        resume = tool_tip(tr("Continue from {file}", file=file))
        again = tr("Run again with the same board, parameters, limits and seed")
        board = tr("Load the best board without running anything (Enter)")
        if record is None:
            for button in (self.resume, self.again, self.board):
                allow(button, "", tr("No run selected"))
            return
        allow(self.resume, resume, tool_tip(_why_closed(record)) if file is None else "")
        allow(self.again, again, tr(NO_RERUN) if record.solver == BY_HAND else "")
        allow(self.board, board, "" if record.board else tr("The run has found no board"))

    @Slot()
    def commit(self) -> None:
        """Emit texts that were typed."""
        if self._record is None:
            return
        if self.tags.isModified():
            self.tags.setModified(False)
            self.text_changed.emit(self._record.id, "tags", self.tags.text())
        if self.note.document().isModified():
            self.note.document().setModified(False)
            self.text_changed.emit(self._record.id, "note", self.note.toPlainText())

    def _button(self, title: str, name: str, asked: SignalInstance) -> QPushButton:
        return small_button(title, name, "", self, lambda: asked.emit(self._record))

    def _lay_out(self) -> None:
        pair = row_of(*((part, 1) for part in (self._empty, *self.boards)), spacing=16)
        boards, facts = Card(self), Card(self)
        title = text_label("title", boards, tr("Boards"))
        column_layout(boards, (16, 12, 16, 12), 6, heading_of(title), (pair, 1))
        keep_scaled(facts, least_width=296)
        upper = (
            heading_of(self._title),
            _ScrolledParts(self._facts, self._params),
            self.tags,
            (self.note, 1),
        )
        buttons = ButtonRow(self.resume, self.again, self.board)
        column_layout(facts, (16, 12, 16, 12), 6, *upper, buttons)
        row_layout(self, 0, 16, (self.chart, 5), (boards, 5), (facts, 3))


class _ScrolledParts(QScrollArea):
    """A scroll area that is as high as its parts while there is room."""

    def __init__(self, *parts: QWidget) -> None:
        super().__init__(widgetResizable=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._within = within = QWidget()
        column_layout(within, 0, None, *parts)
        self.setWidget(within)
        within.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def sizeHint(self) -> QSize:
        """Return the height of the parts at the current width."""
        within = self._within
        width = max(self.width(), within.minimumSizeHint().width())
        return QSize(width, max(within.heightForWidth(width), within.sizeHint().height()))

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self.updateGeometry()
        return super().event(event)


class _NoteEdit(QPlainTextEdit):
    """A few lines of text that emit ``left`` when they lose the focus."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, placeholderText=tr("A note"), tabChangesFocus=True)
        named(self, "history_note", tr("Note"))
        keep_scaled(self, least_height=44)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


def _reported(record: RunRecord | None) -> dict[str, str]:
    if record is None:
        return dict.fromkeys(_FACTS, "")
    found = ""
    if record.best_unit is not None and record.best_seconds is not None:
        time = duration(record.best_seconds)
        found = tr("after {time}", time=time)
        if not record.is_search:
            number = figures(record.best_unit, ",")
            found = tr("{best_unit}, after {duration}", best_unit=number, duration=time)
    return {
        "found": found,
        "units": record.done,
        "seconds": duration(record.seconds),
        **figure_texts(record, record.n_moves),
        "seed": record.shown_seed,
        "program": f"TileLab {record.program}",
    }


def unusual(record: RunRecord) -> str:
    """Name the heuristic of a run, and its parameters that are not at their defaults."""
    puzzle = catalog.puzzles().get(record.puzzle)
    solver = None if puzzle is None else catalog.solvers(record.puzzle).get(record.solver)
    usual: dict[str, Value] = {}
    for found in (puzzle, solver):
        usual |= {} if found is None else found.spec.params().model_dump(mode="json")
    params = record.params if solver is None else current_names(solver.spec.params, record.params)
    given = {**record.puzzle_params, **params}
    specs = catalog.parameters(record.puzzle, record.solver)
    texts = {
        name: " ".join(value_titles(specs, name, value))
        for name, value in given.items()
        if name == catalog.HEURISTIC or name not in usual or value != usual[name]
    }
    if not texts.keys() - {catalog.HEURISTIC}:
        others = tr("All other parameters at their defaults")
        texts[""] = others if texts else tr("All parameters at their defaults")
    return " · ".join(texts.values())


def turned(record: RunRecord, most: int = _MAX_TURNS) -> str:
    """List the first few changes of live parameters and their times; '' for none."""
    specs = catalog.parameters(record.puzzle, record.solver)
    texts = []
    for change in record.journal[:most]:
        name, value = value_titles(specs, change.name, change.value)
        unit = figures(change.unit, ",")
        texts.append(tr("{name} {value} at {number}", name=name, value=value, number=unit))
    n_more = len(record.journal) - most
    if n_more > 0:
        texts.append(tr("{n_more} more", n_more=figures(n_more, ",")))
    return tr("\nChanged during the run: {changes}", changes=" · ".join(texts)) if texts else ""


def _why_closed(record: RunRecord) -> str:
    """Return why a run without a file cannot be resumed."""
    if record.run_file is not None:
        return tr("{run_file} no longer exists", run_file=record.run_file)
    if record.solver != BY_HAND and record.status == State.PAUSED.value:
        return tr("The run was not saved; while its page shows it, RESUME continues it there")
    if record.solver != BY_HAND:
        return tr("The run was neither saved nor interrupted")
    if record.is_edited_board:
        return tr("To continue with this board, open it")
    if record.status == State.PAUSED.value and record.n_moves is None:
        return tr(
            "To continue the last game on this board, open it and choose Play this board (F7)"
        )
    return tr("The game is over; open its board to play it again")
