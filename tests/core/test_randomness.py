"""The run's generator and its state in six numbers."""

import numpy as np
import pytest

from tilelab.core.errors import ParameterError, SnapshotError
from tilelab.core.randomness import MAX_SEED, generator, generator_from_state, generator_state


def test_known_first_words_of_pcg64():
    assert generator(1).integers(0, 2**32, 3, dtype=np.uint32).tolist() == (
        np.random.Generator(np.random.PCG64(1)).integers(0, 2**32, 3, dtype=np.uint32).tolist()
    )


@pytest.mark.parametrize("n_drawn", [0, 1, 2, 7])
def test_a_restored_generator_goes_on(n_drawn):
    rng = generator(99)
    rng.integers(0, 2**32, n_drawn, dtype=np.uint32)
    words = generator_state(rng)
    expected = rng.integers(0, 2**32, 9, dtype=np.uint32)
    again = generator_from_state(words)
    assert again.integers(0, 2**32, 9, dtype=np.uint32).tolist() == expected.tolist()


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1])
def test_seeds_outside_the_range_are_refused(seed):
    with pytest.raises(ParameterError, match=str(seed)):
        generator(seed)


def test_another_shape_is_refused():
    with pytest.raises(SnapshotError):
        generator_from_state(np.zeros(5, np.uint64))
