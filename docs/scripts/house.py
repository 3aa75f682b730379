"""Draw docs/house.svg from the imports: run ``python docs/scripts/house.py``.

Floors and their order are those of the import contracts in pyproject.toml; a line is drawn where
files of one folder import files of another one below. Lines that follow from others are left out:
nearly every folder imports from the lowest ones.
"""

import tomllib
from pathlib import Path
from xml.sax.saxutils import escape

import grimp

PROJECT = Path(__file__).parents[2]
PICTURE = PROJECT / "docs" / "house.svg"
PANELS = {"tilelab": "The house", "tilelab.gui": "The window: tilelab/gui"}
BOX_WIDTH, BOX_HEIGHT, GAP, FLOOR_HEIGHT, MARGIN, TITLE = 104, 32, 28, 84, 24, 44
INK, LINE, FACE, EDGE, GROUND = "#22252A", "#1F7A6D", "#FFFFFF", "#DCCBA6", "#F6F4EF"


def floors(package):
    """The floors of a package from the top, each a list of its folders."""
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(one["layers"] for one in contracts if one.get("containers") == [package])
    return [[room.strip() for room in floor.split("|")] for floor in layers]


def imports(package, rooms):
    """The pairs of folders of which the first imports the second, without those that follow."""
    graph = grimp.build_graph("tilelab", exclude_type_checking_imports=False, cache_dir=None)
    room_of = {
        module: room
        for room in rooms
        for module in graph.modules
        if f"{module}.".startswith(f"{package}.{room}.")
    }
    pairs = {
        (room, room_of.get(needed))
        for module, room in room_of.items()
        for needed in graph.find_modules_directly_imported_by(module)
    }
    direct = {room: {needed for one, needed in pairs if one == room and needed} for room in rooms}
    return sorted(
        (room, needed)
        for room in rooms
        for needed in direct[room] - {room}
        if not any(needed in below(other, direct) for other in direct[room] - {room, needed})
    )


def below(room, direct):
    """The folders that one imports, be it through others."""
    found = set()
    for needed in direct[room] - {room}:
        found |= {needed} | below(needed, direct)
    return found


def places(package_floors, width):
    """The left upper corner of each folder's box."""
    corners = {}
    for row, floor in enumerate(package_floors):
        # Floors step aside in turn, so that lines past a floor are not hidden by its boxes.
        room = len(floor) * BOX_WIDTH + (len(floor) - 1) * GAP
        left = (width - room) / 2 + (-1) ** row * BOX_WIDTH * 0.8 * (len(floor) == 1)
        for col, name in enumerate(floor):
            corners[name] = (left + col * (BOX_WIDTH + GAP), TITLE + row * FLOOR_HEIGHT)
    return corners


def panel(package, left, width):
    """The parts of one panel: a title, the lines, and the boxes over them."""
    package_floors = floors(package)
    corners = places(package_floors, width)
    parts = [
        f'<g transform="translate({left} {MARGIN})">',
        f'<text x="{width / 2:g}" y="16" class="title">{escape(PANELS[package])}</text>',
    ]
    for room, needed in imports(package, [name for floor in package_floors for name in floor]):
        (x0, y0), (x1, y1) = corners[room], corners[needed]
        x0, x1 = x0 + BOX_WIDTH / 2, x1 + BOX_WIDTH / 2
        y0 = y0 + BOX_HEIGHT
        bend = (y1 - y0) / 2
        parts.append(
            f'<path d="M{x0:g} {y0:g}C{x0:g} {y0 + bend:g} {x1:g} {y1 - bend:g} {x1:g} {y1 - 6:g}"'
            ' marker-end="url(#arrow)"/>'
        )
    for name, (x, y) in corners.items():
        parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6"/>'
            f'<text x="{x + BOX_WIDTH / 2:g}" y="{y + 21:g}">{escape(name)}</text>'
        )
    return [*parts, "</g>"]


def picture():
    """The whole picture, as SVG."""
    widths = {}
    for package in PANELS:
        most = max(map(len, floors(package)))
        widths[package] = max(most * (BOX_WIDTH + GAP), 4 * BOX_WIDTH)
    most_floors = max(len(floors(package)) for package in PANELS)
    height = 2 * MARGIN + TITLE + (most_floors - 1) * FLOOR_HEIGHT + BOX_HEIGHT
    width = sum(widths.values()) + MARGIN * (len(PANELS) + 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">',
        "<title>Which folder imports which</title>",
        '<defs><marker id="arrow" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6"'
        f' markerHeight="6" orient="auto"><path d="M0 0L6 3L0 6z" fill="{LINE}" stroke="none"/>'
        "</marker></defs>",
        "<style>text{font:13px Inter,sans-serif;text-anchor:middle;"
        f"fill:{INK}}}.title{{font-size:15px;font-weight:600}}rect{{fill:{FACE};stroke:{EDGE}}}"
        f"path{{fill:none;stroke:{LINE};stroke-opacity:.55}}</style>",
        f'<rect width="{width:g}" height="{height:g}" style="fill:{GROUND};stroke:none"/>',
    ]
    left = MARGIN
    for package in PANELS:
        parts += panel(package, left, widths[package])
        left += widths[package] + MARGIN
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
