"""The picture of the house is that of the imports; only its own folders know a puzzle."""

import ast
import importlib
import importlib.util
import re
from pathlib import Path

from tilelab.core.registry import puzzle_folders

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / "docs" / "scripts" / "house.py"
NAMING = {
    "gui/shell/secondary_windows.py": "the first steps are own words and the fifteen puzzle",
    "gui/sheet/dialog.py": "only cells of letter grids are filled",
    "manual/places.py": "each puzzle has a page",
    "sheets/command.py": "its flags are those of letter grids",
    "sheets/puzzle_sheets.py": "each puzzle is printed in a way of its own",
    "sheets/sheet_files.py": "each puzzle's files are read",
    "testing/heuristics.py": "heuristics are of sliding tiles",
}
"""Files below tilelab/ that name a puzzle which they are not of, and why they may."""


def test_the_picture_shows_the_imports_of_today():
    spec = importlib.util.spec_from_file_location("house", PROGRAM)
    house = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(house)
    drawn = house.PICTURE.read_text(encoding="utf-8")
    assert drawn == house.picture(), "run python docs/scripts/house.py"


def words_of(source):
    """The modules that a file imports from, and its texts without docstrings."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    silent = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Constant) and id(node) not in silent:
            yield str(node.value)


def is_named(puzzle, source):
    return puzzle in source and any(
        word == puzzle or f"{word}.".startswith(own)
        for word in words_of(source)
        for own in (f"tilelab.puzzles.{puzzle}.", f"tilelab.gui.puzzles.{puzzle}.")
    )


def test_an_import_a_key_and_the_name_of_a_module_name_a_puzzle_and_a_docstring_does_not():
    for source in (
        "from tilelab.puzzles.boggle.puzzle import BogglePuzzle",
        "def later():\n    from tilelab.gui.puzzles import boggle",
        "import tilelab.puzzles.boggle.rules as rules",
        'is_grid = puzzle.spec.key == "boggle"',
        'importlib.import_module("tilelab.puzzles.boggle.maker")',
    ):
        assert is_named("boggle", source), source
    assert not is_named(
        "boggle", '"""boggle"""\nfrom tilelab.puzzles.boggles import a\nb = "a boggle"'
    )


def test_no_file_outside_a_puzzles_folders_names_it():
    tree = ROOT / "tilelab"
    sources = {
        file.relative_to(tree).as_posix(): file.read_text("utf-8") for file in tree.rglob("*.py")
    }
    puzzles = puzzle_folders()
    assert len(puzzles) == 3
    naming = {
        name
        for name, source in sources.items()
        for puzzle in puzzles
        if not name.startswith((f"puzzles/{puzzle}/", f"gui/puzzles/{puzzle}/"))
        and is_named(puzzle, source)
    }
    assert naming == NAMING.keys()


PLACE = re.compile(r"(tilelab[\w.]*):(\w+)")


def lazy_names(tree):
    """The modules and names that a file names as one text, for what is imported later."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and (place := PLACE.fullmatch(str(node.value))):
            yield place.groups()


def test_what_is_lazy_is_there_and_type_checked_as_what_it_is():
    for file in (ROOT / "tilelab").rglob("*.py"):
        text = file.read_text("utf-8")
        if not PLACE.search(text):
            continue
        tree = ast.parse(text)
        for module, name in lazy_names(tree):
            assert hasattr(importlib.import_module(module), name), (file, module, name)
        for node in tree.body:
            if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
                continue
            seen = {
                (alias.name, f"{one.module}:{alias.name}")
                for one in node.body
                if isinstance(one, ast.ImportFrom)
                for alias in one.names
            }
            made = {
                (ast.unparse(one.targets[0]), one.value.args[0].value)
                for one in node.orelse
                if isinstance(one, ast.Assign)
            }
            assert made <= seen, file
