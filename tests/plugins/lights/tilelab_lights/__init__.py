"""A puzzle with its solver, a solver of letter boards, and a heuristic of sliding tiles.

Importing a module registers what it defines; the page is imported only by the window.
"""

from tilelab_lights import chasing, gaschnig, puzzle, sampling

__all__ = ["chasing", "gaschnig", "puzzle", "sampling"]
