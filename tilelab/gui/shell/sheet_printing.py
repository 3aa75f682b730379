"""Print the contents of a page: its sheet is made in the background, then shown in a dialog."""

import contextlib
import dataclasses
from collections.abc import Sequence
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError
from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import tr
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.sheet.booklet import Booklet, keep_booklet, last_booklet
from tilelab.gui.sheet.dialog import SheetDialog
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.settings import Settings
from tilelab.lessons.lesson import LessonRun
from tilelab.runs.files.carried import carried_text
from tilelab.runs.history.record import RunRecord
from tilelab.sheets.exercise import source_of_exercise
from tilelab.sheets.sheet import Sheet
from tilelab.sheets.sheet_files import (
    SheetSource,
    carried_by,
    sheets_of,
    source_of,
    source_of_record,
)

Board = tuple[str, int, tuple[str, ...]]
"""A board that is printed: its puzzle, the number of its columns, and its cells."""
_Titles = dict[Board | None, str]
"""Titles that the user gave to boards of pages."""
_Fillings = dict[Board | None, tuple[str, str]]
"""Fillings of unused cells and their messages, by the board of the page; None for no board."""
_KEPT_TITLES = TypeAdapter(list[tuple[Board | None, str]])
_KEPT_FILLINGS = TypeAdapter(list[tuple[Board | None, tuple[str, str]]])
_TITLES = "sheet_titles"  # name of the setting with boards and their titles
_FILLINGS = "sheet_fillings"  # that of boards and their fillings
_MAX_KEPT = 20  # maximum number of each that is kept for another start
T = TypeVar("T")


class SheetPrinting(QObject):
    """Makes the sheet of the current page, and offers to print or save it."""

    def __init__(self, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._settings, self._window = settings, window
        self._notice: NoticeBar | None = None
        self._parent = window
        self._sources: tuple[SheetSource, ...] = ()
        self._carried = ""
        self._keeps = False  # whether puzzles that the user adds are kept for the next page
        self.booklet = last_booklet(settings)  # puzzles that are printed with each page
        self._titles: _Titles = _last(settings, _TITLES, _KEPT_TITLES)
        self._fillings: _Fillings = _last(settings, _FILLINGS, _KEPT_FILLINGS)
        self._board: Board | None = None  # board of the page that is printed; None for no board
        self._background = TaskRunner(self, self._show, failed=self._failed)

    def take_over(self, before: "SheetPrinting") -> None:
        """Take over the added puzzles, the titles and the fillings from another window."""
        self.booklet, self._titles = before.booklet, before._titles
        self._fillings = before._fillings

    def ask(self, page: PuzzlePage) -> None:
        """Print the contents of a page, or show that there are none."""
        saved = page.best_files.to_print()
        if saved is None:
            there = (one for one in self.booklet.titles if one.path is None or one.path.exists())
            first = next(there, None)
            if first is None:
                page.notice.show_error(tr("There is no board to print yet."))
            else:
                self._print(self._window, page.notice, (first,), keeps=True)
            return
        carried = "" if saved.carried is None else carried_text(saved.carried)
        sources = (source_of(saved.board.puzzle, saved.best),)
        self._print(self._window, page.notice, sources, carried, keeps=True)

    def ask_for_runs(
        self, window: QWidget, notice: NoticeBar, records: Sequence[RunRecord]
    ) -> None:
        """Print the best boards of runs of the history, in front of the history window."""
        sources = tuple(source_of_record(record) for record in records if record.board)
        if sources:
            self._print(window, notice, sources)

    def ask_for_exercise(self, page: PuzzlePage, run: LessonRun) -> None:
        """Print the exercise of a run of a lesson."""
        block = run.block
        assert block.exercise is not None
        source = source_of_exercise(lambda: block.recipe(run.build()), block.exercise, block.title)
        self._print(self._window, page.notice, (source,))

    def _print(
        self,
        parent: QWidget,
        notice: NoticeBar,
        sources: tuple[SheetSource, ...],
        carried: str = "",
        *,
        keeps: bool = False,
    ) -> None:
        self._parent, self._notice, self._sources, self._carried = parent, notice, sources, carried
        self._keeps = keeps
        self._background.start(sheets_of(sources))

    @Slot(object)
    def _show(self, sheets: tuple[Sheet, ...]) -> None:
        assert self._notice is not None
        is_on_screen = self._keeps and self._sources[0] not in self.booklet.titles
        if is_on_screen:
            text = self._carried or carried_by(sheets[0])
            self._sources = (dataclasses.replace(self._sources[0], carried=text),)
        dialog = SheetDialog(sheets, self._settings, self._parent, self._carried, self._sources)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.done_with.connect(self._notice.show_done)
        if self._keeps:
            sheet = sheets[0]
            self._board = (sheet.puzzle, sheet.cols, sheet.signs) if is_on_screen else None
            title, filling = self._titles.get(self._board), self._fillings.get(self._board)
            dialog.add_booklet(self.booklet._replace(own_title=title, filling=filling))
            dialog.left_with.connect(self._keep)
        dialog.open()

    @Slot(object)
    def _keep(self, booklet: Booklet) -> None:
        self.booklet = booklet
        self._titles.pop(self._board, None)
        if booklet.own_title is not None:
            self._titles[self._board] = booklet.own_title
        self._fillings.pop(self._board, None)
        if booklet.filling is not None:
            self._fillings[self._board] = booklet.filling
        keep_booklet(self._settings, booklet)
        if self._settings.preferences.remember_choices:
            titles = _KEPT_TITLES.dump_json(list(self._titles.items())[-_MAX_KEPT:])
            fillings = _KEPT_FILLINGS.dump_json(list(self._fillings.items())[-_MAX_KEPT:])
            self._settings.set_text(_TITLES, titles.decode())
            self._settings.set_text(_FILLINGS, fillings.decode())

    @Slot(str)
    def _failed(self, text: str) -> None:
        if self._notice is not None:
            self._notice.show_error(text)


def _last(
    settings: Settings, name: str, kept: TypeAdapter[list[tuple[Board | None, T]]]
) -> dict[Board | None, T]:
    """Return what boards had in the previous session, such as titles."""
    text = settings.text(name) if settings.preferences.remember_choices else ""
    with contextlib.suppress(ValidationError):
        return dict(kept.validate_json(text))
    return {}
