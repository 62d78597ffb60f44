"""Write the recorded runs: `python tests/snippets/record.py`.

Runs each program in full, as a reader would, on the names that ship with the package.
"""

import hashlib
import json
import random
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from microgpt import Config, Run, Tokenizer, Value, load_names, save_model
from snippets import step1, step3

ROOT = Path(__file__).parents[2]
sys.path += [str(ROOT), str(ROOT / "web")]
from tests.snippets import memorised, quick
from tests.snippets.conftest import ORIGINAL_NAMES
from widgets.train_gpt import model as train_gpt
from widgets.train_here import model as train_here

DATA = ROOT / "docs/data"
DIGESTS = Path(__file__).with_name("digests.json")
SEEDS = (42, 43, 44, 45)
HELD_OUT = 5000  # of the original's names, after the first 1,000
# Measured with the original's own programs: the losses of the first and the last step
PUBLISHED = {
    "step0": (3.2958, 2.7177),
    "step1": (3.2978, 2.6873),
    "step3": (3.3816, 2.6483),
    "step4": (3.3660, 2.6438),
    "step5": (3.3660, 2.6497),
}


def record_losses(step: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "losses.jsonl")
        command = [sys.executable, "-m", f"snippets.{step}", "--losses", str(path)]
        subprocess.run(command, cwd=ROOT, check=True)
        records = [json.loads(line) for line in path.read_text().splitlines()]
    losses = ", ".join(f"{record['loss']:.6g}" for record in records)
    (DATA / f"{step}.json").write_text(f"[{losses}]\n")


def record_weights(program: Any) -> None:
    """Write what a program has learnt after its run, as its `main` makes it."""
    rng = random.Random(42)
    names = load_names()
    rng.shuffle(names)
    tokenizer = Tokenizer(names)
    weights = program.initial_weights(tokenizer.vocab_size, rng)
    for _ in program.train(names, tokenizer, weights):
        pass
    short = {
        name: [[float(f"{number(w):.5g}") for w in row] for row in matrix]
        for name, matrix in weights.items()
    }
    text = json.dumps(short, separators=(",", ":"))
    step = program.__name__.rpartition(".")[2]
    (DATA / f"{step}-weights.json").write_text(f"{text}\n")


def number(parameter: Value | float) -> float:
    return parameter.data if isinstance(parameter, Value) else parameter


def record_the_model_of_the_package() -> None:
    """Write the model that `load_model` reads unless it is told another."""
    names = load_names()
    run = Run(names, Config(vocab_size=Tokenizer(names).vocab_size), num_steps=1000)
    for _ in run.train():
        pass
    save_model(ROOT / "microgpt/cli/trained.json", run.model, run.tokenizer)


def write(name: str, data: object) -> None:
    (DATA / f"{name}.json").write_text(f"{json.dumps(data, indent=1)}\n")


def record_held_out_losses() -> None:
    """Write what each step's model scores on the names that it has not seen."""
    steps = quick.ladder().items()
    held_out = {k: v["held_out"] for k, v in steps if k.startswith("step")}
    write("held-out", held_out)


def record_what_each_part_of_step_3_is_worth() -> None:
    """Write what Step 3 scores on names that it has not seen, without each part."""
    write("parts", quick.parts())


def record_what_heads_are_worth() -> None:
    write("heads", quick.heads(SEEDS))


def record_the_run_on_the_original_names() -> None:
    """Write what each step gives with the names that the original trains on."""
    if not ORIGINAL_NAMES.exists():
        print(f"the original's names are not at {ORIGINAL_NAMES}: not recorded anew")
        return
    found = quick.ladder(ORIGINAL_NAMES, HELD_OUT)
    about = {"held_out_names": HELD_OUT, "published": PUBLISHED}
    write("original", {**found, **about, "in_full": first_losses()})


def first_losses() -> dict[str, list[float]]:
    """Return the first losses of the finished model, to the last bit: theirs and ours."""
    theirs = json.loads(ORIGINAL_NAMES.with_name("canonical.json").read_text())
    expected: list[float] = theirs["losses_first_100"]
    run = Run(load_names(ORIGINAL_NAMES), Config(), num_steps=1000)
    return {"theirs": expected, "ours": list(run.train(stop=len(expected)))}


def record_what_the_page_on_training_shows() -> None:
    *_, run = train_here.train_here(steps=1000, rate=1, seed=42)
    text = json.dumps(run, separators=(",", ":"))
    train_here.RECORDED.write_text(f"{text}\n")


def record_what_the_page_on_the_whole_model_shows() -> None:
    """Write its run, with its last state, and the weights of those in between."""
    run = together(train_gpt.train_gpt(steps=1000, seed=42, name="emma"))
    _, *between, last = run["states"]
    picture = run | {
        "states": [small(last)],
        "attention": [],
        "checkpoint": "",
        "pace": 0.0,
    }
    write_shortly(train_gpt.RECORDED, picture)
    weights = {state["step"]: state["weights"] for state in between}
    write_shortly(train_gpt.RECORDED_WEIGHTS, weights)


def together(parts: Iterable[train_gpt.TrainGpt]) -> Any:
    """Add up the parts of a run, as the page does."""
    run: Any = train_gpt.nothing(0)
    for part in parts:
        for key, value in part.items():
            grows = isinstance(value, list) and key != "tokens"
            run[key] = run[key] + value if grows else value or run[key]
    return run


def small(state: train_gpt.TrainGptState) -> train_gpt.TrainGptState:
    """Return a state with the one matrix that the page shows at first."""
    shown = train_gpt.SHOWN
    return {
        **state,
        "weights": {shown: state["weights"][shown]},
        "gradient": {shown: state["gradient"][shown]},
    }


def write_shortly(path: Path, content: object) -> None:
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_text(encoding="utf-8").encode()).hexdigest()


def records() -> dict[str, Path]:
    """Return each file that is recorded: those of pages, and those beside programs."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    of_pages = {name: DATA / name for name in settings["tool"]["weave"]["recorded"]}
    beside = [*ROOT.glob("microgpt/cli/*.json"), *ROOT.glob("web/widgets/*/*.json")]
    return of_pages | {file.name: file for file in sorted(beside)}


def note_digests() -> None:
    """Write the digest of each record, by which a change by hand is found."""
    found = {name: digest(path) for name, path in records().items()}
    DIGESTS.write_text(f"{json.dumps(found, indent=1)}\n")


if __name__ == "__main__":
    for step in ("step0", "step1", "step2", "step3", "step4", "step5"):
        record_losses(step)
    for program in (step1, step3):
        record_weights(program)
    record_the_model_of_the_package()
    record_held_out_losses()
    record_what_each_part_of_step_3_is_worth()
    record_what_heads_are_worth()
    record_the_run_on_the_original_names()
    record_what_the_page_on_training_shows()
    record_what_the_page_on_the_whole_model_shows()
    memorised.write()
    note_digests()
