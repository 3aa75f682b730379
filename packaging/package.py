"""Make and try the products of a release: ``./run package`` with all parts or those named.

Products are left in dist/, intermediate files in build/package/. Each part reports its duration and
the size of its product; the first failure ends it all.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import chroots
import deb
import distributions
import frozen
import sbom
import sums
from places import PRODUCTS, megabytes
from steps import SetupError

from tilelab.core.text.wording import unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PARTS: dict[str, tuple[str, Callable[[], None]]] = {
    "wheel": (
        "build sdist and wheel, and use each in an environment of its own",
        distributions.make,
    ),
    "frozen": ("freeze the program into one folder, and use it", frozen.make),
    "deb": ("make the Debian package of the frozen program, and validate it", deb.make),
    "chroots": ("install, use and remove it in bare Debian systems (as root)", chroots.make),
    "sbom": ("write the software bill of materials", sbom.make),
    "sums": ("write the checksums of all products", sums.make),
}
USAGE = "\n".join(
    ["usage: ./run package [PART ...]", "", "The parts, all of them without a name, in this order:"]
    + [f"  {name:9}{what}" for name, (what, _) in PARTS.items()]
)


def main(names: Sequence[str]) -> int:
    """Make the parts; return the exit status."""
    if {"-h", "--help"} & set(names):
        print(USAGE)
        return 0
    for name in names:
        if name not in PARTS:
            print(unknown_name(name, "part", PARTS), file=sys.stderr)
            return 2
    try:
        for name, (_, make) in PARTS.items():
            if not names or name in names:
                began = time.monotonic()
                print(f"== {name}", flush=True)
                make()
                print(f"== {name}: done in {time.monotonic() - began:.0f} s", flush=True)
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    for product in sorted(PRODUCTS.iterdir()) if PRODUCTS.is_dir() else ():
        print(f"{megabytes(product):8.1f} MB  dist/{product.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
