"""A watch measures the time in which it runs, and copies of it do not disturb each other."""

from tilelab.core.play import Stopwatch


def test_only_the_time_in_which_it_runs_counts():
    now = [100.0]
    watch = Stopwatch(lambda: now[0])
    now[0] += 5
    assert (watch.seconds, watch.is_running) == (0.0, False)
    running = watch.started()
    now[0] += 3
    assert (running.seconds, running.is_running) == (3.0, True)
    assert running.started() == running
    stopped = running.stopped()
    now[0] += 10
    assert (stopped.seconds, stopped.is_running) == (3.0, False)
    again = stopped.started()
    now[0] += 2
    assert again.seconds == again.stopped().seconds == 5.0
    assert (again.reset().seconds, again.reset().is_running) == (0.0, False)
    assert watch.seconds == 0.0
