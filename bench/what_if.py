"""Train the finished model with one thing changed, for each switch: `python -m bench.what_if`.

What trains is what trains in the page What if, under Node. With a seed, the model as it
is and the changed one learn from the same names in the same order. It takes ten minutes
on one core, after `uv run poe web`.
"""

import json
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

from bench.ends import difference
from bench.machine import ROOT, known, write
from weave.node import find_node

sys.path.append(str(ROOT / "web"))
from widgets.what_if.model import RECORDED_LOSSES, switches

Losses = list[float | None]
SEEDS = range(1, 11)
PROGRAM = ROOT / "web/widgets/what_if/measure_losses.mjs"


def trained(change: dict[str, Any], seeds: Iterable[int] = SEEDS) -> Losses:
    """Return the held-out loss with each seed; None for what is no number."""
    asked = json.dumps({"change": change, "seeds": [*seeds]})
    command = [find_node() or "node", str(PROGRAM)]
    done = subprocess.run(command, input=asked, stdout=-1, text=True, check=True)
    found: Losses = json.loads(done.stdout)
    return found


def summary(losses: Losses, plain: Losses) -> dict[str, Any]:
    """Return the losses, and by how much they exceed those of the model as it is."""
    known = [loss for loss in losses if loss is not None]
    found: list[float | None] = [None, None]
    if len(known) == len(losses):
        usual = [loss for loss in plain if loss is not None]
        found = [round(number, 5) for number in difference(known, usual)]
    return {"losses": losses, "more": found[0], "error": found[1]}


def main() -> None:
    """Train all that are not recorded yet, and write each down at once."""
    found = known(RECORDED_LOSSES)
    plain: Losses = found.get("plain") or trained({})
    before, record = found.get("switches", {}), {}
    for switch in switches():
        key = switch["id"]
        losses = before[key]["losses"] if key in before else trained(switch["change"])
        record[key] = summary(losses, plain)
        print(key, record[key], file=sys.stderr)
        write(RECORDED_LOSSES, {"plain": plain, "switches": before | record})
    write(RECORDED_LOSSES, {"plain": plain, "switches": record})


if __name__ == "__main__":
    main()
