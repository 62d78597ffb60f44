"""Let Step 1's network read a thousand names several times: `python -m bench.passes`.

It learns as on its page, one name per step, at a rate that falls to zero over the whole
run. Separate seeds choose the number of passes, and the smoothing of the table that it
is compared with. What is recorded is not trained again.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from bench.final_losses import RECIPES as FINAL_RECIPES
from bench.final_losses import Recipe, Study, run_studies
from bench.recipes import (
    SHORT_RUN_NAME_COUNT,
    Candidates,
    Engine,
    NetworkRecipe,
    Split,
)
from bench.results import FINAL_LOSSES_FILE
from microgpt import linear_decay, load_names

PASSES_FILE = FINAL_LOSSES_FILE.with_name("passes.json")
PASSES: Sequence[float] = (1, 2, 3, 4, 6, 8, 12, 20)


@dataclass(frozen=True)
class RereadRecipe(NetworkRecipe):
    """Step 1's network; what is tuned is how often it reads its names."""

    passes: float | None = None
    candidates: Candidates = PASSES, 3

    def fixed_setting(self, num_names: int) -> float | None:
        """Return the number of passes; None if it is to be tuned."""
        return self.passes

    def train(self, split: Split, num_names: int, rate: float) -> Engine:
        """Train on the first names, in the same order in each of `rate` passes."""
        documents = split.training_order(num_names) * int(rate)
        rng = random.Random(f"weights {split.seed}")
        engine = self.build_engine(split.tokenizer.vocab_size, rng)
        for step, document in enumerate(documents):
            step_rate = linear_decay(1.0, step, len(documents))
            self.train_step(engine, [document], step_rate, num_names)
        return engine


NETWORK = FINAL_RECIPES["network"]
assert isinstance(NETWORK, NetworkRecipe)
RECIPES: dict[str, Recipe] = {
    "pairs": FINAL_RECIPES["pairs"],
    "tuned": RereadRecipe(NETWORK.config, NETWORK.parts, lesson_sgd=True),
    **{
        str(passes): RereadRecipe(
            NETWORK.config, NETWORK.parts, lesson_sgd=True, passes=passes
        )
        for passes in PASSES
    },
}
STUDY = Study(
    load_names(),
    (SHORT_RUN_NAME_COUNT,),
    recipes=RECIPES,
    comparisons={name: (name, "pairs") for name in RECIPES if name != "pairs"}
    | {"20, tuned": ("20", "tuned")},
)

if __name__ == "__main__":
    run_studies(PASSES_FILE, {"guide": STUDY})
