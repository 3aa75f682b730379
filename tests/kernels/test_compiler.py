"""The cache of machine code, never a reason to fail, and the clocks that leave compiling out."""

import ast
import json
import os
import py_compile
import re
import shutil
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import grimp
import numba
import numpy as np
import pytest
from filelock import FileLock
from numba.core import event
from numba.core.compiler_lock import global_compiler_lock

from tests.patience import MAX_SECONDS
from tests.programs import ROOT
from tilelab.kernels import clock as clocks
from tilelab.kernels import compiler
from tilelab.kernels.sources import kernel_files

PROGRAM = """
import numpy as np
from tilelab.puzzles.boggle.kernels.breeding import letter_of
letter = letter_of(np.uint32(5), np.array([3, 2**32], np.uint64))
print(letter, len(letter_of.compiled.stats.cache_hits))
"""


def _run(cache, tree=ROOT):
    environment = {**os.environ, "TILELAB_CACHE_DIR": str(cache)}
    environment.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.stderr == ""
    letter, hits = done.stdout.split()
    assert letter == "1"
    return int(hits)


@pytest.mark.exhaustive
def test_a_second_process_loads_what_the_first_compiled(cache):
    assert _run(cache) == 1
    assert [folder.name for folder in cache.iterdir()] == ["kernels"]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A cache that holds what the program above compiles; only to be copied."""
    cache = tmp_path_factory.mktemp("compiled")
    assert _run(cache) == 0
    return cache


@pytest.fixture
def cache(compiled, tmp_path):
    """A copy of that cache, as a test may spoil it."""
    return shutil.copytree(compiled, tmp_path / "cache")


@pytest.fixture
def copy(tmp_path):
    """The program once more, in another folder."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "tilelab", tmp_path / "copy" / "tilelab", ignore=ignored)
    return tmp_path / "copy"


@pytest.mark.exhaustive
def test_another_copy_of_the_program_loads_it_too(copy, cache):
    assert _run(cache, copy) == 1


TELLING = """
from numba.core.caching import FunctionCache
load = FunctionCache.load_overload
def tell(*arguments):
    found = load(*arguments)
    print("found" if found else "missed", flush=True)
    return found
FunctionCache.load_overload = tell
"""


