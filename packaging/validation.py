"""The desktop's own validators, applied to the files of a package."""

from __future__ import annotations

import contextlib
import gzip
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from steps import SetupError
from system_packages import mend

VALIDATORS = {
    "desktop-file-validate": "desktop-file-utils",
    "appstreamcli": "appstream",
    "update-mime-database": "shared-mime-info",
    "mandoc": "mandoc",
}
"""Program -> the Debian package that contains it."""
_NO_PAGE = "url-homepage-missing"


def validate(tree: Path) -> None:
    """Validate the files with the installed validators; raises SetupError for errors."""
    if missing := missing_validators():
        with contextlib.suppress(SetupError):  # then each is reported
            mend(missing, missing_validators)
    share = tree / "usr/share"
    (entry,) = (share / "applications").iterdir()
    (metainfo,) = (share / "metainfo").iterdir()
    (types,) = (share / "mime/packages").iterdir()
    check("desktop-file-validate", entry)
    check_metainfo(metainfo)
    with tempfile.TemporaryDirectory() as made:
        shutil.copytree(types.parent, Path(made) / "mime" / "packages")
        check("update-mime-database", Path(made) / "mime", XDG_DATA_HOME=made)
        page = Path(made) / "tilelab.1"
        page.write_bytes(gzip.decompress((share / "man/man1/tilelab.1.gz").read_bytes()))
        check("mandoc", "-T", "lint", "-W", "warning", page)


def check_metainfo(file: Path) -> None:
    """Validate a metainfo; that the project has no web page is no error."""
    command = ("appstreamcli", "validate", "--no-net")
    options: tuple[str, ...] = ()
    if shutil.which(command[0]) is not None:
        done = subprocess.run([*command, file], capture_output=True, text=True, check=False)
        # AppStream before 1.0 has no option for a missing page, and does not require one.
        if _NO_PAGE in done.stdout:
            options = (f"--override={_NO_PAGE}=info",)
    check(*command, *options, file)


def missing_validators() -> dict[str, str]:
    """Return the missing validators, with their packages."""
    return {name: package for name, package in VALIDATORS.items() if shutil.which(name) is None}


def check(program: str, *arguments: str | Path, **settings: str) -> None:
    """Run one validator and show its output; name a missing one."""
    if shutil.which(program) is None:
        print(f"{program} is not installed ({VALIDATORS[program]}): not validated.", flush=True)
        return
    done = subprocess.run(
        [program, *arguments],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    output = (done.stdout + done.stderr).strip()
    print(f"{program}: {output or 'no complaint'}", flush=True)
    if done.returncode != 0:
        raise SetupError(f"{program} does not accept what was made.")
