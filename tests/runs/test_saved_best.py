"""Which of two bests stays on disk."""

import itertools

from tilelab.runs.checkpoints.run_folder import KeptBest

# From the least on: what it is worth, its moves if it is a solution, whether they are the fewest.
RANKED = (
    (-7.0, None, None),
    (-2.0, None, None),
    (0.0, None, None),
    (0.0, "UDLRUL", False),
    (0.0, "UDLR", None),
    (0.0, "UD", False),
    (0.0, "UD", True),
    (120.0, None, None),
    (122.0, None, None),
)


def test_what_is_worth_more_or_as_much_after_fewer_moves_is_better():
    saved = [
        KeptBest.model_construct(value=value, moves=moves, optimal=optimal)
        for value, moves, optimal in RANKED
    ]
    for (one, worse), (other, better) in itertools.combinations(enumerate(saved), 2):
        assert better.is_better_than(worse), (RANKED[one], RANKED[other])
        assert not worse.is_better_than(better), (RANKED[one], RANKED[other])
    assert not any(one.is_better_than(one) for one in saved)
