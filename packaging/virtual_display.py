"""A display without a screen, with keys that are pressed by a program."""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from steps import SetupError

if TYPE_CHECKING:
    from types import TracebackType

MAX_SECONDS = 120.0
_LOOK_SECONDS = 0.2
_SIZE = "1280x860x24"


def server_socket_folder() -> Path:
    """Return the folder in which X servers keep their sockets."""
    return Path("/tmp/.X11-unix")


class VirtualDisplay:
    """An X server without a screen; `name` is the value for DISPLAY."""

    def __enter__(self) -> VirtualDisplay:
        self._folder = tempfile.TemporaryDirectory(prefix="tilelab-display-")
        # It writes its number to its standard output.
        command = ["Xvfb", "-displayfd", "1", "-screen", "0", _SIZE]
        command += ["-fbdir", self._folder.name, "-ac", "-nolisten", "tcp"]
        self._server = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._server.stdout is not None
        number = self._server.stdout.readline().strip()
        if not number:
            raise SetupError("Xvfb has not started.")
        self.name = f":{number}"
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self._server.terminate()
        self._server.wait()
        self._folder.cleanup()

    def wait_for_window(self, title: str) -> str:
        """Wait until a window is shown whose title has these words; return its number."""
        begun = time.monotonic()
        while time.monotonic() - begun < MAX_SECONDS:
            found = self._run_xdotool(
                "search", "--onlyvisible", "--name", title, check=False
            ).split()
            if found:
                return found[0]
            time.sleep(_LOOK_SECONDS)
        raise SetupError(f"No window called {title} has been shown.")

    def press(self, window: str, key: str) -> None:
        """Press a key in a window; without a window manager it has to be given the focus."""
        self._run_xdotool("windowfocus", window)
        time.sleep(_LOOK_SECONDS)
        self._run_xdotool("key", key)
        time.sleep(_LOOK_SECONDS)

    def close(self, window: str, question: str, program: subprocess.Popen[str]) -> None:
        """Quit, press Enter in a dialog with that title, and wait for the end."""
        self.press(window, "ctrl+q")
        begun = time.monotonic()
        while program.poll() is None and time.monotonic() - begun < MAX_SECONDS:
            windows = self._run_xdotool(
                "search", "--onlyvisible", "--name", question, check=False
            ).split()
            if windows:
                self._run_xdotool("windowfocus", windows[0], check=False)
                self._run_xdotool("key", "Return", check=False)
            time.sleep(_LOOK_SECONDS)
        if program.poll() is None:
            raise SetupError("The window has not closed.")

    def keep_picture(self, target: Path) -> None:
        """Write the screen's contents as a PNG."""
        (file,) = Path(self._folder.name).iterdir()
        data = file.read_bytes()
        # The X window dump: lengths in 32 bits, then colours, then lines of pixels.
        field = [int.from_bytes(data[n : n + 4], "big") for n in range(0, 80, 4)]
        width, height, line, n_colours = field[4], field[5], field[12], field[19]
        start = field[0] + 12 * n_colours
        pixels = data[start : start + line * height]
        Image.frombytes("RGB", (width, height), pixels, "raw", "BGRX", line).save(target)

    def _run_xdotool(self, *words: str, check: bool = True) -> str:
        command = ["env", f"DISPLAY={self.name}", "xdotool", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if check and done.returncode != 0:
            raise SetupError(f"xdotool {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout
