"""The puzzles of a booklet: their list, in which they are added, moved and given titles."""

import contextlib
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSizePolicy, QWidget

from tilelab.core.files.paths import path_from, path_text
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import one_line
from tilelab.gui.sheet import KEPT_BOOKLET
from tilelab.gui.widgets.file_dialog import ask_to_open_several
from tilelab.gui.widgets.parts import STRETCH, calling, column_layout, named, row_of, small_button
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import keep_scaled
from tilelab.runs.files.carried import RUN_PATTERNS, is_carried
from tilelab.sheets.sheet_files import SheetSource, source_of_file, source_of_text

_KINDS = marked("Boards and runs ({patterns});;All files (*)")
_PATTERNS = f"*.txt *.grid *.csv *.json {RUN_PATTERNS}"
_HEIGHT = 96
_MAX_CARRIED = 1 << 18  # most letters of a puzzle without a file that the settings keep
_ALL = "all"

_Sources = tuple[SheetSource, ...]
_State = tuple[_Sources, tuple[str, ...], str, _Sources]
"""Puzzles of a list, own title of each, title of those without one, and those from before."""


class Booklet(NamedTuple):
    """Puzzles that the user has added to a sheet."""

    titles: Mapping[SheetSource, str] = {}  # own title of each puzzle, in their order; '' for none
    title: str = ""  # title of those without an own one
    own_title: str | None = None
    """Title that the user gave to the dialog's own puzzle; None for its usual one."""
    n_before: int = 0  # number of added puzzles in front of the dialog's own one
    filling: tuple[str, str] | None = None
    """Filling of the unused cells of all puzzles, and its message; None to leave them."""


