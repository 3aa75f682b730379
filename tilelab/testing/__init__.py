"""The contracts of solvers, puzzles and heuristics as tests, for TileLab and for plug-ins.

They need pytest. A test file inherits the contracts that it needs, and names their subjects.
"""

import pytest

pytest.register_assert_rewrite(
    "tilelab.testing.heuristics", "tilelab.testing.puzzles", "tilelab.testing.solvers"
)
