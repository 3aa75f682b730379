"""Tables of a sweep's results, in every format, and the words beside them."""

import csv
import html
import importlib.util
import io
import itertools
import json
import re

import pytest
from markdown_it import MarkdownIt

from tests.experiments.plans import runs, small
from tilelab.cli.command import main
from tilelab.core.errors import TileLabError, UsageError
from tilelab.experiments.job_run import Outcome, failed_row
from tilelab.experiments.remarks import remarks_on
from tilelab.experiments.results import Results, read_results
from tilelab.experiments.tables import (
    across,
    by_setting,
    comma_separated,
    comparison_of,
    distinctive_figure,
    latex,
    markdown,
    require_figure,
    settings_of,
    sort_lines,
)

NEEDS_SCIPY = pytest.mark.skipif(
    importlib.util.find_spec("scipy") is None, reason="scipy is an extra"
)
VALUES = {
    (5, "a"): [10, 12, 11, 13],
    (5, "b"): [20, 22, 21, 23],
    (60, "a"): [30, 32, 31, 33],
    (60, "b"): [40, 42, 41, 43],
}
PLAN = small(
    repeats=4,
    solvers=[
        {
            "solver": "genetic",
            "axes": {"mutation": [5, 60], "letters": ["uniform", "frequency"]},
        }
    ],
    limits={"target": 23},
)


def test_a_table_begins_with_a_figure_that_tells_settings_apart():
    """Noticed: it shows 0.00 in every row, or moves or seconds, which tell no settings apart."""
    seconds = itertools.count(1)

    def row(board, value=0, evaluations=7, **metrics):
        numbers = {"value": value, "moves": 20 + board, "evaluations": evaluations, "units": 1}
        numbers["seconds"] = float(next(seconds))
        return {"instance": board, "repeat": 1, "metrics": metrics, **numbers}

    first = [row(1, expanded=10), row(2, expanded=20)]

    def shown(*settings, puzzle="sliding"):
        return distinctive_figure(puzzle, settings)

    assert shown(first, [row(1, expanded=10), row(2, expanded=21)]) == "expanded"
    unsolved = [row(1, value=-2, expanded=3)]  # how far it is from the goal says little
    assert (shown(first, unsolved), shown(first, unsolved, puzzle="boggle")) == (
        "expanded",
        "value",
    )
    assert shown(first, [row(1, evaluations=8)]) == "evaluations"
    assert shown(first) == "moves"
    again = [row(1, expanded=10), row(2, expanded=20)]
    assert shown(first, again) == shown(first, []) == shown() == "moves"
    assert shown(first, again, puzzle="boggle") == shown(puzzle="boggle") == "value"


@pytest.fixture
def folder(tmp_path):
    """Results that were never run: of two parameters, four runs a setting."""
    made = runs(PLAN)
    values = [value for each in VALUES.values() for value in each]
    with Results(tmp_path / "results", made) as results:
        for place, value in enumerate(values):
            row = failed_row(made.job(place), "")
            done = {"status": "limit", "value": value, "evaluations": 100 * value}
            kept = {**row, **done, "metrics": {"mean": value / 2}}
            results.keep([(place, Outcome(kept))])
    return tmp_path / "results"


def test_a_line_for_each_setting_in_the_plans_order(folder):
    lines = by_setting(read_results(folder), "value")
    assert lines[0][:6] == ["solver", "mutation", "letters", "runs", "mean", "95 % interval"]
    assert [line[:5] for line in lines[1:]] == [
        ["genetic", "5", "uniform", "4", "11.50"],
        ["genetic", "5", "frequency", "4", "21.50"],
        ["genetic", "60", "uniform", "4", "31.50"],
        ["genetic", "60", "frequency", "4", "41.50"],
    ]
    assert lines[1][6:] == ["11.50", "10", "13"]
    low, high = map(float, lines[1][5].split(" to "))
    assert 10 <= low < 11.5 < high <= 13


def test_success_and_its_cost_where_there_is_a_target(folder):
    kept = read_results(folder)
    titles, *lines = by_setting(kept, "value", 23)
    assert titles[-2:] == ["success", "evaluations a success"]
    # 2000 + 2200 + 2100 + 2300 evaluations, and one success.
    assert [line[-2:] for line in lines] == [
        ["0 %", "none"],
        ["25 %", "8,600"],
        ["100 %", "3,150"],
        ["100 %", "4,150"],
    ]
    # With another target nobody knows when a run has reached it.
    assert by_setting(kept, "value", 22)[0][-1] == "success"


