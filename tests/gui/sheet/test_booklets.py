"""Booklets, and unused cells that are filled, in the dialog that prints."""

import dataclasses
import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from tests import made_sheets
from tests.history_records import made
from tilelab import catalog
from tilelab.core.errors import GridError
from tilelab.core.puzzle import Best
from tilelab.gui.sheet import booklet as booklet_module
from tilelab.gui.sheet import dialog as dialog_module
from tilelab.gui.sheet.booklet import Booklet, BookletList
from tilelab.gui.sheet.dialog import SheetDialog
from tilelab.gui.shell.qt_application import make_application
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon, read_lexicon
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.maker.filling import Fill
from tilelab.puzzles.boggle.parameters import BoggleParams
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.runs.actions import State
from tilelab.runs.files.carried import CarriedRun, carried_text, read_carried, svg_with, xmp_with
from tilelab.runs.files.carried import has_run as has_run_of_its_own
from tilelab.runs.files.store import save_run
from tilelab.runs.history.store import History
from tilelab.runs.limits import Limits
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Session
from tilelab.sheets.page import Text
from tilelab.sheets.puzzle_sheets import Filler
from tilelab.sheets.sheet_files import (
    SheetSource,
    carried_by,
    read_sheet,
    sheets_of,
    source_of,
    source_of_file,
    source_of_record,
)

pytestmark = pytest.mark.usefixtures("without_style_sheet")

ROWS = ("catandrat", "heronxxxx", "lynxxxxxx")
RUN = "the run that made the sheet"
ANIMALS = parse_lexicon(b"Cat and Rat\nheron\nlynx\n", "Animals")


def animals(rows=ROWS):
    """A letter grid with nine cells that no word uses."""
    puzzle = BogglePuzzle.create(ANIMALS, BoggleParams(rows=3, cols=9, adjacency="straight"))
    return source_of(puzzle, Best(puzzle.parse(rows, foreign=True), 3.0, 0))


def states(file):
    """Write a board of a built-in lexicon into a file."""
    file.write_text("# lexicon: us-states\nohio\nutah\niowa\nxxxx\n", "utf-8")
    return source_of_file(file)


@pytest.fixture
def dialog(qtbot, own_ini, monkeypatch):
    make_application([], "light")
    monkeypatch.setattr(dialog_module, "printers", lambda: ["A printer"])
    source = animals()
    (sheets,) = sheets_of([source])
    made = SheetDialog(sheets, own_ini, None, RUN, [source])
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()


def add(until, dialog, *sources):
    """Add puzzles, and wait until all are shown."""
    dialog.booklet.add(sources)
    until(lambda: len(dialog.sheets) == len(dialog.booklet.sources))


def fill(dialog, kind, message=""):
    """Choose what fills the unused cells."""
    dialog.filling.box.setCurrentIndex(dialog.filling.box.findData(kind.value))
    if message:
        dialog.filling.message.setText(message)


def grid_of(sheet):
    return "".join(sheet.signs).lower()


def test_a_hidden_message_is_seen_and_printed(qtbot, dialog):
    dialog.title.setText("Party")
    fill(dialog, Fill.MESSAGE)
    assert dialog.filling.said.text() == "Type the message for the unused cells."
    assert not dialog.save_button.isEnabled()
    assert not dialog.print_button.isEnabled()
    dialog.filling.message.setText("Well done!")
    message = "Find out that this message is too long."
    qtbot.waitUntil(dialog.save_button.isEnabled)
    assert dialog.print_button.isEnabled()
    assert grid_of(dialog.sheets[0])[14:18] + grid_of(dialog.sheets[0])[22:26] == "welldone"
    assert "9 unused cells filled" in dialog.filling.said.text()
    dialog.filling.message.setText(message)
    qtbot.waitUntil(lambda: dialog._said.text() != "")
    assert "9 cells can be filled" in dialog._said.text()
    assert dialog.filling.said.isHidden()  # it was about the message before
    assert not dialog.save_button.isEnabled()
    dialog.filling.box.setCurrentIndex(0)
    qtbot.waitUntil(dialog.save_button.isEnabled)
    assert grid_of(dialog.sheets[0]) == "".join(ROWS)
    assert dialog._said.text() == ""
    assert dialog.filling.said.isHidden()
    # Sheets that are made anew leave the title that was typed.
    assert dialog.sheets[0].title == "Party"


def test_a_message_that_is_not_shown_is_not_used(qtbot, dialog, tmp_path):
    """Noticed: "--message needs --fill message", and the puzzle is not added."""
    fill(dialog, Fill.MESSAGE, "Hi!")
    qtbot.waitUntil(dialog.save_button.isEnabled)
    fill(dialog, Fill.NO_WORDS)
    dialog.booklet.add([states(tmp_path / "saved.txt")])
    qtbot.waitUntil(lambda: len(dialog.sheets) == 2 or dialog._said.text() != "")
    assert dialog._said.text() == ""
    assert not any(sheet.message for sheet in dialog.sheets)
    fill(dialog, Fill.MESSAGE)
    dialog.booklet.add([source_of(*made_sheets.letters(("CAT",)))])  # which has no unused cell
    qtbot.waitUntil(lambda: len(dialog.sheets) == 3 or dialog._said.text() != "")
    assert [sheet.message for sheet in dialog.sheets] == ["Hi!", "Hi!", ""]


