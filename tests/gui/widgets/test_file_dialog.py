"""Qt's own file dialog, where the system has none: whole paths, and completions to be read."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QToolButton,
    QTreeView,
    QWidget,
)

from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets import file_dialog
from tilelab.gui.widgets.file_dialog import ask_to_open, ask_to_save
from tilelab.gui.widgets.theme import contrast, current_theme


@pytest.fixture
def folder(tmp_path):
    here = tmp_path / "here"
    (here / "within").mkdir(parents=True)
    (tmp_path / "hereabouts").mkdir()
    for name in ("here/alpha.txt", "here/beta.txt", "here/within/gamma.txt", "hereabouts/d.txt"):
        (tmp_path / name).write_text("x")
    return here


@pytest.fixture
def shown(qtbot, folder, monkeypatch):
    """A function that returns line and dialog, as the user meets them."""
    make_application([], "light")

    def show(dialog):
        dialog.setParent(None)
        qtbot.addWidget(dialog)
        dialog.show()
        made.append(dialog)

    def ask(*, saves=False):
        monkeypatch.setattr(file_dialog, "answer", show)
        if saves:
            ask_to_save(None, "Save", folder / "best.txt", "Text (*.txt)")
        else:
            ask_to_open(None, "Open", folder, "Text (*.txt)")
        dialog = made[-1]
        line = dialog.findChild(QLineEdit, "fileNameEdit")
        dialog.activateWindow()
        line.setFocus()
        qtbot.waitUntil(line.hasFocus)
        line.selectAll()
        return dialog, line

    made = []
    yield ask
    for dialog in made:
        dialog.close()


def test_arrows_are_seen_in_a_dark_theme(shown):
    """Noticed: Qt's own arrows, which are black on a dark ground."""
    make_application([], "dark")
    dialog, _ = shown()
    ground = dialog.palette().window().color()
    for name in ("backButton", "forwardButton", "toParentButton"):
        button = dialog.findChild(QToolButton, name)
        picture = button.icon().pixmap(16).toImage()
        inks = [picture.pixelColor(x, y) for x in range(16) for y in range(16)]
        assert max(contrast(ink, ground) for ink in inks if ink.alpha() == 255) >= 4.5


def test_kinds_and_columns_of_files_are_whole(shown):
    """Noticed: dates of files with an ellipsis, and a list of endings that is cut."""
    dialog, _ = shown()
    kinds, tree = dialog.findChild(QComboBox, "fileTypeCombo"), dialog.findChild(QTreeView)
    assert kinds.currentText() == "Text"
    heads = tree.header()
    assert heads.length() == tree.viewport().width()
    places = [place for place in range(4) if not heads.isSectionHidden(place)]
    assert places == [0, 1, 3]  # the types of files are English in a translated window
    assert all(tree.sizeHintForColumn(place) <= heads.sectionSize(place) for place in places)


def offer_completion(qtbot, line, text):
    """Type a text, and wait for its only completion: folders are read in the background."""
    completer = line.completer()

    def is_offered():
        completer.setCompletionPrefix(text)
        return completer.completionModel().rowCount() == 1

    QTest.keyClicks(line, text)
    qtbot.waitUntil(is_offered)
    completer.complete()
    qtbot.waitUntil(completer.popup().isVisible)


@pytest.mark.every(5)
@pytest.mark.parametrize("saves", [False, True])
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("{here}", "{here}"),
        ("{here}/wit", "{here}/within"),
        ("{here}/within/gam", "{here}/within/gamma.txt"),
        ("{here}ab", "{here}abouts"),
        ("{here}abouts/d", "{here}abouts/d.txt"),
        ("alp", "alpha.txt"),
        ("within/g", "within/gamma.txt"),
    ],
)
def test_a_completion_is_what_was_typed_and_more(qtbot, shown, folder, typed, completed, saves):
    _, line = shown(saves=saves)
    typed, completed = (text.format(here=folder) for text in (typed, completed))
    if typed == str(folder):
        typed = typed[:-1]
        (folder.parent / "hereabouts" / "d.txt").unlink()
        (folder.parent / "hereabouts").rmdir()
    offer_completion(qtbot, line, typed)
    QTest.keyClick(line.completer().popup(), Qt.Key.Key_Down)
    assert line.text() == completed


