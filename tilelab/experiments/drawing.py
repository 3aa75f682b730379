"""Draws the charts of a sweep as PNG and SVG: the only file that imports matplotlib.

The same chart gives the same bytes, whatever pyplot's global state and the user's settings are.
"""

import functools
import io
import json
import math
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import as_file
from pathlib import Path

from tilelab.core.errors import UsageError, missing_package
from tilelab.core.files.resources import resource
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import one_line, quoted
from tilelab.experiments.chart_values import Axis, Chart, Point, Series
from tilelab.runs.files.atomic import write_atomically

try:
    from matplotlib import style
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.colors import LinearSegmentedColormap, Normalize
    from matplotlib.figure import Figure
    from matplotlib.font_manager import fontManager
    from matplotlib.ft2font import FT2Font
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator
except ModuleNotFoundError:
    raise missing_package(tr("Pictures need matplotlib"), "report") from None

FORMS = ("png", "svg")
MAX_LINES = 12  # number of lines above which only the highest ones have a colour
MAX_SETTINGS = 200  # boxes, or rows and columns of a heat map, for which there is room
_LETTERS_AN_INCH = 18  # number of letters of a caption to an inch
_FEW_LINES = 4  # above them the bands are fainter, so that the lines remain visible
_MAX_TITLE, _MAX_LABEL, _MAX_LEGEND = 180, 44, 56
_WIDTH, _HEIGHT, _DPI = 7.5, 4.6, 160  # width and height in inches, and pixels an inch
_DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.5)), (0, (6, 1.5, 1.5, 1.5)))
_MARKS = ("o", "s", "^", "D", "v", "P", "X")
_HEAT = ("#FBF7EE", "#F1CD9B", "#E0872E", "#8A3F0E")
_GOLDEN = 0.618034
_MAX_NUMBERED = 14  # maximum number of a heat map's columns whose cells contain their numbers
_MANY_POINTS = 2_000  # number of points from which an SVG contains them as a picture


def write_picture(chart: Chart, file: str | Path) -> Path:
    """Draw a chart into a file, PNG or SVG by its suffix; raises TileLabError."""
    form = Path(file).suffix.lower().removeprefix(".")
    if form not in FORMS:
        raise UsageError.tr("--out: {file} does not end with .png or .svg", file=quoted(str(file)))
    return write_atomically(file, picture(chart, form))


def picture(chart: Chart, form: str, *, has_words: bool = True) -> bytes:
    """Draw a chart. form: one of FORMS. has_words: with its title and caption."""
    with _own_style():
        figure = Figure(figsize=_size(chart), layout="constrained")
        axes = figure.add_subplot()
        _DRAWN[chart.kind](axes, chart)
        if has_words:
            _write_words(figure, axes, chart)
        file = io.BytesIO()
        if form == "svg":
            FigureCanvasSVG(figure).print_svg(
                file, metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
            )
        else:
            canvas = FigureCanvasAgg(figure)
            figure.set_dpi(_DPI)
            canvas.print_png(file, metadata={"Software": None})
        return file.getvalue()


@functools.cache
def _tokens() -> tuple[Mapping[str, str], Sequence[str]]:
    """Return the theme's colours on light ground, and those of curves."""
    tokens = json.loads(resource("themes", "tokens.json").read_text("utf-8"))
    light = tokens["themes"]["light"]
    # The yellow of Okabe and Ito is not visible on white; their black is the eighth colour.
    return light, [*tokens["curves"][:-1], light["text"]]


@functools.cache
def _known_letters() -> frozenset[int]:
    """Register the fonts; return the letters that they contain."""
    known: set[int] = set()
    for name in ("Inter-Regular.otf", "Inter-SemiBold.otf"):
        with as_file(resource("fonts", name)) as path:
            fontManager.addfont(path)
            known |= set(FT2Font(path).get_charmap())
    return frozenset(known)


@contextmanager
def _own_style() -> Iterator[None]:
    colours, _ = _tokens()
    _known_letters()
    own = {
        "text.color": colours["text"],
        "axes.labelcolor": colours["muted"],
        "axes.edgecolor": colours["outline"],
        "axes.facecolor": colours["card"],
        "grid.color": colours["grid"],
        "xtick.color": colours["outline"],
        "ytick.color": colours["outline"],
        "xtick.labelcolor": colours["muted"],
        "ytick.labelcolor": colours["muted"],
        "figure.facecolor": colours["card"],
    }
    with (
        as_file(resource("themes", "charts.mplstyle")) as common,
        style.context(["default", common, own]),
    ):
        yield


