"""Engines: the same losses, each at its own speed.

Each of ENGINE_NAMES is a file here with a class `Engine`; `protocol`
says what that class must do. `run` trains with any of them.
"""

from importlib import import_module

from microgpt.engines.protocol import EngineFactory

ENGINE_NAMES = ("value", "dot", "lists", "numpy", "torch", "c")
ENGINE_REQUIREMENTS = {
    "numpy": "NumPy 2.0 or newer",
    "torch": "PyTorch 2.7 or newer",
    "c": "a C compiler",
}
# The oldest versions that have all that is used here
MIN_LIBRARY_VERSIONS = {"numpy": (2, 0), "torch": (2, 7)}


def load_engine(name: str) -> EngineFactory:
    """Return the engine in the file of that name.

    Raises:
        ValueError: Its library or compiler is missing or too old.
        ModuleNotFoundError: No engine has that name.
    """
    try:
        if minimum := MIN_LIBRARY_VERSIONS.get(name):
            version: str = import_module(name).__version__
            if tuple(map(int, version.split(".")[:2])) < minimum:
                raise ModuleNotFoundError(name=name)
        module = import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ValueError(
            f"the engine {name} needs {ENGINE_REQUIREMENTS[name]}:"
            f" pip install 'microgpt-guide[{name}]'"
        ) from None
    engine: EngineFactory = module.Engine
    return engine
