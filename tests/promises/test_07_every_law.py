"""Each formula of a page that states something is one that holds.

Both sides are computed from the formula's LaTeX, with letters that stand for what the
package gives; so a formula of a new page needs nothing here, if its letters are known.
"""

import cmath
import math
import random
import re
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest

import microgpt
from bench.ends import interval
from microgpt import (
    Adam,
    Config,
    Value,
    attend,
    document_loss,
    dot,
    linear,
    rmsnorm,
    softmax,
)
from snippets import step0, step1, step3
from snippets.ready.attention import before_attention
from tests.promises.latex import Letters, slope, value
from tests.promises.site import ROOT
from weave.guide import Guide
from weave.text import MATH

MODEL, TOKENIZER = microgpt.load_model()
EMMA = TOKENIZER.document("emma")
STEP1 = step1.initial_weights(TOKENIZER.vocab_size, random.Random(1))
STEP3 = step3.initial_weights(TOKENIZER.vocab_size, random.Random(1))
DRAW = np.random.default_rng(1)
X, G = DRAW.uniform(0.1, 0.9, (2, 5))
Y, Z = DRAW.normal(size=(2, 5))
M, Q, K, V, DY = DRAW.normal(size=(5, 5, 5))
WIDE = list(map(Value, DRAW.normal(size=MODEL.config.n_embd)))
FORMULA = re.compile(
    rf"^ *\$\$\n(?P<block>(?:.*\n)+?) *\$\$$|{MATH.pattern}", re.MULTILINE
)
RELATION = re.compile(r"( = | \\leftarrow | \\approx | \\mathrel\{\+\}= )")
# A letter, with indices if any
NAME = re.compile(r"(?:\\hat )?(?:\\[a-z]+|d?[A-Za-z])(?:_(?:\w|\{\w+\}))?")
# What only names or counts something, and laws that others have measured
NOTATION = {
    *(r"f(x)", r"(B, 4, T, 4)", r"(B, 4, T, T)", r"(B \cdot T,\ 16)"),
    *(r"(B \cdot T,\ 3 \cdot 16)", r"n \times n", r"x^2", r"\beta^t", r"e^{-\infty}"),
    *(r"e^H", r"e^L", r"e^{z \ln 2}", r"e^{z_i}", r"e^{z_j}", r"e^{z_t}"),
    *(r"1 - p", r"2^z", r"\max(0, h)", r"\arg\max_i p_i", r"w x + b"),
    *(r"n + 1", r"n + 2", r"n - 1", r"2n - 1", r"2n", r"2n^3", r"3n^2", r"p \log p"),
    *(r"4B", r"16N", r"16N/k", r"2\,(n-1)/n", r"\frac{\ln N}{n}"),
    *(r"L = (w x + b - y)^2", r"p_0 + p_1 + \dots + p_j > u"),
    r"\text{exposure} = \log_2 n - \log_2 r",
    r"p(\text{name}) = \prod_t p(x_t \mid x_0, \dots, x_{t-1})",
    r"\sum_{i=1}^{n} x_i = x_1 + x_2 + \dots + x_n",
    r"\prod_{i=1}^{n} x_i = x_1 \, x_2 \cdots x_n",
    r"L(N) = (N_c / N)^{\alpha_N}",
    r"L(D) = (D_c / D)^{\alpha_D}",
    r"L(N, D) = E + \frac{A}{N^\alpha} + \frac{B}{D^\beta}",
}


def flat(side: Any) -> list[float]:
    """Return all numbers of a side in one row, those of `Value`s too."""
    if isinstance(side, list | tuple | np.ndarray):
        return [number for part in side for number in flat(part)]
    return [float(side.data if isinstance(side, Value) else side)]


def values(numbers: Any) -> Any:
    return np.frompyfunc(Value, 1, 1)(numbers)


def world(**letters: Any) -> Letters:
    return letters


def along(x: Any, function: Any) -> Any:
    """Return the slopes along `x` of all that comes out, added up."""
    return slope(lambda the: function(the["x"]), "x", {"x": x})


def counted(times: int) -> step0.Counts:
    """Return Step 0's table once it has read one name so often."""
    counts = step0.zero_counts(TOKENIZER.vocab_size)
    for _ in range(times):
        step0.count_pairs(EMMA, counts)
    return counts


def fed(gradients: Any, **options: float) -> Adam:
    """Return an optimizer after its steps along one weight's gradients."""
    adam = Adam([w := Value(0.7)], **options)
    for w.grad in map(float, gradients):
        adam.step(0.1)
    return adam


