"""Views of populations, moves and colonies: what they draw, say, and do with mouse and keyboard."""

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from tests.gui.pixels import grabbed, is_colour
from tilelab.core.views import Agents, Population, ProposedMove
from tilelab.gui.boards import tile_pictures
from tilelab.gui.boards.tile_pictures import BoardTexts
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.views.agents_view import AgentsView
from tilelab.gui.views.descent import (
    DRAWN,
    LEFT,
    MUTATED,
    RIGHT,
    _legend_lines,
    child_layout,
    descent_of,
    origin_colour,
)
from tilelab.gui.views.kinds import picture_of
from tilelab.gui.views.move_view import MoveView, percent
from tilelab.gui.views.population_view import PopulationView, diversity_of
from tilelab.gui.widgets.text_painter import svg_bytes
from tilelab.gui.widgets.theme import NAMES, apply_theme, contrast, load_theme
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.letter_board import FOREIGN
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle

LEXICON = parse_lexicon(b"abcd\nbead\ncafe\nface\n", "letters")


@pytest.fixture(autouse=True)
def light(qapp):
    make_application([], "light")
    yield
    apply_theme(qapp, "light")


def grids(rows, cols):
    return BogglePuzzle.create(LEXICON, BoggleParams(rows=rows, cols=cols))


def cells(*texts):
    """Boards of the letters a to f."""
    return np.array([[ord(letter) - ord("a") for letter in text] for text in texts], np.uint8)


def a_generation():
    """Three grids of 2×3: two children of two parents, and one that was drawn."""
    boards = cells("abcdef", "abcaef", "ffffff")
    shares = np.array([(boards == symbol).mean(axis=0) for symbol in range(6)]).T
    return Population(
        "",
        2,
        boards,
        np.array([9.0, 7.5, 1.0]),
        np.array([[0, 1], [1, 0], [-1, -1]], np.int32),
        cells("abcaaa", "bbbdef"),
        np.array([8.0, 6.0]),
        np.array([[0, 0, 0, 1, 1, 1], [1, 1, 0, 2, 0, 0], [2] * 6], np.uint8),
        np.array([[False] * 6, [False] * 3 + [True] + [False] * 2, [False] * 6]),
        shares,
    )


def shown(qtbot, widget, size=(592, 390)):
    qtbot.addWidget(widget)
    widget.resize(*size)
    widget.show()
    return widget


@pytest.fixture
def population(qtbot):
    made = shown(qtbot, PopulationView())
    made.show_view(a_generation(), grids(2, 3))
    return made


def descents():
    view, puzzle = a_generation(), grids(2, 3)
    texts, parents = (BoardTexts.of(puzzle, them) for them in (view.grids, view.parent_grids))
    return [descent_of(view, texts, parents, place) for place in range(3)]


def test_a_descent_says_whom_each_letter_comes_from():
    first, second, last = descents()
    assert first.origins.tolist() == [LEFT] * 3 + [RIGHT] * 3
    assert second.origins.tolist() == [RIGHT, RIGHT, LEFT, MUTATED, LEFT, LEFT]
    assert last.origins.tolist() == [DRAWN] * 6
    assert second.words() == (
        "Board 2: 7.50. Left parent: board 2, 6. Right parent: board 1, 8. Letters: 3 from the "
        "left, 2 from the right, 1 mutation"
    )
    assert second.parents == (list("BBBDEF"), list("ABCAAA"))
    assert second.origin_words(3) == "row 2, column 1: A, from a mutation"
    assert last.parents == ()
    assert "not known" in last.words()


def test_diversity_names_the_most_frequent_letters_of_each_cell():
    view = a_generation()
    scene = diversity_of(view, BoardTexts.of(grids(2, 3), view.grids))
    assert scene.text() == "A B C A E F"
    assert scene.n_settled == 1
    assert scene.cell_words(0) == "row 1, column 1: A 67\u00a0%, F 33\u00a0%"
    assert scene.cell_words(5) == "row 2, column 3: F 100\u00a0%"
    assert scene.words().startswith("1 of 6 cells settled")