class _KeptBooklet(BaseModel):
    """Puzzles of a booklet that can be read again, as the settings keep them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    files: tuple[tuple[str, str], ...] = ()
    """Path, or the text that the puzzle carries, and own title of each puzzle."""
    title: str = ""
    n_before: int = Field(default=0, ge=0)


def keep_booklet(settings: Settings, booklet: Booklet) -> None:
    """Store the puzzles that can be read again, and their titles, for :func:`last_booklet`."""
    if not settings.preferences.remember_choices:
        return
    origins = [_origin(source) for source in booklet.titles]
    titled = zip(origins, booklet.titles.values(), strict=True)
    kept = _KeptBooklet(
        files=tuple((origin, title) for origin, title in titled if origin),
        title=booklet.title,
        n_before=sum(bool(origin) for origin in origins[: booklet.n_before]),
    )
    settings.set_text(KEPT_BOOKLET, kept.model_dump_json() if kept.files else "")


def _origin(source: SheetSource) -> str:
    """Return what a puzzle can be read from again: its file, or the text that it carries."""
    if source.path is not None:
        return path_text(source.path.absolute())
    return source.carried if len(source.carried) <= _MAX_CARRIED else ""


def last_booklet(settings: Settings) -> Booklet:
    """Return the puzzles that were added in the previous session."""
    text = settings.text(KEPT_BOOKLET) if settings.preferences.remember_choices else ""
    with contextlib.suppress(ValidationError):
        kept = _KeptBooklet.model_validate_json(text)
        titles = {
            source_of_text(origin) if is_carried(origin) else source_of_file(path_from(origin)): (
                title
            )
            for origin, title in kept.files
        }
        return Booklet(titles, kept.title, None, kept.n_before)
    return Booklet()


class BookletList(QWidget):
    """A list of at least one puzzle, each of which can be given its own title."""

    changed = Signal()
    selected = Signal()  # emitted when a puzzle was selected or was given its own title

    def __init__(self, sources: Sequence[SheetSource], settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self.sources = list(sources)
        self._settings = settings
        self.title = ""  # title of the puzzles without an own one
        self.before: _Sources = ()  # puzzles that a previous dialog added
        self._titles: dict[SheetSource, str] = {}  # titles that the user gave to single puzzles
        self._printed: dict[SheetSource, str] = {}  # title on the page of each, once it is made
        self._earlier: list[_State] = []  # states that undo brings back, the last one first
        self._later: list[_State] = []  # those of redo
        self._named: SheetSource | str = ""  # puzzle whose title was typed last; _ALL for all
        tip = tr("To give a puzzle its own title, select it and type the title above")
        self.list = named(QListWidget(self), "sheet_puzzles", tr("Puzzles of the booklet"), tip)
        keep_scaled(self.list, least_height=_HEIGHT)
        self.list.setSizeAdjustPolicy(QListWidget.SizeAdjustPolicy.AdjustToContents)
        self.list.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        tip = tr("Add puzzles from files; all solutions follow at the end")
        self.add_button = small_button(tr("Add…"), "sheet_add", tip, self, self._ask)
        tip = tr("Remove the selected puzzle")
        self.remove_button = small_button(tr("Remove"), "sheet_remove", tip, self, self.remove)
        tip, done = tr("Move the selected puzzle up"), calling(self._move, -1)
        self.up_button = small_button("↑", "sheet_up", tip, self, done)
        self.up_button.setAccessibleName(tr("Up"))
        tip, done = tr("Move the selected puzzle down"), calling(self._move, 1)
        self.down_button = small_button("↓", "sheet_down", tip, self, done)
        self.down_button.setAccessibleName(tr("Down"))
        buttons = self.add_button, self.remove_button, self.up_button, self.down_button
        column_layout(self, 0, 8, self.list, row_of(*buttons, STRETCH, spacing=4))
        delete, only_here = QKeySequence.StandardKey.Delete, Qt.ShortcutContext.WidgetShortcut
        QShortcut(delete, self.list, self.remove, context=only_here)
        self.list.itemSelectionChanged.connect(self._allow)
        self.list.itemSelectionChanged.connect(self.selected)
        self.list.itemChanged.connect(self._rename)
        self._show(-1)

    @property
    def row(self) -> int:
        """Row of the selected puzzle, or of the only one; -1 for none."""
        return next((self.list.row(item) for item in self.list.selectedItems()), -1)

    @property
    def titles(self) -> tuple[str, ...]:
        """Own title of each puzzle; '' for none."""
        return tuple(self._titles.get(source, "") for source in self.sources)

    def add(
        self,
        sources: Sequence[SheetSource],
        titles: Mapping[SheetSource, str] | None = None,
        n_before: int = 0,
    ) -> None:
        """Add puzzles at the end, but the first n_before at the beginning.

        titles: those that the user gave to some of them.
        """
        self._note_step()
        self.sources = [*sources[:n_before], *self.sources, *sources[n_before:]]
        self._titles.update(titles or {})
        self._show(-1)
        self.changed.emit()

    @Slot()
    def remove(self) -> None:
        """Remove the selected puzzle, unless it is the only one."""
        row = self.row
        if len(self.sources) > 1 and row >= 0:
            self._note_step()
            del self.sources[row]
            self._show(min(row, len(self.sources) - 1))
            self.changed.emit()

    def give_title(self, row: int, title: str) -> None:
        """Give a puzzle its own title, '' for none; row -1: the title of those without one."""
        if row < 0:
            self._note_step(_ALL)
            self.title = title
            return
        source = self.sources[row]
        self._note_step(source)
        self._titles[source] = one_line(title.strip())
        self._printed.pop(source, "")
        with QSignalBlocker(self.list):
            self.list.item(row).setText(self._shown_title(source))

    def show_titles(self, titles: Sequence[str]) -> None:
        """Show the titles that the pages of the puzzles have."""
        self._printed = dict(zip(self.sources, titles, strict=True))
        with QSignalBlocker(self.list):
            for row, title in enumerate(titles):
                self.list.item(row).setText(title)

    def take_back(self, sources: Collection[SheetSource]) -> None:
        """Remove some puzzles; nothing is emitted, and it is no step of the user."""
        self.sources = [source for source in self.sources if source not in sources]
        self._show(-1)

    def keep_only(self, sources: Sequence[SheetSource]) -> None:
        """Keep some puzzles, none of them as one from before, without a title of all."""
        self._note_step()
        self.title, self.before, self.sources = "", (), list(sources)
        self._show(-1)
        self.changed.emit()

    @Slot()
    def undo(self) -> None:
        """Take the last step back."""
        self._bring_back(self._earlier, self._later)

    @Slot()
    def redo(self) -> None:
        """Take the step again that was taken back last."""
        self._bring_back(self._later, self._earlier)

    def forget_steps(self) -> None:
        """Let undo end at what is shown now."""
        self._earlier.clear()

    @property
    def _state(self) -> _State:
        return tuple(self.sources), self.titles, self.title, self.before

    def _note_step(self, named: SheetSource | str = "") -> None:
        """Keep the state before a step; all that is typed into one title is one step."""
        if not named or named != self._named:
            self._earlier.append(self._state)
        self._named = named
        self._later.clear()

    def _bring_back(self, states: list[_State], others: list[_State]) -> None:
        now, row = self._state, self.row
        while states and states[-1] == now:
            states.pop()  # the title was typed back, or no added file could be read
        if not states:
            return
        sources, titles, self.title, self.before = states.pop()
        others.append(now)
        titled = dict(zip(sources, titles, strict=True))
        before = dict(zip(now[0], now[1], strict=True))
        differing = [source for source in sources if titled[source] != before.get(source)]
        shown = [*differing, *now[0][row : row + 1]] if row >= 0 else differing
        self.sources, self._named = list(sources), ""
        self._titles |= titled
        self._printed.clear()
        self._show(sources.index(shown[0]) if shown and shown[0] in sources else -1)
        (self.selected if sources == now[0] else self.changed).emit()

    def _move(self, step: int) -> None:
        row = self.row
        if row >= 0 and 0 <= row + step < len(self.sources):
            self._note_step()
            self.sources.insert(row + step, self.sources.pop(row))
            self._show(row + step)
            self.changed.emit()

    @Slot()
    def _ask(self) -> None:
        kinds = tr(_KINDS, patterns=_PATTERNS)
        paths = ask_to_open_several(self, tr("Add puzzles"), self._settings.folder, kinds)
        if paths:
            self._settings.folder = paths[0].absolute().parent
            self.add([source_of_file(path) for path in paths])

    @Slot(object)
    def _rename(self, item: QListWidgetItem) -> None:
        """Take a typed title; an empty one is that of the puzzle again."""
        self.give_title(self.list.row(item), item.text())
        self.selected.emit()

    def _show(self, row: int) -> None:
        with QSignalBlocker(self.list):
            self.list.clear()
            for source in self.sources:
                item = QListWidgetItem(self._shown_title(source), self.list)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            self.list.setCurrentRow(0 if len(self.sources) == 1 else row)
        self.list.setVisible(len(self.sources) > 1)
        self._allow()

    def _shown_title(self, source: SheetSource) -> str:
        return self._printed.get(source) or self._titles.get(source) or source.name

    @Slot()
    def _allow(self) -> None:
        row, n = self.row, len(self.sources)
        for button in (self.remove_button, self.up_button, self.down_button):
            button.setVisible(n > 1)
        self.add_button.setText(tr("Add…") if n > 1 else tr("Add puzzles…"))
        self.remove_button.setEnabled(row >= 0)
        self.up_button.setEnabled(row > 0)
        self.down_button.setEnabled(0 <= row < n - 1)
