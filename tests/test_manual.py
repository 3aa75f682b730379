"""The manual's pages: links lead somewhere, commands and examples run, tables are filled."""

import contextlib
import importlib.util
import io
import os
import re
import shlex
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import click
import pytest

from tests import programs
from tilelab import catalog
from tilelab.cli.command import command_pages, commands
from tilelab.manual import places
from tilelab.manual.places import fill_tables

TREE = Path(__file__).parents[1]
DOCS = TREE / "docs"
PAGES = [TREE / "README.md", TREE / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
FIRST_READ = "README.md"
"""The page whose commands are always run."""
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
# Behind the language of an example that cannot be run here stands "shown".
FENCED = re.compile(r"^```(\w+(?: shown)?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A block that stands in a file of this name for the commands of its page."""
PICTURES = TREE / "docs" / "scripts" / "window_pictures.py"
OWN_TESTS = {"library.md", "adding-a-solver.md", "adding-a-heuristic.md", "adding-a-puzzle.md"}
"""Pages whose Python is run by a test of their own."""


def place(page):
    return page.relative_to(TREE).as_posix()


def blocks(kind):
    for page in PAGES:
        if kind == "python" and page.name in OWN_TESTS:
            continue
        for number, (language, text) in enumerate(FENCED.findall(page.read_text("utf-8"))):
            if language == kind:
                yield pytest.param(text, id=f"{place(page)}-{number}")


def anchors(page):
    """The anchors of a page's headings, as forges and Sphinx make them."""
    for heading in re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
        yield plain.strip().replace(" ", "-")


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))


@pytest.mark.parametrize("page", PAGES, ids=place)
def test_every_link_leads_somewhere(page):
    broken = []
    for link in LINK.findall(without_code(page.read_text("utf-8"))):
        if re.match(r"https?:|mailto:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def test_every_page_is_in_the_contents():
    listed = set()
    for index in (DOCS / "index.md", DOCS / "solvers" / "index.md"):
        for kind, text in re.findall(r"^```\{(\w+)\}\n(.*?)^```$", index.read_text(), re.M | re.S):
            if kind == "toctree":
                names = [line for line in text.splitlines() if line and not line.startswith(":")]
                listed |= {index.parent / name for name in names}
    there = {page.with_suffix("") for page in DOCS.rglob("*") if page.suffix in (".md", ".rst")}
    assert listed == there - {DOCS / "index"}


@pytest.fixture
def shell(tmp_path):
    """Runs a script in a folder of its own, each `tilelab` by itself; returns the first status that
    is not 0, and what was printed."""
    options = {"cwd": tmp_path / "work", "timeout": 300, "text": True}
    options["env"] = {**os.environ, "TILELAB_DATA_DIR": str(tmp_path / "data")}
    options["cwd"].mkdir()

    def run(script, **files):
        for name, text in files.items():
            (options["cwd"] / name).write_text(text, "utf-8")
        printed = ""
        for is_program, lines in groupby(script.replace("\\\n", "").splitlines(), is_command):
            for words in map(words_of, lines) if is_program else [["sh", "-ec", "\n".join(lines)]]:
                if is_program:
                    done = programs.run(*words, **options)
                else:
                    done = subprocess.run(words, check=False, capture_output=True, **options)
                printed += done.stdout + done.stderr
                if done.returncode:
                    return done.returncode, printed
        return 0, printed

    return run


def is_command(line):
    return line.startswith("tilelab ")


def words_of(line):
    """The arguments of a command line, with a tenth of the time."""
    words = shlex.split(line, comments=True)
    assert not re.search(r"[|&;<>$*?]", "".join(words)), "the shell is not asked here"
    return re.sub(r"(?<=\0--seconds\0)(?=\d)", "0.", "\0".join(words[1:])).split("\0")


def scripts(page):
    return [text for kind, text in FENCED.findall(page.read_text("utf-8")) if kind == "sh"]


@pytest.mark.long
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=() if page.name == FIRST_READ else pytest.mark.exhaustive)
        for page in filter(scripts, PAGES)
    ],
    ids=place,
)
def test_the_commands_of_a_page_run_one_after_another(page, shell):
    files = dict(NAMED.findall(page.read_text("utf-8")))
    for script in scripts(page):
        status, printed = shell(script, **files)
        assert status == 0, (script, printed)
        assert printed, script


