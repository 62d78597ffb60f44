"""What to write in gpt.c in place of what: each change makes another model of it.

gpt.c itself, which a page lists, need not know. `bench.networks` compiles it with one
change; for pages, `otherwise` has it with all of them, one of which is chosen as it runs.
"""

from collections.abc import Mapping

from microgpt.engines.compiler import SOURCE

Change = Mapping[str, str]

RELU = "if (k.mixed[i] < 0) k.mixed[i] = 0;"
RELU_BACK = "g->dinside[i] = k.mixed[i] > 0 ? g->dmixed[i] : 0;"
SUBTRACT = "p[g->target[t]] -= 1;"
LOOK = (
    "for (int s = 0; s <= p; s++) row[s] *= scale;\n"
    "                softmax(p + 1, row);\n"
    "                zeros(row + p + 1, n - p - 1);"
)
# A loss of probabilities, whose slopes go back through softmax
THROUGH = (
    "real mean = 0; for (int i = 0; i < g->c.vocab; i++) mean += p[i] * d[i];"
    " for (int i = 0; i < g->c.vocab; i++) p[i] *= d[i] - mean;"
)
# Each changes statements, so that all can stand in one file.
STATEMENTS: Mapping[str, Change] = {
    "without first norm": {
        "rmsnorm(g, g->x, g->embedded, g->scale);": (
            "for (int i = 0; i < all; i++) g->embedded[i] = g->x[i];"
        ),
        "rmsnorm_back(g, g->embedded, g->scale, g->dx, d);": (
            "for (int i = 0; i < all; i++) d[i] = g->dx[i];"
        ),
    },
    # x is normalised after each addition (Vaswani et al., 2017). On the way back, x
    # becomes again what it was before each block.
    "post-norm": {
        "rmsnorm(g, g->x, k.normed, k.scale);": (
            "for (int i = 0; i < all; i++) k.normed[i] = g->x[i];"
        ),
        "linear(g, k.leave, k.mixed, g->x);": (
            "linear(g, k.leave, k.mixed, g->x); rmsnorm(g, g->x, g->x, k.scale);"
        ),
        "zeros(g->dmixed, g->rows * k.leave.in);": (
            "zeros(g->dmixed, g->rows * k.leave.in);"
            "rmsnorm_back(g, g->x, k.scale, g->dx, zeros(g->dnormed, all));"
            "for (int i = 0; i < all; i++) g->dx[i] = g->dnormed[i];"
        ),
        "rmsnorm_back(g, k.normed, k.scale, g->dnormed, g->dx);": (
            "for (int i = 0; i < all; i++)"
            " g->dx[i] += g->dnormed[i], g->x[i] = k.normed[i];"
        ),
    },
    "last norm": {
        "linear(g, head_of(g), top_of(g), g->logits);": (
            "rmsnorm(g, g->x, g->x, g->dweight);"
            " linear(g, head_of(g), g->x, g->logits);"
        ),
        "linear_back(g, head_of(g), top, g->logits, dtop);": (
            "linear_back(g, head_of(g), top, g->logits, zeros(g->dnormed, all));"
            " rmsnorm_back(g, g->x, g->dweight, g->dnormed, g->dx);"
        ),
    },
    "LayerNorm": {
        "for (int i = 0; i < w; i++) square += x[i] * x[i];": (
            "real mean = 0; for (int i = 0; i < w; i++) mean += x[i] / w;"
            " for (int i = 0; i < w; i++)"
            " y[i] = x[i] - mean, square += y[i] * y[i];"
        ),
        "for (int i = 0; i < w; i++) y[i] = x[i] * scale[t];": (
            "for (int i = 0; i < w; i++) y[i] *= scale[t];"
        ),
        "for (int i = 0; i < w; i++)\n"
        "            dx[i] += scale[t] * (dy[i] - y[i] * mean);": (
            "real even = 0; for (int i = 0; i < w; i++) even += dy[i] / w;"
            " for (int i = 0; i < w; i++)"
            " dx[i] += scale[t] * (dy[i] - even - y[i] * mean);"
        ),
    },
    # Behind the weights, there is room for as many biases; a matrix needs the first few.
    "biases": {
        "return above_layers(c) + 12 * c->width * c->width * c->layers;": (
            "return 2 * (above_layers(c) + 12 * c->width * c->width * c->layers);"
        ),
        "multiply(m.out, m.in, g->rows, w, across, flip(to));": (
            "multiply(m.out, m.in, g->rows, w, across, flip(to));"
            " const real *bias = m.weights + gpt_parameters(&g->c) / 2;"
            " for (int i = 0; i < g->rows * m.out; i++) y[i] += bias[i % m.out];"
        ),
        "multiply(m.out, g->rows, m.in, flip(from), grid(x, m.in), dw);": (
            "multiply(m.out, g->rows, m.in, flip(from), grid(x, m.in), dw);"
            " real *dbias = m.grad + gpt_parameters(&g->c) / 2;"
            " for (int i = 0; i < g->rows * m.out; i++) dbias[i % m.out] += dy[i];"
        ),
    },
    "by d": {
        "return g->c.parts & ROOT ? sqrt((real)g->c.heads / g->c.width) : 1;": (
            "return (real)g->c.heads / g->c.width;"
        )
    },
    "the next letter": {
        LOOK: (
            "const int seen = p + 2 < n ? p + 2 : n;"
            " for (int s = 0; s < seen; s++) row[s] *= scale;"
            " softmax(seen, row); zeros(row + seen, n - seen);"
        )
    },
    "three letters": {
        LOOK: (
            "for (int s = 0; s <= p; s++)"
            " row[s] = s < p - 2 ? -1e9 : row[s] * scale;"
            " softmax(p + 1, row); zeros(row + p + 1, n - p - 1);"
        )
    },
    "no ReLU": {RELU: ";", RELU_BACK: "g->dinside[i] = g->dmixed[i];"},
    "squared ReLU": {
        RELU: "k.mixed[i] = k.mixed[i] > 0 ? k.mixed[i] * k.mixed[i] : 0;",
        RELU_BACK: "g->dinside[i] = 2 * sqrt(k.mixed[i]) * g->dmixed[i];",
    },
    "tanh": {
        RELU: (
            "{ const double size = k.mixed[i] < 0 ? -k.mixed[i] : k.mixed[i],"
            " e = power(size > 300 ? -600 : -2 * size), y = (1 - e) / (1 + e);"
            " k.mixed[i] = k.mixed[i] < 0 ? -y : y; }"
        ),
        RELU_BACK: ("g->dinside[i] = (1 - k.mixed[i] * k.mixed[i]) * g->dmixed[i];"),
    },
    "squared error": {
        SUBTRACT: (
            "real d[g->c.vocab]; for (int i = 0; i < g->c.vocab; i++)"
            f" d[i] = 2 * (p[i] - (i == g->target[t])); {THROUGH}"
        )
    },
    "softmax twice": {
        SUBTRACT: (
            "real d[g->c.vocab]; for (int i = 0; i < g->c.vocab; i++) d[i] = p[i];"
            f" softmax(g->c.vocab, d); d[g->target[t]] -= 1; {THROUGH}"
        )
    },
    "label smoothing": {
        SUBTRACT: (
            "p[g->target[t]] -= 0.9;"
            " for (int i = 0; i < g->c.vocab; i++) p[i] -= 0.1 / g->c.vocab;"
        )
    },
}
# What losses differ by is not what gpt_loss returns: that remains the cross-entropy.
LOSSES = ("squared error", "softmax twice", "label smoothing")


