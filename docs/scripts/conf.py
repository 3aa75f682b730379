"""How Sphinx builds the manual; ``./run docs`` starts it, with warnings as errors."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import click  # noqa: E402

from tilelab.cli.command import commands  # noqa: E402
from tilelab.core.version import VERSION  # noqa: E402
from tilelab.manual.tables import filled  # noqa: E402

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


def command_pages(command, context):
    """Yield the help of a command and of those below it, as Markdown."""
    depth = 3 if context.parent is None or context.parent.parent is None else 4
    yield f"{'#' * depth} `{context.command_path}`\n\n```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            yield from command_pages(below, click.Context(below, parent=context, info_name=name))


def fill(app, name, source):
    """Put tables in place of the comments that stand for them."""
    text = filled(source[0])
    if "<!-- commands -->" in text:
        whole = commands()
        settings = whole.context_settings
        context = click.Context(whole, info_name="tilelab", **settings)
        text = text.replace("<!-- commands -->", "\n".join(command_pages(whole, context)))
    source[0] = text


def setup(app):
    """Register what is done with each page before it is read."""
    app.connect("source-read", fill)