@pytest.mark.parametrize(
    "text",
    ["# words: cat\n# adjacency: none\ncat\n", "cat" * 9, "abcd\n" * 11 + "abc.", "cat\nxxx"],
)
def test_no_sentence_about_a_file_has_a_flag(text, tmp_path):
    """Noticed: words of the command line in the window, which has no such flags."""
    file = tmp_path / "board.txt"
    file.write_text(f"# words: cat\n{text}\n", "utf-8")
    with pytest.raises(GridError) as error:
        source_of_file(file).make(Filler(Fill.MESSAGE, "?!"))
    assert "--" not in str(error.value)


def test_a_filled_sheet_opens_with_the_letters_that_were_printed(qtbot, dialog, tmp_path):
    """Noticed: a run in the file that has the board before, so that the message is lost."""
    fill(dialog, Fill.MESSAGE, "Old tale")
    qtbot.waitUntil(dialog.save_button.isEnabled)
    dialog.save(tmp_path / "sheet.pdf")
    opened = read_carried(tmp_path / "sheet.pdf")
    assert "".join(opened.recipe.puzzle.rows_of(opened.best.cells)) == grid_of(dialog.sheets[0])
    solution = [mark.text for mark in dialog.pages[-1].marks if isinstance(mark, Text)]
    assert "Hidden message: Old tale" in solution
    dialog.filling.message.setText("Well done!")
    qtbot.waitUntil(lambda: "without the message" in dialog.filling.said.text())


@pytest.mark.parametrize("message", ["Lynx, tea", "Grün"])
def test_a_saved_sheet_keeps_its_message_in_a_booklet(qtbot, dialog, tmp_path, message):
    """Noticed: a word marked over letters of the message, which is not mentioned any more.

    Noticed too: a message with letters of no word gave way to that of the dialog, or to none.
    """
    saved = tmp_path / "message.pdf"
    fill(dialog, Fill.MESSAGE, message)  # lynx can be read there, too, and comes first
    qtbot.waitUntil(dialog.save_button.isEnabled)
    dialog.save(saved)
    (printed,) = dialog.sheets
    dialog.filling.message.setText("Old tale")
    dialog.booklet.add([source_of_file(saved)])
    qtbot.waitUntil(lambda: len(dialog.sheets) == 2 and dialog.sheets[0].message == "Old tale")
    added = dialog.sheets[1]
    assert grid_of(added) == grid_of(printed)
    assert (added.words, added.instruction) == (printed.words, printed.instruction)
    assert added.message == message
    # It is kept when it is saved again, and replaced where the file itself is filled.
    assert carried_by(added) == carried_by(printed)
    values = {"lexicon": None, "accents": "keep"}
    again = read_sheet(saved, values, Filler(Fill.MESSAGE, "Old tale"))
    assert (again.message, again.words) == ("Old tale", printed.words)
    dialog.filling.box.setCurrentIndex(0)
    qtbot.waitUntil(lambda: [sheet.message for sheet in dialog.sheets] == ["", message])


def test_each_puzzle_of_a_booklet_shows_its_own_warning(qtbot, dialog):
    """Noticed: of several puzzles only their number, so that a message has two readings."""
    other = animals(("catandrat", "heronlynx", "xxxxxxxxx"))
    dialog.booklet.add([other])
    dialog.booklet.give_title(0, "Zoo")
    fill(dialog, Fill.MESSAGE, "Lynx")
    qtbot.waitUntil(lambda: dialog.filling.said.text().startswith("Unused cells are filled in 2"))
    _, *warnings = dialog.filling.said.text().splitlines()
    said = "1 word can also be found in other cells, so that other letters may be left over: lynx."
    assert warnings == [f"Zoo: {said}", f"Animals: {said}"]
    dialog.filling.message.setText("ta")
    qtbot.waitUntil(lambda: dialog.filling.said.text() == "Unused cells are filled in 2 puzzles.")


def test_words_that_must_not_be_on_the_board_are_named(qtbot, own_ini, tmp_path):
    """Noticed: a sheet with a forbidden word and no remark, also from a file that notes it."""
    file = tmp_path / "board.txt"
    notes = "# lexicon: own.txt\n# words: heron, lynx\n# must not: Her, zoo\n# adjacency: straight"
    file.write_text(f"{notes}\n\nh e r o n\nl y n x x\nz o o x x\n", encoding="utf-8")
    source = source_of_file(file)
    ((sheet,),) = sheets_of([source])
    dialog = SheetDialog((sheet,), own_ini, None, "", [source])
    qtbot.addWidget(dialog)
    assert dialog.remark.text() == "The board has words that must not be on it: Her, zoo."
    dialog.booklet.add([dataclasses.replace(source)])
    qtbot.waitUntil(lambda: len(dialog.remark.text().splitlines()) == 2)
    assert "Her, zoo" in dialog.remark.text().splitlines()[1]
    dialog.booklet.take_back(dialog.booklet.sources[1:])
    fill(dialog, Fill.NO_WORDS)
    qtbot.waitUntil(lambda: dialog.remark.text().endswith("it: Her."))