@pytest.mark.every(3)
@pytest.mark.parametrize("text", ["alpha.txt", "within/gamma.txt", "../hereabouts/d.txt"])
@pytest.mark.parametrize("whole", [False, True])
def test_a_file_is_opened_by_its_path(qtbot, shown, folder, text, whole):
    dialog, line = shown()
    QTest.keyClicks(line, str((folder / text).resolve()) if whole else text)

    def is_accepted():  # which it is once the dialog has found the file
        line.completer().popup().hide()
        QTest.keyClick(line, Qt.Key.Key_Return)
        return not dialog.isVisible()

    qtbot.waitUntil(is_accepted)
    (chosen,) = dialog.selectedFiles()
    assert (folder / text).samefile(chosen)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_completions_can_be_read(qtbot, shown, theme):
    make_application([], theme)
    _, line = shown()
    offer_completion(qtbot, line, "alp")
    picture = line.completer().popup().viewport().grab().toImage()
    ground = picture.pixelColor(picture.width() - 3, picture.height() - 3)
    assert ground == current_theme().card
    assert contrast(current_theme().text, ground) >= 4.5


def test_the_ending_of_a_saved_file_is_that_of_the_suggestion(shown):
    dialog, line = shown(saves=True)
    assert line.text() == "best.txt"
    assert dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
    assert dialog.defaultSuffix() == "txt"


@pytest.mark.parametrize("overwrites", [None, True, False])
@pytest.mark.parametrize(
    ("filters", "chosen", "written"),
    [
        ("PNG (*.png)", "x.csv", "x.csv.png"),
        ("PNG (*.png)", "x.PNG", "x.PNG"),
        ("Text (*.txt);;PNG (*.png)", "x.png", "x.png"),
        ("Plans (*.toml);;All files (*)", "x.csv", "x.csv"),
    ],
)
def test_a_file_has_the_ending_of_its_kind(
    qtbot, folder, monkeypatch, filters, chosen, written, overwrites
):
    """Noticed: a PNG picture called x.csv, or a file overwritten that the dialog did not see."""
    asked = []
    is_other = chosen != written
    if overwrites is not None:
        (folder / written).write_bytes(b"\x89PNG")
    monkeypatch.setattr(file_dialog, "answer", lambda dialog: folder / chosen)
    monkeypatch.setattr(
        file_dialog, "is_confirmed", lambda _, text: asked.append(text) or overwrites
    )
    window = QWidget()
    qtbot.addWidget(window)
    path = ask_to_save(window, "Save", folder / "best.png", filters)
    if overwrites is not None and is_other:
        assert asked == ["x.csv.png already exists. Overwrite it?"]
    else:
        assert not asked
    assert path == (None if overwrites is False and is_other else folder / written)


@pytest.mark.parametrize(
    ("text", "overwrites", "n_asked"),
    [
        ("cat\ndog\n", False, 1),
        ("cat\ndog\n", True, 1),
        ("C A T\n\n# seed: 1\n", False, 0),
        ("", False, 0),
    ],
)
def test_a_word_list_is_not_lost_by_saving_a_board(
    qtbot, folder, monkeypatch, text, overwrites, n_asked
):
    file = folder / "alpha.txt"
    file.write_text(text)
    asked = []

    def answer_box(box):
        asked.append(box.text())
        buttons = QMessageBox.StandardButton
        return (buttons.Yes if overwrites else buttons.Cancel).value

    monkeypatch.setattr(file_dialog, "answer", lambda dialog: file)
    monkeypatch.setattr(QMessageBox, "exec", answer_box)
    window = QWidget()
    qtbot.addWidget(window)
    chosen = ask_to_save(window, "Save", folder / "best.txt", "Text (*.txt)")
    assert chosen == (None if n_asked and not overwrites else file)
    assert len(asked) == n_asked
    assert all("alpha.txt is a file of another kind" in one for one in asked)


def test_labels_and_buttons_are_in_the_language_of_the_window(shown, monkeypatch):
    """Qt's catalogues do not have them all, and the installed program had none of them."""
    monkeypatch.setattr("tilelab.gui.widgets.file_dialog.tr", "<{}>".format)
    dialog, _ = shown(saves=True)
    labels = QFileDialog.DialogLabel
    texts = [dialog.labelText(label) for label in (labels.LookIn, labels.FileType, labels.Accept)]
    assert texts == ["<Look in:>", "<Files of type:>", "<Save>"]
