"""Write the recorded runs: `python -m snippets.records.record`.

Each program runs in full, as a reader would run it, on the package's names. Each
record's digest is written too, so that tests detect edits by hand.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from microgpt import Config, Run, Tokenizer, load_names, save_model
from snippets import step1, step3

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "web"))
from snippets.ready import load_shuffled_names
from snippets.records import memorised, runs, starts
from weave.files import write_if_changed
from weave.node import find_node

# The 32,033 names that the original trains on, which we may not ship
ORIGINAL_NAMES_FILE = ROOT.parent / "shared/data/names.txt"
DATA_FOLDER = ROOT / "docs/data"
DIGESTS_FILE = Path(__file__).with_name("digests.json")
ORIGINAL_HELD_OUT_COUNT = 5000  # of the original's names, after the first 1,000
# The losses of the first and the last step, measured with the original's programs
PUBLISHED_LOSSES: dict[str, tuple[float, float]] = {
    "step0": (3.2958, 2.7177),
    "step1": (3.2978, 2.6873),
    "step3": (3.3816, 2.6483),
    "step4": (3.3660, 2.6438),
    "step5": (3.3660, 2.6497),
}


def write_json(path: Path, content: object, **layout: Any) -> None:
    """Write JSON, on one line without spaces unless `layout` says otherwise."""
    layout = layout or {"separators": (",", ":"), "ensure_ascii": False}
    write_if_changed(path, f"{json.dumps(content, **layout)}\n".encode())


def run_program_losses(step: str) -> list[float]:
    """Run the program of a step; return its losses, to six digits."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "losses.jsonl")
        command = [sys.executable, "-m", f"snippets.{step}", "--losses", str(path)]
        subprocess.run(command, cwd=ROOT, check=True)
        records = [json.loads(line) for line in path.read_text().splitlines()]
    return [runs.round_to_six_digits(record["loss"]) for record in records]


def train_program_weights(program: Any) -> dict[str, list[list[float]]]:
    """Train as a program does; return its weights, to five digits."""
    names, tokenizer, rng = load_shuffled_names()
    weights = program.initial_weights(tokenizer.vocab_size, rng)
    for _ in program.train(names, tokenizer, weights):
        pass
    return {
        name: [[float(f"{getattr(w, 'data', w):.5g}") for w in row] for row in matrix]
        for name, matrix in weights.items()
    }


def save_package_model() -> None:
    """Train and save the model that `load_model` loads by default."""
    names = load_names()
    run = Run(names, Config(vocab_size=Tokenizer(names).vocab_size), num_steps=1000)
    for _ in run.train():
        pass
    save_model(ROOT / "microgpt/trained.json", run.model, run.tokenizer)


def measure_held_out_losses() -> dict[str, float]:
    """Return the held-out loss of each step's model."""
    steps = runs.measure_steps().items()
    losses = {step: row["held_out"] for step, row in steps if step.startswith("step")}
    # With wo = 0, attention adds nothing.
    run, _ = runs.train_whole_run("step3", without=("layer0.attn_wo",))
    without_attention = run.held_out_loss(run.model)
    return {
        **losses,
        "step3 without attention": without_attention,
        "step1, constant rate": runs.measure_constant_rate(),
    }


def measure_on_original_names() -> dict[str, Any]:
    """Return losses and samples of each step on the names of the original."""
    return {
        **runs.measure_steps(ORIGINAL_NAMES_FILE, ORIGINAL_HELD_OUT_COUNT),
        "held_out_names": ORIGINAL_HELD_OUT_COUNT,
        "published": PUBLISHED_LOSSES,
        "in_full": measure_first_losses(),
    }


def measure_first_losses() -> dict[str, list[float]]:
    """Return the first 100 losses of the finished model, unrounded: theirs and ours."""
    original = json.loads(ORIGINAL_NAMES_FILE.with_name("canonical.json").read_text())
    expected: list[float] = original["losses_first_100"]
    run = Run(load_names(ORIGINAL_NAMES_FILE), Config(), num_steps=1000)
    return {"theirs": expected, "ours": list(run.train(stop=len(expected)))}


def record_trainer_runs() -> None:
    """Run the Trainer under Node; record the runs and weights that pages show first."""
    script = ROOT / "web/widgets/trainer/record_runs.mjs"
    command = [find_node() or "node", str(script)]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    record = json.loads(output)
    write_json(script.with_name("recorded_runs.json"), record["runs"])
    for name, weights in record["weights"].items():
        write_json(DATA_FOLDER / f"{name}-weights.json", weights)


def hash_text_file(path: Path) -> str:
    """Return the SHA-256 of a file's text."""
    return hashlib.sha256(path.read_text(encoding="utf-8").encode()).hexdigest()


def list_record_files() -> dict[str, Path]:
    """Map names of recorded files to paths: of docs/data, the package and widgets."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    page_records = {
        name: DATA_FOLDER / name for name in settings["tool"]["weave"]["recorded"]
    }
    others = [*ROOT.glob("microgpt/*.json"), *ROOT.glob("web/widgets/*/*.json")]
    return page_records | {file.name: file for file in sorted(others)}


def write_digests() -> None:
    """Write the digest of each record, so that tests detect edits by hand."""
    files = list_record_files().items()
    write_json(
        DIGESTS_FILE, {name: hash_text_file(path) for name, path in files}, indent=1
    )


def main() -> None:
    """Measure everything anew; what later measurements read comes first."""
    for step in ("step0", "step1", "step2", "step3", "step4", "step5"):
        write_json(
            DATA_FOLDER / f"{step}.json",
            run_program_losses(step),
            separators=(", ", ": "),
        )
    for program in (step1, step3):
        name = program.__name__.rpartition(".")[2]
        write_json(DATA_FOLDER / f"{name}-weights.json", train_program_weights(program))
    save_package_model()
    write_json(DATA_FOLDER / "held-out.json", measure_held_out_losses(), indent=1)
    write_json(DATA_FOLDER / "heads.json", runs.measure_heads(), indent=1)
    write_json(DATA_FOLDER / "starts.json", starts.measure_starts(), indent=1)
    if ORIGINAL_NAMES_FILE.exists():
        write_json(DATA_FOLDER / "original.json", measure_on_original_names(), indent=1)
    else:
        print(
            f"the original's names are not at {ORIGINAL_NAMES_FILE}: not recorded anew"
        )
    record_trainer_runs()
    memorised.write_record()
    write_digests()


if __name__ == "__main__":
    main()
