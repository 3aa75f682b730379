"""Where the pages of the manual stand, and which one speaks of what.

They are Markdown files in ``docs/``, installed as ``tilelab/docs``. A page is named by its path
there without the ending; a place in it, by an anchor behind ``#``: that of a heading as forges make
it, or the flag of a parameter in a table, such as ``solvers/genetic#--mutation``.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

FAMILIES = {
    "genetic": ("genetic",),
    "annealing": ("annealing",),
    "tabu": ("tabu",),
    "hill-climbing": ("hill-climbing", "random-walk"),
    "exact": ("exact",),
    "best-first": ("a-star", "weighted-a-star", "greedy", "uniform-cost", "breadth-first"),
    "ida-star": ("ida-star", "iterative-deepening", "depth-first"),
    "hybrid-a-star": ("bidirectional-a-star", "unidirectional-a-star"),
    "beam": ("beam",),
    "anytime": ("anytime",),
    "bees": ("bees",),
}
"""The page of a family in ``docs/solvers`` -> the keys of its solvers."""
PUZZLES = {"boggle": "letter-grids", "sliding": "sliding-tiles", "wordtiles": "word-tiles"}
"""The key of a puzzle -> its page."""


def folder() -> Traversable:
    """Return where the pages stand: inside the package, or beside it in a checkout."""
    installed = files("tilelab").joinpath("docs")
    return installed if installed.is_dir() else Path(__file__).parents[2] / "docs"


def page_of(puzzle: str, solver: str = "") -> str:
    """Return the page of a puzzle, or of one of its solvers; a plug-in's has the index."""
    if not solver:
        return PUZZLES.get(puzzle, "index")
    for page, solvers in FAMILIES.items():
        if solver in solvers:
            return f"solvers/{page}"
    return "solvers/index"


def parameter_place(puzzle: str, solver: str, name: str) -> str:
    """Return where a parameter is explained: of a solver, or of the puzzle for ``solver=""``."""
    return f"{page_of(puzzle, solver)}#--{name.replace('_', '-')}"
