"""The rows: work that every release can do, named by the words of its command line.

A row counts what its commands print as JSON. Its figure is that count in a CPU second, so two
releases are compared even where one of them does another number of steps.
"""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks import plain

LEXICON = "english-medium"
"""A lexicon of 64,000 words, for rows where the trie does not fit into the processor's cache."""


@dataclass(frozen=True)
class Row:
    """A piece of work that is measured."""

    words: str
    """Words of the command line; ``{folder}`` is an empty folder, ``{plan}`` a sweep's plan."""
    counted: str = ""
    """The counted name in the printed JSON; "" for a row that is done once."""
    title: str = ""
    """Title of the count in the tables."""
    is_fresh: bool = False
    """Whether each measurement has a process of its own, whose start counts."""
    is_cold: bool = False
    """Whether each measurement has an empty kernel cache."""
    is_pinned: bool = True
    """Whether it is measured on one core; not where several threads work at once."""
    plain: Callable[[float], float] | None = None
    """A function that measures the rate of plain Python on the same work in about some seconds."""
    floor: float = 0.0
    """Required multiple of the rate of plain Python."""


def _run(kind, solver, words, counted="units", title="", **options):
    """Return a row for a run of a solver that leaves nothing behind."""
    words = f"run {kind} --solver {solver} --seed 1 {words} --json --no-history --autosave 0"
    return Row(words, counted, title or counted, **options)


def _slides(solver, words, counted="generated", **options):
    """Return a row for a search on one of Korf's hundred boards."""
    words = f"--instances korf100 {words}"
    return _run("sliding", solver, words, counted, f"boards {counted}", **options)


def _window(figure):
    return Row(f"window {figure}", "", "times", is_fresh=True, is_pinned=False)


SWEEP = """
repeats = 20
puzzle = {kind = "boggle", lexicon = "us-states", rows = 4, cols = 4}
solvers = [{solver = "annealing"}]
limits = {units = 2}
"""

ROWS = {
    # Sliding tiles
    "a-star": _slides(
        "a-star", "--number 79 --memory 256", "expanded", plain=plain.a_star, floor=8
    ),
    "weighted-a-star": _slides("weighted-a-star", "--number 60 --memory 1024 --limit 800"),
    "uniform-cost": _slides("uniform-cost", "--number 1 --memory 1024 --limit 800"),
    "breadth-first": _slides("breadth-first", "--number 1 --memory 1024 --limit 800"),
    "bidirectional-a-star": _slides(
        "bidirectional-a-star", "--number 1 --heuristic manhattan --memory 1024"
    ),
    "unidirectional-a-star": _slides(
        "unidirectional-a-star", "--number 1 --heuristic manhattan --memory 1024 --limit 600"
    ),
    "bae-star": _slides("bae-star", "--number 2 --memory 1024"),
    "rectangle": _slides("rectangle", "--number 5 --memory 1024 --limit 800"),
    "ida-star": _slides(
        "ida-star",
        "--number 1 --heuristic manhattan --detour 2 --limit 400",
        plain=plain.ida_star,
        floor=8,
    ),
    "ida-star-conflicts": _slides("ida-star", "--number 1 --heuristic linear-conflict --detour 2"),
    "ida-star-tables": _slides("ida-star", "--number 88 --tables 5-5-5"),
    "iterative-deepening": _slides("iterative-deepening", "--number 1 --limit 100"),
    "depth-first": _slides("depth-first", "--number 1 --limit 100"),
    "beam": _slides("beam", "--number 1 --width 20000"),
    "anytime": _slides("anytime", "--number 1 --limit 1500"),
    # Letter grids
    "genetic": _run(
        "boggle",
        "genetic",
        "--lexicon us-states --limit 2000",
        title="generations",
        plain=plain.generations,
        floor=50,
    ),
    "genetic-large": _run(
        "boggle", "genetic", f"--lexicon {LEXICON} --limit 30", title="generations"
    ),
    "genetic-once": _run(
        "boggle",
        "genetic",
        f"--lexicon {LEXICON} --rows 4 --cols 4 --reuse once --limit 30",
        title="generations",
    ),
    "annealing": _run("boggle", "annealing", "--lexicon us-states --limit 150", title="blocks"),
    "annealing-large": _run(
        "boggle", "annealing", f"--lexicon {LEXICON} --limit 50", title="blocks"
    ),
    "hill-climbing": _run(
        "boggle", "hill-climbing", "--lexicon us-states --limit 400", title="blocks"
    ),
    "tabu": _run("boggle", "tabu", "--lexicon us-states --limit 400", title="blocks"),
    "exact": _run(
        "boggle",
        "exact",
        "--lexicon us-states --rows 3 --cols 3 --limit 1000",
        title="updates",
    ),
    "prove": Row(
        "prove --lexicon enable --rows 2 --cols 3 --fitness points --reuse once --qu-tile"
        " --at-least 80 --log {folder}/proof.jsonl --json",
        title="proofs",
    ),
    # Word tiles
    "bees": _run(
        "wordtiles",
        "bees",
        "--lexicon english-small --iterations 1000",
        title="iterations",
        plain=plain.bee_trips,
        floor=15,
    ),
    "bees-large": _run(
        "wordtiles",
        "bees",
        "--lexicon english-small --rows 10 --cols 10 --iterations 500",
        title="iterations",
    ),
    "word-annealing": _run(
        "wordtiles", "annealing", "--lexicon english-small --limit 400", title="blocks"
    ),
    "word-beam": _run(
        "wordtiles", "beam", "--lexicon english-small --width 1000 --limit 60", title="layers"
    ),
    "word-tabu": _run("wordtiles", "tabu", "--lexicon english-small --limit 400", title="blocks"),
    # Runs: files, history, sweeps, starts
    "saving": Row(
        "run sliding --instances korf100 --number 97 --memory 1024 --solver a-star --seed 1"
        " --json --no-history --save-run {folder}/run.tilelab",
        "expanded",
        "boards expanded, and saved",
    ),
    "recording": Row(
        "run sliding --instances hasan28 --solver greedy --seed 1 --json",
        "runs",
        "runs, kept in the history",
    ),
    "sweep": Row(
        "sweep {plan} --out {folder}/results --workers 2 --json",
        "",
        "sweeps of 20 runs",
        is_fresh=True,
        is_pinned=False,
    ),
    "start": Row("--version", "", "starts", is_fresh=True),
    "first-run": Row(
        "run boggle --seed 1 --limit 1 --json --no-history",
        "",
        "starts with a run",
        is_fresh=True,
    ),
    "compile": Row(
        "run boggle --seed 1 --limit 1 --json --no-history",
        "",
        "starts with an empty kernel cache",
        is_fresh=True,
        is_cold=True,
    ),
    # The window
    "first-paint": _window("first-paint"),
    "frame": _window("frame"),
    "frame-view": _window("view"),
    "gap": _window("gap"),
}

TITLES = {
    "first-paint": "starts of the window until its first paint",
    "frame": "the window's share of a core while a run is going",
    "frame-view": "the window's share of a core while a run is going, with a view open",
    "gap": "99 % of gaps of the event loop, by the clock",
}