def _size(chart: Chart) -> tuple[float, float]:
    """Return the size of a picture, in inches; raises UsageError for a chart that is too large."""
    n_columns, n_rows = len(chart.x.labels), len(chart.y.labels)
    if max(n_columns, n_rows) > MAX_SETTINGS:
        raise UsageError.tr(
            "A picture has room for {most_settings} settings; this chart has {n_columns}",
            most_settings=MAX_SETTINGS,
            n_columns=max(n_columns, n_rows),
        )
    if chart.kind == "boxes":  # lying, so that their titles can be read
        return _WIDTH, max(2.6, 1.6 + 0.34 * n_columns)
    if chart.kind == "heat-map":
        width = 0.62 if n_columns <= _MAX_NUMBERED else 0.42
        return max(5.5, 2.5 + width * n_columns), max(3.2, 2.0 + 0.38 * n_rows)
    return _WIDTH, _HEIGHT


def _write_words(figure: Figure, axes: Axes, chart: Chart) -> None:
    colours, _ = _tokens()
    width = int(figure.get_figwidth() * _LETTERS_AN_INCH)
    title = "\n".join(textwrap.wrap(_text(chart.title, _MAX_TITLE), int(width * 0.6)))
    axes.set_title(title, loc="left", fontsize=12, fontweight=600, pad=10)
    caption = "\n".join(textwrap.wrap(_text(chart.caption, 1_000), width))
    figure.supxlabel(
        caption, x=0.01, ha="left", fontsize=8, color=colours["muted"], linespacing=1.35
    )


