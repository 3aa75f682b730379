"""Categories in words: size, what counts, and the rules that are not the defaults."""

from tilelab import catalog
from tilelab.core.parameters import ParameterSpec, describe
from tilelab.core.plain import Json
from tilelab.core.puzzle import Category
from tilelab.core.text.language import tr

_ELSEWHERE = ("rows", "cols", "fitness")
"""Parameters that have words of their own."""


def size_text(category: Category) -> str:
    """Return rows and columns, such as ``4×4``."""
    return f"{category.facts.get('rows', '?')}×{category.facts.get('cols', '?')}"


def counted_text(category: Category) -> str:
    """Return what the value adds up, such as ``summed length``."""
    spec = next((one for one in _specs(category) if one.name == "fitness"), None)
    return "" if spec is None else _shown(spec, category.facts.get("fitness"))


def rules_text(category: Category) -> str:
    """Return the rules that are not the defaults, and the tiles of a board of tiles; or ''."""
    parts = []
    for spec in _specs(category):
        value = category.facts.get(spec.name, spec.default)
        if spec.name in _ELSEWHERE or value == spec.default:
            continue
        shown = _shown(spec, value)
        parts.append(spec.title.lower() if value is True else f"{spec.title.lower()}: {shown}")
    if isinstance(tiles := category.facts.get("tiles"), str):
        parts.append(tr("tiles {tiles}").format(tiles=tiles))
    return ", ".join(parts)


def _specs(category: Category) -> tuple[ParameterSpec, ...]:
    return describe(catalog.puzzle(category.puzzle).spec.params)


def _shown(spec: ParameterSpec, value: Json) -> str:
    titles = dict(zip(spec.choices, spec.choice_titles, strict=True))
    return titles.get(str(value), str(value))
