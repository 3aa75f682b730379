"""What the next run of a letter board starts from, and what its card and the notices say of it."""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from tilelab.core.files.grid_file import GridFile
from tilelab.core.plain import JsonObject
from tilelab.core.text.language import marked, tr, translated_again
from tilelab.core.text.shown_text import encodable
from tilelab.core.text.wording import counted
from tilelab.gui.puzzles.boggle.board_editor import BoardEditor
from tilelab.gui.puzzles.boggle.constraint_cards import ConstraintCard
from tilelab.gui.puzzles.boggle.list_size import ListSize
from tilelab.gui.puzzles.boggle.puzzle_plan import noted_shape
from tilelab.gui.run.choices import RUN_NAMES, KeptBoard
from tilelab.gui.run.messages import Board, of_kind
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.widgets.notice_bar import NoticeButton
from tilelab.letters.puzzle_list import is_typed_list
from tilelab.puzzles.boggle.constraints import Constraints, constraints_origin
from tilelab.puzzles.boggle.maker.draft import Draft
from tilelab.puzzles.boggle.masks import fitted_holes, shape_of_holes, shape_rows
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.runs.actions import State

BY_HAND = marked("the board by hand")
START_NAMES = (
    *(BY_HAND, "the pasted board", "the typed board", "the board of the run"),
    *("the board that was shown", "the board that holds all words"),
    *("the board with the most words", *RUN_NAMES),
)
"""File names and titles of start boards."""


class Start(NamedTuple):
    """What a run starts from."""

    board: GridFile | None  # None for random boards
    name: str  # '' for random boards
    constraints: Constraints  # locked cells are those of the board
    holes_shape: tuple[int, int]  # rows and columns of the board that the holes are cut from


