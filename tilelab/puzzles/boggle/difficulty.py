"""Difficulty of finding the words of a letter grid, from 0 to 100.

Each feature of the words' paths is a number. It adds from 0, at value 0, to its full weight, at its
"hardest" value and above. The weights add up to 100, and the difficulty is the sum. It is measured
on one path of each word, for at most :data:`MAX_STRINGS` words spread evenly over the list.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tilelab.core.plain import Json, JsonObject
from tilelab.core.text.language import marked, tr, tr_count
from tilelab.core.text.wording import number
from tilelab.puzzles.boggle.paths import find_path, neighbours
from tilelab.puzzles.boggle.scorer import BoardRules

MAX_STRINGS = 100
_WORDS = ((34, marked("easy")), (67, marked("medium")), (101, marked("hard")))
LEVELS = tuple(word for _, word in _WORDS)  # names of the levels, the easiest first
_FEATURES: Mapping[str, tuple[int, float, Callable[[int], str]]] = {
    "turns": (
        20,
        100.0,
        lambda _: tr("A path changes its direction at {} % of its inner letters."),
    ),
    "crossings": (
        10,
        1.0,
        lambda count: tr_count(
            "A path crosses itself or returns to one of its cells {} time.",
            "A path crosses itself or returns to one of its cells {} times.",
            count,
        ),
    ),
    "backwards": (15, 50.0, lambda _: tr("{} % of the steps go to the left or straight up.")),
    "diagonal": (10, 50.0, lambda _: tr("{} % of the steps are diagonal.")),
    "shared": (5, 100.0, lambda _: tr("{} % of the cells in use belong to several words.")),
    "rarest_letter": (
        15,
        10.0,
        lambda count: tr_count(
            "The rarest letter of a word is in {} cell.",
            "The rarest letter of a word is in {} cells.",
            count,
        ),
    ),
    "false_starts": (
        15,
        8.0,
        lambda count: tr_count(
            "The first two letters of a word are in {} more place.",
            "The first two letters of a word are in {} more places.",
            count,
        ),
    ),
    "cells": (10, 256.0, lambda _: tr("Cells of the board: {}.")),
}
"""Weight, hardest value, and a sentence for each feature."""

Path = tuple[int, ...]


@dataclass(frozen=True)
class Feature:
    """A feature that makes words hard to find."""

    name: str
    value: float  # mean over the words, or a percentage
    sentence: str


@dataclass(frozen=True)
class Difficulty:
    """Difficulty of finding the words of a board."""

    figure: int  # difficulty from 0 to 100
    word: str  # name of the level: easy, medium or hard
    features: tuple[Feature, ...]

    def plain(self) -> JsonObject:
        """Return the figure, the word and the features by name."""
        features: dict[str, Json] = {one.name: one.value for one in self.features}
        return {"figure": self.figure, "word": self.word, **features}

    def lines(self) -> tuple[str, ...]:
        """Return the difficulty in plain sentences."""
        return (
            tr("Difficulty: {figure} of 100, {word}.", figure=self.figure, word=tr(self.word)),
            *(one.sentence for one in self.features),
        )


def difficulty_of(
    rows: Sequence[str], found: Sequence[str], rules: BoardRules
) -> Difficulty | None:
    """Measure a board and its words; returns None if it has none."""
    paths = list(looked_at(rows, found, rules).values())
    return measure_paths(rows, paths, rules) if paths else None


def looked_at(rows: Sequence[str], found: Sequence[str], rules: BoardRules) -> dict[str, Path]:
    """Return one path, cells row-major, of each word that the difficulty is measured on."""
    few = found[:: -(-len(found) // MAX_STRINGS) or 1]
    paths = ((one, find_path(rows, one, rules)) for one in few)
    return {one: path for one, path in paths if path}


def band_of(level: str) -> tuple[int, int]:
    """Return the smallest and the largest difficulty of a level."""
    ends = [0, *(end for end, _ in _WORDS)]
    place = LEVELS.index(level)
    return ends[place], ends[place + 1] - 1


def measure_paths(rows: Sequence[str], paths: Sequence[Path], rules: BoardRules) -> Difficulty:
    """Measure a board by the paths, cells row-major, of its words; at least one."""
    values = _values("".join(rows), paths, rules)
    features = []
    for name, (_, _, sentence) in _FEATURES.items():
        value = round(values[name], 1)
        # Of a fraction there are several.
        count = int(value) if float(value).is_integer() else 2
        features.append(Feature(name, value, sentence(count).format(number(value))))
    figure = figure_of({one.name: one.value for one in features})
    word = next(word for end, word in _WORDS if figure < end)
    return Difficulty(figure, word, tuple(features))


def figure_of(values: Mapping[str, float]) -> int:
    """Return the difficulty for features by name; a larger feature never lowers it."""
    return round(_points(values))


def exact_figure(letters: str, paths: Sequence[Path], rules: BoardRules) -> float:
    """Measure like :func:`measure_paths`, without rounding."""
    return _points(_values(letters, paths, rules))


def _points(values: Mapping[str, float]) -> float:
    return sum(
        weight * min(values[name] / hardest, 1.0)
        for name, (weight, hardest, _) in _FEATURES.items()
    )


def _values(letters: str, paths: Sequence[Path], rules: BoardRules) -> dict[str, float]:
    steps = [[_step(one, other, rules) for one, other in pairwise(path)] for path in paths]
    every = [step for path in steps for step in path]
    bends = [one != other for path in steps for one, other in pairwise(path)]
    users = Counter(cell for path in paths for cell in set(path))
    n_cells = Counter(letters)
    near = neighbours(rules)
    starts = Counter(
        letters[cell] + letters[other] for cell, others in enumerate(near) for other in others
    )
    false = [max(starts[letters[p[0]] + letters[p[1]]] - 1, 0) for p in paths if len(p) > 1]
    return {
        "turns": _percent(bends),
        "crossings": _mean([_crossings(path, rules.cols) for path in paths]),
        "backwards": _percent([right < 0 or (right == 0 and down < 0) for down, right in every]),
        "diagonal": _percent([down != 0 and right != 0 for down, right in every]),
        "shared": _percent([count > 1 for count in users.values()]),
        "rarest_letter": _mean([min(n_cells[letters[cell]] for cell in path) for path in paths]),
        "false_starts": _mean(false),
        "cells": len(letters) - len(rules.holes),
    }


def _step(one: int, other: int, rules: BoardRules) -> tuple[int, int]:
    """Return (down, right) of a step, each -1, 0 or 1; a step over an edge points outwards."""
    down, right = other // rules.cols - one // rules.cols, other % rules.cols - one % rules.cols
    return _unwrapped(down), _unwrapped(right)


def _unwrapped(far: int) -> int:
    return far if abs(far) <= 1 else (-1 if far > 0 else 1)


def _crossings(path: Path, cols: int) -> int:
    """Count the repeated cells of a path, and the diagonal steps that cross another one."""
    crossed = Counter(
        (one // cols + other // cols, one % cols + other % cols)
        for one, other in {(min(pair), max(pair)) for pair in pairwise(path)}
        if one // cols != other // cols and one % cols != other % cols
    )
    return len(path) - len(set(path)) + sum(count - 1 for count in crossed.values())


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _percent(values: Sequence[bool]) -> float:
    return 100.0 * _mean([float(value) for value in values])
