"""A puzzle and its solver as a package from outside brings them: only what is promised in core."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tilelab.core.errors import GridError
from tilelab.core.flags import Flag, checked, text_of
from tilelab.core.parameters import Params, parameter, validate
from tilelab.core.puzzle import Cells, Puzzle, PuzzleSpec, cells_of, part_of
from tilelab.core.solver import SolverSpec, Status
from tilelab.solvers.base import SolverBase


class LampsParams(Params):
    cells: int = parameter(6, "Cells", low=1, high=20, help="Lamps in the row.")


@dataclass(frozen=True, eq=False)
class Lamps(Puzzle):
    """A row of lamps; the more are on, the better."""

    spec: ClassVar[PuzzleSpec] = PuzzleSpec(
        key="lamps",
        title="Lamps",
        source="nobody",
        params=LampsParams,
        value_title="on",
        default_solver="zapping",
    )
    params: LampsParams
    start: Cells

    @classmethod
    def flags(cls) -> tuple[Flag, ...]:
        return (Flag("lamps", "ROW", "The lamps, 1 for on and 0 for off."),)

    @classmethod
    def from_flags(cls, values) -> Iterator["Lamps"]:
        row = text_of(values, "lamps")
        if row is not None:
            values = {**values, "cells": len(row)}
        params = checked(LampsParams, values)
        puzzle = cls(params, np.zeros(params.cells, np.uint8))
        yield puzzle if row is None else puzzle.starting_with(puzzle.parse([row]))

    @property
    def shape(self):
        return 1, self.params.cells

    def score(self, cells):
        return float(cells.sum())

    def rows_of(self, cells):
        return ("".join(map(str, cells.tolist())),)

    def parse(self, rows):
        cells = np.array([int(sign) for sign in rows[0] if sign in "01"], np.uint8)
        self.require(cells)
        return cells

    def require(self, cells):
        if cells.shape != (self.params.cells,) or cells.max() > 1:
            raise GridError(f"a row has {self.params.cells} lamps, each 0 or 1")

    def starting_with(self, cells):
        return replace(self, start=cells)

    def instance(self):
        return {"lamps": self.rows_of(self.start)[0]}

    def describe(self):
        return {"params": self.params.model_dump(mode="json"), "start": self.start.tolist()}

    @classmethod
    def from_description(cls, description):
        params = validate(LampsParams, part_of(description, "params", dict))
        return cls(params, cells_of(description, "start"))

    @classmethod
    def from_record(cls, record):
        params = validate(LampsParams, record.puzzle_params)
        puzzle = cls(params, np.zeros(params.cells, np.uint8))
        return puzzle.starting_with(puzzle.parse([record.instance["lamps"]]))


class ZappingParams(Params):
    zaps: int = parameter(1, "Zaps", low=1, high=9, help="Lamps turned a unit.", live=True)


class Zapping(SolverBase[Lamps, ZappingParams]):
    """Turns lamps on, wherever they are."""

    spec = SolverSpec(
        key="zapping",
        title="Zapping",
        source="nobody",
        puzzles=("lamps",),
        params=ZappingParams,
        unit="zap",
        metrics=("best_ever",),
        version=1,
    )

    def prepare(self):
        self._cells = self._puzzle.start.copy()

    def do_unit(self):
        self._cells[self._rng.integers(0, len(self._cells), self._params.zaps)] = 1
        self._offer(self._cells, self._puzzle.score(self._cells))
        if self._cells.all():
            self._end(Status.SOLVED)
        return (self._best_value,)

    def arrays(self):
        return {"cells": self._cells.copy()}

    def set_state(self, snapshot):
        self._cells = snapshot.array("cells", np.uint8, self._cells.size).copy()
