"""Cases of which some are tried by default, and all with --all."""

import pytest


def thinned(cases, every):
    """Mark all but each n-th of a test's cases as exhaustive; the first is always tried.

    A plain tuple holds a value for each argument of the test.
    """
    marks = [() if place % every == 0 else pytest.mark.exhaustive for place in range(len(cases))]
    return [
        pytest.param(*case if type(case) is tuple else (case,), marks=mark)
        for case, mark in zip(cases, marks, strict=True)
    ]
