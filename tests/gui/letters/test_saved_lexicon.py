"""A saved board is opened while another lexicon than its own is loaded."""

import pytest

from tilelab import catalog
from tilelab.core.solver import Best
from tilelab.gui.run.messages import Lender, LetterRequest, LoadContext
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.runs.result import grid_text

pytestmark = pytest.mark.usefixtures("without_style_sheet")

BOARDS = {"boggle": ("mars", "sees"), "wordtiles": ("mars", "see.")}
LENT_RULES = {"boggle": ("adjacency", "straight"), "wordtiles": ("counting", "board")}
WORDS = "mars\nsee\nmees\n"


@pytest.fixture(params=BOARDS)
def page(request, driver):
    """The page of a puzzle with a lexicon of two words."""
    driver.window.show_puzzle(request.param)
    driver.settled()
    return driver.page


def load_words(driver, file, words="cat\ndog\n"):
    file.write_text(words, "utf-8")
    driver.load(file)


def save(page, file, lexicon, **rules):
    rows = BOARDS[page.puzzle_key]
    values = {"rows": 2, "cols": 4, **rules}
    puzzle = catalog.puzzle(page.puzzle_key).from_values(lexicon, values, rows)
    best = Best(puzzle.start, puzzle.score(puzzle.start), 0)
    file.write_text(grid_text(puzzle, best, "step", 1), "utf-8")
    return rows


def shown(driver):
    rows = driver.page.face.board_to_keep().rows
    return driver.page.face.lexicon.title, tuple(row.lower() for row in rows)


def test_a_board_of_a_built_in_lexicon_is_opened_with_it(driver, page, tmp_path):
    """Noticed: "'m' is in no word of pets.txt", without a word about the board's own lexicon."""
    load_words(driver, tmp_path / "pets.txt")
    rows = save(page, tmp_path / "board.txt", open_lexicon("planets"))
    before = page.face.puzzle_request()
    page.face.load.open(tmp_path / "board.txt")
    driver.settled()
    assert page.notice.text == (
        "board.txt was saved with the lexicon Planets; no word of pets.txt has 'm'."
    )
    driver.press_notice("Open with Planets")
    assert shown(driver) == ("Planets", rows)
    assert "It takes the place of" in page.notice.text
    assert "was saved with" not in page.notice.text
    page.notice.undo.click()
    driver.settled()
    again = page.face.puzzle_request()
    assert (again.lexicon.name, again.start_rows) == (before.lexicon.name, before.start_rows)


def test_a_board_that_other_words_can_make_is_offered_with_its_own(driver, page, tmp_path):
    """Noticed: nothing on word tiles; on letter boards no way to the board's own lexicon."""
    load_words(driver, tmp_path / "own.txt", WORDS)
    rows = save(page, tmp_path / "board.txt", open_lexicon("planets"))
    page.face.load.open(tmp_path / "board.txt")
    driver.settled()
    assert shown(driver) == ("own.txt", rows)
    said = "board.txt was saved with the lexicon Planets; own.txt is loaded."
    assert page.notice.text.endswith(said)
    driver.press_notice("Open with Planets")
    assert shown(driver) == ("Planets", rows)


def lend_rule(driver, name, value):
    """Show a puzzle of another rule, as an opened run does."""
    page = driver.page
    params = {**page.panel.values("puzzle"), name: value}
    request = LetterRequest(page.puzzle_key, page.face.lexicon, params)
    context = LoadContext(run_name="", lender=Lender.RUN, then=page.panel.show_puzzle)
    page.control.ask_puzzle(request, context)
    driver.settled()
    assert page.panel.values("puzzle")[name] == value


