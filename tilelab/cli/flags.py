"""Flags made from declared parameters, and back."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import click

from tilelab.cli.completion import completes_files, make_completer
from tilelab.cli.groups import ProgramCommand
from tilelab.core.errors import TileLabError, UsageError
from tilelab.core.files.paths import expanded
from tilelab.core.flags import Flag, flag_of, path_of
from tilelab.core.parameters import NONE, ParameterSpec, Params, describe
from tilelab.core.plain import Values
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import shown_path
from tilelab.runs.files.atomic import is_stream
from tilelab.runs.files.kinds import Kind, holds_another


def flags(models: Iterable[type[Params]]) -> list[click.Parameter]:
    """Make one option for each parameter of these models; a repeated name is one flag.

    Values remain text: the models check them, so that window and command line report the same
    errors.
    """
    specs: dict[str, ParameterSpec] = {}
    for model in models:
        for spec in describe(model):
            specs.setdefault(spec.name, spec)
    former = {
        spec.former: click.Option([flag_of(spec.former)], hidden=True)
        for spec in specs.values()
        if spec.former
    }
    return [*map(_option, specs.values()), *former.values()]


def refuse_others(
    values: Values, chosen: type[Params], all_models: Iterable[type[Params]], who: str
) -> None:
    """Raise for a flag that belongs to another solver than the chosen one."""
    mine = {spec.name: spec for spec in describe(chosen)}
    names = {*mine, *(spec.former for spec in mine.values())}
    for model in all_models:
        for name in (name for spec in describe(model) for name in (spec.name, spec.former)):
            if name not in names and values.get(name) is not None:
                known = ", ".join(flag_of(own.name) for own in mine.values())
                raise UsageError.tr(
                    "{flag} is not an option of {command}; its options are {known}",
                    flag=flag_of(name),
                    command=who,
                    known=known,
                )


def option(
    names: str,
    metavar: str,
    help: str,
    *,
    default: str | None = None,
    known: Callable[[], Iterable[str]] = tuple,
) -> click.Option:
    """Make an option with a text; names: the flag and, if it differs, the name of the value.

    known: returns the words that the shell completes.
    """
    completer = make_completer(known)
    return click.Option(
        names.split(), metavar=metavar, help=help, default=default, shell_complete=completer
    )


def switch(names: str, help: str) -> click.Option:
    """Make an option without a text; names: as for :func:`option`."""
    return click.Option(names.split(), is_flag=True, help=help)


def own_flags(own: Iterable[Flag]) -> list[click.Parameter]:
    """Make one option for each flag of the puzzle itself."""
    return [
        click.Option(
            [flag_of(flag.name)],
            default=flag.default,
            metavar=flag.metavar,
            type=FILE if flag.takes_file else None,
            shell_complete=make_completer(flag.known, or_file=flag.takes_file),
            help=tr(flag.help),
        )
        for flag in own
    ]


def _default(value: str) -> str:
    return tr("default: {value}", value=value)


def _option(spec: ParameterSpec) -> click.Option:
    if spec.kind == "bool":
        word = "yes" if spec.default else "no"
        return click.Option(
            [f"{flag_of(spec.name)}/{flag_of(f'no_{spec.name}')}"],
            default=None,
            help=f"{tr(spec.help)} [{_default(word)}]",
        )
    default = NONE if spec.default is None else str(spec.default)
    if spec.automatic:
        default += f" ({tr('automatic')})"
    facts = [spec.allowed(), tr(spec.unit), _default(default)]
    return option(
        flag_of(spec.name),
        {"int": "N", "float": "X"}.get(spec.kind, "WORD"),
        f"{tr(spec.help)} [{'; '.join(fact for fact in facts if fact)}]",
        known=lambda: spec.choices,
    )


class FileName(click.types.StringParamType):
    """The type of an argument or flag whose value may name a file, or folder, to read."""


FILE = FileName()


class Output(click.Option):
    """A flag that names a file to write, or the folder of some."""

    def __init__(
        self,
        flag: str,
        metavar: str,
        kind: Kind,
        help: str,
        *,
        within: Mapping[str, Kind] | None = None,
        numbered: bool = False,
        replaces: str = "",
        required: bool = False,
    ) -> None:
        """Declare the flag.

        kind: of the file. within: for a folder, the kinds of its files by their names. numbered:
        whether several files are written, name-1, name-2 … replaces: an argument whose file this
        flag may name, too, because all of it is written again.
        """
        super().__init__(
            [flag], shell_complete=completes_files, metavar=metavar, help=help, required=required
        )
        self._kind, self._within, self._numbered = kind, within, numbered
        self.replaces = replaces

    def targets(self, path: Path) -> Iterator[tuple[Path, Kind]]:
        """Yield the files that may be written, with the kind of each."""
        if self._within is not None:
            yield from ((path / name, kind) for name, kind in self._within.items())
            return
        yield path, self._kind
        if self._numbered:
            number = re.compile(rf"{re.escape(path.stem)}-\d+{re.escape(path.suffix)}")
            siblings = path.parent.iterdir() if path.parent.is_dir() else ()
            yield from ((file, self._kind) for file in siblings if number.fullmatch(file.name))


class WritingCommand(ProgramCommand):
    """A command with :class:`Output` flags, which are checked before it begins."""

    def __init__(
        self,
        name: str,
        *,
        example: str,
        callback: Callable[..., int],
        params: list[click.Parameter],
        help: str | None = None,
    ) -> None:
        force = switch(
            "--force",
            tr("Also overwrite a file of another kind, such as a word list with a picture."),
        )
        super().__init__(
            name, example=example, callback=callback, params=[*params, force], help=help
        )

    def invoke(self, ctx: click.Context) -> object:
        """Refuse to overwrite files that would be lost; raises UsageError."""
        is_forced = ctx.params.pop("force")
        for output in self.params:
            text = ctx.params.get(output.name or "")
            if isinstance(output, Output) and text is not None:
                for target, kind in output.targets(path_of(output.opts[0], text)):
                    self._require_unread(ctx, output, target)
                    if not is_forced and holds_another(target, kind):
                        raise UsageError.tr(
                            "{flag}: {file} is a file of another kind; --force overwrites it",
                            flag=output.opts[0],
                            file=shown_path(target),
                        )
        return super().invoke(ctx)

    def _require_unread(self, ctx: click.Context, output: Output, target: Path) -> None:
        for other in self.params:
            is_file = isinstance(other, Output) or isinstance(other.type, FileName)
            if other is output or not is_file or other.name == output.replaces:
                continue
            for file in _files(ctx.params.get(other.name or "")):
                if _is_same(file, target):
                    raise UsageError(
                        tr(
                            "{flag}: {other} names {file}, too",
                            flag=output.opts[0],
                            file=shown_path(target),
                            other=other.opts[0],
                        )
                        if isinstance(other, Output)
                        else tr(
                            "{flag}: {file} is read by this command and is not overwritten",
                            flag=output.opts[0],
                            file=shown_path(target),
                        )
                    )


def _files(value: object) -> Iterator[Path]:
    """Yield the files that a value names; of a folder, those that contain results."""
    for text in value if isinstance(value, tuple) else (value,):
        try:
            path = expanded(str(text)) if text else None
            if path is not None:
                yield from path.glob("*.sqlite") if path.is_dir() else (path,)
        except (TileLabError, OSError, ValueError):
            continue  # the command itself reports the error


def _is_same(one: Path, other: Path) -> bool:
    try:
        return not is_stream(other) and one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)
