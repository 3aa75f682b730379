"""Results in IOHprofiler's format, written of real sweeps and read back by iohinspector."""

import importlib.util
import json

import pytest

from tests.experiments.plans import STATES, jobs, runs
from tilelab.cli.command import main
from tilelab.core.errors import TileLabError
from tilelab.experiments.iohprofiler import iohprofiler_files, write_iohprofiler
from tilelab.experiments.job_run import run_job
from tilelab.experiments.jobs import puzzle_of, puzzle_of_command
from tilelab.experiments.results import Results, read_results

pytestmark = pytest.mark.exhaustive
NEEDS_INSPECTOR = pytest.mark.skipif(
    importlib.util.find_spec("iohinspector") is None, reason="a package for development"
)
LETTERS = {
    "repeats": 3,
    "puzzle": STATES,
    "solvers": [
        {"solver": "genetic", "params": {"letters": "uniform"}, "axes": {"mutation": [5, 60]}},
        {"solver": "annealing", "params": {"swaps": 30}},
    ],
    "limits": {"units": 12},
}
TILES = {
    "puzzle": {"kind": "sliding", "rows": 3, "cols": 3},
    "instances": {"random": 2, "seed": 3},
    "solvers": [{"solver": "anytime", "params": {"expansions_per_update": 50}}],
    "limits": {"units": 40},
}


def swept(folder, raw):
    """Do the runs of a plan; returns what is kept of them."""
    made = runs(raw)
    with Results(folder, made) as results:
        results.keep([(place, run_job(made.job(place))) for place in range(len(made))])
    return read_results(folder)


def inspected(folder):
    """What iohinspector reads: a description of each run, and its points."""
    from iohinspector import DataManager

    manager = DataManager()
    manager.add_folder(str(folder))
    points = {}
    for point in manager.load(monotonic=False).to_dicts():
        points.setdefault(point["data_id"], []).append((point["evaluations"], point["raw_y"]))
    return [(run, points[run["data_id"]]) for run in manager.overview.to_dicts()]


def expected(row, improvements, least):
    """The points of a run: one at evaluation 1, one for each improvement, one at its end."""
    reached = {1: least} | {found.evaluations: found.value for found in improvements}
    return [*({**reached, row["evaluations"]: row["value"]}).items()]


@pytest.mark.exhaustive
@NEEDS_INSPECTOR
def test_letters_are_read_back_run_by_run(tmp_path):
    kept = swept(tmp_path / "results", LETTERS)
    write_iohprofiler(kept, tmp_path / "out")
    found = {}
    for run, points in inspected(tmp_path / "out"):
        found.setdefault(run["algorithm_name"], []).append((run, points))
    assert sorted(found) == [
        "annealing swaps=30",
        "genetic letters=uniform mutation=5",
        "genetic letters=uniform mutation=60",
    ]
    annealing, five, sixty = (found[name] for name in sorted(found))
    in_order = [*five, *sixty, *annealing]
    assert len(in_order) == len(kept.rows) == 9
    assert max(len(improvements) for improvements in kept.improvements) > 2
    for (run, points), row, improvements in zip(
        in_order, kept.rows, kept.improvements, strict=True
    ):
        assert points == expected(row, improvements, 0.0)
        assert (run["best_y"], run["evals"]) == (row["value"], row["evaluations"])
        assert (run["suite"], run["function_id"], run["dimension"]) == ("TileLab", 1, 16)
        assert run["function_name"] == "boggle lexicon=us-states"
        assert run["instance"] == row["instance"]
        for name in ("mutation", "letters", "swaps"):
            assert run[name] == row["params"].get(name)


@pytest.mark.exhaustive
@NEEDS_INSPECTOR
def test_searches_begin_with_the_distance_of_their_board(tmp_path):
    kept = swept(tmp_path / "results", TILES)
    write_iohprofiler(kept, tmp_path / "out")
    puzzles = [puzzle_of(job) for job in jobs(TILES)]
    read = inspected(tmp_path / "out")
    assert [run["instance"] for run, _ in read] == [1, 2]
    for (run, points), row, improvements, puzzle in zip(
        read, kept.rows, kept.improvements, puzzles, strict=True
    ):
        assert run["dimension"] == 9
        least = puzzle.score(puzzle.start)
        assert points[0] == (1, least)
        assert dict(points) == dict(expected(row, improvements, least))
        assert run["best_y"] == row["value"]


