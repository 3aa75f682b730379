"""Close the window, and ask once what to do with all runs."""

import enum
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import shortened, tool_tip
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.widgets.elided import FittingLabel
from tilelab.gui.widgets.parts import ButtonRow, column_layout, is_confirmed, named, text_label
from tilelab.gui.widgets.theme import keep_scaled, set_role
from tilelab.gui.widgets.window_place import Dialog
from tilelab.runs.actions import Action, State


class Shutdown(QObject):
    """Keeps, saves or discards the runs when the window closes."""

    page_wanted = Signal(str)  # emitted with the puzzle whose page to show for the next question
    waits = Signal(str)  # emitted with a sentence while the window waits until a run is saved
    all_saved = Signal()  # emitted when the window can close

    def __init__(
        self,
        pages: Callable[[], Sequence[PuzzlePage]],
        list_ended: Callable[[], Sequence[str]],
        parent: QWidget,
    ) -> None:
        """pages: returns the existing pages. parent: parent of the question.

        list_ended: returns a sentence about each piece of work that closing ends for good.
        """
        super().__init__(parent)
        self._pages, self._list_ended, self._question_parent = pages, list_ended, parent
        self._closes_when_saved = False
        self._keeps: list[PuzzlePage] = []
        self.asks = True  # whether to ask the user; otherwise the runs are kept

    def keeps(self, page: PuzzlePage) -> bool:
        """Return whether the run of a page is offered at the next start."""
        return page in self._keeps

    def may_close(self) -> bool:
        """Ask the user; returns False if the window stays open, maybe until all runs are saved."""
        pages = self._pages()
        self._keeps = []
        self._closes_when_saved = any(page.run_files.is_busy for page in pages)
        if self._closes_when_saved:
            self.waits.emit(tr("The window closes as soon as the run is saved."))
            return False
        unfinished = [page for page in pages if page.unsaved.has_run]
        answer = ClosingChoice.KEEP
        if unfinished and self.asks:
            dialog = ShutdownDialog(
                self._question_parent, lambda: [page.words for page in unfinished]
            )
            answer = dialog.answer()
        if answer is ClosingChoice.KEEP:
            self._keeps = unfinished
        if answer is ClosingChoice.SAVE_AS:
            self._save(unfinished)
        may_close = answer in (ClosingChoice.KEEP, ClosingChoice.DISCARD)
        return may_close and self._may_lose_failed() and self._may_end_work()

    def _may_end_work(self) -> bool:
        """Ask once about all other work that cannot continue at the next start."""
        ended = self._list_ended() if self.asks else ()
        question = " ".join([*ended, tr("Close?")])
        return not ended or is_confirmed(self._question_parent, question)

    def _may_lose_failed(self) -> bool:
        """Ask about a failed run, which cannot continue but whose best board can be saved."""
        for page in self._pages():
            if self.asks and page.run.status.state is State.FAILED and page.unsaved.has_best:
                self.page_wanted.emit(page.puzzle_key)
                if not page.unsaved.may_lose(tr("Closing the window ends the run")):
                    return False
        return True

    def _save(self, pages: Sequence[PuzzlePage]) -> None:
        targets = []
        for page in pages:
            self.page_wanted.emit(page.puzzle_key)
            path = page.run_files.ask_for_target()
            if path is None:
                return
            targets.append(path)
        for page, path in zip(pages, targets, strict=True):
            # Stopped first: a running run would be newer than its file, and asked about again.
            page.control.act(Action.STOP)
            page.run_files.save(path)
        self._closes_when_saved = True

    @Slot()
    def saved(self) -> None:
        """Close the window when the last run is saved."""
        if self._closes_when_saved:
            # Only when the sender of the signal has finished.
            QTimer.singleShot(0, self, self._report_saved)

    @Slot()
    def _report_saved(self) -> None:
        # Saving another run may have failed since.
        if self._closes_when_saved:
            self.all_saved.emit()

    @Slot()
    def failed(self) -> None:
        """Keep the window open, because a run could not be saved."""
        self._closes_when_saved = False


_REFRESH_MILLISECONDS = 500  # milliseconds between updates of the words of the runs
_TITLE_LENGTHS = range(40, 7, -4)  # largest numbers of a title's characters, for less room
_OFFERED_ONE = marked("If you keep it, the next start offers to continue it.")
_OFFERED = marked("If you keep them, the next start offers to continue them.")


class ClosingChoice(enum.Enum):
    """The user's choice about the runs."""

    KEEP = "keep"  # the next start offers the runs
    SAVE_AS = "save_as"
    DISCARD = "discard"
    STAY = "stay"  # the window stays open


class ShutdownDialog(Dialog):
    """The dialog that names the runs; Enter keeps them, Esc leaves the window open."""

    def __init__(self, window: QWidget, runs: Callable[[], Sequence[str]]) -> None:
        """runs: returns the words of the runs, which may continue meanwhile."""
        super().__init__(window, tr("Close TileLab"), "closing_dialog", "window#closing")
        self._answer = ClosingChoice.STAY
        asked, offered = tr("What do you want to do with these runs?"), _OFFERED
        if len(runs()) == 1:
            asked, offered = tr("What do you want to do with the run?"), _OFFERED_ONE
        question = text_label("title", self, asked)
        self._runs = runs
        self._names = [FittingLabel(self) for _ in runs()]
        for name in self._names:
            keep_scaled(name, least_width=480)
        self._show_runs()
        timer = QTimer(self, interval=_REFRESH_MILLISECONDS)
        timer.timeout.connect(self._show_runs)
        timer.start()
        kept = text_label("muted", self, tr(offered))
        discard = self._button(tr("Discard"), ClosingChoice.DISCARD)
        stay = self._button(tr("Cancel"), ClosingChoice.STAY)
        save_as = self._button(tr("Save as…"), ClosingChoice.SAVE_AS)
        keep = self._button(tr("Keep for next time"), ClosingChoice.KEEP)
        set_role(keep, "primary")
        keep.setDefault(True)
        keep.setFocus()
        row = ButtonRow(discard, stay, save_as, keep)
        row.insertStretch(1, 1)
        column_layout(self, (24, 20, 24, 20), 8, question, *self._names, kept, 12, row)

    @Slot()
    def _show_runs(self) -> None:
        for name, run in zip(self._names, self._runs(), strict=True):
            # Only the title is cut: a part of a figure would be another one.
            title, colon, facts = run.partition(": ")
            short = (f"{shortened(title, most)}{colon}{facts}" for most in _TITLE_LENGTHS)
            name.show_wordings(run, *short, facts or shortened(title, _TITLE_LENGTHS[-1]))
            name.setToolTip(tool_tip(run))

    def answer(self) -> ClosingChoice:
        """Ask once; returns the choice."""
        self.exec()
        self.deleteLater()
        return self._answer

    def _button(self, text: str, answer: ClosingChoice) -> QPushButton:
        button = named(QPushButton(text, self), f"closing_{answer.value}")
        button.setAutoDefault(answer is ClosingChoice.KEEP)

        def choose() -> None:
            self._answer = answer
            self.accept()

        button.clicked.connect(choose)
        return button
