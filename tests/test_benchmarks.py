"""The benchmarks: their short form runs, their rows can be done, and a loss is called lost."""

import os
import random
import subprocess
import sys
from pathlib import Path

import click
import pytest

from benchmarks import __main__ as bench_program
from benchmarks import against, sides, speed_page, views, window
from benchmarks.__main__ import PARTS, main
from benchmarks.rows import ROWS, Row
from tilelab.cli.command import commands
from tilelab.core.solver import Status

ROOT = Path(__file__).resolve().parent.parent
MAX_SECONDS = 900
"""With an empty cache, the kernels are compiled here."""


def bench(*words):
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *words],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=MAX_SECONDS,
        check=False,
    )


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is fast")
@pytest.mark.long
@pytest.mark.parametrize(
    "names",
    [["history"], pytest.param([*PARTS], marks=pytest.mark.exhaustive)],
    ids=["cheap", "all"],
)
def test_every_part_runs_in_its_short_form(names):
    done = bench("--short", *names)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [name for name in names if f"\n{name}: " not in done.stdout] == []
    assert done.stdout.splitlines()[-1].startswith("all: ")


def test_an_unknown_part_is_refused_with_those_that_there_are():
    with pytest.raises(click.BadParameter, match=r"'speed' is not one of 'window', "):
        main(["speed"], standalone_mode=False)


def test_an_unknown_row_is_refused_with_those_that_there_are():
    with pytest.raises(click.BadParameter, match=r"'a-sta' is no row; allowed are a-star, "):
        main(["--rows", "a-sta"], standalone_mode=False)


def test_every_row_is_a_command_that_there_is():
    context = click.Context(commands(), info_name="tilelab")
    of_runs = [
        row.words.split()
        for row in ROWS.values()
        if row.words.startswith(("run", "sweep", "prove"))
    ]
    assert len(of_runs) > 25
    for rest in of_runs:
        command = context.command
        while isinstance(command, click.Group):
            _, command, rest = command.resolve_command(context, rest)
        command.make_context("row", rest, parent=context)


def judged(ratio, noise, n_rounds=8, n_pairs=4):
    """Judge pairs as they are recorded: noise of each pair, and of the processes of a round."""
    rng = random.Random(20_261)
    return against.judge(
        [
            [ratio * own * rng.lognormvariate(0, noise) for _ in range(n_pairs)]
            for own in (rng.lognormvariate(0, noise / 2) for _ in range(n_rounds))
        ]
    )


def test_a_loss_of_five_per_cent_is_lost_and_one_of_one_is_not():
    verdicts = [judged(ratio, 0.01) for ratio in (0.95, 0.99, 1.0, 1.05)]
    assert [verdict.result for verdict in verdicts] == ["lost", "kept", "kept", "gained"]
    assert all(verdict.is_decided for verdict in verdicts)
    # One pair in a round that was disturbed changes nothing.
    assert not against.judge([[1.0, 1.001, 0.999, 0.2]] * 3 + [[1.0, 1.002, 1.0, 1.0]]).is_lost


def test_what_is_not_known_well_enough_is_neither_lost_nor_decided():
    assert not judged(0.9, 0.2).is_decided
    assert judged(0.9, 0.2).result == "open"
    # Certainly faster, however wide the interval is.
    assert judged(1.6, 0.05).result == "gained"
    assert not judged(0.9, 0.01, n_rounds=1).is_lost
    assert not against.judge([[0.8], [0.801]]).is_lost
    # Narrow, but on both sides of what counts as lost.
    assert not against.judge([[0.96], [0.98], [0.965], [0.975], [0.97]]).is_decided
    # Processes that differ from one start to the next are no more certain for many pairs.
    rounds = [[ratio] * 100 for ratio in (0.93, 0.99, 0.95, 0.98)]
    assert not against.judge(rounds).is_lost


