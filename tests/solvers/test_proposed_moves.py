"""The move that a local search has just proposed, beside plain Python."""

import math
from itertools import pairwise

import numpy as np
import pytest

from tests import naive
from tilelab import catalog
from tilelab.core.solver import Status
from tilelab.core.text.wording import counted, number
from tilelab.core.views import ViewKind
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.boggle.solvers import local_searches as grids
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles.solvers import local_searches as word_boards

GRID = BogglePuzzle.create(
    open_lexicon("planets"), BoggleParams(rows=3, cols=3, fitness="length"), ["MAR", "SUN", "EAR"]
)
BOARD = WordTilesPuzzle.create(
    open_lexicon("english-small"), WordTilesParams(rows=3, cols=4), ("aten", "tase", "e.rs")
)
PUZZLES = {"boggle": GRID, "wordtiles": BOARD}
KEYS = ("annealing", "hill-climbing", "random-walk", "tabu")
VARIANTS = [
    *(("boggle", key, {}) for key in KEYS),
    *(("wordtiles", key, {}) for key in KEYS),
    ("wordtiles", "annealing", {"rearrange": True}),
]
NEAR, LEAST = 0.25, 1e-3
"""What a wrong letter leaves of a string's value, and the value of a string that has none."""


def _watched(puzzle_key, key, puzzle=None, **params):
    cls = catalog.solver(puzzle_key, key)
    solver = cls.create(puzzle or PUZZLES[puzzle_key], cls.spec.params(**params), 7)
    solver.watch(frozenset(cls.spec.views))
    return solver


def _moves(solver, n_moves):
    """The views of so many moves, and the solver's board after each."""
    for _ in range(n_moves):
        solver.step(1)
        yield solver.view(ViewKind.MOVE), _cells(solver)


def _cells(solver):
    return solver._place.cells if hasattr(solver, "_place") else solver._cells


def _letters(puzzle, cells):
    return "".join(puzzle.rows_of(cells))


def _energy(puzzle, cells):
    """The energy of a board from its text alone."""
    text, (rows, cols) = _letters(puzzle, cells), puzzle.shape
    if puzzle.spec.key == "wordtiles":
        lines = [text[begin : begin + cols] for begin in range(0, rows * cols, cols)]
        return naive.word_tile_score(lines, puzzle.values)
    near = naive.neighbours(rows, cols)
    return sum(
        max(value, LEAST) * NEAR**misses
        for string, value in zip(puzzle.lexicon.strings, puzzle.values, strict=True)
        if (misses := naive.least_wrong(text, string, near)) <= 1
    )


def _value(puzzle, cells):
    """The value of a board from its text alone."""
    if puzzle.spec.key == "wordtiles":
        return _energy(puzzle, cells)
    near, strings = naive.neighbours(*puzzle.shape), puzzle.lexicon.strings
    return naive.grid_score(_letters(puzzle, cells), strings, puzzle.values, near)


def _judgement(gain, temperature, odds, *, accepted):
    """The line that accepts or rejects a move, and its value; odds: by which it was judged."""
    assert accepted == (odds == 1.0) or 0 < odds < 1
    if odds == 1.0 or not temperature:
        by_estimate = (
            "by an estimate of Δ" if abs(_odds_of(gain, temperature) - odds) > 1e-9 else ""
        )
        return {"better" if accepted else "reject": by_estimate}
    odds = odds if accepted else 1 - odds
    form = ".2f" if 0.01 <= odds <= 0.99 else ".2g"
    return {"worse" if accepted else "reject": f"probability {odds:{form}}"}


def _odds_of(gain, temperature):
    return 1.0 if gain >= 0 else math.exp(gain / temperature) if temperature else 0.0


def _chance(word):
    """The number in [0, 1) by which a move is judged that is drawn from this random one."""
    return (naive.split_mix(2**64 - 1 - word)[1] >> 11) / 2**53


