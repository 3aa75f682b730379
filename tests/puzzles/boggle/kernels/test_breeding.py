"""Breeding kernels: the rules of crossing and mutation, one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tilelab.puzzles.boggle.kernels.breeding import breed, count_distinct, letter_of, mutate

HALF = 2**31
THRESHOLDS = np.array([2**30, 2**31, 2**32], dtype=np.uint64)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("word", "symbol"), [(0, 0), (2**30 - 1, 0), (2**30, 1), (2**31, 2), (2**32 - 1, 2)]
)
def test_letter_of_a_word(word, symbol):
    assert letter_of(np.uint32(word), THRESHOLDS) == symbol


@given(st.integers(0, 2**32 - 1), st.integers(1, 64))
def test_letters_follow_the_oracle(word, n_symbols):
    ends = np.array([round((i + 1) / n_symbols * 2**32) for i in range(n_symbols)], np.uint64)
    assert letter_of(np.uint32(word), ends) == naive.letter_of(word, ends)


@pytest.mark.plain
def test_each_cell_comes_from_the_parent_whose_cell_is_used_more():
    parents = np.array([[0, 0, 0, 0, 0], [1, 1, 1, 1, 1]], np.uint8)
    usage = np.array([[3, 1, 2, 2, 0], [1, 3, 2, 2, 0]], np.int32)
    words = np.array([[0, 0, HALF, HALF - 1, 2**32 - 1]], np.uint32)
    children = np.empty((1, 5), np.uint8)
    breed(parents, usage, words, THRESHOLDS, children)
    # more used, more used, coin for the first, coin for the second, random letter
    assert children.tolist() == [[0, 1, 0, 1, 2]]


@pytest.mark.plain
def test_every_pair_has_one_child_in_order():
    parents = np.array([[0], [1], [2]], np.uint8)
    usage = np.array([[3], [2], [1]], np.int32)
    children = np.empty((3, 1), np.uint8)
    breed(parents, usage, np.zeros((3, 1), np.uint32), THRESHOLDS, children)
    assert children.tolist() == [[0], [0], [1]]


@pytest.mark.plain
def test_mutation_puts_one_letter_a_row():
    grids = np.zeros((2, 4), np.uint8)
    words = np.array([[HALF, 3 * 2**30, 2**32 - 1]], np.uint32)
    mutate(words, THRESHOLDS, grids)
    assert grids.tolist() == [[0, 0, 0, 0], [0, 0, 0, 2]]


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=1, max_size=30))
def test_distinct_grids_are_counted(rows):
    grids = np.array(rows, np.uint8)
    assert count_distinct(grids) == len({tuple(row) for row in rows})
