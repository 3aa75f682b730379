"""The form and the text are two views of one plan."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPushButton, QToolButton

from tests.gui.lab.experiments.conftest import PLAN
from tilelab.gui.lab.experiments import window as window_module
from tilelab.gui.lab.experiments.plan_form import FieldLine, SolverBlock

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def form(experiment):
    experiment.plan(PLAN)
    return experiment.window.plan.form


def known(experiment):
    experiment.until(lambda: experiment.window.plan.found is not None)
    return experiment.window.plan.found


def write(form, name, text):
    line = form.findChild(QLineEdit, name)
    line.selectAll()
    keys = line.focusProxy() or line  # a field with a list gives its keys to the line
    QTest.keyClick(keys, Qt.Key.Key_Delete)
    QTest.keyClicks(keys, text)
    QTest.keyClick(keys, Qt.Key.Key_Return)


def choose(form, name, key):
    box = form.findChild(QComboBox, name)
    box.setCurrentIndex(box.findData(key))


def test_it_shows_what_the_text_says(form):
    for name, text in (
        ("experiment_title", "Small"),
        ("experiment_repeats", "2"),
        ("experiment_puzzle_rows", "4"),
        ("experiment_puzzle_fitness", ""),
        ("experiment_solvers_0_params_mutation", "5, 60"),
        ("experiment_limits_units", "6"),
    ):
        assert form.findChild(QLineEdit, name).text() == text, name
    assert form.findChild(QCheckBox, "experiment_paired").isChecked()


def test_a_line_changes_one_value_of_the_text(experiment, form):
    write(form, "experiment_repeats", "3")
    assert experiment.window.plan.text.text == PLAN.replace("repeats = 2", "repeats = 3")
    write(form, "experiment_solvers_0_params_mutation", "0 to 100 step 50")
    assert len(known(experiment).runs) == 9
    experiment.window.plan.text.undo()
    experiment.window.plan.text.undo()
    assert experiment.window.plan.text.text == PLAN


def test_two_changes_in_a_row_are_both_made(experiment, form):
    write(form, "experiment_limits_target", "3")
    write(form, "experiment_limits_units", "")
    form.findChild(QCheckBox, "experiment_paired").click()
    plan = known(experiment).runs.plan
    assert (plan.limits.target, plan.limits.units, plan.paired) == (3, None, False)


def test_a_puzzle_is_chosen_in_a_plan_without_solvers(experiment, form):
    """Noticed: the choice fails, and nothing changes; the box of the puzzle is empty before."""
    experiment.plan('title = "Small"')
    assert form.findChild(QComboBox, "experiment_puzzle").currentText() == "Choose a puzzle"
    choose(form, "experiment_puzzle", "sliding")
    plan = known(experiment).runs.plan
    assert (plan.puzzle.kind, [one.solver for one in plan.solvers]) == ("sliding", ["ida-star"])


def test_what_is_wrong_stands_beside_its_line(experiment, form):
    write(form, "experiment_limits_units", "many")
    known(experiment)
    wrong = [line for line in form.findChildren(FieldLine) if line.line.property("invalid")]
    assert [line.field.key for line in wrong] == [("limits", "units")]
    assert "'many' is not a whole number" in wrong[0]._said.text()


def test_solvers_are_added_chosen_and_removed(experiment, form):
    form.findChild(QPushButton, "experiment_add").click()
    known(experiment)
    choose(form, "experiment_solver_1", "tabu")
    assert [table.solver for table in known(experiment).runs.plan.solvers] == ["genetic", "tabu"]
    form.findChild(QToolButton, "experiment_remove_0").click()
    assert [table.solver for table in known(experiment).runs.plan.solvers] == ["tabu"]
    assert not form.findChild(QToolButton, "experiment_remove_0").isEnabled()


def test_a_section_stays_as_the_user_has_turned_it(experiment, form):
    """Noticed: folded parameters that open, and unfolded ones that close, with each new solver.

    Nor is a value of the next plan folded away, because the one before had its section folded.
    """

    def sections():
        known(experiment)
        found = form.widget().findChildren(SolverBlock)
        return [block.parameters for block in found]

    def open_ones():
        return [section.is_open() for section in sections()]

    form.findChild(QPushButton, "experiment_add").click()
    assert open_ones() == [True, False]
    for section in sections():
        section.stops[0].click()
    form.findChild(QPushButton, "experiment_add").click()
    assert open_ones() == [False, True, False]
    choose(form, "experiment_solver_2", "tabu")
    assert open_ones() == [False, True, False]
    form.findChild(QToolButton, "experiment_remove_2").click()
    assert open_ones() == [False, True]
    experiment.plan(PLAN)
    assert open_ones() == [True]
    sections()[0].stops[0].click()
    experiment.plan(PLAN.replace("[5, 60]", "[10, 20]"))
    assert open_ones() == [True]
    sections()[0].stops[0].click()
    form.findChild(QPushButton, "experiment_add").click()
    assert open_ones() == [False, False]


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", ["sliding", "wordtiles"])
def test_another_puzzle_begins_with_nothing_of_the_one_before(experiment, form, kind):
    choose(form, "experiment_puzzle", kind)
    found = known(experiment)
    assert found.problem is None
    assert found.values["puzzle"] == {"kind": kind}
    assert len(found.runs) == (20 if kind == "sliding" else 2)


def test_a_plan_of_ones_own_has_the_puzzle_of_the_window_and_its_usual_runs(experiment):
    """Noticed: 100 generations of letters cut off a search of tiles, which runs ten times alike."""

    def table():
        plan = known(experiment).runs.plan
        return plan.puzzle.kind, plan.repeats, plan.limits.units

    form, own = experiment.window.plan.form, experiment.window.plan.beginnings.buttons[-1]
    own.click()
    assert table() == ("boggle", 10, 100)
    choose(form, "experiment_puzzle", "sliding")
    assert table() == ("sliding", 1, None)
    choose(form, "experiment_puzzle", "wordtiles")
    assert table() == ("wordtiles", 10, 100)
    write(form, "experiment_limits_units", "7")
    write(form, "experiment_repeats", "3")
    assert table() == ("wordtiles", 3, 7)
    choose(form, "experiment_puzzle", "sliding")
    assert table() == ("sliding", 3, 7)
    experiment.plan("")
    experiment.puzzle = "sliding"
    own.click()
    assert table() == ("sliding", 1, None)
    assert len(known(experiment).runs) == 10


def test_a_text_that_is_not_toml_is_mended_as_text(experiment, form):
    plan = experiment.window.plan
    plan.text.set_text(PLAN + "[[[")
    assert known(experiment).values is None
    assert plan.text.isVisible()
    assert not plan.findChild(QPushButton, "experiment_as_form").isEnabled()
    plan.text.set_text(PLAN)
    known(experiment)
    assert plan.text.isVisible()
    plan.findChild(QPushButton, "experiment_as_form").click()
    assert form.isVisible()


def choose_word(form, name, title):
    """Choose a word of a line from its list, by its title."""
    box = form.findChild(QComboBox, f"{name}_words")
    box.showPopup()
    place = box.model().index(box.findText(title), 0)
    box.view().scrollTo(place)
    pos = box.view().visualRect(place).center()
    QTest.mouseClick(box.view().viewport(), Qt.MouseButton.LeftButton, pos=pos)


@pytest.mark.exhaustive
def test_word_lists_and_sets_of_boards_are_chosen_from_a_list_by_their_titles(experiment, form):
    """Noticed: the title becomes the value, or the list forgets what the line says."""
    choose_word(form, "experiment_puzzle_lexicon", "Game titles")
    assert known(experiment).runs.plan.puzzle.values["lexicon"] == "game-titles"
    assert form.findChild(QLineEdit, "experiment_puzzle_lexicon").text() == "Game titles"
    box = form.findChild(QComboBox, "experiment_puzzle_lexicon_words")
    for word in ("us-states", "english-small"):
        QTest.keyClick(box, Qt.Key.Key_Down)
        assert known(experiment).runs.plan.puzzle.values["lexicon"] == word
    choose(form, "experiment_puzzle", "sliding")
    known(experiment)
    choose_word(form, "experiment_puzzle_instances", "Korf's hundred")
    assert known(experiment).values["puzzle"]["instances"] == "korf100"


def test_the_line_of_a_list_is_inside_its_frame(form):
    """It had the height of a field of its own, so that its text was too low."""
    for name in ("puzzle_lexicon", "solvers_0_params_letters"):
        box = form.findChild(QComboBox, f"experiment_{name}_words")
        assert box.rect().contains(box.lineEdit().geometry()), name


def test_a_word_list_can_be_a_file_of_the_users(experiment, form, tmp_path, monkeypatch):
    words = tmp_path / "pets.txt"
    words.write_text("cat\ndog\n")
    monkeypatch.setattr(window_module, "ask_to_open", lambda *_: words)
    form.findChild(QPushButton, "experiment_puzzle_lexicon_file").click()
    assert known(experiment).problem is None
    assert form.findChild(QLineEdit, "experiment_puzzle_lexicon").text() == str(words)


@pytest.mark.exhaustive
def test_a_limit_is_named_as_in_the_main_window(experiment, form):
    """Noticed: a limit in units of one solver while another one counts otherwise."""

    def title():
        return form.findChild(QLineEdit, "experiment_limits_units").accessibleName()

    assert title() == "Generations"
    form.findChild(QPushButton, "experiment_add").click()
    known(experiment)
    assert title() == "Units"


@pytest.mark.exhaustive
def test_a_solver_that_is_added_is_a_peer_and_never_one_for_small_boards(experiment, form):
    add = "experiment_add"
    solvers = ["genetic", "annealing"]
    for _ in range(4):
        form.findChild(QPushButton, add).click()
        found = [table["solver"] for table in known(experiment).values["solvers"]]
        assert found[: len(solvers)] == solvers[: len(found)]
        assert "exact" not in found
    choose(form, "experiment_puzzle", "sliding")
    known(experiment)
    form.findChild(QPushButton, add).click()
    assert known(experiment).values["solvers"] == [
        {"solver": "ida-star", "params": {"heuristic": "manhattan"}},
        {"solver": "a-star"},  # manhattan is its default
    ]


def test_a_typed_number_of_random_boards_stays_without_the_board(experiment, form):
    """Noticed: the board of the window removed, as an error says, and 20 boards became 10."""
    experiment.plan(SLIDING)
    write(form, "experiment_instances_random", "20")
    assert known(experiment).problem is not None
    write(form, "experiment_puzzle_scramble_seed", "")
    assert known(experiment).values["instances"] == {"random": 20}


def test_opening_begins_where_results_are_kept_until_another_folder_is_used(
    experiment, tmp_path, monkeypatch
):
    """Noticed: results that the program keeps by itself had to be searched for."""
    home, folders = window_module._default_home(), []
    home.mkdir(parents=True, exist_ok=True)
    monkeypatch.setattr(
        window_module, "ask_to_open", lambda _, __, folder, *___: folders.append(folder)
    )
    experiment.window._ask_and_open()
    experiment.window._settings.folder = tmp_path
    experiment.window._ask_and_open()
    assert folders == [home, tmp_path]


def test_the_random_boards_that_a_named_one_replaced_come_back(experiment, form):
    """Noticed: 25 random boards became 10 when a set was chosen and cleared again.

    Or a set that is chosen is refused because of random boards nobody asked for.
    """
    choose(form, "experiment_puzzle", "sliding")
    assert known(experiment).values["instances"] == {"random": 10}
    write(form, "experiment_instances_random", "25")
    assert known(experiment).values["instances"] == {"random": 25}
    choose_word(form, "experiment_puzzle_instances", "Damodaran's three")
    assert known(experiment).problem is None
    assert len(known(experiment).runs) == 6
    write(form, "experiment_puzzle_instances", "")
    assert known(experiment).values["instances"] == {"random": 25}


SLIDING = """\
title = "Scrambled, seed 1: IDA*"
[puzzle]
kind = "sliding"
scramble_seed = 1
[[solvers]]
solver = "ida-star"
[solvers.axes]
heuristic = ["misplaced", "pattern-database", "manhattan"]
[limits]
seconds = 1
"""


def test_values_are_picked_one_after_another(experiment, form):
    """Noticed: a second pick replaces the first, or a pick cannot be taken back."""
    experiment.plan(SLIDING)
    name = "experiment_solvers_0_params_heuristic"
    choose_word(form, name, "Pattern database")
    assert known(experiment).values["solvers"][0]["axes"]["heuristic"] == ["misplaced", "manhattan"]
    assert form.findChild(QComboBox, f"{name}_words").view().isVisible()
    choose_word(form, name, "Zero")
    assert form.findChild(QLineEdit, name).text() == "Misplaced tiles, Manhattan distance, Zero"
    QTest.keyClick(form.findChild(QComboBox, f"{name}_words"), Qt.Key.Key_Down)
    assert form.findChild(QLineEdit, name).text() == "Misplaced tiles, Manhattan distance, Zero"


def test_a_typed_title_of_a_value_replaces_the_line(experiment, form):
    """Noticed: after a look into the list, it is added to the line or removed from it."""
    experiment.plan(SLIDING)
    name = "experiment_solvers_0_params_heuristic"
    line, box = form.findChild(QLineEdit, name), form.findChild(QComboBox, f"{name}_words")
    for before, typed, after in (
        ("misplaced, manhattan", "Zero", "Zero"),
        ("misplaced, manhattan", "Manhattan distance", "Manhattan distance"),
    ):
        write(form, name, before)
        box.showPopup()
        box.hidePopup()
        write(form, name, typed)
        assert line.text() == after


def test_a_look_into_the_list_leaves_the_line(experiment, form):
    """Noticed: Qt writes the title of the value when the list marks it."""
    experiment.plan(SLIDING)
    name = "experiment_solvers_0_params_heuristic"
    write(form, name, "zero")
    box = form.findChild(QComboBox, f"{name}_words")
    for _ in range(2):
        box.showPopup()
        box.hidePopup()
        assert form.findChild(QLineEdit, name).text() == "Zero"


def test_enter_leaves_the_cursor_behind_what_was_typed(experiment, form):
    """Noticed: the next value is written in front of the first."""
    line = form.findChild(QLineEdit, "experiment_solvers_0_params_mutation")
    line.setFocus()
    experiment.until(line.hasFocus)
    write(form, line.objectName(), "5,70")
    known(experiment)
    QTest.keyClicks(line, ", 80")
    assert line.text() == "5, 70, 80"


def test_another_solver_keeps_the_values_that_it_has(experiment, form):
    """Noticed: heuristics are dropped, or one that the solver lacks makes the plan wrong.

    An update is something else to another solver.
    """
    updates = "[solvers.params]\nexpansions_per_update = 5\n[solvers.axes]"
    experiment.plan(SLIDING.replace("[solvers.axes]", updates))
    choose(form, "experiment_solver_0", "a-star")
    assert known(experiment).problem is None
    assert known(experiment).values["solvers"] == [
        {"solver": "a-star", "axes": {"heuristic": ["misplaced", "manhattan"]}}
    ]


def test_a_title_of_the_program_follows_the_plan(experiment, form, make_experiment):
    """Noticed: it names a solver or a board that the plan lost, or replaces the user's title."""

    def title():
        return known(experiment).values["title"]

    experiment.window.begin_with(SLIDING, board="Scrambled, seed 1")
    known(experiment)
    choose(form, "experiment_solver_0", "a-star")
    assert title() == "Scrambled, seed 1: A*"
    other = make_experiment()
    other.window.take_over(experiment.window)  # in another language
    assert other.window.plan.form.board == "Scrambled, seed 1"
    form.findChild(QPushButton, "experiment_add").click()
    assert title() == "Scrambled, seed 1: A*, IDA*"
    form.findChild(QToolButton, "experiment_remove_1").click()
    assert title() == "Scrambled, seed 1: A*"
    write(form, "experiment_puzzle_scramble_seed", "")
    assert title() == "Sliding tiles: A*"
    choose(form, "experiment_solver_0", "ida-star")
    assert title() == "Sliding tiles: IDA*"
    experiment.plan(SLIDING.replace("Scrambled, seed 1", "Homework 3"))
    choose(form, "experiment_solver_0", "a-star")
    assert title() == "Homework 3: IDA*"