@pytest.mark.every(4)
@pytest.mark.parametrize(("puzzle_key", "key", "params"), VARIANTS, ids=str)
def test_energies_are_those_of_the_boards_and_one_move_follows_the_other(puzzle_key, key, params):
    puzzle = PUZZLES[puzzle_key]
    views = list(_moves(_watched(puzzle_key, key, **params), 40))
    for view, cells in views:
        assert view.energy_before == pytest.approx(_energy(puzzle, view.before), abs=1e-9)
        assert view.energy_after == pytest.approx(_energy(puzzle, view.after), abs=1e-9)
        puzzle.require(view.after)
        changes = not np.array_equal(view.before, view.after)
        if changes:
            assert view.accepted == np.array_equal(cells, view.after)
        assert np.array_equal(cells, view.after if view.accepted else view.before)
    for (one, cells), (other, _) in pairwise(views):
        assert np.array_equal(other.before, cells)
        assert other.energy_before == (one.energy_after if one.accepted else one.energy_before)


@pytest.mark.every(3)
@pytest.mark.parametrize("key", ["annealing", "hill-climbing"])
@pytest.mark.parametrize("params", [{}, {"swaps": 0, "writing": 0}], ids=str)
def test_a_move_on_a_grid_is_accepted_with_the_odds_that_are_shown(key, params):
    solver = _watched("boggle", key, **params)
    n_judged = 0
    for move, (view, _) in enumerate(_moves(solver, 150)):
        if np.array_equal(view.before, view.after):
            assert not view.accepted
            assert view.odds == 0
            continue
        assert view.accepted == (_chance(int(solver._drawn.bits[move])) < view.odds)
        n_judged += 0 < view.odds < 1
        ran = dict(view.lines)
        gain = round(view.energy_after - view.energy_before, 9)
        expected = _judgement(gain, view.temperature, view.odds, accepted=view.accepted)
        assert {
            name: ran[name] for name in ("better", "worse", "reject") if name in ran
        } == expected
        if params:
            gain = _energy(GRID, view.after) - _energy(GRID, view.before)
            expected = 1.0 if gain >= -1e-9 else 0.0
            if key == "annealing" and gain < -1e-9:
                expected = math.exp(gain / view.temperature)
            assert view.odds == pytest.approx(expected, abs=1e-9)
    assert (n_judged > 20) == (key == "annealing")


def test_odds_are_those_of_the_gain_by_which_the_move_was_judged():
    # What several letters gain is estimated; at a temperature a little off, chance decides anew.
    solver = _watched("boggle", "annealing", swaps=50, writing=50)
    n_estimated = 0
    for move, (view, _) in enumerate(_moves(solver, 300)):
        if not 0 < view.odds < 1:
            continue
        gain = view.temperature * math.log(view.odds)
        n_estimated += abs(gain - (view.energy_after - view.energy_before)) > 1e-6
        bits, temperatures = solver._drawn.part(0, move + 1)
        even = gain / math.log(_chance(int(bits[-1])))
        for factor, is_kept in ((1 - 1e-6, False), (1 + 1e-6, True)):
            twin = solver._twin_at(solver._unit_begin)
            twin.do_moves(move)
            n_before = twin._search_status.n_accepted
            twin._return_to(solver._unit_begin)
            twin._place.walk(bits, np.array([*temperatures[:-1], even * factor]))
            assert twin._search_status.n_accepted - n_before == is_kept
    assert n_estimated > 0


@pytest.mark.parametrize(
    ("key", "params"),
    [
        ("annealing", {"swaps": 50, "writing": 0}),
        ("annealing", {"swaps": 0, "writing": 50, "near": 2}),
        ("tabu", {"swaps": 50, "writing": 50, "candidates": 10}),
    ],
)
def test_moves_of_one_replay_are_those_of_a_replay_each(key, params):
    """Noticed: estimates of moves that forget what the moves before them have examined."""
    cls = catalog.solver("boggle", key)
    puzzle = BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=3, cols=3))
    solver = cls.create(puzzle, cls.spec.params(**params), 3)
    solver.watch(frozenset(cls.spec.views))
    solver.step(200)
    begin, end = solver._last_steps
    for place, move in enumerate(solver.moves_of(begin, end - 100, end), end - 100):
        (alone,) = solver.moves_of(begin, place, place + 1)
        assert np.array_equal([alone.before, alone.after], [move.before, move.after])
        assert (alone.accepted, alone.odds, alone.lines) == (move.accepted, move.odds, move.lines)