def hidden(times: int) -> Change:
    """Return what makes the MLP so many times as wide inside as outside.

    Attention shares its memory, and needs no less than before.
    """
    most = max(times, 4)
    return {
        "12 * c->width": f"{4 + 2 * times} * c->width",
        "(6 * c->width": f"({2 + most} * c->width",
        "= 16 * c->width": f"= {4 + 3 * most} * c->width",
        "4 * rows * c->width": f"{most} * rows * c->width",
        "b / 2 * 12": f"b / 2 * {4 + 2 * times}",
        "(3 + mlp) * w": f"(mlp ? {times} : 3) * w",
        "4 * rows * w": f"{most} * rows * w",
        "4 * g->rows * g->c.width": f"{times} * g->rows * g->c.width",
    }


def changed(change: Change) -> str:
    """Return the text of gpt.c with a change.

    Raise ValueError if gpt.c no longer says what is to be changed.
    """
    text = SOURCE.read_text(encoding="utf-8")
    for old, new in change.items():
        if old not in text:
            raise ValueError(f"gpt.c does not say {old!r}")
        text = text.replace(old, new)
    return text


def otherwise() -> str:
    """Return gpt.c with all changes of statements: `gpt_change(n)` chooses the n-th."""
    text, chosen = SOURCE.read_text(encoding="utf-8"), "typedef REAL real;"
    for old in dict.fromkeys(old for each in STATEMENTS.values() for old in each):
        if old not in text:
            raise ValueError(f"gpt.c does not say {old!r}")
        choices = "".join(
            f"if (change == {number}) {{ {change[old]} }} else "
            for number, change in enumerate(STATEMENTS.values(), 1)
            if old in change
        )
        text = text.replace(old, f"{{ {choices}{{ {old} }} }}")
    setter = "static int change; EXPORT void gpt_change(int n) { change = n; }"
    return text.replace(chosen, f"{chosen}\n{setter}")