@pytest.mark.parametrize(
    ("kind", "solvers", "repeats", "said"),
    [
        ("sliding", ("ida-star", "a-star"), 2, "IDA*, A*"),
        ("sliding", ("ida-star",), 1, ""),
        ("boggle", ("genetic", "tabu"), 2, ""),
    ],
)
def test_repeats_of_the_same_run_are_named(experiment, form, kind, solvers, repeats, said):
    tables = "".join(f'[[solvers]]\nsolver = "{solver}"\n' for solver in solvers)
    experiment.plan(f'repeats = {repeats}\n[puzzle]\nkind = "{kind}"\n{tables}')
    known(experiment)
    (line,) = [line for line in form.findChildren(FieldLine) if line.is_of(("repeats",))]
    words = said and f"{said}: nothing is random, each repeat is the same run."
    assert (line._said.text(), line._said.isHidden()) == (words, not said)
    assert not line.line.property("invalid")


def test_an_error_names_fields_by_their_titles(experiment, form):
    """Noticed: an error at a field says instances.random or solvers[1].axes.heuristic.

    Noticed too: nothing says that an error is in a section once that is folded; or the choices are
    not those of the field's own list.
    """
    experiment.plan(SLIDING)
    for name, text, words in (
        (
            "experiment_solvers_0_params_heuristic",
            "Manhattan d",
            "Heuristic: 'Manhattan d' is not one of best for the shape, Misplaced + distance",
        ),
        ("experiment_seed", "x", "Master seed: 'x' is not"),
        (
            "experiment_instances_random",
            "10",
            "Random boards: 10 boards cannot be drawn while Scramble seed",
        ),
    ):
        write(form, name, text)
        known(experiment)
        (wrong,) = [line for line in form.findChildren(FieldLine) if not line._said.isHidden()]
        assert wrong._said.text().startswith(words)
        if name.endswith("heuristic"):
            assert wrong._said.text().endswith("Zero (did you mean Manhattan distance?)")
        said = experiment.window.plan.pilot.said.text()
        assert said.endswith(f": {wrong.field.title}”." if wrong in form._sections else "”.")
        write(form, name, "")
