"""The newest best of a run as a small file of its own, which is soon written."""

import hashlib
import json
from pathlib import Path
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from tilelab.core.errors import RunFileError, errors_as
from tilelab.core.files.ordinary_file import read_at_most
from tilelab.core.solver import Best
from tilelab.core.text.bounded_text import parse_json
from tilelab.core.text.language import tr
from tilelab.runs.files.atomic import OWNER_FILE, write_atomically
from tilelab.runs.files.header import Count, Finite
from tilelab.runs.history.record import RunRecord

MAX_BYTES = 32 << 20
Name = Annotated[str, Field(max_length=2000)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class KeptBest(BaseModel):
    """A best board, with all that is needed to show it without the run."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    format: Literal["tilelab-best"] = "tilelab-best"
    format_version: Literal[1] = 1
    key: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    """Of the run."""
    puzzle: Name
    title: Name
    """The instance in a few words: the lexicon or the board."""
    rows: Annotated[int, Field(ge=1, le=99)]
    cols: Annotated[int, Field(ge=1, le=99)]
    solver: Name
    solver_title: Name
    unit: Name
    """The solver's own step, such as 'generation'."""
    seed: Count
    units: Count
    """How far the run was when this was written."""
    seconds: Seconds
    best_unit: Count
    best_seconds: Seconds
    """Running time at which it was found."""
    value: Finite
    value_text: Name
    """The same as people read it."""
    cells: list[Annotated[int, Field(ge=0, le=255)]]
    board: list[Name]
    """The cells as text, one string a row."""
    moves: str | None
    optimal: bool | None
    instance: dict[str, JsonValue] = {}
    """What the puzzle says of itself, and its parameters: for whoever draws the board."""
    puzzle_params: dict[str, JsonValue] = {}

    @classmethod
    def of(cls, record: RunRecord) -> Self:
        """Make it of what the history would have, a best among it; raises ValidationError."""
        assert record.cells is not None
        return cls(
            **{name: getattr(record, name) for name in cls._recorded()},
            cells=record.cells.tolist(),
            board=list(record.board),
        )

    def record(self) -> RunRecord:
        """Return it as the history would have it."""
        return RunRecord(
            **self.model_dump(include=self._recorded()),
            status="interrupted",
            n_moves=None if self.moves is None else len(self.moves),
            begun="",
            ended="",
            cells=self.best.cells,
            board=tuple(self.board),
        )

    @classmethod
    def _recorded(cls) -> set[str]:
        """Name the fields that are those of a record."""
        return set(cls.model_fields) - {"format", "format_version", "cells", "board"}

    @property
    def best(self) -> Best:
        """The best as the run has found it."""
        cells = np.array(self.cells, np.uint8)
        cells.flags.writeable = False
        return Best(cells, self.value, self.best_unit, self.moves, self.optimal)

    def is_better_than(self, other: Self) -> bool:
        """Return whether it is worth more, or as much after fewer moves."""
        return _rank(self) > _rank(other)


def _rank(saved: KeptBest) -> tuple[float, bool, int, bool]:
    n_moves = 0 if saved.moves is None else -len(saved.moves)
    return saved.value, saved.moves is not None, n_moves, bool(saved.optimal)


def write_best(path: Path, saved: KeptBest) -> None:
    """Write it atomically, with a digest; raises TileLabError."""
    plain = saved.model_dump(mode="json")
    text = json.dumps({"sha256": _digest(plain), "best": plain}, indent=1, allow_nan=False)
    write_atomically(path, text + "\n", mode=OWNER_FILE)


def read_best(path: Path) -> KeptBest | None:
    """Read it; None when there is none; raises RunFileError with one sentence on any error."""
    try:
        data = read_at_most(path, MAX_BYTES + 1, RunFileError)
    except RunFileError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        raise
    if len(data) > MAX_BYTES:
        raise RunFileError(
            tr("{name} has more than {value} MB").format(name=path.name, value=MAX_BYTES >> 20)
        )
    damage = RunFileError(tr("{name} is damaged").format(name=path.name))
    with errors_as(lambda _: damage):
        whole = parse_json(data)
        saved = KeptBest.model_validate(whole["best"])
        is_whole = len(saved.cells) == saved.rows * saved.cols
        if whole["sha256"] != _digest(whole["best"]) or not is_whole:
            raise damage
    return saved


def _digest(plain: JsonValue) -> str:
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
