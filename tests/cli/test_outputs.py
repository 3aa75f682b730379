"""No command writes over a file that it reads, nor over one of another kind."""

import os
import zipfile

import click
import pytest

from tests.experiments.plans import runs, small
from tilelab.cli.command import commands, main
from tilelab.cli.flags import FILE, Output, WritingCommand
from tilelab.experiments.job_run import run_job
from tilelab.experiments.results import Results

TEXTS = {
    "g.txt": "C A T\nD O G\n\n# score: 2 strings\n# seed: 1\n",
    "l1": "cat\ndog\ntad\n",
    "sorted": "act\ncat\n",
    "plan.toml": '[puzzle]\nkind = "boggle"\nlexicon = "l1"\n[[solvers]]\nsolver = "genetic"\n',
    "cards-2.png": "not a picture",
    "old.pdf": "%PDF-1.7",
    "empty": "",
}
SHEET = ("sheet", "g.txt", "--lexicon", "l1")
RUN = ("run", "boggle", "--lexicon", "l1", "--rows", "2", "--cols", "2", "--limit", "2")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweeps") / "s1"
    made = runs(small(repeats=1))
    with Results(folder, made) as kept:
        kept.keep([(place, run_job(made.job(place))) for place in range(len(made))])
    return (folder / "sweep.sqlite").read_bytes()


@pytest.fixture
def folder(tmp_path, results, monkeypatch):
    """A working folder with a board, lists, a plan, a picture's name, and a sweep's results."""
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "s1").mkdir()
    (tmp_path / "s1" / "sweep.sqlite").write_bytes(results)
    (tmp_path / "s1" / "rows.csv").write_text(TEXTS["l1"], encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "thesis.docx", "w") as archive:
        archive.writestr("word/document.xml", "Much work")
    (tmp_path / "linked").symlink_to(tmp_path / "l1")
    os.link(tmp_path / "l1", tmp_path / "hard")
    return tmp_path


def contents(folder):
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def draw(sheets, options, targets):
    """Write the beginning of a PDF file."""
    for path, data in (
        (targets.pdf, b"%PDF-1.4"),
        (targets.png, b"\x89PNG"),
        (targets.svg, b"<svg"),
    ):
        if path is not None:
            path.write_bytes(data)
    return ()


FILES = ("FILE", "FILE...", "DIR", "PATH", "PLAN")
WRITTEN = ("out", "save_run", "pdf", "png", "svg")
READ = "is read by this command and is not overwritten"
OTHER = "is a file of another kind; --force overwrites it"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*SHEET, "--pdf", "g.txt"), READ),
        ((*SHEET, "--svg", "l1"), READ),
        ((*SHEET, "--pdf", "../@/l1"), READ),
        ((*SHEET, "--pdf", "linked"), READ),
        ((*SHEET, "--pdf", "hard"), READ),
        ((*SHEET, "--fill-without", "sorted", "--fill", "no-words", "--png", "sorted"), READ),
        ((*SHEET, "--pdf", "new", "--svg", "new"), "--svg names new, too"),
        ((*SHEET, "--pdf", "plan.toml"), OTHER),
        ((*SHEET, "--png", "cards.png"), OTHER),
        ((*RUN, "--out", "l1"), READ),
        ((*RUN, "--save-run", "linked"), READ),
        ((*RUN, "--start", "g.txt", "--out", "g.txt"), READ),
        ((*RUN, "--profile", "l1"), READ),
        ((*RUN, "--profile", "plan.toml"), OTHER),
        ((*RUN, "--out", "new", "--profile", "new"), "--profile names new, too"),
        ((*RUN, "--out", "sorted"), OTHER),
        ((*RUN, "--save-run", "g.txt"), OTHER),
        ((*RUN, "--save-run", "thesis.docx"), OTHER),
        ((*RUN, "--out", "new", "--save-run", "./new"), "--save-run names new, too"),
        (("fit", "--lexicon", "l1", "--out", "l1"), READ),
        (("run", "sliding", "--boards", "g.txt", "--out", "g.txt"), READ),
        (("resume", "l1", "--out", "l1"), READ),
        (("resume", "l1", "--profile", "l1"), READ),
        (("report", "s1", "--out", "plan.toml"), OTHER),
        (("report", "s1", "--out", "s1/sweep.sqlite"), READ),
        (("plot", "s1", "--out", "s1/sweep.sqlite"), READ),
        (("plot", "s1", "--out", "cards-2.png"), OTHER),
        (("export", "s1", "--format", "csv", "--out", "s1/sweep.sqlite"), READ),
        (("export", "s1", "--format", "json", "--out", "plan.toml"), OTHER),
        (("history", "export", "--out", "plan.toml"), OTHER),
        (("sweep", "plan.toml", "--out", "s1"), OTHER),
        (("sweep", "s1/rows.csv", "--out", "s1"), READ),
    ],
)  # fmt: skip
def test_what_would_be_lost_is_refused_before_anything_is_done(words, said, folder, capsys):
    before = contents(folder)
    assert main([word.replace("@", folder.name) for word in words], None, draw) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    if said == READ:
        assert main([*(word.replace("@", folder.name) for word in words), "--force"]) == 2
    assert contents(folder) == before


@pytest.mark.parametrize(
    "words",
    [
        (*SHEET, "--pdf", "old.pdf"),
        (*SHEET, "--pdf", "empty"),
        (*SHEET, "--pdf", "plan.toml", "--force"),
        (*RUN, "--out", "g.txt"),
        (*RUN, "--out", "sorted", "--force"),
        (*RUN, "--out", os.devnull, "--save-run", os.devnull),
        (*RUN, "--profile", "empty"),
        ("history", "export", "--out", "empty"),
    ],
)
def test_a_file_of_the_same_kind_is_replaced(words, folder):
    for _ in range(2):
        assert main([*words], None, draw) == 0


def leaves(command, ctx, path=()):
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            yield from leaves(command.get_command(ctx, name), ctx, (*path, name))
    else:
        made = getattr(command, "_make", lambda: command)()
        yield (*path, made.name), made


def test_no_command_has_an_output_that_is_not_checked():
    """A new command that reads or writes a file says so by the type of its flag."""
    top = commands()
    found = dict(leaves(top, click.Context(top)))
    assert len(found) > 15
    for path, command in found.items():
        named = [one for one in command.params if str(one.metavar) in FILES]
        outputs = [one for one in named if isinstance(one, Output)]
        is_writing = any(one.name in WRITTEN for one in named)
        assert bool(outputs) == is_writing == isinstance(command, WritingCommand), path
        if is_writing:
            assert all(one in outputs or one.type is FILE for one in named), path