def test_further_puzzles_make_a_booklet_with_the_solutions_at_its_end(
    qtbot, dialog, tmp_path, monkeypatch
):
    assert len(dialog.pages) == 2
    saved = tmp_path / "saved.txt"
    states(saved)
    monkeypatch.setattr(booklet_module, "ask_to_open_several", lambda *_: [saved])
    dialog.booklet.add_button.click()
    qtbot.waitUntil(lambda: len(dialog.sheets) == 2)
    titles = [sheet.title for sheet in dialog.sheets]
    assert titles == ["Animals", "States of the USA"]
    assert len(dialog.pages) == 4
    dialog.title.setText("Party")
    assert [sheet.title for sheet in dialog.sheets] == ["Party 1", "Party 2"]
    dialog.booklet.list.setCurrentRow(1)
    dialog.booklet.up_button.click()
    qtbot.waitUntil(lambda: dialog.sheets[0].cols == 4)
    dialog.save(tmp_path / "booklet.svg")
    # Each page carries what made its own sheet, the solutions after the puzzles.
    for number, has_run in enumerate((False, True, False, True), 1):
        page = tmp_path / f"booklet-{number}.svg"
        assert (RUN in page.read_text("utf-8")) == has_run
        if not has_run:
            opened = read_carried(page)
            assert opened.recipe.puzzle.title == "States of the USA"
            assert not has_run_of_its_own(opened)
    assert "opens the first" not in dialog._said.text()
    dialog.choices["two_on_page"].setChecked(True)
    qtbot.waitUntil(lambda: len(dialog.pages) == 3)
    dialog.save(tmp_path / "halves.svg")
    assert "opens the first" in dialog._said.text()


def test_a_puzzle_of_a_booklet_is_given_its_own_title(qtbot, dialog, monkeypatch):
    """Noticed: one title, with numbers, for all puzzles of a sheet; Enter asks for a file."""
    monkeypatch.setattr(dialog_module, "ask_to_save", lambda *_: pytest.fail("a dialog"))
    add(qtbot.waitUntil, dialog, animals(ROWS[::-1]), animals())
    listed = dialog.booklet.list

    def type_title(text):
        listed.setCurrentRow(1)
        listed.setFocus()
        listed.editItem(listed.item(1))
        editor = listed.findChild(QLineEdit)
        editor.selectAll()
        QTest.keyClicks(editor, text)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: listed.findChild(QLineEdit) is None)

    dialog.title.setText("Party")
    type_title("For Ann")
    shown = [sheet.title for sheet in dialog.sheets]
    assert shown == ["Party 1", "For Ann", "Party 2"]
    assert {page.title for page in dialog.pages} > {"For Ann", "Solution: For Ann"}
    dialog.booklet.up_button.click()
    qtbot.waitUntil(lambda: dialog.sheets[0].title == "For Ann")
    dialog.booklet.down_button.click()
    qtbot.waitUntil(lambda: dialog.sheets[1].title == "For Ann")
    type_title(" ")
    assert listed.item(1).text() == "Party 2"
    assert [sheet.title for sheet in dialog.sheets] == ["Party 1", "Party 2", "Party 3"]


def test_the_title_field_names_the_selected_puzzle_or_all(qtbot, dialog):
    """Noticed: a title typed while a puzzle is selected names all, with numbers."""
    listed, field = dialog.booklet.list, dialog.title
    dialog.title.setText("For Ann")
    add(qtbot.waitUntil, dialog, animals(ROWS[::-1]), animals())
    assert (field.accessibleName(), field.text()) == ("Title of all puzzles", "")
    assert not dialog.title_all.isEnabled()
    field.setText("Party")
    listed.setCurrentRow(1)
    assert (field.accessibleName(), field.text()) == ("Title of puzzle 2", "")
    # Noticed: a message that seems to be for the puzzle whose title is next to it.
    assert dialog.filling._label.text() == "Unused cells of all puzzles"
    assert field.placeholderText() == "Party 1"
    assert dialog.pages[dialog.number].sheet == 1
    QTest.keyClicks(field, "For Bo")
    assert listed.item(1).text() == "For Bo"
    assert [sheet.title for sheet in dialog.sheets] == ["For Ann", "For Bo", "Party"]
    dialog.title_all.click()
    assert (field.accessibleName(), field.text()) == ("Title of all puzzles", "Party")
    assert not dialog.booklet.remove_button.isEnabled()
    field.clear()
    assert [sheet.title for sheet in dialog.sheets] == ["For Ann", "For Bo", "Animals"]
    listed.setCurrentRow(1)
    field.clear()
    assert [sheet.title for sheet in dialog.sheets] == ["For Ann", "Animals 1", "Animals 2"]


