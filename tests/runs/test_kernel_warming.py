"""Compiling ahead: what is shown first comes first, what is done is marked, processes do it."""

import os

import pytest

from tests.patience import MAX_SECONDS, eventually
from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.kernels import compiler
from tilelab.runs import kernel_warming as warming
from tilelab.runs.kernel_warming import WarmUpJob, WarmUpProcesses

NOBODY = WarmUpJob("boggle", "nobody", 1)
SAID = "'nobody' is not a solver of boggle"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache that is empty."""
    monkeypatch.setattr(compiler, "CACHE_FOLDER", tmp_path / "kernels")
    return tmp_path / "kernels"


def test_all_solvers_are_there_and_the_shown_ones_first():
    jobs = warming.list_jobs()
    shown = [("boggle", "genetic"), ("sliding", "ida-star"), ("wordtiles", "bees")]
    assert [(job.puzzle, job.solver) for job in jobs[:3]] == shown
    everything = {(key, solver) for key in catalog.puzzles() for solver in catalog.solvers(key)}
    assert {(job.puzzle, job.solver) for job in jobs} == everything
    assert len(jobs) == len(everything)


def test_what_is_done_is_marked_for_its_kernels_and_its_version(cache, monkeypatch):
    warmed = []
    monkeypatch.setattr("tilelab.runs.recipe.warm_up", warmed.append)
    warming.require_cache()
    first, second = warming.list_pending_jobs()[:2]
    warming.compile_for(first)
    (recipe,) = warmed
    assert (recipe.puzzle.spec.key, recipe.solver) == (first.puzzle, first.solver)
    assert warming.list_pending_jobs()[0] == second
    assert not WarmUpJob(first.puzzle, first.solver, first.version + 1).mark.exists()
    monkeypatch.setattr(compiler, "digest_of", lambda files, version: "edited")
    assert warming.list_pending_jobs() == warming.list_jobs()


def test_every_puzzle_has_an_instance_to_begin_with():
    for key in catalog.puzzles():
        puzzle = next(catalog.instances(catalog.puzzle(key), {}, 1))
        assert puzzle.params == catalog.puzzle(key).spec.params()


def test_what_a_killed_process_has_left_half_written_is_deleted(cache):
    folder = cache / "grids.moves-0123456789abcdef"
    folder.mkdir(parents=True)
    left, young, whole = (
        folder / name for name in ("a.nbi.tmp.b91c", "b.nbc.tmp.77aa", "a-80.py311.nbi")
    )
    for file in (left, young, whole):
        file.write_bytes(b"")
    for file in (left, whole):
        os.utime(file, (0, 0))
    WarmUpProcesses((), 1)
    assert set(folder.iterdir()) == {young, whole}


def test_versions_that_have_not_run_for_long_are_deleted_and_nothing_of_others(cache):
    digests = "0123456789abcdef", "123456789abcdef0"
    old, used = (cache / f"grids.moves-{digest}" for digest in digests)
    # Its puzzle has not been played for long.
    alone = compiler.folder_of("tilelab.puzzles.sliding.kernels.best_first")
    former = cache.with_name(f"kernels-{digests[0]}")
    others = [cache.with_name("kernels-of-another-program"), cache / "patterns"]
    for folder in (old, used, alone, former, *others):
        folder.mkdir(parents=True)
        (folder / "file").write_bytes(b"")
        os.utime(folder, (0, 0))
    assert compiler._mark_used(used) == used
    WarmUpProcesses((), 1)
    assert [folder.exists() for folder in (old, used, alone, former)] == [0, 1, 1, 0]
    assert all(folder.exists() for folder in others)


def test_without_a_place_to_keep_it_nothing_is_compiled_ahead(cache, monkeypatch):
    cache.write_text("a file")
    with pytest.raises(TileLabError, match=r"kernels cannot be written, .* TILELAB_CACHE_DIR"):
        warming.require_cache()
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with pytest.raises(TileLabError, match="NUMBA_DISABLE_JIT is set"):
        warming.require_cache()


@pytest.fixture
def workers():
    """A function that starts workers; none of them is left behind."""
    started = []

    def start(*arguments):
        started.append(WarmUpProcesses(*arguments))
        return started[-1]

    yield start
    for each in started:
        each.end()
        assert not any(process.is_alive() for process in each._leaving)


def _all(workers):
    done = []

    def look():
        done.extend(workers.finished(1.0))
        return not workers.is_busy

    assert eventually(look)
    return done


@pytest.mark.exhaustive
def test_processes_do_what_is_handed_out_and_say_what_went_wrong(workers):
    again = WarmUpJob("boggle", "nobody", 2)
    crew = workers([NOBODY, again, NOBODY], 2)
    done = _all(crew)
    assert sorted(job.version for job, _ in done) == [1, 1, 2]
    assert all(error.startswith(SAID) for _, error in done)


def test_a_process_that_dies_is_told(workers):
    crew = workers([NOBODY], 1)
    ((process, _),) = crew._working.values()
    process.kill()
    process.join(MAX_SECONDS)
    ((job, error),) = _all(crew)
    assert (job, error) == (NOBODY, "its process ended with -9")


def test_what_a_process_leaves_behind_that_dies_is_done_by_another(workers):
    crew = workers([NOBODY, WarmUpJob("boggle", "nobody", 2)], 1)
    ((process, _),) = crew._working.values()
    process.kill()
    process.join(MAX_SECONDS)
    (_, died), (second, error) = _all(crew)
    assert died == "its process ended with -9"
    assert second.version == 2
    assert error.startswith(SAID)


def test_it_can_be_broken_off_at_any_moment(workers):
    crew = workers([NOBODY] * 50, 1)
    crew.end()
    assert not crew.is_busy
    assert crew.finished(0.0) == []
