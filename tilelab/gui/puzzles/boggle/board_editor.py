"""Editing a letter board by hand while no run is going: score, undo, locks and holes.

The letters change at once; the score is computed in the background.
"""

import dataclasses
import math
from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QPoint, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.play import UndoHistory
from tilelab.core.puzzle import Cells
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import folded, quoted
from tilelab.core.text.wording import capital, counted, number
from tilelab.gui.boards.cell_view import has_button_room
from tilelab.gui.puzzles.boggle.edit_view import EditView
from tilelab.gui.puzzles.boggle.picture_shape import ask_for_shape
from tilelab.gui.run.messages import Board, of_kind
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.parts import (
    STRETCH,
    IconButton,
    calling,
    column_layout,
    named,
    row_layout,
    small_button,
    text_label,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.puzzles.boggle.maker.draft import Draft
from tilelab.puzzles.boggle.masks import fitted_holes, offered_shapes, shape_rows
from tilelab.puzzles.boggle.puzzle import BogglePuzzle, GridReport

Change = Callable[[Draft], Draft]
Shape = tuple[int, int]


class EditorBar(QWidget):
    """The bar of editing buttons; it knows nothing of boards."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.undo = self._icon("undo", tr("Undo"), tr("Undo the last change (Ctrl+Z)"))
        self.redo = self._icon("redo", tr("Redo"), tr("Redo the change (Ctrl+Shift+Z)"))
        tip = tr("Lock or unlock the selected cell; no solver changes a locked cell (Space)")
        self.lock = self._icon("lock", tr("Lock"), tip)
        tip = tr("Cut holes: click a cell to remove it from the board or to restore it (#)")
        self.holes = self._icon("hole", tr("Holes"), tip)
        self.holes.setCheckable(True)
        self.shapes = self._icon("shape", tr("Shape"), tr("Give the board a shape"))
        self.menu = QMenu(self)  # menu of shapes; filled when it opens
        self.shapes.clicked.connect(self._open_shapes)
        self._said = text_label("strong", self, "", "hand_changes")
        tip = tr(
            "Start the selected solver from this board; tabu search and hill climbing stay near it"
        )
        self.improve = small_button(tr("Improve from here"), "improve", tip, self)
        tools = self.undo, self.redo, 12, self.lock, self.holes, self.shapes
        row_layout(self, 0, 4, *tools, STRETCH, self._said, 8, self.improve)

    def show_change(self, before: float | None, now: float | None) -> None:
        """Show the value of a board before and after editing; None if not known."""
        if before is None or now is None:
            self._said.clear()
            return
        sign = "±" if now == before else "+" if now > before else "−"
        self._said.setText(f"{sign}{number(abs(now - before))}")
        self._said.setToolTip(
            tr("{before} before, {now} now", before=number(before), now=number(now))
        )

    @Slot()
    def _open_shapes(self) -> None:
        self.menu.popup(self.shapes.mapToGlobal(QPoint(0, self.shapes.height() + 4)))

    def _icon(self, icon_name: str, title: str, tip: str) -> IconButton:
        return IconButton(icon_name, f"hand_{icon_name}", title, tip, self)


class BoardEditor(QWidget):
    """The editor of the board that the page shows."""

    scored = Signal(object)  # emitted with the edited Board, scored by its puzzle
    changed = Signal()  # emitted when the user has edited the board
    restored = Signal(object)  # emitted with the Board before all edits, which is shown again
    refused = Signal(str)

    def __init__(
        self, settings: Settings, size: Callable[[], Shape], parent: QWidget | None = None
    ) -> None:
        """size: returns rows and columns of the next run's board, from which shapes are cut."""
        super().__init__(parent)
        self._settings, self._size = settings, size
        self._base: Board | None = None  # board before any edit
        self._scored: Board | None = None  # edited board; None while its score is not known
        self._history: UndoHistory[Draft] | None = None
        self._lexicon = ""  # digest of the lexicon of the undo history
        self._is_active = self._is_free = False
        self.offered: Callable[[str], Callable[[], object] | None] = lambda action: None
        """Function that returns what an action does in place of its own, such as undo a load."""
        self._reader = TaskRunner(self, self._show_score, failed=self.refused)
        self.board = named(EditView(self), "board_view")
        self.bar = EditorBar(self)
        column_layout(self, 0, 8, (self.board, 1), self.bar)
        self._connect()
        self.allow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_bar()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_bar()

    def _show_bar(self) -> None:
        """Show the buttons of a board, unless they would leave it too little room."""
        has_room = has_button_room(self) or not self.isVisible()  # not laid out before it is shown
        self.bar.setVisible(self._base is not None and has_room)

    @property
    def draft(self) -> Draft | None:
        """Edited board, while it is shown."""
        return self._history.position if self._is_active and self._history else None

    def edited_board(self) -> Board | None:
        """Return the edited board, scored now if that is not done yet; None if there is none.

        A board that is again as it was before all edits is none. It raises TileLabError for a
        board that its puzzle refuses.
        """
        if self.draft is None or self._base is None or self.draft == self._unedited:
            return None
        return self._scored or next(_read(_puzzle_of(self._base), self.draft))

    @property
    def n_locked(self) -> int:
        """Number of locked cells on the board that is shown."""
        return 0 if self._base is None else len(self._here().locked)

    def show_board(self, board: Board | None) -> None:
        """Show a board that is not an edit; undo brings an edited board back."""
        self._reader.cancel()
        self._is_active = False
        self._base = board
        self._draw(board)
        locked = () if board is None else _puzzle_of(board).constraints.locked
        self.board.show_locked(frozenset(locked))
        self.bar.show_change(None, None)
        self.allow()

    def set_free(self, is_free: bool) -> None:
        """Unlock the board, or lock it while a run is going."""
        self._is_free = is_free
        if not is_free:
            self.bar.holes.setChecked(False)
        self.allow()

    def take_over(self, before: "BoardEditor", shown: Board | None) -> None:
        """Show the draft of another editor, if it has one, with its undo history.

        shown: the scored draft, if known.
        """
        self._history, self._lexicon = before._history, before._lexicon
        if before.draft is not None:
            self._base = before._base
            self._show_draft()
            if shown is not None and not before._reader.is_busy:
                self._reader.cancel()
                self._show_score(shown)
        self.allow()
        self.bar.holes.setChecked(before.bar.holes.isChecked())

    def note_start(self, puzzle: BogglePuzzle) -> None:
        """Let undo bring back the start of a puzzle, before what was edited earlier."""
        assert puzzle.start is not None
        self._note(_draft_of(puzzle, puzzle.start), puzzle)

    def _note(self, draft: Draft, puzzle: BogglePuzzle) -> None:
        """Let a board be the newest one in the history, which knows boards of one lexicon."""
        if self._history is None or self._lexicon != puzzle.lexicon.digest:
            self._history, self._lexicon = UndoHistory(draft), puzzle.lexicon.digest
        elif self._history.position != draft:
            self._history.push(draft)

    def keeper(self) -> Callable[["BoardEditor"], None]:
        """Return a function that shows the edited board of now in an editor, with its history."""
        history = None if self._history is None else self._history.copy()
        lexicon, is_active = self._lexicon, self._is_active

        def restore(editor: BoardEditor) -> None:
            editor._history, editor._lexicon = history, lexicon
            if is_active and editor._base is not None:
                editor._show_draft()
            editor.allow()

        return restore

    def forget_redo(self) -> None:
        """Drop the edits that were undone, because another board is loaded."""
        if self._history is not None:
            self._history.forget_redo()
            self.allow()

    def forget(self) -> None:
        """Drop all edits, because a run has begun without them."""
        self._history = None
        self.allow()

    def has(self, rows: tuple[str, ...]) -> bool:
        """Return whether undo knows a board with these rows as the newest one."""
        return self._history is not None and self._history.position.rows == rows

    @property
    def _unedited(self) -> Draft:
        """The board before any edit; there is one."""
        assert self._base is not None
        return _draft_of(_puzzle_of(self._base), self._base.cells)

    # Requests of the user

    @Slot()
    def undo(self) -> None:
        if (offered := self.offered("undo")) is not None:
            offered()
        else:
            self._step(UndoHistory[Draft].undo, tr("There is nothing to undo."))

    @Slot()
    def redo(self) -> None:
        offered = self.offered("redo")
        if offered is not None and not self._can_redo:
            offered()
        else:
            self._step(UndoHistory[Draft].redo, tr("There is nothing to redo."))

    @Slot(int, str)
    def _type(self, cell: int, letter: str) -> None:
        assert self._base is not None
        alphabet = _puzzle_of(self._base).lexicon.alphabet
        here = self._here()
        if folded(letter) not in alphabet:
            self.refused.emit(
                tr(
                    "No word has the letter {letter}. The words have these: {alphabet}",
                    letter=quoted(letter),
                    alphabet=" ".join(alphabet),
                )
            )
        elif cell in here.locked:
            self.refused.emit(tr("This cell is locked; Space unlocks it."))
        else:
            self._change(lambda draft: draft.typed(cell, letter))
            self.board.focus_cell(here.after(cell))

    @Slot(int, int)
    def _swap(self, one: int, other: int) -> None:
        if {one, other} & self._here().locked:
            self.refused.emit(tr("One of these cells is locked; Space unlocks it."))
        else:
            self._change(lambda draft: draft.swapped(one, other))

    @Slot(int)
    def _turn_lock(self, cell: int) -> None:
        self._change(lambda draft: draft.lock_turned(cell))

    @Slot()
    def _lock_current(self) -> None:
        cell = self.board.current_cell
        if cell is None:
            self.refused.emit(tr("Select a cell first: click it, or use Tab and the arrow keys."))
        else:
            self._turn_lock(cell)

    @Slot(int)
    def _turn_hole(self, cell: int) -> None:
        if cell in self._here().locked:
            self.refused.emit(tr("This cell is locked; Space unlocks it."))
        else:
            self._change(lambda draft: draft.hole_turned(cell))

    def _shape(self, size: Shape, holes: tuple[int, ...]) -> None:
        assert self._base is not None
        here = self._here()
        sized = here.resized(size, _commonest(_puzzle_of(self._base)))
        n_removed = len(here.locked) - len(sized.locked.difference(holes))
        if n_removed:
            self.refused.emit(
                tr(
                    "This shape removes {cells}. Unlock first.",
                    cells=counted(n_removed, "locked cell"),
                )
            )
        else:
            self._change(lambda _draft: sized.with_holes(holes))

    def _shape_of_picture(self) -> None:
        size = self._size()
        try:
            mask = ask_for_shape(self, self._settings, size)
        except TileLabError as error:
            self.refused.emit(str(error))
        else:
            if mask is not None:
                self._shape(size, fitted_holes(mask, size))

    def _change(self, change: Change) -> None:
        """Replace the board by its changed version, as one step of undo."""
        if self._base is None or not self._is_free:
            return
        here = self._here()
        after = change(here)
        if after != here:
            for draft in (here, after):
                self._note(draft, _puzzle_of(self._base))
            self._show_draft()

    def _step(self, step: Callable[[UndoHistory[Draft]], None], otherwise: str) -> None:
        if self._base is None or not self._is_free or not self._belongs:
            self.refused.emit(otherwise)
            return
        assert self._history is not None
        before = self._here()
        if not self._is_active and step is UndoHistory[Draft].undo:
            self._note(before, _puzzle_of(self._base))
        step(self._history)
        if self._history.position == before:
            self.refused.emit(otherwise)
        elif self._history.position == self._unedited:
            self.restored.emit(self._base)
        else:
            self._show_draft()

    @property
    def can_bring_back(self) -> bool:
        """Whether undo brings back a previous edited board."""
        if self._history is None or self._is_active or not self._belongs:
            return False
        return self._history.position != self._here()

    @property
    def _can_redo(self) -> bool:
        return self._history is not None and self._belongs and self._history.can_redo

    @property
    def _belongs(self) -> bool:
        """Return whether the shown board has the lexicon of the history; sizes may differ."""
        if self._history is None or self._base is None:
            return False
        return self._lexicon == _puzzle_of(self._base).lexicon.digest

    def _here(self) -> Draft:
        """Return the board that is shown as a draft."""
        return self._unedited if self.draft is None else self.draft

    # Display

    def _show_draft(self) -> None:
        """Show the current draft, and score it in the background."""
        assert self._base is not None
        self._is_active, self._scored = True, None
        draft = self._here()
        scene = self.board.scene
        usage = scene.usage if scene.shape == draft.shape else None
        self.board.set_board(_puzzle_of(self._base).texts(draft.rows), usage)
        self.board.show_locked(draft.locked)
        self._reader.start(_read(_puzzle_of(self._base), draft))
        self.allow()
        self.changed.emit()

    @Slot(object)
    def _show_score(self, board: Board) -> None:
        assert self._base is not None
        self._scored = board
        self._draw(board)
        self.bar.show_change(_value(self._base), _value(board))
        self.scored.emit(board)

    def started(self, board: Board) -> BogglePuzzle:
        """Return the puzzle with the board that is shown as its start."""
        puzzle, draft = _puzzle_of(board), self.draft
        asked = puzzle.constraints
        if draft is not None:
            asked = dataclasses.replace(asked, locked=tuple(sorted(draft.locked)))
        return dataclasses.replace(puzzle, start=board.cells, constraints=asked)

    def changes(self, board: Board) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the words won and lost since the first edit."""
        assert self._base is not None
        before = of_kind(self._base.report, GridReport).found
        now = of_kind(board.report, GridReport).found
        won = set(now) - set(before)
        lost = set(before) - set(now)
        return tuple(s for s in now if s in won), tuple(s for s in before if s in lost)

    def _draw(self, board: Board | None) -> None:
        if board is None:
            self.board.set_board(())
        else:
            report = of_kind(board.report, GridReport)
            self.board.set_board(report.texts, report.usage)

    @Slot()
    def allow(self) -> None:
        """Enable what is possible now."""
        has_board = self._base is not None
        self._show_bar()
        free = has_board and self._is_free
        self.board.set_editable(free)
        history = self._history if self._belongs else None
        can_undo = history is not None and (history.can_undo or self.can_bring_back)
        self.bar.undo.setEnabled((free and can_undo) or self.offered("undo") is not None)
        self.bar.redo.setEnabled((free and self._can_redo) or self.offered("redo") is not None)
        for part in (self.bar.lock, self.bar.holes, self.bar.shapes, self.bar.improve):
            part.setEnabled(free)

    @Slot()
    def _fill_shapes(self) -> None:
        self.bar.menu.clear()
        self._offer_shapes(self.bar.menu)

    def _offer_shapes(self, menu: QMenu) -> None:
        """Offer shapes of the next run's size; the board's own holes are inverted in its own."""
        draft, size = self._here(), self._size()
        menu.addAction(tr("Whole rectangle")).triggered.connect(calling(self._shape, size, ()))
        for key, cut in offered_shapes().items():
            fitted = fitted_holes(shape_rows(cut), size)
            menu.addAction(capital(tr(key))).triggered.connect(calling(self._shape, size, fitted))
        menu.addAction(tr("From a picture…")).triggered.connect(calling(self._shape_of_picture))
        menu.addSeparator()
        n_cells = math.prod(draft.shape)
        inverted = tuple(sorted(set(range(n_cells)) - draft.holes))
        turned = menu.addAction(tr("Invert"))
        turned.setEnabled(0 < len(draft.holes) < n_cells)
        turned.triggered.connect(calling(self._shape, draft.shape, inverted))

    @Slot(int, QPoint)
    def _open_menu(self, cell: int, place: QPoint) -> None:
        here = self._here()
        is_hole, is_locked = cell in here.holes, cell in here.locked
        menu = QMenu(self)
        lock = menu.addAction(
            tr("Unlock this cell\tSpace") if is_locked else tr("Lock this cell\tSpace")
        )
        lock.setEnabled(not is_hole)
        lock.triggered.connect(calling(self._turn_lock, cell))
        hole = menu.addAction(tr("Fill this hole\t#") if is_hole else tr("Make a hole\t#"))
        hole.setEnabled(not is_locked)
        hole.triggered.connect(calling(self._turn_hole, cell))
        menu.addSeparator()
        unlocked = partial(dataclasses.replace, locked=frozenset())
        unlock = menu.addAction(tr("Unlock all cells"))
        unlock.setEnabled(bool(here.locked))
        unlock.triggered.connect(calling(self._change, unlocked))
        self._offer_shapes(menu.addMenu(tr("Shape")))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    def _connect(self) -> None:
        board, bar = self.board, self.bar
        board.typed.connect(self._type)
        board.erased.connect(lambda cell: board.focus_cell(self._here().before(cell)))
        board.swapped.connect(self._swap)
        board.lock_turned.connect(self._turn_lock)
        board.hole_turned.connect(self._turn_hole)
        board.menu_requested.connect(self._open_menu)
        bar.undo.clicked.connect(self.undo)
        bar.redo.clicked.connect(self.redo)
        bar.lock.clicked.connect(self._lock_current)
        bar.holes.toggled.connect(board.set_making_holes)
        bar.menu.aboutToShow.connect(self._fill_shapes)


def _draft_of(puzzle: BogglePuzzle, cells: Cells) -> Draft:
    return Draft.of(puzzle.rows_of(cells), puzzle.constraints.locked, _commonest(puzzle))


def _commonest(puzzle: BogglePuzzle) -> str:
    return puzzle.lexicon.alphabet[int(puzzle.lexicon.frequencies.argmax())]


def _read(puzzle: BogglePuzzle, draft: Draft) -> Iterator[Board]:
    """Score a draft by its puzzle, with the draft's own size and holes."""
    asked = puzzle.constraints
    holes = tuple(sorted(draft.holes))
    if (draft.shape, holes) != (puzzle.shape, asked.holes):
        asked = dataclasses.replace(asked, holes=holes, locked=())
        rows, cols = draft.shape
        params = puzzle.params.model_copy(update={"rows": rows, "cols": cols})
        puzzle = BogglePuzzle.create(puzzle.given or puzzle.lexicon, params, None, asked)
    yield Board.of(puzzle, puzzle.parse(draft.rows, foreign=True))


def _puzzle_of(board: Board) -> BogglePuzzle:
    return of_kind(board.puzzle, BogglePuzzle)


def _value(board: Board) -> float:
    """Return the whole value, with the terms of required and forbidden words."""
    return of_kind(board.report, GridReport).value