def test_other_programs_read_the_numbers(tmp_path, capsys):
    """Noticed: "1,392" and "576.40 to 2,834" are texts, and a default is an empty cell."""
    solvers = [{"solver": "a-star"}, {"solver": "breadth-first"}]
    solvers += [{"solver": "ida-star", "axes": {"heuristic": ["manhattan"]}}]
    board = {"kind": "sliding", "rows": 3, "cols": 3}
    made = runs(small(puzzle=board, repeats=1, instances={"random": 2}, solvers=solvers, limits={}))
    with Results(tmp_path, made) as results:
        for place in range(6):
            row = {**failed_row(made.job(place), ""), "status": "solved", "moves": 20}
            metrics = {"expanded": 1234.5 + 1000 * place}
            results.keep([(place, Outcome({**row, "metrics": metrics}))])
    status, out, _ = table(capsys, tmp_path, "--of", "expanded", "--format", "csv")
    titles, *lines = csv.reader(io.StringIO(out))
    assert status == 0
    assert titles[:6] == ["solver", "heuristic", "runs", "mean", "95 % low", "95 % high"]
    assert titles[6:] == ["median", "minimum", "maximum"]
    assert [line[:2] for line in lines] == [
        ["a-star", "manhattan"],
        ["breadth-first", ""],
        ["ida-star", "manhattan"],
    ]
    assert [line[3] for line in lines] == ["1734.5", "3734.5", "5734.5"]
    for _, _, *figures in lines:
        _, mean, low, high, median, least, most = map(float, figures)
        assert least <= low <= mean == median <= high <= most
    _, out, _ = table(capsys, tmp_path, "--of", "expanded", "--format", "json")
    assert [list(map(str, line.values())) for line in json.loads(out)] == lines
    _, out, _ = table(capsys, tmp_path, "--of", "expanded")
    assert "| 1,734 | " in out or "| 1,735 | " in out
    names = [line[:2] for line in by_setting(read_results(tmp_path), "expanded")[1:]]
    assert names == [line[:2] for line in lines]


def test_readers_have_titles_in_place_of_keys(tmp_path):
    """Noticed: a report says ida-star and manhattan, or a default in place of the plan's value."""
    solvers = [
        {"solver": "a-star", "params": {"heuristic": "manhattan", "expansions_per_update": 50}},
        {"solver": "weighted-a-star"},
        {"solver": "breadth-first"},
    ]
    board = {"kind": "sliding", "rows": 3, "cols": 3}
    made = runs(small(puzzle=board, repeats=1, instances={"random": 1}, solvers=solvers, limits={}))
    with Results(tmp_path, made) as results:
        for place in range(3):
            row = {**failed_row(made.job(place), ""), "status": "solved", "moves": 20}
            results.keep([(place, Outcome(row))])
    kept = read_results(tmp_path)
    assert [line[:3] for line in by_setting(kept, "moves", titled=True)] == [
        ["solver", "heuristic", "expansions per update"],
        ["A*", "Manhattan distance", "50"],
        ["Weighted A*", "Manhattan distance", "1,000"],
        ["Breadth first", "", "1,000"],
    ]
    expected = ["solver", "expansions per update", "heuristic Manhattan distance", "heuristic"]
    assert across(kept, "moves", "heuristic", titled=True)[0] == expected


def test_a_parameter_with_another_title_in_another_solver_has_one_column(tmp_path):
    """Noticed: anytime search in a column "beam width" without a value, and two rows for it."""
    solvers = [{"solver": name, "axes": {"width": [10, 100]}} for name in ("beam", "anytime")]
    board = {"kind": "sliding", "rows": 3, "cols": 3}
    made = runs(small(puzzle=board, repeats=1, instances={"random": 1}, solvers=solvers, limits={}))
    with Results(tmp_path, made) as results:
        for place in range(4):
            row = {**failed_row(made.job(place), ""), "status": "solved", "moves": place}
            results.keep([(place, Outcome(row))])
    kept = read_results(tmp_path)
    titles, *lines = across(kept, "moves", "width", titled=True)
    assert titles == ["solver", "beam width 10", "beam width 100"]
    assert [line[1:] for line in lines] == [line[1:] for line in across(kept, "moves", "width")[1:]]
    assert len(lines) == 2


