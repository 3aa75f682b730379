"""Lights out: every button switches its own lamp and those next to it; switch all of them off."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tilelab.core.errors import GridError
from tilelab.core.flags import checked
from tilelab.core.parameters import Params, parameter, validate
from tilelab.core.plain import Description, JsonObject, Values
from tilelab.core.puzzle import Cells, InstanceRecord, Puzzle, PuzzleSpec, cells_of, part_of
from tilelab.core.randomness import generator
from tilelab.core.registry import register_puzzle

SIGNS = "01"
"""A button that is left alone, and one that is pressed."""


class LightsParams(Params):
    """The board, and which lamps are on at first."""

    rows: int = parameter(5, "Rows", low=2, high=9, help="Rows of lamps.")
    cols: int = parameter(5, "Columns", low=2, high=9, help="Columns of lamps.")
    lamps_seed: int = parameter(
        1,
        "Lamps' seed",
        low=0,
        high=999_999,
        help="The same seed has the same lamps on at first. They can always be switched off.",
    )


@register_puzzle
@dataclass(frozen=True, eq=False)
class LightsPuzzle(Puzzle):
    """A board says which buttons are pressed; the more lamps are off then, the better."""

    spec: ClassVar[PuzzleSpec] = PuzzleSpec(
        key="lights",
        title="Lights out",
        source="Tiger Electronics 1995",
        params=LightsParams,
        value_title="lamps off",
        default_solver="chasing",
    )
    params: LightsParams
    start: Cells
    """Buttons that are pressed when a run begins."""

    @classmethod
    def create(cls, params: LightsParams) -> Self:
        """Make an instance with no button pressed."""
        return cls(params, np.zeros(params.rows * params.cols, np.uint8))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.params.rows, self.params.cols

    @property
    def lamps(self) -> Cells:
        """The lamps at first, 1 for on: what random buttons make of a dark board."""
        rng = generator(self.params.lamps_seed)
        return switched(rng.integers(0, 2, self.shape, dtype=np.uint8)).ravel()

    def lit(self, cells: Cells) -> Cells:
        """Return the lamps that are on when these buttons are pressed, 1 for on."""
        return self.lamps ^ switched(cells.reshape(self.shape)).ravel()

    def score(self, cells: Cells) -> float:
        """Count the lamps that are off."""
        return float((self.lit(cells) == 0).sum())

    def rows_of(self, cells: Cells) -> tuple[str, ...]:
        """Write the buttons, one string a row."""
        rows = cells.reshape(self.shape).tolist()
        return tuple("".join(SIGNS[cell] for cell in row) for row in rows)

    def parse(self, rows: Sequence[str]) -> Cells:
        """Read what :meth:`rows_of` wrote; raises GridError."""
        for row in rows:
            if set(row) - set(SIGNS):
                raise GridError(f"{row!r} has other signs than {SIGNS[0]} and {SIGNS[1]}")
        if len(rows) != self.params.rows or {len(row) for row in rows} != {self.params.cols}:
            raise GridError(f"the board needs {self.params.rows} rows of {self.params.cols}")
        return np.array([SIGNS.index(sign) for row in rows for sign in row], np.uint8)

    def require(self, cells: Cells) -> None:
        """Raise GridError unless each cell says 0 or 1."""
        if cells.shape != self.start.shape or cells.max() > 1:
            raise GridError(f"a board has {self.start.size} buttons, each 0 or 1")

    def starting_with(self, cells: Cells) -> Self:
        """Return the same lamps with other buttons pressed at first."""
        self.require(cells)
        return replace(self, start=cells)

    @classmethod
    def from_flags(cls, values: Values) -> Iterator[Self]:
        """Make the instance that the parameters say."""
        yield cls.create(checked(LightsParams, values))

    def instance(self) -> JsonObject:
        """Say which buttons are pressed at first."""
        return {"buttons": "/".join(self.rows_of(self.start))}

    def describe(self) -> Description:
        """Return all that makes the instance."""
        return {"params": self.params.model_dump(mode="json"), "start": self.start.tolist()}

    @classmethod
    def from_description(cls, description: Description) -> Self:
        """Inverse of :meth:`describe`; raises TileLabError."""
        params = validate(LightsParams, part_of(description, "params", dict))
        return cls.create(params).starting_with(cells_of(description, "start"))

    @classmethod
    def from_record(cls, record: InstanceRecord) -> Self:
        """Make the instance of a run in the history again."""
        puzzle = cls.create(validate(LightsParams, record.puzzle_params))
        rows = str(record.instance.get("buttons", "")).split("/")
        return puzzle.starting_with(puzzle.parse(rows))


def switched(buttons: Cells) -> Cells:
    """Return which lamps some buttons switch, uint8 (rows, cols), of 0 and 1."""
    lamps = buttons.copy()
    lamps[1:] ^= buttons[:-1]
    lamps[:-1] ^= buttons[1:]
    lamps[:, 1:] ^= buttons[:, :-1]
    lamps[:, :-1] ^= buttons[:, 1:]
    return lamps