def test_the_last_puzzle_of_a_booklet_keeps_its_own_title(qtbot, dialog):
    """Noticed: it is printed as "Animals", and its own title is back after another is added."""
    add(qtbot.waitUntil, dialog, animals(ROWS[::-1]))
    dialog.booklet.list.item(1).setText("For Ann")
    dialog.booklet.list.setCurrentRow(0)
    qtbot.keyClick(dialog.booklet.list, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: len(dialog.sheets) == 1)
    assert (dialog.title.text(), dialog.sheets[0].title) == ("For Ann", "For Ann")
    assert grid_of(dialog.sheets[0]) == "".join(ROWS[::-1])
    add(qtbot.waitUntil, dialog, animals())
    assert [sheet.title for sheet in dialog.sheets] == ["For Ann", "Animals"]


def test_a_kept_message_that_has_no_room_takes_no_puzzle_out_of_the_booklet(qtbot, dialog):
    """Noticed: a puzzle with two free cells that was gone, next time too."""
    words = BogglePuzzle.create(ANIMALS, BoggleParams(rows=2, cols=10, adjacency="straight"))
    board = words.parse(("catandratx", "heronlynxx"), foreign=True)
    full = source_of(words, Best(board, 3.0, 0))
    dialog.add_booklet(Booklet({full: "Ours"}, filling=("message", "Old tale")))
    qtbot.waitUntil(lambda: "2 cells can be filled" in dialog._said.text())
    assert full in dialog.booklet.sources
    kept = []
    dialog.left_with.connect(kept.append)
    dialog.close()
    assert [(list(one.titles), one.filling) for one in kept] == [([full], ("message", "Old tale"))]


def test_long_notes_take_no_width_of_the_pages(qtbot, dialog):
    """Noticed: a preview of half its width below a hidden message for three puzzles."""
    before = dialog._preview.width()
    for note in (dialog.filling.said, dialog.remark, dialog._said):
        note.setText("A note about a word of this sheet. " * 12)
        note.show()
    dialog.grab()
    assert dialog._preview.width() == before


def test_the_sheet_of_one_run_carries_it(dialog, tmp_path):
    dialog.choices["solution"].setChecked(False)
    dialog.save(tmp_path / "sheet.svg")
    assert RUN in (tmp_path / "sheet.svg").read_text("utf-8")


def test_a_file_that_is_no_puzzle_is_not_added(qtbot, dialog, tmp_path):
    add(qtbot.waitUntil, dialog, animals(ROWS[::-1]))
    broken = tmp_path / "broken.txt"
    broken.write_text("abc\nde\n", "utf-8")
    unsolved = tmp_path / "unsolved.txt"
    unsolved.write_text("1 2 3\n4 5 6\n8 7 .\n", "utf-8")
    dialog.booklet.add([source_of_file(broken), animals(), source_of_file(unsolved)])
    qtbot.waitUntil(lambda: dialog._said.text() != "")
    # The good one between the bad ones is added.
    assert len(dialog.booklet.sources) == len(dialog.sheets) == 3
    assert dialog.save_button.isEnabled()
    said = dialog._said.text().splitlines()
    assert [line.partition(":")[0] for line in said] == ["broken.txt", "unsolved.txt"]


@pytest.mark.parametrize("n_words", [2, 300])
def test_a_saved_word_tiles_board_brings_its_own_words(n_words, tmp_path):
    """Noticed: the window answers with a flag of the command line.

    A short list is noted in the board; the file of a longer one is in the same folder.
    """
    puzzle, best = made_sheets.word_tiles()
    others = [f"{puzzle.letters}{number}" for number in range(n_words)]
    lexicon = tmp_path / "pets.txt"
    lexicon.write_text("\n".join(["Cat", "den", *others]), "utf-8")
    puzzle = dataclasses.replace(puzzle, lexicon=read_lexicon(lexicon))
    saved = tmp_path / "tiles.txt"
    saved.write_text(puzzle.saved_text(best, puzzle.notes(best)), "utf-8")
    if n_words == 2:
        lexicon.unlink()
    source = source_of_file(saved)
    assert [word.spelling for word in source.make(None).words] == ["Cat"]
    lexicon.unlink(missing_ok=True)
    if n_words == 300:
        with pytest.raises(GridError, match=r"pets\.txt") as error:
            source.make(None)
        assert "--" not in str(error.value)


@pytest.mark.parametrize("required", [("heron",), ("heron", "lynx")])
def test_a_page_of_a_booklet_carries_the_constraints_of_its_file(required, qtbot, dialog, tmp_path):
    """Noticed: a page that opens without the words that must be on the board."""
    own = parse_lexicon(b"# title: Birds\nheron\nlynx\n", "birds.txt")
    asked = Constraints(required=required, forbidden=("zoo",))
    params = BoggleParams(rows=2, cols=5, adjacency="straight")
    puzzle = BogglePuzzle.create(own, params, ("heron", "lyn#x"), asked)
    best = Best(puzzle.start, puzzle.score(puzzle.start), 0)
    saved = tmp_path / "birds.txt"
    saved.write_text(puzzle.saved_text(best, puzzle.notes(best)), "utf-8")
    add(qtbot.waitUntil, dialog, source_of_file(saved))
    dialog.save(tmp_path / "page.png")
    opened = read_carried(tmp_path / "page-2.png")
    found = opened.recipe.puzzle
    assert (found.lexicon.strings, found.title) == (own.strings, "Birds")
    assert (found.constraints.required, found.constraints.forbidden) == (required, ("zoo",))
    assert (found.constraints.holes, opened.best.value) == (puzzle.constraints.holes, best.value)


