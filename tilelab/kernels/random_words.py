"""Random numbers from 64-bit words; the state is a word, too."""

import numpy as np

from tilelab.kernels.decorators import part


@part
def next_word(word):
    """Return the state after ``word`` and a random 64-bit word (SplitMix64, Steele et al. 2014)."""
    state = word + np.uint64(0x9E3779B97F4A7C15)
    mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state, mixed ^ (mixed >> np.uint64(31))


@part
def below(word, bound):
    """Turn a random word into a whole number below a bound of at most 32 bits."""
    return np.int64(((word >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@part
def fraction(word):
    """Turn a random word into a number in [0, 1)."""
    return np.float64(word >> np.uint64(11)) * 2.0**-53
