"""Large arrays whose memory can be given back piece by piece.

To free a gigabyte at once can hold up everything for a second.
"""

import mmap
import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

_PIECE = 1 << 25


class RoomyArray:
    """A uint8 array of zeros."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._room = mmap.mmap(-1, int(np.prod(shape)))
        if sys.platform == "linux":
            self._room.madvise(mmap.MADV_HUGEPAGE)
        self.array: NDArray[np.uint8] = np.frombuffer(self._room, np.uint8).reshape(shape)

    def release(self) -> Iterator[None]:
        """Give the memory back; what is in the array is lost."""
        if sys.platform == "linux":
            for first in range(0, len(self._room), _PIECE):
                n_bytes = min(_PIECE, len(self._room) - first)
                self._room.madvise(mmap.MADV_DONTNEED, first, n_bytes)
                yield
