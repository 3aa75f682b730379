"""Ask for files with the system's dialog, or else with Qt's and some repairs."""

import itertools
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QModelIndex, QPersistentModelIndex, QUrl
from PySide6.QtWidgets import (
    QCompleter,
    QFileDialog,
    QFileSystemModel,
    QHeaderView,
    QLineEdit,
    QToolButton,
    QTreeView,
    QWidget,
)

from tilelab.core.errors import TileLabError
from tilelab.core.files.paths import path_from, path_text
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import shown_path
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.parts import accepted, is_confirmed
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import icon, scaled
from tilelab.gui.widgets.window_place import keep_on_screen
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.files.kinds import BY_SUFFIX, holds_another

COMPLETIONS = "completions"  # object name of the list of completions in the style sheet
_WIDTH, _HEIGHT = 800, 480  # with room for the columns of a list of files
_ARROWS = {"backButton": "back", "forwardButton": "forward", "toParentButton": "up"}
"""Icons of buttons by their names; Qt's own are black in a dark theme, too."""
_TYPE = 2  # column of a file's type, which Qt's catalogues leave in English


def ask_to_open(window: QWidget, title: str, folder: Path, filters: str) -> Path | None:
    """Ask for an existing file; None if the user cancelled. filters: in Qt's format."""
    dialog = QFileDialog(window, title, str(folder), filters)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    prepare_dialog(dialog)
    return answer(dialog)


def ask_to_open_several(window: QWidget, title: str, folder: Path, filters: str) -> list[Path]:
    """Ask for existing files; [] if the user cancelled. filters: in Qt's format."""
    dialog = QFileDialog(window, title, str(folder), filters)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    prepare_dialog(dialog)
    return [Path(name) for name in dialog.selectedFiles()] if accepted(dialog) else []


def ask_to_save(window: QWidget, title: str, suggested: Path, filters: str) -> Path | None:
    """Ask where to write a file; asks again before a file is overwritten.

    suggested: folder, name, and default ending. filters: in Qt's format; choosing another one
    changes the ending. A name without the ending of any of them gets that of the chosen one.
    """
    return ask_to_save_as(window, title, suggested, filters)[0]


def ask_to_save_as(
    window: QWidget, title: str, suggested: Path, filters: str
) -> tuple[Path | None, str]:
    """Ask as :func:`ask_to_save`, for kinds with the same ending; returns the filter, too."""
    dialog = QFileDialog(window, title, str(suggested.parent), filters)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    # With a default ending, the dialog checks the right file before overwriting.
    dialog.setDefaultSuffix(suggested.suffix[1:])
    dialog.selectFile(suggested.name)
    dialog.filterSelected.connect(partial(_change_kind, dialog))
    prepare_dialog(dialog)
    chosen = answer(dialog)
    path = None if chosen is None else _with_ending(chosen, dialog)
    if path is not None and (
        _would_lose(path, window) or (path != chosen and _would_replace(path, window))
    ):
        path = None
    return path, dialog.selectedNameFilter()


def save_file(
    path: Path,
    make: Callable[[], bytes | str],
    notice: NoticeBar,
    settings: Settings,
    note: str = "",
) -> bool:
    """Write a file, whole or not at all, and say so, or why not; returns whether it is written.

    make: returns its contents, or raises TileLabError. note: added to the sentence that it is
    saved. The next dialogs begin in its folder.
    """
    try:
        target = write_atomically(path, make())
    except TileLabError as error:
        notice.show_error(str(error))
        return False
    settings.folder = target.resolve().parent
    notice.show_done(tr("Saved {target}", target=path_text(target)) + note)
    return True


def _would_lose(path: Path, window: QWidget) -> bool:
    """Return whether a file of another kind would be lost, such as a word list."""
    kind = BY_SUFFIX.get(path.suffix.lower())
    if kind is None or not holds_another(path, kind):
        return False
    name = shown_path(path.name)
    question = tr("{name} is a file of another kind. Overwrite it anyway?", name=name)
    return not is_confirmed(window, question)


def _would_replace(path: Path, window: QWidget) -> bool:
    """Return whether a file would be overwritten that the dialog has not asked about."""
    if not path.exists():
        return False
    question = tr("{name} already exists. Overwrite it?", name=shown_path(path.name))
    return not is_confirmed(window, question)


def _with_ending(path: Path, dialog: QFileDialog) -> Path:
    """Append the ending of the chosen kind to a name that has none of the kinds offered.

    Otherwise a picture could be named x.csv.
    """
    endings = _endings(dialog)
    own = endings.get(dialog.selectedNameFilter())
    known = itertools.chain(*endings.values())
    if not own or not all(endings.values()) or path.suffix.lower() in known:
        return path  # any file, or a right one
    return path.with_name(f"{path.name}{own[0]}")


