"""The running mean that Adam keeps of a gradient: how steady it is, and how late."""


def running_mean() -> None:
    """Return nothing: the browser has the gradients."""
