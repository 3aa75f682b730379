"""Packages with entry points, as an installer leaves them behind."""

BROKEN = {
    "lost": "import a_module_that_nobody_has\n",
    "quits": "raise RuntimeError('nothing\\nworks')\n",
    "leaves": "import sys\nsys.exit('not on this machine')\n",
    "own": """
class OwnError(BaseException):
    def __str__(self):
        raise self
raise OwnError
""",
    "seeded": """
from dataclasses import replace
from tilelab.core.parameters import parameter
from tilelab.core.registry import SOLVERS, register_solver
class Params(SOLVERS["boggle", "annealing"].spec.params):
    seed: int = parameter(0, "Seed", help="The same flag as that of all solvers.")
@register_solver
class Seeded:
    spec = replace(SOLVERS["boggle", "annealing"].spec, key="seeded", params=Params)
""",
    "wide": """
from dataclasses import replace
from tilelab.core.parameters import parameter
from tilelab.core.registry import SOLVERS, register_solver
class Params(SOLVERS["boggle", "annealing"].spec.params):
    rows: int = parameter(0, "Rows", help="The same flag as that of the puzzle.")
@register_solver
class Wide:
    spec = replace(SOLVERS["boggle", "annealing"].spec, key="wide", params=Params)
""",
    "untyped": """
from dataclasses import replace
from tilelab.core.registry import SOLVERS, register_solver
@register_solver
class Untyped:
    spec = replace(SOLVERS["boggle", "annealing"].spec, key="untyped", title=5)
""",
    "twin": """
from tilelab.core.registry import SOLVERS, register_solver
spec = SOLVERS["boggle", "genetic"].spec
class Twin:
    spec = spec
register_solver(Twin)
""",
}
SAID = {
    "lost": "The plug-in 'lost' of lost-package 1.5 was not loaded: ModuleNotFoundError: No "
    "module named 'a_module_that_nobody_has'",
    "quits": "The plug-in 'quits' of quits-package 1.5 was not loaded: RuntimeError: nothing works",
    "leaves": "The plug-in 'leaves' of leaves-package 1.5 was not loaded: SystemExit: not on "
    "this machine",
    "own": "The plug-in 'own' of own-package 1.5 was not loaded: OwnError",
    "seeded": "The plug-in 'seeded' of seeded-package 1.5 was not loaded: solver 'seeded': --seed "
    "is already an option of the program",
    "wide": "The plug-in 'wide' of wide-package 1.5 was not loaded: solver 'wide': --rows is "
    "already an option of the program",
    "untyped": "The plug-in 'untyped' of untyped-package 1.5 was not loaded: solver 'untyped': "
    "title is 5: Input should be a valid string",
    "twin": "The plug-in 'twin' of twin-package 1.5 was not loaded: two solvers of boggle are "
    "called 'genetic'",
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
from tilelab.gui.puzzles.general.face import GeneralFace
from tilelab.gui.run.face_register import register_face

@register_face("lights")
class Face(GeneralFace):
    def join(self, page):
        super().join(page)
        raise RuntimeError("it will not be drawn")
"""
"""A page that breaks when it has nearly been made."""
