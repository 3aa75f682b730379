"""Everything that a sheet says is on its pages, and all of it within their margins."""

import dataclasses
import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import made_sheets
from tilelab import catalog
from tilelab.core.text import language
from tilelab.puzzles.boggle.maker.filling import Fill
from tilelab.runs.recipe import Recipe
from tilelab.sheets.exercise import exercise_of
from tilelab.sheets.layout import BOTTOM, path_text, sheet_pages
from tilelab.sheets.page import FAINT, GREY, INK, Capsule, Line, Page, Ruler, Text, apart
from tilelab.sheets.puzzle_sheets import Filler, fill_sheet, sheet_of
from tilelab.sheets.sheet import PaperSize, Sheet, SheetOptions, SheetWord, WordOrder

EDGE = 24.0
"""Nothing is nearer to the edge of the paper; printers leave a part of it blank."""


def pages_of(sheets, **options) -> tuple[Page, ...]:
    return sheet_pages(sheets, SheetOptions(**options), made_sheets.measure)


def texts(pages):
    return [mark.text for page in pages for mark in page.marks if isinstance(mark, Text)]


def assert_inside(pages):
    ruler = Ruler(made_sheets.measure)
    for page in pages:
        for mark in page.marks:
            left, top, right, bottom = made_sheets.extent(mark, ruler)
            assert left >= EDGE, mark
            assert top >= EDGE, mark
            assert right <= page.width - EDGE + 1, mark
            assert bottom <= page.height - EDGE, mark


def list_texts(page):
    """The texts of lists, which may not lie over each other."""
    ruler = Ruler(made_sheets.measure)
    foot = page.height - BOTTOM + 1
    return [
        made_sheets.extent(mark, ruler)
        for mark in page.marks
        if isinstance(mark, Text) and made_sheets.extent(mark, ruler)[3] < foot
    ]


def assert_apart(page):
    boxes = list_texts(page)
    for one, other in itertools.combinations(boxes, 2):
        across = min(one[2], other[2]) - max(one[0], other[0])
        down = min(one[3], other[3]) - max(one[1], other[1])
        assert across < 0.5 or down < 0.5, (one, other)


@settings(max_examples=10, deadline=None, derandomize=True)
@given(
    n_words=st.integers(0, 300),
    cols=st.integers(1, 16),
    order=st.sampled_from(list(WordOrder)),
    paper=st.sampled_from(list(PaperSize)),
    large=st.booleans(),
    two_on_page=st.booleans(),
)
def test_nothing_is_clipped_or_lies_over_another(n_words, cols, order, paper, large, two_on_page):
    sheets = [made_sheets.many_words(n_words, cols)] * (1 + two_on_page)
    pages = pages_of(sheets, words=order, paper=paper, large=large, two_on_page=two_on_page)
    assert_inside(pages)
    for page in pages:
        assert_apart(page)


def test_each_word_is_listed_on_the_sheet_and_in_the_solution():
    sheet = made_sheets.many_words(250)
    pages = pages_of([sheet])
    shown = texts(pages)
    for word in sheet.words:
        assert shown.count(word.spelling) == 2
    assert len({page.title for page in pages}) == 2
    assert not any("Solution" in text for text in texts(pages_of([sheet], solution=False)))


def test_a_long_word_and_its_path_stay_in_one_line():
    cells = (0, 1, 2, 5, 4, 3, 6, 7, 8, 5, 4, 3)
    long = SheetWord("crapshooting", "crapshooting", cells)
    short = [SheetWord(f"go{number:02}", f"go{number:02}", (0, 1)) for number in range(40)]
    pages = pages_of([Sheet("Long", "boggle", 3, tuple("abcdefghi"), words=(long, *short))])
    path = path_text(cells, 3)
    (word,), (tail,) = (
        [mark for mark in pages[-1].marks if isinstance(mark, Text) and mark.text == text]
        for text in ("crapshooting", path)
    )
    assert word.y == tail.y
    assert len(pages) == 2


