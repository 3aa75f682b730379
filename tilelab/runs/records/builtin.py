"""The list of best known values that ships with the program."""

import functools
import tomllib

from pydantic import BaseModel, ConfigDict

from tilelab import catalog
from tilelab.core.files.resources import resource
from tilelab.core.parameters import validate
from tilelab.core.plain import JsonObject, Value
from tilelab.runs.history.record import RunRecord
from tilelab.runs.records.command import command_words


class BuiltinRecord(BaseModel):
    """A value, the board, and where it comes from; it can be asked for its category as a run can.

    Where it was reached by this program, solver, parameters, seed and units make the run again.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    puzzle: str
    title: str
    """Of the lexicon."""
    lexicon: str
    """The key of a built-in lexicon."""
    digest: str
    """The lexicon's, so that it need not be read."""
    puzzle_params: dict[str, Value]
    """Those that are not the defaults."""
    value: float
    board: tuple[str, ...]
    by: str
    """Who has published it, and when; or TileLab."""
    proven: bool = False
    """Whether it is proven that no board is worth more."""
    solver: str = ""
    params: dict[str, Value] = {}
    """The solver's, those that are not the defaults."""
    seed: int | None = None
    units: int | None = None
    """After which the run ends."""

    id: int = 0
    moves: str | None = None

    @property
    def instance(self) -> JsonObject:
        """Name the lexicon."""
        return {"lexicon": self.lexicon}

    @property
    def origin(self) -> JsonObject:
        """Say what the lexicon holds."""
        return {"lexicon": self.lexicon, "file": None, "digest": self.digest}

    def as_run(self) -> RunRecord:
        """Return the record that the run would have left; of a published board one without solver.

        Raises TileLabError where the program does not know the puzzle or the solver any more.
        """
        puzzle = catalog.puzzle(self.puzzle)
        solver = catalog.solver(self.puzzle, self.solver).spec if self.solver else None
        return RunRecord(
            puzzle=self.puzzle,
            title=self.title,
            rows=len(self.board),
            cols=len(self.board[0]),
            solver=self.solver,
            solver_title="" if solver is None else solver.title,
            seed=self.seed or 0,
            status="limit",
            unit="" if solver is None else solver.unit,
            units=self.units or 0,
            seconds=0.0,
            value=self.value,
            value_text=puzzle.value_text(self.value),
            begun="",
            ended="",
            instance=self.instance,
            puzzle_params=validate(puzzle.spec.params, self.puzzle_params).model_dump(mode="json"),
            params={} if solver is None else validate(solver.params, self.params).model_dump(),
            limits={} if self.units is None else {"limit": self.units},
            board=self.board,
            origin=self.origin,
        )

    @property
    def command(self) -> list[str]:
        """The words of the command that reaches it; [] where none is known."""
        if self.seed is None:
            return []
        values = {"lexicon": self.lexicon, **self.puzzle_params}
        return command_words(self.puzzle, values, self.solver, self.params, self.seed, self.units)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    records: tuple[BuiltinRecord, ...]


@functools.cache
def builtin_records() -> tuple[BuiltinRecord, ...]:
    """Return the built-in list."""
    text = resource("records").joinpath("records.toml").read_text("utf-8")
    return _File.model_validate(tomllib.loads(text)).records
