"""A puzzle and its solver as a package from outside brings them: only what is promised in core."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tilelab.core.errors import GridError
from tilelab.core.flags import Flag, checked, text_of
from tilelab.core.parameters import Params, live_value, parameter, validate
from tilelab.core.puzzle import Best, Cells, Puzzle, PuzzleSpec, cells_of, part_of
from tilelab.core.randomness import generator, generator_from_state, generator_state
from tilelab.core.solver import Progress, Snapshot, SolverSpec, Status


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
        self.demand(cells)
        return cells

    def demand(self, cells):
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


class Zapping:
    """Turns a lamp anywhere, and lets it be when that is no worse."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="zapping",
        title="Zapping",
        source="nobody",
        puzzles=("lamps",),
        params=ZappingParams,
        unit="zap",
        metrics=("best_ever",),
        version=1,
    )

    def __init__(self, puzzle, params, rng):
        self.params = params
        self._puzzle, self._rng = puzzle, rng
        self._cells, self._unit = puzzle.start.copy(), 0

    @classmethod
    def create(cls, puzzle, params, seed):
        return cls(puzzle, params, generator(seed))

    def advance(self, units):
        before, trace, done = self._puzzle.score(self._cells), [], 0
        status, best = Status.RUNNING, None
        while done < units and status is Status.RUNNING:
            for cell in self._rng.integers(0, len(self._cells), self.params.zaps):
                self._cells[cell] = 1
            value = self._puzzle.score(self._cells)
            trace.append([value])
            if value > before or not self._unit:
                best, before = Best(self._cells.copy(), value, self._unit), value
            self._unit, done = self._unit + 1, done + 1
            if value == len(self._cells):
                status = Status.SOLVED
        return Progress(status, done, np.array(trace).reshape(-1, 1), best)

    def set_live(self, name, value):
        self.params = live_value(self.params, name, value)

    def snapshot(self):
        arrays = {"random_state": generator_state(self._rng), "cells": self._cells.copy()}
        params = self.params.model_dump(mode="json")
        return Snapshot("zapping", 1, params, {"unit": self._unit}, arrays)

    @classmethod
    def restore(cls, puzzle, snapshot):
        snapshot.demand(cls.spec)
        random_state = generator_from_state(snapshot.arrays["random_state"])
        solver = cls(puzzle, validate(ZappingParams, snapshot.params), random_state)
        solver._cells, solver._unit = snapshot.arrays["cells"].copy(), snapshot.scalars["unit"]
        return solver
