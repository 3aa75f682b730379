"""What goes wrong with the file of a run, whatever it is, in one sentence that names the file."""

from contextlib import AbstractContextManager
from pathlib import Path

from tilelab.core.errors import NotMadeError, RunFileError, errors_as, reason
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import shown_path


def run_file_errors(file: Path) -> AbstractContextManager[None]:
    """Raise RunFileError for all that reading and checking a file raises, a plug-in's too.

    What is to be made before its run can be opened is no error of the file: NotMadeError passes.
    """

    def report(error: Exception) -> Exception:
        if isinstance(error, NotMadeError):
            return error
        if isinstance(error, OSError):
            return RunFileError(
                tr("{file} cannot be read: {reason}").format(
                    file=shown_path(file), reason=reason(error)
                )
            )
        return RunFileError(
            tr("{name} cannot be opened: {reason}").format(
                name=shown_path(file.name), reason=reason(error)
            )
        )

    return errors_as(report)
