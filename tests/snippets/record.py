"""Write docs/data/step1.json and step2.json: `python tests/snippets/record.py`.

Runs each program in full, as a reader would, on the names that ship with the package.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def record(step: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "losses.jsonl")
        command = [sys.executable, "-m", f"snippets.{step}", "--losses", str(path)]
        subprocess.run(command, cwd=ROOT, check=True)
        records = [json.loads(line) for line in path.read_text().splitlines()]
    losses = ", ".join(f"{record['loss']:.6g}" for record in records)
    (ROOT / "docs/data" / f"{step}.json").write_text(f"[{losses}]\n")


for step in ("step1", "step2"):
    record(step)
