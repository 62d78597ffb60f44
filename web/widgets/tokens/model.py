"""A name as tokens, and the questions that it asks of a model."""

from widgets._names import document


def tokens(name: str) -> None:
    """Refuse what is no name; the browser makes its tokens."""
    document(name, shortest=0)