def operands(n: int) -> int:
    """Return how many numbers a dot product of `n` pairs reads."""
    return len(dot(values(np.ones(n)), values(np.ones(n)))._children)


def size(*shape: int, **named: int) -> int:
    return Config(*shape, **named).num_parameters


def descended() -> list[list[float]]:
    weights = {"w": [[0.4]]}
    step1.descend(weights, {"w": [[2 * 0.4]]}, 0.1)
    return weights["w"]


def kept_of_an_error(x: float, rate: float) -> float:
    """Return what one step leaves of an error."""
    w, b = Value(0.3), Value(0.2)
    ((error := w * x + b - 0.7) ** 2).backward()
    after = (w.data - rate * w.grad) * x + b.data - rate * b.grad - 0.7
    return after / error.data


def odds(token: int, *more: int) -> list[float]:
    """Return what the model gives for each token of a document but the first."""
    cache, found = MODEL.new_cache(), []
    for target in more:
        found.append(softmax(MODEL.forward(token, cache))[target].data)
        token = target
    return found


def shares(scores: Any) -> Any:
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)


def turn(angle: float) -> Any:
    turned = cmath.exp(1j * angle)
    return np.array([[turned.real, -turned.imag], [turned.imag, turned.real]])


def mapped(x: Any, weight: Any) -> Any:
    return linear(values(x), values(weight))


