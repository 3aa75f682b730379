"""A watched generation: who comes of whom, as the kernels have bred it."""

import dataclasses
import itertools

import numpy as np
import pytest

from tilelab.core.views import MAX_BOARDS, ViewKind
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.kernels.breeding import breed, mutate
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.boggle.solvers.genetic import (
    DRAWN,
    FIRST,
    SECOND,
    Breeding,
    Genetic,
    GeneticParams,
)

WATCHED = frozenset({ViewKind.POPULATION})


def _puzzle(**params):
    return BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=3, cols=4, **params))


def _watched(n_generations, *, seed=5, puzzle=None, **params):
    solver = Genetic.create(puzzle or _puzzle(), GeneticParams(**params), seed)
    solver.watch(WATCHED)
    views = []
    for _ in range(n_generations):
        solver.advance(1)
        views.append(solver.view(ViewKind.POPULATION))
    return views


@pytest.mark.parametrize("seed", range(60))
def test_origins_and_mutations_are_those_of_the_kernels(seed):
    rng = np.random.default_rng(seed)
    n_parents, n_cells = int(rng.integers(3, 12)), int(rng.integers(1, 30))
    n_children = n_parents * (n_parents - 1) // 2
    # Every parent has a letter of its own in all cells; two more are drawn when parents are
    # crossed, and one more stands for any mutation: so the letters tell where they come from.
    parents = np.repeat(np.arange(n_parents, dtype=np.uint8)[:, np.newaxis], n_cells, axis=1)
    ends = [0] * n_parents + [2**31, 2**32]
    mutations = [0] * (n_parents + 2) + [2**32]
    breeding = Breeding(
        parents,
        np.zeros(n_parents),
        rng.integers(0, 3, parents.shape, np.int32),
        rng.integers(0, 2**32, (n_children, n_cells), np.uint32),
        rng.integers(0, 2**32, (int(rng.integers(0, 40)), 3), np.uint32),
        np.empty(0, np.int64),
    )
    children = np.empty((n_children, n_cells), np.uint8)
    ends, mutations = np.array(ends, np.uint64), np.array(mutations, np.uint64)
    breed(parents, breeding.usage, breeding.crossing_bits, ends, children)
    first, second = breeding.pairs.T[:, :, np.newaxis]
    expected = np.where(children == first, FIRST, np.where(children == second, SECOND, DRAWN))
    assert (breeding.origins() == expected).all()
    mutate(breeding.mutation_bits, mutations, children)
    assert (breeding.mutated() == (children == n_parents + 2)).all()


@pytest.mark.parametrize("fitness", ["count", "length"])
def test_a_generation_is_shown_with_its_parents(fitness):
    views = _watched(12, puzzle=_puzzle(fitness=fitness), parents=7, mutation=9)
    for before, view in itertools.pairwise(views):
        assert view.generation == before.generation + 1
        assert (np.diff(view.fitness) <= 0).all()
        assert np.array_equal(view.parent_grids, before.grids[:7])
        assert np.array_equal(view.parent_fitness, before.fitness[:7])
        pairs = sorted(map(tuple, view.parents.tolist()))
        assert pairs == [(one, other) for one in range(7) for other in range(one + 1, 7)]
        for parent in (FIRST, SECOND):
            letters = view.parent_grids[view.parents[:, parent]]
            inherited = view.origins == parent
            assert inherited.any()
            assert np.array_equal(view.grids[inherited], letters[inherited])
            assert not view.mutated[inherited].any()
        assert 0 < view.mutated.sum() <= 9


def test_what_is_shown_are_the_metrics_and_the_scores():
    puzzle = _puzzle()
    solver = Genetic.create(puzzle, GeneticParams(), 3)
    for generation in range(1, 9):
        best, mean, _, _ = solver.advance(1).trace[0]
        view = solver.view(ViewKind.POPULATION)
        assert view.generation == generation
        assert view.fitness[0] == best
        assert view.fitness.mean() == pytest.approx(mean)
        assert [puzzle.score(grid) for grid in view.grids] == view.fitness.tolist()
        n_symbols = len(puzzle.lexicon.alphabet)
        for cell in range(12):
            shares = [(view.grids[:, cell] == symbol).mean() for symbol in range(n_symbols)]
            assert view.shares[cell] == pytest.approx(shares)


