"""Puzzles and snapshots as bytes, for other machines: zips of arrays as run files are.

They are read by the same version of the program, and never kept.
"""

import functools
import io

from tilelab.core.plain import Arrays, JsonObject
from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import Snapshot
from tilelab.runs.files.array_zip import read_zip, write_zip
from tilelab.runs.files.header import PuzzlePart, SolverPart
from tilelab.runs.files.puzzle_part import read_puzzle, written_puzzle

_MOST_KEPT = 4


def packed_puzzle(puzzle: Puzzle) -> bytes:
    """Write a puzzle; the same one gives the same bytes."""
    arrays: Arrays = {}
    return _packed(written_puzzle(puzzle, arrays), arrays)


@functools.lru_cache(maxsize=_MOST_KEPT)
def unpacked_puzzle(data: bytes) -> Puzzle:
    """Inverse of :func:`packed_puzzle`; the last few are kept."""
    header, arrays = read_zip(io.BytesIO(data))
    part = PuzzlePart.model_validate(header)
    return read_puzzle(part.key, part.description, arrays)


def packed_snapshot(snapshot: Snapshot) -> bytes:
    """Write a solver's state."""
    header: JsonObject = {
        "key": snapshot.solver,
        "version": snapshot.version,
        "params": dict(snapshot.params),
        "scalars": dict(snapshot.scalars),
    }
    return _packed(header, snapshot.arrays)


def unpacked_snapshot(data: bytes) -> Snapshot:
    """Inverse of :func:`packed_snapshot`."""
    header, arrays = read_zip(io.BytesIO(data))
    part = SolverPart.model_validate(header)
    return Snapshot(part.key, part.version, part.params, part.scalars, arrays)


def _packed(header: JsonObject, arrays: Arrays) -> bytes:
    stream = io.BytesIO()
    write_zip(stream, header, arrays)
    return stream.getvalue()