def test_a_loss_that_was_estimated_as_a_gain_is_lit_as_such():
    solver = _watched("boggle", "annealing", swaps=50, writing=50)
    solver.advance(12)
    views = [view for view, _ in _moves(solver, 12)]
    losses = [view for view in views if view.accepted and view.energy_after < view.energy_before]
    (view,) = (view for view in losses if "better" in dict(view.lines))
    temperature, gain = view.temperature, view.energy_after - view.energy_before
    assert dict(view.lines).items() >= _judgement(gain, temperature, 1.0, accepted=True).items()
    assert dict(view.lines)["better"]


def test_without_swaps_and_writing_the_letter_is_the_one_that_was_drawn():
    solver = _watched("boggle", "annealing", swaps=0, writing=0)
    codes = GRID.lexicon.codes
    for move, (view, _) in enumerate(_moves(solver, 60)):
        word, _ = naive.split_mix(int(solver._drawn.bits[move]))
        word, first = naive.split_mix(word)
        _, second = naive.split_mix(word)
        expected = view.before.copy()
        expected[(first >> 32) * 9 >> 32] = codes[(second >> 32) * len(codes) >> 32]
        assert np.array_equal(view.after, expected)


def test_the_temperature_is_that_of_the_move():
    solver = _watched(
        "boggle", "annealing", initial_temperature=8.0, final_temperature=1.0, first_cycle=2
    )
    for move, (view, _) in enumerate(_moves(solver, 5)):
        assert view.temperature == pytest.approx(8.0 * (1 / 8) ** (move / 4_000))
    solver.advance(1)
    view = solver.view(ViewKind.MOVE)
    assert view.temperature == pytest.approx(8.0 * (1 / 8) ** (1_999 / 4_000))


@pytest.mark.parametrize("walk", [1, 7])
@pytest.mark.parametrize("key", ["annealing", "hill-climbing"])
def test_a_walk_of_slides_is_the_oracles(key, walk):
    solver = _watched("wordtiles", key, walk=walk)

    def score(text):
        return naive.word_tile_score([text[:4], text[4:8], text[8:]], BOARD.values)

    n_rejected = 0
    for move, (view, _) in enumerate(_moves(solver, 60)):
        bits = solver._drawn.bits[walk * move : walk * (move + 1)].tolist()
        before = _letters(BOARD, view.before)
        hot, cold = np.full(walk, np.inf), np.full(walk, view.temperature)
        assert naive.slide_trips(before, 4, score, bits, hot, walk)[0] == _letters(
            BOARD, view.after
        )
        kept, _ = naive.slide_trips(before, 4, score, bits, cold, walk)
        assert kept == _letters(BOARD, view.after if view.accepted else view.before)
        gain = score(_letters(BOARD, view.after)) - score(before)
        odds = 1.0 if gain >= 0 else math.exp(gain / view.temperature) if view.temperature else 0.0
        assert view.odds == pytest.approx(odds)
        n_rejected += not view.accepted
    assert n_rejected > 5


