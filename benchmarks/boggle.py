"""Scoring of random grids and the whole genetic algorithm, beside plain Python."""

import itertools
import random

import numpy as np

from benchmarks import plain
from benchmarks.table import Row
from tilelab.core.solver import Status
from tilelab.kernels.clock import processor_seconds
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.solvers.boggle.annealing import Annealing, AnnealingParams
from tilelab.solvers.boggle.genetic import Genetic, GeneticParams
from tilelab.words.builtin import open_lexicon
from tilelab.words.lexicon import parse_lexicon


def cut(name, n_strings, shortest=1):
    """Take strings of a built-in lexicon evenly, so that all letters are found."""
    strings = [string for string in open_lexicon(name).strings if len(string) >= shortest]
    step = len(strings) / n_strings
    chosen = [strings[int(index * step)] for index in range(n_strings)]
    return parse_lexicon("\n".join(chosen).encode(), f"{n_strings} of {name}")


def _rate(work, seconds):
    """Run ``work`` (returns how much it did) for about some seconds; returns the rate."""
    work()
    done, began = 0, processor_seconds()
    while processor_seconds() - began < seconds:
        done += work()
    return done / (processor_seconds() - began)


def scoring(name, n_strings, wanted, seconds):
    """Grids scored a second, 8 × 8, random."""
    puzzle = BogglePuzzle.create(cut(name, n_strings), BoggleParams())
    rng = np.random.default_rng(1)
    grids = rng.integers(0, len(puzzle.lexicon.alphabet), (2000, 64)).astype(np.uint8)
    scores = np.empty(len(grids))

    def fast():
        puzzle.scorer.score(grids, scores)
        return len(grids)

    tree, near = plain.prefix_tree(puzzle.lexicon.strings), plain.neighbours(8, 8)
    letters = [[puzzle.lexicon.alphabet[cell] for cell in grid] for grid in grids[:20]]
    turn = iter(range(10**9))

    def slow():
        index = next(turn) % len(letters)
        assert len(plain.encoded(letters[index], tree, near)) == puzzle.score(grids[index])
        return 1

    title = f"score random 8×8 grids, {n_strings:,} strings"
    return Row(title, _rate(fast, seconds), _rate(slow, seconds), wanted, "grids/s")


def classic(title, seconds, best=""):
    """Grids scored a second under the classic rule: random ones, or one again and again."""
    params = BoggleParams(rows=4, cols=4, reuse="once", fitness="points", qu_tile=True)
    puzzle = BogglePuzzle.create(open_lexicon("enable"), params)
    alphabet = puzzle.lexicon.alphabet
    grids = np.random.default_rng(1).integers(0, len(alphabet), (1000, 16)).astype(np.uint8)
    if best:
        grids[:] = [alphabet.index(letter) for letter in best]
    scores = np.empty(len(grids))

    def fast():
        puzzle.scorer.score(grids, scores)
        return len(grids)

    fast()
    lexicon = puzzle.lexicon
    letters = "".join(alphabet[code] for code in lexicon.codes)
    tiles = [letters[a:b] for a, b in itertools.pairwise(lexicon.offsets.tolist())]
    tree, near = plain.prefix_tree(tiles), plain.neighbours(4, 4)
    points = dict(zip(tiles, puzzle.worths.tolist(), strict=True))
    turn = iter(range(10**9))

    def slow():
        index = next(turn) % len(grids)
        found = plain.walked([alphabet[cell] for cell in grids[index]], tree, near)
        assert sum(points[string] for string in found) == scores[index]
        return 1

    return Row(title, _rate(fast, seconds), _rate(slow, seconds), 5_000, "grids/s")


def genetic(lexicon, wanted, seconds, warm_up):
    """Generations a second of the whole algorithm on 8 × 8, in the middle of a run."""
    puzzle = BogglePuzzle.create(lexicon, BoggleParams())
    solver = Genetic.create(puzzle, GeneticParams(), seed=1)
    solver.advance(warm_up)

    def fast():
        solver.advance(10)
        return 10

    near, tree = plain.neighbours(8, 8), plain.prefix_tree(lexicon.strings)
    alphabet = lexicon.alphabet
    grids = [
        [alphabet[cell] for cell in grid] for grid in solver.snapshot().arrays["grids"].tolist()
    ]
    rng = random.Random(1)

    def slow():
        nonlocal grids
        _, grids = plain.generation(grids, tree, near, alphabet, rng)
        return 1

    title = f"genetic algorithm 8×8, {len(lexicon.strings):,} strings"
    return Row(title, _rate(fast, seconds), _rate(slow, seconds), wanted, "generations/s")


def annealing(lexicon, wanted, seconds):
    """Moves of simulated annealing a second on 8 × 8, over the first cycle's temperatures."""
    puzzle = BogglePuzzle.create(lexicon, BoggleParams())
    params = AnnealingParams(first_cycle=100, growth=0)
    solvers = (Annealing.create(puzzle, params, seed) for seed in range(10**9))
    solver = next(solvers)

    def fast():
        nonlocal solver
        progress = solver.advance(10)
        if progress.status is not Status.RUNNING:
            solver = next(solvers)
        return progress.units * solver.block

    near, tree = plain.neighbours(8, 8), plain.prefix_tree(lexicon.strings)
    cells = next(solvers).advance(100).best.cells
    letters = [lexicon.alphabet[cell] for cell in cells]
    rng = random.Random(1)

    def slow():
        cell, letter = rng.randrange(64), rng.choice(lexicon.alphabet)
        before, letters[cell] = letters[cell], letter
        plain.encoded(letters, tree, near)
        letters[cell] = before
        return 1

    title = f"simulated annealing 8×8, {len(lexicon.strings):,} strings"
    return Row(title, _rate(fast, seconds), _rate(slow, seconds), wanted, "moves/s")


def rows(effort):
    """Measure everything; each row takes about four times ``effort.seconds`` at the most."""
    seconds, many, most = effort.seconds, effort.of(20_000, 700), effort.of(60_000, 800)
    yield scoring("english-small", 40, 1_000_000, seconds)
    yield scoring("english-medium", many, 15_000, seconds)
    yield classic("score random 4×4 grids, classic rule, ENABLE", seconds)
    yield classic("score the best of them, 3,625 points", seconds, "perslatgsineters")
    yield genetic(cut("english-small", 110), 2_000, seconds, effort.of(2_000, 20))
    yield genetic(cut("english-medium", most), 60, seconds, effort.of(300, 3))
    yield annealing(cut("english-small", 40), 1_000_000, seconds)
    yield annealing(cut("english-medium", many), 15_000, seconds)
