"""Write the recorded runs: `python tests/snippets/record.py`.

Runs each program in full, as a reader would, on the names that ship with the package.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from microgpt import Tokenizer, load_names
from snippets import step1

sys.path.append(str(Path(__file__).parents[2] / "web"))
from widgets import train_here

ROOT = Path(__file__).parents[2]
DATA = ROOT / "docs/data"


def record_losses(step: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "losses.jsonl")
        command = [sys.executable, "-m", f"snippets.{step}", "--losses", str(path)]
        subprocess.run(command, cwd=ROOT, check=True)
        records = [json.loads(line) for line in path.read_text().splitlines()]
    losses = ", ".join(f"{record['loss']:.6g}" for record in records)
    (DATA / f"{step}.json").write_text(f"[{losses}]\n")


def record_weights() -> None:
    """Write what Step 1 has learnt after its run, as `main` makes it."""
    rng = random.Random(42)
    names = load_names()
    rng.shuffle(names)
    tokenizer = Tokenizer(names)
    weights = step1.initial_weights(tokenizer.vocab_size, rng)
    for _ in step1.train(names, tokenizer, weights):
        pass
    short = {
        name: [[float(f"{w:.5g}") for w in row] for row in matrix]
        for name, matrix in weights.items()
    }
    text = json.dumps(short, separators=(",", ":"))
    (DATA / "step1-weights.json").write_text(f"{text}\n")


def record_what_the_page_on_training_shows() -> None:
    *_, run = train_here.train_here(steps=1000, rate=1, seed=42)
    text = json.dumps(run, separators=(",", ":"))
    train_here.RECORDED.write_text(f"{text}\n")


if __name__ == "__main__":
    for step in ("step0", "step1", "step2"):
        record_losses(step)
    record_weights()
    record_what_the_page_on_training_shows()
