"""The commands of letter grids alone: ``tilelab fit`` and ``tilelab prove``."""

import click

from tilelab.cli.groups import HelpSection, LateCommand, OwnCommand, register_command
from tilelab.core.registry import Lazy
from tilelab.core.text.language import tr


def _fit() -> click.Command:
    make: Lazy[[], click.Command] = Lazy("tilelab.puzzles.boggle.maker.command:fit_command")
    return LateCommand("fit", make, help=tr("Find the smallest board that holds every word."))


def _prove() -> click.Command:
    make: Lazy[[], click.Command] = Lazy("tilelab.puzzles.boggle.maker.proof_command:prove_command")
    return LateCommand("prove", make, help=tr("Prove which small boards of letters are the best."))


register_command(OwnCommand("fit", _fit, section=HelpSection.PAPER))
register_command(OwnCommand("prove", _prove, section=HelpSection.SOLVE))
