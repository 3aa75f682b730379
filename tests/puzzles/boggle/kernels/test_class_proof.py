"""Classes of boards for a proof: figures of hybrid-boggle, and the boards of plain Python."""

import itertools

import numpy as np
import pytest

from tilelab.core.errors import TileLabError
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.maker import proof
from tilelab.puzzles.boggle.maker.proof import ClassProver, claim_of, words_of
from tilelab.puzzles.boggle.maker.proof_check import ProofClaim, examine, score, spelling_of
from tilelab.puzzles.boggle.paths import neighbours
from tilelab.puzzles.boggle.puzzle import BogglePuzzle

POINTS = {"fitness": "points", "reuse": "once"}
ORDER_3X3 = (4, 5, 3, 1, 7, 0, 2, 6, 8)
"""The order of cells in which hybrid-boggle has its figures."""


@pytest.fixture(scope="module")
def enable():
    return open_lexicon("enable")


def prover_of(lexicon, shape, groups, order, at_least):
    """Return the arrays for a single class, whose number is 0."""
    rows, cols = shape
    values = {"rows": rows, "cols": cols, "qu_tile": True, **POINTS}
    puzzle = BogglePuzzle.from_values(lexicon, values)
    groups = [(group,) for group in groups.split()]
    return ClassProver(puzzle, ProofClaim(shape, neighbours(puzzle.rules), groups, order, at_least))


def count_spellings(prover):
    """Let a word count for each order of the same cells and letters."""
    words = prover._words
    prover._words = words._replace(is_repeating=np.zeros_like(words.is_repeating))


def test_3x3_classes_have_the_bounds_of_the_paper(enable):
    """Noticed: a word that counts for each order of its cells; a tree whose cells choose twice."""
    groups = "lnrsy aeiou chkmpt chkmpt aeiou lnrsy lnrsy aeiou bdfgjvwxz"
    prover = prover_of(enable, (3, 3), groups, ORDER_3X3, 500)
    assert prover.examine(0).bound == 1231
    count_spellings(prover)
    assert prover.examine(0).bound == 1449


def test_a_fixed_cell_has_the_bounds_of_the_paper(enable):
    """Noticed: merged nodes that lose points or children."""
    bounds = {}
    for vowel in ("aeiou", *"aeiou"):
        groups = f"lnrsy chkmpt lnrsy aeiou {vowel} aeiou chkmpt lnrsy bdfgjqvwxz"
        prover = prover_of(enable, (3, 3), groups, ORDER_3X3, 500)
        count_spellings(prover)
        root = prover.examine(0).bound
        bounds[vowel] = root if len(vowel) > 1 else int(prover._depth.counts[1])
    assert bounds == {"aeiou": 1523, "a": 1198, "e": 1417, "i": 994, "o": 862, "u": 753}


def test_a_3x4_class_has_the_bounds_and_boards_of_the_paper(enable, monkeypatch):
    """Noticed: an order of cells or a switch that makes other trees; boards that are lost."""
    monkeypatch.setattr(proof, "_SWITCH", 2.5)
    groups = (
        "chkmpt aeiou lnrsy lnrsy lnrsy aeiou chkmpt aeiou lnrsy aeiou lnrsy bdfgjvwxz"  # 3 x 4
    )
    puzzle = BogglePuzzle.from_values(enable, {"rows": 3, "cols": 4, "qu_tile": True, **POINTS})
    order = claim_of(puzzle, 1400).order
    prover = prover_of(enable, (3, 4), groups, order, 1400)
    one = prover.examine(0)
    assert prover._depth.counts[:4].tolist() == [5496, 4694, 3951, 3125]
    assert len(one.boards) == 2084
    assert sum(value >= 1400 for value in one.boards.values()) == 12


def random_words(rng):
    """Write words that often use a letter twice."""
    words = {"".join(rng.choice(list("abcd"), int(rng.integers(2, 7)))) for _ in range(40)}
    return parse_lexicon("\n".join(sorted(words)).encode(), "words")


@pytest.mark.every(5)
@pytest.mark.parametrize("switch", [0.0, 1.3, 1e6], ids=["merged", "both", "depth-first"])
@pytest.mark.parametrize("seed", range(4))
def test_the_boards_that_remain_are_those_of_plain_python(seed, switch, monkeypatch):
    """Noticed: a bound that is too low or too high, whether by merging or depth first."""
    monkeypatch.setattr(proof, "_SWITCH", switch)
    rng = np.random.default_rng(seed)
    rows, cols = ((2, 3), (3, 3), (2, 4), (1, 5))[seed]
    values = {"rows": rows, "cols": cols, "fitness": ("length", "count")[seed % 2], "reuse": "once"}
    if seed == 2:
        values |= {"adjacency": "rook", "torus": True}
    puzzle = BogglePuzzle.from_values(random_words(rng), values)
    groups = [(("ab", "cd", "acd")[int(rng.integers(3))],) for _ in range(rows * cols)]
    order = claim_of(puzzle, 1).order
    near, words = neighbours(puzzle.rules), words_of(puzzle)
    trie = spelling_of(words)
    root = (
        ClassProver(puzzle, ProofClaim((rows, cols), near, groups, order, 10**6)).examine(0).bound
    )
    for at_least in (1, root // 3, root // 2, root):
        claim = ProofClaim((rows, cols), near, groups, order, max(at_least, 1))
        prover = ClassProver(puzzle, claim)
        one = prover.examine(0)
        bound, boards = examine(claim, words, trie, [group for (group,) in groups])
        assert one.bound == bound
        assert set(one.boards) == boards
        assert all(value == score(board, near, trie, words) for board, value in one.boards.items())
        if rows * cols < 7:
            every = map("".join, itertools.product(*(group for (group,) in groups)))
            best = {board for board in every if score(board, near, trie, words) >= claim.at_least}
            assert best <= boards


def test_arrays_grow_when_a_class_needs_it():
    """Noticed: a class that is closed although its arrays were too small."""
    puzzle = BogglePuzzle.from_values(
        random_words(np.random.default_rng(1)), {"rows": 3, "cols": 3, **POINTS}
    )
    claim = claim_of(puzzle, 6)
    roomy, tight = ClassProver(puzzle, claim), ClassProver(puzzle, claim)
    tight._room = {"paths": 64, "nodes": 4, "links": 1}
    tight._make_arrays()
    for number in proof.classes_of(claim)[:4]:
        assert tight.examine(number) == roomy.examine(number)
    assert all(tight._room[name] > size for name, size in (("nodes", 4), ("links", 1)))


def test_sums_that_need_more_than_32_bits_are_refused(monkeypatch):
    """Noticed: a bound that is too low because it has overflowed."""
    puzzle = BogglePuzzle.from_values(
        random_words(np.random.default_rng(1)), {"rows": 3, "cols": 3, **POINTS}
    )
    prover = ClassProver(puzzle, claim_of(puzzle, 6))
    monkeypatch.setattr(proof, "_MAX_TOTAL", 10)
    with pytest.raises(TileLabError, match="total value above 10"):
        prover.examine(2**9 - 1)
