"""``tilelab sheet``: sheets of saved and plain grids, and of what another program has made."""

import contextlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import made_sheets
from tilelab.cli.command import main
from tilelab.core.errors import TileLabError
from tilelab.core.solver import Best
from tilelab.core.text import language
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.runs.files.carried import read_carried
from tilelab.runs.result import grid_text
from tilelab.sheets.puzzle_sheets import sheet_of
from tilelab.sheets.sheet import SheetOptions, SheetTargets, WordOrder
from tilelab.sheets.sheet_files import read_sheet, source_of_file, with_titles

GENERATED = {
    "puzzle": [["", "C", "X"], ["T", "A", "R"], ["O", "T", "#"]],
    "words": ["CAT", "RAT", "TO"],
    "key": {
        "CAT": {"start_row": 0, "start_col": 1, "direction": "S", "secret": False},
        # As in a cropped grid: the key counts from a corner that is not there any more.
        "RAT": {"start_row": 7, "start_col": 9, "direction": "W", "secret": False},
        "TO": {"start_row": 1, "start_col": 0, "direction": "S", "secret": True},
    },
}
WORDS = "Cat\nTan\nÉtude\n"


@pytest.fixture
def run(capsys):
    """Run the command with a program that notes what it is asked to draw."""
    drawn = []

    def draw(sheets, options, targets):
        drawn.append((sheets, options, targets))
        return tuple(filter(None, (targets.pdf, targets.png, targets.svg)))

    def call(*arguments):
        status = main(["sheet", *map(str, arguments)], None, draw)
        captured = capsys.readouterr()
        return status, captured.out, captured.err, drawn

    return call


@pytest.fixture
def grid(tmp_path):
    (tmp_path / "words.txt").write_text(WORDS, encoding="utf-8")
    file = tmp_path / "grid.txt"
    file.write_text("C A T\n# N Q\n", encoding="utf-8")
    return file


def test_a_plain_grid_with_its_words(run, grid):
    lexicon = grid.with_name("words.txt")
    status, out, _, _ = run(grid, "--lexicon", lexicon, "--title", "Pets", "--json")
    assert status == 0
    (sheet,) = json.loads(out)["sheets"]
    assert sheet["title"] == "Pets"
    assert sheet["grid"] == [["C", "A", "T"], ["", "N", "Q"]]
    assert sheet["holes"] == [[1, 0]]
    assert {word["spelling"] for word in sheet["words"]} == {"Cat", "Tan"}
    tan = next(word for word in sheet["words"] if word["word"] == "tan")
    assert tan["path"] == [[0, 2], [0, 1], [1, 1]]


def test_what_is_asked_for_is_drawn(run, grid, tmp_path):
    lexicon = grid.with_name("words.txt")
    pdf = tmp_path / "puzzle.pdf"
    status, out, _, drawn = run(
        *(grid, grid, "--lexicon", lexicon, "--pdf", pdf, "--title", "Pets", "--words", "hidden"),
        *("--paper", "Letter", "--large", "--no-solution"),
    )
    assert status == 0
    assert out.strip() == str(pdf)
    ((sheets, options, targets),) = drawn
    assert [sheet.title for sheet in sheets] == ["Pets 1", "Pets 2"]
    assert options.words is WordOrder.HIDDEN
    assert options.large
    assert not options.solution
    assert options.name_line
    assert targets == SheetTargets("Pets", pdf, carried=targets.carried)
    assert len(targets.carried) == 2


def test_next_to_files_the_output_is_json_alone(run, grid, tmp_path):
    lexicon, pdf = grid.with_name("words.txt"), tmp_path / "puzzle.pdf"
    _, out, err, _ = run(grid, "--lexicon", lexicon, "--pdf", pdf, "--json")
    assert len(json.loads(out)["sheets"]) == 1
    assert err == f"{pdf}\n"


@pytest.mark.parametrize(
    "make", [made_sheets.tiles, made_sheets.large_tiles, made_sheets.word_tiles]
)
def test_a_saved_board_keeps_its_slides(make, tmp_path):
    puzzle, best = make()
    file = tmp_path / "best.txt"
    file.write_text(grid_text(puzzle, best, "step", 3), encoding="utf-8")
    lexicon = tmp_path / "words.txt"
    lexicon.write_text("cat\nden\n", encoding="utf-8")
    sheet = read_sheet(file, {"lexicon": str(lexicon), "accents": "keep"})
    assert len(sheet.slides) == len(best.moves)
    assert sheet.signs.index("") == int((puzzle.start == 0).argmax())


