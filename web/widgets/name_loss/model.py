"""The loss of a name, question by question, for models that have learnt more and more."""

from widgets._names import document


def name_loss(name: str) -> None:
    """Refuse what is no name; the browser counts, and asks for its losses."""
    document(name)