class FakeSide:
    """A side whose speed is known, faster when it has just been measured; notes who is measured."""

    order: list[str]

    def __init__(self, release):
        self.release = release

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def measure(self, _row, _core):
        is_warm = self.order[-1:] == [self.release.title]
        self.order.append(self.release.title)
        return float(self.release.environment["speed"]) * (1.1 if is_warm else 1)


@pytest.mark.parametrize(("speed", "is_lost"), [("95", True), ("99", False)])
def test_sides_take_turns_and_both_begin(monkeypatch, speed, is_lost):
    monkeypatch.setattr(against, "Side", FakeSide)
    monkeypatch.setattr(FakeSide, "order", [], raising=False)
    monkeypatch.setattr(against, "ROUND_SECONDS", 0.0)
    monkeypatch.setattr(against, "N_PAIRS", 4)
    old, new = (
        sides.Release(name, ROOT, {"speed": it}) for name, it in (("o", "100"), ("n", speed))
    )
    compared = against.compare(Row(""), old, 60, new)
    assert compared.verdict.is_lost == is_lost
    assert compared.verdict.ratio == pytest.approx(int(speed) / 100)
    a_round = "on" * 5  # the first pair warms both up
    assert "".join(FakeSide.order) == (a_round + a_round[::-1]) * (against.MIN_ROUNDS // 2)


@pytest.mark.exhaustive
@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is fast")
def test_a_row_against_the_tree_itself_is_not_lost(monkeypatch):
    monkeypatch.setattr(against, "N_PAIRS", 2)
    monkeypatch.setattr(against, "ROUND_SECONDS", 0.0)
    monkeypatch.setattr(against, "MIN_ROUNDS", 1)
    board = "--rows 3 --cols 3 --scramble-seed 1"
    row = Row(f"run sliding {board} --solver a-star --json --no-history", "expanded")
    compared = against.compare(row, sides.HERE, 0)
    assert 0.2 < compared.verdict.ratio < 5
    assert not compared.verdict.is_lost


def test_what_a_side_cannot_do_is_said():
    with (
        sides.Side(sides.HERE) as side,
        pytest.raises(sides.RefusedError, match=r"here: .*--speed"),
    ):
        side.measure(Row("run sliding --speed 3", "units"))


def test_a_row_that_fails_here_is_lost_and_one_that_fails_there_is_left_out(monkeypatch):
    """Noticed: a tree that cannot do a row any more passes a comparison."""
    other = sides.Release("v0.1.0", ROOT)
    results = []
    for release in (sides.HERE, other):

        def fail(*_, release=release):
            raise sides.RefusedError(release, "no such option")

        monkeypatch.setattr(bench_program, "release", lambda _commit: other)
        monkeypatch.setattr(bench_program, "compare", fail)
        table, lost = bench_program.compare_rows(["a-star"], "v0.1.0", 1.0)
        results.append((table[0][-1], lost))
    assert results == [
        ("lost: here: no such option", ["a-star"]),
        ("left out: v0.1.0: no such option", []),
    ]


def git(folder, *words):
    own = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    done = subprocess.run(
        ["git", *own, *words], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_a_release_is_the_commit_where_python_finds_it_and_few_are_kept(monkeypatch, tmp_path):
    repository, releases = tmp_path / "repository", tmp_path / "releases"
    (repository / "tilelab").mkdir(parents=True)
    (repository / "resources").mkdir()
    project = """
[project]
dependencies = ["numpy>=1"]
[tool.setuptools.package-dir]
"tilelab.resources" = "resources"
"""
    (repository / "pyproject.toml").write_text(project, encoding="utf-8")
    (repository / "resources" / "words.txt").write_text("old", encoding="utf-8")
    (repository / "tilelab" / "__init__.py").touch()
    git(repository, "init", "-q")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "one")
    git(repository, "tag", "v0.1.0")
    monkeypatch.setattr(sides, "ROOT", repository)
    made = sides.release("v0.1.0", releases)
    words = made.tree / "tilelab" / "resources" / "words.txt"
    assert words.read_text(encoding="utf-8") == "old"
    for number in range(sides.N_KEPT):
        git(repository, "commit", "-q", "--allow-empty", "-m", str(number))
        os.utime(releases / git(repository, "rev-parse", "v0.1.0")[:12], (0, 0))
        sides.release("HEAD", releases)
    assert len(list(releases.iterdir())) == sides.N_KEPT
    assert not made.tree.exists()
    with pytest.raises(click.ClickException, match=r"v0\.2\.0 is no commit .* v0\.1\.0\) or"):
        sides.release("v0.2.0", releases)
    project = project.replace("numpy>=1", "numpy>=99")
    (repository / "pyproject.toml").write_text(project, encoding="utf-8")
    git(repository, "commit", "-q", "-a", "-m", "needs more")
    with pytest.raises(click.ClickException, match=r"HEAD needs numpy>=99; here is \d"):
        sides.release("HEAD", releases)


def test_a_table_is_written_between_its_marks(tmp_path):
    page = tmp_path / "speed.md"
    page.write_text(speed_page.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    table = speed_page.format_measured([["a-star", "2,000 boards", "", ""]])
    for _ in range(2):
        speed_page.write("rows", table, page)
    text = page.read_text(encoding="utf-8")
    assert text.count("| a-star | 2,000 boards |  |  |") == 1
    assert text.count("<!-- speed:") == 4
    with pytest.raises(click.ClickException, match="the marks of films are missing"):
        speed_page.write("films", table, page)


@pytest.mark.usefixtures("qapp")
def test_waiting_for_what_never_happens_ends_with_a_sentence(monkeypatch):
    monkeypatch.setattr(window, "MAX_SECONDS", 0.05)
    with pytest.raises(TimeoutError, match=r"not ready after 0\.05 seconds"):
        window.Ticker().until("ready", lambda: False)


def _round(never, closed, opened, making=0.0):
    """Seconds that a slice takes in each run."""
    taken = (never, 0.0), (closed, 0.0), (opened, making)
    return views._Round(
        *(views._Slice(*seconds, seconds[1] > 0, b"", Status.RUNNING) for seconds in taken)
    )


def test_making_views_counts_over_whole_cycles_and_notes_in_each_slice():
    quiet, busy = _round(1.0, 1.0, 1.02), _round(1.0, 1.0, 1.02, making=0.5)
    # One of five slices makes views; what comes before the first and after the last is left out.
    rounds = [*[quiet] * 3, busy, *[quiet] * 4, busy, *[quiet] * 4, busy, *[quiet] * 2]
    assert views._open_share(rounds) == pytest.approx(0.02 + 0.1)
    # A slice that was disturbed changes neither.
    assert views._open_share([*rounds, _round(1.0, 1.0, 9.0)]) == pytest.approx(0.12)


def test_what_the_clock_leaves_open_is_said():
    rounds = [_round(1.0, 1.0 + share / 100, 1.0) for share in range(-20, 21)]
    median, low, high = views._closed_share(rounds)
    assert median == pytest.approx(0.0)
    assert -0.1 < low < 0 < high < 0.1
    is_well, (_, clocked, _, _) = views._cells(views._Figures(0.0, (0.0, low, high), 0.05, 41))
    assert is_well
    assert clocked.endswith(" noise")
    for counted, low, opened in ((0.02, -0.01, 0.05), (0.0, 0.02, 0.05), (0.0, -0.01, 0.11)):
        assert not views._cells(views._Figures(counted, (0.03, low, 0.04), opened, 41))[0]


def test_instructions_are_counted_alike_each_time_and_one_more_is_seen():
    def work(more):
        total = 1
        if more:
            total += 1
        return total

    before = sys.gettrace()
    few, again, many = (views._instructions(lambda more=more: work(more)) for more in (0, 0, 1))
    assert few == again < many
    assert sys.gettrace() is before
