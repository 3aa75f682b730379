"""How much memory there is."""

import os

_FALLBACK_MEGABYTES = 2048


def free_megabytes() -> int:
    """Return how much memory is free for programs."""
    try:
        pages: int = os.sysconf("SC_AVPHYS_PAGES")
        return max(pages * os.sysconf("SC_PAGE_SIZE") >> 20, 64)
    except (AttributeError, ValueError, OSError):
        return _FALLBACK_MEGABYTES