def test_a_word_that_stands_twice_is_listed_once_and_solved_twice():
    cat = SheetWord("cat", "Cat", (0, 1, 2))
    words = (cat, dataclasses.replace(cat, cells=(6, 7, 8)))
    puzzle, solution = pages_of([Sheet("Two", "boggle", 3, tuple("CATXXXCAT"), words=words)])
    assert texts([puzzle]).count("Cat") == 1
    assert "1 word" in texts([puzzle])
    assert [text for text in texts([solution]) if "→" in text] == ["A1 →", "A3 →"]


def test_the_faint_letters_of_a_solution_are_the_hidden_message():
    """Noticed: cells of a path that the solution does not draw stay faint, and unfilled."""
    rows = ("CAT", "?A?")  # "cat" can be read along two paths
    puzzle, best = made_sheets.letters(rows, "cat\n", reuse="once")
    _, solution = pages_of([fill_sheet(puzzle, best.cells, Filler(Fill.MESSAGE, "Box"))])
    marks = [mark for mark in solution.marks if isinstance(mark, Text) and mark.colour == GREY]
    columns_and_board = [mark.text for mark in marks if len(mark.text) == 1 and mark.text.isupper()]
    assert columns_and_board == [*"ABC", *"BOX"]


def test_a_solution_names_rows_and_columns_and_fades_letters_of_no_word():
    words = (SheetWord("xyz", "xyz", (0, 1, 2)),)
    sheet = Sheet("One", "boggle", 3, tuple("XYZUVWRST"), words=words)
    _, solution = pages_of([sheet])
    board = [mark for mark in solution.marks if isinstance(mark, Text) and len(mark.text) == 1]
    signs = [mark for mark in board if mark.text in sheet.signs]
    assert [mark.strong for mark in signs] == [True] * 3 + [False] * 6
    assert [mark.colour for mark in signs] == [INK] * 3 + [GREY] * 6
    names = [mark for mark in board if mark.text not in sheet.signs][:6]
    assert [mark.text for mark in names] == ["A", "B", "C", "1", "2", "3"]
    cell = signs[1].x - signs[0].x
    assert all(
        abs(name.x - sign.x) < cell / 2 for name, sign in zip(names, signs[:3], strict=False)
    )
    assert all(
        abs(name.y - sign.y) < cell / 2 for name, sign in zip(names[3:], signs[::3], strict=True)
    )


def test_the_solution_of_word_tiles_has_their_goal():
    sheet = sheet_of(*made_sheets.word_tiles())
    assert sheet.goal != sheet.signs
    _, solution = pages_of([sheet])
    shown = "".join(text for text in texts([solution]) if len(text) == 1)
    assert shown.startswith("ABC123" + "".join(sheet.goal))


def test_a_small_grid_has_the_width_of_the_page_unless_its_words_need_the_height():
    def width(n_words):
        (page, *_) = pages_of([made_sheets.many_words(n_words, 4)])
        lines = [mark for mark in page.marks if isinstance(mark, Line) and mark.colour == INK]
        places = [x for line in lines for x, _ in line.points]
        return (max(places) - min(places)) / page.width

    assert width(6) > 0.75
    assert width(300) < 0.7


def test_tiles_show_the_start_and_beside_it_the_goal():
    sheet = sheet_of(*made_sheets.tiles())
    (page,) = pages_of([sheet], solution=False, name_line=False)
    shown = texts([page])
    for name, signs in (("Start board", sheet.signs), ("Goal", sheet.goal)):
        begin = shown.index(name) + 1
        assert shown[begin : begin + 8] == [sign for sign in signs if sign]


def test_hidden_words_have_a_blank_for_each_letter():
    word = SheetWord("catandrat", "Cat and Rat", tuple(range(9)))
    sheet = Sheet("One", "boggle", 3, tuple("CATANDRAT"), words=(word,))
    (page,) = pages_of([sheet], words=WordOrder.HIDDEN, solution=False, name_line=False)
    blanks = [mark for mark in page.marks if isinstance(mark, Line) and mark.width == 0.6]
    assert len(blanks) == 9
    gaps = [other.points[0][0] - one.points[1][0] for one, other in itertools.pairwise(blanks)]
    assert min(gaps) < max(gaps) - 2
    assert "(9)" in texts([page])
    assert "Cat and Rat" not in texts([page])


