"""The loss of a name, question by question, for models that have learnt more and more."""

from widgets._names import encode_between_bos


def name_loss(name: str) -> None:
    """Check the name; the browser counts pairs and computes the losses itself."""
    encode_between_bos(name)