def test_searches_that_a_limit_cut_off_are_counted(tmp_path):
    """Noticed: breadth first has shorter paths than A* on average, of its six easy boards alone."""
    heuristics = {"solver": "a-star", "axes": {"heuristic": ["manhattan", "zero"]}}
    made = runs(
        small(
            repeats=1,
            puzzle={"kind": "sliding", "rows": 3, "cols": 3},
            instances={"random": 4},
            solvers=[heuristics],
            limits={"units": 6, "target": -1},
        )
    )
    ends = [("solved", "", 20)] * 4 + [("solved", "", 10), ("limit", "units", None)] * 2
    ends[0] = ("limit", "target", 20)
    with Results(tmp_path, made) as results:
        for place, (status, limit, moves) in enumerate(ends):
            row = failed_row(made.job(place), "")
            done = {"status": status, "limit_reached": limit, "moves": moves, "seconds": 1.0}
            results.keep([(place, Outcome({**row, **done}))])
    kept = read_results(tmp_path)
    titles, *rest = by_setting(kept, "moves")
    lines = [dict(zip(titles, line, strict=True)) for line in rest]
    assert [(line["runs"], line["all runs"], line["cut off"]) for line in lines] == [
        ("4", "4", "0"),
        ("2", "4", "2"),
    ]
    assert by_setting(kept, "seconds")[2][-2:] == ["4", "2"]
    assert across(kept, "moves", "heuristic")[1][1:] == [
        "20.00 (20 to 20)",
        "10.00 (10 to 10), 2 of 4",
    ]
    assert any("ended: 2 runs." in each for each in remarks_on(kept, "moves").unsupported)


def test_the_values_of_a_parameter_across(folder):
    kept = read_results(folder)
    assert across(kept, "value", "mutation") == [
        ["solver", "letters", "mutation 5", "mutation 60"],
        ["genetic", "uniform", "11.50 (10 to 13)", "31.50 (30 to 33)"],
        ["genetic", "frequency", "21.50 (20 to 23)", "41.50 (40 to 43)"],
    ]
    assert across(kept, "mean", "letters")[1] == [
        *("genetic", "5", "5.75 (5 to 6.50)", "10.75 (10 to 11.50)")
    ]
    with pytest.raises(
        UsageError, match="'parents' is not a parameter that varies; available: muta"
    ):
        across(kept, "value", "parents")


def test_a_figure_that_no_run_has(folder):
    kept = read_results(folder)
    require_figure(kept, "mean")
    with pytest.raises(UsageError, match="'maen' is not a figure of a run"):
        require_figure(kept, "maen")
    assert by_setting(kept, "moves")[1] == [
        *("genetic", "5", "uniform", "0", "", "", "", "", "", "4", "0")
    ]


@NEEDS_SCIPY
def test_settings_are_compared_pair_by_pair(folder):
    found = comparison_of(read_results(folder), "value")
    assert found.test == "Friedman test"
    assert len(found.pairs) == 6
    assert {pair.test for pair in found.pairs} == {"Wilcoxon signed-rank test"}
    assert {pair.effect for pair in found.pairs} == {0.0}
    assert found.pairs[0].first == "Genetic, mutation rate 5, random letters uniform"


@NEEDS_SCIPY
def test_a_setting_has_its_name_even_if_its_neighbours_are_not_compared(tmp_path):
    """Noticed: 'Genetic' in a sentence next to a table of two settings of it."""
    solvers = [{"solver": "genetic", "axes": {"mutation": [5, 60]}}, {"solver": "tabu"}]
    made = runs(small(solvers=solvers))
    with Results(tmp_path, made) as results:
        for place in range(len(made)):
            job = made.job(place)
            row = {**failed_row(job, ""), "status": "limit", "value": place}
            if job.varied == {"mutation": 60}:
                row["value"] = None
            results.keep([(place, Outcome(row))])
    (pair,) = comparison_of(read_results(tmp_path), "value").pairs
    assert {pair.first, pair.second} == {"Genetic, mutation rate 5", "Tabu search"}


@NEEDS_SCIPY
def test_runs_that_are_missing_leave_nothing_paired(tmp_path):
    made = runs(small(repeats=3))
    with Results(tmp_path, made) as results:
        for place in range(5):
            done = {"status": "limit", "value": place}
            results.keep([(place, Outcome({**failed_row(made.job(place), ""), **done}))])
        results.keep([(5, Outcome(failed_row(made.job(5), "no current")))])
    kept = read_results(tmp_path)
    assert (len(kept.rows), kept.n_failed) == (5, 1)
    assert [len(setting.rows) for setting in settings_of(kept)] == [3, 2]
    assert comparison_of(kept, "value").pairs[0].test == "Mann–Whitney test"


LINES = [["solver", "a|b"], ["x_1 & 100 %", "=1+1\x1b"]]
SIGNS = [
    "<b>a</b>",
    "&lt;",
    "*a* _b_ __c__",
    "`a`",
    "~~a~~",
    "[a](b)",
    "\\|",
    "a|b\\",
    "max_open",
    "\\*",
]