@pytest.mark.exhaustive
def test_a_kernel_that_another_process_compiles_is_waited_for(compiled, tmp_path):
    (index,) = compiled.rglob("*letter_of*.nbi")
    folder = tmp_path / index.parent.relative_to(compiled)
    folder.mkdir(parents=True)
    with FileLock(folder / f"{index.stem}.lock"):
        process = subprocess.Popen(
            [sys.executable, "-c", TELLING + PROGRAM],
            cwd=ROOT,
            env={**os.environ, "TILELAB_CACHE_DIR": str(tmp_path)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout.readline() == "missed\n"
        shutil.copytree(index.parent, folder, dirs_exist_ok=True)
    said, _ = process.communicate(timeout=MAX_SECONDS)
    assert said.split() == ["found", "1", "1"]


HOLDING = """
import os, numba, numpy as np
from numba.core.caching import FunctionCache
from tilelab.puzzles.boggle.kernels.breeding import letter_of
save, held = FunctionCache.save_overload, []
def tell(cache, *arguments):
    held.append(cache._lock.is_locked)
    return save(cache, *arguments)
FunctionCache.save_overload = tell
word, thresholds = np.uint32(5), np.array([3, 2**32], np.uint64)
letter_of(word, thresholds)
lock = letter_of.compiled._cache._lock
print(set(held), lock.is_locked, flush=True)
try:
    letter_of("text", thresholds)
except numba.TypingError:
    print(lock.is_locked, flush=True)
if hasattr(os, "fork"):
    child = os.fork()
    if not child:
        os._exit(10 + letter_of(word, thresholds[::1].reshape(2)[::-1]))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_lock_is_held_until_a_kernel_is_saved_or_has_failed(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", HOLDING],
        cwd=ROOT,
        env={**os.environ, "TILELAB_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    in_a_fork = [["10"]] if hasattr(os, "fork") else []
    expected = [["{True}", "False"], ["False"], *in_a_fork]
    assert [line.split() for line in done.stdout.splitlines()] == expected


def test_a_loop_that_numba_takes_out_of_others_code_is_compiled():
    @numba.jit(forceobj=True)
    def total(numbers):
        whole = 0.0
        for number in numbers:
            whole += number
        return whole, type(whole)

    assert total(np.ones(3)) == (3.0, float)


SMALL = {
    "pair.py": """
        from typing import NamedTuple
        class Pair(NamedTuple):
            first: int
            second: int
        """,
    "table.py": """
        FACTOR = 100
        """,
    "inner.py": """
        from tilelab.kernels.decorators import part
        from tilelab.kernels.table import FACTOR
        @part
        def scaled(number):
            \"\"\"Scale a number.\"\"\"
            return FACTOR * number
        """,
    "outer.py": """
        from tilelab.kernels.decorators import kernel
        from tilelab.kernels.inner import scaled
        @kernel
        def answer(pair):
            return scaled(pair.first) + 1
        """,
}
"""Kernel files that depend on each other in every way that there is."""
SMALL_PROGRAM = """
from tilelab.kernels.outer import answer
from tilelab.kernels.pair import Pair
print(answer(Pair(1, 2)), len(answer.compiled.stats.cache_hits))
"""


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_what_an_edit_changes_is_compiled_again_and_nothing_else(copy, tmp_path):
    kernels = copy / "tilelab" / "kernels"
    environment = {**os.environ, "TILELAB_CACHE_DIR": str(tmp_path / "cache")}

    def answer_after(file="", old="", new=""):
        for name, text in SMALL.items():
            source = textwrap.dedent(text)
            assert name != file or old in source
            (kernels / name).write_text(source.replace(old, new) if name == file else source)
        done = subprocess.run(
            [sys.executable, "-B", "-c", SMALL_PROGRAM],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=True,
        )
        return tuple(map(int, done.stdout.split()))

    assert answer_after() == (101, 0)
    assert answer_after("inner.py", "Scale a number", "# Another docstring") == (101, 1)
    assert answer_after("inner.py", "FACTOR * number", "FACTOR * number + 5") == (106, 0)
    assert answer_after("table.py", "100", "300") == (301, 0)
    assert answer_after(
        "pair.py", "first: int\n    second: int", "second: int\n    first: int"
    ) == (
        201,
        0,
    )


DIGESTS = """
import json, sys
from pathlib import Path
from tilelab.kernels import sources

def digests():
    sources._read.cache_clear()
    sources.digest_of.cache_clear()
    return {module: sources.digest_of((module,), "") for module in sources.kernel_files()}

before, changed = digests(), {}
for file, edited in json.load(sys.stdin).items():
    right = Path(file).read_text()
    Path(file).write_text(edited)
    after = digests()
    Path(file).write_text(right)
    changed[file] = [module for module in before if before[module] != after[module]]
print(json.dumps(changed))
"""


def _with_another_number(source):
    """Return a source whose last whole number is another one, or that has one more."""
    numbers = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and type(node.value) is int
    ]
    lines = source.splitlines(keepends=True)
    if not numbers:
        return f"{source}\n_MORE = 1\n"
    last = max(numbers, key=lambda node: (node.lineno, node.col_offset))
    line = lines[last.lineno - 1]
    lines[last.lineno - 1] = (
        f"{line[: last.col_offset]}{last.value + 1}{line[last.end_col_offset :]}"
    )
    return "".join(lines)


def _with_other_words(source):
    """Return a source with one more comment, and other docstrings."""
    return "# A comment.\n" + re.sub(r'^( *""")(?=\w)', r"\1More. ", source, flags=re.MULTILINE)


def _changed_by(tree, edit):
    """Edit each kernel file of a tree by itself; returns the modules whose digests differ then."""
    paths = [tree.joinpath(*module.split(".")) for module in kernel_files()]
    paths = [path / "__init__.py" if path.is_dir() else path.with_suffix(".py") for path in paths]
    files = {str(file): edit(file.read_text()) for file in paths}
    done = subprocess.run(
        [sys.executable, "-B", "-c", DIGESTS],
        cwd=tree,
        input=json.dumps(files),
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    return {
        ".".join(Path(file).relative_to(tree).with_suffix("").parts).removesuffix(".__init__"): set(
            modules
        )
        for file, modules in json.loads(done.stdout).items()
    }


def test_an_edit_changes_the_digests_of_all_files_that_import_it_and_of_no_other(copy):
    graph = grimp.build_graph("tilelab", cache_dir=None)
    files = set(kernel_files())
    # Every digest holds these two, and nothing of what they import is compiled.
    everywhere = {"tilelab.kernels.compiler", "tilelab.kernels.decorators"}
    for name in everywhere:
        for imported in graph.find_modules_directly_imported_by(name):
            graph.remove_import(importer=name, imported=imported)
    changed = _changed_by(copy, _with_another_number)
    assert changed == {
        name: files if name in everywhere else files & {name, *graph.find_downstream_modules(name)}
        for name in files
    }


@pytest.mark.exhaustive
def test_comments_and_docstrings_change_no_digest(copy):
    assert set().union(*_changed_by(copy, _with_other_words).values()) == set()


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("ending", "content"),
    [
        *((".nbi", content) for content in (b"garbage", b"", None)),
        *((".nbc", content) for content in (b"garbage", b"", None)),
    ],
)
def test_a_damaged_cache_is_compiled_anew_and_mended(cache, ending, content):
    for file in cache.rglob(f"*{ending}"):
        data = file.read_bytes()
        file.write_bytes(data[: len(data) // 2] if content is None else content)
    assert _run(cache) == 0
    assert _run(cache) == 1


@pytest.mark.exhaustive
def test_without_a_writable_folder_kernels_still_run(tmp_path):
    blocker = tmp_path / "file"
    blocker.write_text("in the way")
    assert _run(blocker) == 0
    assert _run(blocker) == 0


FROZEN = """
import sys
import tilelab.kernels
tilelab.kernels.__path__.append(sys.argv[1])
from tilelab.kernels.frozen import answer
print(answer(1), len(answer.compiled.stats.cache_hits))
"""


@pytest.mark.exhaustive
def test_a_relative_name_of_a_source_does_not_depend_on_the_working_folder(tmp_path):
    """Modules of a frozen program have such names; numba by itself takes them for that folder's."""
    source = tmp_path / "source.py"
    source.write_text(
        "from tilelab.kernels.decorators import kernel\n"
        "@kernel\ndef answer(number): return number + 41\n"
    )
    archive = tmp_path / "archive"
    py_compile.compile(source, archive / "frozen.pyc", dfile="tilelab/kernels/frozen.py")
    folders = [tmp_path / "first", tmp_path / "second"]
    environment = {**os.environ, "TILELAB_CACHE_DIR": str(tmp_path / "cache")}
    environment["PYTHONPATH"] = str(ROOT)
    said = []
    for folder in folders:
        folder.mkdir()
        done = subprocess.run(
            [sys.executable, "-c", FROZEN, archive],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=True,
        )
        said.append(done.stdout)
        assert not list(folder.iterdir())
    assert said == ["42 0\n", "42 1\n"]


PLUGGED = """
from plugged_number import NUMBER
from tilelab.kernels.decorators import kernel
@kernel
def answer():
    return NUMBER
"""


def test_the_kernel_of_a_plug_in_is_never_stale(tmp_path):
    """Nothing says which of a plug-in's files a kernel depends on."""
    environment = {**os.environ, "TILELAB_CACHE_DIR": str(tmp_path / "cache")}
    environment["PYTHONPATH"] = str(tmp_path)
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    for number in (1001, 1002):
        (tmp_path / "plugged.py").write_text(PLUGGED)
        (tmp_path / "plugged_number.py").write_text(f"NUMBER = {number}")
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", "import plugged; print(plugged.answer())"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert (done.stdout, done.stderr) == (f"{number}\n", "")


CLOCKS = [clocks.running_seconds, clocks.processor_seconds]


@pytest.fixture
def now(monkeypatch):
    """The time of both clocks, in a list."""
    seconds = [50.0]
    monkeypatch.setattr(clocks, "_clocks", lambda: (seconds[0], seconds[0]))
    monkeypatch.setattr(clocks._compiling, "spent", (0.0, 0.0))
    return seconds


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_clock_stands_still_while_its_thread_compiles(clock, now):
    before = clock()
    now[0] += 1
    with global_compiler_lock:
        now[0] += 10
        assert clock() == before + 1
        with global_compiler_lock:
            now[0] += 100
        now[0] += 10
        assert clock() == before + 1
    assert clock() == before + 1
    now[0] += 1
    assert clock() == before + 2


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_clock_stands_still_while_its_thread_waits_for_another_ones_compiling(clock, now):
    waits, reported = threading.Event(), []

    class Waiting(threading.Thread):
        def run(self):
            before = clock()
            reported.append(None)
            with global_compiler_lock:
                pass
            reported.append(clock() - before)

    fixed = clocks._clocks

    def noticed():
        if reported and threading.current_thread() is thread:
            waits.set()
        return fixed()

    clocks._clocks = noticed  # the fixture puts it back
    thread = Waiting()
    with global_compiler_lock:
        thread.start()
        assert waits.wait(MAX_SECONDS)
        now[0] += 100
    thread.join(MAX_SECONDS)
    assert reported == [None, 0.0]


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_the_clocks_hear_of_compiling(monkeypatch):
    ended = []
    listener = compiler._Stopwatch
    hears = listener.on_end
    monkeypatch.setattr(
        listener, "on_end", lambda self, event: (hears(self, event), ended.append(event.kind))
    )
    assert numba.njit(lambda number: number + 1)(1) == 2
    assert set(ended) == {"numba:compiler_lock"}
    assert clocks._compiling.depth == 0


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_parts_are_left_to_the_kernel_that_takes_them_in():
    levels = []

    class Noted(event.Listener):
        def on_start(self, event):
            levels.append(int(numba.config.OPT))

        def on_end(self, event):
            pass

    ours = int(numba.config.OPT)
    within = compiler._compile(lambda number: number + 1, compiler._NO_OWNERS, compiler._WITHIN)
    others = numba.njit(lambda number: number + 2)
    whole = compiler._compile(
        lambda number: within(others(number)), compiler._FLAGS, compiler._WHOLE
    )
    with event.install_listener("numba:compile", Noted()):
        assert whole(1) == 4
        assert numba.njit(lambda number: number + 3)(1) == 4
    assert levels[0] == compiler._WHOLE
    assert levels[1:-1] == [compiler._WITHIN] * 2
    assert levels[-1] == ours == int(numba.config.OPT)


UNUSED = """
from tilelab.catalog import solver_params
from tilelab.puzzles.boggle.kernels import lane_walk, near_misses, searches
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.runs.recipe import Recipe, warm_up
from tilelab.letters.builtin import DEFAULT, open_lexicon
puzzle = BogglePuzzle.create(open_lexicon(DEFAULT), BoggleParams())
warm_up(Recipe(puzzle, "genetic", solver_params("boggle", "genetic", {})))
classic = lane_walk.inspect_grid, lane_walk.find_simple_path
print(*(len(kernel.compiled.signatures) for kernel in classic))
warm_up(Recipe(puzzle, "annealing", solver_params("boggle", "annealing", {})))
print(len(searches.walk.compiled.signatures), len(near_misses._fill_lanes.compiled.signatures))
"""


@pytest.mark.exhaustive
@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_what_a_runs_rules_do_without_is_not_compiled():
    """Nor loaded, which is the same question."""
    done = subprocess.run(
        [sys.executable, "-c", UNUSED],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    assert done.stdout.split() == ["1", "0", "1", "0"]