def test_a_file_that_carries_a_puzzle_can_be_added(qtbot, dialog, tmp_path, monkeypatch):
    """Noticed: runs, pictures and sheets that Open… takes are not listed, or not read as text."""
    puzzle, _ = made_sheets.letters(("CATX", "DNAE"), reuse="once")
    params = catalog.solver_params("boggle", "annealing", {})
    recipe = Recipe(puzzle, "annealing", params, limits=Limits(units=1))
    session = Session()
    session.begin(recipe)
    while session.state is State.RUNNING:
        session.run_slice()
    run, sheet, tiles = (tmp_path / name for name in ("one.tilelab", "two.pdf", "three.csv"))
    save_run(session, run)
    sheet.write_bytes(b"%PDF-1.7\xff" + xmp_with(carried_by(animals().make(None))))
    tiles.write_text("1,2,3\n4,5,6\n7,0,8\n", "utf-8")
    kinds = []

    def choose(parent, title, folder, shown):
        kinds.append(shown)
        return [run, sheet, tiles]

    monkeypatch.setattr(booklet_module, "ask_to_open_several", choose)
    dialog.booklet.add_button.click()
    qtbot.waitUntil(lambda: len(dialog.sheets) == 4 or dialog._said.text() != "")
    assert {f"*{file.suffix}" for file in (run, sheet, tiles)} < set(re.split("[ ()]", kinds[0]))
    made = dialog.sheets
    assert [each.puzzle for each in made] == ["boggle", "boggle", "boggle", "sliding"]
    assert "uses a cell only once" in made[1].instruction
    assert grid_of(made[2]) == grid_of(made[0])
    assert carried_by(made[1]) == carried_text(CarriedRun(session.recipe, 1, session.best))


def test_a_file_that_is_neither_says_what_can_be_added(qtbot, dialog, tmp_path):
    """Noticed: "is not a text file", of a file that is none of those that carry a puzzle."""
    letter = tmp_path / "letter.docx"
    letter.write_bytes(b"PK\x03\x04\xff")
    dialog.booklet.add([source_of_file(letter)])
    qtbot.waitUntil(lambda: dialog._said.text() != "")
    assert dialog._said.text().count("letter.docx") == 1
    assert "a sheet takes boards as text, runs, pictures and sheets" in dialog._said.text()


def printed(driver, n_sheets=None):
    driver.window.printing.ask(driver.page)
    driver.until(lambda: driver.window.findChild(SheetDialog) is not None)
    dialog = driver.window.findChild(SheetDialog)
    driver.until(lambda: n_sheets in (None, len(dialog.sheets)))
    return dialog


def close(driver, dialog):
    dialog.reject()
    driver.until(lambda: driver.window.findChild(SheetDialog) is None)


def test_the_title_of_a_board_is_kept_until_there_is_another_board(driver):
    """Noticed: a typed title is forgotten when the dialog is closed, even after Save…."""
    driver.run(rows=3, cols=3, units=1)
    dialog = printed(driver)
    usual = dialog.title.text()
    dialog.title.setText("For Ann")
    close(driver, dialog)
    driver.make_again()
    dialog = printed(driver)
    assert (dialog.title.text(), dialog.sheets[0].title) == ("For Ann", "For Ann")
    add(driver.until, dialog, animals())
    assert [sheet.title for sheet in dialog.sheets] == ["For Ann", "Animals"]
    dialog.booklet.list.setCurrentRow(0)
    dialog.title.setText("For Bo")
    close(driver, dialog)
    driver.window.show_puzzle("sliding")
    driver.settled()
    dialog = printed(driver, 2)
    assert "For Bo" not in {sheet.title for sheet in dialog.sheets}
    close(driver, dialog)
    driver.window.show_puzzle("boggle")
    driver.settled()
    dialog = printed(driver, 2)
    assert [sheet.title for sheet in dialog.sheets] == ["For Bo", "Animals"]
    dialog.remove_before.click()
    driver.until(lambda: len(dialog.sheets) == 1)
    dialog.title.setText("")
    close(driver, dialog)
    dialog = printed(driver)
    assert (dialog.title.text(), dialog.sheets[0].title) == ("", "")
    dialog.title.setText(usual)
    close(driver, dialog)
    assert printed(driver).title.text() == usual


