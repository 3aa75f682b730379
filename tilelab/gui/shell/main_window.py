"""The main window: a bar of buttons above the page of the current puzzle."""

# ruff: noqa: PLW0108 - the page, the race and the writer are those of the moment of the signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QWidget

from tilelab import catalog, plugins
from tilelab.core.errors import TileLabError
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import shortened, window_title
from tilelab.core.text.wording import counted
from tilelab.gui.run.choices import last_shown
from tilelab.gui.run.load_menu import LoadTarget, is_plan
from tilelab.gui.run.messages import LoadContext, ReadyPuzzle
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.shell.commands import window_commands
from tilelab.gui.shell.page_registry import face_makers, load_rest, made_page
from tilelab.gui.shell.presentation import Presentation
from tilelab.gui.shell.run_bar import RunBar
from tilelab.gui.shell.run_opener import RunOpener
from tilelab.gui.shell.secondary_windows import SecondaryWindows
from tilelab.gui.shell.shutdown import Shutdown
from tilelab.gui.shell.window_state import (
    remember,
    remember_page,
    restore,
    restore_looks,
    restore_page,
)
from tilelab.gui.threads.task_runner import close_all
from tilelab.gui.widgets.access import ask_system
from tilelab.gui.widgets.commands import CommandTable, Menu
from tilelab.gui.widgets.file_dialog import dropped_files
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.parts import after_first_paint, column_layout, text_label
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import set_role
from tilelab.lessons import is_lesson
from tilelab.runs.actions import Action
from tilelab.runs.checkpoints.interrupted import Claim, find_by_name
from tilelab.runs.checkpoints.run_folder import RUN, RunFolder
from tilelab.runs.files.carried import has_run, is_picture, is_run_file, is_start
from tilelab.runs.session import Checkpoint


