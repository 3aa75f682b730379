"""The checksums of all products, as ``sha256sum --check`` reads them."""

from __future__ import annotations

import hashlib

from places import PRODUCTS
from steps import SetupError

from tilelab.core.version import VERSION

NAME = "SHA256SUMS"


def make() -> None:
    """Write the sums of this version's products; raises SetupError when there is none."""
    found = sorted(one for one in PRODUCTS.glob("tilelab*") if VERSION in one.name)
    if not found:
        raise SetupError("There is nothing in dist/ to be summed up: ./run package makes it.")
    lines = []
    for product in found:
        with product.open("rb") as file:
            lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {product.name}\n")
    (PRODUCTS / NAME).write_text("".join(lines), "utf-8")
    print("".join(lines), end="")