@pytest.fixture(params=["en", "de"])
def code(request):
    language.use(request.param)
    yield request.param
    language.use("en")


@pytest.mark.parametrize("optimal", [True, False])
def test_only_a_path_that_its_file_calls_the_shortest_is_printed_as_that(code, optimal, tmp_path):
    """Noticed: one of which nothing is said is proven, or one that is not proven in German."""
    puzzle, best = made_sheets.tiles()
    best = replace(best, optimal=optimal)
    text = grid_text(puzzle, best, "step", 3)
    file = tmp_path / "best.txt"
    file.write_text(text, encoding="utf-8")
    assert read_sheet(file, {}).proof == sheet_of(puzzle, best).proof
    silent = [line for line in text.splitlines() if not line.startswith("# length:")]
    assert len(silent) == len(text.splitlines()) - 1
    file.write_text("\n".join(silent), encoding="utf-8")
    assert read_sheet(file, {}).proof == sheet_of(puzzle, replace(best, optimal=False)).proof


def test_another_programs_word_search(tmp_path):
    file = tmp_path / "puzzle.json"
    file.write_text(json.dumps(GENERATED), encoding="utf-8")
    sheet = read_sheet(file, {})
    assert [(word.spelling, word.cells) for word in sheet.words] == [
        ("Cat", (1, 4, 7)),
        ("Rat", (5, 4, 3)),
    ]
    assert sheet.holes == (0, 8)
    assert sheet.signs == ("", "C", "X", "T", "A", "R", "O", "T", "")


@pytest.mark.parametrize(
    ("row", "col", "direction", "cells"),
    [
        (0, 0, "E", (0, 1, 2)),
        (2, 0, "E", (6, 7, 8)),
        (2, 2, "W", (8, 7, 6)),
        (0, 2, "W", (2, 1, 0)),
    ],
)
def test_a_word_that_stands_twice_is_marked_where_its_key_says(
    row, col, direction, cells, tmp_path
):
    key = {"start_row": row, "start_col": col, "direction": direction, "secret": False}
    file = tmp_path / "twice.json"
    given = {"puzzle": [["A", "H", "A"], ["X"] * 3, ["A", "H", "A"]], "words": ["AHA"]}
    file.write_text(json.dumps({**given, "key": {"AHA": key}}), encoding="utf-8")
    (word,) = read_sheet(file, {}).words
    assert word.cells == cells


def test_the_mask_of_another_program_is_holes():
    """The file is what word-search-generator 5.0.0 (MIT) wrote of a puzzle with an elliptic mask.

    It is cropped to the mask, while its key counts from the corner of the whole grid.
    """
    sheet = read_sheet(Path(__file__).parents[1] / "data" / "word-search-mask.json", {})
    assert (sheet.cols, sheet.n_rows) == (7, 9)
    assert sheet.holes == (0, 1, 5, 6, 7, 13, 49, 55, 56, 57, 61, 62)
    assert all((sign == "") == (cell in sheet.holes) for cell, sign in enumerate(sheet.signs))
    assert [word.spelling for word in sheet.words] == ["Cat", "Rat", "Owl", "Otter"]
    for word in sheet.words:
        assert "".join(sheet.signs[cell] for cell in word.cells) == word.string.upper()


MADE = {
    "letters": lambda: made_sheets.letters(("CAT#", "DNAE", "RTRA", "TAND"), qu_tile=True),
    "tiles": made_sheets.large_tiles,
    "words": made_sheets.word_tiles,
}


@pytest.mark.parametrize("name", MADE)
def test_a_sheet_carries_the_board_as_a_run_that_has_ended_at_once(name, tmp_path, run):
    puzzle, best = MADE[name]()
    file, words = tmp_path / "best.txt", tmp_path / "words.txt"
    file.write_text(grid_text(puzzle, best, "step", 3), encoding="utf-8")
    lexicon = made_sheets.LEXICON if name == "letters" else "cat\nden\n"
    words.write_text(lexicon, encoding="utf-8")
    flags = ("--qu-tile",) if name == "letters" else ()
    svg = tmp_path / "sheet.svg"
    status, _, err, drawn = run(file, "--lexicon", words, "--svg", svg, *flags)
    assert status == 0, err
    ((_, _, targets),) = drawn
    svg.write_text(f"<svg><metadata>{targets.carried[0]}</metadata></svg>", encoding="utf-8")
    opened = read_carried(svg)
    assert opened.recipe.puzzle.params == puzzle.params
    assert opened.best.cells.tolist() == best.cells.tolist()
    assert (opened.best.value, opened.best.moves) == (best.value, best.moves)
    assert (opened.recipe.seed, opened.units) == (0, 0)
    start = best.cells if name == "letters" else puzzle.start
    assert opened.recipe.puzzle.start.tolist() == start.tolist()
    if name != "tiles":
        assert opened.recipe.puzzle.lexicon.strings == puzzle.lexicon.strings


