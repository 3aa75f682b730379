"""A sweep as one self-contained HTML file: its plan, tables, tests, charts and errors.

The same folder gives the same file, except for the description of the machine. All texts of the
plan and of errors are escaped; there are no scripts, and nothing is loaded from anywhere.
"""

import base64
import contextlib
import html
import json
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from string import Template

import psutil

from tilelab.core.errors import TileLabError, UsageError
from tilelab.core.files.resources import resource
from tilelab.core.text.language import figures, language, marked, tr
from tilelab.core.text.shown_text import one_line
from tilelab.core.text.wording import capital, counted, plain_number, value_word
from tilelab.core.version import VERSION
from tilelab.experiments.chart_values import Chart, axis_title, figure_title, find_axes
from tilelab.experiments.charts import KINDS, chart_of
from tilelab.experiments.jobs import Job, Runs, runs_of
from tilelab.experiments.remarks import remarks_on
from tilelab.experiments.results import Kept, read_results
from tilelab.experiments.tables import SOLVER, Lines, across, by_setting, figure, settings_of
from tilelab.runs.files.atomic import write_atomically

MAX_LINES = 500  # maximum number of lines of a table; a longer one is cut, with a note
_MAX_VALUES = 20  # number of values of an axis that are written out
# Those with tables, where runs have them.
_FIGURES = ("value", "moves", "expanded", "evaluations", "seconds")
_OF_TRIALS = marked(
    "The plan has [tune]: where these are the runs of its trials, they may have had different "
    "limits."
)
_COLOURS = ("ground", "card", "line", "text", "muted", "accent", "stop", "wash")
_PARTS = ("numpy", "numba", "scipy", "matplotlib", "optuna", "distributed")
_PROCESSORS = Path("/proc/cpuinfo")


def write_report(folder: str | Path, file: str | Path) -> Path:
    return write_atomically(file, report_html(read_results(folder)))


def report_html(kept: Kept) -> str:
    title = _text(kept.plan.title) or "A sweep"
    # A title that is the heading is not repeated.
    plan = kept.plan.model_dump(mode="json", exclude_none=True, exclude={"title"})
    sections = [
        *_section(tr("The plan"), [_facts(_leaves(plan))]),
        *_section(tr("Results"), _tables(kept)),
        *_remarks(kept),
        *_section(tr("Charts"), list(_charts(kept))),
        *_section(tr("Runs that failed"), _errors(kept)),
        *_section(tr("Made with"), _surroundings(kept)),
    ]
    page = resource("themes", "report.html").read_text("utf-8")
    return Template(page).substitute(
        language=language(),
        title=title,
        colours=_colours(),
        lead=_text(_progress(kept)),
        sections="\n".join([*_paragraphs(kept.doubts), *sections]),
    )


def _text(text: str) -> str:
    return html.escape(one_line(text))


def _paragraphs(sentences: Iterable[str]) -> list[str]:
    return [f"<p>{_text(sentence)}</p>" for sentence in sentences]


def _section(title: str, parts: Sequence[str]) -> list[str]:
    return ["<section>", f"<h2>{_text(title)}</h2>", *parts, "</section>"] if parts else []


def _colours() -> str:
    themes = json.loads(resource("themes", "tokens.json").read_text("utf-8"))["themes"]
    light, dark = (
        "".join(f" --{name}: {themes[theme][name]};" for name in _COLOURS)
        for theme in ("light", "dark")
    )
    at_night = f"@media screen and (prefers-color-scheme: dark) {{ :root {{{dark} }} }}"
    return f"\n:root {{{light} }}\n{at_night}"


