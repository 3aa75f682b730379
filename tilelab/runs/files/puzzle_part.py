"""A puzzle in a file: what makes it as JSON, and the arrays in it beside that."""

from collections.abc import Mapping, Sequence

import numpy as np

from tilelab import catalog
from tilelab.core.errors import RunFileError
from tilelab.core.plain import Arrays, Described, Json, JsonObject
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr

_ARRAY = "array"


def written_puzzle(puzzle: Puzzle, arrays: Arrays) -> JsonObject:
    """Return what makes a puzzle; its arrays are added to ``arrays``."""
    description = _without_arrays(puzzle.describe(), "puzzle", arrays)
    return {"key": puzzle.spec.key, "description": description}


def read_puzzle(key: str, description: JsonObject, arrays: Arrays) -> Puzzle:
    """Make the puzzle again; its arrays are taken out of ``arrays``. Raises TileLabError."""
    puzzle_class = catalog.puzzle(key)
    described = {name: _with_arrays(part, arrays) for name, part in description.items()}
    return puzzle_class.from_description(described)


def _without_arrays(value: Described, name: str, arrays: Arrays) -> Json:
    """Set the arrays of a description aside; in their place stands where they are."""
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
            raise RunFileError(tr("its array {value} is missing").format(value=name[:60]))
        return used.pop(name)
    return {key: _with_arrays(part, used) for key, part in value.items()}