class NextStart(QObject):
    """The lexicon and the start of the next run; the board that is edited takes its place."""

    dropped = Signal(str, object)
    """Emitted with a sentence about what the next run starts without, and the Start before."""

    def __init__(
        self,
        puzzle: BogglePuzzle,
        card: ConstraintCard,
        hand: BoardEditor,
        size: ListSize,
        page: PuzzlePage,
    ) -> None:
        super().__init__(page)
        self._card, self._hand, self._size, self._page = card, hand, size, page
        self.lexicon = puzzle.lexicon
        self.now = Start(None, "", puzzle.constraints, puzzle.shape)
        self._before_draft: Start | None = None
        """Start before an edited board took its place."""
        self._size_said = ""  # notice that the size in the panel is another one, or ''

    @property
    def has_board(self) -> bool:
        return self.now.board is not None

    @property
    def is_by_hand(self) -> bool:
        return self.now.name == tr(BY_HAND)

    @property
    def asked(self) -> Constraints:
        """Constraints of the next run; without a start board, holes are fitted to its size."""
        asked, size, shape = self.now.constraints, self._size.typed(), self.now.holes_shape
        if self.has_board or not asked.holes or size == shape:
            return asked
        outline = shape_of_holes(asked.holes, shape, noted_shape(self.lexicon))
        return replace(asked, holes=fitted_holes(shape_rows(outline), size))

    # What replaces it

    def load(self, puzzle: BogglePuzzle, board: GridFile | None, name: str) -> None:
        """Start from a loaded puzzle, without showing that yet.

        name: that of its board, in the current language.
        """
        self.lexicon = puzzle.given or puzzle.lexicon
        self.now = Start(board, "" if board is None else name, puzzle.constraints, puzzle.shape)
        self._card.show_lexicon(self.lexicon)

    def take_over(self, before: "NextStart") -> None:
        """Take over the start of another page, whose puzzle is loaded."""
        name = translated_again(before.now.name, before._page.language, START_NAMES)
        self.now = before.now._replace(name=name)
        self.show()

    def begin_from(self, board: Board) -> None:
        """Start from the board that is shown."""
        puzzle = of_kind(board.puzzle, BogglePuzzle)
        shown = puzzle.constraints
        asked = replace(self.now.constraints, holes=shown.holes, locked=shown.locked)
        grid = GridFile(puzzle.rows_of(board.cells))
        self._before_draft = None
        self.now = Start(grid, tr("the board that was shown"), asked, puzzle.shape)
        self._card.show_start(self.now.name)

    def take_draft(self) -> None:
        """Start from the edited board, if there is one."""
        draft = self._hand.draft
        if draft is not None:
            self._page.notice.forget_undo()
            if self._before_draft is None:
                self._before_draft = self.now
            asked = self._drafted(draft)
            self.now = Start(GridFile(draft.rows), tr(BY_HAND), asked, draft.shape)
            self.show()

    def keep_draft(self) -> None:
        """Forget what was the start before the edited board: a run that starts keeps its own."""
        self._before_draft = None

    def leave_draft(self) -> None:
        """Start from what it was before the edited board, because undo has left that."""
        if self._before_draft is not None and self._page.run.status.state is not State.RUNNING:
            self.now, self._before_draft = self._before_draft, None
        self.follow_size()

    # What the next start of the program shows

    def board_to_keep(self) -> KeptBoard | None:
        draft, start = self._hand.draft, self.now.board
        if draft is not None:
            name, rows, locked = tr(BY_HAND), draft.rows, tuple(sorted(draft.locked))
        elif start is not None:
            name, rows, locked = self.now.name, start.rows, self.now.constraints.locked
        else:
            return None
        params = self._page.panel.values("puzzle")
        return KeptBoard(name=encodable(name), rows=rows, locked=locked, params=params)

    def constraints_to_keep(self) -> JsonObject:
        path = self.lexicon.path
        if path is not None and is_typed_list(path):
            return {}  # the list has them
        fits = not self.has_board or self._size.typed() == self.now.holes_shape
        holes = self.asked.holes if fits else ()
        return constraints_origin(replace(self.now.constraints, locked=(), holes=holes))

    # The card

    def show(self) -> None:
        """Show on the card what the next run starts from: the edited board, or else the start."""
        draft = self._hand.draft
        self._card.show_constraints(self.asked if draft is None else self._drafted(draft))
        self._card.show_start(self.now.name if draft is None else tr(BY_HAND))

    def _drafted(self, draft: Draft) -> Constraints:
        """Return the constraints with the locked cells and the holes of an edited board."""
        locked, holes = tuple(sorted(draft.locked)), tuple(sorted(draft.holes))
        return replace(self.now.constraints, locked=locked, holes=holes)

    # Starting without it

    @Slot()
    def drop_board(self) -> None:
        """Start from a random board, unless cells are locked."""
        if not self._hand.n_locked:
            self._drop_board()
            return
        cells = counted(self._hand.n_locked, "locked cell")
        text = tr("A random board does not keep {cells}. Unlock first.", cells=cells)
        self._page.face.show_error(text)

    @Slot()
    def _drop_board(self) -> None:
        self.take_draft()
        said = tr("The next run starts from a random board.")
        self._drop(said, replace(self.now.constraints, locked=()))

    @Slot()
    def _drop_holes(self) -> None:
        said = tr("The next run has a board without holes.")
        self._drop(said, replace(self.now.constraints, holes=()))

    def _drop(self, said: str, constraints: Constraints) -> None:
        """Start from a random board that keeps the shape of its holes.

        The history keeps an edited board, because Undo does not lead to it once a run has begun.
        """
        before = self.now
        if (edits := self._page.face.record_of_edits()) is not None:
            self._page.recorder.recorded.emit(edits)
        self.now = before._replace(board=None, name="", constraints=constraints)
        self._before_draft = None
        self.follow_size()
        self.dropped.emit(said, before)

    def bring_back(self, before: Start, spoken: str) -> None:
        """Start from a board that was dropped. spoken: language of its name."""
        self.now = before._replace(name=translated_again(before.name, spoken, START_NAMES))
        self.follow_size()

    # The size

    @Slot()
    def follow_size(self) -> None:
        """Say at once that the size in the panel is not that of the start board or the holes."""
        self.show()
        notice = self._page.notice
        said, mends = self._other_size()
        if self._size_said not in ("", said):
            notice.withdraw(self._size_said)
        if said and said != self._size_said:
            notice.show_note(said, stays=True, buttons=mends)
        self._size_said = said

    def mends(self) -> list[NoticeButton]:
        """Return buttons that mend a size that is not that of the start board."""
        has_board = self._hand.draft is not None or self.has_board
        return self._other_size()[1] if has_board else []

    def _other_size(self) -> tuple[str, list[NoticeButton]]:
        """Return that the size is another one, or '', and buttons that change that."""
        (rows, cols), typed = self.now.holes_shape, self._size.typed()
        grid = self._hand.draft or self.now.board
        if grid is not None:
            rows, cols = len(grid.rows), len(grid.rows[0])
            said = tr("The start board has {rows} × {cols} cells.", rows=rows, cols=cols)
            without = tr("Without the start board"), self._drop_board
        elif self.now.constraints.holes:
            new_rows, new_cols = typed
            said = tr(
                "The holes are fitted to {rows} × {cols} cells.", rows=new_rows, cols=new_cols
            )
            if not self.asked.holes:
                said = tr("No hole is left in {rows} × {cols} cells.", rows=new_rows, cols=new_cols)
            without = tr("Without the holes"), self._drop_holes
        else:
            return "", []
        if typed == (rows, cols):
            return "", []
        size = tr("Size {rows} × {cols}", rows=rows, cols=cols)
        return said, [(size, partial(self._set_size, rows, cols)), without]

    def _set_size(self, rows: int, cols: int) -> None:
        self._page.panel.set_values({"rows": rows, "cols": cols})
        self.follow_size()
