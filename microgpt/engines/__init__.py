"""Engines: the same losses, each at its own speed.

Each of ENGINES is a file here with a class `Engine`; `protocol` says
what that class must do. `run` trains with any of them.
"""

from importlib import import_module

from microgpt.engines.protocol import EngineType

ENGINES = ("value", "dot", "lists", "numpy", "torch", "c")
LIBRARIES = {"numpy": "NumPy", "torch": "PyTorch", "c": "a C compiler"}


def load_engine(name: str) -> EngineType:
    """Return the engine in the file of that name.

    Raise ValueError if its library or compiler is not there.
    """
    try:
        engine: EngineType = import_module(f"{__name__}.{name}").Engine
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ValueError(
            f"the engine {name} needs {LIBRARIES[name]}:"
            f" pip install 'microgpt-guide[{name}]'"
        ) from None
    return engine