def test_what_is_no_one_board_carries_nothing(tmp_path, run, grid):
    lexicon = grid.with_name("words.txt")
    generated = tmp_path / "puzzle.json"
    generated.write_text(json.dumps(GENERATED), encoding="utf-8")
    foreign = tmp_path / "foreign.txt"
    foreign.write_text("C A T\n# N Z\n", encoding="utf-8")
    for files in ((foreign,), (generated,)):
        _, _, _, drawn = run(*files, "--lexicon", lexicon, "--pdf", tmp_path / "puzzle.pdf")
        assert drawn[-1][2].carried == ("",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("{}", "not a puzzle of word-search-generator"),
        ('{"puzzle": [["AB"]], "words": [], "key": {}}', "row 1 of its puzzle"),
        ('{"puzzle": [["A"], []], "words": [], "key": {}}', "must have 1..100 rows"),
        ('{"puzzle": [["A"]], "words": ["CAT"], "key": {}}', "'CAT' is not where"),
        ('{"puzzle": [["A"]], "words": [7], "key": {}}', "7 is not a word"),
        ('{"puzzle": [["A"]], "words": [], "key": {}, "level": 1}', "bad.txt: 'level' is not a"),
        ("CAT\nD\n", "row 2 has 1 letters"),
        ("1 2 3\n4 5 6\n8 7 .\n", "cannot reach its goal"),
        ("CAT\nDOG\n", "not known; name them with --lexicon"),
    ],
)
def test_a_file_that_is_none_costs_a_sentence(text, said, tmp_path, run):
    file = tmp_path / "bad.txt"
    file.write_text(text, encoding="utf-8")
    status, out, err, drawn = run(file, "--pdf", tmp_path / "puzzle.pdf")
    assert status in (1, 2)
    assert said in err
    assert len(err.splitlines()) == 1
    assert not drawn
    assert not out


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["puzzle", "words", "key", "start_row", "CAT"]), inner),
    max_leaves=12,
))  # fmt: skip
def test_any_json_is_a_sheet_or_a_sentence(tmp_path_factory, given_json):
    file = tmp_path_factory.mktemp("json") / "any.json"
    file.write_text(
        json.dumps({"puzzle": [["A"]], "words": given_json, "key": {"CAT": given_json}})
    )
    with contextlib.suppress(TileLabError):
        read_sheet(file, {})


def test_nothing_to_write_is_an_error(run, grid):
    status, _, err, _ = run(grid)
    assert status == 2
    assert "--pdf" in err


def test_the_defaults_are_a_sheets_own(run, grid, tmp_path):
    lexicon = grid.with_name("words.txt")
    _, _, _, drawn = run(grid, "--lexicon", lexicon, "--png", tmp_path / "p.png")
    ((_, options, _),) = drawn
    assert options == SheetOptions()


def test_unused_cells_are_filled(run, tmp_path):
    (tmp_path / "words.txt").write_text("cat\n", encoding="utf-8")
    grid = tmp_path / "grid.txt"
    grid.write_text("C A T\n# X X\n", encoding="utf-8")
    arguments = (grid, "--lexicon", tmp_path / "words.txt", "--json", "--fill")
    status, out, err, _ = run(*arguments, "message", "--message", "Hi")
    assert status == 0
    assert json.loads(out)["sheets"][0]["grid"] == [["C", "A", "T"], ["", "H", "I"]]
    assert err.startswith("grid.txt: 2 unused cells filled; there are no other words.")
    for how in ("random", "no-words"):
        status, out, _, _ = run(*arguments, how, "--fill-seed", 5)
        assert status == 0
        assert "X" not in json.dumps(json.loads(out)["sheets"][0]["grid"])


