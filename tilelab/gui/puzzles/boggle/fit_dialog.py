"""The dialog that searches for the smallest board that holds every word."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFormLayout, QProgressBar, QPushButton, QSizePolicy, QWidget

from tilelab.core.puzzle import Best, Cells
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import figures, tr, translated_again
from tilelab.core.text.shown_text import CUT, one_line, shortened
from tilelab.core.text.wording import capital, counted, duration, labelled
from tilelab.gui.boards.letter_view import BoardView
from tilelab.gui.letters.saved_lexicon import UNTITLED
from tilelab.gui.puzzles.boggle.new_puzzle_dialog import NO_SHAPE, SideField
from tilelab.gui.puzzles.boggle.puzzle_plan import RULES, PuzzlePlan, title_of_banned
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.parts import (
    STRETCH,
    column_layout,
    named,
    push_button,
    row_layout,
    show_in_front,
    text_label,
)
from tilelab.gui.widgets.theme import keep_scaled, set_role
from tilelab.gui.widgets.window_place import Dialog
from tilelab.letters.puzzle_list import Need
from tilelab.puzzles.boggle.constraints import forbidden_inside
from tilelab.puzzles.boggle.difficulty import LEVELS, Difficulty
from tilelab.puzzles.boggle.game import rules_in_words
from tilelab.puzzles.boggle.letter_board import GridReport
from tilelab.puzzles.boggle.maker.aim import Aiming, verdict_of
from tilelab.puzzles.boggle.maker.fit import Fitting, Shape, n_cells_of, named_shapes
from tilelab.puzzles.boggle.maker.packing import least_cells
from tilelab.puzzles.boggle.masks import shape_key
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.runs.history.record import RunRecord, now, record_of_session
from tilelab.runs.session import Session

_LEAST_BOARD = 120  # pixels of the board's height
_MAX_LISTED = 60  # largest number of symbols of a list of words


@dataclass(frozen=True, eq=False)
class FittedBoard:
    """A board that holds all words, or the one that came closest."""

    puzzle: BogglePuzzle
    cells: Cells
    record: RunRecord | None  # record of the run that found all words; None if some are missing
    n_found: int  # number of its words
    rank: tuple[float, ...]  # larger for a better board of the same plan
    say: Callable[[], str]
    """Returns its difficulty if a level is requested, or what it lacks, in the current language."""
    is_proven: bool = False  # whether no smaller board can hold all words

    @property
    def is_whole(self) -> bool:
        """Whether it holds all words."""
        return self.record is not None

    @property
    def rows(self) -> tuple[str, ...]:
        return self.puzzle.rows_of(self.cells)

    @property
    def n_strings(self) -> int:
        """Number of all words."""
        return len(self.puzzle.lexicon.strings)


@dataclass(frozen=True, eq=False)
class FitUpdate:
    """Progress of the search; made in the thread that searches."""

    shape: Shape  # rows and columns of the current try
    seconds: float
    board: FittedBoard | None
    """Smallest board so far, or the nearest to the requested level, or the one with most words."""


@dataclass(frozen=True, eq=False)
class FitResult:
    """Result of the search."""

    n_tried: int | None  # None if it was stopped
    failed: tuple[Shape, ...] = ()  # shapes smaller than the found board that were tried


class FitDialog(Dialog):
    """The dialog of the background search; its best board can be used at any time."""

    chosen = Signal(object)  # emitted with the FittedBoard that the page may show
    back_requested = Signal(int, int)
    """Emitted with the rows and columns, 0 for any, to change the words of a new puzzle."""
    recorded = Signal(object)  # emitted with the RunRecord of the run that found the board

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            parent, tr("Fit all words"), "fit_dialog", "puzzle-maker#the-smallest-board", (560, 620)
        )
        self._puzzle: BogglePuzzle | PuzzlePlan | None = None
        self._asked: object = None  # plan and sides of the searches that the best board is of
        self._best: FittedBoard | None = None  # best board of all these searches
        self._recorded: FittedBoard | None = None
        self._end: FitResult | str | None = None  # result or error of the last search, if any
        self._seed = 0
        self._seconds = 0.0  # duration of the search so far
        self._job = TaskRunner(self, self._take, failed=self._fail, ended=self._allow)
        self._make_parts()
        self._lay_out()
        self.finished.connect(self._job.cancel)
        self.finished.connect(self._allow)

    @property
    def is_planned(self) -> bool:
        """Whether the words are those of a new puzzle, which has no board yet."""
        return not self._back.isHidden()

    @property
    def drops_shape(self) -> bool:
        """Whether the puzzle has a shape, but its search makes rectangles."""
        return isinstance(self._puzzle, BogglePuzzle) and bool(self._puzzle.constraints.holes)

    def ask(self, puzzle: BogglePuzzle, seed: int) -> None:
        """Offer the search for the words and rules of a puzzle; START begins it."""
        if not self._job.is_busy:
            if isinstance(self._puzzle, PuzzlePlan):  # its sides are not for these words
                for side in (self._rows, self._cols):
                    side.setValue(0)
            self._puzzle, self._seed, self._best = puzzle, seed, None
            self._asked = self._end = None
            self._back.hide()
            self._show_request()
            self._show_board()
            self._show_end()
            self._allow()
        show_in_front(self)
        self._start.setFocus()

    def search(self, asked: BogglePuzzle | PuzzlePlan, seed: int) -> None:
        """Start the search for the smallest board of a new puzzle, or one of the level in a plan.

        What was asked before keeps its best board, and is searched with the next seed.
        """
        if self._job.is_busy:
            self.turn()
        self._puzzle = asked
        self._back.show()
        self._show_request()
        sides = asked.sides if isinstance(asked, PuzzlePlan) else (None, None)
        for box, side in zip((self._rows, self._cols), sides, strict=True):
            box.setValue(side or 0)
        if self._asked != self._request:
            self._seed = seed
        self.turn()
        show_in_front(self)
        self._start.setFocus()

    def take_over(self, before: "FitDialog", spoken: str) -> None:
        """Take over the request and the best board of another dialog, which is not searching.

        spoken: the language of that dialog.
        """
        self._puzzle, self._seed = before._puzzle, before._seed
        if isinstance(self._puzzle, PuzzlePlan):
            words = self._puzzle.words
            title = translated_again(words.title, spoken, (UNTITLED,))
            self._puzzle = replace(self._puzzle, words=replace(words, title=title))
        self._best, self._recorded, self._end = before._best, before._recorded, before._end
        self._seconds = before._seconds
        for side, other in ((self._rows, before._rows), (self._cols, before._cols)):
            side.setValue(other.value())
        is_same = before._asked == before._request
        self._asked = self._request if is_same else before._asked
        self._back.setHidden(not before.is_planned)
        self._show_request()
        self._show_board()
        self._show_end()
        self._allow()
        (self._start if self._found is None else self._use).setFocus()

    @Slot()
    def turn(self) -> None:
        """Start the search, or stop it; the best board of all searches of the plan is kept."""
        puzzle = self._puzzle
        if self._job.is_busy:
            self._job.cancel()
            self._end = FitResult(None)
            self._show_end()
            self._record()
            self._allow()
        elif puzzle is not None:
            if self._asked != self._request:
                self._asked, self._best = self._request, None
            self._end = None
            self._show_board()
            rows, cols = (side.value() or None for side in (self._rows, self._cols))
            self._said.setText(tr("Getting ready…"))
            self._small.setText("")
            self._job.start(_searching(puzzle, rows, cols, self._seed))
            self._seed = (self._seed + 1) % (MAX_SEED + 1)
            self._allow()

    @Slot()
    def take_board(self) -> None:
        """Offer the board to the page, which closes the dialog if it takes the board."""
        board = self._board_to_take
        if board is not None:
            self._record()
            self.chosen.emit(board)

    @property
    def _found(self) -> FittedBoard | None:
        """The best board, if it holds all words."""
        return self._best if self._best is not None and self._best.is_whole else None

    @property
    def _board_to_take(self) -> FittedBoard | None:
        """The board with all words, or, after a search without one, the board that came closest."""
        return self._found if self._job.is_busy else self._best

    @property
    def _request(self) -> object:
        """What equal searches have in common but for their seeds."""
        return _key_of(self._puzzle), self._rows.value(), self._cols.value()

    @Slot()
    def _go_back(self) -> None:
        self.reject()
        self.back_requested.emit(self._rows.value(), self._cols.value())

    @Slot(object)
    def _take(self, update: object) -> None:
        if isinstance(update, FitResult):
            self._end = update
            self._show_end()
            self._record()
            if self._found is not None:
                self._use.setFocus()
        elif isinstance(update, FitUpdate):
            self._seconds = update.seconds
            best, board = self._best, update.board
            if board is not None and (best is None or board.rank > best.rank):
                self._best = board
                self._show_board()
            self._show(update)

    def _show_request(self) -> None:
        """Show what is searched for."""
        asked, is_aimed = self._puzzle, isinstance(self._puzzle, PuzzlePlan)
        self.setWindowTitle(tr("New puzzle") if is_aimed else tr("Fit all words"))
        whole = tr("The board with all words will be shown here.")
        smallest = tr("The smallest board so far will be shown here.")
        self._board.set_empty_text(whole if is_aimed else smallest)
        if isinstance(asked, PuzzlePlan):
            title, n_words, rules = asked.words.title, len(asked.words.words), _asked_of(asked)
        elif asked is not None:
            title, n_words = asked.title, len(asked.lexicon.strings)
            bound = counted(least_cells(asked.lexicon, asked.rules), "cell")
            needed = tr(
                "{rules} At least {bound} are needed.",
                rules=rules_in_words(asked.rules),
                bound=bound,
            )
            rules = f"{needed} {tr(NO_SHAPE) if self.drops_shape else ''}".rstrip()
        else:
            return
        self._about.setText(labelled(one_line(title), counted(n_words, "word")))
        self._rules.setText(rules)

    def _show_end(self) -> None:
        """Show how the last search ended, or what one does."""
        end, found = self._end, self._found
        if end is None or isinstance(end, str):
            self._said.setText(end or tr("The board grows until all words fit, then it shrinks."))
            self._small.setText("")
            return
        if end.n_tried is None:
            said = tr("Stopped. {verdict}", verdict=self._verdict())
        else:
            proven = ""
            if found is not None and found.is_proven:
                proven = tr("No smaller board can hold all words.")
            elif found is not None and not found.say():
                proven = tr("Whether a smaller board can hold them is not proven.")
            # A search that ends without a board proves nothing.
            verdict = self._verdict() if found else tr("No board with all words was found.")
            tried = tr("{n_tried} tried.", n_tried=counted(end.n_tried, "board"))
            smaller = ""
            if proven and end.failed:
                shapes = shortened(named_shapes(end.failed), _MAX_LISTED)
                smaller = tr("Tried without success: {shapes}.", shapes=shapes)
            said = " ".join(filter(None, (verdict, proven, tried, smaller)))
        self._said.setText(said)
        self._small.setText(self._advice())

    def _show_board(self) -> None:
        """Show the best board, and the number of its words as the bar."""
        best = self._best
        self._board.set_board(() if best is None else best.puzzle.texts(best.rows))
        self._progress.setRange(0, 1 if best is None else best.n_strings)
        self._progress.setValue(0 if best is None else best.n_found)

    def _record(self) -> None:
        """Record the run that found the board in the history, once."""
        found = self._found
        if found is not None and found.record is not None and found is not self._recorded:
            self._recorded = found
            # The record is of the last of many runs, which alone may be short.
            note = tr("Found by Fit all words after {time}.", time=duration(self._seconds))
            self.recorded.emit(replace(found.record, note=note))

    def _show(self, update: FitUpdate) -> None:
        is_near = self._best is not None and not self._best.is_whole
        self._said.setText(self._counted() if is_near else self._verdict())
        rows, cols = update.shape
        trying = tr("Trying {rows} × {cols}…", rows=rows, cols=cols)
        doing = f"{trying} {duration(update.seconds)}"
        self._small.setText(" ".join(filter(None, (doing, self._blocked()))))
        self._allow()

    def _counted(self) -> str:
        """Return how many words the best board has; '' if there is no board."""
        best = self._best
        if best is None:
            return ""
        rows, cols = best.puzzle.shape
        return tr(
            "The best board, {rows} × {cols}, has {n_found} of {n_strings}.",
            rows=rows,
            cols=cols,
            n_found=figures(best.n_found, ","),
            n_strings=counted(best.n_strings, "word"),
        )

    def _verdict(self) -> str:
        found = self._found
        if found is None:
            return tr("No board holds all words yet.")
        aimed, puzzle = f" {found.say()}".rstrip(), found.puzzle
        rows, cols = puzzle.shape
        return tr(
            "All words fit on {rows} × {cols}, {n_cells}.{difficulty}",
            rows=rows,
            cols=cols,
            n_cells=counted(rows * cols - len(puzzle.constraints.holes), "cell"),
            difficulty=aimed,
        )

    def _blocked(self) -> str:
        """Return which word no board can hold, because of a forbidden one inside, or ''."""
        asked = self._puzzle
        if isinstance(asked, PuzzlePlan):
            strings = asked.words.strings(Need.MUST) + asked.words.strings(Need.NICE)
            forbidden = asked.words.strings(Need.MUST_NOT)
            return forbidden_inside(strings, forbidden, asked.words.spellings)
        if asked is None:
            return ""
        lexicon = asked.lexicon
        return forbidden_inside(lexicon.strings, asked.constraints.forbidden, lexicon.spellings)

    def _advice(self) -> str:
        """Return what the best board lacks, and what would help; '' if one holds all words."""
        asked = self._puzzle
        if self._found is not None or asked is None:
            return ""
        if blocked := self._blocked():
            return blocked
        ways = [tr("a larger board")] if self._rows.value() or self._cols.value() else []
        if isinstance(asked, PuzzlePlan):
            ways += [tr("a rectangle instead of the shape")] if asked.shape else []
            ways += [tr("an easier level")] if asked.level not in ("", LEVELS[0]) else []
            bans = bool(asked.nothing_else)
        else:
            bans = asked.constraints.nothing_else is not None
        ways += [tr("other words allowed")] if bans else []
        said = labelled(tr("What may help"), ", ".join([*ways, tr("fewer words")]))
        lacks = "" if self._best is None else self._best.say()
        return " ".join(filter(None, (self._counted(), lacks, f"{said}.")))

    @Slot(str)
    def _fail(self, text: str) -> None:
        self._end = text
        self._show_end()
        self._allow()

    @Slot()
    def _allow(self) -> None:
        is_busy = self._job.is_busy
        self._start.setText(tr("Stop") if is_busy else tr("Start"))
        set_role(self._start, "stop" if is_busy else "primary" if self._found is None else "")
        set_role(self._use, "primary" if self._found is not None and not is_busy else "")
        self._use.setEnabled(self._board_to_take is not None)
        self._progress.setVisible(is_busy)
        for side in (self._rows, self._cols):
            side.setEnabled(not is_busy)

    def _make_parts(self) -> None:
        self._about = text_label("title", self)
        self._rules = text_label("small", self, wraps=True)
        self._said = text_label("strong", self, "", "fit_said", wraps=True)
        self._rows = SideField("fit_rows", tr("Rows"), self._said.setText, self)
        self._cols = SideField("fit_columns", tr("Columns"), self._said.setText, self)
        self._board = named(BoardView(self), "fit_board")
        # It has the height that the sentences below it leave.
        self._board.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        keep_scaled(self._board, least_height=_LEAST_BOARD)
        self._small = text_label("muted", self, wraps=True)
        self._progress = QProgressBar(self, textVisible=False)
        self._progress.setAccessibleName(tr("Words on the board"))
        tip = tr("Start the search, or stop it and keep its result")
        self._start: QPushButton = push_button(tr("Start"), "fit_start", tip, self, self.turn)
        self._start.setDefault(True)
        title, tip = tr("Back"), tr("Change the words, the size or the shape")
        self._back = push_button(title, "fit_back", tip, self, self._go_back)
        self._back.hide()
        title, tip = tr("Show in the window"), tr("Take this board")
        self._use = push_button(title, "fit_use", tip, self, self.take_board)

    def _lay_out(self) -> None:
        sides = QFormLayout()
        line = row_layout(
            None, 0, 8, self._rows, text_label("muted", self, "×"), self._cols, STRETCH
        )
        sides.addRow(tr("Rows × columns"), line)
        buttons = row_layout(None, 0, 8, self._back, STRETCH, self._start, self._use)
        parts = (self._about, self._rules, sides, (self._board, 1), self._said, self._progress)
        self.lay_out(20, 10, column_layout(None, 0, 10, *parts, self._small), buttons)


def _searching(
    asked: BogglePuzzle | PuzzlePlan, rows: int | None, cols: int | None, seed: int
) -> Iterator[FitUpdate | FitResult]:
    """Search in slices, and yield the progress."""
    search: Callable[..., Fitting] = Fitting
    if isinstance(asked, PuzzlePlan):
        search = partial(Aiming, level=asked.level)
        # A plan is built here, because its forbidden lexicon may be large.
        # Its shape is that of the sides in this dialog.
        asked = replace(asked, rows=rows or asked.rows, cols=cols or asked.cols).build()
    lexicon = asked.given or asked.lexicon
    fitting = search(
        lexicon, asked.params, seed=seed, rows=rows, cols=cols, constraints=asked.constraints
    )
    begun = now()
    board: FittedBoard | None = None
    seen: Best | None = None
    has_more = True
    while has_more:
        has_more = fitting.work()
        session = fitting.found or fitting.best
        if session is not None and session.best is not seen:
            seen = session.best
            new = _near_board(session) if fitting.found is None else _found_board(fitting, begun)
            board = new if board is None or new.rank > board.rank else board
        yield FitUpdate(fitting.progress.shape, fitting.seconds, board)
    yield FitResult(fitting.n_tried, fitting.progress.failed)


def _key_of(asked: BogglePuzzle | PuzzlePlan | None) -> object:
    """Return words and rules without sides, which are equal for equal requests."""
    if asked is None:
        return None
    if isinstance(asked, PuzzlePlan):
        return replace(asked, rows=1, cols=1).noted().text(), asked.accents
    bans = asked.constraints
    rules = {**asked.params.model_dump(), "rows": 0, "cols": 0}
    banned = bans.nothing_else and bans.nothing_else.digest
    return (asked.given or asked.lexicon).digest, rules, bans.required, bans.forbidden, banned


def _asked_of(plan: PuzzlePlan) -> str:
    """Return the rule and all that a plan asks of its board."""
    key = shape_key(plan.shape)
    shape = tr(key) if key else tr("from a picture")
    asked = [
        tr(
            "{rule}. Requested difficulty: {level}.",
            rule=tr(RULES[plan.rule]),
            level=tr(plan.level),
        ),
        f"{labelled(tr('Shape'), shape)}." if plan.shape else "",
        f"{title_of_banned(plan.nothing_else)}." if plan.nothing_else else "",
    ]
    return " ".join(filter(None, asked))


def _near_board(session: Session) -> FittedBoard:
    """Return the best board of a run that has not found all words, with what it lacks."""
    puzzle = session.puzzle
    assert isinstance(puzzle, BogglePuzzle)
    assert session.best is not None
    report = puzzle.report(session.best.cells)
    return FittedBoard(
        replace(puzzle, start=None),
        session.best.cells,
        None,
        len(report.found),
        (0.0, len(report.found), session.best.value),
        partial(_lacks_of, puzzle, report),
    )


def _lacks_of(puzzle: BogglePuzzle, report: GridReport) -> str:
    """Return which words a board lacks, and which it must not have."""
    missing = [puzzle.lexicon.spelling(report.strings[at]) for at in report.missing_indices]
    lacks = []
    if missing:
        said = labelled(tr("Missing"), shortened(", ".join(missing), _MAX_LISTED))
        lacks.append(said if said.endswith(CUT) else f"{said}.")
    if report.forbidden_found:
        found = map(puzzle.lexicon.spelling, report.forbidden_found)
        others = shortened(", ".join(found), _MAX_LISTED)
        lacks.append(tr("It also has words that must not be on it: {words}.", words=others))
    return " ".join(lacks)


def _level_of(level: str, difficulty: Difficulty | None) -> str:
    return capital(f"{verdict_of(level, difficulty)}.")


def _found_board(fitting: Fitting, begun: str) -> FittedBoard:
    """Return the board with all words of a search; begun: time as ``now`` writes it."""
    found = fitting.found
    assert found is not None
    assert found.best is not None
    puzzle = found.puzzle
    assert isinstance(puzzle, BogglePuzzle)
    off = float(n_cells_of(puzzle.shape))
    say: Callable[[], str] = str
    if isinstance(fitting, Aiming):
        off, say = fitting.nearest, partial(_level_of, fitting.level, fitting.difficulty)
    return FittedBoard(
        replace(puzzle, start=None),
        found.best.cells,
        record_of_session(found, status="solved", begun=begun),
        len(puzzle.lexicon.strings),
        (1.0, -off),
        say,
        fitting.is_proven,
    )
