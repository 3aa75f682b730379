"""What the packages are made of, without making them: pages, desktop files, licences, icons."""

import importlib
import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from configparser import ConfigParser
from pathlib import Path

import click
import pytest
from PIL import Image

from tilelab.cli.command import commands
from tilelab.core.licences import licences
from tilelab.core.version import VERSION
from tilelab.gui.shell.qt_libraries import QT_LIBRARIES, X11_LIBRARIES
from tilelab.lessons import PACKED
from tilelab.runs.files.store import SUFFIX

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"
DESKTOP = PACKAGING / "desktop"
RUN_TYPE, LESSON_TYPE = "application/x-tilelab", "application/x-tilelab-lesson"


@pytest.fixture
def load(monkeypatch):
    """Imports a module of the folder that is no package."""
    monkeypatch.syspath_prepend(PACKAGING)
    return importlib.import_module


def test_the_manual_page_has_every_command_and_no_request_of_its_own(load):
    page = load("manual_page").manual_page("2026-11-23")
    assert page.startswith(f'.TH TILELAB 1 "2026-11-23" "TileLab {VERSION}"')
    context = click.Context(commands(), info_name="tilelab")
    for name in context.command.list_commands(context):
        assert f'.SS "tilelab {name}' in page
    assert ".B \\-\\-save\\-run FILE" in page
    requests = set(re.findall(r"^[.'](\w+)", page, re.MULTILINE))
    assert requests == {"TH", "SH", "SS", "TP", "B", "I", "RI", "br", "PP"}
    if shutil.which("mandoc"):
        said = subprocess.run(
            ["mandoc", "-T", "lint", "-W", "warning"], input=page, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert (said.returncode, said.stdout) == (0, "")


def test_what_begins_like_a_request_is_text(load):
    text = load("manual_page")._text
    assert text(".TP is\n no  request") == "\\&.TP is no request"
    assert text('a\\b --flag "x"') == "a\\eb \\-\\-flag \\(dqx\\(dq"


def test_the_desktop_entry_opens_run_files_in_the_window(load):
    reader = ConfigParser(interpolation=None)
    reader.optionxform = str
    reader.read(DESKTOP / "tilelab.desktop", "utf-8")
    entry = reader["Desktop Entry"]
    assert entry["Exec"] == "tilelab %f"
    assert entry["MimeType"] == f"{RUN_TYPE};{LESSON_TYPE};"
    # By this name Wayland finds the icon, and X11 by the window's class.
    window = (ROOT / "tilelab/gui/shell/qt_application.py").read_text("utf-8")
    assert f'setDesktopFileName("{entry["Icon"]}")' in window
    if shutil.which("desktop-file-validate"):
        said = subprocess.run(
            ["desktop-file-validate", DESKTOP / "tilelab.desktop"], capture_output=True, check=True
        )
        assert said.stdout + said.stderr == b""


def test_run_files_are_known_by_their_ending_and_have_an_icon(load):
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    kinds = ET.parse(DESKTOP / "tilelab.xml").getroot()
    endings = {kind.attrib["type"]: kind.find(f"{space}glob").attrib["pattern"] for kind in kinds}
    assert endings == {RUN_TYPE: f"*{SUFFIX}", LESSON_TYPE: f"*{PACKED}"}
    icons = {kind.find(f"{space}icon").attrib["name"] for kind in kinds}
    assert icons == {load("deb").ICON_PLACES["run-file"].removeprefix("mimetypes/")}


def test_the_metainfo_names_what_is_installed(load, tmp_path):
    text = (DESKTOP / "org.tilelab.TileLab.metainfo.xml").read_text("utf-8")
    whole = text.replace("@VERSION@", VERSION).replace("@DATE@", "2026-11-23")
    assert "@" not in whole
    about = ET.fromstring(whole)
    assert about.findtext("launchable") == "tilelab.desktop"
    assert [kind.text for kind in about.findall("provides/mediatype")] == [RUN_TYPE, LESSON_TYPE]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert about.findtext("project_license") == project["license"]
    file = tmp_path / "org.tilelab.TileLab.metainfo.xml"
    file.write_text(whole, "utf-8")
    load("validation").check_metainfo(file)
    file.write_text(whole.replace("<id>", "<di>").replace("</id>", "</di>"), "utf-8")
    if shutil.which("appstreamcli"):
        with pytest.raises(load("steps").SetupError, match="appstreamcli does not accept"):
            load("validation").check_metainfo(file)


def test_icons_are_drawn_in_all_sizes(load, tmp_path, qapp):
    icons = load("icons")
    icons.make_icons(tmp_path)
    for name in icons.NAMES:
        for size in icons.SIZES:
            with Image.open(tmp_path / f"{name}-{size}.png") as drawn:
                assert drawn.size == (size, size)
                assert drawn.getchannel("A").getextrema() == (0, 255)
        with Image.open(tmp_path / f"{name}.ico") as drawn:
            assert drawn.info["sizes"] >= {(16, 16), (256, 256)}


def test_an_icon_that_cannot_be_drawn_is_named(load, tmp_path, qapp, qtlog):
    icons = load("icons")
    (tmp_path / "broken.svg").write_text("<svg")
    with (
        qtlog.disabled(),
        pytest.raises(load("steps").SetupError, match=r"broken\.svg could not be drawn"),
    ):
        icons.draw_icon(tmp_path / "broken.svg", 16, tmp_path / "broken.png")


@pytest.mark.parametrize(
    ("target", "source", "is_out"),
    [
        ("libstdc++.so.6", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6", True),
        ("libz.so.1", "/lib/aarch64-linux-gnu/libz.so.1", True),
        ("libpython3.11.so.1.0", "/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0", False),
        ("python3.11/lib-dynload/_ssl.so", "/usr/lib/python3.11/lib-dynload/_ssl.so", False),
        ("numpy.libs/libgfortran.so", "/venv/lib/python3.11/numpy.libs/libgfortran.so", False),
        ("PySide6\\translations\\qt_de.qm", "C:\\venv\\qt_de.qm", True),
        ("PySide6/Qt/translations/qtbase_it.qm", "/venv/qtbase_it.qm", True),
        ("PySide6/Qt/translations/qtbase_de.qm", "/venv/qtbase_de.qm", False),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", "/venv/libqxcb.so", False),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", "/venv/libqvnc.so", True),
    ],
)  # fmt: skip
def test_the_frozen_program_brings_its_own_and_not_the_systems(target, source, is_out):
    spec = importlib.util.spec_from_file_location("parts", PACKAGING / "program" / "parts.py")
    parts = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(parts)
    assert parts.is_superfluous(target, source) is is_out


def test_the_debian_package_depends_on_what_the_window_needs(load, tmp_path):
    deb = load("deb")
    (tmp_path / "usr").mkdir()
    (tmp_path / "usr" / "file").write_bytes(bytes(300 * 1024))
    deb.add_control(tmp_path, "amd64")
    fields = dict(
        line.split(": ", 1)
        for line in (tmp_path / "DEBIAN/control").read_text().splitlines()
        if not line.startswith(" ")
    )
    depends = set(fields["Depends"].split(", "))
    assert depends > {*QT_LIBRARIES.values(), *X11_LIBRARIES.values()}
    assert (fields["Version"], fields["Architecture"]) == (VERSION, "amd64")
    assert fields["Installed-Size"] == "300"  # in units of 1,024 bytes
    assert (tmp_path / "DEBIAN/md5sums").read_text().endswith("  usr/file\n")


def test_every_part_of_the_program_brings_the_text_of_its_licence():
    found = licences()
    assert found[0].title == f"tilelab {VERSION}: MIT"
    parts = {one.part for one in found}
    assert {"Python", "numpy", "numba", "PySide6_Essentials", "Inter (the font)"} <= parts
    assert "pytest" not in parts
    assert [one.part for one in found if len(one.text) < 300] == []


def test_a_part_that_is_not_known_is_named(load, capsys):
    assert load("package").main(["dep"]) == 2
    assert "deb" in capsys.readouterr().err
    assert load("package").main(["--help"]) == 0
    assert "chroots" in capsys.readouterr().out


def test_the_lane_needs_what_it_imports():
    """It runs in an environment with the program and its own extra, and nothing else."""
    script = f"import sys; sys.path.insert(0, {str(PACKAGING)!r}); import package"
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", script], capture_output=True,
                          text=True, check=True)  # fmt: skip
    loaded = {
        line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()
    }
    assert not loaded & {"pytest", "scipy", "matplotlib", "hypothesis", "setuptools"}


