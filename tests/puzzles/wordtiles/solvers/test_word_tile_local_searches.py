"""Annealing, hill climbing and tabu search on word tiles, beside plain Python."""

import numpy as np
import pytest

from tests import naive
from tilelab import catalog
from tilelab.core.errors import SnapshotError
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.wordtiles.kernels.moves import shuffle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles.solvers.bees import Bees, BeesParams
from tilelab.puzzles.wordtiles.solvers.local_searches import (
    WordTileAnnealing,
    WordTileAnnealingParams,
    WordTileNeighbourhood,
)
from tilelab.puzzles.wordtiles.text import RandomLetters

KEYS = ("annealing", "hill-climbing", "tabu")
DISTINCT = ("ate", "ro.")
EQUAL = ("aten", "tase", "e.rs")
N_BOARDS = 48_000
"""What the bees' default setting scores."""


def _puzzle(*rows, lexicon="english-small", **params):
    lexicon = open_lexicon(lexicon) if isinstance(lexicon, str) else lexicon
    params = WordTilesParams(rows=len(rows), cols=len(rows[0]), **params)
    return WordTilesPuzzle.create(lexicon, params, rows)


def _advanced(key, puzzle, units, seed=1, **params):
    cls = catalog.solver("wordtiles", key)
    solver = cls.create(puzzle, cls.spec.params(**params), seed)
    return solver, solver.advance(units)


def _words(seed, *shape):
    return np.random.default_rng(seed).integers(0, 2**64, shape, dtype=np.uint64)


def _neighbourhood(puzzle, **choices):
    place = WordTileNeighbourhood(puzzle, **choices)
    place.place(puzzle.start)
    return place


def _reachable(text, cols):
    met, layer = {text}, {text}
    while layer:
        layer = {naive.slide(board, cols, letter) for board in layer for letter in "UDLR"}
        layer -= met | {None}
        met |= layer
    return met


def _text(puzzle, cells):
    return "".join(puzzle.rows_of(cells))


def _score(puzzle, text):
    cols = puzzle.shape[1]
    rows = [text[begin : begin + cols] for begin in range(0, len(text), cols)]
    once = puzzle.params.counting == "board"
    return naive.word_tile_score(rows, puzzle.values, once=once)


@pytest.mark.parametrize("rows", [DISTINCT, EQUAL])
@pytest.mark.parametrize(
    ("key", "params"), [*((key, {}) for key in KEYS), ("annealing", {"rearrange": True})], ids=str
)
def test_slides_lead_to_the_best_and_it_is_worth_what_is_said(key, params, rows):
    puzzle = _puzzle(*rows)
    _, progress = _advanced(key, puzzle, 3, **params)
    best = puzzle.with_path(progress.best)
    board = "".join(rows)
    for letter in best.moves:
        board = naive.slide(board, len(rows[0]), letter)
    assert board == _text(puzzle, best.cells)
    assert best.value == _score(puzzle, board) > _score(puzzle, "".join(rows))