def _worthless():
    """Return a puzzle that is solved in its fourth generation."""
    lexicon = parse_lexicon(b"ab\ncd\nef\nxyzzy\n", "short")
    return BogglePuzzle.create(lexicon, BoggleParams(rows=3, cols=4, fitness="points"))


@pytest.mark.parametrize(("make", "slices"), [(_puzzle, (1, 2, 40, 3)), (_worthless, (200,))])
def test_after_many_generations_the_last_is_shown_as_if_each_had_been_watched(make, slices):
    """Noticed: a generation without its parents, or with those of another one."""
    puzzle, params = make(), GeneticParams(mutation=60)
    together, alone = (Genetic.create(puzzle, params, 1) for _ in range(2))
    for solver in (together, alone):
        solver.watch(frozenset(Genetic.spec.views))
    for n_units in slices:
        units = together.advance(n_units).units
        for _ in range(units):
            alone.advance(1)
        for kind in Genetic.spec.views:
            shown, expected = together.view(kind), alone.view(kind)
            for field in dataclasses.fields(expected):
                one, other = getattr(shown, field.name), getattr(expected, field.name)
                np.testing.assert_equal(one, other, field.name)
    assert (together.view(ViewKind.POPULATION).parents >= 0).all()


def test_nothing_is_known_of_parents_that_were_not_watched():
    solver = Genetic.create(_puzzle(), GeneticParams(), 3)
    assert solver.view(ViewKind.POPULATION) is None
    solver.watch(WATCHED)
    solver.advance(1)
    drawn = solver.view(ViewKind.POPULATION)
    solver.watch(frozenset())
    solver.advance(2)
    unwatched = solver.view(ViewKind.POPULATION)
    solver.watch(WATCHED)
    solver.advance(1)
    begun = solver.view(ViewKind.POPULATION)
    for view in (drawn, unwatched, begun):
        assert (view.parents == -1).all()
        assert (view.origins == DRAWN).all()
        assert not view.mutated.any()
        assert view.parent_grids.shape == (0, 12)
    solver.advance(1)
    assert (solver.view(ViewKind.POPULATION).parents >= 0).all()
    restored = Genetic.restore(_puzzle(), solver.snapshot())
    assert restored.view(ViewKind.POPULATION) is None
    restored.watch(WATCHED)
    restored.advance(1)
    assert (restored.view(ViewKind.POPULATION).parents == -1).all()


def test_the_caption_names_the_fittest_child_and_its_parents():
    drawn, *bred = _watched(20, mutation=60)
    assert drawn.caption == "The fittest board of this generation has 1 word."
    mutations = set()
    words = {1: "1 word", 2: "2 words", 3: "3 words", 4: "4 words", 5: "5 words"}
    for view in bred:
        first, second = view.parents[0]
        begins = (
            f"Board {first + 1}, {words[view.parent_fitness[first]]}, with board "
            f"{second + 1}, {view.parent_fitness[second]:.0f}: the child has {view.fitness[0]:.0f}."
        )
        n_mutated = view.mutated[0].sum()
        cells = "1 cell" if n_mutated == 1 else f"{n_mutated} cells"
        more = f" Mutation has put a random letter in {cells} of it." if n_mutated else ""
        assert view.caption == begins + more
        mutations.add(int(n_mutated))
    assert len(mutations) > 1


def test_a_large_population_is_bounded():
    (view, bred) = _watched(2, parents=60)
    assert len(view.grids) == len(bred.parents) == len(bred.origins) == MAX_BOARDS
    assert len(bred.parent_grids) == 60


def test_a_view_does_not_change_with_the_run():
    solver = Genetic.create(_puzzle(), GeneticParams(), 3)
    solver.watch(WATCHED)
    solver.advance(2)
    view = solver.view(ViewKind.POPULATION)
    names = ("grids", "fitness", "parents", "parent_grids", "origins", "mutated", "shares")
    copies = {name: getattr(view, name).copy() for name in names}
    solver.advance(5)
    assert all(np.array_equal(getattr(view, name), copies[name]) for name in names)