SAME, ADAM, BEFORE, FIRST = fed([0.3] * 4), fed(G), fed(G[:4]), fed(G[:1], beta1=0.0)
HATS = {"hatm": ADAM.first[0] / (1 - 0.85**5), "hatv": ADAM.second[0] / (1 - 0.99**5)}
STEP = {"w": BEFORE.parameters[0].data, "eta": 0.1, "varepsilon": 1e-8, **HATS}
MEANS = {"beta": 0.85, "beta_1": 0.85, "beta_2": 0.99, "t": 4, "g": G[4]}
LAYER = {name[7:]: rows for name, rows in MODEL.weights.items() if "0" in name}
ADDED = np.subtract(flat(MODEL.mlp(WIDE, 0)), flat(WIDE))
NORMED = np.array(flat(rmsnorm(values(X))))
MAPPED = mapped(X, M)
LEARNT = step1.forward(0, STEP1)
PLACED = np.array([[w.data for w in STEP3["wte"][EMMA[3]]], flat(STEP3["wpe"][3])])
PLACED /= math.sqrt(fmean(PLACED.sum(axis=0) ** 2) + 1e-5)
BACK = along(Z, lambda z: Y @ softmax(z))
J = np.diag(shares(Z)) - np.outer(shares(Z), shares(Z))
WAVE = turn(3 * 10000 ** (-2 * 2 / 8))
SPREAD = {"n": 5, "C": 5, "varepsilon": 1e-5, "mu": X.mean(), "sigma": X.std(), "x": X}
ZERO = Value(0.0)
SQUARE = world(L=lambda w: w**2, w=3, varepsilon=0.01)
PARTS = {"a_0": 0.3, "a_1": 0.7, "b_0": 0.8, "b_1": 0.2}
# What letters stand for, and sides that are no letters; a formula holds in one of these
WORLDS: list[Letters] = [
    world(x=0.6, a=0.3, b=0.8, c=0.5, p=X, beta=0.3, t=7, e=math.e)
    | {"L": lambda the: -softmax([the[x] + ZERO for x in "abc"])[0].log()}
    | {"L =": -softmax(values([0.3, 0.8, 0.5]))[0].log()},
    {**PARTS, "z =": dot(*values([[0.3, 0.7], [0.8, 0.2]]))}
    | {
        "z": lambda the: dot(*([the[x + i] + ZERO for i in ("_0", "_1")] for x in "ab"))
    },
    # Counting
    world(n=counted(3), i=EMMA[0])
    | {r"p(j \mid i) =": step0.probabilities(EMMA[0], counted(3))},
    world(n=counted(1), i=EMMA[0], j=EMMA[1])
    | {r"n_{ij} \leftarrow": counted(2)[EMMA[0]][EMMA[1]]},
    world(p=[0, *odds(*EMMA)], n=5, L=document_loss(MODEL, EMMA)),
    world(p=odds(*EMMA))
    | {r"P(\text{name}) =": math.exp(-5 * document_loss(MODEL, EMMA).data)},
    world(p=[0.2] * 5, H=math.log(5)),  # of a fair choice among so many
    world(p=[0.1, 0.2, 0.7], x=X, E=fmean(X[:3].repeat([1, 2, 7]))),
    # Softmax and linear layers
    world(z=Z, s=Z, a=softmax(values(Z)), p=softmax(values(Z))),
    world(z=Z, T=0.7, p=softmax(values(Z / 0.7)), softmax=shares),
    world(
        W=M, W_q=M, W_k=M, W_v=M, w=M, x=X, z=X, q=MAPPED, k=MAPPED, v=MAPPED, y=MAPPED
    )
    | {"(W x)_i =": MAPPED},
    world(W_1=STEP1["fc1"], W_2=STEP1["fc2"], x=STEP1["wte"][0], z=LEARNT)
    | {r"\text{MLP}(x) =": LEARNT},
    world(a=V, b=M) | {r"c_{yx} \mathrel{+}=": [mapped(row, M.T) for row in V]},
    world(beta=0.5, g=0.3, L=-softmax(values([0.5 * 0.3, 0.0]))[0].log()),
    # Attention
    world(a=X, v=M, y=mapped(X, M.T)),
    world(q=Q, k=K, s=[mapped(row, K) for row in Q]),
    world(q=X, k=K, d=5, s=[dot(values(X), values(k)) / math.sqrt(5) for k in K]),
    # The shares with which `attend` mixes are seen where each value is a mark.
    world(q=X, k_j=K.T, d=5, softmax=shares)
    | {"a": attend(values(X), values(K), values(np.eye(5)))},
    # A mask leaves each row what a list of keys that grows leaves it.
    world(Q=Q, K=K, V=V, d=5, softmax=shares, M=np.triu(np.full((5, 5), -math.inf), 1))
    | {"Y": [attend(*map(values, (Q[n], K[: n + 1], V[: n + 1]))) for n in range(5)]},
    world(m=Z[:4].max(), s=Z[4], v=X[4])
    | {
        "ell": np.exp(Z[:4] - Z[:4].max()).sum(),
        "y": np.exp(Z[:4] - Z[:4].max()) @ X[:4],
    }
    | {"m'": Z.max(), "ell'": np.exp(Z - Z.max()).sum(), "y'": np.exp(Z - Z.max()) @ X},
    # The stream of vectors
    world(
        x=WIDE,
        norm=rmsnorm,
        W_o=LAYER["attn_wo"],
        y=linear(rmsnorm(WIDE), LAYER["attn_wv"]),
    )
    | {"attention": lambda x: linear(linear(x, LAYER["attn_wv"]), LAYER["attn_wo"])}
    | {r"x \leftarrow": MODEL.attention(WIDE, 0, MODEL.new_cache()[0])},
    world(x=WIDE, f=lambda _: ADDED, MLP=lambda _: ADDED, norm=rmsnorm)
    | {r"x \leftarrow": WIDE + ADDED},
    world(x=before_attention(EMMA[:4], STEP3)[3], t=PLACED[0], p=PLACED[1]),
    world(i=3, j=2, d=8, theta=math.asin(WAVE[1, 0]) / 3)
    | {r"p_{i,2j} =": WAVE[1, 0], r"p_{i,2j+1} =": WAVE[0, 0]},
    world(R=[turn(0.3 * i) for i in range(9)], i=3, u=7, theta=0.3, q=X[:2], k=Z[:2])
    | {"q_0": X[0], "q_1": X[1]},
    SPREAD | {"y": NORMED, "s": NORMED[0] / X[0]},
    SPREAD | {"y": Z * NORMED, "g": Z},
    # It is RMSNorm of what is left when the mean has gone.
    SPREAD | {"y": Z * rmsnorm(values(X - X.mean())) + Y, "g": Z, "b": Y},
    world(w=X, x=Z),
    # Slopes of whole vectors
    world(J=J, bary=Y, barx=BACK),
    world(
        dy=Y, y=NORMED, s=NORMED[0] / X[0], n=5, dx=along(X, lambda x: Y @ rmsnorm(x))
    ),
    world(dy=DY, a=M, v=V, y=[mapped(row, V.T) for row in M])
    | {"da": along(M, lambda m: DY * (m @ V)), "dv": along(V, lambda v: DY * (M @ v))},
    world(ds=DY, k=K, q=Q)
    | {
        "dq": along(Q, lambda q: DY * (q @ K.T)),
        "dk": along(K, lambda k: DY * (Q @ k.T)),
    },
    # Descent
    world(w=0.4, eta=0.1, g=0.8, L=lambda the: the["w"] ** 2)
    | {r"w \leftarrow": descended()},
    STEP | {r"w \leftarrow": ADAM.parameters[0]},
    # A weight that first loses its share and then follows Adam gets as far.
    STEP
    | {r"w \leftarrow": ADAM.parameters[0] - 0.1 * 0.01 * STEP["w"], "lambda": 0.01},
    world(w=0.7, eta=0.1, g=G[0], v=G[0] ** 2, varepsilon=1e-8)
    | {r"w \leftarrow": FIRST.parameters[0]},
    MEANS
    | {"m": BEFORE.first[0], "v": BEFORE.second[0]}
    | {r"m \leftarrow": ADAM.first[0], r"v \leftarrow": ADAM.second[0]},
    # Of equal gradients, a corrected mean is what each of them, or its square, is.
    MEANS | {"m": SAME.first[0], "v": SAME.second[0], "hatm": 0.3, "hatv": 0.09},
    world(beta=0.85, t=5, g=[0, *G], m=ADAM.first[0]),
    world(eta=0.1, t=4, T=9) | {r"\eta_t =": microgpt.linear_decay(0.1, 3, 9)},
    world(g=G, c=0.5) | {r"g \leftarrow": G * 0.5 / math.hypot(*G)},
    # Machines: both limits are those of a time, and take the longer of two.
    world(P=6, I=9 / 8, B=4, v=9 / max(9 / 6, 8 / 4)),
    world(m=5, n=5, k=5, s=8, I=5 * 5 * operands(5) / (8 * 3 * 5**2)),
    world(N=4, D=5, C=3 * operands(4) * 5),
]
# What says something only by its value, and the numbers that go in
RESULTS: dict[str, tuple[Any, Letters]] = {
    r"-\log p": (document_loss(MODEL, [26, 7]), world(p=odds(26, 7)[0])),
    r"-\ln p": (document_loss(MODEL, [26, 7]), world(p=odds(26, 7)[0])),
    r"\ln 27": (step0.mean_loss(EMMA, counted(0)), {}),
    r"2 \cdot \text{error}": (along(Z, lambda z: z**2), world(error=Z)),
    r"p_i - y_i": (
        along(Z, lambda z: -softmax(z)[2].log()),
        world(p=shares(Z), y=np.eye(5)[2]),
    ),
    r"p_u \left( d_u - \sum_v p_v\, d_v \right)": (BACK, world(p=shares(Z), d=Y)),
    r"\frac{\eta}{1 - \beta}": (
        0.1 * sum(0.5**n for n in range(60)),
        world(eta=0.1, beta=0.5),
    ),
    r"\bar g \pm t \, \frac{s}{\sqrt{n}}": (
        interval(G.tolist()),
        world(barg=fmean(G), t=2.7764451, s=stdev(G), n=5),
    ),
    r"\frac{L(w + \varepsilon) - L(w)}{\varepsilon}": (2 * 3 + 0.01, SQUARE),
    # Of a square, a step to either side finds the slope itself.
    r"\frac{L(w + \varepsilon) - L(w - \varepsilon)}{2\varepsilon}": (2 * 3, SQUARE),
    r"1 - 2\eta(x^2 + 1)": (kept_of_an_error(0.4, 0.05), world(x=0.4, eta=0.05)),
    r"27 \times 16 + 64 \times 16 + 27 \times 64": (len(flat([*STEP1.values()])), {}),
    # The shares of what came, against all that came
    r"-\sum_j p_j \ln q_j": (
        np.mean(-np.log(X[:3]).repeat([2, 3, 5])),
        world(p=[0.2, 0.3, 0.5], q=X),
    ),
    r"6N": (3 * operands(4), world(N=4)),  # forward, and twice back
    r"12Lw^2": (size(n_layer=4) - size(n_layer=1), world(L=3, w=16)),
    r"2VC + TC + 12LC^2": (
        size(vocab_size=27, n_layer=3, n_embd=32, n_head=4, block_size=8),
        world(V=27, L=3, C=32, T=8),
    ),
}
# A sum over paths has no letters, and steps of momentum say something together.
OTHERS = {
    (
        r"\frac{\partial y}{\partial x} = \sum_{\text{paths from } y \text{ to } x}"
        r" \ \prod_{\text{edges of the path}} \text{local gradient}"
    ),
    r"\sum_{\text{paths}} \prod_{\text{steps}} \text{slope}",
}
# Each with the factor by which its rate is greater
MOMENTUM = [
    ([r"b \leftarrow \beta b + g", r"w \leftarrow w - \eta\, b"], 1),
    ([r"u \leftarrow \beta u - \eta\, g", r"w \leftarrow w + u"], 1),
    ([r"w_{t+1} = w_t - \eta\, g_t + \beta\,(w_t - w_{t-1})"], 1),
    ([r"m \leftarrow \beta m + (1 - \beta)\,g", r"w \leftarrow w - \eta\, m"], 10),
]
NESTEROV = [r"b \leftarrow \beta b + g", r"w \leftarrow w - \eta\,(g + \beta b)"]
OTHERS |= {*NESTEROV, *(formula for formulas, _ in MOMENTUM for formula in formulas)}