def test_a_filling_that_changes_no_cell_is_not_carried(run, tmp_path):
    """Noticed: the opened sheet is said to differ from its paper, on which nothing was filled."""
    grid = tmp_path / "grid.txt"
    grid.write_text("# words: cat, bat, cab\nc a\nb t\n", encoding="utf-8")
    status, _, err, (((sheet,), _, _),) = run(grid, "--fill", "random", "--pdf", "a.pdf")
    assert status == 0
    assert "0 unused cells filled" in err
    assert sheet.carried.filling is None


def test_locked_cells_of_a_saved_board_are_kept_and_carried(run, tmp_path):
    """Noticed: a booklet of saved boards fills their locked cells, and opens without the locks."""
    (tmp_path / "words.txt").write_text("cat\ntan\n", encoding="utf-8")
    file = tmp_path / "grid.txt"
    file.write_text("# locked: 0,1 1,1\nC A T\n# C X\n", encoding="utf-8")
    lexicon, svg = ("--lexicon", tmp_path / "words.txt"), tmp_path / "sheet.svg"
    status, _, err, drawn = run(file, *lexicon, "--fill", "random", "--svg", svg)
    assert status == 0, err
    assert "1 unused cell filled" in err
    ((made, _, _),) = drawn
    assert made[0].signs[4] == "C"
    file.write_text("# locked: 0,1 1,1\nC A T\n# C N\n", encoding="utf-8")
    run(file, *lexicon, "--svg", svg)
    (carried,) = drawn[1][2].carried
    svg.write_text(f"<svg><metadata>{carried}</metadata></svg>", encoding="utf-8")
    assert read_carried(svg).recipe.puzzle.constraints.locked == (1, 4)


@pytest.mark.parametrize(
    ("accents", "said"), [("fold", "1 other word can be found: pre."), ("keep", "no other words.")]
)
def test_other_words_are_read_with_the_same_accents(accents, said, run, tmp_path):
    (tmp_path / "words.txt").write_text("cat\n", encoding="utf-8")
    (tmp_path / "others.txt").write_text("Pré\n", encoding="utf-8")
    grid = tmp_path / "grid.txt"
    grid.write_text("C A T\nX X X\n", encoding="utf-8")
    _, _, err, _ = run(
        *(grid, "--lexicon", tmp_path / "words.txt", "--json", "--accents", accents),
        *("--fill", "message", "--message", "pre", "--fill-without", tmp_path / "others.txt"),
    )
    assert said in err


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--fill", "message", "--message", "Hello"], "5 letters; 1 cell can be filled"),
        (["--fill", "message"], "name the message with --message"),
        (["--message", "Hello"], "--message needs --fill message"),
        (["--fill", "stars"], "'stars'"),
        (["--fill", "random", "--fill-seed", "x"], "--fill-seed"),
    ],
)
def test_a_filling_that_cannot_be_costs_a_sentence(run, grid, asked, said):
    status, _, err, _ = run(grid, "--lexicon", grid.with_name("words.txt"), "--json", *asked)
    assert status in (1, 2)
    assert said in err
    assert len(err.splitlines()) == 1


def test_only_letter_grids_are_filled(run, tmp_path):
    file = tmp_path / "tiles.txt"
    file.write_text("1 2 3\n4 5 6\n7 . 8\n", encoding="utf-8")
    status, _, err, _ = run(file, "--json", "--fill", "random")
    assert status == 2
    assert "tiles.txt is not a board of letters" in err


def test_a_saved_board_of_own_words_is_printed_with_them_and_with_its_rules(tmp_path):
    words = tmp_path / "Pets.txt"
    words.write_text("# title: Pets\nCat and Rat\nTan\n", encoding="utf-8")
    puzzle = BogglePuzzle.from_values(
        open_lexicon(words), {"rows": 2, "cols": 5, "reuse": "once"}, ("catan", "rtadn")
    )
    assert puzzle.start is not None
    best = Best(puzzle.start, puzzle.score(puzzle.start), 0)
    file = tmp_path / "best.txt"
    file.write_text(grid_text(puzzle, best, "step", 3), encoding="utf-8")
    words.unlink()
    sheet = source_of_file(file).make(None)
    assert sheet.title == "Pets"
    assert sheet.instruction == sheet_of(puzzle, best).instruction
    assert {word.spelling for word in sheet.words} == {"Tan"}
    assert [each.title for each in with_titles([sheet, sheet], "")] == ["Pets 1", "Pets 2"]
