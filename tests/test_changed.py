"""What a change touches: imports, early and late, names in texts, conftest and other files."""

import pytest

from tests import conftest
from tests.changed import ROOT, Sources, chosen

FILES = {
    "tilelab/__init__.py": "",
    "tilelab/low.py": "",
    "tilelab/high.py": "def act():\n    from tilelab.low import thing",
    "tilelab/rooms/__init__.py": "",
    "tilelab/rooms/found.py": "",
    "tilelab/finds.py": "import pkgutil\nimport tilelab.rooms\npkgutil.iter_modules",
    "tilelab/__main__.py": "import tilelab.high",
    "tests/conftest.py": "",
    "tests/test_high.py": "import tilelab.high",
    "tests/test_finds.py": "from tilelab import finds",
    "tests/test_starts.py": "run('-m', 'tilelab')",
    "tests/test_patches.py": "patch('tilelab.low.thing.part')",
    "tests/room/conftest.py": "",
    "tests/room/test_data.py": "read('words.txt')",
    "tests/room/test_folder.py": "read('lists')",
    "tests/tables/__init__.py": "glob('*.toml')",
    "tests/test_tables.py": "import tests.tables",
}
LOW = {"tests/test_high.py", "tests/test_starts.py", "tests/test_patches.py"}


@pytest.fixture
def sources(tmp_path):
    """A small tree."""
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return Sources(tmp_path)


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("tilelab/low.py", LOW),
        ("tilelab/__main__.py", {"tests/test_starts.py"}),
        ("tilelab/rooms/found.py", {"tests/test_finds.py"}),
        ("tilelab/rooms/__init__.py", {"tests/test_finds.py"}),
        ("tests/test_high.py", {"tests/test_high.py"}),
        ("tests/room/conftest.py", {"tests/room/test_data.py", "tests/room/test_folder.py"}),
        ("resources/lists/words.txt", {"tests/room/test_data.py"}),
        ("resources/lists/other.txt", {"tests/room/test_folder.py"}),
        ("tests/tables/words.toml", {"tests/test_tables.py"}),
        ("tests/tables/lists.toml", {"tests/test_tables.py", "tests/room/test_folder.py"}),
        ("resources/unknown/other.txt", None),
        ("pyproject.toml", None),
        ("tests/conftest.py", None),
    ],
)
def test_what_a_change_touches(sources, changed, tests):
    assert sources.tests(changed) == tests


def test_several_changes_touch_what_each_does_and_a_doubt_touches_all(sources):
    said = []
    names = ["tilelab/low.py", "resources/lists/words.txt"]
    assert chosen(sources, names, said.append) == {*LOW, "tests/room/test_data.py"}
    assert said == [
        "tilelab/low.py: 3 test files use it",
        "resources/lists/words.txt: 1 test files use it",
    ]
    assert chosen(sources, [*names, "unknown"], said.append) == {"tests"}


@pytest.mark.exhaustive
def test_in_this_tree_low_files_are_used_by_more_than_high_ones():
    """An edge that leads up would have every change touch everything."""
    sources = Sources()
    language, window = map(
        sources.tests, ("tilelab/core/text/language.py", "tilelab/gui/lab/race/dialog.py")
    )
    assert "tests/core/text/test_language.py" in language - window
    assert "tests/gui/lab/race/test_race.py" in window
    assert len(window) < len(language) / 2
    assert all((ROOT / name).exists() for name in language)


def test_by_default_the_first_case_runs_and_each_nth_after_it():
    """Noticed: counting through several tests, or cases that are left to --all anyway."""

    class Case:
        def __init__(self, test, name, **marks):
            self.nodeid, self._marks = f"{test}[{name}]", marks

        def get_closest_marker(self, name):
            return self._marks.get(name)

    every, alone = pytest.mark.every(3).mark, pytest.mark.exhaustive.mark
    cases = [
        Case("one", "slow", every=every, exhaustive=alone),
        *(Case("one", name, every=every) for name in "abcdefg"),
        *(Case("two", name, every=every) for name in "hi"),
        *(Case("three", name) for name in "jk"),
    ]
    left_out = conftest.list_exhaustive(cases)
    assert "".join(case.nodeid[-2] for case in cases if case not in left_out) == "adghjk"