def test_no_view_draws_a_hole_as_a_tile(qtbot, drawn):
    """A view that takes the sign of a hole for a letter, or a hole for an unknown letter."""
    asked = Constraints(holes=(5,))
    puzzle = BogglePuzzle.create(LEXICON, BoggleParams(rows=2, cols=3), None, asked)
    view = a_generation()
    grids_, parents, shares = view.grids.copy(), view.parent_grids.copy(), view.shares.copy()
    grids_[:, 5], parents[:, 5], shares[5] = FOREIGN, FOREIGN, 0
    view = dataclasses.replace(view, grids=grids_, parent_grids=parents, shares=shares)
    tile_pictures._tile_pixels.cache_clear()
    move, population = shown(qtbot, MoveView()), shown(qtbot, PopulationView())
    move.show_view(a_move(before=grids_[0], after=grids_[1]), puzzle)
    grabbed(move)
    population.show_view(view, puzzle)
    for look in (
        population.close_grid,
        partial(population.open_grid, 1),
        population.show_diversity,
    ):
        look()
        grabbed(population)
    texts = {each.text for each in drawn}
    assert {"A", "Before"} <= texts
    assert not {"#", "?"} & texts
    assert population.descent._descent.origin_words(5) == "row 2, column 3: hole"
    assert population.diversity.cell_text(5) == "row 2, column 3: hole"
    assert "of 5 cells" in population.diversity.scene.words()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "system"])
def test_letters_can_be_read_on_every_origin(name):
    theme = load_theme(name)
    for origin in (LEFT, RIGHT, DRAWN, MUTATED):
        assert contrast(origin_colour(origin, theme), theme.tile_ink) >= 4.5
    colours = {origin_colour(origin, theme).name() for origin in range(4)}
    assert len(colours) == 4


def test_a_click_shows_a_grid_with_its_parents_and_escape_all_again(population):
    place = population.grids.place(1).center().toPoint()
    QTest.mouseClick(population.grids, Qt.MouseButton.LeftButton, pos=place)
    assert population.descent.isVisible()
    assert population.descent.accessibleDescription().startswith("Board 2: 7.50")
    QTest.keyClick(population.descent, Qt.Key.Key_Right)
    assert population.descent.accessibleDescription().startswith("Board 3: 1")
    QTest.keyClick(population.descent, Qt.Key.Key_Right)
    assert population.descent.accessibleDescription().startswith("Board 3: 1")
    QTest.keyClick(population.descent, Qt.Key.Key_Escape)
    assert population.grids.isVisible()


def test_the_keyboard_alone_opens_a_grid_and_comes_back_to_it(population):
    population.activateWindow()
    population.grids.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Return):
        QTest.keyClick(population.grids, key)
    assert population.descent.isVisible()
    assert population.descent.accessibleDescription().startswith("Board 2")
    assert population.descent.hasFocus()
    QTest.keyClick(population.descent, Qt.Key.Key_Escape)
    assert population.grids.hasFocus()
    assert population.grids.accessibleDescription() == "Board 2: 7.50; ABC, AEF"


def test_an_open_grid_stays_open_with_the_next_generation(population):
    population.open_grid(2)
    fewer = a_generation()
    for name in ("grids", "fitness", "parents", "origins", "mutated"):
        object.__setattr__(fewer, name, getattr(fewer, name)[:2])
    population.show_view(fewer, grids(2, 3))
    assert population.descent.isVisible()
    assert population.descent.accessibleDescription().startswith("Board 2")


def test_the_diversity_that_is_looked_at_is_of_the_newest_generation(population):
    population.findChild(QPushButton, "population_part_diversity").click()
    assert population.diversity.cell_text(0) == "row 1, column 1: A 67\u00a0%, F 33\u00a0%"
    later = a_generation()
    object.__setattr__(later, "shares", np.eye(6)[later.grids[2]])
    population.show_view(later, grids(2, 3))
    assert population.diversity.cell_text(0) == "row 1, column 1: F 100\u00a0%"
    assert population._said.text().startswith("6 of 6 cells settled")


def test_the_colours_of_the_parents_are_on_the_child(population):
    population.open_grid(1)
    picture = grabbed(population.descent)
    theme = load_theme("light")
    for origin in (LEFT, RIGHT, MUTATED):
        assert is_colour(picture, origin_colour(origin, theme).name()).sum() > 200
    population.open_grid(2)
    picture = grabbed(population.descent)
    assert not is_colour(picture, origin_colour(MUTATED, theme).name()).any()


