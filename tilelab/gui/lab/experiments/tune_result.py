"""Tuning in the background, and what it has found: the best parameters beside the default."""

import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from tilelab import catalog
from tilelab.core.parameters import describe
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import metric_title, value_word
from tilelab.experiments.plan import parsed_toml, plan_of
from tilelab.experiments.statistics import Summary
from tilelab.experiments.tuning.trials import Task
from tilelab.experiments.tuning.tune import SolverTuning, TuneOutcome, TuneProgress
from tilelab.experiments.workers import StopRequest
from tilelab.gui.lab.experiments.control import Getting, OpenWorkers, Remark, get_ready
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.item_table import ROW_HEIGHT, ItemTable, text_columns
from tilelab.gui.widgets.parts import column_layout, row_layout, small_button, text_label
from tilelab.gui.widgets.theme import keep_themed, scaled, set_role

_PARAMETERS = (marked("Parameter"), marked("Default"), marked("Tuned"), marked("Importance"))
_COMPARED = (
    marked("On what was not tuned on"),
    marked("Runs"),
    marked("Mean"),
    marked("95 % interval"),
    marked("Least"),
    marked("Most"),
)
_TOO_FEW = marked("How much each parameter matters is said after 10 trials.")
_A_MOMENT = 0.5
"""Where trials take less, what they have come to is said not more often."""


def parameter_titles(task: Task) -> dict[str, str]:
    """Return what the parameters that are tuned are called in the window, in order."""
    (solver,) = task.plan.solvers
    params = catalog.solver(task.plan.puzzle.kind, solver.solver).spec.params
    titles = {spec.name: tr(spec.title) for spec in describe(params)}
    return {axis.name: titles.get(axis.name, axis.name) for axis in task.axes}


def figure_text(value: float) -> str:
    """Write a mean: more digits than this say nothing."""
    return f"{figures(value, ',.2f')}" if abs(value) < 1_000 else f"{figures(value, ',.0f')}"


class TunePlan(NamedTuple):
    """What is tuned, and where."""

    text: str
    beside: Path | None
    """From where the files that the plan names are looked for."""
    folder: Path


class Tuned(NamedTuple):
    """What a tuning has come to."""

    outcome: TuneOutcome
    is_done: bool
    """Whether all trials are over and compared with the default."""


def tune_solver(
    plan: TunePlan, opens: OpenWorkers, request: StopRequest, *, resume: bool
) -> Iterator[Tuned | Getting | Remark | TuneProgress | None]:
    """Do the trials that are left, then the comparison; raises TileLabError.

    Yields None while nothing has come back; the last is a Tuned. Asked to stop before, it only
    finds out what there is. Closed before its end, it ends the workers at once.
    """
    values = parsed_toml(plan.text, tr("This is"))
    with SolverTuning(plan.folder, plan_of(values), plan.beside, resume=resume) as work:
        yield Tuned(work.outcome(), work.is_done)
        with opens(work.n_at_a_time) as workers:
            yield from get_ready(workers, work.task.kinds, request)
            n_said, said = -1, time.monotonic()
            for progress in work.steps(workers, request):
                yield progress
                if progress is None:
                    continue
                now, n_done = time.monotonic(), progress.n_done
                is_time = now - said > _A_MOMENT or progress.is_compared
                if n_done != n_said and is_time:
                    n_said, said = n_done, now
                    yield Tuned(work.outcome(), work.is_done)
        if not request.is_stopped():
            work.write_table()
        yield Tuned(work.outcome(), work.is_done)


class TuneResult(QWidget):
    """Two short tables and sentences; empty before there is a best trial."""

    take_asked = Signal()
    """The best parameters shall stand in the plan."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_role(self, "page")
        self.title = ElidedLabel(self)
        set_role(self.title, "title")
        tip = tr("Make a plan with these parameters; Ctrl+Z in its text has the last one back")
        self.take = small_button(tr("Put into the plan"), "tune_take", tip, self)
        self.take.clicked.connect(self.take_asked)
        self.parameters = _table("tune_parameters", tr("Best parameters"), _PARAMETERS, (3,), self)
        self.compared = _table(
            "tune_compared", tr("Beside the default"), _COMPARED, range(1, 6), self
        )
        self.words = text_label("", self)
        self.words.setObjectName("tune_words")
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        above = row_layout(spacing=8)
        above.addWidget(self.title, 1)
        above.addWidget(self.take)
        whole = column_layout(self, (0, 0, 8, 0), 10)
        whole.addLayout(above)
        for part in (self.words, self.compared, self.parameters):
            whole.addWidget(part)
        whole.addStretch(1)
        self.clear()

    @Slot()
    def clear(self) -> None:
        """Show nothing."""
        self.title.setText(tr("Best parameters"))
        self.words.setText("")
        for part in (self.take, self.words, self.parameters, self.compared):
            part.hide()

    def show_tuned(self, tuned: Tuned) -> None:
        """Show what is known by now."""
        outcome = tuned.outcome
        best = outcome.best
        if best is None or best.value is None:
            self.clear()
            return
        of = metric_title(outcome.task.tune.of)
        self.title.setText(
            tr(
                "Best parameters: trial {number}, mean {figure} {value}",
                number=figures(best.number + 1, ","),
                figure=of,
                value=figure_text(best.value),
            )
        )
        _show(self.parameters, _parameter_lines(outcome))
        verdict = outcome.verdict
        if verdict is not None:
            rows = [
                [tr("The default"), *_cells(verdict.default)],
                [tr("Tuned"), *_cells(verdict.tuned)],
            ]
            _show(self.compared, rows)
        self.compared.setVisible(verdict is not None)
        words = [] if verdict is None else list(verdict.words)
        if not outcome.importance:
            words.append(tr(_TOO_FEW))
        self.words.setText("\n\n".join(words))
        self.words.setVisible(bool(words))
        self.take.show()


def _parameter_lines(outcome: TuneOutcome) -> list[list[str]]:
    assert outcome.best is not None
    lines = []
    for name, title in parameter_titles(outcome.task).items():
        part = outcome.importance.get(name)
        share = "–" if part is None else f"{figures(100 * part, '.0f')} %"
        default, tuned = (
            value_word(setting[name]) for setting in (outcome.task.default, outcome.best.setting)
        )
        lines.append([title, default, tuned, share])
    return lines


def _cells(facts: Summary) -> list[str]:
    interval = tr("{low} to {high}", low=figure_text(facts.low), high=figure_text(facts.high))
    bounds = map(figure_text, (facts.minimum, facts.maximum))
    return [f"{figures(facts.n, ',')}", figure_text(facts.mean), interval, *bounds]


def _table(
    name: str, title: str, headings: Sequence[str], numbers: Sequence[int], parent: QWidget
) -> ItemTable[Sequence[str]]:
    table = ItemTable(name, title, text_columns(headings, numbers, stretches=0), None, parent)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    keep_themed(table, partial(_fit, table))
    return table


def _show(table: ItemTable[Sequence[str]], lines: Sequence[Sequence[str]]) -> None:
    """Show all lines, with no room below them."""
    table.show_items(lines)
    _fit(table)
    table.show()


def _fit(table: ItemTable[Sequence[str]]) -> None:
    rows = table.items.rowCount() * scaled(ROW_HEIGHT)
    table.setFixedHeight(table.horizontalHeader().sizeHint().height() + rows + 4)