def test_a_booklet_ends_with_all_solutions():
    sheets = [made_sheets.many_words(1), sheet_of(*made_sheets.tiles())]
    pages = pages_of(sheets)
    titles = [page.title for page in pages]
    assert titles == [
        "Many words",
        "Sliding tiles",
        "Solution: Many words",
        "Solution: Sliding tiles",
    ]
    for number, page in enumerate(pages, 1):
        assert str(number) in texts([page])
    # Of a board that nobody has solved there is none.
    puzzle, best = made_sheets.tiles()
    sheets.insert(1, sheet_of(puzzle, dataclasses.replace(best, moves=None), "Unsolved"))
    assert [page.title for page in pages_of(sheets)][1:] == ["Unsolved", *titles[1:]]


def with_long_solution(sheet):
    return dataclasses.replace(sheet, slides=sheet.slides and sheet.slides * 300)


def test_a_long_solution_is_a_numbered_list_on_as_many_pages_as_it_needs():
    pages = pages_of([with_long_solution(sheet_of(*made_sheets.tiles()))])
    shown = texts(pages)
    assert len(pages) > 3
    assert all(f"{number}." in shown for number in range(1, 1201))
    assert_inside(pages)


def test_no_page_has_one_or_two_slides_alone():
    """Noticed: a last page with "31. S left" and nothing else."""
    slides = (sheet_of(*made_sheets.tiles()).slides * 5)[:20]
    for n_words in range(3, 28, 4):
        sheet = dataclasses.replace(made_sheets.many_words(n_words), slides=slides)
        *_, last = pages_of([sheet])
        assert len([text for text in texts([last]) if re.fullmatch(r"\d+\.", text)]) > 2, n_words


def test_the_board_of_a_solution_leaves_its_slides_room():
    """Noticed: a board as wide as the page, and its 45 slides on another page."""
    slides = sheet_of(*made_sheets.tiles()).slides * 300
    rows = ("adbe", "cefg", "hijk", "lmno")
    words = tuple(SheetWord(row, row, tuple(range(4 * n, 4 * n + 4))) for n, row in enumerate(rows))
    sheet = Sheet("Words", "", 4, tuple("".join(rows)), "Slide.", words)
    sizes, n_pages = [], []
    for n_slides in (10, 45, 1200):
        made = dataclasses.replace(sheet, slides=slides[:n_slides])
        solution = pages_of([made], paper=PaperSize.LETTER)[1:]
        assert_inside(solution)
        signs = [mark for mark in solution[0].marks if isinstance(mark, Text)]
        sizes.append(max(mark.size for mark in signs))
        n_pages.append(len(solution))
    assert n_pages[:2] == [1, 1]
    # A list that needs more pages anyway takes no room from the board.
    assert 22 < sizes[1] < sizes[0] == sizes[2]


def test_large_print_is_larger_on_the_sheet_and_in_the_solution():
    slides = sheet_of(*made_sheets.tiles()).slides
    sheet = dataclasses.replace(made_sheets.many_words(1), slides=slides)
    sizes = {large: text_sizes(pages_of([sheet], large=large)) for large in (False, True)}
    assert sizes[False].keys() == sizes[True].keys()
    for place in (
        *((page, word.spelling) for page in (0, 1) for word in sheet.words),
        *((0, text) for text in ("Many words", "Find them.")),
        (1, "1."),
    ):
        assert sizes[True][place] > sizes[False][place], place


def test_a_list_is_larger_where_the_page_has_room_for_it():
    def size(n_words):
        sheet = made_sheets.many_words(n_words, 8)
        return text_sizes(pages_of([sheet]))[0, sheet.words[0].spelling]

    assert size(5) > size(300)


def text_sizes(pages):
    """The size of each text of several letters by its page."""
    return {
        (number, mark.text): mark.size
        for number, page in enumerate(pages)
        for mark in page.marks
        if isinstance(mark, Text) and len(mark.text) > 1
    }


