"""The picture of the house in the documentation is that of the imports."""

import importlib.util
from pathlib import Path

PROGRAM = Path(__file__).parents[1] / "docs" / "scripts" / "house.py"


def test_the_picture_shows_the_imports_of_today():
    spec = importlib.util.spec_from_file_location("house", PROGRAM)
    house = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(house)
    drawn = house.PICTURE.read_text(encoding="utf-8")
    assert drawn == house.picture(), "run python docs/scripts/house.py"