def _draw_lines(axes: Axes, chart: Chart) -> None:
    """Draw lines with their bands; with too many of them the highest ones are emphasized."""
    _, palette = _tokens()
    chosen = list(chart.series)
    numbers = [line.colour for line in chosen]
    if len(chosen) > MAX_LINES:
        chosen = sorted(chosen, key=lambda line: line.points[-1].y)[: -len(palette) - 1 : -1]
        others = [line for line in chart.series if line not in chosen]
        _draw_faintly(axes, others)
        numbers = list(range(len(chosen)))  # all different
    for index, line in zip(numbers, chosen, strict=True):
        colour = palette[index % len(palette)]
        dash = _DASHES[index // len(palette) % len(_DASHES)]
        mark = "" if line.is_steps else _MARKS[index % len(_MARKS)]
        _draw_line(axes, line, colour, dash, mark, 0.15 if len(chosen) <= _FEW_LINES else 0.07)
    _set_up(axes, chart.x, chart.y)
    if chart.kind == "run-length":
        axes.set_ylim(-2, 102)
    if len(chart.series) > 1:
        assert isinstance(axes.figure, Figure)
        longest = max(len(_text(line.title, _MAX_LEGEND)) for line in chosen)
        axes.figure.legend(
            loc="outside upper left",
            ncols=max(1, min(4, 100 // (longest + 8))),
            fontsize=8.5,
            handlelength=2.4,
            columnspacing=1.6,
        )


def _draw_faintly(axes: Axes, lines: Sequence[Series]) -> None:
    colours, _ = _tokens()
    for index, line in enumerate(lines):
        axes.plot(
            [point.x for point in line.points],
            [point.y for point in line.points],
            color=colours["line"],
            linewidth=1,
            drawstyle="steps-post" if line.is_steps else "default",
            label=tr("{n_lines} others", n_lines=len(lines)) if index == 0 else "_",
        )


def _draw_line(axes: Axes, line: Series, colour: str, dash: object, mark: str, haze: float) -> None:
    points = list(line.points)
    later: list[Point] = []
    if line.sure_until is not None:
        later = [point for point in points if point.x > line.sure_until]
        points = [point for point in points if point.x <= line.sure_until]
        edge = Point(line.sure_until, points[-1].y, ())
        points, later = [*points, edge], [edge, *later]
    name = _text(line.title, _MAX_LEGEND)
    for part, way, sign, label in ((points, dash, mark, name), (later, (0, (1, 2)), "", "_")):
        axes.plot(
            [point.x for point in part],
            [point.y for point in part],
            color=colour,
            linewidth=1.7,
            linestyle=way,
            drawstyle="steps-post" if line.is_steps else "default",
            marker=sign,
            markersize=4.5,
            label=label,
        )
    bands = [
        (point.x, point.low, point.high)
        for point in line.points
        if point.low is not None and point.high is not None
    ]
    if len(bands) == 1:
        ((x, low, high),) = bands
        axes.plot([x, x], [low, high], color=colour, linewidth=1.2, label="_")
    elif bands:
        across, lows, highs = zip(*bands, strict=True)
        axes.fill_between(
            across,
            lows,
            highs,
            step="post" if line.is_steps else None,
            color=colour,
            alpha=haze,
            linewidth=0,
        )


def _draw_boxes(axes: Axes, chart: Chart) -> None:
    """Draw horizontal boxes, from the top down in the plan's order, with every run as a point."""
    colours, palette = _tokens()
    boxes = [
        {
            "whislo": box.low,
            "q1": box.first_quartile,
            "med": box.median,
            "q3": box.third_quartile,
            "whishi": box.high,
        }
        for box in (series.box for series in chart.series)
        if box is not None
    ]
    axes.bxp(
        boxes,
        positions=range(len(boxes)),
        orientation="horizontal",
        widths=0.56,
        showfliers=False,
        patch_artist=True,
        boxprops={"facecolor": colours["wash"], "edgecolor": colours["outline"]},
        whiskerprops={"color": colours["outline"]},
        capprops={"color": colours["outline"]},
        medianprops={"color": colours["text"], "linewidth": 1.8},
    )
    points = [
        (point.y, at + 0.36 * ((index * _GOLDEN) % 1 - 0.5))
        for at, series in enumerate(chart.series)
        for index, point in enumerate(series.points)
    ]
    axes.scatter(
        [x for x, _ in points],
        [y for _, y in points],
        s=13 if len(points) < _MANY_POINTS else 5,
        color=palette[0],
        alpha=0.6,
        linewidths=0,
        zorder=5,
        rasterized=len(points) > _MANY_POINTS,
    )
    axes.invert_yaxis()
    _set_up(axes, chart.y, chart.x)
    axes.set_ylabel("")
    axes.grid(visible=False, axis="y")


def _draw_heat_map(axes: Axes, chart: Chart) -> None:
    colours, _ = _tokens()
    (cells,) = chart.series
    values = [point.value for point in cells.points if point.value is not None]
    low, high = min(values), max(values)
    norm = Normalize(low, high if high > low else low + 1)
    heat = LinearSegmentedColormap.from_list("heat", list(_HEAT))
    grid = [[math.nan] * len(chart.x.labels) for _ in chart.y.labels]
    for point in cells.points:
        assert point.value is not None
        grid[int(point.y)][int(point.x)] = point.value
    image = axes.imshow(grid, cmap=heat, norm=norm, aspect="auto", origin="lower")
    if len(chart.x.labels) <= _MAX_NUMBERED:
        for point in cells.points:
            assert point.value is not None
            ink = colours["tile_ink"] if norm(point.value) < 0.72 else "#FFFFFF"
            axes.text(
                *(point.x, point.y, _number(point.value)),
                ha="center",
                va="center",
                fontsize=8.5,
                color=ink,
            )
    _set_up(axes, chart.x, chart.y)
    axes.grid(visible=False)
    axes.set_facecolor(colours["grid"])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    assert isinstance(axes.figure, Figure)
    bar = axes.figure.colorbar(image, ax=axes, pad=0.02, aspect=28)
    bar.outline.set_visible(False)
    bar.set_label(_text(chart.value_title, _MAX_LABEL))
    bar.ax.yaxis.set_major_locator(MaxNLocator(5))
    bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _number(value)))


_DRAWN: Mapping[str, Callable[[Axes, Chart], None]] = {
    "boxes": _draw_boxes,
    "heat-map": _draw_heat_map,
    **dict.fromkeys(("lines", "best-so-far", "run-length", "improvement"), _draw_lines),
}


def _set_up(axes: Axes, across: Axis, upwards: Axis) -> None:
    for side, one in ((axes.xaxis, across), (axes.yaxis, upwards)):
        side.set_label_text(_text(one.title, _MAX_LABEL))
        if one.labels:
            labels = [_text(label, _MAX_LABEL) for label in one.labels]
            side.set_ticks(range(len(labels)), labels)
        else:
            if one.is_log:
                side.axes.set(**{f"{side.axis_name}scale": "log"})
            side.set_major_locator(_ticks(side.get_view_interval(), is_log=one.is_log))
            side.set_major_formatter(FuncFormatter(lambda value, _: _number(value)))
        side.set_minor_locator(NullLocator())
    if across.labels and sum(map(len, across.labels)) > 9 * len(across.labels):
        axes.tick_params(axis="x", labelrotation=35)
        for label in axes.get_xticklabels():
            label.set_horizontalalignment("right")
            label.set_rotation_mode("anchor")


def _ticks(interval: Sequence[float], *, is_log: bool) -> MaxNLocator | LogLocator:
    if not is_log:
        return MaxNLocator(6, steps=[1, 2, 2.5, 5, 10])
    low, high = interval
    is_short = low <= 0 or math.log10(high / low) < 3.5
    return LogLocator(subs=(1.0, 2.0, 5.0) if is_short else (1.0,), numticks=12)


def _number(value: float) -> str:
    """Return the label of a tick: only digits that distinguish it from its neighbours."""
    text = f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:,.4g}"
    return text.replace("-", "\N{MINUS SIGN}")


def _text(text: str, most: int) -> str:
    """Return a text that the fonts can write; of a long one the beginning and the end."""
    line = one_line(text)
    if len(line) > most:
        line = f"{line[: most // 2]}…{line[-(most - most // 2 - 1) :]}"
    known = _known_letters()
    return "".join(letter if ord(letter) in known else "?" for letter in line)
