"""The start's own decisions, without a network, a display or a new environment."""

import errno
import importlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tilelab.cli.command import commands
from tilelab.gui.shell import qt_libraries

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"


def load(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(PACKAGING)
    return importlib.import_module(name)


@pytest.fixture
def bootstrap(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load("bootstrap", monkeypatch)


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load("environment", monkeypatch)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load("steps", monkeypatch)


@pytest.fixture
def system_packages(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load("system_packages", monkeypatch)


@pytest.fixture
def venv(environment: ModuleType, tmp_path: Path) -> Path:
    """A folder that looks like a finished environment with the development tools."""
    python = environment.venv_python(tmp_path, "posix")
    python.parent.mkdir()
    python.touch()
    stamp = {**environment.expected_stamp(), "extras": ["dev"]}
    (tmp_path / "stamp.json").write_text(json.dumps(stamp), "utf-8")
    return tmp_path


posix_only = pytest.mark.skipif(sys.platform == "win32", reason="the folder is a POSIX one")


@posix_only
@pytest.mark.parametrize("extras", [(), ("dev",)])
def test_a_stamp_that_fits_is_fresh(
    environment: ModuleType, venv: Path, extras: tuple[str, ...]
) -> None:
    assert environment.is_fresh(venv / "stamp.json", environment.expected_stamp(), extras)


@posix_only
@pytest.mark.parametrize("key", ["pyproject", "python", "python_home", "root"])
def test_a_stamp_of_something_else_is_stale(environment: ModuleType, venv: Path, key: str) -> None:
    expected = {**environment.expected_stamp(), key: "another"}
    assert not environment.is_fresh(venv / "stamp.json", expected, ())


def test_missing_extras_are_stale(environment: ModuleType, venv: Path) -> None:
    expected = environment.expected_stamp()
    assert not environment.is_fresh(venv / "stamp.json", expected, ("dev", "docs"))


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"extras": 3}', "{}", "\xff"])
def test_a_damaged_stamp_is_stale(environment: ModuleType, venv: Path, text: str) -> None:
    stamp = venv / "stamp.json"
    stamp.write_bytes(text.encode("latin-1"))
    assert not environment.is_fresh(stamp, environment.expected_stamp(), ())


def test_without_a_stamp_or_a_python_nothing_is_fresh(environment: ModuleType, venv: Path) -> None:
    expected = environment.expected_stamp()
    assert not environment.is_fresh(venv / "absent.json", expected, ())
    environment.venv_python(venv, "posix").unlink()
    assert not environment.is_fresh(venv / "stamp.json", expected, ())


def test_a_step_that_fails_leaves_no_stamp(
    environment: ModuleType, steps: ModuleType, venv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        assert not (venv / "stamp.json").exists()
        raise steps.SetupError("no network")

    monkeypatch.setattr(environment, "VENV", venv)
    monkeypatch.setattr(environment, "STAMP", venv / "stamp.json")
    monkeypatch.setattr(environment, "step", fail)
    with pytest.raises(steps.SetupError, match="no network"):
        environment.install(("dev",))
    assert not (venv / "stamp.json").exists()


@posix_only
def test_extras_are_added_to_a_good_environment_without_making_it_anew(
    environment: ModuleType, venv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamp = venv / "stamp.json"
    stamp.write_text(json.dumps({**environment.expected_stamp(), "extras": []}), "utf-8")
    commands: list[list[str]] = []
    monkeypatch.setattr(environment, "VENV", venv)
    monkeypatch.setattr(environment, "STAMP", stamp)
    monkeypatch.setattr(environment, "step", lambda _, command: commands.append(command))
    environment.install(("dev",))
    assert [command[-1] for command in commands] == [".[dev]"]
    assert environment.is_fresh(stamp, environment.expected_stamp(), ("dev",))


def test_a_link_is_removed_but_not_what_it_leads_to(
    environment: ModuleType, tmp_path: Path
) -> None:
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir()
    link.symlink_to(folder)
    environment.remove(link)
    environment.remove(tmp_path / "absent")
    assert folder.is_dir()
    assert not link.is_symlink()


def test_the_python_of_an_environment(environment: ModuleType) -> None:
    assert environment.venv_python(Path("v"), "nt") == Path("v/Scripts/python.exe")
    assert environment.venv_python(Path("v"), "posix") == Path("v/bin/python")


def test_missing_libraries_come_with_their_packages() -> None:
    def load_all_but_egl(library: str) -> None:
        if library == "libEGL.so.1":
            raise OSError(errno.ENOENT, "cannot open shared object file")

    missing = qt_libraries.missing_libraries
    libraries = qt_libraries.QT_LIBRARIES
    assert missing(libraries, load_all_but_egl, "linux") == {"libEGL.so.1": "libegl1"}
    assert missing(libraries, load_all_but_egl, "darwin") == {}


@pytest.mark.parametrize(
    ("variables", "wayland_lacks", "expected"),
    [
        ({"DISPLAY": ":0"}, {}, "X11_LIBRARIES"),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "w"}, {}, "WAYLAND_LIBRARIES"),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "w"}, {"lib": "package"}, "X11_LIBRARIES"),
        ({"WAYLAND_DISPLAY": "w"}, {"lib": "package"}, "WAYLAND_LIBRARIES"),
    ],
)
def test_the_libraries_of_a_display(
    variables: dict[str, str],
    wayland_lacks: dict[str, str],
    expected: str,
) -> None:
    libraries = qt_libraries.display_libraries(variables, lambda _: wayland_lacks)
    assert libraries == getattr(qt_libraries, expected)