def _progress(kept: Kept) -> str:
    n_done, n_over = len(kept.rows), len(kept.rows) + kept.n_failed
    # A tuning ends trials early, and none of their runs are missing.
    if kept.n_runs is None or kept.plan.tune is not None:
        said = tr(
            "{n_done} done, {n_failed} failed.",
            n_done=counted(n_done, "run"),
            n_failed=figures(kept.n_failed, ","),
        )
        return tr("{progress} How many are left is not known.", progress=said)
    said = tr(
        "{n_done} of {n_runs} done, {n_failed} failed",
        n_done=figures(n_done, ","),
        n_runs=counted(kept.n_runs, "run"),
        n_failed=figures(kept.n_failed, ","),
    )
    n_left = kept.n_runs - n_over
    return tr("{progress}, {n_left} left.", progress=said, n_left=figures(n_left, ",")) + (
        tr(" These results are incomplete.") if n_left else ""
    )


def _leaves(table: Mapping[str, object], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        key = f"{above}.{name}" if above else name
        if isinstance(value, Mapping):
            yield from _leaves(value, key)
        elif name == "solvers" and isinstance(value, list):
            for place, solver in enumerate(value, 1):
                yield from _leaves(solver, f"{key}[{place}]")
        else:
            yield key, _values(value) if isinstance(value, list | tuple) else _value(value)


def _values(values: Sequence[object]) -> str:
    """Return the values of an axis; of many the first ones, the last, and the number of all."""
    if len(values) <= _MAX_VALUES:
        return ", ".join(map(_value, values))
    first = ", ".join(map(_value, values[: _MAX_VALUES - 1]))
    return f"{first} … {_value(values[-1])} ({counted(len(values), 'value')})"


def _value(value: object) -> str:
    """Return a value in a plan's form; the plan's 40 may have become 40.0."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(plain_number(value) if isinstance(value, float) else value)


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    lines = (
        f'<tr><th scope="row">{_text(name)}</th><td>{_text(text)}</td></tr>' for name, text in facts
    )
    body = "\n".join(lines)
    return f'<div class="table"><table><tbody>\n{body}\n</tbody></table></div>'


def _tables(kept: Kept) -> list[str]:
    if not kept.rows:
        return _paragraphs([tr("No run of this sweep has finished yet.")])
    parts = []
    for name in _FIGURES:
        if any(figure(row, name) is not None for row in kept.rows):
            target = kept.plan.limits.target if name == "value" else None
            parts += [f"<h3>{_text(capital(figure_title(name)))}</h3>"]
            parts += _table(by_setting(kept, name, target, titled=True))
            if name == "value" and (parameter := _across_name(kept)):
                title = axis_title(settings_of(kept), parameter)
                parts += [f"<h3>{_text(f'Value by {title}')}</h3>"]
                parts += _table(across(kept, name, parameter, titled=True))
    return parts


def _across_name(kept: Kept) -> str:  # the parameter with the fewest values
    groups = settings_of(kept)
    names = find_axes(groups)
    counts = {
        name: len({value_word(group.value_of(name)) for group in groups})
        for name in names
        if name != SOLVER and all(name in group.params for group in groups)
    }
    return min(counts, key=counts.__getitem__) if counts and len(names) > 1 else ""


def _table(lines: Lines, kind: str = "figures") -> list[str]:
    titles, *rest = lines
    is_number = [
        all(not line[column] or line[column][-1].isdigit() for line in rest)
        for column in range(len(titles))
    ]

    def written(tag: str, cells: Iterable[str]) -> str:
        return "".join(
            f'<{tag} class="number">{_text(cell)}</{tag}>'
            if at_right
            else f"<{tag}>{_text(cell)}</{tag}>"
            for cell, at_right in zip(cells, is_number, strict=True)
        )

    body = "\n".join(f"<tr>{written('td', line)}</tr>" for line in rest[:MAX_LINES])
    table = (
        f'<div class="table"><table class="{kind}">\n<thead><tr>{written("th", titles)}</tr>'
        f"</thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )
    n_more = len(rest) - MAX_LINES
    return [
        table,
        *_paragraphs(
            [tr("{n_more} left out.", n_more=counted(n_more, "further line"))] * (n_more > 0)
        ),
    ]


def _remarks(kept: Kept) -> list[str]:
    if not kept.rows:
        return []
    said, unsupported = remarks_on(kept, "value")
    limits = [
        *unsupported,
        *([tr(_OF_TRIALS)] if kept.plan.tune else []),
        tr(
            "Tables and tests describe these runs. They hold for this puzzle, these limits and "
            "these values of the parameters."
        ),
    ]
    return [
        *_section(tr("Do the settings differ in value?"), _paragraphs(said)),
        *_section(
            tr("What these numbers cannot support"),
            ['<div class="limits">', *_paragraphs(limits), "</div>"],
        ),
    ]


def _charts(kept: Kept) -> Iterator[str]:
    """Draw the charts that these results have; without matplotlib, return a note."""
    for kind in KINDS:
        try:
            yield _figure(chart_of(kept, kind))
        except UsageError:
            continue  # a chart that these runs do not have, or that is too large for a picture
        except TileLabError as error:
            yield from _paragraphs([str(error)])
            return


def _figure(chart: Chart) -> str:
    """Draw a chart as an image of its own, so that its names clash with no other's."""
    from tilelab.experiments.drawing import picture  # matplotlib, which may not be there

    data = base64.b64encode(picture(chart, "svg", has_words=False)).decode("ascii")
    title, caption = _text(chart.title), _text(chart.caption)
    return (
        f'<figure><img alt="{title}. {caption}" src="data:image/svg+xml;base64,{data}">\n'
        f"<figcaption><strong>{title}</strong> {caption}</figcaption></figure>"
    )


def _errors(kept: Kept) -> list[str]:
    if not kept.errors:
        return []
    runs = _runs(kept)
    lines = [
        [str(place + 1), *_run_cells(runs.job(place) if runs else None), error]
        for place, error in kept.errors
    ]
    titles = ["run", "setting", "instance", "repeat", "seed", "error"]
    return _table([titles, *lines], "failed")


def _run_cells(job: Job | None) -> list[str]:
    """Name a run by its setting, instance, repeat and seed; job: None if unknown."""
    if job is None:
        return [""] * 4
    params = [f"{name}={_value(value)}" for name, value in job.varied.items()]
    numbers = [str(job.instance), str(job.repeat), str(job.seed)]
    return [" ".join([job.solver, *params]), *numbers]


def _runs(kept: Kept) -> Runs | None:
    """Return the runs of the plan, or None: files that it names may have moved or changed.

    Trials of a tuning have other settings.
    """
    if kept.plan.tune is not None:
        return None
    try:
        runs = runs_of(kept.plan)
    except TileLabError:
        return None
    return runs if len(runs) == kept.n_runs else None


def versions() -> list[tuple[str, str]]:
    found = [("TileLab", VERSION), ("Python", platform.python_version())]
    for name in _PARTS:
        with contextlib.suppress(PackageNotFoundError):
            found.append((name, version(name)))
    return found


def machine() -> list[tuple[str, str]]:
    """Return processor, cores, memory and system, as far as they are known."""
    facts = [
        ("Processor", _processor()),
        ("Cores", _cores()),
        ("Memory", f"{psutil.virtual_memory().total / 2**30:,.1f} GB"),
        ("System", f"{platform.system()} {platform.release()} ({platform.machine()})"),
    ]
    return [(name, text) for name, text in facts if text]


def _processor() -> str:
    """Return the name of the processor; on Linux, Python does not know it."""
    with contextlib.suppress(OSError, ValueError):
        for line in _PROCESSORS.read_text("utf-8").splitlines():
            name, _, text = line.partition(":")
            if name.strip() == "model name":
                return text.strip()
    return platform.processor()


def _cores() -> str:
    n_threads, n_cores = psutil.cpu_count(), psutil.cpu_count(logical=False)
    if n_threads is None:
        return ""
    has_more = n_cores is not None and n_cores != n_threads
    return f"{n_cores}, {counted(n_threads, 'thread')}" if has_more else f"{n_threads}"


def _surroundings(kept: Kept) -> list[str]:
    here = tr(
        "This report was made with these versions on this machine. The machine of the runs is "
        "not recorded."
    )
    if kept.program:
        here += tr(" The sweep was begun with TileLab {program}.", program=kept.program)
    return [*_paragraphs([here]), _facts([*versions(), *machine()])]
