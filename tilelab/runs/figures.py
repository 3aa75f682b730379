"""What a run has cost and what it has proven, as far as its solver says so."""

from dataclasses import dataclass

from tilelab.core.puzzle import Best
from tilelab.core.solver import SolverSpec
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import memory
from tilelab.runs.trace import Trace

TITLES = {
    "evaluations": marked("Evaluations"),
    "expanded": marked("Expanded"),
    "generated": marked("Generated"),
    "memory": marked("Memory"),
    "proven": marked("Proven"),
}
"""What the figures are called, by the fields of :class:`Figures`."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Figures:
    """Figures by which runs of different solvers are compared; None where nobody knows them."""

    evaluations: int | None = None
    """Boards scored or generated."""
    expanded: int | None = None
    """Boards expanded."""
    generated: int | None = None
    """Boards generated."""
    memory: float | None = None
    """The most that the boards have taken, in MB."""
    proven: int | None = None
    """So many moves are proven to be needed; when the best has as many, none has fewer."""


UNKNOWN = Figures()
"""Of a run of which nobody knows any."""


def figures_of(
    solver: SolverSpec, trace: Trace, evaluations: int | None, best: Best | None
) -> Figures:
    """Read the figures of a run from what it has reported; trace: of that solver's metrics."""

    def highest(metric: str) -> float | None:
        extremes = trace.extremes(metric) if metric in trace.names else None
        return None if extremes is None else extremes[1]

    def count(metric: str) -> int | None:
        value = highest(metric)
        return None if value is None else int(value)

    megabytes = highest("megabytes")
    proven = count("bound") if solver.proves_bound else None
    if best is not None and best.optimal:
        proven = best.n_moves
    return Figures(
        evaluations=evaluations,
        expanded=count("expanded"),
        generated=count("generated"),
        memory=None if megabytes is None else round(megabytes, 3),
        proven=proven,
    )


def figure_texts(found: Figures, n_moves: int | None) -> dict[str, str]:
    """Write figures as people read them, '' for what nobody knows; n_moves: of the best."""
    counts = {name: getattr(found, name) for name in ("evaluations", "expanded", "generated")}
    texts = {name: "" if count is None else figures(count, ",") for name, count in counts.items()}
    texts["memory"] = "" if found.memory is None else memory(found.memory)
    if found.proven is None:
        texts["proven"] = ""
    elif n_moves is not None and n_moves <= found.proven:
        texts["proven"] = tr("shortest")
    else:
        texts["proven"] = tr("{proven} or more").format(proven=f"{figures(found.proven, ',')}")
    return texts