def test_a_hidden_message_is_kept_with_its_board(driver, another_driver):
    """Noticed: a second Save… after Close writes the sheet without the message, unsaid."""
    driver.run(rows=5, cols=5, units=1)
    dialog = printed(driver)
    fill(dialog, Fill.MESSAGE, "A")
    driver.until(lambda: dialog.sheets[0].message == "A")
    close(driver, dialog)
    driver.make_again()
    dialog = printed(driver)
    driver.until(lambda: dialog.sheets[0].message == "A")
    assert dialog.filling.message.text() == "A"
    dialog.filling.message.clear()  # then the cells are as they are, and the sheet can be saved
    close(driver, dialog)
    dialog = printed(driver)
    assert dialog.filling.filler is None
    assert dialog.save_button.isEnabled()
    fill(dialog, Fill.NO_WORDS)
    close(driver, dialog)
    driver.window.show_puzzle("sliding")
    driver.settled()
    dialog = printed(driver)
    assert dialog.filling.filler is None  # it is another board
    close(driver, dialog)
    kept = driver.window.printing._fillings
    driver.window.close()
    later = another_driver(driver.window.settings)
    later.settled()
    assert list(kept.values()) == [(Fill.NO_WORDS, "")]
    assert later.window.printing._fillings == kept


def test_a_booklet_stays_until_its_puzzles_are_removed(driver):
    """Noticed: Escape drops the added puzzles and their titles, or they are back unnoticed."""
    driver.run(rows=3, cols=3, units=1)
    dialog = printed(driver)
    add(driver.until, dialog, animals(), animals(ROWS[::-1]))
    dialog.title.setText("Party")
    dialog.booklet.list.item(2).setText("For Ann")
    close(driver, dialog)
    driver.make_again()
    driver.window.show_puzzle("sliding")
    driver.settled()
    dialog = printed(driver, 3)
    assert [sheet.puzzle for sheet in dialog.sheets] == ["sliding", "boggle", "boggle"]
    assert [sheet.title for sheet in dialog.sheets] == ["Party 1", "Party 2", "For Ann"]
    assert dialog.added_before.text() == "This also prints 2 puzzles from before."
    dialog.remove_before.click()
    driver.until(lambda: len(dialog.sheets) == 1)
    assert dialog.added_before.isHidden()
    assert dialog.title.text() == dialog.sheets[0].title != "Party"
    assert dialog.added.title == ""
    close(driver, dialog)
    assert len(printed(driver).booklet.sources) == 1


def test_a_booklet_is_there_again_in_the_next_session(driver, another_driver, tmp_path):
    files = [tmp_path / "first.txt", tmp_path / "second.txt"]
    driver.window.show_puzzle("sliding")
    driver.settled()
    dialog = printed(driver)
    dialog.booklet.add(list(map(states, files)), n_before=1)
    driver.until(lambda: len(dialog.sheets) == 3)
    for row, title in enumerate(("For Bo", "Mine", "For Ann")):
        dialog.booklet.list.item(row).setText(title)
    close(driver, dialog)
    driver.window.close()
    files[0].unlink()
    later = another_driver(driver.window.settings)
    later.settled()
    dialog = printed(later)
    later.until(lambda: "first.txt" in dialog._said.text())
    assert [sheet.title for sheet in dialog.sheets] == ["Mine", "For Ann"]
    close(later, dialog)


def test_a_saved_booklet_is_whole_without_its_board_on_the_screen(driver, another_driver, tmp_path):
    """Noticed: the puzzle on the screen is gone, or nothing can be printed after a start.

    A new board of the same words takes the place of the one that was saved.
    """
    driver.run(rows=3, cols=3, units=1)
    dialog = printed(driver)
    add(driver.until, dialog, states(tmp_path / "saved.txt"))
    dialog.booklet.list.item(0).setText("Trees")
    signs = [sheet.signs for sheet in dialog.sheets]
    dialog.save(tmp_path / "booklet.pdf")
    close(driver, dialog)
    driver.window.show_puzzle("sliding")
    driver.settled()
    dialog = printed(driver, 3)
    assert [sheet.signs for sheet in dialog.sheets[1:]] == signs
    close(driver, dialog)
    driver.window.close()
    later = another_driver(driver.window.settings)
    later.settled()
    later.window.show_puzzle("boggle")
    later.settled()
    assert later.page.best_files.to_save() is None
    assert later.window.has_booklet
    dialog = printed(later, 2)
    assert [sheet.signs for sheet in dialog.sheets] == signs
    assert dialog.sheets[0].title == "Trees"
    # Noticed: one of them counts as the puzzle on the screen, and is all that can be left.
    assert dialog.added_before.text().endswith("this prints 2 puzzles from before.")
    assert dialog.remove_before.isHidden()
    close(later, dialog)
    assert len(later.window.printing.booklet.titles) == 2


def test_a_new_board_of_the_same_words_is_printed_for_the_kept_one(qtbot, dialog):
    """Noticed: each board of a puzzle that is made again stays in the booklet."""
    older = dataclasses.replace(animals(("catandrat", "heronxxxx", "lynxyyyyy")), carried=RUN)
    other = animals(ROWS[::-1])
    dialog.add_booklet(Booklet({other: "", older: ""}, n_before=1))
    qtbot.waitUntil(lambda: len(dialog.sheets) == 2)
    assert dialog.booklet.sources == [other, dialog._own]
    assert dialog.added_before.text() == "This also prints 1 puzzle from before."


