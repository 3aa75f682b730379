"""How many cases a fuzz test tries; ``TILELAB_FUZZ=100 pytest …`` tries a hundred times as many.

The default run tries a third of them, ``--all`` tries all.
"""

import os

from hypothesis import HealthCheck, settings


def cases(count):
    """Return the settings of a fuzz test; the cases are the same in every run of the suite."""
    factor = float(os.environ.get("TILELAB_FUZZ", "0.34"))
    return settings(
        max_examples=max(1, round(count * factor)),
        deadline=None,
        derandomize=factor <= 1,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
