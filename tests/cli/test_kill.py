"""Programs that are killed at any moment, over and over: nothing is lost that counts.

TILELAB_KILLS: how often each run is killed, if not three times.
"""

import contextlib
import dataclasses
import json
import os
import random
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from tests.patience import MAX_SECONDS
from tests.programs import Program, environment, run, shown_for_long
from tests.pseudo_terminal import opened_terminal
from tests.run_files import without_times
from tilelab.runs.checkpoints.interrupted import list_interrupted
from tilelab.runs.files.store import read_run

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no SIGKILL there")
N_KILLS = int(os.environ.get("TILELAB_KILLS", "3"))
PERIOD = 0.3
"""Seconds between checkpoints here, so that a short life gets on."""
MAX_LIFE = 1.5
SLACK = 2.0
"""How much longer than that a busy machine may take."""
MAX_TEST = 900.0 + 30.0 * N_KILLS
"""Seconds for one run, on the slowest machine."""
FIFTEEN = "--heuristic manhattan --board 14,15,8,12,10,11,9,13,2,6,5,1,3,7,4,0"
WORDS = "run boggle --lexicon {user}/words.txt"
LARGER = "--rows 5 --cols 5 --scramble-seed 2"
SLIDING = "run sliding --seed 1"
CHAINS = {
    name: line.split(" ")
    for name, line in {
        "genetic": f"{WORDS} --seed 3",
        "annealing": "resume {user}/saved.tilelab --limit 1000000000",
        "islands": f"{WORDS} --seed 6 --solver annealing --islands 3 --migrate-every 9",
        "tabu": f"{WORDS} --solver tabu --seed 8",
        "bees": "run wordtiles --letters-seed 4 --seed 9 --iterations 1000000",
        "a-star": f"{SLIDING} {FIFTEEN} --solver a-star --expansions-per-update 20 --memory 400",
        "ida-star": f"{SLIDING} {LARGER} --solver ida-star --heuristic manhattan --memory 400",
        "threads": f"{SLIDING} {LARGER} --solver ida-star --threads 3 --expansions-per-update 5000",
        "anytime": f"{SLIDING} --rows 9 --cols 9 --scramble-seed 5 --solver anytime --memory 400",
    }.items()
}
SAVED = f"{WORDS} --solver annealing --seed 5".split(" ")
_SHOWN = re.compile(
    r"\w+ ([\d,]+)(?: · [^·]* a second)? · (\d\d):(\d\d):(\d\d) · best (-?[\d,.]+) at ([\d,]+)"
)


@dataclasses.dataclass(frozen=True)
class Shown:
    """What the user has read on the terminal."""

    moment: float
    units: int
    seconds: int
    value: float
    best_unit: int


def start_fresh(*arguments, **options):
    """Start a process of its own, as a shell does."""
    return subprocess.Popen([sys.executable, "-m", "tilelab", *arguments], **options)


class Chain:
    """One run, killed and resumed many times; every kill is looked into."""

    def __init__(self, name, folder, user, start=Program):
        self.name, self.user, self.start = name, user, start
        self.rng = random.Random(name)
        self.begin = [word.format(user=user) for word in CHAINS[name]]
        self.data, self.folder = folder / "data", folder
        folder.mkdir()
        self.period, self.shortest_life, self.longest_life = PERIOD, 0.0, MAX_LIFE
        self.before = user_files(user)
        self.n_offered = self.n_units = 0
        self.greatest_loss = 0.0

    def live(self, arguments, life=None):
        """Run a command line, killed after ``life`` seconds; returns its status and what it
        reported.

        What it reported: what was shown, in order, when it was killed, and its standard output.
        """
        screen, side = opened_terminal()
        settings = {"TILELAB_DATA_DIR": str(self.data), "COLUMNS": "140", "TERM": "xterm"}
        out, chunks, ended = self.folder / "out.json", [], None
        with out.open("wb") as file:
            options = {"stdin": subprocess.DEVNULL, "stdout": file, "stderr": side}
            process = self.start(*arguments, "--json", **options, env=environment(**settings))
        until = None if life is None else time.monotonic() + life
        os.set_blocking(screen, False)
        # This side stays open, so that the other end's closing does not count as an error.
        while ended is None:
            left = 0.05 if until is None else max(until - time.monotonic(), 0.0)
            if select.select([screen], [], [], left)[0]:
                chunks.append((time.monotonic(), os.read(screen, 65_536)))
            elif until is None and process.poll() is not None:
                ended = time.monotonic()
            if until is not None and time.monotonic() >= until:
                ended = time.monotonic()
                process.kill()
        status = process.wait(MAX_SECONDS)
        with contextlib.suppress(BlockingIOError):
            while data := os.read(screen, 65_536):
                chunks.append((ended, data))
        os.close(screen)
        os.close(side)
        text = b"".join(data for _, data in chunks).decode("utf-8", "replace")
        assert status in (0, -signal.SIGKILL), text
        assert "not kept" not in text
        return status, shown_in(chunks), ended, out.read_text("utf-8")

    def kill_once(self):
        """Let the run go on and kill it at some moment; prove that it is offered as it should."""
        life = self.rng.uniform(self.shortest_life, self.longest_life)
        period = ("--autosave", str(self.period))
        going_on = ("resume",) if self.n_offered else tuple(self.begin)
        status, shown, ended, out = self.live([*going_on, *period], life)
        assert status == -signal.SIGKILL, f"{self.name} has ended by itself: {out[:300]}"
        assert user_files(self.user) == self.before
        runs, reported = (
            list_interrupted(self.data / "runs"),
            [(line.moment, line) for line in shown],
        )
        if not self.n_offered and (not runs or runs[0].error):
            # It was killed before its first checkpoint: it has hardly been seen.
            assert not list(shown_for_long(reported, ended, SLACK))
            for run in runs:
                assert run.discard()
            # On a slow machine that may go on for ever, unless lives grow longer.
            self.longest_life *= 1.5
            return
        assert len(runs) == 1, f"{self.name} is offered {len(runs)} times"
        (run,) = runs
        assert run.error == ""
        self.n_offered += 1
        checkpoint = read_run(run.path / "run.tilelab")
        assert checkpoint.units == run.units >= self.n_units
        self.n_units = checkpoint.units
        if shown:
            self.greatest_loss = max(self.greatest_loss, shown[-1].seconds - checkpoint.seconds)
            assert shown[-1].seconds - checkpoint.seconds <= min(self.period + SLACK, 10.0)
        for line in shown_for_long(reported, ended):
            best = run.saved_best
            assert best is not None
            assert best.best_unit >= line.best_unit or best.value > line.value
            assert best.value >= line.value

    def prove_equal(self):
        """Let the run come to an end; it ends as one that was never broken."""
        limit = str(self.n_units + 50)
        files = self.folder / "broken.tilelab", self.folder / "unbroken.tilelab"
        results = []
        # What is written last wins where a flag is given twice.
        for line, file in ((["resume"], files[0]), ([*self.begin, "--autosave", "0"], files[1])):
            status, _, _, out = self.live([*line, "--limit", limit, "--save-run", str(file)])
            assert status == 0, out
            results.append(json.loads(out))
            assert results[-1].pop("run_file") == str(file)
            assert results[-1].pop("seconds") > 0
        assert results[0] == results[1]
        assert results[0]["units"] == self.n_units + 50
        assert without_times(files[0]) == without_times(files[1])
        assert list_interrupted(self.data / "runs") == []
        assert not list((self.data / "runs").iterdir())
        assert user_files(self.user) == self.before


