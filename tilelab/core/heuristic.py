"""What a heuristic promises: an estimate of the moves to the goal, and what may be said of it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class HeuristicSpec:
    """An estimate, as the selectors, the command line and the documentation see it."""

    key: str
    """Its word on the command line, such as 'manhattan'."""
    title: str
    source: str
    kind: int
    """Its number in the kernels."""
    admissible: bool
    """Whether it never exceeds the true distance, so that A* and IDA* find shortest solutions."""
    consistent: bool
    """Whether a move changes it by no more than a move costs, so that no board is met twice."""
    scale: int = 1
    """How many units of the estimate make a move."""
    needs_walking_table: bool = False
    needs_tables: bool = False
    """Whether only searches with tables of their own can use it."""
