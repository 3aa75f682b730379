"""Where the data that ships with the program stands."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def resource(*names: str) -> Traversable:
    """Return a file or folder of the resources, such as ``resource("fonts", "OFL.txt")``.

    They are installed inside the package. In a checkout they stand beside it, and there Python
    takes the package of the working folder even where another one is installed.
    """
    installed = files("tilelab").joinpath("resources")
    root = installed if installed.is_dir() else Path(__file__).parents[3] / "resources"
    return root.joinpath(*names)