class DropHint(QFrame):
    """A frame around the part of the page that a dragged file would change, with a sentence."""

    def __init__(self, ground: QWidget) -> None:
        super().__init__(ground)
        self._ground = ground
        self.setObjectName("drop_hint")
        set_role(self, "drop")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._text = text_label("drop", self, wraps=True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column_layout(self, 12).addWidget(self._text, 0, Qt.AlignmentFlag.AlignCenter)
        self.hide()

    def show_over(self, page: PuzzlePage, becomes: LoadTarget) -> None:
        """Show which part of the page a file would replace: words, board, or the whole run."""
        parts: dict[LoadTarget, QWidget] = {
            LoadTarget.WORDS: page.panel,
            LoadTarget.BOARD: page.middle,
        }
        part = parts.get(becomes, page)
        self._text.setText(tr(becomes.value))
        corner = part.mapTo(self._ground, QPoint())
        self.setGeometry(corner.x(), corner.y(), part.width(), part.height())
        self.show()
        self.raise_()


class MainWindow(SecondaryWindows):
    """Shows one puzzle's page at a time; each page keeps its state and its run."""

    loaded = Signal()  # emitted when everything that follows the first paint is loaded

    def __init__(
        self, settings: Settings | None = None, before: "MainWindow | None" = None
    ) -> None:
        """before: a window to take place and runs from; it closes when this one is shown."""
        super().__init__(settings or Settings())
        set_manual_place(self, "window")
        # Before other widgets: some of them keep the size of texts that they were made in.
        restore_looks(self.settings)
        self._makers = face_makers()
        self.puzzle_keys = tuple(self._makers)
        self._rest = load_rest()
        self._has_ended = False
        self._allowed: tuple[object, ...] = ()
        """State of the page and its run when the commands were last refreshed."""
        self._before = before
        self.run_opener = RunOpener(lambda: self.page, self.settings, self)
        self.shutdown = Shutdown(lambda: self.pages, self.list_ended, self)
        self.commands = CommandTable(self, self._refuse)
        self.commands.set_own(window_commands(self))
        puzzles = {key: catalog.puzzle(key) for key in self._makers}
        self.bar = RunBar(puzzles, self.commands, self.menuBar(), self)
        self._ground = QWidget(self)
        self._whole = column_layout(self._ground, 0, 0, self.bar)
        self.setCentralWidget(self._ground)
        self.setAcceptDrops(True)
        self.drop_hint = DropHint(self._ground)
        self.presentation = Presentation(self, self.bar, self.commands)
        self.bar.asked.connect(self.act)
        self.bar.puzzle_chosen.connect(self.show_puzzle)
        self.bar.speed.speed_chosen.connect(lambda speed: self.page.client.set_pace(speed))
        self.bar.load_menu.aboutToShow.connect(self._fill_load_menu)
        self.run_opener.run_read.connect(self._open_read)
        self.run_taken.connect(self._take_up)
        self.shutdown.page_wanted.connect(self.show_puzzle)
        self.shutdown.waits.connect(self._show_waiting)
        self.shutdown.all_saved.connect(self.close)
        restore(self, self.settings)
        if before is None:
            self.show_puzzle(last_shown(self.settings, self._makers))
        else:
            self._take_over(before)
        for sentence in plugins.left_out():
            self.page.notice.show_error(sentence)
        after_first_paint(self, self._load_rest)

    def _take_over(self, before: "MainWindow") -> None:
        """Take over the pages of another window and their work."""
        shown = before.page.puzzle_key
        for key in (*(key for key in before._pages if key != shown), shown):
            self.show_puzzle(key)
        self.take_over_windows(before)
        before.give_way(self)
        self._before = None
        self.run_opener.take_over(before.run_opener)
        if recovery := before.made("recovery"):
            self.recovery.take_over(recovery)
        after_first_paint(self, before.deleteLater)

    def give_way(self, to: "MainWindow") -> None:
        """End everything of this window apart from the pages that another one has taken over."""
        self._has_ended = True
        for page in self.pages:
            self.end_race(page)
            if page.puzzle_key not in to._pages:  # the page fails in the new language
                page.end(keep=True)
            if page is not self.page:
                page.setParent(self)  # Qt deletes it with the window
        self.end_windows()
        close_all(self)
        self.close_history()

    @Slot()
    def _load_rest(self) -> None:
        """Load a part of what is not shown yet; events are handled between two parts."""
        if self._has_ended:
            return  # new work would not be ended
        if next(self._rest, self) is self:
            ask_system(self)
            self.loaded.emit()
        else:
            QTimer.singleShot(0, self, self._load_rest)

    @Slot(str)
    def show_puzzle(self, key: str) -> None:
        """Show the page of a puzzle; it is made on first use."""
        if self._pages and self.page.puzzle_key == key:
            return
        fresh = key not in self._pages
        made = self._made(key) if fresh else self._pages[key]
        if made is None:
            return
        if self._pages:
            self.presentation.end()
            # Only the current page is a child of the window, so that object names are unique.
            if self._before is None:  # otherwise it was never laid out
                remember_page(self.page, self.settings)
            self.page.face.leave()
            self.close_race()
            self._whole.removeWidget(self.page)
            self.page.hide()
            self.page.setParent(None)
        self.page = page = self._pages[key] = made
        self._whole.addWidget(page, 1)
        if fresh:
            restore_page(page, self.settings)
            page.run.status_changed.connect(lambda: self.bar.show_run_of(key, page.run.status))
            page.run.status_changed.connect(self._show_status)
            page.title_changed.connect(self._show_title)
            page.look.pace_wanted.connect(self.bar.speed.set_speed)
            page.solver_set.connect(self._show_solver)
            page.solver_set.connect(self.commands.refresh)
            page.recorder.recorded.connect(lambda record: self.history_writer.write(record))
            page.face.load.file_requested.connect(self.open_file)
            page.face.load.run_requested.connect(self.open_run_file)
            page.face.race_requested.connect(lambda paper: self.race.race_with(paper))
            page.run_files.saved.connect(self.shutdown.saved)
            page.run_files.failed.connect(self.shutdown.failed)
            if self._before is not None and key in self._before._pages:
                page.take_over(self._before._pages[key])
        page.show()
        self.bar.show_puzzle(key)
        self.bar.speed.show_speed(page.client.pace)
        self._show_solver()
        self.commands.set_page(page.face.commands())
        self.commands.menus[Menu.FILE].insertMenu(self.commands["load"], self.bar.load_menu)
        self._show_status()
        self._show_title()
        page.face.take_focus()
        self.page_shown.emit(page)

    def _made(self, key: str) -> PuzzlePage | None:
        """Make the page of a puzzle; if it fails, as a plug-in's may, show an error."""
        try:
            return made_page(self._makers[key], key, self.settings, self._ground)
        except TileLabError as error:
            if not self._pages:
                self.show_puzzle(next(other for other in self._makers if other != key))
            self.bar.show_puzzle(self.page.puzzle_key)
            self.page.notice.show_error(str(error))
            return None

    @Slot(object)
    def act(self, action: Action) -> None:
        if action is not Action.LOAD:
            self.page.control.act(action)
        elif not self.page.control.refuses(action):
            self.bar.open_load_menu()

    @Slot(object)
    def open_run_file(self, path: Path, *, resumed_at: int | None = None) -> None:
        """Read a run file in the background, and open it on the page of its puzzle.

        An interrupted run is opened from its folder. resumed_at: units after which the run in the
        history is to be resumed at once; None for a run that is only opened.
        """
        run = find_by_name(str(path)) if path.name == RUN else None
        if run is None:
            self.run_opener.open(path, resumed_at=resumed_at)
        else:
            self.recovery.take(run, resumes=resumed_at is not None)

    def open_checkpoint(
        self,
        checkpoint: Checkpoint,
        path: Path | None = None,
        folder: RunFolder | None = None,
        said: str = "",
    ) -> bool:
        """Show the page of a run's puzzle, and open the run there; returns whether it is opened.

        path: file of the run, if it is the user's own. folder: where it is kept, if it was
        interrupted. said: what is said of it; '' for the usual sentence. If it cannot be opened,
        the window stays as it was, and shows why.
        """
        before = self.page.puzzle_key
        page = self._page_for(checkpoint)
        if page is not None and page.open_run(checkpoint, path, folder, said=said):
            return True
        self.show_puzzle(before)
        return False

    def _page_for(self, checkpoint: Checkpoint) -> PuzzlePage | None:
        """Show the page of a run's puzzle; None if it cannot take the run, with a notice why."""
        if self._refusal_of(checkpoint):
            self._refuse(partial(self._refusal_of, checkpoint))
            return None
        key = checkpoint.recipe.puzzle.spec.key
        page = self._page_of(key)
        return page if page.puzzle_key == key else None  # otherwise its page failed

    def _refuse(self, why: Callable[[], str]) -> None:
        self.page.notice.show_refusal(why)

    def _refusal_of(self, checkpoint: Checkpoint) -> str:
        """Return why a run cannot be opened now, or ''."""
        puzzle = checkpoint.recipe.puzzle.spec
        if puzzle.key not in self._makers:
            return tr(
                "{title} has no page in the window. Continue it with tilelab resume.",
                title=puzzle.title,
            )
        there = self._pages.get(puzzle.key)
        return "" if there is None else there.control.load_refusal

    @Slot(object, object, object, str)
    def _open_read(
        self, checkpoint: Checkpoint, path: Path, resumed_at: int | None, difference: str
    ) -> None:
        carried = is_picture(path) or bool(catalog.puzzle_of_board(path))
        repeats = carried and has_run(checkpoint)
        if carried and not repeats and is_start(checkpoint):
            is_open = self._open_board(checkpoint, path.name, difference)
        else:
            said = ""
            if repeats:
                said = tr("Opened the run behind {name}. RESUME runs it again.", name=path.name)
            elif carried:
                said = tr("Opened {name} with its board. RESUME begins a run.", name=path.name)
            is_open = self.open_checkpoint(checkpoint, None if carried else path, said=said)
            if is_open and resumed_at is not None:
                self.page.control.resume_when_open(checkpoint.key, resumed_at)
        if is_open:
            self.run_opener.remember(path)

    def _open_board(self, checkpoint: Checkpoint, name: str, difference: str) -> bool:
        """Load a board that a picture carries without a run; returns whether it is requested."""
        page = self._page_for(checkpoint)
        if page is None:
            return False

        def show_loaded(puzzle: Puzzle) -> None:
            page.panel.show_puzzle(puzzle)
            if difference:  # the offer of Undo begins with what is loaded, and adds this
                page.notice.show_note(difference)

        request = ReadyPuzzle(checkpoint.recipe.puzzle)
        context = LoadContext(run_name=name, then=show_loaded)
        return page.face.load.choose(page.control.ask_puzzle, request, context)

    @Slot(object, object, bool)
    def _take_up(self, checkpoint: Checkpoint, claim: Claim, resumes: bool) -> None:
        refusal = self._refusal_of(checkpoint)
        n_others = len(self.recovery.runs) - 1
        others = tr(
            "{n_others} can be continued, too: choose Interrupted runs… in the menu Tools.",
            n_others=counted(n_others, "other run"),
        )
        said = " ".join(filter(None, (claim.notice, others if n_others > 0 else "")))
        if not self.open_checkpoint(checkpoint, folder=claim.folder, said=said):
            # A user who has just answered no needs no reason.
            self.recovery.refuse(claim, refusal)
            return
        if resumes:
            self.page.control.resume_when_open(checkpoint.key)

    def open_file(self, file: Path) -> None:
        """Open a run, a lesson, a plan, or a board on the page of its puzzle."""
        if is_run_file(file):
            self.open_run_file(file)
        elif is_lesson(file):
            self.show_lessons(file)
        elif is_plan(file):
            self.experiments.bring()
            self.experiments.open(file)
        else:
            before, key = self.page, catalog.puzzle_of_board(file) or self.page.puzzle_key
            self.show_puzzle(key)
            if self.page.puzzle_key == key:  # otherwise the page cannot be made, and says why
                self._open_board_file(file, before)

    def _open_board_file(self, file: Path, before: PuzzlePage) -> None:
        """Open a board on the page that is shown; if it is refused, show the page before again."""
        page, said = self.page, list[str]()
        note = said.append
        page.face.load.refused.connect(note)
        page.face.load.open(file)
        page.face.load.refused.disconnect(note)
        if said and page is not before:
            page.notice.withdraw(said[0])
            self.show_puzzle(before.puzzle_key)
            before.face.show_error(said[0])

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._has_ended:
            return  # its runs belong to another window
        if not self.shutdown.may_close():
            event.ignore()
            return
        self._has_ended = True
        self.presentation.end()
        self.end_windows()
        for page in self._pages.values():
            page.face.end()
        remember_page(self.page, self.settings)
        remember(self, self.settings)
        for page in self._pages.values():
            page.end(keep=self.shutdown.keeps(page))
            self.end_race(page)
            if page is not self.page:
                # Only now: Qt deletes it with the window.
                page.setParent(self)
        close_all(self)
        if recovery := self.made("recovery"):
            recovery.end()
        self.close_history()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if files := self._files_to_load(event):
            event.acceptProposedAction()
            self.drop_hint.show_over(self.page, self.page.face.load.becomes(files[0]))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.drop_hint.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self.drop_hint.hide()
        files = self._files_to_load(event)
        if not files:
            return
        event.acceptProposedAction()
        if len(files) > 1:
            self.page.notice.show_error(tr("Drop one file at a time."))
        else:
            self.page.face.load.open(files[0])

    def _files_to_load(self, event: QDropEvent) -> list[Path]:
        files = dropped_files(event.mimeData())
        return [] if files and self.page.control.refuses(Action.LOAD) else files

    @Slot()
    def _show_solver(self) -> None:
        solver = catalog.solver(self.page.puzzle_key, self.page.choices.solver_key)
        self.bar.speed.set_step(solver.spec.smallest_step)

    @Slot()
    def _show_status(self) -> None:
        had_focus = self.focusWidget()
        status = self.page.run.status
        allowed = self.page, status.allowed, status.pending, status.state, status.has_run
        if allowed != self._allowed:  # a run that is going reports many times a second
            self._allowed = allowed
            self.commands.refresh()
        self.bar.show_status(status)
        if had_focus is not None and not had_focus.isEnabled():
            self.bar.focus_what_matters()

    @Slot()
    def _show_title(self) -> None:
        # The platform adds the name of the program where that is its custom.
        self.setWindowTitle(window_title(shortened(self.page.face.title)))

    @Slot()
    def _fill_load_menu(self) -> None:
        menu = self.bar.load_menu
        menu.clear()
        self.page.face.load.fill(menu)
