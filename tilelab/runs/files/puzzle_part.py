"""A puzzle in a file: its description as JSON, and its arrays; and puzzles and snapshots as bytes.

The bytes are zips of arrays, like run files, for other machines. The same version of the program
reads them, and they are never kept.
"""

import functools
import io
from collections.abc import Mapping, Sequence

import numpy as np

from tilelab import catalog
from tilelab.core.errors import RunFileError
from tilelab.core.plain import Arrays, Described, Json, JsonObject
from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import Snapshot
from tilelab.runs.files.array_zip import read_zip, write_zip
from tilelab.runs.files.header import PuzzlePart, SolverPart

_ARRAY = "array"
_MAX_KEPT = 4


def describe_puzzle(puzzle: Puzzle, arrays: Arrays) -> JsonObject:
    """Return the description of a puzzle; its arrays are added to ``arrays``."""
    description = _without_arrays(puzzle.describe(), "puzzle", arrays)
    return {"key": puzzle.spec.key, "description": description}


def read_puzzle(key: str, description: JsonObject, arrays: Arrays) -> Puzzle:
    """Make the puzzle again; its arrays are taken out of ``arrays``. Raises TileLabError."""
    puzzle_class = catalog.puzzle(key)
    described = {name: _with_arrays(part, arrays) for name, part in description.items()}
    return puzzle_class.from_description(described)


def _without_arrays(value: Described, name: str, arrays: Arrays) -> Json:
    """Set the arrays of a description aside; each is replaced by its name."""
    if isinstance(value, np.ndarray):
        arrays[name] = value
        return {_ARRAY: name}
    if isinstance(value, Mapping):
        return {key: _without_arrays(part, f"{name}.{key}", arrays) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_without_arrays(part, name, arrays) for part in value]
    return value


def _with_arrays(value: Json, used: Arrays) -> Described:
    """Inverse of :func:`_without_arrays`; takes the arrays out of ``used``."""
    if not isinstance(value, Mapping):
        return value
    if value.keys() == {_ARRAY}:
        name = str(value[_ARRAY])
        if name not in used:
            raise RunFileError.tr("its array {name} is missing", name=name[:60])
        return used.pop(name)
    return {key: _with_arrays(part, used) for key, part in value.items()}


def pack_puzzle(puzzle: Puzzle) -> bytes:
    """Write a puzzle; the same one gives the same bytes."""
    arrays: Arrays = {}
    return _pack(describe_puzzle(puzzle, arrays), arrays)


@functools.lru_cache(maxsize=_MAX_KEPT)
def unpack_puzzle(data: bytes) -> Puzzle:
    """Inverse of :func:`pack_puzzle`; the last few are kept."""
    header, arrays = read_zip(io.BytesIO(data))
    part = PuzzlePart.model_validate(header)
    return read_puzzle(part.key, part.description, arrays)


def pack_snapshot(snapshot: Snapshot) -> bytes:
    """Write a solver's state."""
    header: JsonObject = {
        "key": snapshot.solver,
        "version": snapshot.version,
        "params": dict(snapshot.params),
        "scalars": dict(snapshot.scalars),
    }
    return _pack(header, snapshot.arrays)


def unpack_snapshot(data: bytes) -> Snapshot:
    """Inverse of :func:`pack_snapshot`."""
    header, arrays = read_zip(io.BytesIO(data))
    part = SolverPart.model_validate(header)
    return Snapshot(part.key, part.version, part.params, part.scalars, arrays)


def _pack(header: JsonObject, arrays: Arrays) -> bytes:
    stream = io.BytesIO()
    write_zip(stream, header, arrays)
    return stream.getvalue()