def test_one_line_mends_it_and_names_each_package_once() -> None:
    assert qt_libraries.apt_line(["libgl1", "libegl1", "libgl1"]) == (
        "sudo apt-get update && sudo apt-get install -y --no-install-recommends libgl1 libegl1"
    )


def test_without_the_right_to_install_the_line_is_said(
    system_packages: ModuleType, steps: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_packages.shutil, "which", lambda _: "/usr/bin/apt-get")
    monkeypatch.setattr(system_packages.os, "geteuid", lambda: 1000, raising=False)
    with pytest.raises(steps.SetupError, match=r"lacks libGL\.so\.1\. .*\nsudo apt-get .* libgl1$"):
        system_packages.mend({"libGL.so.1": "libgl1"}, dict)


def test_without_apt_the_libraries_are_said(
    system_packages: ModuleType, steps: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_packages.shutil, "which", lambda _: None)
    with pytest.raises(steps.SetupError, match=r"lacks libGL\.so\.1: install"):
        system_packages.mend({"libGL.so.1": "libgl1"}, dict)


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("ERROR: [Errno 28] No space left on device", "disk is full"),
        ("OSError: [Errno 13] Permission denied: 'x'", "may not be written"),
        ("NewConnectionError: refused\nNo matching distribution found for numpy", "network"),
        ("ERROR: Could not find a version (from versions: none)", "network cannot be reached, or"),
        ("ERROR: No matching distribution found for numpy", "no version for Python 3."),
        ("SSLError(CERTIFICATE_VERIFY_FAILED)\nNo matching distribution", "certificate"),
        ("E: Unable to locate package libgl1", "apt does not know"),
        ("something new", "see below"),
    ],
)
def test_a_failure_is_one_sentence_and_the_end_of_what_was_printed(
    steps: ModuleType, output: str, reason: str
) -> None:
    first, *tail = steps.failure("Installing", "\n" * 5 + output).splitlines()
    assert first.startswith("Installing failed: ")
    assert reason in first
    assert [line.strip() for line in tail] == output.splitlines()
    assert len(steps.failure("Installing", "line\n" * 100).splitlines()) == 9


@pytest.mark.parametrize(
    ("variables", "platform", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen:size=9x9"}, "linux", False),
        ({}, "win32", True),
        ({}, "darwin", True),
    ],
)
def test_where_a_display_may_be(
    bootstrap: ModuleType, variables: dict[str, str], platform: str, expected: bool
) -> None:
    assert bootstrap.wants_display(variables, platform) is expected


@pytest.mark.parametrize(("code", "status"), [(0, 0), (3, 3), (-2, 130), (-9, 137)])
def test_a_death_by_signal_is_written_as_shells_do(
    bootstrap: ModuleType, code: int, status: int
) -> None:
    assert bootstrap.exit_status(code) == status


