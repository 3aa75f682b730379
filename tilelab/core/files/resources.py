"""The data files that ship with the program."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def resource(*names: str) -> Traversable:
    """Return a file or folder of the resources, such as ``resource("fonts", "OFL.txt")``."""
    # They are installed inside the package; in a checkout they are next to it.
    installed = files("tilelab").joinpath("resources")
    root = installed if installed.is_dir() else Path(__file__).parents[3] / "resources"
    return root.joinpath(*names)
