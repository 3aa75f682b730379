"""Looking up what there is, from several threads at once."""

from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from tilelab import catalog, plugins

SHORT_SECONDS = 0.3
"""How long a second thread gets for what it must not do."""


class _Asking:
    """An entry point in whose loading another thread asks for what there is."""

    name, value, dist = "asking", "nowhere", None

    def __init__(self, pool):
        self.n_loads = 0
        self._pool = pool
        self.asked = None

    def load(self):
        self.n_loads += 1
        if self.asked is None:
            self.asked = self._pool.submit(catalog.puzzles)
            wait([self.asked], SHORT_SECONDS)


@pytest.fixture
def pool():
    with ThreadPoolExecutor(1) as pool:
        yield pool


def test_a_plug_in_is_loaded_by_one_thread_while_others_wait(pool, monkeypatch):
    entry = _Asking(pool)
    monkeypatch.setattr(plugins, "installed", lambda group: (entry,))
    plugins._load_once.cache_clear()
    try:
        assert catalog.puzzles() == entry.asked.result()
    finally:
        plugins._load_once.cache_clear()
    assert entry.n_loads == 1


def test_every_solver_says_in_one_sentence_what_it_is_for():
    for puzzle in catalog.puzzles():
        for key, solver in catalog.solvers(puzzle).items():
            purpose = solver.spec.purpose
            assert purpose.endswith("."), (puzzle, key)
            assert len(purpose) <= 72, (puzzle, key)
