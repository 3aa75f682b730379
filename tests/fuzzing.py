"""How many cases a fuzz test tries; ``TILELAB_FUZZ=100 pytest …`` tries a hundred times as many."""

import os

from hypothesis import HealthCheck, settings


def cases(count):
    """Return the settings of a fuzz test; the cases are the same in every run of the suite."""
    factor = int(os.environ.get("TILELAB_FUZZ", "1"))
    return settings(
        max_examples=count * factor,
        deadline=None,
        derandomize=factor == 1,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
