"""The command of letter grids alone: ``tilelab fit``."""

import click

from tilelab.cli.groups import LateCommand, OwnCommand, register_command
from tilelab.core.text.language import tr


def _fit() -> click.Command:
    return LateCommand("fit", _made_fit, help=tr("Find the smallest grid that holds every string."))


def _made_fit() -> click.Command:
    from tilelab.puzzles.boggle.maker.command import fit_command

    return fit_command()


register_command(OwnCommand("fit", _fit, follows="score"))