def test_a_block_with_a_wrong_command_is_found(shell):
    assert shell("tilelab run bogle\ntilelab list solvers")[0] == 2


@pytest.mark.parametrize("page", PAGES, ids=place)
def test_no_command_stands_outside_of_a_block_that_is_run(page):
    text = re.sub(r"^```(?:sh|sh shown)\n.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)
    assert re.findall(r"^(?: {4})?tilelab .*$", text, re.MULTILINE) == []


@pytest.mark.parametrize("example", list(blocks("python")))
def test_an_example_does_what_it_says(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(example, "example", "exec"), namespace)
    for value, said in re.findall(r"^(\S.*?)  # (\S.*)$", example, re.MULTILINE):
        assert repr(eval(value, namespace)) == said


def flags_of(words):
    """The flags of the command that the first words name; None where there is none."""
    command, names = commands(), list(words)
    context = click.Context(command, info_name="tilelab")
    while isinstance(command, click.Group) and names and not names[0].startswith("-"):
        below = command.get_command(context, names[0])
        if below is None:
            return None
        context = click.Context(below, parent=context, info_name=names.pop(0))
        command = below
    return set(re.findall(r"--[\w-]+", command.get_help(context)))


@pytest.mark.parametrize("script", list(blocks("sh shown")))
def test_commands_that_are_only_shown_exist_with_their_flags(script):
    """They need a cluster, or more time than a test has."""
    for line in re.findall(r"^tilelab (.*)$", script, re.MULTILINE):
        words = shlex.split(line, comments=True)
        flags = flags_of(words)
        assert flags is not None, line
        asked = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert asked <= flags, line


def test_every_picture_is_made_by_a_script():
    there = {file.name for kind in ("png", "svg") for file in DOCS.rglob(f"*.{kind}")}
    spec = importlib.util.spec_from_file_location("window_pictures", PICTURES)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert there == {"house.svg", *(f"{name}.png" for name in made.PICTURES)}
    used = {Path(link).name for page in PAGES for link in LINK.findall(page.read_text("utf-8"))}
    assert there <= used


def test_the_manual_has_its_pages():
    """One for each puzzle and family of solvers, and those that the window opens."""
    names = {page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md")}
    assert len(names) >= 44
    assert {*places.PUZZLES.values()} < names
    assert all(page.read_text("utf-8").startswith("# ") for page in PAGES)


def test_every_solver_is_on_the_page_of_its_family():
    for puzzle in places.PUZZLES:
        for key in catalog.solvers(puzzle):
            page = DOCS / f"{places.page_of(puzzle, key)}.md"
            assert f"<!-- parameters: {puzzle} {key} -->" in page.read_text("utf-8"), key


@pytest.mark.parametrize("page", PAGES[2:], ids=place)
def test_every_table_is_filled(page):
    text = fill_tables(page.read_text("utf-8"))
    assert not re.search(r"<!-- (parameters|solvers)", text)


def test_the_readme_is_short():
    assert len(PAGES[0].read_text("utf-8").splitlines()) <= 100


def test_the_page_of_commands_has_every_command():
    text = command_pages()
    whole = commands()
    waiting = [("tilelab", whole, click.Context(whole, info_name="tilelab"))]
    paths = []
    while waiting:
        path, command, context = waiting.pop()
        paths.append(path)
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                below = command.get_command(context, name)
                waiting.append((f"{path} {name}", below, click.Context(below, parent=context)))
    assert len(paths) > 25
    assert [path for path in paths if f"# `{path}`\n" not in text] == []


@pytest.mark.exhaustive
@pytest.mark.long
def test_the_site_is_built_without_a_warning(tmp_path):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"),
            *("-c", "docs/scripts", "-d", tmp_path / "read", "docs", tmp_path / "site"),
        ],
        cwd=TREE,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    commands_page = (tmp_path / "site" / "command-line.html").read_text("utf-8")
    assert "tilelab run boggle" in commands_page
    assert "--workers" in commands_page  # of a command that is made late
    assert "Mutation rate" in (tmp_path / "site" / "solvers" / "genetic.html").read_text("utf-8")
    assert "solve" in (tmp_path / "site" / "library-reference.html").read_text("utf-8")