def test_a_puzzle_of_the_booklet_is_not_added_from_the_screen_again(qtbot, dialog):
    """Noticed: the board of an added file is printed twice, so that titles have numbers."""
    other, same = animals(ROWS[::-1]), animals()
    dialog.add_booklet(Booklet({other: "", same: "For Ann"}, "Party", None, 1))
    qtbot.waitUntil(lambda: len(dialog.sheets) == 2)
    assert dialog.booklet.sources == [other, same]
    # Noticed: the next board is in front of both, or without the one that was added.
    added = Booklet({other: "", same: "For Ann"}, "Party", "For Ann", 1)
    assert dialog.added == added
    assert dialog.added_before.text() == "This also prints 1 puzzle from before."
    dialog.remove_before.click()
    qtbot.waitUntil(lambda: len(dialog.sheets) == 1)
    assert dialog.booklet.sources == [dialog._own]
    assert dialog.remove_before.isHidden()
    assert not dialog.added.titles
    dialog.booklet.undo()
    # Noticed: the next dialog is without it although all are there again.
    assert dialog.added == added
    # Noticed: the board on the screen is taken for a double of itself, and is lost.
    qtbot.waitUntil(dialog.save_button.isEnabled)
    assert [sheet.title for sheet in dialog.sheets] == ["Party", "For Ann"]
    assert dialog.added == added
    assert not dialog.remove_before.isHidden()
    dialog.booklet.redo()
    assert not dialog.added.titles
    qtbot.waitUntil(lambda: len(dialog.sheets) == 1)
    dialog.booklet.add([animals()])  # a user who adds it gets it
    qtbot.waitUntil(lambda: len(dialog.sheets) == 2)


def test_a_board_that_is_a_booklet_of_itself_is_printed_with_its_run(qtbot, dialog, tmp_path):
    """Noticed: the file has the board alone, and one puzzle is said to be one from before."""
    same = animals()
    dialog.add_booklet(Booklet({same: ""}))
    qtbot.waitUntil(lambda: dialog.booklet.sources == [same])
    assert dialog.added_before.isHidden()
    dialog.save(tmp_path / "sheet.svg")
    assert RUN in (tmp_path / "sheet-1.svg").read_text("utf-8")
    assert list(dialog.added.titles) == [same]
    dialog._sheets = (dataclasses.replace(dialog._sheets[0], message="Hi"),)
    dialog.save(tmp_path / "sheet.svg")
    # The file of the booklet has the message, and the run of the window has none.
    assert carried_by(dialog._sheets[0]) in (tmp_path / "sheet-1.svg").read_text("utf-8")


def test_the_list_of_a_booklet_shows_the_titles_of_its_pages(qtbot, dialog, tmp_path):
    """Noticed: the names of the files, or three of six puzzles with room for all."""
    add(qtbot.waitUntil, dialog, *(states(tmp_path / f"{number}.txt") for number in range(5)))
    listed = dialog.booklet.list
    listed.item(2).setText("Map")

    def titles():
        return [listed.item(row).text() for row in range(listed.count())]

    assert titles() == [sheet.title for sheet in dialog.sheets]
    assert titles()[:4] == ["Animals", "States of the USA 1", "Map", "States of the USA 2"]
    qtbot.waitUntil(lambda: listed.verticalScrollBar().maximum() == 0)
    listed.item(2).setText("")
    assert titles()[2] == "States of the USA 2"


def test_the_order_of_a_booklet_is_kept(driver):
    """Noticed: the next dialog has the own puzzle first, wherever it was moved."""
    driver.run(rows=3, cols=3, units=1)
    dialog = printed(driver)
    add(driver.until, dialog, animals(), animals(ROWS[::-1]))
    dialog.booklet.list.setCurrentRow(2)
    dialog.booklet.up_button.click()
    dialog.booklet.up_button.click()
    dialog.booklet.list.setCurrentRow(2)
    dialog.booklet.up_button.click()
    driver.until(lambda: len(dialog.sheets[2].signs) == 9)
    before = [sheet.signs for sheet in dialog.sheets]
    close(driver, dialog)
    dialog = printed(driver)
    driver.until(lambda: [sheet.signs for sheet in dialog.sheets] == before)
    dialog.remove_before.click()
    driver.until(lambda: len(dialog.sheets) == 1)
    assert dialog.sheets[0].signs == before[2]


def test_the_page_of_a_puzzle_that_is_moved_stays_in_view(qtbot, dialog):
    """Noticed: the preview stays on page 2, which is the other puzzle now."""
    add(qtbot.waitUntil, dialog, animals(ROWS[::-1]))
    dialog.booklet.list.setCurrentRow(1)
    assert dialog.number == 1
    dialog.booklet.up_button.click()
    qtbot.waitUntil(lambda: grid_of(dialog.sheets[0]) == "".join(ROWS[::-1]))
    assert dialog.number == 0
    dialog.choices["two_on_page"].setChecked(True)
    dialog.turn_to(1)
    dialog.booklet.list.setCurrentRow(1)
    assert dialog.number == 0  # the puzzle is in its lower half; its solution has a page of its own
    dialog.choices["two_on_page"].setChecked(False)
    # A new filling makes the pages again, but turns none.
    dialog.turn_to(3)
    fill(dialog, Fill.NO_WORDS)
    qtbot.waitUntil(lambda: "filled" in dialog.filling.said.text())
    assert dialog.number == 3