def _endings(dialog: QFileDialog) -> dict[str, list[str]]:
    """Return the endings of each kind of files that a dialog offers; [] for any file."""
    return {title: re.findall(r"\*(\.\w+)", title) for title in dialog.nameFilters()}


def _change_kind(dialog: QFileDialog, chosen: str) -> None:
    """Change the ending with the kind, so that the dialog checks the right file."""
    endings = _endings(dialog)
    if len(endings[chosen]) != 1:
        return  # any file, or several endings
    (ending,) = endings[chosen]
    dialog.setDefaultSuffix(ending[1:])
    path = Path(dialog.selectedFiles()[0])
    if [path.suffix.lower()] in endings.values():
        dialog.selectFile(path.with_suffix(ending).name)


def answer(dialog: QFileDialog) -> Path | None:
    """Show a dialog; returns the chosen file, or None."""
    files = dialog.selectedFiles() if accepted(dialog) else []
    return Path(files[0]) if files else None


def prepare_dialog(dialog: QFileDialog) -> None:
    """Translate a dialog's labels, replace its completer and arrows, and give its texts room.

    Qt's catalogues do not have all of the labels; the system's dialog has no completer. A long list
    of endings would be cut, and so would the columns.
    """
    labels = QFileDialog.DialogLabel
    is_saved = dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
    is_folder = dialog.fileMode() == QFileDialog.FileMode.Directory
    dialog.setLabelText(labels.LookIn, tr("Look in:"))
    dialog.setLabelText(labels.FileName, tr("Folder:") if is_folder else tr("File name:"))
    dialog.setLabelText(labels.FileType, tr("Files of type:"))
    dialog.setLabelText(labels.Accept, tr("Save") if is_saved else tr("Open"))
    dialog.setLabelText(labels.Reject, tr("Cancel"))
    if not is_saved:  # a dialog that saves must give the endings back with the chosen kind
        dialog.setOption(QFileDialog.Option.HideNameFilterDetails)
    for name, arrow in _ARROWS.items():
        button = dialog.findChild(QToolButton, name)
        if isinstance(button, QToolButton):
            button.setIcon(icon(arrow))
    tree = dialog.findChild(QTreeView, "treeView")
    if isinstance(tree, QTreeView):
        modes, heads = QHeaderView.ResizeMode, tree.header()
        heads.hideSection(_TYPE)
        for column in range(heads.count()):
            heads.setSectionResizeMode(column, modes.ResizeToContents if column else modes.Stretch)
    line = dialog.findChild(QLineEdit, "fileNameEdit")
    files = dialog.findChild(QFileSystemModel)
    if isinstance(line, QLineEdit) and isinstance(files, QFileSystemModel):
        line.setCompleter(_PathCompleter(files, dialog))
    dialog.resize(scaled(_WIDTH), scaled(_HEIGHT))
    keep_on_screen(dialog)


class _PathCompleter(QCompleter):
    """A completer of names in the current folder, and of paths that are being typed.

    Qt's own completer removes the folder's path from every path that begins with the same letters.
    The folder itself becomes '', and a similar folder half a name.
    """

    def __init__(self, files: QFileSystemModel, dialog: QFileDialog) -> None:
        super().__init__(files, dialog)
        self._files = files
        if (popup := self.popup()) is not None:
            popup.setObjectName(COMPLETIONS)

    def splitPath(self, path: str) -> list[str]:
        if not path:
            return [""]
        text = str(Path(self._files.rootPath()) / _whole(path))
        return super().splitPath(text + "/" if path.endswith("/") and text != "/" else text)

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        path = Path(str(index.data(QFileSystemModel.Roles.FilePathRole)))
        here = Path(self._files.rootPath())
        if _whole(self.completionPrefix()).is_absolute() or not path.is_relative_to(here):
            return str(path)
        return str(path.relative_to(here))


def _whole(text: str) -> Path:
    return Path(text).expanduser() if text.startswith("~/") else Path(text)


_LOST = "\N{REPLACEMENT CHARACTER}"


def dropped_files(data: QMimeData) -> list[Path]:
    """Return the local files that are dragged or dropped; [] for anything else."""
    return [_file(url) for url in data.urls() if url.isLocalFile()]


def _file(url: QUrl) -> Path:
    """Return a file's path; Qt's own form of a name that is not UTF-8 is invalid."""
    path = url.toLocalFile()
    return path_from(bytes(url.toEncoded().data()).decode()) if _LOST in path else Path(path)
