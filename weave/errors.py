"""Errors that name the file, the line and what to do."""

from pathlib import Path

from click import ClickException


class WeaveError(ClickException):
    """A mistake in a file of the guide.

    Prints as `docs/page.md:12: what is wrong and what to do`, with the path relative to
    the project, so that an editor can jump to it. The builders' command lines are made
    with click, which shows its own exceptions as one sentence without a traceback.
    """

    def __init__(self, problem: str, path: Path | None = None, line: int = 0) -> None:
        """Store the parts of the message; line 0 means the file as a whole."""
        self.problem, self.path, self.line = problem, path, line
        prefix = f"{path}:{line}: " if path and line else f"{path}: " if path else ""
        super().__init__(prefix + problem)


class WeaveErrors(Exception):
    """Several errors, one on each line of the message."""

    def __init__(self, errors: list[WeaveError]) -> None:
        self.errors = errors
        super().__init__("\n".join(str(error) for error in errors))


def shorten_and_quote(text: str) -> str:
    """Return a text in quotes for a message, shortened to 80 characters."""
    return repr(text if len(text) <= 80 else f"{text[:77]}…")
