"""What Python's version changes: `python -m bench.pythons /usr/bin/python3.12 …`.

Each of the interpreters runs the engines that are pure Python, in turn, several times.
"""

import argparse
import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from bench.engines import Ladder
from bench.machine import processor
from bench.timing import Timed, summary

ROOT = Path(__file__).parents[1]
PURE = ("value", "dot", "lists")
STEPS, ROUNDS = 6, 8


def pythons(
    interpreters: Sequence[str], steps: int = STEPS, rounds: int = ROUNDS
) -> dict[str, dict[str, Timed]]:
    """Return the times of the textbook and of each engine, by version of Python."""
    versions = {path: version(path) for path in interpreters}
    each: dict[str, dict[str, list[float]]] = {v: {} for v in versions.values()}
    for _ in range(rounds):
        for path in interpreters:
            for name, rung in ladder(path, steps)["engines"].items():
                each[versions[path]].setdefault(name, []).extend(rung["each"])
    found = {
        version: {
            name: summary([ms / 1000 for ms in times])
            for name, times in engines.items()
        }
        for version, engines in each.items()
    }
    show(found)
    return found


def version(interpreter: str) -> str:
    program = "import platform; print(platform.python_version())"
    return answer([interpreter, "-c", program]).strip()


def ladder(interpreter: str, steps: int) -> Ladder:
    command = [interpreter, "-m", "bench.engines", "--json", "--steps", str(steps)]
    found: Ladder = json.loads(answer([*command, "--engines", *PURE]))
    return found


def answer(command: list[str]) -> str:
    """Return what a command prints, run in a clean house: with no other's packages."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def show(found: dict[str, dict[str, Timed]]) -> None:
    """Print a table: versions down, engines across."""
    for version, engines in found.items():
        cells = "  ".join(f"{name} {one['ms']:.2f} ms" for name, one in engines.items())
        print(f"Python {version:8} {cells}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("interpreters", nargs="+")
    arguments = parser.parse_args()
    print(processor())
    pythons(arguments.interpreters)


if __name__ == "__main__":
    main()
