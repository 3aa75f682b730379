"""The command that makes a run again."""

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.files.paths import path_from, path_text
from tilelab.core.flags import flag_words
from tilelab.core.parameters import Params, kept_params
from tilelab.core.plain import JsonObject, Value, Values
from tilelab.runs.history.by_hand import BY_HAND
from tilelab.runs.history.record import RunRecord
from tilelab.runs.limits import kept_limits

_MADE_OTHERWISE = ("start", "constraints")
"""What an instance may have besides a lexicon and parameters, which flags say with files."""


def command_words(
    puzzle: str, values: Values, solver: str, params: Values, seed: int, units: int | None
) -> list[str]:
    """Return the words of a command; values: of the puzzle. units: None: it ends by itself."""
    words = ["tilelab", "run", puzzle, *flag_words(values), "--solver", solver]
    words += [*flag_words(params), "--seed", str(seed)]
    return words if units is None else [*words, "--limit", str(units)]


def command_of(record: RunRecord) -> list[str]:
    """Return the words of the command that makes a run on a lexicon again, up to its best.

    [] where none does: of games by hand, of runs whose live parameters were changed, or that began
    with a board or with constraints.
    """
    is_plain = not record.journal and not any(record.origin.get(n) for n in _MADE_OTHERWISE)
    if record.solver == BY_HAND or not is_plain or record.best_unit is None:
        return []
    try:
        puzzle_model = catalog.puzzle(record.puzzle).spec.params
        solver_model = catalog.solver(record.puzzle, record.solver).spec.params
        values = _changed(puzzle_model, record.puzzle_params)
        params = _changed(solver_model, record.params)
        limit = kept_limits(record.limits).limit
    except TileLabError:
        return []
    lexicon = record.origin.get("lexicon")
    if isinstance(file := record.origin.get("file"), str):
        lexicon = path_text(path_from(file))
    named: dict[str, Value] = {"lexicon": None if lexicon is None else str(lexicon), **values}
    units = record.best_unit + 1 if limit is None else limit
    return command_words(record.puzzle, named, record.solver, params, record.seed, units)


def _changed(model: type[Params], values: JsonObject) -> dict[str, Value]:
    """Return the parameters that are not the defaults."""
    # Parameters may be left out of what is written while others have their defaults.
    defaults = model().model_dump(mode="json")
    kept = kept_params(model, values).model_dump(mode="json")
    return {
        name: value
        for name, value in kept.items()
        if name not in defaults or value != defaults[name]
    }
