"""Forks: a new run that continues from a checkpoint of another one, with other parameters.

The parameters that made a solver's state cannot be changed afterwards: a population of another
size, f values of another weight. Only parameters that are declared live or forkable may differ.
"""

import uuid
from dataclasses import replace

from tilelab.core.errors import ParameterError, RunError
from tilelab.core.parameters import ParameterSpec, Params, describe, validate
from tilelab.core.plain import JsonObject, Value
from tilelab.core.solver import Status
from tilelab.core.text.language import tr
from tilelab.runs.recipe import LiveChange, Recipe, change_solver
from tilelab.runs.session import Checkpoint, Limits


def forkable_specs(model: type[Params]) -> tuple[ParameterSpec, ...]:
    return tuple(spec for spec in describe(model) if spec.forkable)


def origin(recipe: Recipe, moment: str) -> str:
    """Describe the origin of a fork at a named moment: ``fork of genetic seed 7 at …``."""
    spec = recipe.solver_class.spec
    seed = tr(" seed {seed}", seed=recipe.seed) if spec.uses_seed else ""
    return tr("fork of {solver}{seed} at {moment}", solver=spec.key, seed=seed, moment=moment)


def fork_run(
    checkpoint: Checkpoint, params: JsonObject, limits: Limits | None = None
) -> Checkpoint:
    """Return a new run that continues from a checkpoint; the checkpoint is not changed.

    params: values from the next unit on; inside a unit, its rest is done first. limits: None keeps
    those of the checkpoint. Raises ParameterError for a value that is not allowed or may not be
    changed, and RunError when the run has reached its end at the checkpoint.
    """
    changes = _changes(checkpoint, params)
    recipe = checkpoint.recipe
    solver = change_solver(recipe.puzzle, checkpoint.snapshot, changes)
    snapshot, unit = solver.snapshot(), checkpoint.units
    # The copy is whole, so that the solver can report its status; no unit is done.
    status = Status(solver.advance(0).status)
    if status is not Status.RUNNING:
        if status is Status.SOLVED:
            raise RunError.tr("the puzzle is solved; there is nothing left to fork")
        raise RunError.tr("the run has ended; there is nothing left to fork")
    limits = recipe.limits if limits is None else limits
    is_inside = checkpoint.snapshot.steps_done > 0
    ended_by = limits.ending(checkpoint, is_inside_unit=is_inside)
    # What was left open, such as the memory, has the value that it got.
    values = {name: snapshot.params[name] for name in changes}
    if is_inside:
        snapshot, unit = checkpoint.snapshot, unit + 1
    live_changes = (LiveChange(unit, name, value) for name, value in values.items())
    return replace(
        checkpoint,
        key=uuid.uuid4().hex,
        recipe=replace(recipe, limits=limits, changes=(*recipe.changes, *live_changes)),
        snapshot=snapshot,
        status=Status.LIMIT if ended_by else Status.RUNNING,
        limit_reached=ended_by,
        bests=checkpoint.bests.copy(),
    )


def _changes(checkpoint: Checkpoint, wanted: JsonObject) -> dict[str, Value]:
    """Return the plain values that differ, in the declared order; raises ParameterError."""
    model = checkpoint.recipe.solver_class.spec.params
    old = validate(model, checkpoint.snapshot.params).model_dump()
    changed = validate(model, {**old, **wanted})
    new, plain = changed.model_dump(), changed.model_dump(mode="json")
    for spec in describe(model):
        if old[spec.name] != new[spec.name] and not spec.forkable:
            raise ParameterError.tr(
                "{name} cannot be changed in a fork: the run so far depends on {old_value}. A new "
                "run from its board can have {new_value}",
                name=spec.name,
                old_value=old[spec.name],
                new_value=new[spec.name],
            )
    return {
        spec.name: plain[spec.name] for spec in describe(model) if old[spec.name] != new[spec.name]
    }