def test_a_markdown_cell_shows_its_signs():
    """Raw HTML was taken over, and a backslash before a bar ended the cell."""
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    page = reader.render(markdown([SIGNS, SIGNS]))
    for tag in ("th", "td"):
        cells = re.findall(f"<{tag}>(.*)</{tag}>", page)
        assert [html.unescape(cell) for cell in cells] == SIGNS
        assert not any("<" in cell for cell in cells)


def test_a_latex_cell_shows_its_signs_in_every_encoding():
    """Signs of comparison come out as Spanish ones; a bracket was the row's option."""
    body = latex([["<a> b|c"], ["[1]"], ["*"]])
    assert "\n\\textless{}a\\textgreater{} b\\textbar{}c \\\\\n" in body
    assert "\n{[}1] \\\\\n{*} \\\\\n" in body


def test_formats_keep_signs_what_they_are():
    assert markdown(LINES) == ("| solver | a\\|b |\n| --- | --- |\n| x_1 & 100 % | =1+1\\x1b |")
    assert latex(LINES) == (
        "\\begin{tabular}{ll}\n\\toprule\nsolver & a\\textbar{}b \\\\\n\\midrule\n"
        "x\\_1 \\& 100 \\% & =1+1\\textbackslash{}x1b \\\\\n\\bottomrule\n\\end{tabular}"
    )
    read = list(csv.reader(io.StringIO(comma_separated(LINES))))
    assert read == [["solver", "a|b"], ["x_1 & 100 %", "'=1+1\\x1b"]]


def test_there_is_nothing_to_read(tmp_path):
    with pytest.raises(TileLabError, match="There are no results in"):
        read_results(tmp_path)
    (tmp_path / "sweep.sqlite").write_text("nothing", "utf-8")
    with pytest.raises(TileLabError, match="cannot be used"):
        read_results(tmp_path)


def table(capsys, *words):
    status = main(["table", *map(str, words)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@NEEDS_SCIPY
def test_the_command_prints_a_table_and_words(folder, capsys):
    status, out, err = table(capsys, folder, "--tests")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("| solver | mutation | letters | runs | mean |")
    assert lines[0].endswith("| success | evaluations a success |")
    assert sum(line.startswith("| genetic |") for line in lines) == 4
    assert "All together: the settings differ (Friedman test, p = 0.007)." in lines
    status, out, _ = table(capsys, folder, "--across", "mutation", "--format", "latex")
    assert (status, out.splitlines()[0]) == (0, "\\begin{tabular}{llll}")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--format", "word"), "--format: 'word' is not one of markdown, latex, csv, json"),
        (("--target", "nan"), "--target: 'nan' is not a number"),
        (("--of", "speed"), "'speed' is not a figure of a run"),
        (("--sort", "speed"), "'speed' is not a column of the table"),
        (("--reverse",), "--reverse goes with --sort COLUMN"),
    ],
)
def test_wrong_words(words, said, folder, capsys):
    status, out, err = table(capsys, folder, *words)
    assert (status, out) == (2, "")
    assert said in err


def test_a_target_of_zero_takes_the_place_of_the_plans(folder, capsys):
    _, out, _ = table(capsys, folder, "--target", "0", "--format", "json")
    assert [line["success"] for line in json.loads(out)] == [100] * 4


def test_lines_are_sorted_by_numbers_and_written_as_json(folder, capsys):
    words = (folder, "--sort", "mean", "--reverse", "--format", "json")
    status, out, _ = table(capsys, *words)
    means = [line["mean"] for line in json.loads(out)]
    assert (status, means) == (0, sorted(means, reverse=True))
    assert all(isinstance(mean, float) for mean in means)
    _, out, _ = table(capsys, folder, "--sort", "letters", "--format", "json")
    assert [line["letters"] for line in json.loads(out)] == ["frequency"] * 2 + ["uniform"] * 2
    lines = [["n"], ["1,000"], [""], ["9"], ["50 %"], ["none"]]
    assert sort_lines(lines, "n") == [["n"], ["9"], ["50 %"], ["1,000"], [""], ["none"]]


def test_small_figures_keep_digits_that_say_something(tmp_path):
    made = runs(small())
    with Results(tmp_path, made) as results:
        for place in range(4):
            row = {**failed_row(made.job(place), ""), "status": "limit"}
            results.keep([(place, Outcome({**row, "seconds": 0.00123 * (place + 1)}))])
    titles, first, _ = by_setting(read_results(tmp_path), "seconds")
    found = dict(zip(titles, first, strict=True))
    assert found["mean"] == found["median"] == "0.00184"
    assert (found["minimum"], found["maximum"]) == ("0.00123", "0.00246")
    assert across(read_results(tmp_path), "seconds", "mutation")[1][1] == (
        "0.00184 (0.00123 to 0.00246)"
    )