def test_the_project_says_one_version_everywhere():
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {VERSION}\n" in citation
    assert (ROOT / "CHANGELOG.md").read_text("utf-8").count("\n## [Unreleased]\n") == 1


READY = {
    "tilelab/core/version.py": 'VERSION = "1.0.0"\n',
    "CHANGELOG.md": "# C\n\n## [Unreleased]\n\n## [1.0.0] - 2026-12-01\n\n### Added\n\n* all\n",
    "CITATION.cff": 'title: TileLab\nversion: 1.0.0\ndate-released: "2026-12-01"\n',
}  # fmt: skip
GIT = {"branch": "main\n", "status": "", "tag": ""}


@pytest.fixture
def faults(load, tmp_path):
    """What the checklist has against a project, given what is changed in one that is ready."""

    def found(asked="1.0.0", git=None, **changed):
        for place, text in READY.items():
            file = tmp_path / place
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(changed.get(file.stem, text), "utf-8")
        answers = {**GIT, **(git or {})}
        return list(load("release").faults(asked, tmp_path, lambda word, *_: answers[word]))

    return found


def test_a_project_that_is_ready_has_no_faults(faults):
    assert faults() == []


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"version": 'VERSION = "0.9.0"\n'}, "version.py does not say 1.0.0"),
        ({"CHANGELOG": "# C\n\n## [Unreleased]\n\n* new\n"}, 'something under "Unreleased"'),
        ({"CHANGELOG": "# C\n\n## [0.9.0] - 2026-01-01\n"}, "The newest section"),
        ({"CITATION": "version: 0.9.0\n"}, "CITATION.cff does not say version"),
        ({"CITATION": "\nversion: 1.0.0\n"}, 'does not say date-released: "2026-12-01"'),
        ({"git": {"branch": "package\n"}}, "The branch is package"),
        ({"git": {"status": " M README.md\n"}}, "not clean: README.md"),
        ({"git": {"tag": "v1.0.0\n"}}, "a tag v1.0.0 already"),
    ],
)
def test_what_stands_against_a_release_is_said(faults, changed, fault):
    assert any(fault in sentence for sentence in faults(**changed))


def test_a_version_has_three_numbers(faults):
    assert faults("1.0") == ["1.0 is no version of three numbers."]


def test_forms_and_the_workflow_are_read_as_they_are_meant():
    yaml = pytest.importorskip("yaml")
    files = sorted((ROOT / ".github").rglob("*.yml"))
    assert len(files) >= 5
    for file in files:
        assert isinstance(yaml.safe_load(file.read_text("utf-8")), dict), file
