"""Which tests a change can touch, by what uses what: ``python -m tests.changed [BASE]``.

Prints the names of test files, or ``tests`` for all of them; standard error says why. The change is
what differs from a commit, by default from the last one that origin/main has too, else from HEAD.

A file uses what it imports, at its top or later, and the modules that it names in texts, as lazy
imports and replaced attributes do. One that looks modules up by importlib or pkgutil uses all that
is below the packages that it names. A test uses every conftest.py above it. Other files, such as
data, are used by the Python files of their folder and by those that name them or, if no file does,
one of their folders.
"""

import ast
import functools
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("tilelab", "tests", "benchmarks")
FOR_ALL = {"pyproject.toml", "tests/conftest.py"}
_MODULE = re.compile(r"[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)*\.?")
MAX_SHOWN = 12


class Sources:
    """The Python files of the tree, what each uses, and the words that it names."""

    def __init__(self, root=ROOT, folders=FOLDERS):
        self.root = root
        self.files = {
            path.relative_to(root).as_posix(): path
            for folder in folders
            for path in sorted((root / folder).rglob("*.py"))
        }
        self.uses, self.words = {}, {}
        for name, path in self.files.items():
            tree = ast.parse(path.read_text("utf-8"))
            self.words[name] = {
                node.value
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
            self.uses[name] = self._used(name, tree) | self._conftests(name)

    def _used(self, name, tree):
        found, looks_up = set(), False
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
                found.update(names)
                looks_up |= not {"importlib", "pkgutil"}.isdisjoint(names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    found.add(inner if self._file(inner) else node.module)
        package = name.rpartition("/")[0].replace("/", ".")
        for word in filter(_MODULE.fullmatch, self.words[name]):
            dotted = word.replace(":", ".")
            if "." in dotted:
                is_whole = dotted.partition(".")[0] in FOLDERS
                found.add(dotted if is_whole else f"{package}.{dotted}")
        # `python -m tilelab`
        used = {"tilelab/__main__.py"} if {"-m", "tilelab"} <= self.words[name] else set()
        for module in found:
            used |= self._below(module.rstrip(".")) if looks_up else set()
            used |= {self._nearest(module.rstrip("."))} - {None}
        # What the package offers to scripts is nothing that its own files use.
        return used - {name, *(["tilelab/__init__.py"] if name.startswith("tilelab/") else ())}

    def _file(self, module):
        stem = module.replace(".", "/")
        return next((n for n in (f"{stem}.py", f"{stem}/__init__.py") if n in self.files), None)

    def _nearest(self, module):
        """Return the file of a module, or of the one that has this attribute."""
        while module:
            if file := self._file(module):
                return file
            module = module.rpartition(".")[0]
        return None

    def _below(self, package):
        start = package.replace(".", "/") + "/"
        return {name for name in self.files if name.startswith(start)} if "." in package else set()

    def _conftests(self, name):
        above = [parent / "conftest.py" for parent in Path(name).parents]
        return {each.as_posix() for each in above if each.as_posix() in self.files}

    @functools.cached_property
    def users(self):
        """The files that use each file."""
        users = defaultdict(set)
        for name, used in self.uses.items():
            for each in used:
                users[each].add(name)
        return users

    def starts(self, name):
        """Return the files that a changed one touches at once; None if it may be all of them."""
        if name in FOR_ALL:
            return None
        if name in self.files:
            # Whatever is imported from a package imports the package first.
            is_package = name.endswith("/__init__.py")
            return {name, *(self._below(name[:-12].replace("/", ".")) if is_package else ())}
        path = Path(name)
        near = {file for file in self.files if Path(file).parent == path.parent}
        for words in ({path.name, path.stem, name}, {path.parent.name, str(path.parent)}):
            found = {file for file, named in self.words.items() if words & named - {""}}
            if found:
                return found | near
        return near or None

    def tests(self, name):
        """Return the test files that a changed file can touch; None if it may be all of them."""
        waiting = self.starts(name)
        if waiting is None:
            return None
        seen = set()
        while waiting:
            seen |= waiting
            waiting = set().union(*(self.users[each] for each in waiting)) - seen
        return {each for each in seen if Path(each).name.startswith("test_")}


def changed_files(base):
    """Return the commit that files are compared with, and the names of those that differ."""
    if not base:
        common = _git("merge-base", "HEAD", "origin/main", check=False)
        base = common[0] if common else "HEAD"
    new = _git("ls-files", "--others", "--exclude-standard")
    return base, sorted({*_git("diff", "--name-only", "--no-renames", base), *new})


def _git(*words, check=True):
    done = subprocess.run(
        ["git", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=check, timeout=600
    )
    return done.stdout.splitlines()


def chosen(sources, names, say):
    """Return the test files that these changed files can touch; says for each file how many."""
    found = set()
    for name in names:
        tests = sources.tests(name)
        if tests is None:
            say(f"{name}: this may touch every test")
            return {"tests"}
        say(f"{name}: {len(tests)} test files use it")
        found |= tests
    return {each for each in found if each in sources.files}


def main(words):
    """Print the test files that differences from a commit can touch."""

    def say(text):
        sys.stderr.write(f"{text}\n")

    base, names = changed_files("".join(words[:1]))
    say(f"{len(names)} files differ from {base[:12]}")
    found = sorted(chosen(Sources(), names, say))
    shown = ", ".join(found[:MAX_SHOWN]) + (", …" if len(found) > MAX_SHOWN else "")
    say(f"{len(found)} test files: {shown}" if found != ["tests"] else "all tests")
    sys.stdout.writelines(f"{name}\n" for name in found)


if __name__ == "__main__":
    main(sys.argv[1:])
