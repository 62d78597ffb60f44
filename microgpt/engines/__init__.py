"""Engines: the same losses, each at its own speed.

Each of ENGINES is a file here with a class `Engine`; `protocol` says
what that class must do. `run` trains with any of them.
"""

from importlib import import_module

from microgpt.engines.protocol import EngineType

ENGINES = ("value", "dot", "lists", "numpy", "torch", "c")
NEEDS = {
    "numpy": "NumPy 2.0 or newer",
    "torch": "PyTorch 2.7 or newer",
    "c": "a C compiler",
}
# The oldest versions that have all that is used here
LEAST = {"numpy": (2, 0), "torch": (2, 7)}


def load_engine(name: str) -> EngineType:
    """Return the engine in the file of that name.

    Raise ValueError if its library or compiler is missing or too old.
    """
    try:
        if name in LEAST:
            version: str = import_module(name).__version__
            if tuple(map(int, version.split(".")[:2])) < LEAST[name]:
                raise ModuleNotFoundError(name=name)
        engine: EngineType = import_module(f"{__name__}.{name}").Engine
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ValueError(
            f"the engine {name} needs {NEEDS[name]}:"
            f" pip install 'microgpt-guide[{name}]'"
        ) from None
    return engine