@NEEDS_INSPECTOR
def test_sizes_are_dimensions_and_other_axes_are_functions(tmp_path):
    raw = {
        "puzzle": {
            **{"kind": "boggle", "lexicon": "us-states", "cols": 3},
            "axes": {"rows": [2, 3], "fitness": ["count", "length"]},
        },
        "solvers": [{"solver": "genetic"}],
        "limits": {"units": 2},
    }
    kept = swept(tmp_path / "results", raw)
    write_iohprofiler(kept, tmp_path / "out")
    read = [run for run, _ in inspected(tmp_path / "out")]
    named = "boggle lexicon=us-states fitness="
    assert sorted((run["function_id"], run["function_name"], run["dimension"]) for run in read) == [
        *((1, f"{named}count", 6), (1, f"{named}count", 9)),
        *((2, f"{named}length", 6), (2, f"{named}length", 9)),
    ]
    assert {run["algorithm_name"] for run in read} == {"genetic"}


def test_boards_of_one_size_and_two_shapes_are_two_functions(tmp_path):
    raw = {
        "puzzle": {
            **{"kind": "boggle", "lexicon": "us-states"},
            "axes": {"rows": [2, 4], "cols": [2, 4]},
        },
        "solvers": [{"solver": "genetic"}],
        "limits": {"units": 2},
    }
    files = iohprofiler_files(swept(tmp_path / "results", raw))
    named = {
        json.loads(text)["function_name"] for name, text in files.items() if name.endswith("json")
    }
    assert "boggle lexicon=us-states rows=2 cols=4" in named
    assert len(named) == 4


def test_a_row_s_command_makes_its_instance_again(tmp_path, monkeypatch):
    words = tmp_path / "words.txt"
    words.write_text("CAT\nACT\n")
    raw = {
        "puzzle": {"kind": "boggle", "lexicon": "words.txt", "rows": 2, "cols": 3, "torus": True},
        "solvers": [{"solver": "genetic"}],
        "limits": {"units": 1},
    }
    (job,) = jobs(raw, tmp_path)
    monkeypatch.chdir("/")
    puzzle = puzzle_of_command(run_job(job).row["command"])
    assert puzzle.shape == (2, 3)
    assert puzzle.params == puzzle_of(job).params
    assert puzzle.lexicon.strings == puzzle_of(job).lexicon.strings
    korf = {
        "puzzle": {"kind": "sliding", "instances": "korf100"},
        "instances": {"numbers": [7]},
        "solvers": [{"solver": "greedy"}],
        "limits": {"units": 1},
    }
    (job,) = jobs(korf)
    again = puzzle_of_command(run_job(job).row["command"])
    assert again.start.tolist() == puzzle_of(job).start.tolist()


@pytest.fixture
def kept(tmp_path):
    return swept(tmp_path / "results", {**LETTERS, "repeats": 1})


def test_what_is_not_known_is_said(kept):
    without = kept._replace(improvements=((),) * 3)
    with pytest.raises(TileLabError, match=r"The improvements of run 1 \(genetic\) were not kept"):
        iohprofiler_files(without)
    uncounted = [{**row, "evaluations": None} for row in kept.rows]
    with pytest.raises(TileLabError, match=r"evaluations of run 1 \(genetic\) are not known"):
        iohprofiler_files(kept._replace(rows=tuple(uncounted)))
    with pytest.raises(TileLabError, match="no finished runs"):
        iohprofiler_files(kept._replace(rows=(), improvements=(), places=()))


def test_what_is_there_is_never_overwritten(kept, tmp_path):
    there = tmp_path / "there"
    there.mkdir()
    with pytest.raises(TileLabError, match="there already exists; name a new folder"):
        write_iohprofiler(kept, there)
    assert list(there.iterdir()) == []
    (tmp_path / "file").write_text("mine")
    with pytest.raises(TileLabError, match="file already exists"):
        write_iohprofiler(kept, tmp_path / "file")


def test_a_folder_that_cannot_be_written_leaves_nothing(kept, tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(TileLabError, match="out cannot be written"):
        write_iohprofiler(kept, tmp_path / "file" / "out")


def test_the_command_writes_every_format(kept, tmp_path, capsys):
    def export(form, out):
        return main(["export", str(tmp_path / "results"), "--format", form, "--out", str(out)])

    assert export("iohprofiler", tmp_path / "ioh") == 0
    assert f"Wrote 3 runs to {tmp_path / 'ioh'}" in capsys.readouterr().err
    assert (tmp_path / "ioh" / "1-genetic" / "IOHprofiler_f1.json").is_file()
    assert export("iohprofiler", tmp_path / "ioh") == 1
    assert "a new folder" in capsys.readouterr().err
    assert export("json", tmp_path / "rows.json") == 0
    assert json.loads((tmp_path / "rows.json").read_text("utf-8")) == [*kept.rows]
    assert export("csv", tmp_path / "rows.csv") == 0
    lines = (tmp_path / "rows.csv").read_text("utf-8").splitlines()
    assert lines[0].startswith("solver,params,instance,repeat,seed,status,units,evaluations")
    assert len(lines) == 4
    assert export("xml", tmp_path / "rows.xml") == 2
