"""Whatever a file holds: little memory, little time, and what it says or one sentence.

``TILELAB_FUZZ=20`` tries two thousand damaged plans, lessons and pictures.
"""

import io
import json
import subprocess
import sys
import tomllib
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.fuzzing import cases
from tests.lessons.test_lesson_files import GOOD as LESSON
from tests.run_files import forged, grid_run, members_of, signed, unsigned, zipped
from tests.runs.test_carried import a_run
from tests.runs.test_text_fuzz import spoiled as damaged
from tilelab.core.errors import TileLabError
from tilelab.experiments.jobs import runs_of
from tilelab.experiments.plan import read_plan
from tilelab.lessons.lesson_files import read_lesson
from tilelab.runs.files.carried import carried_text, read_carried

MAX_MEGABYTES = 200
MAX_SECONDS = 2.0
FITTING = 249_000
"""Values that are just few enough to be made."""
GOOD = {
    "plan": '[puzzle]\nkind = "boggle"\nlexicon = "planets"\n[[solvers]]\nsolver = "genetic"\n',
    "lesson": '+++\ntitle = "Tiles"\nsummary = "About tiles."\norder = 1\n+++\nText\n',
    "sheet": '{"puzzle": [["C", "A", "T"]], "words": ["CAT"], "key": {}}',
}
LISTS = "[" + "[]," * 333_000 + "[]]"
MANY_LISTS = "[" + "[]," * 2_000_000 + "[]]"
FEW_LISTS = "[" + "[]," * (FITTING // 2) + "[]]"
KEYS = "{" + ",".join(f'"a{n}": 1' for n in range(FITTING // 2)) + "}"
DEEP = "[" * 490_000 + "]" * 490_000
DOTTED = """a . 'b'.""" * 60
HERE = "@here@"

CHILD = """
import json, sys, time
from pathlib import Path
from tilelab.core.errors import TileLabError
kind, *files = sys.argv[1:]
if kind == "picture":
    from tilelab.runs.files.carried import read_carried as read
elif kind == "run":
    from tilelab.runs.files.store import read_run as read
elif kind == "plan":
    from tilelab.experiments.jobs import runs_of
    from tilelab.experiments.plan import read_plan
    read = lambda file: runs_of(read_plan(file), file.parent)
elif kind == "lesson":
    from tilelab.lessons.lesson_files import read_lesson as read
elif kind == "shape":
    from PySide6.QtGui import QGuiApplication
    from tilelab.gui.puzzles.boggle.picture_shape import read_shades as read
    application = QGuiApplication(["tilelab", "-platform", "offscreen"])
else:
    from tilelab.sheets.sheet_files import read_sheet
    read = lambda file: read_sheet(file, {})

def megabytes(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024

for file in files:
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins again
    before, begun, said = megabytes("VmRSS"), time.process_time(), ""
    try:
        read(Path(file))
    except TileLabError as error:
        said = str(error)
    print(json.dumps([said, megabytes("VmHWM") - before, time.process_time() - begun]))
"""


def spoiled(text, key, value):
    """Return a JSON text with another value, which may be no JSON, in one place."""
    plain = part = json.loads(text)
    *above, last = key.split(".")
    for name in above:
        part = part[name]
    part[last] = HERE
    return json.dumps(plain).replace(f'"{HERE}"', value)


def pictures(folder):
    text = json.dumps(unsigned(carried_text(a_run())))
    yield "good", carried_text(a_run()).encode()
    for key, value in (
        ("puzzle.description.unknown", MANY_LISTS),
        ("puzzle.description.unknown", FEW_LISTS),
        ("puzzle.description.unknown", "1"),
        ("puzzle.description.constraints", "[" + "{}," * 20_000_000 + "{}]"),
        ("puzzle.description.constraints.required", FEW_LISTS),
        ("puzzle.description.params", KEYS),
        ("solver.params", KEYS),
        ("best.cells", "[" + "1," * 40_000_000 + "1]"),
        ("best.cells", FEW_LISTS),
        ("puzzle", DEEP),
        ("seed", "9" * 100_000),
        ("best.value", "1." + "1" * 7_000_000),
        ("puzzle.description.lexicon.title", f'"{"a" * 90_000_000}"'),
        ("puzzle.description.lexicon.strings.data", f'"{"Cg" * 1_500_000}"'),
    ):
        yield f"{key} = {value[:9]}", signed(spoiled(text, key, value).encode()).encode()


def run_files(folder):
    file = grid_run(folder)
    members = members_of(file)
    yield "good", file.read_bytes()

    def headed(key, value):
        header = spoiled(members["header.json"], key, value).encode()
        return zipped({**members, "header.json": header}, compression=zipfile.ZIP_DEFLATED)

    for key, value in (
        ("puzzle.description.unknown", MANY_LISTS),
        ("puzzle.description.unknown", FEW_LISTS),
        ("puzzle.description.unknown", "1"),
        ("journal", MANY_LISTS),
        ("journal", FEW_LISTS),
        ("solver.params", KEYS),
        ("unknown", DEEP),
        ("seed", "9" * 100_000),
    ):
        yield f"{key} = {value[:9]}", headed(key, value)

    def many_strings(header, arrays):
        n = 6_000_000
        arrays["puzzle.lexicon.strings"] = np.frombuffer(b"ab\n" * (n - 1) + b"ab", np.uint8)
        arrays["puzzle.lexicon.weights"] = np.ones(n)

    data = forged(file, many_strings)
    (folder / "many.tilelab").write_bytes(data)
    many = members_of(folder / "many.tilelab")
    yield "equal strings", zipped(many, compression=zipfile.ZIP_DEFLATED)


def plans(folder):
    good = GOOD["plan"]
    yield "good", good
    yield "one dotted key", f"x{'.x' * 490_000} = 1\n{good}"
    yield "many dotted keys", "".join(f"{DOTTED}b{n} = 1\n" for n in range(1500)) + good
    yield "a dotted table", f"[{'.'.join('x' * 490_000)}]\n{good}"
    yield "hexadecimal", f"seed = 0x{'f' * 900_000}\n{good}"
    yield "digits", f"seed = {'9' * 900_000}\n{good}"
    yield "quotation marks", 'title = "' + '\\"' * 490_000
    yield "deep", f"x = {DEEP}\n{good}"
    yield "lists", f"{good}params.x = {LISTS}\n"
    yield "keys", good + "".join(f"k{n} = 1\n" for n in range(90_000))
    ranges = ",".join(f"a{n} = {{from = 0, to = 99999}}" for n in range(20_000))
    yield "ranges", f"{good}axes = {{{ranges}}}\n"
    yield "solvers", good + '[[solvers]]\nsolver = "genetic"\n' * 29_000


def lessons(folder):
    good, run = GOOD["lesson"], '```run\ntitle = "a"\npuzzle = "sliding"\n'
    yield "good", good
    yield "a dotted key", good.replace("order", f"x{'.x' * 90_000}")
    yield "hexadecimal", good.replace("1", f"0x{'f' * 190_000}")
    yield "lists", good.replace("1", LISTS[:190_000] + "[]]")
    yield "runs", good + f"{run}```\n" * 4_500
    yield "keys", good + run + "".join(f"k{n} = 1\n" for n in range(15_000)) + "```\n"
    yield "brackets", good + "![" * 99_000
    yield "endless pictures", good + "![a](" * 39_000


def sheets(folder):
    yield "good", GOOD["sheet"]
    for key, value in (("key", LISTS), ("unknown", "1"), ("words", DEEP), ("words", "9" * 990_000)):
        yield f"{key} = {value[:9]}", spoiled(GOOD["sheet"], key, value)
    grid = [["A"] * 99 + ["B"]] * 100
    for n_words in (9_000, 1_000):
        words = [f"{'A' * 24}B{'A' * 24}"] * n_words
        yield f"{n_words} words", json.dumps({"puzzle": grid, "words": words, "key": {}})


def shapes(folder):
    for name, side, mode, form in (
        ("good", 100, "1", "PNG"),
        ("a large drawing", 7_999, "1", "PNG"),
        ("a large photograph", 7_999, "L", "JPEG"),
    ):
        picture, data = Image.new(mode, (side, side)), io.BytesIO()
        picture.paste(255, (0, 0, side // 2, side // 2))
        picture.save(data, form)
        yield name, data.getvalue()


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is Linux's")
@pytest.mark.parametrize(
    ("kind", "files"),
    [
        ("run", run_files),
        ("plan", plans),
        ("picture", pictures),
        ("lesson", lessons),
        ("sheet", sheets),
        ("shape", shapes),
    ],
)
def test_a_megabyte_costs_little(kind, files, tmp_path):
    made = {}
    for number, (name, data) in enumerate(files(tmp_path)):
        file = tmp_path / f"{number}.file"
        file.write_bytes(data.encode() if isinstance(data, str) else data)
        made[file] = name if name not in made.values() else f"{name} ({number})"
        assert file.stat().st_size <= 1_000_000, name
    command = [sys.executable, "-c", CHILD, kind, *made]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    costs = dict(zip(made.values(), told, strict=False))
    assert len(costs) == len(made) == len(told), (done.stderr[-2000:], costs)
    assert not costs.pop("good")[0]
    dear = {
        name: (said[:80], round(megabytes), round(seconds, 2))
        for name, (said, megabytes, seconds) in costs.items()
        if megabytes > MAX_MEGABYTES or seconds > MAX_SECONDS
    }
    assert not dear
    # No text of Python's own reaches the user, and only these are what they say they are.
    assert not [said for said, _, _ in costs.values() if "sys.set_int" in said or len(said) > 500]
    assert {name for name, (said, _, _) in costs.items() if not said} <= {
        "runs", "brackets", "endless pictures", "a large photograph"
    }  # fmt: skip


PLAN = (
    'title = "A plan"\nseed = 7\nrepeats = 2\npaired = true\n[puzzle]\nkind = "boggle"\n'
    'lexicon = "planets"\nrows = 3\naxes = {torus = [true, false]}\n[[solvers]]\n'
    'solver = "genetic"\nparams = {parents = 4}\n'
    "axes = {mutation = {from = 0, to = 20, step = 10}}\n"
    '[limits]\nunits = 50\nseconds = 1.5\n[tune]\ntrials = 5\n'
)  # fmt: skip


@st.deferred  # each process imports this, and few run it
def damaged_pictures():
    names = ("letters", "tiles", "words")
    return damaged(
        {name: json.dumps(unsigned(carried_text(a_run(name)))).encode() for name in names}
    )


def says(read, given_value):
    """Return whether what was read has all that the file has, with the same values."""
    if isinstance(given_value, dict):
        is_range = "from" in given_value and not isinstance(read, dict)
        return is_range or all(says(read[key], part) for key, part in given_value.items())
    if isinstance(given_value, list):
        return len(read) == len(given_value) and all(map(says, read, given_value))
    return read == given_value


@cases(100)
@given(data=damaged({"plan.toml": PLAN.encode()}))
def test_a_damaged_plan_is_what_it_says_or_a_sentence(data, tmp_path):
    file = tmp_path / "plan.toml"
    file.write_bytes(data)
    try:
        plan = read_plan(file)
        runs_of(plan, tmp_path)
    except TileLabError:
        return
    assert says(plan.model_dump(mode="json"), tomllib.loads(data.decode("utf-8-sig")))


@cases(100)
@given(data=damaged({"lesson.md": LESSON.encode()}))
def test_a_damaged_lesson_is_what_it_says_or_a_sentence(data, tmp_path):
    (tmp_path / "board.svg").touch()
    file = tmp_path / "lesson.md"
    file.write_bytes(data)
    try:
        lesson = read_lesson(file)
    except TileLabError:
        return
    for run in lesson.runs:
        assert all(str(value).encode() in data for value in run.block.board.values())


@cases(100)
@given(data=damaged_pictures)
def test_a_damaged_picture_is_what_it_says_or_a_sentence(data, tmp_path):
    file = tmp_path / "picture.svg"
    file.write_text(signed(data))
    try:
        opened = read_carried(file)
    except TileLabError:
        return
    plain = json.loads(data)
    best = plain["best"]
    assert opened.recipe.seed == plain["seed"]
    assert (opened.best.cells.tolist(), opened.best.value) == (best["cells"], best["value"])
    assert opened.best.moves == best["moves"]
