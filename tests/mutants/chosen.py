"""The chosen mistakes: entries of the TOML files beside this one.

An entry is a table ``[[mutant]]`` with the keys of :class:`Mutant`; a further mistake needs nothing
else.
"""

import dataclasses
import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A mistake that somebody could make, and the tests that should notice it."""

    name: str
    """How it is selected on the command line."""
    file: str
    """The file that it is made in, from the repository's root."""
    before: str
    """Text that stands exactly once in the file."""
    after: str
    """What is put in its place."""
    tests: tuple[str, ...]
    """What pytest is asked to run: files, or single tests as ``file::test``."""
    why: str
    """What would be wrong for a user."""
    plain: bool = False
    """Whether the tests marked plain notice it, which need nothing compiled."""

    def faults(self) -> list[str]:
        """Say what is wrong with the entry itself."""
        said = []
        path = ROOT / self.file
        n_found = path.read_text("utf-8").count(self.before) if path.is_file() else 0
        if n_found != 1:
            said.append(f"its text before stands {n_found} times in {self.file}, not once")
        if self.before == self.after:
            said.append("it changes nothing")
        said += [f"{test} is not there" for test in self.tests if not _is_there(test)]
        said += [f"{test} is run by --all alone" for test in self.tests if _is_left_out(test)]
        if not self.tests:
            said.append("it names no tests")
        return [f"{self.name}: {fault}" for fault in said]


def read_mutants(folder: Path = FOLDER) -> list[Mutant]:
    """Read all entries, file by file; raises TypeError for an entry with a key too many or few."""
    entries = [
        entry
        for file in sorted(folder.glob("*.toml"))
        for entry in tomllib.loads(file.read_text("utf-8"))["mutant"]
    ]
    return [Mutant(**{**entry, "tests": tuple(entry.get("tests", ()))}) for entry in entries]


def _is_there(test: str) -> bool:
    """Return whether a file of tests exists, and in it the one that is named, if any is.

    A class may inherit its tests from a contract.
    """
    file, *names = test.partition("[")[0].split("::")
    path = ROOT / file
    if not path.is_file() or not names:
        return path.is_file()
    text = path.read_text("utf-8")
    *classes, function = names
    inherited = sorted((ROOT / "tilelab" / "testing").glob("*.py")) if classes else []
    texts = [text, *(contract.read_text("utf-8") for contract in inherited)]
    has_classes = all(f"class {name}(" in text for name in classes)
    return has_classes and any(f"def {function}(" in part for part in texts)


def _is_left_out(test: str) -> bool:
    """Return whether the default run leaves a function of tests out, so that it notices nothing."""
    file, *names = test.partition("[")[0].split("::")
    path = ROOT / file
    if not path.is_file() or not names:
        return False
    before, found, _ = path.read_text("utf-8").partition(f"def {names[-1]}(")
    decorators = before.rpartition("\n\n")[2].splitlines()
    return bool(found) and "@pytest.mark.exhaustive" in map(str.strip, decorators)
