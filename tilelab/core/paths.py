"""Questions about paths that have an answer even where the system refuses to say."""

from pathlib import Path

from tilelab.core.errors import TileLabError
from tilelab.core.shown_text import shown_path


def expanded(path: str | Path) -> Path:
    """Write out a home folder; raises TileLabError for that of a user who does not exist."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise TileLabError(f"{shown_path(path)} is in the home folder of nobody") from None


def is_there(path: Path) -> bool:
    """Tell whether something is there, or may be: then reading it will say what is wrong."""
    try:
        return path.exists()
    except OSError:
        return True


def is_folder(path: Path) -> bool:
    """Tell whether a path is a folder that can be seen."""
    try:
        return path.is_dir()
    except OSError:
        return False
