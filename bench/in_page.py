"""How fast a page trains: `python -m bench.in_page`.

The program of the Trainer's worker takes its steps in Chromium, without looking at the
model in between, beside the same steps by the C engine on this machine.
"""

from __future__ import annotations

import json
from statistics import median
from time import perf_counter
from typing import Any

from bench.browser import ROOT, chromium
from bench.machine import machine
from microgpt import Config, Run, Tokenizer, load_names
from microgpt.engines import c

SCRIPT = ROOT / "web" / "dist" / "training.mjs"
RUNS = {"1,000 names, one by one": (1000, 1), "30,000 names, by 32": (30_000, 32)}
TIMES = 5
TRAIN = """async ([script, setup, times]) => {
  const url = URL.createObjectURL(new Blob([script], {type: "text/javascript"}));
  const { Training } = await import(url);
  const taken = [];
  for (let i = 0; i < times; i++) {
    const training = new Training(setup);
    const steps = Math.ceil(setup.seen / setup.batch);
    const begin = performance.now();
    for (let step = 0; step < steps; step++) training.takeStep();
    taken.push((performance.now() - begin) / 1000);
  }
  return taken;
}"""


def in_browser(seen: int, batch: int) -> float:
    """Return the seconds that a page takes, in the middle of some runs."""
    setup: dict[str, Any] = {
        "model": "gpt",
        "seen": seen,
        "batch": batch,
        "optimizer": "Adam",
        "rate": 0.01,
        "seed": 42,
        "width": 16,
        "layers": 1,
        "heads": 4,
        "off": [],
    }
    script = SCRIPT.read_text(encoding="utf-8")
    with chromium() as browser:
        taken: list[float] = browser.new_page().evaluate(TRAIN, [script, setup, TIMES])
    return median(taken)


def on_this_machine(seen: int, batch: int) -> float:
    """Return the seconds that the C engine takes for the same steps."""
    names = load_names()
    config = Config(Tokenizer(names).vocab_size)
    taken = []
    for _ in range(TIMES):
        steps = -(-seen // batch)
        run = Run(names, config, steps, batch_size=batch, engine=c.Engine)
        begin = perf_counter()
        for _ in run.train():
            pass
        taken.append(perf_counter() - begin)
    return median(taken)


def main() -> None:
    """Measure both, side by side."""
    print(json.dumps(machine()))
    for name, (seen, batch) in RUNS.items():
        page, here = in_browser(seen, batch), on_this_machine(seen, batch)
        print(f"{name}: in a page {page:.3f} s, here {here:.3f} s, {page / here:.1f} ×")


if __name__ == "__main__":
    main()
