"""TileLab: a desktop laboratory for letter boards and sliding tiles.

For scripts and notebooks: :func:`load`, :func:`solve`, :class:`Run`, :func:`experiment`; see
docs/library.md. Each is imported at its first use.
"""

import importlib

from tilelab.core.version import VERSION

TYPE_CHECKING = False  # Loading typing would take longer than all the rest.
if TYPE_CHECKING:
    from tilelab.core.errors import TileLabError
    from tilelab.core.puzzle import Puzzle
    from tilelab.library.experiments import experiment
    from tilelab.library.loading import load, load_all
    from tilelab.library.run import Curve, Moment, Result, Run, resume, solve

__version__ = VERSION
__all__ = [
    "Curve",
    "Moment",
    "Puzzle",
    "Result",
    "Run",
    "TileLabError",
    "__version__",
    "experiment",
    "load",
    "load_all",
    "resume",
    "solve",
]
_HOMES = {
    "Curve": "library.run",
    "Moment": "library.run",
    "Puzzle": "core.puzzle",
    "Result": "library.run",
    "Run": "library.run",
    "TileLabError": "core.errors",
    "experiment": "library.experiments",
    "load": "library.loading",
    "load_all": "library.loading",
    "resume": "library.run",
    "solve": "library.run",
}
"""The module that defines each name."""


def __getattr__(name: str) -> object:
    """Import a public name; an unknown name may be a module, which Python then looks for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
