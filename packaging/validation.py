"""The desktop's own validators over the files of a package, and what they say."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import tempfile
from pathlib import Path

from steps import SetupError

VALIDATORS = {
    "desktop-file-validate": "desktop-file-utils",
    "appstreamcli": "appstream",
    "update-mime-database": "shared-mime-info",
    "mandoc": "mandoc",
}
"""Program -> the Debian package that brings it."""


def validate(tree: Path) -> None:
    """Validate what is there with what is installed; raises SetupError for what does not hold."""
    share = tree / "usr/share"
    (entry,) = (share / "applications").iterdir()
    (metainfo,) = (share / "metainfo").iterdir()
    (types,) = (share / "mime/packages").iterdir()
    check("desktop-file-validate", entry)
    check("appstreamcli", "validate", "--no-net", "--explain", metainfo)
    with tempfile.TemporaryDirectory() as made:
        packages = Path(made) / "packages"
        shutil.copytree(types.parent, packages)
        check("update-mime-database", made)
        page = Path(made) / "tilelab.1"
        page.write_bytes(gzip.decompress((share / "man/man1/tilelab.1.gz").read_bytes()))
        check("mandoc", "-T", "lint", "-W", "warning", page)


def check(program: str, *arguments: str | Path) -> None:
    """Run one validator and show what it says; one that is missing is named."""
    if shutil.which(program) is None:
        print(f"{program} is not installed ({VALIDATORS[program]}): not validated.", flush=True)
        return
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    said = (done.stdout + done.stderr).strip()
    print(f"{program}: {said or 'no complaint'}", flush=True)
    if done.returncode != 0:
        raise SetupError(f"{program} does not accept what was made.")
