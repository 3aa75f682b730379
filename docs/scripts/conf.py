"""How Sphinx builds the manual; ``./run docs`` starts it, with warnings as errors."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tilelab.cli.command import command_pages  # noqa: E402
from tilelab.core.version import VERSION  # noqa: E402
from tilelab.manual.places import fill_tables, register_filler  # noqa: E402

project, author = "TileLab", "The TileLab developers"
version = release = VERSION
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["scripts"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block"]
html_theme = "furo"
html_title = "TileLab"
html_copy_source = False
autodoc_typehints = "description"
pygments_dark_style = "monokai"


def fill(app, name, source):
    """Put tables in place of the comments that stand for them."""
    source[0] = fill_tables(source[0])


def setup(app):
    """Register what is done with each page before it is read."""
    register_filler("commands", command_pages)
    app.connect("source-read", fill)
