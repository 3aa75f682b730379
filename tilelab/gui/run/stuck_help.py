"""Help for a run that has not improved for long: a notice with advice, once per run."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot

from tilelab import catalog
from tilelab.core.plain import Value
from tilelab.core.solver import Advice
from tilelab.core.text.language import figures, tr
from tilelab.gui.run.choices import Choices
from tilelab.gui.run.run_client import RunContext
from tilelab.gui.run.run_control import RunControl
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.widgets.notice_bar import NoticeButton
from tilelab.letters.lexicon_puzzle import LetterReport
from tilelab.runs.actions import Action, State

MIN_IDLE_SECONDS = 60.0  # running time without a better board after which a run counts as stuck
_CHECK_MILLISECONDS = 1_000


class StuckHelp(QObject):
    """Observes the run of a page, and shows its solver's advice in a notice."""

    def __init__(
        self,
        context: RunContext,
        control: RunControl,
        choices: Choices,
        choose_solver: Callable[[str], object],
    ) -> None:
        """choose_solver: shows another solver and its parameters."""
        super().__init__(context.window)
        self._run, self._notice = context.run, context.notice
        self._control, self._choices, self._choose_solver = control, choices, choose_solver
        self._helped = ""  # key of the run that has received advice
        self._check = QTimer(self, interval=_CHECK_MILLISECONDS)
        self._check.timeout.connect(self.look)
        self._run.status_changed.connect(self._follow)
        self._said = ""
        for is_over in (self._run.run_changed, self._run.bests_changed):
            is_over.connect(self._withdraw)

    @Slot()
    def look(self) -> None:
        """Show the advice if the run is stuck and has not received any."""
        run, started = self._run, self._run.started
        if started is None or started.key == self._helped or not is_stuck(run):
            return
        advice = started.solver.advice
        if advice is not None:
            self._helped = started.key
            best = run.bests.newest
            assert best is not None
            since = started.solver.moment(best.best.unit + 1)  # stays true, as a count does not
            said = tr(
                "No better board since {moment}. {advice}", moment=since, advice=tr(advice.text)
            )
            self._said = said
            self._notice.show_note(said, stays=True, buttons=self._buttons(advice))

    @Slot()
    def _withdraw(self) -> None:
        if self._said:
            self._notice.withdraw(self._said)
            self._said = ""

    def _buttons(self, advice: Advice) -> list[NoticeButton]:
        """Return titles and actions of the buttons next to the advice."""
        buttons: list[NoticeButton] = []
        if advice.solver == self._choices.solver_key:
            buttons.append((tr("Start again"), lambda: self._begin_with(advice.solver)))
        elif advice.solver in catalog.solvers(self._choices.puzzle_key):
            title = tr(catalog.solver(self._choices.puzzle_key, advice.solver).spec.title)
            buttons.append((title, lambda: self._begin_with(advice.solver)))
        control = self._choices.panel.controls.get(advice.parameter)
        if control is not None:
            before: Value = control.value()
            assert isinstance(before, int)
            after = round(before * advice.factor)
            if control.spec.high is not None:
                after = min(after, int(control.spec.high))
            if after != before:
                title = f"{tr(control.spec.title)} {figures(after, ',')}"
                buttons.append((title, lambda: control.set_value(after)))
        return buttons

    def _begin_with(self, solver: str) -> None:
        """Stop the run, and start one with another solver, or the same with another seed."""

        def begin() -> None:
            if solver != self._choices.solver_key:
                self._choose_solver(solver)
            self._control.act(Action.START_AGAIN)

        self._control.after_stop(begin)

    @Slot()
    def _follow(self) -> None:
        if self._run.status.state is State.RUNNING:
            self._check.start()
        else:
            self._check.stop()


def is_stuck(run: RunModel) -> bool:
    """Return whether a run has not improved for long, and can still improve."""
    newest, shown = run.bests.newest, run.shown
    if newest is None or shown is None or newest.best.optimal:
        return False
    idle = run.status.seconds - newest.seconds
    report = shown.board.report
    if isinstance(report, LetterReport) and len(report.found_indices) == len(report.strings):
        return False
    return idle >= max(MIN_IDLE_SECONDS, newest.seconds)
