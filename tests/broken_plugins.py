"""Packages with entry points, as an installer leaves them behind."""

BROKEN = {
    "lost": "import a_module_that_nobody_has\n",
    "quits": "raise RuntimeError('nothing\\nworks')\n",
    "leaves": "import sys\nsys.exit('not on this machine')\n",
    "twin": """
from tilelab.core.registry import SOLVERS, register_solver
spec = SOLVERS["boggle", "genetic"].spec
class Twin:
    spec = spec
register_solver(Twin)
""",
}
SAID = {
    "lost": "The plug-in 'lost' of lost-package 1.5 is left out: ModuleNotFoundError: "
    "No module named 'a_module_that_nobody_has'",
    "quits": "The plug-in 'quits' of quits-package 1.5 is left out: RuntimeError: nothing works",
    "leaves": "The plug-in 'leaves' of leaves-package 1.5 is left out: SystemExit: "
    "not on this machine",
    "twin": "The plug-in 'twin' of twin-package 1.5 is left out: "
    "two solvers of boggle are called 'genetic'",
}


def install(folder, name, source, group="tilelab.plugins"):
    """Put a package of one module into a folder that will be on the path."""
    (folder / f"{name}_plugin.py").write_text(source, encoding="utf-8")
    info = folder / f"{name}_package-1.5.dist-info"
    info.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {name}-package\nVersion: 1.5\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    entries = f"[{group}]\n{name} = {name}_plugin\n"
    (info / "entry_points.txt").write_text(entries, encoding="utf-8")


PAGE = """
from tilelab.gui.general.page import GeneralPage
from tilelab.gui.run.page_register import register_page

@register_page("lights")
class Page(GeneralPage):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        raise RuntimeError("it will not be drawn")
"""
"""A page that breaks when it has nearly been made."""
