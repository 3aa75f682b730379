"""The report of a sweep: one HTML file with all that is known, and nothing of anyone else's."""

import importlib.util
import re
import sys
from html.parser import HTMLParser

import pytest

from tests.experiments.plans import runs, small
from tilelab.core.errors import TileLabError, UsageError
from tilelab.core.text.language import use
from tilelab.experiments import report as report_module
from tilelab.experiments.charts import KINDS, chart_of
from tilelab.experiments.job_run import Outcome, failed_row, run_job
from tilelab.experiments.plan import TuneTable
from tilelab.experiments.report import report_html, write_report
from tilelab.experiments.results import Results, read_results
from tilelab.experiments.tables import by_setting

TITLE = "<b>&\"'"
ERROR = "<script>alert(1)</script> no room"
VOID = {"meta", "img"}
NEEDS_MATPLOTLIB = pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None, reason="matplotlib is an extra"
)


class Page(HTMLParser):
    """Reads a page: its tags with their attributes, its texts; every tag has to be closed."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.texts, self.open = [], [], []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] not in ([], ["style"]) and data.strip():
            self.texts.append(data.strip())

    @property
    def text(self):
        return "\n".join(self.texts)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two settings, four repeats; the last run has failed."""
    folder = tmp_path_factory.mktemp("results")
    made = runs(small(title=TITLE, repeats=4, limits={"units": 6, "target": 40}))
    with Results(folder, made) as results:
        results.keep([(place, run_job(made.job(place))) for place in range(7)])
        results.keep([(7, Outcome(failed_row(made.job(7), ERROR)))])
    return folder


@pytest.fixture
def kept(folder):
    return read_results(folder)


@pytest.fixture
def undrawn(monkeypatch):
    """No charts, where they are not looked at."""
    monkeypatch.setattr(report_module, "KINDS", {})


@NEEDS_MATPLOTLIB
def test_the_page_holds_everything_and_needs_nothing(folder, kept, tmp_path):
    file = write_report(folder, tmp_path / "report.html")
    source = file.read_text("utf-8")
    page = Page(source)
    assert not re.search(r"https?:|<script|<link|\burl\(|@import", source)
    assert {"h1", "table", "img", "style"} <= {tag for tag, _ in page.tags}
    assert page.texts[:3] == [TITLE, TITLE, "7 of 8 runs done, 1 failed, 0 left."]
    assert "b" not in [tag for tag, _ in page.tags]
    assert {"Genetic", "mutation rate"} <= set(page.texts)
    for line in by_setting(kept, "value", 40, titled=True):
        assert all(cell in page.texts for cell in line)
    images = [attributes for tag, attributes in page.tags if tag == "img"]
    charts = []
    for kind in KINDS:
        try:
            charts.append(chart_of(kept, kind))
        except UsageError:
            continue
    assert [image["alt"] for image in images] == [
        f"{chart.title}. {chart.caption}" for chart in charts
    ]
    assert len(charts) >= 4
    assert all(image["src"].startswith("data:image/svg+xml;base64,") for image in images)
    for chart in charts:
        assert {chart.title, chart.caption} <= set(page.texts)
    assert write_report(folder, file).read_text("utf-8") == source


@pytest.mark.usefixtures("undrawn")
def test_the_plan_is_told_by_its_keys(kept):
    page = Page(report_html(kept))
    texts = page.texts[page.texts.index("The plan") : page.texts.index("Results")]
    facts = dict(zip(texts[1::2], texts[2::2], strict=True))
    assert facts["puzzle.lexicon"] == "us-states"
    assert facts["solvers[1].axes.mutation"] == "5, 60"
    assert (facts["limits.units"], facts["seed"], facts["paired"]) == ("6", "5", "true")
    assert facts["limits.target"] == "40"
    assert "limits.seconds" not in facts


@pytest.mark.usefixtures("undrawn")
def test_the_page_names_the_language_of_its_texts(kept):
    use("de")
    try:
        page = Page(report_html(kept))
    finally:
        use("en")
    assert "Der Plan" in page.texts
    assert page.tags[0] == ("html", {"lang": "de"})


@pytest.mark.usefixtures("undrawn")
def test_runs_that_failed_are_named_with_their_errors(kept):
    page = Page(report_html(kept))
    job = runs(kept.plan.model_dump()).job(7)
    at = page.texts.index(ERROR)
    assert page.texts[at - 5 : at] == ["8", "genetic mutation=60", "1", "4", str(job.seed)]


@pytest.mark.usefixtures("undrawn")
def test_runs_of_a_plan_that_cannot_be_read_any_more_keep_their_errors(kept):
    puzzle = kept.plan.puzzle.model_copy(update={"lexicon": "gone.txt"})
    page = Page(report_html(kept._replace(plan=kept.plan.model_copy(update={"puzzle": puzzle}))))
    at = page.texts.index(ERROR)
    assert page.texts[at - 1] == "8"