def test_steps_in_a_booklet_are_undone_and_redone(qtbot, dialog):
    """Noticed: a removed puzzle is gone with its title, or Ctrl+Z undoes only letters of a field.

    Nor is a step lost when a title was typed back in its field before.
    """
    dialog.activateWindow()
    other = animals(ROWS[::-1])
    add(qtbot.waitUntil, dialog, other)
    dialog.booklet.list.setCurrentRow(1)
    dialog.title.setFocus()
    QTest.keyClicks(dialog.title, "For Ann")
    QTest.keyClick(dialog.title, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert dialog.booklet.titles == ("", "")
    QTest.keyClicks(dialog.title, "For Bo")
    dialog.booklet.up_button.click()
    dialog.booklet.remove_button.click()
    qtbot.waitUntil(lambda: len(dialog.sheets) == 1)

    def press(key, n_puzzles, *titles):
        QTest.keyClick(dialog.windowHandle(), key, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: len(dialog.sheets) == n_puzzles)
        assert dialog.booklet.titles == titles

    sources = list(dialog.booklet.sources)
    press(Qt.Key.Key_Z, 2, "For Bo", "")
    assert dialog.booklet.row == 0
    assert dialog.title.text() == "For Bo"
    press(Qt.Key.Key_Z, 2, "", "For Bo")
    assert dialog.booklet.row == 1
    press(Qt.Key.Key_Z, 2, "", "")
    assert dialog.title.text() == ""
    press(Qt.Key.Key_Z, 1, "")
    assert dialog.title.text() == "Animals"
    for _ in range(5):
        dialog.booklet.redo()
    assert dialog.booklet.sources == sources
    dialog.booklet.undo()
    assert dialog.booklet.titles == ("For Bo", "")


def test_puzzles_are_moved_up_and_down_as_far_as_that_goes(qtbot, own_ini):
    names = ["one", "two", "three"]
    parent = QWidget()
    qtbot.addWidget(parent)
    booklet = BookletList([SheetSource(name, None) for name in names], own_ini, parent)
    up, down = booklet.up_button, booklet.down_button

    def shown():
        listed = [booklet.list.item(row).text() for row in range(booklet.list.count())]
        assert listed == [source.name for source in booklet.sources]
        return listed, booklet.list.currentRow(), up.isEnabled(), down.isEnabled()

    assert shown() == (names, -1, False, False)
    booklet.list.setCurrentRow(0)
    down.click()
    assert shown() == (["two", "one", "three"], 1, True, True)
    down.click()
    assert shown() == (["two", "three", "one"], 2, True, False)
    booklet.list.setCurrentRow(1)
    up.click()
    assert shown() == (["three", "two", "one"], 0, False, True)
    # In place of the last one that was taken out, the one before it is chosen.
    booklet.list.setCurrentRow(2)
    booklet.remove_button.click()
    assert shown() == (["three", "two"], 1, True, False)
    for _ in range(2):  # the last one stays
        booklet.remove_button.click()
        assert shown()[0] == ["three"]


def test_runs_of_the_history_are_printed_as_a_booklet(driver):
    states = open_lexicon("us-states")
    origin = {"lexicon": "us-states", "file": None, "digest": states.digest, "start": None}
    usual = {"origin": origin, "title": states.title, "puzzle_params": {"rows": 2, "cols": 2}}
    with History() as history:
        for board in (("oh", "io"), ("ut", "ah")):
            history.put(made(board=board, rows=2, cols=2, **usual))
    driver.window.history.bring()
    history = driver.window.history
    history.table.selectAll()
    history._print()
    driver.until(lambda: history.findChild(SheetDialog) is not None)
    dialog = history.findChild(SheetDialog)
    assert [len(sheet.words) for sheet in dialog.sheets] == [1, 1]
    assert {sheet.words[0].spelling.lower() for sheet in dialog.sheets} == {"ohio", "utah"}
    dialog.close()
    driver.until(lambda: history.findChild(SheetDialog) is None)
    # What the page shows is printed over the page again.
    driver.run(rows=3, cols=3, units=1)
    driver.window.printing.ask(driver.window.page)
    driver.until(lambda: driver.window.findChild(SheetDialog) is not None)
    dialog = driver.window.findChild(SheetDialog)
    assert dialog.parent() is driver.window
    dialog.close()


def test_the_source_of_a_record_makes_its_sheet(tmp_path):
    states = open_lexicon("us-states")
    origin = {"lexicon": "us-states", "file": None, "digest": states.digest, "start": None}
    record = made(origin=origin, puzzle_params={"rows": 2, "cols": 2}, board=("oh", "io"))
    sheet = source_of_record(record).make(None)
    assert [word.string for word in sheet.words] == ["ohio"]
    picture = tmp_path / "sheet.svg"
    picture.write_bytes(svg_with(b"<svg></svg>", carried_by(sheet)))
    opened = read_carried(picture)
    assert opened.recipe.puzzle.rows_of(opened.best.cells) == ("oh", "io")
