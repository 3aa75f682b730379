"""Python imports this at the start of a program that finds it on its path; see ``programs.py``.

What has been written survives a kill whether it was flushed or not: only a power cut needs that.
How long a disk takes for it, seconds at times, depends on what else is written to it.
"""

import os


def _not_flushed(handle: int) -> None:
    """Stand in for os.fsync."""


os.fsync = _not_flushed