@pytest.mark.every(4)
@pytest.mark.parametrize(("puzzle_key", "key", "params"), VARIANTS, ids=str)
def test_of_a_whole_unit_as_many_are_accepted_as_the_metric_says(
    puzzle_key, key, params, monkeypatch
):
    metrics = catalog.solver(puzzle_key, key).spec.metrics
    monkeypatch.setattr(grids, "_BLOCK_MOVES", 150)
    monkeypatch.setattr(word_boards.WordTileNeighbourhood, "block", 150)
    if "slides_per_iteration" in catalog.solver(puzzle_key, key).spec.params.model_fields:
        params = {"slides_per_iteration": 50}
    if (puzzle_key, key) == ("boggle", "tabu"):
        params = {"candidates": 10}
    solver = _watched(puzzle_key, key, **params)
    solver.advance(1)
    slides = 8 if puzzle_key == "wordtiles" and "rearrange" not in params else 1
    views, n_units = [], 0
    while not n_units:
        progress = solver.step(1)
        views.append(solver.view(ViewKind.MOVE))
        n_units = progress.units
    row = dict(zip(metrics, progress.trace[0], strict=True))
    if "accepted" in metrics:
        # The last walk of a unit may be shorter.
        weights = [slides] * (len(views) - 1) + [150 - slides * (len(views) - 1)]
        n_accepted = sum(view.accepted * n for view, n in zip(views, weights, strict=True))
        assert 100 * n_accepted / 150 == row["accepted"] > 0
    if key == "tabu":
        n_compared = sum(view.n_compared for view in views)
        assert 100 * sum(view.n_forbidden for view in views) / n_compared == row["forbidden"] > 0
        assert n_compared == row.get("scored", 150)


@pytest.mark.parametrize(("puzzle_key", "key", "params"), VARIANTS, ids=str)
def test_after_whole_units_it_is_the_last_move_of_the_last_one(puzzle_key, key, params):
    whole, stepped = (_watched(puzzle_key, key, **params) for _ in range(2))
    whole.advance(3)
    stepped.advance(2)
    n_steps = stepped.block_steps
    stepped.step(n_steps - 1)
    assert stepped.steps_done == n_steps - 1
    stepped.step(1)
    one, other = whole.view(ViewKind.MOVE), stepped.view(ViewKind.MOVE)
    assert one.caption == other.caption
    assert np.array_equal(one.before, other.before)
    assert np.array_equal(one.after, other.after)
    assert (one.accepted, one.odds, one.temperature) == (
        other.accepted,
        other.odds,
        other.temperature,
    )


@pytest.mark.parametrize(("puzzle_key", "key", "params"), VARIANTS, ids=str)
def test_it_is_there_again_in_a_run_that_is_restored_inside_a_unit(puzzle_key, key, params):
    solver = _watched(puzzle_key, key, **params)
    solver.advance(1)
    solver.step(5)
    restored = type(solver).restore(PUZZLES[puzzle_key], solver.snapshot())
    one, other = solver.view(ViewKind.MOVE), restored.view(ViewKind.MOVE)
    assert one.caption == other.caption
    assert np.array_equal(one.after, other.after)


def test_a_run_that_has_ended_shows_its_last_move():
    lexicon = parse_lexicon(b"ab\nba\nabab\ncab", "test")
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=2, cols=2, fitness="points"))
    whole, stepped = (_watched("boggle", "tabu", puzzle, candidates=5) for _ in range(2))
    progress = whole.advance(200)
    assert progress.status is Status.SOLVED
    for _ in range(progress.units):
        stepped.advance(1)
    one, other = whole.view(ViewKind.MOVE), stepped.view(ViewKind.MOVE)
    assert one.caption == other.caption
    assert np.array_equal(one.after, other.after)
    assert np.array_equal(one.after if one.accepted else one.before, _cells(whole))


def test_nothing_is_kept_unless_it_is_watched():
    solver = _watched("boggle", "annealing")
    solver.watch(frozenset())
    solver.advance(1)
    assert solver.view(ViewKind.MOVE) is None
    assert solver._twin is None


