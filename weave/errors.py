"""Errors that name the file, the line and what to do."""

from pathlib import Path

from click import ClickException


class WeaveError(ClickException):
    """Something in a page, or about one, that is not true or cannot be read.

    Prints as `docs/page.md:12: what is wrong and what to do`, the path relative to the
    project, so that an editor can jump to it. The builders' command lines are made with
    click, which shows its own exceptions as one sentence without a traceback.
    """

    def __init__(self, message: str, path: Path | None = None, line: int = 0) -> None:
        self.problem, self.path, self.line = message, path, line
        place = f"{path}:{line}: " if path and line else f"{path}: " if path else ""
        super().__init__(place + message)


class WeaveErrors(Exception):
    """Several errors, reported together."""

    def __init__(self, errors: list[WeaveError]) -> None:
        self.errors = errors
        super().__init__("\n".join(str(error) for error in errors))


def quote_text(text: str) -> str:
    """Quote a text in a message, cut where it is long."""
    return repr(text if len(text) <= 80 else f"{text[:77]}…")
