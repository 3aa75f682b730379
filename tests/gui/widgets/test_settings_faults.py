"""What the window remembers, in a file that is damaged or cannot be written."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.full_disks import fill, make_read_only, small_file_system
from tests.fuzzing import cases
from tilelab.gui.widgets.settings import MAX_RECENT, Settings
from tilelab.gui.widgets.theme import NAMES

LINES = (
    b"[General]", b"theme=dark", b"theme=7, 8, 9", b"recent=a.txt\\nb.txt", b"recent=@Variant(\\0)",
    b"folder=@ByteArray(\\x0\\xff)", b"folder=\x00\xff", b"geometry=@ByteArray(abc)",
    b"geometry=@Rect(1 2 3 x)", b"flag=@Invalid()", b"flag=true", b"= = =", b"[%%%]", b"a" * 5000,
    b"geometry=@Variant(\\0\\0\\0\\x7f\\xff\\xff\\xff\\xff)", b"theme=@DateTime(\\0\\0\\0\\x10)",
)  # fmt: skip


@pytest.mark.no_qt_log  # Qt says of values of a type that it does not know
@cases(60)
@given(lines=st.lists(st.sampled_from(LINES) | st.binary(max_size=30), max_size=8))
def test_any_settings_count_as_set_or_not(lines, tmp_path_factory):
    file = tmp_path_factory.mktemp("settings") / "window.ini"
    file.write_bytes(b"\n".join(lines))
    settings = Settings(file)
    assert settings.preferences.theme in NAMES
    settings.add_recent(file)
    assert settings.recent()[0] == file.resolve()
    assert len(settings.recent()) <= MAX_RECENT
    assert settings.flag("flag") in (True, False)
    assert settings.bytes("geometry").size() < 10_000
    assert all(settings.lines("recent"))
    assert settings.folder is not None


@pytest.mark.parametrize("spoil", [fill, make_read_only])
def test_settings_that_cannot_be_written_leave_the_old_ones(spoil, tmp_path):
    with small_file_system(tmp_path):
        file = tmp_path / "window.ini"
        settings = Settings(file)
        settings.set_preference("theme", "dark")
        settings.write()
        old = file.read_bytes()
        assert b"dark" in old
        spoil(tmp_path)
        names = sorted(path.name for path in tmp_path.iterdir())
        settings.set_preference("theme", "light")
        settings.set_lines("recent", ["a" * 5000])
        settings.write()
        assert settings.preferences.theme == "light"
        assert file.read_bytes() == old
        assert sorted(path.name for path in tmp_path.iterdir()) == names


@pytest.mark.skipif(os.name == "nt", reason="rights are otherwise there")
def test_settings_are_for_their_owner_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("TILELAB_CONFIG_DIR", str(tmp_path / "new"))
    old = tmp_path / "old" / "window.ini"
    old.parent.mkdir()
    old.write_text("[General]\ntheme=dark\n")
    old.chmod(0o644)
    old.parent.chmod(0o755)
    for settings, file in (
        (Settings(), tmp_path / "new" / "window.ini"),
        (Settings(old), old),
    ):
        settings.set_flag("fold_accents", True)
        settings.write()
        assert "fold_accents=true" in file.read_text()
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.parent.stat().st_mode & 0o777 == 0o700
    assert Settings(old).preferences.theme == "dark"