def shown_in(chunks):
    """Read the live lines, each with the moment at which it was whole on the terminal."""
    text, ends = "", []
    for moment, data in chunks:
        text += data.decode("utf-8", "replace")
        ends.append((len(text), moment))
    found = []
    for match in _SHOWN.finditer(text):
        units, hours, minutes, seconds, value, unit = match.groups()
        moment = next(moment for end, moment in ends if end >= match.end())
        n_seconds = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
        numbers = [float(part.replace(",", "")) for part in (units, value, unit)]
        found.append(Shown(moment, int(numbers[0]), n_seconds, numbers[1], int(numbers[2])))
    return found


def user_files(folder):
    """The bytes and times of all files of the user's."""
    return {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in folder.iterdir()}


@pytest.fixture
def user(tmp_path):
    """A folder with what the user may have there."""
    folder = tmp_path / "user"
    folder.mkdir()
    (folder / "words.txt").write_text("\n".join(_words()), "utf-8")
    (folder / "notes.txt").write_text("Not to be touched.\n", "utf-8")
    making = [word.format(user=folder) for word in SAVED]
    making += ["--limit", "7", "--save-run", str(folder / "saved.tilelab")]
    run(*making, "--out", str(folder / "grid.txt"), "--no-history", check=True)
    assert len(user_files(folder)) == 4
    return folder


def _words():
    rng, letters = random.Random(8), "abcdeghilmnoprst"
    return sorted({"".join(rng.choices(letters, k=rng.randrange(4, 10))) for _ in range(900)})


def longer(name):
    """What only --all runs: the files are written alike for every solver."""
    return [] if name == "a-star" else [pytest.mark.exhaustive]


@pytest.mark.long
@pytest.mark.timeout(MAX_TEST)
@pytest.mark.parametrize("name", [pytest.param(name, marks=longer(name)) for name in CHAINS])
def test_nothing_is_lost_by_kills_at_any_moment(name, tmp_path, user):
    prove_kept(Chain(name, tmp_path / name, user))


@pytest.mark.exhaustive
@pytest.mark.long
@pytest.mark.timeout(MAX_TEST)
def test_nothing_is_lost_when_real_starts_are_killed(tmp_path, user):
    chain = Chain("genetic", tmp_path / "fresh", user, start_fresh)
    chain.longest_life = 4.0
    prove_kept(chain)


@pytest.mark.exhaustive
@pytest.mark.long
@pytest.mark.timeout(MAX_TEST)
def test_nothing_is_lost_where_the_period_is_the_usual_one(tmp_path, user):
    chain = Chain("annealing", tmp_path / "patient", user)
    # The true period, and a life in which it comes round.
    chain.period, chain.shortest_life, chain.longest_life = 10.0, 11.5, 11.5
    prove_kept(chain, 1)


def prove_kept(chain, n_kills=N_KILLS):
    """Kill a run over and over, and see it end as one that was never broken."""
    for _ in range(n_kills):
        chain.kill_once()
    while chain.n_offered < min(n_kills, 2):  # unless its lives were too short
        chain.kill_once()
    chain.prove_equal()
    sys.stdout.write(
        f"{chain.name}: offered {chain.n_offered} times, {chain.n_units:,} units, "
        f"at most {chain.greatest_loss:.1f} s behind\n"
    )