def test_an_unknown_command_is_named(
    bootstrap: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bootstrap.main(["fly"]) == 2
    assert "'fly' is not a command; available: run, test, lint" in capsys.readouterr().err
    assert bootstrap.main(["tets"]) == 2
    assert "(did you mean test?)" in capsys.readouterr().err
    assert bootstrap.main(["lint", "gui"]) == 2
    assert "gui is one too many" in capsys.readouterr().err


def test_the_programs_own_commands_are_handed_over(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {*bootstrap.PROGRAM_COMMANDS, "run"} == set(commands().list_commands(None))
    assert not set(bootstrap.PROGRAM_COMMANDS) & bootstrap.EXTRAS.keys()
    given: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "set_up", lambda *_, **__: {})
    monkeypatch.setattr(bootstrap, "hand_over", lambda words: given.append(list(words)))
    monkeypatch.setattr(bootstrap, "play_in_terminal", lambda **_: 0)
    for words in (["list", "lexicons"], ["run", "list", "lexicons"], ["--version"]):
        bootstrap.main(words)
    assert given == [["list", "lexicons"], ["list", "lexicons"], ["--version"]]


@posix_only
def test_a_checkout_of_somebody_else_says_what_to_do(
    bootstrap: ModuleType,
    environment: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(bootstrap, "missing_for_installing", dict)
    monkeypatch.setattr(bootstrap, "missing_libraries", lambda _: {})
    monkeypatch.setattr(bootstrap, "is_fresh", lambda *_: False)
    monkeypatch.setattr(bootstrap, "expected_stamp", dict)
    monkeypatch.setattr(environment.os, "access", lambda *_: False)
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment.os, "geteuid", lambda: tmp_path.stat().st_uid)
    assert bootstrap.main(["list", "lexicons"]) == 1
    assert f"{tmp_path} cannot be written; make it so, or copy" in capsys.readouterr().err
    owner = tmp_path.stat().st_uid
    names = {owner: "owner", owner + 1: "guest"}
    monkeypatch.setattr(environment.os, "geteuid", lambda: owner + 1)
    monkeypatch.setattr("pwd.getpwuid", lambda number: SimpleNamespace(pw_name=names[number]))
    assert bootstrap.main(["list", "lexicons"]) == 1
    said = capsys.readouterr().err
    assert f"{tmp_path} belongs to owner, and guest may not write there; start as owner" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("fault", "status", "text"),
    [
        (OSError(errno.ENOSPC, "No space left on device", ".venv"), 1, "No space left"),
        (KeyboardInterrupt(), 130, "Stopped."),
    ],
)
def test_no_fault_is_a_traceback(
    bootstrap: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    fault: BaseException,
    status: int,
    text: str,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(bootstrap, "set_up", fail)
    assert bootstrap.main(["bench"]) == status
    assert text in capsys.readouterr().err


@pytest.mark.parametrize(("variable", "n_calls"), [("", 1), ("1", 0)])
def test_a_new_environment_is_warmed_up_before_the_window_opens(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, variable: str, n_calls: int
) -> None:
    done: list[object] = []
    monkeypatch.setenv("TILELAB_NO_WARM_UP", variable)
    monkeypatch.setattr(bootstrap, "missing_for_installing", dict)
    monkeypatch.setattr(bootstrap, "missing_libraries", lambda _: {})
    monkeypatch.setattr(bootstrap, "first_unwritable", lambda: None)
    monkeypatch.setattr(bootstrap, "is_fresh", lambda *_: "install" in done)
    monkeypatch.setattr(bootstrap, "install", lambda _: done.append("install"))
    monkeypatch.setattr(bootstrap, "call", lambda *words, **_: done.append(words))
    for _ in range(2):
        bootstrap.set_up("run", {}, warms_up=True)
    assert done == ["install", *[("-m", "tilelab", "warm")] * n_calls]
    done.clear()
    bootstrap.set_up("test", {})
    assert done == ["install"]


@pytest.fixture
def called(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What is called instead of a command; no step fails."""
    lines: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "set_up", lambda *_, **__: {})
    monkeypatch.setattr(bootstrap, "call", lambda *line, **_: lines.append(list(line)))
    monkeypatch.setattr(bootstrap, "changed_tests", lambda base: [f"touched since {base}"])
    return lines


@pytest.mark.parametrize(("first", "second", "status"), [(0, 0, 0), (0, 5, 5), (1, 0, 1)])
def test_both_lanes_of_the_tests_count(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, first: int, second: int, status: int
) -> None:
    codes = [7, first, second]  # a fault of warming up is for the tests to show
    monkeypatch.setattr(bootstrap, "set_up", lambda *_, **__: {})
    monkeypatch.setattr(bootstrap, "call", lambda *_, **__: codes.pop(0))
    assert bootstrap.main(["test"]) == status
    assert codes == []


@pytest.mark.parametrize(
    ("words", "n_calls", "last"),
    [
        (["tests/core", "-x"], 1, ["-m", "pytest", "tests/core", "-x"]),
        (["--changed=v1", "-x"], 2, ["-x", "touched since v1"]),
        (["--changed"], 2, ["touched since "]),
        (["--quick", "--all"], 2, ["--all", *"QUICK"]),
        (["--all", "-k", "kill"], 2, ["--all", "-k", "kill"]),
        (["--all"], 3, ["PLAIN"]),
        (["--quick=30"], 1, ["--quick=30"]),
    ],
)
def test_the_choice_of_tests_and_the_arguments_of_pytest(
    bootstrap: ModuleType,
    called: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    n_calls: int,
    last: list[str],
) -> None:
    monkeypatch.setattr(bootstrap, "QUICK_TESTS", "QUICK")
    monkeypatch.setattr(bootstrap, "PLAIN_TESTS", ["PLAIN"])
    assert not bootstrap.main(["test", *words])
    assert len(called) == n_calls
    assert called[-1][-len(last) :] == last
    warms = [line for line in called if line == ["-m", "tilelab", "warm"]]
    assert len(warms) == (n_calls > 1)


def test_a_change_that_may_touch_every_test_is_tested_as_plain_python_too(
    bootstrap: ModuleType, called: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "changed_tests", lambda _: ["tests"])
    assert not bootstrap.main(["test", "--changed"])
    assert called[-1][-len(bootstrap.PLAIN_TESTS) :] == [*bootstrap.PLAIN_TESTS]


def test_what_is_run_quickly_and_as_plain_python_is_there(bootstrap: ModuleType) -> None:
    names = [name.removeprefix("--ignore=") for name in bootstrap.QUICK_TESTS]
    assert [name for name in names if not (ROOT / name).exists()] == []
    plain = {
        file
        for file in (ROOT / "tests").rglob("test_*.py")
        if "pytest.mark." + "plain" in file.read_text("utf-8")
    }
    assert plain
    below = {file for name in bootstrap.PLAIN_TESTS for file in (ROOT / name).rglob("*.py")}
    assert plain <= below


@pytest.mark.parametrize(("n_cores", "gigabytes", "n"), [(2, 16, 3), (64, 256, 4), (8, 5, 2)])
def test_the_number_of_processes_that_share_the_tests(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, n_cores: int, gigabytes: int, n: int
) -> None:
    monkeypatch.setattr(bootstrap.os, "cpu_count", lambda: n_cores)
    pages = {"SC_PAGE_SIZE": 1 << 10, "SC_PHYS_PAGES": gigabytes << 20}
    monkeypatch.setattr(bootstrap.os, "sysconf", pages.__getitem__)
    assert bootstrap.n_test_processes() == n


CRASHING = """
import os
import signal

import pytest

@pytest.mark.parametrize("number", range(30))
def test_some_crash(number):
    if number in (0, 14, 15, 29):
        os.kill(os.getpid(), signal.SIGSEGV)
"""


@posix_only
@pytest.mark.exhaustive
def test_a_test_that_ends_its_process_is_the_only_one_lost(
    bootstrap: ModuleType, tmp_path: Path
) -> None:
    """Noticed: shared as `worksteal` does, a run can wait for ever for the others it had."""
    (tmp_path / "test_crash.py").write_text(CRASHING, "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--numprocesses", "3", *bootstrap.SPREAD],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert "4 failed, 26 passed" in done.stdout, done.stdout[-2000:]
    assert "crashed while running 'test_crash.py::test_some_crash[14]'" in done.stdout


def test_the_start_needs_nothing_but_the_standard_library() -> None:
    """Nothing is installed when it begins, and the program's own part of it is read from here."""
    script = (
        f"import sys; sys.path.insert(0, {str(PACKAGING)!r}); import bootstrap; "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    loaded = set(done.stdout.split()) - set(sys.stdlib_module_names)
    assert loaded <= {"__main__", "bootstrap", "environment", "steps", "system_packages", "tilelab"}


def test_every_folder_of_the_program_is_installed() -> None:
    """A room that is left out of the list is missing only where the program is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    rooms = {file.parent for file in (ROOT / "tilelab").rglob("__init__.py")}
    names = {".".join(room.relative_to(ROOT).parts) for room in rooms} | {
        *("tilelab.resources", "tilelab.docs", "tilelab.docs.solvers"),
    }
    assert set(project["tool"]["setuptools"]["packages"]) == names
    assert {file.parent for file in (ROOT / "tilelab").rglob("*.py")} == rooms


def test_sigterm_while_it_is_warmed_up_ends_the_start_and_ctrl_c_does_not(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    statuses = iter((1, 130, 143))
    monkeypatch.setattr(bootstrap, "call", lambda *_: next(statuses))
    bootstrap.warm_up({})
    bootstrap.warm_up({})
    with pytest.raises(SystemExit, match="143"):
        bootstrap.warm_up({})
