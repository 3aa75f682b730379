"""The best boards of a run in the order in which they were found, in bounded memory."""

import itertools
import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from tilelab.core.errors import SnapshotError
from tilelab.core.plain import AnyArray, Arrays
from tilelab.core.solver import Best

MAX_BESTS = 256  # beyond it, the one that was best for the fewest units goes
MAX_MOVES = 1 << 22  # largest total length of all their paths, in moves
_TYPES = {
    "cells": np.uint8,
    "value": np.float64,
    "unit": np.int64,
    "seconds": np.float64,
    "optimal": np.int8,
    "n_moves": np.int64,
    "moves": np.uint8,
}
_NONE = -1  # represents None in the integer arrays


@dataclass(frozen=True, eq=False)
class Found:
    best: Best
    seconds: float  # running time, pauses left out


class Bests:
    """A growing list that keeps the first and the newest best; the others by their units."""

    def __init__(self, found: Iterable[Found] = ()) -> None:
        self._all = list(found)
        self._n_moves = sum(len(each.best.moves or "") for each in self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Found]:
        return iter(self._all)

    @property
    def newest(self) -> Found | None:
        return self._all[-1] if self._all else None

    def append(self, best: Best, seconds: float) -> None:
        """Add a new best; it replaces the newest one if both were found in the same unit."""
        if self._all and self._all[-1].best.unit >= best.unit:
            self._remove(-1)
        self._all.append(Found(best, seconds))
        self._n_moves += len(best.moves or "")
        while len(self._all) > 2 and (len(self._all) > MAX_BESTS or self._n_moves > MAX_MOVES):
            units = [found.best.unit for found in self._all]
            gaps = list(map(operator.sub, units[2:], units))
            self._remove(1 + gaps.index(min(gaps)))

    def _remove(self, place: int) -> None:
        self._n_moves -= len(self._all.pop(place).best.moves or "")

    def at(self, unit: float) -> Found | None:
        """Return the best at a moment: the last one found in that unit or before; None if none."""
        return next((found for found in reversed(self._all) if found.best.unit <= unit), None)

    def copy(self) -> "Bests":
        """Return a copy that does not grow with this one; its contents never change."""
        return Bests(self._all)

    def to_plain(self) -> Arrays:
        """Copy everything out as arrays: n bests of c cells.

        cells: uint8 (n, c). value, seconds: float64 (n,). unit: int64 (n,). optimal: int8 (n,), -1
        for None. n_moves: int64 (n,), -1 for None. moves: uint8, all paths behind each other.
        """
        bests = [found.best for found in self._all]
        paths = [best.moves for best in bests]
        plain = {
            "cells": np.array([best.cells for best in bests]).reshape(len(bests), -1)
            if bests
            else np.empty((0, 0)),
            "value": [best.value for best in bests],
            "unit": [best.unit for best in bests],
            "seconds": [found.seconds for found in self._all],
            "optimal": [_NONE if best.optimal is None else best.optimal for best in bests],
            "n_moves": [_NONE if path is None else len(path) for path in paths],
            "moves": np.frombuffer("".join(path or "" for path in paths).encode("ascii"), np.uint8),
        }
        return {name: np.array(plain[name], dtype) for name, dtype in _TYPES.items()}

    @classmethod
    def from_plain(cls, plain: Mapping[str, AnyArray]) -> Self:
        """Inverse of :meth:`to_plain`; raises SnapshotError. The cells are not checked."""
        for name, dtype in _TYPES.items():
            array = plain.get(name)
            if array is None or array.dtype != dtype or array.ndim != (2 if name == "cells" else 1):
                raise SnapshotError(f"the best boards have no {name} of the type {np.dtype(dtype)}")
        n_bests, n_moves = len(plain["cells"]), plain["n_moves"]
        if any(len(plain[name]) != n_bests for name in _TYPES if name != "moves"):
            raise SnapshotError("the best boards have not one value each of everything")
        units, seconds = plain["unit"], plain["seconds"]
        if bool((units < 0).any() or (np.diff(units) <= 0).any()):
            raise SnapshotError("the best boards are not in the order in which they were found")
        if not bool(np.isfinite(seconds).all() and (seconds >= 0).all()):
            raise SnapshotError("the times of the best boards are not all numbers from 0 up")
        ends = list(itertools.accumulate(np.maximum(n_moves, 0).tolist(), initial=0))
        is_as_long = ends[-1] == len(plain["moves"]) <= 2 * MAX_MOVES
        if n_bests > MAX_BESTS or not is_as_long or bool((n_moves < _NONE).any()):
            raise SnapshotError(
                "the moves of the best boards have not the lengths they should have"
            )
        if not bool(np.isin(plain["optimal"], (_NONE, 0, 1)).all()):
            raise SnapshotError("a best board is neither proven optimal nor not")
        found = []
        for place in range(n_bests):
            cells = plain["cells"][place].copy()
            cells.flags.writeable = False
            path = bytes(plain["moves"][ends[place] : ends[place + 1]]).decode("ascii", "replace")
            optimal = int(plain["optimal"][place])
            best = Best(
                cells,
                float(plain["value"][place]),
                int(units[place]),
                None if n_moves[place] == _NONE else path,
                None if optimal == _NONE else bool(optimal),
            )
            found.append(Found(best, float(seconds[place])))
        return cls(found)