@pytest.mark.every(2)
@pytest.mark.parametrize("tenure", [0, 3, 200])
def test_tabu_on_a_grid_makes_the_best_move_that_is_not_forbidden(tenure):
    solver = _watched("boggle", "tabu", tenure=tenure, candidates=12, swaps=0, writing=0)
    codes, n_cells = GRID.lexicon.codes, 9
    bits = np.random.Generator(np.random.PCG64(7)).integers(
        0, 2**64 - 1, (2_000 // 12, 12), np.uint64, endpoint=True
    )
    until, best_energy, n_free_again = {}, _energy(GRID, GRID.start), 0
    for step, (view, cells) in enumerate(_moves(solver, 60)):
        boards, n_forbidden = [], 0
        for bit in bits[step].tolist():
            word, _ = naive.split_mix(bit)
            word, first = naive.split_mix(word)
            _, second = naive.split_mix(word)
            cell = (first >> 32) * n_cells >> 32
            letter = int(codes[(second >> 32) * len(codes) >> 32])
            if letter == view.before[cell]:
                continue
            board = view.before.copy()
            board[cell] = letter
            energy, wait = _energy(GRID, board), until.get((cell, letter), 0) > step
            is_aspired = wait and energy > best_energy + 1e-9
            n_free_again += is_aspired
            if wait and not is_aspired:
                n_forbidden += 1
            else:
                boards.append((energy, board, cell, bit))
        assert view.n_compared == 12
        assert view.n_forbidden == n_forbidden
        assert view.accepted == bool(boards)
        assert np.array_equal(cells, view.after)
        if not boards:
            assert np.array_equal(view.after, view.before)
            continue
        assert view.energy_after == pytest.approx(max(energy for energy, *_ in boards), abs=1e-9)
        _, _, cell, bit = next(part for part in boards if np.array_equal(part[1], view.after))
        drawn = naive.split_mix(2**64 - 1 - bit)[1] >> 32
        until[cell, int(view.before[cell])] = step + 1 + tenure + (drawn * (tenure + 1) >> 32)
        best_energy = max(best_energy, view.energy_after)
        assert view.odds == 1
    assert (n_free_again > 0) == (tenure == 200)


@pytest.mark.parametrize("tenure", [0, 3, 200])
def test_tabu_on_word_tiles_makes_the_best_slide_that_is_not_forbidden(tenure):
    solver = _watched("wordtiles", "tabu", tenure=tenure)
    best = _energy(BOARD, BOARD.start)
    for step in range(80):
        until = solver._until.copy()
        solver.step(1)
        view = solver.view(ViewKind.MOVE)
        before, ranks = _letters(BOARD, view.before), {}
        for letter in "UDLR":
            after = naive.slide(before, 4, letter)
            if after is None:
                continue
            cells = BOARD.parse([after[:4], after[4:8], after[8:]])
            blank, energy = before.index("."), _energy(BOARD, cells)
            wait = 0 if energy > best else max(0, until[blank, cells[blank]] - step)
            ranks[after] = wait, -energy
        assert ranks[_letters(BOARD, view.after)] == min(ranks.values())
        assert view.n_compared == len(ranks)
        assert view.n_forbidden == sum(wait > 0 for wait, _ in ranks.values())
        assert view.accepted
        best = max(best, view.energy_after)


def test_a_climb_that_restarts_says_so_and_shows_the_move_before_it():
    lexicon = parse_lexicon(b"aa\nabc\n", "none")
    puzzle = WordTilesPuzzle.create(lexicon, WordTilesParams(rows=2, cols=2), ("ab", "c."))
    solver = _watched("wordtiles", "hill-climbing", puzzle, walk=8, patience=9)
    views = [view for view, _ in _moves(solver, 10)]
    # 36 slides are four walks and a half, so that the fifth is the last.
    said = ["random board" in view.caption for view in views]
    assert said == [move in (4, 9) for move in range(10)]


@pytest.mark.parametrize(
    ("puzzle_key", "key", "params"),
    [
        ("boggle", "annealing", {"first_cycle": 2, "growth": 0}),
        ("boggle", "hill-climbing", {"patience": 1}),
        ("wordtiles", "annealing", {"first_cycle": 2, "growth": 0}),
    ],
    ids=str,
)
def test_the_first_move_from_a_random_board_says_so(puzzle_key, key, params):
    solver, said = _watched(puzzle_key, key, **params), []
    for _ in range(8):
        end = _cells(solver)
        solver.step(1)
        view = solver.view(ViewKind.MOVE)
        said.append("restarts on a random board" in view.caption)
        assert said[-1] != np.array_equal(end, view.before)
        solver.step(1)
        assert "random board" not in solver.view(ViewKind.MOVE).caption
        solver.advance(1)
    assert any(said)
    assert not said[0]


CAPTIONS = {
    "a letter": ("boggle", "hill-climbing", {"swaps": 0, "writing": 0}, "for"),
    "a swap": ("boggle", "random-walk", {"swaps": 50, "writing": 0}, "a swap of"),
    "a walk": ("wordtiles", "annealing", {"walk": 8}, "on a random walk of 8 slides"),
    "a slide": ("wordtiles", "random-walk", {}, "a slide of"),
    "the best": ("boggle", "tabu", {"candidates": 30}, "The best of 30 moves"),
}


@pytest.mark.parametrize("case", CAPTIONS)
def test_the_sentence_says_what_was_proposed_and_what_became_of_it(case):
    puzzle_key, key, params, words = CAPTIONS[case]
    captions = []
    for view, _ in _moves(_watched(puzzle_key, key, **params), 30):
        captions.append(view.caption)
        gain = round(view.energy_after - view.energy_before, 9)
        verb = "rises by" if gain > 0 else "falls by" if gain < 0 else "stays"
        nothing = np.array_equal(view.before, view.after) and not view.accepted
        assert (verb in view.caption) != nothing
        if key != "tabu" and not nothing:
            assert ("accepted" if view.accepted else "rejected") in view.caption
    assert any(words in caption for caption in captions)


def test_a_rejected_move_has_its_odds_in_the_sentence():
    solver = _watched("boggle", "annealing", swaps=0, writing=0, initial_temperature=0.8)
    view = next(
        view for view, _ in _moves(solver, 100) if not view.accepted and 0.01 < view.odds < 0.99
    )
    gain = view.energy_before - view.energy_after
    cell = int(np.flatnonzero(view.before != view.after)[0])
    old, new = (_letters(GRID, board)[cell].upper() for board in (view.before, view.after))
    assert view.caption == (
        f"Proposed {new} for {old} in row {cell // 3 + 1}, column {cell % 3 + 1}: "
        f"search value {number(view.energy_before)} falls by {gain:.2f}; "
        f"at temperature 0.80 such a move is accepted with {100 * view.odds:.0f} %: rejected."
    )


def _change(puzzle, before, after):
    """The cells that a move changes, in words; '' for none and for more than two."""
    (rows, cols), texts = (
        puzzle.shape,
        [_letters(puzzle, cells).upper() for cells in (before, after)],
    )
    old, new = texts
    cells = [cell for cell in range(rows * cols) if old[cell] != new[cell]]
    places = [f"row {cell // cols + 1}, column {cell % cols + 1}" for cell in cells]
    if len(cells) == 1:
        return f"{new[cells[0]]} for {old[cells[0]]} in {places[0]}"
    if len(cells) != 2:
        return ""
    one, other = cells
    if other - one in (1, cols) and "." in (old[one], old[other]):
        # The tile is now where the blank was.
        blank = int(old[other] == ".")
        return f"a slide of {new[cells[blank]]} to {places[blank]}"
    names = ["the blank" if old[cell] == "." else old[cell] for cell in cells]
    return f"a swap of {names[0]} in {places[0]} with {names[1]} in {places[1]}"


def _difference(before, after):
    gain = round(after - before, 9)
    return f"Δ = {number(after)} − {number(before)} = {'−' if gain < 0 else ''}{number(abs(gain))}"


PLAIN_GRID = {"swaps": 0, "writing": 0}
COOLING = {"initial_temperature": 4.0, "final_temperature": 0.25, "first_cycle": 1, "growth": 0}
LINES = {
    ("boggle", "annealing"): {**PLAIN_GRID, **COOLING},
    ("boggle", "hill-climbing"): {**PLAIN_GRID, "patience": 2},
    ("boggle", "tabu"): {**PLAIN_GRID, "candidates": 3, "tenure": 100},
    ("boggle", "random-walk"): PLAIN_GRID,
    ("wordtiles", "annealing"): COOLING,
    ("wordtiles", "hill-climbing"): {"patience": 2},
    ("wordtiles", "tabu"): {"tenure": 200},
    ("wordtiles", "random-walk"): {"slides_per_iteration": 20},
}


def _tabu_lines(view, energies, change, *, is_made):
    """The lines of a tabu step; the counts of its view are those of the oracles above."""
    lines = {"compare": counted(view.n_compared, "move")}
    lines |= {"forbid": counted(view.n_forbidden, "move")} if view.n_forbidden else {}
    if not is_made:
        return lines | {"none": ""}
    are_forbidden = view.n_forbidden == view.n_compared
    lines["none" if are_forbidden else "choose"] = f"E = {number(energies[1])}"
    return lines | {"move": _difference(*energies), "tabu": change}


@pytest.mark.parametrize(("puzzle_key", "key"), LINES)
def test_the_lines_of_a_move_are_the_oracles(puzzle_key, key, monkeypatch):
    """Noticed: a wrong energy, probability, temperature or restart, and a best that is none."""
    monkeypatch.setattr(grids, "_BLOCK_MOVES", 40)
    monkeypatch.setattr(word_boards.WordTileNeighbourhood, "block", 40)
    puzzle, params, is_grid = PUZZLES[puzzle_key], LINES[puzzle_key, key], puzzle_key == "boggle"
    solver, names = _watched(puzzle_key, key, **params), set()
    climbs, cools = key == "hill-climbing", key == "annealing"
    n_slides = 8 if not is_grid and (climbs or cools) else 1
    patience = params.get("patience", 0) * len(puzzle.start)
    best, n_idle, n_gains, n_restarts = _value(puzzle, puzzle.start), 0, 0, 0
    for move in range(130):
        place, here = solver.steps_done, _cells(solver).copy()
        solver.step(1)
        view, now = solver.view(ViewKind.MOVE), _cells(solver)
        is_first = place == 0 and move > 0
        if is_first and is_grid:
            # A climb on a grid counts whole units.
            n_idle, n_gains = 0 if n_gains else n_idle + 40, 0
        restarts = is_first and (cools or (climbs and is_grid and n_idle >= patience))
        assert restarts != np.array_equal(view.before, here)
        n_restarts, n_idle = n_restarts + restarts, 0 if restarts else n_idle
        energies = [_energy(puzzle, cells) for cells in (view.before, view.after)]
        gain = round(energies[1] - energies[0], 9)
        change = _change(puzzle, view.before, view.after)
        is_same = np.array_equal(view.before, view.after)
        expected = {} if move else {"start": f"E = {number(energies[0])}"}
        if key == "tabu":
            expected |= _tabu_lines(view, energies, change, is_made=not is_same)
        elif not (climbs or cools):
            expected["move"] = "no change" if is_same else change
        else:
            temperature = 4 * (0.25 / 4) ** ((n_slides * (place + 1) - 1) / 40) if cools else 0
            expected |= {"cool": f"T = {number(temperature)}"} if cools else {}
            expected["propose"] = "no change" if is_same and is_grid else change
            if not (is_same and is_grid):
                accepted = np.array_equal(now, view.after) if cools else gain >= 0
                expected["gain"] = _difference(*energies)
                expected |= _judgement(
                    gain, temperature, _odds_of(gain, temperature), accepted=accepted
                )
        best = max(best, _value(puzzle, view.before))
        values = [best, _value(puzzle, view.after)]
        n_gains += gain > 0
        if not is_grid:
            n_idle = 0 if gain > 0 else n_idle + n_slides
        if climbs and not is_grid and n_idle >= patience:
            n_idle, n_restarts, restarts = 0, n_restarts + 1, True
            values.append(_value(puzzle, now))
        expected |= {"restart": f"restart {n_restarts}"} if restarts else {}
        expected |= {"best": f"v = {number(max(values))}"} if max(values) > best else {}
        assert dict(view.lines) == expected, move
        best, names = max(values), names | set(expected)
    every = {line.name for line in solver.spec.pseudocode.read().lines}
    assert every - names <= {"best"}
