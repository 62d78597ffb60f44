"""Leave out what trains in C where nothing compiles it, and say so."""

from microgpt.engines import MissingLibraryError, load_engine

PARTS = ("alternatives", "changes", "rungs", "what_if")
collect_ignore: list[str] = []
missing = ""

try:
    load_engine("c")
except MissingLibraryError as error:
    collect_ignore = [f"test_{part}.py" for part in PARTS]
    missing = f"left out, as are tests of {', '.join(PARTS)} in tests/bench: {error}"


def pytest_report_header() -> str:
    """Return what was left out, and why."""
    return missing