@pytest.mark.usefixtures("undrawn")
def test_what_the_numbers_cannot_support_is_said(kept):
    text = Page(report_html(kept)).text
    for words in ("One instance only", "only 3 runs", "Failed and left out: 1 run"):
        assert words in text
    assert "The machine of the runs is not recorded" in text


@pytest.mark.usefixtures("undrawn")
def test_without_scipy_a_sentence_stands_in_the_report(kept, monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert "pip install 'tilelab[statistics]'" in Page(report_html(kept)).text


def test_without_matplotlib_a_sentence_stands_once_in_the_report(kept, monkeypatch):
    monkeypatch.delitem(sys.modules, "tilelab.experiments.drawing", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    page = Page(report_html(kept))
    assert page.text.count("pip install 'tilelab[report]'") == 1
    assert "img" not in [tag for tag, _ in page.tags]


@pytest.mark.usefixtures("undrawn")
def test_several_parameters_have_one_of_them_across(tmp_path):
    axes = {"mutation": [5, 20, 60], "letters": ["uniform", "frequency"]}
    made = runs(small(repeats=1, solvers=[{"solver": "genetic", "axes": axes}]))
    with Results(tmp_path, made) as results:
        for place in range(6):
            row = {**failed_row(made.job(place), ""), "status": "limit", "value": place}
            results.keep([(place, Outcome(row))])
    page = Page(report_html(read_results(tmp_path)))
    assert "Value by random letters" in page.texts
    values = {"random letters uniform", "random letters as in the lexicon", "5.00 (5 to 5)"}
    assert values <= set(page.texts)


@pytest.mark.usefixtures("undrawn")
def test_long_axes_and_long_tables_are_cut_and_that_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(report_module, "MAX_LINES", 4)
    axes = {"mutation": {"from": 0, "to": 29}}
    made = runs(small(repeats=1, solvers=[{"solver": "genetic", "axes": axes}]))
    with Results(tmp_path, made) as results:
        for place in range(6):
            row = {**failed_row(made.job(place), ""), "status": "limit", "value": place}
            results.keep([(place, Outcome(row))])
    text = Page(report_html(read_results(tmp_path))).text
    assert "17, 18 … 29 (30 values)" in text
    assert "2 further lines left out." in text
    monkeypatch.setattr(report_module, "MAX_LINES", 6)
    assert "left out" not in Page(report_html(read_results(tmp_path))).text
    assert "6 of 30 runs done, 0 failed, 24 left. These results are incomplete." in text


@pytest.mark.usefixtures("undrawn")
def test_searches_are_compared_by_the_boards_that_they_have_expanded(tmp_path):
    """Noticed: evaluations in place of the figure that all windows compare searches by."""
    puzzle = {"kind": "sliding", "rows": 3, "cols": 3, "scramble_seed": 1}
    solvers = [{"solver": "a-star"}, {"solver": "breadth-first"}]
    made = runs(small(repeats=1, limits={}, puzzle=puzzle, solvers=solvers))
    with Results(tmp_path, made) as results:
        results.keep([(place, run_job(made.job(place))) for place in range(2)])
    kept = read_results(tmp_path)
    texts = Page(report_html(kept)).texts
    assert texts.index("Moves of the path") < texts.index("Boards expanded")
    for line in by_setting(kept, "expanded", None, titled=True):
        assert set(line) - {""} <= set(texts)


def test_a_sweep_without_a_run_that_is_done_has_its_plan_only(tmp_path):
    with Results(tmp_path, runs(small())):
        pass
    text = Page(report_html(read_results(tmp_path))).text
    assert "0 of 4 runs done, 0 failed, 4 left." in text
    assert "No run of this sweep has finished yet." in text
    assert "Charts" not in text


def test_results_of_a_version_that_kept_no_number_of_runs(kept):
    text = Page(report_html(kept._replace(n_runs=None, rows=()))).text
    assert "How many are left is not known." in text


@pytest.mark.usefixtures("undrawn")
def test_runs_of_trials_are_not_taken_for_those_of_the_plan(kept):
    plan = kept.plan.model_copy(update={"tune": TuneTable(trials=1)})
    page = Page(report_html(kept._replace(plan=plan)))
    assert "How many are left is not known." in page.text
    assert "may have had different limits" in page.text
    assert page.texts[page.texts.index(ERROR) - 1] == "8"


def test_a_folder_without_results_writes_nothing(tmp_path):
    with pytest.raises(TileLabError, match="There are no results in"):
        write_report(tmp_path, tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []
