"""Build or train the finished model otherwise, to the end: `python -m bench.alternatives`.

Each variant differs in one thing from the model with four heads that Adam trains, as
`bench.rungs` trains it: with a seed, both learn from the same names in the same order,
from the same first weights. What one rate favours, another may not: so each learns at its
own best rate, and so does Adam. Rates are sought with seeds of their own, in steps of 2,
or of √2 without Adam.

It takes less than half an hour on one core. What is recorded is not trained again, as in
`bench.rungs`.
"""

from functools import partial

from bench.ends import RECORD
from bench.networks import LEFT_OUT, USUAL, Network
from bench.rungs import Study, main
from microgpt.engines.variant import Parts

VARIANTS_RECORD = RECORD.with_name("variants.json")
SEEN = (30_000, 100_000)
TUNING = range(101, 104)
RATES = (0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08)
# Close together: not far beyond its best rate, SGD breaks down.
SGD_RATES = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0)
# Momentum of 0.9 adds up ten steps.
MOMENTUM_RATES = tuple(round(rate / 10, 5) for rate in SGD_RATES)

Variant = partial(Network, choices=(RATES, 0.01))
PARTS: dict[str, Parts] = {
    "without first norm": {"embedding_norm": "no"},
    "post-norm": {"norm_place": "post"},
    **{f"mlp {times}x": {"mlp_width": times * USUAL.n_embd} for times in (1, 2, 8)},
}
MODELS: dict[str, Network] = {
    **{f"{name}, tuned": Variant(parts=parts) for name, parts in PARTS.items()},
    "tied, tuned": Variant(tied=True),
    **{
        f"without {name}, tuned": Variant(parts=LEFT_OUT[name])
        for name in ("mlp", "positions", "residual", "norm")
    },
}
OPTIMIZERS: dict[str, Network] = {
    "SGD": Network(sgd=True, choices=(SGD_RATES, 1.0)),
    "momentum": Network(sgd=True, momentum=0.9, choices=(MOMENTUM_RATES, 0.1)),
    "AdamW": Variant(decay=0.01),  # PyTorch's decay
}
VARIANTS: dict[str, Network] = {
    "four heads": Variant(rate=0.01),
    "Adam": Variant(),
    **MODELS,
    **OPTIMIZERS,
}
# By how much the first loses more than the second
DIFFERENCES: dict[str, tuple[str, str]] = {
    **{name: (name, "Adam") for name in MODELS},
    **{f"{name}, Adam": (name, "Adam") for name in OPTIMIZERS},
}

variants = partial(Study, tuning=TUNING, rungs=VARIANTS, pairs=DIFFERENCES)

if __name__ == "__main__":
    main(__doc__, VARIANTS_RECORD, SEEN, (), variants)