def test_as_many_boards_are_shown_as_can_be_read(qtbot):
    view, puzzle = many(105), grids(8, 8)
    population = shown(qtbot, PopulationView(), (592, 390))
    population.show_view(view, puzzle)
    assert 10 <= population.grids.n_shown < 105
    assert "the fittest" in population._said.text()
    population.resize(1500, 1000)
    QTest.qWait(0)
    assert population.grids.n_shown == 105
    assert "the fittest" not in population._said.text()
    places = population.grids._places()
    rooms = [places.place(board) for board in range(105)]
    assert all(places.rect.adjusted(-1, -1, 1, 1).contains(room) for room in rooms)
    assert not any(rooms[0].intersects(other) for other in rooms[1:])
    assert places.layout(0).pitch >= 10


def test_the_words_above_the_boards_are_whole_in_little_room(qtbot):
    """Noticed: "Génération …" next to the buttons."""
    population = shown(qtbot, PopulationView(), (270, 390))
    population.show_view(many(105), grids(8, 8))
    QTest.qWait(0)
    assert population._said.shown_text == population._said.text()


def many(count):
    rng = np.random.default_rng(3)
    boards = rng.integers(0, 6, (count, 64), np.uint8)
    return Population(
        "",
        1,
        boards,
        np.arange(count, 0.0, -1),
        np.full((count, 2), -1, np.int32),
        boards[:0],
        np.empty(0),
        np.full((count, 64), 2, np.uint8),
        np.zeros((count, 64), np.bool_),
        np.array([(boards == symbol).mean(axis=0) for symbol in range(6)]).T,
    )


def a_move(**changes):
    values = {
        "before": cells("abcdef")[0],
        "after": cells("abfdec")[0],
        "energy_before": 24.0,
        "energy_after": 23.25,
        "what": "search value",
        "accepted": True,
        "odds": 0.37,
        "temperature": 0.83,
        "n_compared": 1,
        "n_forbidden": 0,
    }
    return ProposedMove("", **values | changes)


def test_a_move_is_said_in_words_with_its_numbers(qtbot):
    move = shown(qtbot, MoveView())
    move.show_view(a_move(), grids(2, 3))
    assert move.accessibleDescription() == (
        "Accepted. Search value: 24 → 23.25. Change: −0.75. Temperature: 0.83. Probability: 37 %. "
        "Before: ABC, DEF. Proposed: ABF, DEC"
    )
    move.show_view(
        a_move(accepted=False, odds=0.0, temperature=0.0, n_compared=48, n_forbidden=1),
        grids(2, 3),
    )
    assert move.accessibleDescription().startswith(
        "Rejected. Search value: 24 → 23.25. Change: −0.75. Best of: 48 moves. Tabu: 1 move. "
        "Probability: 0 %."
    )


def test_a_draw_that_changes_nothing_is_neither_accepted_nor_rejected(qtbot):
    move = shown(qtbot, MoveView())
    same = cells("abcdef")[0]
    move.show_view(a_move(after=same, accepted=False, odds=0.0, energy_after=24.0), grids(2, 3))
    assert move.accessibleDescription().startswith(
        "Nothing changes. Search value: 24 → 24. Change: ±0."
    )


def test_accepted_and_rejected_moves_look_different_without_their_colours(qtbot):
    move = shown(qtbot, MoveView())
    grey = []
    for accepted in (True, False):
        move.show_view(a_move(accepted=accepted), grids(2, 3))
        grey.append(grabbed(move).mean(axis=2))
    assert (abs(grey[0] - grey[1]) > 60).sum() > 400


@pytest.mark.parametrize(
    ("odds", "said"),
    [
        *((0.0, "0 %"), (1e-6, "below 0.01 %"), (0.5, "50 %"), (0.995, "99.5 %")),
        *((0.999999, "above 99.9 %"), (1.0, "100 %")),
    ],
)
def test_odds_are_never_rounded_to_none_or_sure(odds, said):
    assert percent(odds) == said


@pytest.fixture
def colony(qtbot):
    puzzle = WordTilesPuzzle.create(LEXICON, WordTilesParams(rows=3, cols=3))
    boards = np.array([np.roll(puzzle.start, by) for by in range(4)])
    view = Agents(
        "",
        3,
        boards,
        np.array([5.0, 2.0, 5.0, 1.0]),
        np.array([True, False, True, False]),
        np.array([0.9, 0.25, 0.5, 0.1]),
        np.array([0, 2, 2, 0], np.int32),
    )
    made = shown(qtbot, AgentsView())
    made.puzzle = puzzle
    made.show_view(view, puzzle)
    return made