def test_two_puzzles_share_a_page_before_their_solutions():
    sheets = [sheet_of(*made_sheets.letters()), sheet_of(*made_sheets.tiles())]
    (shared, *solutions), whole = pages_of(sheets, two_on_page=True), pages_of(sheets)
    assert (len(solutions), len(whole)) == (2, 4)
    numbers = {"1", "2"}
    on_both = [text for text in texts(whole[:2]) if text not in numbers]
    assert sorted(text for text in texts([shared]) if text not in numbers) == sorted(on_both)
    assert_inside([shared])
    assert_apart(shared)
    heads = [mark.y for mark in shared.marks if isinstance(mark, Text) and mark.size == 22]
    assert [y > shared.height / 2 for y in heads] == [False, True]
    assert shared.title == ", ".join(sheet.title for sheet in sheets)


@pytest.mark.parametrize("paper", list(PaperSize))
@pytest.mark.parametrize(("rows", "cols", "n_words"), [(6, 10, 8), (12, 15, 14), (4, 6, 15)])
def test_two_boards_of_usual_size_share_a_page_with_their_lists(rows, cols, n_words, paper):
    """Noticed: a list alone in the lower half, while the second puzzle got a page of its own.

    Noticed too: long words broken in a narrow list next to the board.
    """
    words = made_sheets.many_words(n_words).words
    sheet = Sheet("My words", "boggle", cols, ("A",) * rows * cols, "Find 14 words.", words)
    (shared,) = pages_of([sheet, sheet], two_on_page=True, solution=False, paper=paper)
    assert texts([shared]).count("My words") == 2
    assert {word.spelling for word in words} <= set(texts([shared]))
    assert_inside([shared])
    assert_apart(shared)


def test_large_print_makes_letters_larger_in_half_a_page_too():
    """Noticed: larger words, and between them a board with smaller letters than before."""
    words = made_sheets.many_words(15, 8).words
    sheet = Sheet("My words", "boggle", 8, ("A",) * 64, "Find 15 words.", words)

    def size(*, large):
        (page,) = pages_of([sheet, sheet], two_on_page=True, solution=False, large=large)
        return max(mark.size for mark in page.marks if isinstance(mark, Text) and mark.text == "A")

    assert size(large=True) > 1.05 * size(large=False)


SHARED = {"date", "hand", "in", "minimum", "name", "solution"}
"""Words that another language writes as English does."""


@pytest.mark.parametrize("key", ["de", "fr", "es"])
@pytest.mark.parametrize("kind", ["letters", "tiles", "word_tiles", "exercise"])
def test_a_sheet_has_one_language(kind, key):
    """Noticed: "14 down, 9 down" and "Sliding tiles" on a German sheet."""

    def made():
        if kind == "exercise":
            puzzle = made_sheets.tiles()[0]
            params = catalog.solver_params("sliding", "breadth-first", {})
            return exercise_of(Recipe(puzzle, "breadth-first", params, 1), 5, "")
        return dataclasses.replace(sheet_of(*getattr(made_sheets, kind)()), words=())

    def words():
        shown = " ".join(texts(pages_of([made(), with_long_solution(made())])))
        return set(re.findall(r"[^\W\d_]{2,}", shown.lower()))

    english, own = words(), {"two", "words", "and", "more", "pets"}  # of the titles of the lists
    language.use(key)
    try:
        assert english & words() <= SHARED | own
    finally:
        language.use(language.ENGLISH)


def test_accents_do_not_move_a_word_behind_the_alphabet():
    """Noticed: Étoile after x in the list of a sheet."""
    strings = "x", "étoile", "galaxy", "äther", "comet", "etoile"
    sheet = Sheet("", "boggle", 1, ("A",), words=tuple(SheetWord(s, s, ()) for s in strings))
    ordered = [word.string for word in sheet.sort_words(WordOrder.ALPHABETICAL)]
    assert ordered == ["äther", "comet", "etoile", "étoile", "galaxy", "x"]
    by_length = [word.string for word in sheet.sort_words(WordOrder.LENGTH)]
    assert by_length == ["x", "äther", "comet", "etoile", "étoile", "galaxy"]


