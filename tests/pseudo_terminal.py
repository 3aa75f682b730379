"""A terminal that is none, for programs that ask whether they have one."""

import os

import pytest


def opened_terminal():
    """Return both sides of a pseudo-terminal; skips the test where there is none, as in a chroot.

    The first reads what the program shows, the second is handed to it.
    """
    try:
        return os.openpty()
    except (AttributeError, OSError) as fault:
        pytest.skip(f"needs a pseudo-terminal: {fault}")
