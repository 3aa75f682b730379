"""Parameters of searches that keep boards: their memory, and the work of a unit."""

from typing import TypeVar

from tilelab.core.memory import free_bytes
from tilelab.core.parameters import FieldValue, Params, parameter, replaced
from tilelab.core.text.language import marked

MIN_MEGABYTES = 16


def expansions_parameter(
    default: int,
    high: int,
    boards: str = "boards",
    *,
    title: str = marked("Expansions per update"),
    counted: str = "expanded",
) -> FieldValue:
    """Declare the parameter for the amount of work in a unit; counted: what is done to a board."""
    return parameter(
        default,
        title,
        former="block",
        low=1,
        high=high,
        sizes_unit=True,
        help=f"How many {boards} are {counted} before counts and curves are updated.",
        group=marked("Search"),
    )


class SearchParams(Params):
    memory: int | None = parameter(
        None,
        marked("Memory"),
        automatic=True,
        low=MIN_MEGABYTES,
        unit="MB",
        help=marked(
            "End the run when the boards would need more memory. Automatic: half of the free "
            "memory when the run begins, or 16 MB for a search that keeps only its path."
        ),
        group=marked("Search"),
        forkable=True,
    )
    expansions_per_update: int = expansions_parameter(1000, 1_000_000)


S = TypeVar("S", bound=SearchParams)


def with_memory(params: S) -> S:
    """Return search parameters with a memory limit; by default half of the free memory."""
    if params.memory is not None:
        return params
    return replaced(params, memory=max(free_bytes() // 2 >> 20, MIN_MEGABYTES))


def max_bytes(params: SearchParams) -> int:
    assert params.memory is not None
    return params.memory << 20