def stated() -> set[str]:
    """Return the formulas of all pages, those of a block apart."""
    guide = Guide(ROOT)
    found: set[str] = set()
    for path in [*guide.paths, *guide.labs]:
        text = "\n".join(line for _, line in guide.read(path).prose())
        for match in FORMULA.finditer(text):
            parts = (match["block"] or match[0]).split(r"\qquad")
            found |= {part.strip(" $\n") for part in parts}
    return found


def holds(formula: str, letters: Letters) -> bool:
    """Tell whether all sides are the same, as far as the letters are known."""
    left, sign, *rest = RELATION.split(formula)
    try:
        sides = [value(side, **letters) for side in rest[::2]]
        known = letters.get(left + sign.rstrip())
        one = flat(value(left, **letters) if known is None else known)
        assert np.isfinite(one).all()
    except (AssertionError, KeyError, TypeError, ValueError, IndexError, SyntaxError):
        return False
    return all(flat(side) == pytest.approx(one, rel=1e-8, abs=1e-9) for side in sides)


STATED = stated()


def test_what_is_named_here_stands_on_a_page() -> None:
    assert NOTATION | OTHERS | RESULTS.keys() <= STATED


def test_what_is_neither_named_here_nor_a_letter_has_two_sides() -> None:
    one_sided = {f for f in STATED if not RELATION.search(f)}
    unknown = one_sided - NOTATION - OTHERS - RESULTS.keys()
    assert [formula for formula in unknown if not NAME.fullmatch(formula)] == []


