"""The desktop's own validators over the files of a package, and what they say."""

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
"""Program -> the Debian package that brings it."""
_NO_PAGE = "url-homepage-missing"


def validate(tree: Path) -> None:
    """Validate what is there with what is installed; raises SetupError for what does not hold."""
    if missing := missing_validators():
        with contextlib.suppress(SetupError):  # then it is said of each
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
    """Validate a metainfo; that the project has no page of its own in the web is no fault of it."""
    command = ("appstreamcli", "validate", "--no-net")
    options: tuple[str, ...] = ()
    if shutil.which(command[0]) is not None:
        done = subprocess.run([*command, file], capture_output=True, text=True, check=False)
        # AppStream before 1.0 neither asks for the page nor knows that it could be left out.
        if _NO_PAGE in done.stdout:
            options = (f"--override={_NO_PAGE}=info",)
    check(*command, *options, file)


def missing_validators() -> dict[str, str]:
    """Find the validators that are not there, with their packages."""
    return {name: package for name, package in VALIDATORS.items() if shutil.which(name) is None}


def check(program: str, *arguments: str | Path, **settings: str) -> None:
    """Run one validator and show what it says; one that is missing is named."""
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
    said = (done.stdout + done.stderr).strip()
    print(f"{program}: {said or 'no complaint'}", flush=True)
    if done.returncode != 0:
        raise SetupError(f"{program} does not accept what was made.")