def test_a_board_that_is_opened_with_its_lexicon_has_the_users_rules(driver, page, tmp_path):
    """Noticed: the rules returned without a word; on word tiles, those of a run stayed."""
    name, lent = LENT_RULES[page.puzzle_key]
    load_words(driver, tmp_path / "pets.txt")
    save(page, tmp_path / "board.txt", open_lexicon("planets"))
    own = page.panel.values("puzzle")[name]
    for changed in (True, False):
        lend_rule(driver, name, lent if changed else own)
        page.face.load.open(tmp_path / "board.txt")
        driver.settled()
        driver.press_notice("Open with Planets")
        assert page.panel.values("puzzle")[name] == own
        assert page.source.puzzle.params.model_dump()[name] == own
        assert ("The rules are again as before." in page.notice.text) == changed
        if not changed:
            continue
        page.notice.undo.click()
        driver.settled()
        assert page.panel.values("puzzle")[name] == lent
        load_words(driver, tmp_path / "pets.txt")
        assert page.source.puzzle.params.model_dump()[name] == own
        assert page.notice.text.endswith("The rules are again as before.")


@pytest.mark.parametrize("is_own", [True, False])
def test_the_next_start_knows_the_users_rules(driver, page, another_driver, tmp_path, is_own):
    """Noticed: word tiles took a rule that the user had chosen for that of a run."""
    name, value = LENT_RULES[page.puzzle_key]
    if is_own:
        driver.set(**{name: value})
        driver.settled()
    else:
        lend_rule(driver, name, value)
    driver.window.close()
    again = another_driver(driver.window.settings)
    again.settled()
    assert again.page.panel.values("puzzle")[name] == value
    load_words(again, tmp_path / "pets.txt")
    assert (again.page.panel.values("puzzle")[name] == value) == is_own
    assert ("The rules are again as before." in again.page.notice.text) != is_own


def test_the_words_in_a_board_come_with_it(driver, page, tmp_path):
    """Noticed: on word tiles, a board of a short list of its own is refused."""
    load_words(driver, tmp_path / "pets.txt")
    rows = save(page, tmp_path / "board.txt", parse_lexicon(WORDS.encode(), "own.txt"))
    page.face.load.open(tmp_path / "board.txt")
    driver.settled()
    if page.puzzle_key == "wordtiles":  # a letter board takes them by itself
        driver.press_notice("Open with own")
    assert shown(driver) == ("own", rows)
    assert set(page.face.lexicon.strings) == set(WORDS.split())


def test_a_lexicon_that_is_not_known_is_named(driver, page, tmp_path):
    load_words(driver, tmp_path / "pets.txt")
    long = "".join(
        f"{one}{other}mars\nsee\n" for one in "abcdefghijklmno" for other in "abcdefghijklmno"
    )
    save(page, tmp_path / "board.txt", parse_lexicon(long.encode(), "large.txt"))
    page.face.load.open(tmp_path / "board.txt")
    driver.settled()
    assert page.notice.text == (
        "board.txt was saved with the lexicon large.txt; no word of pets.txt has 'm'. "
        "Load that list first."
    )
    assert not page.notice.buttons


@pytest.mark.parametrize("words", [WORDS, "cat\ndog\n", ""], ids=["same", "other", "built-in"])
def test_a_letter_board_is_opened_with_the_rules_that_it_was_saved_with(driver, tmp_path, words):
    """Noticed: all directions of straight lines for a board that had only forward ones."""
    board, again = tmp_path / "board.txt", tmp_path / "again.txt"
    usual = catalog.puzzle("boggle").spec.params().model_dump()
    straight = {"adjacency": "straight", "directions": "forwards", "slips": 1}
    bent = {"reuse": "once", "torus": True, "qu_tile": True, "fitness": "length"}
    page = driver.page
    for rules in (straight, bent, {"adjacency": "rook", "stay": True}, {}):
        load_words(driver, tmp_path / "own.txt", words or "cat\ndog\n")
        driver.set(**{**usual, "directions": "two"})
        lexicon = parse_lexicon(WORDS.encode(), "own.txt") if words else open_lexicon("planets")
        save(page, board, lexicon, **rules)
        page.face.load.open(board)
        driver.settled()
        if not words:
            driver.press_notice("Open with Planets")
        params = page.source.puzzle.params.model_dump()
        assert params == {**usual, **rules, "rows": 2, "cols": 4}
        assert page.panel.values("puzzle") == params
        page.best_files.save(again)
        assert set(again.read_text("utf-8").split("\n")) <= set(
            board.read_text("utf-8").split("\n")
        )