def test_a_puzzle_too_long_for_half_a_page_has_a_whole_one():
    long, short = made_sheets.many_words(120), sheet_of(*made_sheets.letters())
    pages = pages_of([long, short], two_on_page=True, solution=False)
    whole = pages_of([long], solution=False)
    assert [texts([page]) for page in pages[: len(whole)]] == [texts([page]) for page in whole]
    assert {page.sheet for page in pages if page.is_large} == {0}
    assert not any(page.is_large for page in whole)
    after_half = pages_of([short, long], two_on_page=True, solution=False)
    assert [page.sheet for page in after_half] == [0, *[1] * len(whole)]


def test_holes_are_blank_within_the_outline_of_the_shape():
    sheet = sheet_of(*made_sheets.letters())
    (page,) = pages_of([sheet], solution=False, name_line=False)
    assert "#" not in texts([page])
    edges = {
        tuple(sorted(((round(x, 2), round(y, 2)) for x, y in mark.points)))
        for mark in page.marks
        if isinstance(mark, Line) and mark.width > 1
    }
    # A square without a corner: four sides, two of them shorter, and two around the hole.
    assert len(edges) == 6


@pytest.mark.parametrize(
    ("cells", "cols", "text"),
    [
        ((0, 1, 2), 4, "A1 →"),
        ((0, 5, 1, 0), 4, "A1 ↘↑←"),
        ((3, 0), 4, "D1 →"),  # round the edge
        ((27, 27), 27, "A2 •"),
        ((26,), 27, "AA1"),
        ((), 4, ""),
    ],
)
def test_a_path_is_written_with_its_first_cell_and_its_steps(cells, cols, text):
    assert path_text(cells, cols) == text


def test_straight_words_are_ringed_and_winding_ones_drawn_from_a_ringed_letter():
    straight = SheetWord("cat", "cat", (0, 1, 2))
    sheet = Sheet("One", "boggle", 3, tuple("CATANDRAT"), words=(straight,))
    (ring,) = rings(pages_of([sheet])[-1])
    assert ring.begin != ring.end
    winding = dataclasses.replace(sheet, words=(SheetWord("can", "can", (0, 1, 4)),))
    solution = pages_of([winding])[-1]
    (ring,) = rings(solution)
    assert ring.begin == ring.end
    assert [mark.points[0] for mark in strokes(solution)] == [ring.begin]


def test_winding_words_that_share_a_cell_are_on_boards_of_their_own():
    """Noticed: a tangle of lines over one board, in which no word can be followed."""
    words = tuple(SheetWord(text, text, cells) for text, cells in (
        ("can", (0, 1, 4)), ("nat", (4, 3, 2)), ("rat", (6, 7, 8)), ("tan", (8, 7, 4)),
    ))  # fmt: skip
    sheet = Sheet("One", "boggle", 3, tuple("CATANDRAT"), words=words)
    solution = pages_of([sheet])[-1]
    boards = [{"can", "rat"}, {"nat"}, {"tan"}]
    assert [{word.string for word in group} for group in apart(words)] == boards
    assert len(rings(solution)) == len(strokes(solution)) == 4
    shown = texts([solution])
    assert all(shown.count(word.string) == 2 for word in words)  # in the list and at its board
    assert shown.count("C") == 1 + len(boards) + 1  # also the name of a column


def test_a_solution_gives_its_last_small_boards_room_on_its_page():
    """Noticed: a page for one small board, below which it was empty."""
    bent = ((12, 7, 6), (12, 13, 8), (12, 17, 18), (12, 11, 16), (12, 11, 6), (12, 7, 8))
    words = tuple(SheetWord(f"word {number}", "abc", cells) for number, cells in enumerate(bent))
    sheet = Sheet("One", "boggle", 5, tuple("ABCDEFGHIJKLMNOPQRSTUVWXY"), words=words)
    assert len(apart(words)) == len(words)
    puzzle, solution = pages_of([sheet])
    assert len(strokes(solution)) == len(words)
    assert_inside([puzzle, solution])


def rings(page):
    return [mark for mark in page.marks if isinstance(mark, Capsule)]


def strokes(page):
    """The lines of words: neither black, as those of the board, nor the dots of names."""
    lines = [mark for mark in page.marks if isinstance(mark, Line) and len(mark.points) > 1]
    return [mark for mark in lines if mark.colour not in (INK, FAINT)]
