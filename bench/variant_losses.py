"""Train variants of the finished model to the end: `python -m bench.variant_losses`.

Each variant differs in one thing from the model with four heads that Adam trains in
`bench.final_losses`: with the same seed, both learn the same names in the same order
from the same initial weights. A rate may favour one of them, so each, Adam too, has its
own best rate. Rates are tuned with separate seeds; neighbours differ by a factor of 2,
without Adam of about √2.

This takes less than half an hour on one core. What is recorded is not trained again, as
in `bench.final_losses`.
"""

from functools import partial

from bench.final_losses import Study, main
from bench.recipes import ABLATIONS, FINISHED_CONFIG, NetworkRecipe
from bench.results import FINAL_LOSSES_FILE
from microgpt.engines.variant import VariantChoices

VARIANTS_FILE = FINAL_LOSSES_FILE.with_name("variants.json")
NAME_COUNTS = (10_000, 30_000, 100_000)
ORIGINAL_NAME_COUNTS = (30_000, 100_000)
FINE_RATES = (0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08)
# Close together, because SGD diverges just above its best rate
FINE_SGD_RATES = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0)
# Momentum of 0.9 adds up ten steps.
FINE_MOMENTUM_RATES = tuple(round(rate / 10, 5) for rate in FINE_SGD_RATES)

tuned_recipe = partial(NetworkRecipe, candidates=(FINE_RATES, 0.01))
PART_VARIANTS: dict[str, VariantChoices] = {
    "without first norm": {"embedding_norm": "no"},
    "post-norm": {"norm_position": "post"},
    **{f"mlp {n}x": {"mlp_width": n * FINISHED_CONFIG.n_embd} for n in (1, 2, 8)},
}
MODEL_VARIANTS: dict[str, NetworkRecipe] = {
    **{f"{name}, tuned": tuned_recipe(parts=p) for name, p in PART_VARIANTS.items()},
    "tied, tuned": tuned_recipe(tied=True),
    **{
        f"without {name}, tuned": tuned_recipe(parts=ABLATIONS[name])
        for name in ("mlp", "positions", "residual", "norm")
    },
}
OPTIMIZER_VARIANTS: dict[str, NetworkRecipe] = {
    "SGD": NetworkRecipe(sgd=True, candidates=(FINE_SGD_RATES, 1.0)),
    "momentum": NetworkRecipe(
        sgd=True, momentum=0.9, candidates=(FINE_MOMENTUM_RATES, 0.1)
    ),
    "AdamW": tuned_recipe(decay=0.01),  # PyTorch's decay
}
VARIANTS: dict[str, NetworkRecipe] = {
    "four heads": tuned_recipe(learning_rate=0.01),
    "Adam": tuned_recipe(),
    **MODEL_VARIANTS,
    **OPTIMIZER_VARIANTS,
}
# Two models each; what is recorded is the loss of the first less that of the second
COMPARISONS: dict[str, tuple[str, str]] = {
    **{name: (name, "Adam") for name in MODEL_VARIANTS},
    **{f"{name}, Adam": (name, "Adam") for name in OPTIMIZER_VARIANTS},
}

variant_study = partial(
    Study, tuning_seeds=range(101, 104), recipes=VARIANTS, comparisons=COMPARISONS
)

if __name__ == "__main__":
    main(__doc__, VARIANTS_FILE, NAME_COUNTS, ORIGINAL_NAME_COUNTS, variant_study)
