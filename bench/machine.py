"""Describe the machine, evaluate in subprocesses, and load and write JSON records."""

import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def processor_name() -> str:
    """Return the name of the processor's model."""
    with suppress(OSError):
        cpuinfo = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        if model := re.search(r"^model name\s*: (.*)", cpuinfo, re.MULTILINE):
            return model[1]
    return platform.processor() or platform.machine()


def describe_machine() -> dict[str, str | int | None]:
    """Return the date, the machine and its software versions, for a record."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "cpu": processor_name(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": installed_version("numpy"),
        "torch": installed_version("torch"),
    }


def installed_version(library: str) -> str | None:
    """Return the version of a library; None if it is not installed."""
    try:
        return version(library).partition("+")[0]
    except PackageNotFoundError:
        return None


def evaluate_in_subprocess(
    module: str, expression: str, interpreter: str = sys.executable
) -> Any:
    """Return the value of an expression in a fresh process.

    The process inherits no variable PYTHON…, so that another interpreter does not
    import this one's packages.

    Args:
        module: The module to import; the expression calls it `module`.
        expression: Its value must be JSON-serializable.
        interpreter: The path of a Python executable.

    Raises:
        subprocess.CalledProcessError: The process failed.
    """
    program = f"import json, {module} as module; print(json.dumps({expression}))"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    result = subprocess.run(
        [interpreter, "-c", program],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(result.stdout)


def format_json(value: Any, depth: int = 0) -> str:
    """Format JSON with a line for each value that contains no dictionary."""
    if not (
        isinstance(value, dict) and any(isinstance(v, dict) for v in value.values())
    ):
        return json.dumps(value, ensure_ascii=False)
    indent = " " * (depth + 1)
    parts = [
        f"{indent}{json.dumps(key)}: {format_json(each, depth + 1)}"
        for key, each in value.items()
    ]
    return "{\n" + ",\n".join(parts) + f"\n{' ' * depth}}}"


def load_record(path: Path) -> dict[str, Any]:
    """Return a file's measurements by part; {} if the file doesn't exist.

    Raises:
        ValueError: The file is not JSON.
        TypeError: The file holds no JSON object.
    """
    record = json.loads(path.read_text("utf-8")) if path.exists() else {}
    if not isinstance(record, dict):
        raise TypeError(f"expected a JSON object, got a {type(record).__name__}")
    return record


def write_record(path: Path, record: Mapping[str, Any]) -> None:
    """Write a record; if it is in docs/data, update the digests too."""
    from weave.files import write_if_changed  # which labs cannot import

    write_if_changed(path, f"{format_json(record)}\n".encode())
    if path.resolve().parent == ROOT / "docs" / "data":
        from snippets.records.record import write_digests

        write_digests()
