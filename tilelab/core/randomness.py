"""The PCG64 generator of a run, and its state as six numbers."""

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import ParameterError, SnapshotError
from tilelab.core.text.language import tr

MAX_SEED = 2**63 - 1
_WORD = 2**64


def generator(seed: int) -> np.random.Generator:
    """Make the generator of a run; raises ParameterError unless seed is in 0..2**63 - 1."""
    if not 0 <= seed <= MAX_SEED:
        raise ParameterError(
            "seed", tr("seed: {seed} is outside 0..{max_seed}", seed=seed, max_seed=MAX_SEED)
        )
    return np.random.Generator(np.random.PCG64(seed))


def generator_state(rng: np.random.Generator) -> NDArray[np.uint64]:
    """Return the state, uint64 (6,): state high, low, increment high, low, spare flag, spare."""
    whole = rng.bit_generator.state
    state, increment = whole["state"]["state"], whole["state"]["inc"]
    words = [
        *divmod(state, _WORD),
        *divmod(increment, _WORD),
        whole["has_uint32"],
        whole["uinteger"],
    ]
    return np.array(words, dtype=np.uint64)


def generator_from_state(words: NDArray[np.uint64]) -> np.random.Generator:
    """Inverse of :func:`generator_state`; raises SnapshotError on another shape."""
    if words.shape != (6,) or words.dtype != np.uint64:
        raise SnapshotError("the random state is not six 64-bit numbers")
    high, low, increment_high, increment_low, has_spare, spare = (int(word) for word in words)
    bits = np.random.PCG64()
    bits.state = {
        "bit_generator": "PCG64",
        "state": {"state": high * _WORD + low, "inc": increment_high * _WORD + increment_low},
        "has_uint32": has_spare,
        "uinteger": spare,
    }
    return np.random.Generator(bits)