@pytest.mark.parametrize(
    "formula", sorted({f for f in STATED if RELATION.search(f)} - NOTATION - OTHERS)
)
def test_a_formula_holds(formula: str) -> None:
    assert any(holds(formula, letters) for letters in WORLDS), formula


def test_a_formula_with_another_sign_holds_nowhere() -> None:
    true = r"dx_j = s \left( dy_j - y_j \cdot \frac{1}{n} \sum_i y_i\, dy_i \right)"
    false = true.replace("-", "+")
    assert [any(holds(f, the) for the in WORLDS) for f in (true, false)] == [
        True,
        False,
    ]
    below = r"\frac{d}{dx}\, \operatorname{ReLU}(x) = [x > 0]"
    assert below in STATED and holds(below, {"x": -0.6})


@pytest.mark.parametrize("formula", RESULTS)
def test_what_has_one_side_comes_to_what_the_package_gives(formula: str) -> None:
    result, letters = RESULTS[formula]
    assert flat(value(formula, **letters)) == pytest.approx(flat(result), rel=1e-7)


def test_a_slope_is_the_sum_over_paths_of_their_products() -> None:
    x, w = Value(0.3), Value(0.8)
    y = (x * w + x) * (x + w)
    y.backward()

    def along_paths(node: Value) -> float:
        edges = zip(node._children, node._local_grads, strict=True)
        return sum(s * along_paths(child) for child, s in edges) + (node is x)

    assert x.grad == pytest.approx(along_paths(y))


def descent(formulas: list[str], rate: float) -> Letters:
    """Follow five gradients of a bowl."""
    the = world(w=3.0, before=3.0, b=0.0, u=0.0, m=0.0, eta=rate, beta=0.9)
    for _ in range(5):
        now = the["w"]
        the |= {"g": now / 5, "g_t": now / 5, "w_t": now, "w_t-1": the["before"]}
        for formula in formulas:
            name, _, right = RELATION.split(formula)
            the[name[0]] = value(right, **the)
        the["before"] = now
    return the


def test_four_ways_to_write_momentum_go_one_way() -> None:
    ends = [descent(formulas, 0.05 * times)["w"] for formulas, times in MOMENTUM]
    assert ends == pytest.approx([ends[0]] * 4)


def test_pytorch_s_weight_is_where_nesterov_s_ball_would_be_going() -> None:
    place, u = 3.0, 0.0
    for _ in range(5):
        u = 0.9 * u - 0.05 * (place + 0.9 * u) / 5
        place += u
    assert descent(NESTEROV, 0.05)["w"] == pytest.approx(place + 0.9 * u)