@pytest.mark.exhaustive
def test_annealing_beats_the_bees_on_as_many_boards():
    lexicon = open_lexicon("english-large")
    means = {}
    puzzles = [
        WordTilesPuzzle.create(
            lexicon, WordTilesParams(random_letters=RandomLetters.ENGLISH, letters_seed=seed)
        )
        for seed in range(1, 11)
    ]
    for name, params in {"slides": {}, "swaps": {"rearrange": True}}.items():
        values = []
        for puzzle in puzzles:
            solver, _ = _advanced("annealing", puzzle, 0, **params)
            values.append(solver.advance(N_BOARDS // solver._place.block).best.value)
        means[name] = np.mean(values)
    bees = [Bees.create(puzzle, BeesParams(), 1).advance(100).best.value for puzzle in puzzles]
    assert means["swaps"] > means["slides"] > np.mean(bees)


@pytest.mark.parametrize("params", [{}, {"counting": "board"}, {"fitness": "weight"}], ids=str)
@pytest.mark.parametrize("trip", [1, 7])
def test_a_walk_by_slides_is_the_oracles(params, trip):
    lexicon = parse_lexicon(
        b"tea\t3\neat\t2.5\nat\t0.5\nseat\t4\nate\t1.5\nnets\t1\nre\t1\n", "test"
    )
    puzzle = _puzzle(
        *EQUAL, lexicon=lexicon if params.get("fitness") else "english-small", **params
    )
    place, board = _neighbourhood(puzzle, walk=trip), "".join(EQUAL)
    for seed, temperature in enumerate((np.inf, 2.0, 0.5, 0.0)):
        words, temperatures = _words(seed, 60), np.full(60, temperature)
        place.walk(words, temperatures)
        board, best = naive.slide_trips(
            board, 4, lambda text: _score(puzzle, text), words.tolist(), temperatures, trip
        )
        assert _text(puzzle, place.cells) == board
        assert place.numbers.value == _score(puzzle, board)
        assert place.numbers.best_of_block == best <= place.numbers.best_value
    assert _score(puzzle, _text(puzzle, place.best_cells)) == place.numbers.best_value


def test_swaps_lead_to_all_boards_that_slides_lead_to_and_to_no_others():
    puzzle = _puzzle(*DISTINCT)
    place, met = _neighbourhood(puzzle, rearrange=True), set()
    for word in _words(4, 12_000):
        place.walk(np.array([word]), np.full(1, np.inf))
        met.add(_text(puzzle, place.cells))
    assert met == _reachable("atero.", 3)
    assert len(met) == 360


def test_swaps_of_equal_letters_leave_no_board_out():
    puzzle = _puzzle("ate", "ta.")
    place, met = _neighbourhood(puzzle, rearrange=True), set()
    for word in _words(5, 6_000):
        place.walk(np.array([word]), np.full(1, np.inf))
        met.add(_text(puzzle, place.cells))
    assert met == _reachable("ateta.", 3)
    assert len(met) == 180


@pytest.mark.parametrize("rows", [DISTINCT, EQUAL])
@pytest.mark.parametrize("temperature", [0.0, 1.0, np.inf])
def test_the_value_after_swaps_is_that_of_the_board(rows, temperature):
    puzzle = _puzzle(*rows)
    place = _neighbourhood(puzzle, rearrange=True)
    for seed in range(30):
        before = place.numbers.value
        place.walk(_words(seed, 20), np.full(20, temperature))
        assert place.numbers.value == _score(puzzle, _text(puzzle, place.cells))
        assert temperature > 0 or place.numbers.value >= before
        assert puzzle.is_reachable(place.cells)
        assert 0 < place.n_scored <= 20


def test_tiles_put_anywhere_are_within_reach():
    puzzle, met = _puzzle(*DISTINCT), set()
    cells = puzzle.start.copy()
    for word in _words(6, 5_000):
        shuffle(word, 3, cells)
        met.add(_text(puzzle, cells))
    assert met == _reachable("atero.", 3)


def test_a_climb_without_gain_begins_anew_after_its_patience():
    puzzle = _puzzle("ab", "c.", lexicon=parse_lexicon(b"aa\nabc\n", "none"))
    solver, progress = _advanced("hill-climbing", puzzle, 3, walk=8, patience=9)
    # 36 slides are four trips and a half, so that the fifth is the last.
    restarts = progress.trace[:, solver.spec.metrics.index("restarts")]
    assert restarts.tolist() == [50, 100, 150]


def test_a_climb_that_gains_goes_on():
    puzzle = _puzzle(*EQUAL)
    place = _neighbourhood(puzzle, walk=8)
    values = [place.numbers.value]
    for seed in range(20):
        assert place.climb(_words(seed, 80), 2**62, 0)[1] == 0
        values.append(place.numbers.value)
    assert values == sorted(values)
    assert values[-1] > values[0]


@pytest.mark.parametrize("tenure", [0, 3, 200])
def test_every_tabu_step_makes_the_best_slide_allowed(tenure):
    puzzle = _puzzle(*EQUAL)
    place, board = _neighbourhood(puzzle), "".join(EQUAL)
    until = np.zeros(place.shape_of_memory, np.int64)
    signs = "." + puzzle.letters
    n_forced = 0
    for step in range(150):
        best, blank = place.numbers.best_value, board.index(".")
        ranks, moved = {}, {}
        for letter in "UDLR":
            after = naive.slide(board, 4, letter)
            if after is None:
                continue
            tile, score = signs.index(after[blank]), _score(puzzle, after)
            wait = 0 if score > best else max(0, until[blank, tile] - step)
            ranks[after], moved[after] = (wait, -score), (after.index("."), tile)
        place.tabu(_words(step, 1), step, tenure, until)
        board = _text(puzzle, place.cells)
        assert ranks[board] == min(ranks.values())
        n_forced += ranks[board][0] > 0
        assert step + 1 + tenure <= until[moved[board]] <= step + 1 + 2 * tenure
        assert place.numbers.n_forbidden == sum(wait > 0 for wait, _ in ranks.values())
        assert place.numbers.value == _score(puzzle, board)
    assert (n_forced > 0) == (tenure == 200)


def test_a_forbidden_slide_is_made_if_it_beats_every_value_so_far():
    puzzle = _puzzle("xa.", "cbt", lexicon=parse_lexicon(b"xat\nbct\n", "test"))
    place = _neighbourhood(puzzle)
    until = np.full(place.shape_of_memory, 9)
    until[2, 1 + puzzle.letters.index("t")] = 500
    place.tabu(_words(1, 1), 0, 5, until)
    assert _text(puzzle, place.cells) == "xatcb."
    assert (place.numbers.value, place.numbers.n_forbidden, place.n_scored) == (1, 1, 2)


def test_weights_choose_the_temperatures():
    lexicon = parse_lexicon(b"tea\t30\nnets\t30\nre\t30\n", "test")
    hottest = {
        fitness: WordTileAnnealing.create(
            _puzzle(*EQUAL, lexicon=lexicon, fitness=fitness), WordTileAnnealingParams(), 1
        )
        .snapshot()
        .scalars["hottest"]
        for fitness in ("count", "weight")
    }
    assert hottest["weight"] == 30 * hottest["count"] > 0


@pytest.mark.parametrize("key", KEYS)
def test_a_snapshot_of_another_board_is_refused(key):
    solver, _ = _advanced(key, _puzzle("aten", "tas."), 1)
    with pytest.raises(SnapshotError, match="has 8 cells; this puzzle has 6"):
        type(solver).restore(_puzzle("ate", "ta."), solver.snapshot())


def test_a_snapshot_of_other_letters_is_refused():
    solver, _ = _advanced("tabu", _puzzle("ate", "ta."), 1)
    with pytest.raises(SnapshotError, match="another board: the board cannot be reached"):
        type(solver).restore(_puzzle(*DISTINCT), solver.snapshot())
