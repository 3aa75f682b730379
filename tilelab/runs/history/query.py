"""Which runs of the history are wanted, and in which order, as SQL."""

from dataclasses import dataclass

from tilelab.core.errors import ParameterError
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import encodable, quoted
from tilelab.core.text.unknown_names import meant

ORDERS: dict[str, tuple[str, ...]] = {
    "begun": ("begun",),
    "puzzle": ("puzzle", "title"),
    "title": ("title",),
    "size": ("rows * cols",),
    "solver": ("solver_title",),
    "seed": ("seed",),
    "status": ("status",),
    "best": ("value", "-n_moves"),
    "units": ("units",),
    "seconds": ("seconds",),
    "evaluations": ("evaluations",),
    "expanded": ("expanded",),
    "generated": ("generated",),
    "memory": ("memory",),
    "proven": ("proven",),
    "tags": ("tags",),
    "note": ("note",),
}
"""What a list can be sorted by, and the expressions for it."""


@dataclass(frozen=True)
class Query:
    """A choice of runs; '' leaves a thing open."""

    puzzle: str = ""
    solver: str = ""
    search: str = ""
    """Words that must all occur, in any case, in what the list shows of a run."""
    sort: str = "begun"
    descending: bool = True

    def sql(self) -> tuple[str, list[str]]:
        """Return what stands behind ``FROM runs``, and its values; raises ParameterError."""
        if self.sort not in ORDERS:
            known = f"{', '.join(ORDERS)}{meant(self.sort, ORDERS)}"
            raise ParameterError(
                "sort",
                tr("sort: {sort} is not one of {known}").format(
                    sort=quoted(self.sort), known=known
                ),
            )
        wanted, values = ["deleted IS NULL"], list[str]()
        for column in ("puzzle", "solver"):
            if value := getattr(self, column):
                wanted.append(f"{column} = ?")
                values.append(encodable(value))
        for word in encodable(self.search).casefold().split():
            wanted.append("instr(search, ?)")
            values.append(word)
        direction = "DESC" if self.descending else "ASC"
        # Runs without a best come last in either direction.
        orders = [f"{part} {direction} NULLS LAST" for part in ORDERS[self.sort]]
        return f"WHERE {' AND '.join(wanted)} ORDER BY {', '.join(orders)}, id {direction}", values
