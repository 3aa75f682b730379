"""Errors of other people's code, in a sentence."""

import numpy as np
import pytest

from tests.experiments.plans import jobs, small
from tilelab.core.errors import error_text
from tilelab.experiments import job_run

NO_MEMORY = "there is not enough memory"


def _refused_array():
    with pytest.raises(MemoryError) as fault:
        np.empty(1 << 58, np.uint8)
    return fault.value


ERRORS = {
    "numpy": (_refused_array, NO_MEMORY),
    "LLVM": (lambda: RuntimeError("LLVM ERROR: Unable to allocate section memory!"), NO_MEMORY),
    "llvmlite": (lambda: OSError("cannot allocate executable memory. This may be"), NO_MEMORY),
    "Python": (MemoryError, NO_MEMORY),
    "a search": (lambda: MemoryError("9 MB are granted"), f"{NO_MEMORY}: 9 MB are granted"),
    "anything else": (lambda: ValueError("no\nboard"), "ValueError: no board"),
}


@pytest.mark.parametrize("who", ERRORS)
def test_where_memory_is_short_one_sentence_says_so(who, monkeypatch):
    """What numpy and LLVM say of their own arrays and sections was shown as it was."""
    made, said = ERRORS[who]

    def fail(job):
        raise made()

    assert error_text(made()) == said
    monkeypatch.setattr(job_run, "session_of", fail)
    assert job_run.run_job(jobs(small())[0]).row["error"] == said
