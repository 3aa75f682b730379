"""The checklist of a release: ``.venv/bin/python packaging/release.py 1.0.0``.

It changes nothing but dist/. It names everything that is wrong at once. When nothing is wrong it
runs the checks and the tests, makes the packages, and lists the remaining manual steps. ``--look``
only checks.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

BRANCH = "main"
LANES = (("lint",), ("test",), ("package",))
BY_HAND = """\
Left to be done by hand:
  1. Look at each window-*.png in dist/; start the installed program and each puzzle once.
  2. git tag --sign v{version} --message "TileLab {version}"; git push --follow-tags
  3. Wait for the forge's packages of Windows and macOS; try each on its system, or state that
     it was not tried.
  4. Publish wheel and source distribution, and the release with the changelog's section, the
     packages, the bill of materials and SHA256SUMS (signed).
  5. Install the published wheel with pipx, and run each puzzle.
  6. Begin the next version: tilelab/core/version.py, CITATION.cff, an empty "Unreleased" in
     CHANGELOG.md.\
"""


def main(arguments: Sequence[str]) -> int:
    """Check, then make; return the exit status."""
    parser = argparse.ArgumentParser(description="Check a release and make its packages.")
    parser.add_argument("version", help="the version that is to be released, such as 1.0.0")
    parser.add_argument("--look", action="store_true", help="only look whether all is ready")
    options = parser.parse_args(arguments)
    wrong = list(faults(options.version, ROOT, _git))
    for fault in wrong:
        print(f"- {fault}", file=sys.stderr)
    if wrong or options.look:
        return 1 if wrong else 0
    for lane in LANES:
        print(f"== ./run {' '.join(lane)}", flush=True)
        if status := subprocess.call([ROOT / "run", *lane], cwd=ROOT):
            return status
    print(BY_HAND.format(version=options.version))
    return 0


def faults(version: str, root: Path, git: Callable[..., str]) -> Iterator[str]:
    """Return what prevents a release, one sentence each.

    git: runs git with these words and returns its output.
    """
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f"{version} is no version of three numbers."
        return
    if f'VERSION = "{version}"' not in _text(root / "tilelab/core/version.py"):
        yield f"tilelab/core/version.py does not say {version}."
    yield from _changelog_faults(version, _text(root / "CHANGELOG.md"))
    yield from _citation_faults(version, root)
    if branch := git("branch", "--show-current").strip():
        if branch != BRANCH:
            yield f"The branch is {branch}, not {BRANCH}."
    else:
        yield "No branch is checked out."
    if changed := git("status", "--porcelain").strip():
        yield f"The work tree is not clean: {', '.join(changed.split()[1::2])}."
    if git("tag", "--list", f"v{version}").strip():
        yield f"There is a tag v{version} already."


def _changelog_faults(version: str, text: str) -> Iterator[str]:
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    newest = next((one for one in sections if not one.startswith("[Unreleased]")), "")
    if not re.match(rf"\[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n", newest):
        yield f'The newest section of CHANGELOG.md is not "## [{version}] - YYYY-MM-DD".'
    unreleased = next((one for one in sections if one.startswith("[Unreleased]")), "")
    if "\n- " in unreleased or "\n* " in unreleased:
        yield 'CHANGELOG.md still has something under "Unreleased".'


def _citation_faults(version: str, root: Path) -> Iterator[str]:
    citation = _text(root / "CITATION.cff")
    day = re.search(rf"^## \[{re.escape(version)}\] - (\S+)", _text(root / "CHANGELOG.md"), re.M)
    if f"\nversion: {version}\n" not in citation:
        yield f"CITATION.cff does not say version: {version}."
    if day is not None and f'\ndate-released: "{day[1]}"\n' not in citation:
        yield f'CITATION.cff does not say date-released: "{day[1]}", as the changelog does.'


def _text(file: Path) -> str:
    return file.read_text("utf-8")


def _git(*words: str) -> str:
    command = ["git", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
