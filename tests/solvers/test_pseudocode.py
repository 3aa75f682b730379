"""The pseudocode of every solver: the lines that each step ran, next to plain Python."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest

from tests import naive_searches
from tests.naive_searches import ORDER, slid
from tests.naive_trees import Deepening, WatchedSide
from tests.runs.test_replay import past
from tests.solver_lines import GRID, RUNS, WORDS, shown_lines
from tests.solver_views import made_puzzle, plain
from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.parameters import validate
from tilelab.core.pseudocode import MAX_LINES, Pseudocode
from tilelab.core.registry import HEURISTICS
from tilelab.core.solver import Status
from tilelab.core.text.wording import number
from tilelab.puzzles.boggle.solvers import local_searches as grids
from tilelab.puzzles.wordtiles.solvers.local_searches import WordTileNeighbourhood
from tilelab.runs.actions import State
from tilelab.runs.recipe import Recipe
from tilelab.runs.replay import WATCHED_UNITS, MomentRequest, moment_at
from tilelab.runs.session import Session

MANHATTAN = {"heuristic": "manhattan"}
LONG_RUNS = {
    ("boggle", "genetic"): (GRID, {"parents": 5, "mutation": 9}),
    ("wordtiles", "breadth-first"): (WORDS, {}),
    ("sliding", "depth-first"): (made_puzzle(3, 3, 6, 30), {"depth_limit": 16}),
}
ONE_OF_A_FAMILY = {
    ("sliding", "a-star"),
    ("sliding", "bidirectional-a-star"),
    ("sliding", "ida-star"),
    ("sliding", "anytime"),
    ("wordtiles", "beam"),
    ("wordtiles", "bees"),
    ("wordtiles", "annealing"),
    ("boggle", "genetic"),
}
ENDING = [
    *(("sliding", key) for key in ("greedy", "beam", "anytime")),
    ("wordtiles", "beam"),
    ("wordtiles", "bees"),
    ("boggle", "genetic"),
]
RULES = {
    "a-star": ((1, 1), True, "f = {g} + {h} = {f}"),
    "greedy": ((0, 1), False, "f = {f}"),
    "uniform-cost": ((1, 0), True, "f = {f}"),
    "breadth-first": ((1, 0), False, "f = {f}"),
    "weighted-a-star": ((10, 25), True, "f = {g} + 2.50 · {h} = {f}"),
    "unidirectional-a-star": ((1, 1), False, "f = {g} + {h} = {f}"),
}


def test_every_solver_has_a_pseudocode():
    """Noticed: a solver without one, or without a run below."""
    known = {(puzzle, key) for puzzle in catalog.puzzles() for key in catalog.solvers(puzzle)}
    own = {
        (puzzle, key)
        for puzzle, key in known
        if catalog.solver(puzzle, key).__module__.startswith("tilelab.")
    }
    assert own == set(RUNS)
    for puzzle, key in own:
        text = catalog.solver(puzzle, key).spec.pseudocode.read()
        assert text.source
        assert 0 < len(text.lines) <= MAX_LINES
        assert not any(mark in line.text for line in text.lines for mark in ("{}", "}}", "{{"))
        # A line is at most one level deeper than the one before.
        assert all(after.level <= line.level + 1 for line, after in pairwise(text.lines))


@pytest.mark.parametrize(("puzzle_key", "key"), RUNS)
def test_every_line_runs_in_some_step_of_a_small_run(puzzle_key, key):
    """Noticed: a line that no step ever lights, or a step that names a line that is not there."""
    lines = catalog.solver(puzzle_key, key).spec.pseudocode.read().lines
    missing = {line.name for line in lines}
    for puzzle, params in RUNS[puzzle_key, key]:
        for _, ran in shown_lines(puzzle, key, params, 3000):
            assert set(ran) <= {line.name for line in lines}
            missing -= set(ran)
            if not missing:
                return
    assert not missing


@pytest.mark.parametrize(
    ("puzzle_key", "key"),
    [
        pytest.param(*case, marks=() if case in ONE_OF_A_FAMILY else pytest.mark.exhaustive)
        for case in RUNS
    ],
)
def test_going_back_lights_the_same_lines(puzzle_key, key, monkeypatch):
    """Noticed: a line that depends on what was shown before, at any of 50 random moments."""
    monkeypatch.setattr(grids, "_BLOCK_MOVES", 40)
    monkeypatch.setattr(WordTileNeighbourhood, "block", 40)
    puzzle, params = LONG_RUNS.get((puzzle_key, key)) or RUNS[puzzle_key, key][0]
    kind, rng = catalog.solver(puzzle_key, key), random.Random(key)
    if "expansions_per_update" in kind.spec.params.model_fields:
        params = {**params, "expansions_per_update": 20}
    run, kinds, kept, shown = Session(), frozenset(kind.spec.views[:1]), [], {}
    run.begin(Recipe(puzzle, key, validate(kind.spec.params, params), 7))
    run.watch(kinds)
    while run.state is State.RUNNING and len(shown) < 250:
        run.run_steps(rng.choice((1, 1, 1, 5)))
        shown[run.units, run.steps_done] = _lines_by_name(run.solver.view(*kinds))
        if run.steps_done == 0 and run.units % 3 == 0:
            kept.append(run.snapshot())
    moments = rng.sample(sorted(shown), min(50, len(shown)))
    for units, steps in moments:
        here = past(run, units - 1) if units else replace(past(run, 0), units=0)
        base = past(run, units - 1 - WATCHED_UNITS, kept) if units > WATCHED_UNITS else None
        *_, moment = moment_at(MomentRequest(here, base, run.journal, steps, kinds))
        assert (moment.units, moment.steps) == (units, steps)
        lines = _lines_by_name(moment.views.get(*kinds))
        assert lines == shown[units, steps], (units, steps)
    assert len(moments) > 10


@pytest.mark.parametrize("n_units", [1, 100])
@pytest.mark.parametrize(
    ("puzzle_key", "key"),
    [
        *(("sliding", key) for key in ("bidirectional-a-star", "bae-star", "rectangle")),
        *(pytest.param(*case, marks=pytest.mark.exhaustive) for case in ENDING),
    ],
)
def test_the_end_at_full_speed_lights_the_lines_of_the_last_step(puzzle_key, key, n_units):
    """Noticed: an end within many steps that are not noted, or lit as one of those before it."""
    puzzle, params = RUNS[puzzle_key, key][0]
    (*_, (stepped, lines)) = shown_lines(puzzle, key, params, 5000, 5000)
    whole, kinds = type(stepped).create(puzzle, stepped.params, 7), stepped.spec.views[:1]
    whole.watch(frozenset(kinds))
    while whole.advance(n_units).status is Status.RUNNING:
        pass
    assert _lines_by_name(whole.view(*kinds)) == lines


def _lines_by_name(view):
    return {} if view is None else dict(view.lines)


@pytest.mark.every(4)
@pytest.mark.parametrize("ties", ["fifo", "lifo", "heap"])
@pytest.mark.parametrize("key", RULES)
def test_the_lines_of_a_search_with_a_queue_are_the_oracles(key, ties):
    puzzle = made_puzzle(3, 3, 6, 16)
    weights, replaces, text = RULES[key]
    goal, params = plain(puzzle.goal), {"ties": ties}
    params |= MANHATTAN if weights[1] else {}
    params |= {"weight": 2.5} if weights == (10, 25) else {}
    estimate = _oracle("manhattan" if weights[1] else "zero")
    side = WatchedSide(
        plain(puzzle.start),
        3,
        lambda board: estimate(board, goal, 3),
        *weights,
        replaces=replaces,
        ties=ties,
    )

    def total(board, g):
        h = side.estimate(board)
        f = (weights[0] * g + weights[1] * h) / (weights[0] or weights[1])
        return text.format(g=g, h=h, f=number(f))

    steps = shown_lines(puzzle, key, params, 200)
    _, ran = next(steps)
    assert ran == {"start": total(plain(puzzle.start), 0)}
    for _, ran in steps:
        lengths = {board: len(path) for board, path in side.paths.items()}
        if side.expand(goal):
            n_moves = len(side.paths[goal])
            assert ran == {"while": "", "select": total(goal, n_moves), "goal": f"{n_moves} moves"}
            return
        g, children = len(side.paths[side.last]), side.children
        new = [total(board, g + 1) for _, board, _ in children if board not in lengths]
        better = [
            total(board, g + 1) for _, board, known in children if not known and board in lengths
        ]
        n_known = sum(known for *_, known in children)
        expected = {
            "while": "",
            "select": total(side.last, g),
            "close": "",
            "each": _boards(len(children)),
            "new": "; ".join(new),
            "better": "; ".join(better),
            "known": _boards(n_known) if n_known else "",
        }
        always = ("while", "close")
        assert ran == {name: value for name, value in expected.items() if value or name in always}


def _oracle(heuristic):
    catalog.solver("sliding", "a-star")  # registers the heuristics, too
    return HEURISTICS[heuristic].oracle


def _boards(count):
    return "1 board" if count == 1 else f"{count} boards"


def _lines_of(fates, g, value, before, after, length):
    """The expected lines of an expansion; value: writes the priority of a child."""
    words = {word: [fate for fate in fates if fate[1] == word] for word in ("prune", "new",
             "better", "known")}  # fmt: skip
    lines = {"close": "", "each": _boards(len(fates))}
    for word in ("new", "better"):
        lines[word] = "; ".join(value(child) for child, *_ in words[word])
    lines["prune"] = "; ".join(
        f"{g + 1} + {length(child)} ≥ {limit}" for child, _, limit in words["prune"]
    )
    lines["known"] = _boards(len(words["known"])) if words["known"] else ""
    lines["path"] = f"U = {after}" if after < before else ""
    return {name: text for name, text in lines.items() if text or name == "close"}


@pytest.mark.every(3)
@pytest.mark.parametrize("shape", [(2, 4, 4, 60), (3, 3, 5, 22), (3, 3, 2, 60)], ids=str)
def test_the_lines_of_bae_star_are_the_oracles(shape):
    puzzle, cols = made_puzzle(*shape), shape[1]
    ends, oracle = (plain(puzzle.start), plain(puzzle.goal)), _oracle("manhattan")
    events = []
    naive_searches.bae_star(
        *ends, cols, lambda board, end: oracle(board, end, cols), lambda *one: events.append(one)
    )
    bound = oracle(*ends, cols)

    def summed(side, board, g):
        h, behind = oracle(board, ends[1 - side], cols), oracle(board, ends[side], cols)
        return f"b = 2 · {g} + {h} − {behind} = {2 * g + h - behind}"

    expected, best = [{"start": summed(0, ends[0], 0)}], 10**9
    for name, *values in events:
        if name == "expand":
            side, bucket, (board, g, fates), now = values
            expected.append(
                {"select": f"from the {('start', 'goal')[side]}: {summed(side, board, g)}"}
            )
            assert expected[-1]["select"].endswith(f" {bucket}")
            expected[-1] |= _lines_of(
                *(fates, g, lambda child, side=side, g=g: summed(side, child, g + 1), best, now),
                lambda child, side=side: oracle(child, ends[1 - side], cols),
            )
            best = now
        elif name == "bound":
            *lowest, bound = values
            expected[-1]["bound"] = f"({lowest[0]} + {lowest[1]}) / 2 → {bound}"
        else:
            expected[-1][name] = (
                "" if name == "last" else f"from the {('start', 'goal')[values[0]]}"
            )
        shown = "∞" if best == 10**9 else best
        expected[-1]["while"] = f"{bound} {'≥' if bound >= best else '<'} {shown}"
    expected[-1]["done"] = f"{best} moves"
    if bound < best:
        expected[-1]["while"] = "OPEN is empty"
    _compare(puzzle, "bae-star", MANHATTAN, expected)


@pytest.mark.every(3)
@pytest.mark.parametrize("aspect", [1, 3])
@pytest.mark.parametrize("shape", [(2, 3, 4, 30), (3, 3, 5, 22), (2, 4, 8, 50)], ids=str)
def test_the_lines_of_rectangle_search_are_the_oracles(shape, aspect):
    puzzle, cols = made_puzzle(*shape), shape[1]
    start, goal, events = plain(puzzle.start), plain(puzzle.goal), []

    def h(board):
        return _oracle("manhattan")(board, goal, cols)

    naive_searches.rectangle(start, goal, cols, h, aspect, note=lambda *one: events.append(one[1:]))
    expected, best, last = [{"start": f"h = {h(start)}"}], 10**9, None
    for iteration, depth, (board, g, fates), now in events:
        n_boards = iteration + 1 if depth >= aspect * iteration else 1
        lines = {"while": "", "depth": f"d = {depth} < {aspect * (iteration + 1)}"}
        lines |= {"count": _boards(n_boards), "select": f"h = {h(board)}"}
        lines |= {"iteration": f"j = {iteration + 1}"} if iteration != last else {}
        lines |= _lines_of(fates, g, lambda child: f"h = {h(child)}", best, now, h)
        expected.append(lines)
        best, last = now, iteration
    expected.append({"while": "OPEN is empty", "done": f"{best} moves"})
    _compare(puzzle, "rectangle", {**MANHATTAN, "aspect": aspect}, expected)


def _compare(puzzle, key, params, expected):
    """Compare each step of a run with the lines expected."""
    kind = catalog.solver("sliding", key)
    solver = kind.create(puzzle, validate(kind.spec.params, params), 7)
    first, *_ = solver.spec.views
    solver.watch(frozenset({first}))
    for n_done, lines in enumerate(expected):
        assert dict(solver.view(first).lines) == lines, n_done
        if lines is not expected[-1]:
            solver.step(1)


@pytest.mark.parametrize(
    ("key", "params", "limit"),
    [
        ("ida-star", {**MANHATTAN, "tables": "none"}, None),
        ("ida-star", {"heuristic": "hybrid-unrounded", "tables": "none"}, None),
        ("iterative-deepening", {}, None),
        ("depth-first", {"depth_limit": 7}, 7),
    ],
)
def test_the_lines_of_a_depth_first_search_are_the_oracles(key, params, limit):
    puzzle = made_puzzle(3, 3, 6, 24)
    goal = plain(puzzle.goal)
    estimate = _oracle(heuristic := params.get("heuristic", "zero"))

    def h_of(board):
        return Fraction(estimate(board, goal, 3), HEURISTICS[heuristic].scale)

    naive = Deepening(plain(puzzle.start), goal, 3, h_of, limit)
    steps = shown_lines(puzzle, key, params, 200)
    next(steps)
    depth, n_iterations = 0, 1
    for (_, ran), _ in islice(zip(steps, naive.run(), strict=False), 190):
        g = naive.rows[-1][3]
        h, f, threshold = map(float, (*naive.rows[-1][4:6], naive.iterations[-1][0]))
        total = f"f = {g} + {number(h)} = {number(f)}"
        expected = {"child": total if key == "ida-star" else f"f = {number(f)}"}
        if len(naive.iterations) > n_iterations:
            expected |= {"raise": number(threshold), "back": ""}
            n_iterations = len(naive.iterations)
        elif n_back := depth - (g - 1):
            expected["back"] = "1 move" if n_back == 1 else f"{n_back} moves"
        if f > threshold:
            expected["cut"] = f"{number(f)} > {number(threshold)}"
        elif naive.is_solved:
            expected["goal"] = f"{g} moves"
        else:
            expected["deeper"] = f"{number(f)} ≤ {number(threshold)}"
        assert ran == expected
        depth = g - (f > threshold)


@pytest.mark.parametrize(
    ("key", "params", "lines"),
    [
        ("breadth-first", {"everything": True}, {"while": "OPEN is empty"}),
        ("depth-first", {"depth_limit": 3}, {"back": "", "fail": ""}),
    ],
)
def test_the_end_without_a_path_is_lit(key, params, lines):
    *_, (_, ran) = shown_lines(made_puzzle(2, 2, 3, 8), key, params, 100)
    assert ran == lines


def test_the_lines_of_breadth_first_on_word_tiles_are_those_of_a_plain_queue():
    shape, start = WORDS.shape, plain(WORDS.start)
    depths, lasts, queue, best = {start: 0}, {start: None}, [start], WORDS.score(WORDS.start)
    steps = shown_lines(WORDS, "breadth-first", {}, 190)
    assert next(steps)[1] == {"start": f"v = {number(best)}"}
    for (_, ran), board in zip(steps, queue, strict=False):
        back = {None: None, "U": "D", "D": "U", "L": "R", "R": "L"}[lasts[board]]
        found = [(letter, slid(board, shape[1], letter)) for letter in ORDER if letter != back]
        children = [(letter, child) for letter, child in found if child is not None]
        new = [(letter, child) for letter, child in children if child not in depths]
        expected = {"while": "", "each": _boards(len(children))}
        expected["select"] = f"{depths[board]} slide{'s' if depths[board] != 1 else ''}"
        for letter, child in sorted(new, key=lambda one: "UDLR".index(one[0])):
            depths[child], lasts[child] = depths[board] + 1, letter
            queue.append(child)
            value = WORDS.score(np.array(child, np.uint8))
            if value > best:
                best = value
                expected["best"] = f"v = {number(best)}"
        if new:
            expected["new"] = _boards(len(new)).replace("board", "new board")
        if len(new) < len(children):
            expected["known"] = _boards(len(children) - len(new))
        assert ran == expected


def test_a_file_that_is_no_pseudocode_is_refused(tmp_path: Path):
    """Noticed: a line without a name, or a name twice, in the file of a plug-in."""
    file = tmp_path / "mine.md"
    for code in ("no name", "one: a\none: b", "", "one: {missing}"):
        file.write_text(f"# Title\n\nSource\n\n{code}\n", "utf-8")
        with pytest.raises(TileLabError, match="mine"):
            Pseudocode(file).read()
    file.write_text("# By {f}\n\nSource\n\none: a {f}\ntwo:   b\n", "utf-8")
    text = Pseudocode(file, {"f": "g"}, ("none",)).read()
    assert (text.title, [tuple(line) for line in text.lines]) == (
        "By g",
        [("one", 0, "a g"), ("two", 1, "b")],
    )
