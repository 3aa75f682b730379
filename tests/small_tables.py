"""Pattern databases that are made in no time, or for as long as a test wants."""

import threading

from tilelab.puzzles.sliding.heuristics import pattern_database as patterns
from tilelab.puzzles.sliding.heuristics.pattern_database import Partition

SMALL = {
    "5-5-5": Partition(
        4, ((10, 11, 14), (0, 4), (1, 2, 3), (5, 6, 7), (8, 9), (12, 13)), is_instant=True
    ),
    "6-6-3": Partition(4, ((10, 11, 14, 13), (0, 1, 4, 5), (2, 3, 6, 7), (8, 9, 12))),
    "6-6-6-6": Partition(
        5,
        ((23, 22, 19), (18, 17, 12), (21, 20, 16), (15, 11, 10)),
        ((0, 0), (1, 0), (2, 0), (3, 0), (2, 6), (3, 6), (2, 5), (3, 5)),
    ),
}
"""Under the names of large ones, and searched in the same ways."""


def make(name):
    for _ in patterns.building(name):
        pass


def lose(folder):
    """Delete all tables, as on a machine where none was ever made."""
    for file in folder.iterdir():
        file.unlink()
    patterns._held.cache_clear()


class SlowBuilding:
    """In place of ``building``: large tables come to 43 % and wait there for ``may_end``."""

    def __init__(self):
        self.may_end = threading.Event()
        self.n_left = 0
        """How often it was called off."""
        self._building = patterns.building

    def __call__(self, name):
        try:
            while name != "5-5-5" and not self.may_end.wait(0.001):
                yield 0.43
        except GeneratorExit:
            self.n_left += 1
            raise
        yield from self._building(name)