def test_agents_say_who_is_loyal_and_who_follows_whom(colony):
    assert colony.accessibleDescription() == "Slide 3: 4 agents, 2 loyal"
    said = [colony.board_words(agent).split(";")[0] for agent in range(4)]
    assert said == [
        "Agent 1: 5, stays loyal, probability 90\u00a0%",
        "Agent 2: 2, follows 3, probability of loyalty 25\u00a0%",
        "Agent 3: 5, stays loyal, probability 50\u00a0%",
        "Agent 4: 1, follows 1, probability of loyalty 10\u00a0%",
    ]


def test_the_lines_of_the_agent_that_is_pointed_at_are_strong(colony):
    theme = load_theme("light")
    before = is_colour(grabbed(colony), theme.selection.name()).sum()
    colony.focus_board(3)
    after = is_colour(grabbed(colony), theme.selection.name()).sum()
    colony.focus_board(1)
    other = is_colour(grabbed(colony), theme.selection.name())
    assert before == 0
    assert after > 20
    assert other.sum() > 20
    assert is_colour(grabbed(colony), theme.path.name()).sum() > 20


def test_an_agent_is_shown_large_with_the_one_that_it_follows(colony):
    opened = []
    colony.agent_opened.connect(opened.append)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Space):
        QTest.keyClick(colony, key)
    assert [foot.number for foot in colony._picture.feet] == ["2", "3"]
    assert (opened[-1] == colony._view.boards[1]).all()
    QTest.keyClick(colony, Qt.Key.Key_Escape)
    assert colony.n_boards == 4
    assert opened[-1] is None
    colony.board_chosen.emit(3)
    assert [foot.number for foot in colony._picture.feet] == ["4", "1"]
    # All are shown again when a smaller colony has no such agent.
    view, first = colony._view, slice(2)
    colony.show_view(
        Agents(
            *("", 1, view.boards[first], view.values[first], view.loyal[first]),
            *(view.chances[first], np.array([0, 0], np.int32)),
        ),
        colony.puzzle,
    )
    assert colony.n_boards == 2


def test_a_blank_has_no_tile():
    puzzle = WordTilesPuzzle.create(LEXICON, WordTilesParams(rows=3, cols=3))
    texts = BoardTexts.of(puzzle, puzzle.start[np.newaxis])
    assert texts.board(0).index("") == puzzle.start.argmin()
    assert texts.board(0).count("") == 1
    assert texts.words(0) == ", ".join(puzzle.rows_of(puzzle.start)).upper()


def test_portraits_need_no_widget_and_are_the_same_in_another_thread():
    shown_ones = ((a_generation(), grids(2, 3)), (a_move(), grids(2, 3)))
    for view, puzzle in shown_ones:

        def drawn(view=view, puzzle=puzzle):
            image = QImage(500, 400, QImage.Format.Format_RGB32)
            image.fill(0)
            painter = QPainter(image)
            room = QRectF(0, 0, 500, 400)
            picture_of(view, puzzle).paint(painter, room, load_theme("dark"))
            painter.end()
            return image

        with ThreadPoolExecutor(1) as threads:
            elsewhere = threads.submit(drawn).result()
        assert elsewhere == drawn()
        assert len(np.unique(np.frombuffer(elsewhere.constBits(), np.uint32))) > 20


def test_a_population_as_svg_needs_no_font():
    picture = picture_of(a_generation(), grids(2, 3))
    theme = load_theme("light")
    svg = svg_bytes(
        QSize(400, 300),
        theme.card,
        "Population",
        picture.words,
        lambda painter: picture.paint(painter, QRectF(0, 0, 400, 300), theme),
    )
    assert b"<text" not in svg
    assert b"<image" not in svg
    assert svg.count(b"<path") > 40


@pytest.mark.parametrize("width", [240, 300, 592])
def test_the_legend_of_a_descent_never_covers_its_boards(width):
    second = descents()[1]
    room = QRectF(0, 0, width, 160)
    n_lines = len(_legend_lines(second.legend, width))
    layout = child_layout(room, second)
    assert layout.top + layout.n_rows * layout.pitch <= room.bottom() - 22 * n_lines
    assert n_lines == (2 if width < 320 else 1)
