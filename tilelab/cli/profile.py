"""``--profile FILE``: the time of a run by activity, as a table and as a file of speedscope."""

import contextlib
import inspect
import json
from collections.abc import Iterator
from pathlib import Path

from tilelab.cli.terminal import print_table, say
from tilelab.core.errors import TileLabError
from tilelab.core.plain import JsonObject
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.version import VERSION
from tilelab.kernels.decorators import Kernel
from tilelab.runs.files.atomic import write_atomically
from tilelab.solvers.profile import WAITING, Profile, Stack, Track, profiling

SCHEMA = "https://www.speedscope.app/file-format-schema.json"
MIN_SHARE = 0.001
"""Smallest share of the whole time for a row of the table; the rest is in the file only."""
_OTHER = marked("Other")
_THREAD, _SPAN, _WORK = marked("Thread"), marked("Span"), marked("Work")
_SECONDS, _SHARE, _CALLS = marked("Seconds"), marked("Share"), marked("Calls")
_HEADINGS = (_THREAD, _SPAN, _WORK, _SECONDS, _SHARE, _CALLS)


@contextlib.contextmanager
def profile_command(file: Path | None, *, has_table: bool) -> Iterator[None]:
    """Make a profile of a command, print it unless has_table is false, and write it to a file.

    Without a file nothing is done. Raises TileLabError when it cannot be written.
    """
    if file is None:
        yield
        return
    error: TileLabError | None = None
    with profiling(_OTHER) as profile:
        try:
            yield
        except TileLabError as raised:  # as when a scheduler is lost, after hours of a run
            error = raised
    if has_table:
        say()
        print_table(_HEADINGS, list(_rows(profile)), bold=_WORK, numbers=_HEADINGS[3:], whole=_WORK)
    write_atomically(file, json.dumps(_speedscope(profile), separators=(",", ":")))
    if has_table:
        say(tr("Wrote {file}", file=file))
    if error is not None:
        raise error


def _rows(profile: Profile) -> Iterator[list[str]]:
    """Yield the rows of the table: each thread, and below it its activities, the longest first."""
    tracks = list(profile.tracks.values())
    whole = max(sum(track.totals.values()) for track in tracks)
    for track in tracks:
        totals = {stack: seconds for stack, seconds in track.totals.items() if stack}
        busy = sum(totals.values())
        processor = tr(
            "{seconds} s of processor time", seconds=figures(track.processor_seconds, ",.2f")
        )
        yield [track.name, "", processor, *_time_cells(busy, whole), ""]
        for stack, seconds in sorted(totals.items(), key=lambda item: -item[1]):
            if seconds >= MIN_SHARE * whole:
                n_calls = figures(track.calls[stack], ",") if stack in track.calls else ""
                yield ["", *_split_stack(stack), *_time_cells(seconds, whole), n_calls]


def _time_cells(seconds: float, whole: float) -> tuple[str, str]:
    return figures(seconds, ",.2f"), figures(100.0 * seconds / whole, ".1f") + " %"


def _split_stack(stack: Stack) -> tuple[str, str]:
    """Return the spans, and the activity in the innermost: a kernel, Python, or nothing."""
    spans = [part for part in stack if isinstance(part, str)]
    named = " › ".join(tr(part) for part in spans if part != _OTHER) or tr(_OTHER)
    if isinstance(stack[-1], Kernel):
        return named, _kernel_name(stack[-1])
    return named, "" if stack[-1] == WAITING else "Python"


def _kernel_name(kernel: Kernel[object]) -> str:
    return str(vars(kernel)["__name__"])


def _speedscope(profile: Profile) -> JsonObject:
    """Return the profile in speedscope's format, one sampled profile a thread.

    The weights of a window follow one another, so that the time line is as exact as a window is
    long; https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources
    """
    places: dict[str | Kernel[object], int] = {}
    profiles = [_sample_profile(track, places) for track in profile.tracks.values()]
    return {
        "$schema": SCHEMA,
        "exporter": f"TileLab {VERSION}",
        "shared": {"frames": [_frame(part) for part in places]},
        "profiles": list(profiles),
    }


def _sample_profile(track: Track, places: dict[str | Kernel[object], int]) -> JsonObject:
    """Return one thread; places: the place of each frame, to which new ones are added."""
    samples: list[list[int]] = []
    weights: list[float] = []
    for window in track.windows:
        for stack, seconds in window.items():
            if seconds > 0.0:
                samples.append([places.setdefault(part, len(places)) for part in stack])
                weights.append(round(seconds, 7))
    return {
        "type": "sampled",
        "name": track.name,
        "unit": "seconds",
        "startValue": 0.0,
        "endValue": sum(weights),
        "samples": samples,
        "weights": weights,
    }


def _frame(part: str | Kernel[object]) -> JsonObject:
    if isinstance(part, str):
        return {"name": part}
    code = inspect.unwrap(part).__code__
    file = f"{part.__module__.replace('.', '/')}.py"
    return {"name": _kernel_name(part), "file": file, "line": code.co_firstlineno}
