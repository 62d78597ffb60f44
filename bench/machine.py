"""What a benchmark ran on, and processes of their own."""

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


def processor() -> str:
    """Return the model of the processor, as the system calls it."""
    with suppress(OSError):
        cpuinfo = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        if model := re.search(r"^model name\s*: (.*)", cpuinfo, re.MULTILINE):
            return model[1]
    return platform.processor() or platform.machine()


def description() -> dict[str, str | int | None]:
    """Return what a record says of the machine, of its software, and of the day."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "cpu": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": installed("numpy"),
        "torch": installed("torch"),
    }


def installed(library: str) -> str | None:
    """Return the version of a library; None if it is not there."""
    try:
        return version(library).partition("+")[0]
    except PackageNotFoundError:
        return None


def elsewhere(module: str, expression: str, interpreter: str = sys.executable) -> Any:
    """Return what an expression gives in a process that has only loaded a module, `here`.

    No other's packages are there: what begins with PYTHON is not handed on.
    """
    program = f"import json, sys, {module} as here; print(json.dumps({expression}))"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [interpreter, "-c", program],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(done.stdout)


def layout(value: Any, depth: int = 0) -> str:
    """Return JSON in which whatever holds no dictionary stands on one line."""
    if not (
        isinstance(value, dict) and any(isinstance(v, dict) for v in value.values())
    ):
        return json.dumps(value, ensure_ascii=False)
    inner = " " * (depth + 1)
    parts = [
        f"{inner}{json.dumps(k)}: {layout(v, depth + 1)}" for k, v in value.items()
    ]
    return "{\n" + ",\n".join(parts) + f"\n{' ' * depth}}}"


def known(record: Path) -> dict[str, Any]:
    """Return what a record holds; raise an error for a file that is not one."""
    found = json.loads(record.read_text("utf-8")) if record.exists() else {}
    if not isinstance(found, dict):
        raise TypeError("it holds no parts by name")
    return found


def write(record: Path, found: Mapping[str, Any]) -> None:
    """Write a record, and note the digest of one of docs/data."""
    from weave.files import write_if_changed  # which labs cannot import

    write_if_changed(record, f"{layout(found)}\n".encode())
    if record.resolve().parent == ROOT / "docs" / "data":
        from snippets.records.record import note_digests

        note_digests()
