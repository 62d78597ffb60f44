"""Each formula of a page that states something is one that holds, and says no less.

Both sides are computed from the formula's LaTeX, with letters that stand for what the
package gives; and no formula holds once one sign, digit or letter of it is altered.
"""

import math
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import pairwise
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest

from bench.ends import interval
from microgpt import SGD, Adam, Config, Value, attend, linear_decay, load_model
from microgpt.nn import dot, linear, rmsnorm, softmax
from microgpt.training import document_loss
from snippets import step0, step1, step3
from snippets.ready.attention import before_attention
from tests.promises.latex import Letters, Senseless, free_indices, slope, value
from tests.promises.site import ROOT
from weave.guide import Guide
from weave.markdown_text import INLINE_FORMULA

STATEMENT = re.compile(
    rf"^#+ (?=(?P<heading>.*))|(?P<inline>{INLINE_FORMULA.pattern})"
    r"|^ *\$\$\n(?P<block>(?:.*\n)+?) *\$\$$",
    re.MULTILINE,
)
RELATION = re.compile(r"( = | \\leftarrow | \\approx | \\mathrel\{\+\}= )")
# A letter, with indices if any
NAME = re.compile(r"(?:\\hat )?(?:\\[a-z]+|d?[A-Za-z])(?:_(?:\w|\{\w+\}))?")
# What only names or counts something, laws that others have measured, sums over paths
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
    *(r"L(N) = (N_c / N)^{\alpha_N}", r"L(D) = (D_c / D)^{\alpha_D}"),
    r"L(N, D) = E + \frac{A}{N^\alpha} + \frac{B}{D^\beta}",
    r"\sum_{\text{paths}} \prod_{\text{steps}} \text{slope}",
    (
        r"\frac{\partial y}{\partial x} = \sum_{\text{paths from } y \text{ to } x}"
        r" \ \prod_{\text{edges of the path}} \text{local gradient}"
    ),
}


def numbers(values: Any) -> Any:
    return np.array(np.frompyfunc(lambda x: x.data, 1, 1)(values), dtype=float)


def of(function: Any, *arrays: Any) -> Any:
    """Return the numbers that a function of the package gives."""
    return numbers(function(*map(np.frompyfunc(Value, 1, 1), arrays)))


def along(x: Any, function: Any) -> Any:
    """Return the slopes along `x` of all that comes out, added up."""
    return slope(lambda the: function(the["x"]), "x", {"x": x}).astype(float)


def fed(optimizer: SGD | Adam, *gradients: float) -> float:
    """Return the weight of an optimizer after steps along its gradients."""
    (weight,) = optimizer.parameters
    for weight.grad in gradients:
        optimizer.step(0.1)
    return weight.data


def mlp(x: Any) -> Any:
    """Return what the two layers make of a vector, without what stands around them."""
    weights = {"wte": [x], "fc1": W["mlp_fc1"], "fc2": W["mlp_fc2"]}
    return np.array(step1.forward(0, weights))


def read_so_far(n: int, prime: str = "") -> Letters:
    """Return the greatest of n scores, their sum and mixture, in either order."""
    e = np.exp(ORDERS[:n] - (m := ORDERS[:n].max(axis=0)))
    found = {"m": m, "ell": e.sum(axis=0), "y": np.tensordot(X[:n], e, 1)}
    return {name + prime: given for name, given in found.items()}


norm = partial(of, rmsnorm)
mapped = partial(of, lambda rows, weight: [linear(row, weight) for row in rows])
shares = partial(np.apply_along_axis, partial(of, softmax), -1)
MODEL, TOKENIZER = load_model()
EMMA = TOKENIZER.document("emma")
LOSS, FIRST_LOSS = (document_loss(MODEL, tokens).data for tokens in (EMMA, EMMA[:2]))
CACHE = MODEL.new_cache()
ODDS = [softmax(MODEL.forward(a, CACHE))[b].data for a, b in pairwise(EMMA)]
STEP3 = step3.initial_weights(TOKENIZER.vocab_size, random.Random(1))
DRAW = np.random.default_rng(1)
X, G = DRAW.uniform(0.1, 0.9, (2, 5))
Y, Z, D = DRAW.normal(size=(3, 5))
M, Q, K, V, DY, DS = DRAW.normal(size=(6, 5, 5))
WIDE = DRAW.normal(size=MODEL.config.n_embd)
W = {name[7:]: numbers(w) for name, w in MODEL.weights.items() if "0" in name}
TWO_LAYERS = {"W_1": W["mlp_fc1"], "W_2": W["mlp_fc2"], "x": WIDE}
NORMED = norm(X)
ADDED = of(lambda x: MODEL.mlp(x, 0), WIDE)
GATHERED = of(lambda x: MODEL.attention(x, 0, MODEL.new_cache()[0]), WIDE)
COUNTS = [[0, 5, 2], [1, 3, 3], [4, 1, 0]]
TABLE = np.array(COUNTS)
SHARES = np.transpose([step0.probabilities(i, COUNTS) for i in range(3)])
step0.count_pairs([0, 1], COUNTS)
SIZE = sum(map(np.size, step1.initial_weights(27, random.Random(1)).values()))
SURPRISE = np.log(np.exp(Z / 0.7).sum()) - Z / 0.7
PLACED = numbers(before_attention(EMMA[:4], STEP3)[3])
EMBEDDED = numbers([STEP3["wte"][EMMA[3]], STEP3["wpe"][3]])
EMBEDDED /= math.sqrt(fmean(EMBEDDED.sum(axis=0) ** 2) + 1e-5)
PULL = along(np.array([1.0, 0.0]), lambda wb: (wb @ [0.4, 1]) ** 2)
TURNED = np.exp(0.1j * np.arange(9))
TURNS = np.array([[TURNED.real, -TURNED.imag], [TURNED.imag, TURNED.real]])
# Scores that rise, and that fall, as matrices of one number
ORDERS = np.array([np.sort(Z), -np.sort(-Z)]).T.reshape(5, 2, 1, 1)
ADAM, SAME = (Adam([Value(0.7)]) for _ in range(2))
BEFORE, AFTER = fed(SAME, *[0.3] * 3), fed(SAME, 0.3)
MEANS = {"m": SAME.first[0], "v": SAME.second[0]}
fed(SAME, 0.5)
fed(ADAM, *G)
# What momentum adds up of equal gradients, and where a weight comes by it
SPEED = 0.3 * (1 - 0.9 ** np.arange(7)) / (1 - 0.9)
PLACE = 3 - 0.1 * SPEED.cumsum()
OPERANDS = len(dot([ZERO := Value(0.0)] * 4, [ZERO] * 4)._children)
NUMBERS: Letters = {"x": 0.6, "a": 0.3, "b": 0.8}
# What the letters of a place stand for, and what first sides come to that are no
# letters, by how the formula begins. A formula is read in the first place it stands in.
SETTINGS: dict[str, Letters] = {
    "counting/ten-minutes#Four": {"p": ODDS[0], r"-\ln p": FIRST_LOSS},
    "counting/probabilities": {"n": TABLE, "p": SHARES},
    "counting/training#Training": {"n": TABLE, "i": 0, "j": 1}
    | {r"n_{ij} \leftarrow": COUNTS[0][1]},
    "counting/sampling": {"p": ODDS, r"P(\text{name}) =": math.exp(-5 * LOSS)},
    # The shares of what came, against all that came
    "gradient-descent/to-the-end": {"p": np.array([0.2, 0.3, 0.5]), "q": X}
    | {r"-\sum_j p_j \ln q_j": np.mean(-np.log(X[:3]).repeat([2, 3, 5]))},
    # The surprise at each token is the logarithm of softmax's sum, less its logit.
    "inference/": {"z": Z, "T": 0.7, "p": of(softmax, Z / 0.7), "softmax": shares}
    | {r"-\log p": SURPRISE, "H": of(softmax, Z / 0.7) @ SURPRISE},
    "counting/loss": {"p": [0, *ODDS], "n": 5, "L": LOSS}
    | {r"\ln 27": step0.mean_loss(EMMA, step0.zero_counts(27))},
    "gradient-descent/training": {"w": 0.4, "eta": 0.1, "L": lambda the: the["w"] ** 2}
    | {r"w \leftarrow": fed(SGD([Value(0.4)]), 2 * 0.4)},
    "gradient-descent/smallest": {"error": Z, "x": 0.4, "eta": 0.05}
    | {r"2 \cdot \text{error}": along(Z, lambda z: z**2)}
    # What one step along both slopes leaves of an error: here of 0.4, as w is 1
    | {r"1 - 2\eta(x^2 + 1)": 1 - 0.05 * np.dot(PULL, [0.4, 1]) / 0.4},
    "/parameters#": {r"27 \times 16 + 64 \times 16 + 27 \times 64": SIZE},
    "gradient-descent/layers": {"w": M, "x": X, "y": of(linear, X, M)},
    "gradient-descent/softmax#": {"z": Z, "p": of(softmax, Z), "y": np.eye(5)[2]}
    | {"p_i - y_i": along(Z, lambda z: -softmax(z)[2].log())},
    "gradient-descent/network": TWO_LAYERS | {"z": mlp(WIDE)},
    # Of a parabola, a step to either side finds the slope itself.
    "gradient-check": {"L": lambda w: 2 * w**2, "w": 3, "varepsilon": 0.01}
    | {r"\frac{L(w + \varepsilon) - L(w)}": 4 * 3 + 2 * 0.01}
    | {r"\frac{L(w + \varepsilon) - L(w - \varepsilon)}": 4 * 3},
    "gradient-descent/softmax-gradient": {"a": 0.3, "b": 0.8, "c": 0.5}
    | {"L": lambda the: -softmax([the[x] + ZERO for x in "abc"])[0].log()}
    | {"L =": -math.log(of(softmax, [0.3, 0.8, 0.5])[0])},
    "mathematics#(exp|A deriv|Several|Slopes)|efficiency/c#The rest": NUMBERS,
    "mathematics": {"w": X, "x": Z, "W": M, "n": 5, "mu": Z.mean(), "sigma": Z.std()}
    | {"p": np.array([1, 2, 3, 1, 3]) / 10, "E": fmean(Z.repeat([1, 2, 3, 1, 3]))},
    "autograd/": NUMBERS | {"x": np.array([0.6, -0.6])},  # on both sides of ReLU's bend
    "attention/queries-keys-values": {"x": X, "W_q": Q, "W_k": K, "W_v": V}
    | {"q": of(linear, X, Q), "k": of(linear, X, K), "v": of(linear, X, V)},
    "attention/residuals|transformer/what-changes#Step 4": TWO_LAYERS
    | {"MLP": mlp, "norm": norm, "f": lambda x: mlp(norm(x))}
    | {"W_o": W["attn_wo"], "y": W["attn_wv"] @ norm(WIDE)}
    | {"attention": lambda x: W["attn_wo"] @ W["attn_wv"] @ x}
    | {r"x \leftarrow x + f": ADDED, r"x \leftarrow x + \text{MLP}": ADDED}
    | {r"x \leftarrow": GATHERED, r"\text{MLP}(x) =": mlp(WIDE)},
    # The shares with which `attend` mixes are seen where each value is a mark; and a mask
    # leaves each row what a list of keys that grows leaves it.
    "attention/what-changes": {"q": X, "k_j": K.T, "v": M, "d": 5, "softmax": shares}
    | {"a": of(attend, X, K, np.eye(5)), "y": of(attend, X, K, M)}
    | {"Q": Q, "K": K, "V": V, "M": np.triu(np.full((5, 5), -math.inf), 1)}
    | {"Y": [of(attend, Q[n], K[: n + 1], V[: n + 1]) for n in range(5)]},
    "transformer/mixing": {"x": X, "z": Z, "W_q": Q, "W_k": K, "W_v": V}
    | {"q": of(linear, X, Q), "k": of(linear, Z, K), "v": of(linear, Z, V)},
    "attention/scores": {"q": X, "k": K, "d": 5, "a": of(attend, X, K, np.eye(5))}
    | {"s": of(linear, X, K) / math.sqrt(5)},
    "attention/recap|attention/positions#Positions": {"x =": PLACED, "x_i =": PLACED}
    | {"t": EMBEDDED[0], "p": EMBEDDED[1], "s": Z, "a": of(softmax, Z)}
    | {"x": X, "C": 5, "varepsilon": 1e-5, "y": NORMED},
    "attention/positions": {"i": 3, "j": 2, "u": 7, "d": 16, "theta": 0.1}
    | {"R": TURNS.transpose(2, 0, 1), "q": X[:2], "k": Z[:2]}
    | {"q_0": X[0], "q_1": X[1]}
    | {"p_{i,2j} =": TURNED[3].imag, "p_{i,2j+1} =": TURNED[3].real},
    # With the mean, it is RMSNorm of what is left when that has gone.
    "attention/rmsnorm": {"x": X, "n": 5, "varepsilon": 1e-5, "g": Z, "b": Y}
    | {"mu": X.mean(), "sigma": X.std(), "y": NORMED}
    | {r"y_i = g_i \, \frac{x_i}": Z * NORMED}
    | {r"y_i = g_i": Z * norm(X - X.mean()) + Y},
    "attention/training": {"barg": fmean(G), "t": 2.7764451, "s": stdev(G), "n": 5}
    | {r"\bar g \pm t \, \frac{s}{\sqrt{n}}": interval(G.tolist())},
    "transformer/recap": {"V": 27, "L": 3, "C": 32, "T": 8}
    | {"2VC + TC + 12LC^2": Config(27, 3, 32, 4, 8).num_parameters},
    # Of equal gradients, a corrected mean is what each of them, or its square, is. A
    # weight that first loses its share and then follows Adam gets as far.
    "adam/what-changes": {"beta_1": 0.85, "beta_2": 0.99, "t": 4, "g": 0.5, "eta": 0.1}
    | {"hatm": 0.3, "hatv": 0.09, "w": BEFORE, "varepsilon": 1e-8, "lambda": 0.01}
    | MEANS
    | {r"m \leftarrow": SAME.first[0], r"v \leftarrow": SAME.second[0]}
    | {r"w \leftarrow w - \eta\, g": fed(SGD([Value(BEFORE)]), 0.5)}
    | {r"w \leftarrow w - \eta \left(": AFTER - 0.1 * 0.01 * BEFORE}
    | {r"w \leftarrow": AFTER},
    # As a mean, each gradient counts for a tenth; and Nesterov's weight is where the
    # ball would be going.
    "adam/momentum": {"beta": 0.9, "eta": 0.1, "g": 0.3, "w": PLACE[3], "t": 4}
    | {"b": SPEED[4], "m": SPEED[4] / 10, "u": -SPEED[4] / 10}
    | {r"b \leftarrow": SPEED[5], r"m \leftarrow": SPEED[5] / 10}
    | {r"u \leftarrow": -SPEED[5] / 10, "v": 0.09, "varepsilon": 1e-8}
    | {r"w \leftarrow w + u": PLACE[4], r"w \leftarrow w - \eta\, b": PLACE[4]}
    | {r"w \leftarrow w - \eta\, m": 0.9 * PLACE[3] + PLACE[4] / 10}
    | {"w_t-1": PLACE[3], "w_t": PLACE[4], "w_t+1": PLACE[5], "g_t": 0.3}
    | {r"w \leftarrow w - \eta\,(g": PLACE[3] - 0.19 * SPEED[4] + 0.09 * SPEED[3]}
    | {r"w \leftarrow": fed(Adam([Value(PLACE[3])], beta1=0.0), 0.3)}
    | {r"\frac{\eta}{1 - \beta}": 0.1 * sum(0.9**n for n in range(400))},
    "adam/bias-correction": {"beta": 0.85, "t": 5, "g": [0, *G], "m": ADAM.first[0]}
    | {"hatm": np.average(G, weights=0.85 ** np.arange(4, -1, -1))},
    "adam/training#The": {"eta": 0.1, "t": 4, "T": 9}
    | {r"\eta_t =": linear_decay(0.1, 3, 9)},
    "efficiency/one-node": {"a_0": 0.3, "a_1": 0.7, "b_0": 0.8, "b_1": 0.2}
    | {"z": lambda the: dot(*([the[f"{x}_{i}"] + ZERO for i in (0, 1)] for x in "ab"))}
    | {"z =": of(dot, [0.3, 0.7], [0.8, 0.2])},
    "efficiency/ways-back": {"x": X, "y": NORMED, "s": NORMED[0] / X[0], "n": 5}
    | {"dy": D, "dx": along(X, lambda x: D @ rmsnorm(x)), "p": shares(Z), "d": Y}
    | {r"p_u \left( d_u": along(Z, lambda z: Y @ softmax(z))},
    "efficiency/numpy-attention": {"a": M, "v": V, "dy": DY, "q": Q, "k": K, "ds": DS}
    | {"y": mapped(M, V.T), "s": mapped(Q, K)}
    | {"da": along(M, lambda a: DY * (a @ V)), "dv": along(V, lambda v: DY * (M @ v))}
    | {"dq": along(Q, lambda q: DS * (q @ K.T))}
    | {"dk": along(K, lambda k: DS * (Q @ k.T))},
    "efficiency/c#One": {"a": V, "b": M, r"c_{yx} \mathrel{+}=": mapped(V, M.T)},
    "efficiency/torch": {"bary": Y, "barx": along(Z, lambda z: Y @ softmax(z))}
    | {"J": np.array([along(Z, lambda z, i=i: softmax(z)[i]) for i in range(5)])},
    "efficiency/flash": read_so_far(4)
    | read_so_far(5, "'")
    | {"s": ORDERS[4], "v": X[4]},
    # Both limits are those of a time, and take the longer of two.
    "efficiency/roofline": {"P": 6, "I": np.array([9 / 8, 4]), "B": 3, "m": 2, "n": 5}
    | {"v =": [9 / max(9 / 6, 8 / 3), 9 / max(9 / 6, 9 / 4 / 3)], "k": 4, "s": 8}
    | {"I =": 2 * 5 * OPERANDS / (8 * (2 * 4 + 4 * 5 + 2 * 5))},
    # Forward, and twice back
    "efficiency/(speeds|scale)": {"N": 4, "D": 5, "C": 3 * OPERANDS * 5}
    | {"6N": 3 * OPERANDS},
    "efficiency/left-out": {"L": 3, "w": 16}
    | {"12Lw^2": Config(n_layer=4).num_parameters - Config(n_layer=1).num_parameters},
    "efficiency/practice": {"g": G[:, None], "c": np.array([[0.5, 5]])}
    | {r"g \leftarrow": G[:, None] * [0.5 / math.hypot(*G), 1]},
    "efficiency/assistant": {"beta": 0.5, "g": 0.3}
    | {"L": -math.log(of(softmax, [0.5 * 0.3, 0.0])[0])},
}
PIECE = re.compile(
    r"\\(?:text|operatorname|mathrel|begin|end)\{[^}]+\}|\\[A-Za-z]+|\d+|\S"
)
ALTERED = {"+": "-", "-": "+", ">": "<", "'": "", "/": r"\cdot ", r"\cdot": "+"}
ALTERED |= {r"\times": "+", r"\sum": r"\prod", r"\prod": r"\sum", r"\max": r"\min"}
ALTERED |= {r"\min": r"\max", r"\sin": r"\cos", r"\cos": r"\sin"}
ALTERED |= dict.fromkeys(["^", r"\frac", r"\sqrt", r"\ln", r"\log"], " ")
# What holds altered, too, as a slope sees no constant, and 0 has no need of a factor
EQUIVALENT = {
    *(r"(a + x) = 1", r"(a - x) = 1", r"(a b - b) = b", r"(a b + x) = b"),
    *(r"(13 + 2x) = 2", r"0 \cdot 2 + 0", r"1 - 0", r"0 \cdot 3"),
}


def stated() -> dict[str, list[str]]:
    """Return where each formula of all pages stands, those of a block apart."""
    guide = Guide(ROOT)
    found: dict[str, list[str]] = {}
    for path in [*guide.page_paths, *guide.lab_paths]:
        text, heading = (
            "\n".join(line for _, line in guide.read_page(path).prose_lines()),
            "",
        )
        for match in STATEMENT.finditer(text):
            heading = match["heading"] or heading
            for part in (match["block"] or match["inline"] or "").split(r"\qquad"):
                place = f"{path.with_suffix('')}#{heading}"
                found.setdefault(part.strip(" $\n"), []).append(place)
    return found


STATED = stated()
TESTED = sorted(f for f in STATED.keys() - NOTATION - {""} if not NAME.fullmatch(f))


def given(formula: str) -> tuple[str, Any]:
    """Return a formula's place, and what its first side is if that is no letter."""
    places = (p for p in SETTINGS if any(re.search(p, at) for at in STATED[formula]))
    letters = SETTINGS[place := next(places, "nowhere")]
    starts = (k for k in letters if formula.startswith(k) and " " in k)
    return place, letters.get(next(starts, formula))


def holds(formula: str, letters: Letters, known: Any = None) -> bool:
    """Tell whether all sides come to the same numbers."""
    left, *rest = RELATION.split(formula)
    indices = free_indices(left, letters)
    first = value(left, letters, indices) if known is None else np.ravel(known)
    same = pytest.approx(first.tolist(), rel=1e-11, abs=1e-12)
    sides = (value(side, letters, indices) for side in rest[1::2] or [left])
    return all(side.tolist() == same for side in sides)


def altered(formula: str, letters: Letters, known: Any) -> Iterator[str]:
    """Yield a formula with each sign, digit and letter exchanged for each other one."""
    left, *rest = RELATION.split(formula)
    words = {word for word in [*letters, *PIECE.findall(formula)] if word.isalpha()}
    names = {word for word in words if len(word) == 1}
    greek = names | {f"\\{word}" for word in words}
    start = len(left) if rest and known is not None else 0
    for piece in PIECE.finditer(formula, start):
        old, before, after = piece[0], formula[: piece.start()], formula[piece.end() :]
        others = {f"{int(old) + 1}"} if old.isdigit() else {ALTERED.get(old, old)}
        if old in greek:
            others = names if old in names else greek
        yield from (before + new + after for new in sorted(others - {old}))


def test_every_listed_formula_and_setting_is_used_on_a_page() -> None:
    assert STATED.keys() >= NOTATION
    assert {given(formula)[0] for formula in TESTED} == SETTINGS.keys()


@pytest.mark.parametrize("formula", TESTED)
def test_formula_on_a_page_holds_numerically(formula: str) -> None:
    place, known = given(formula)
    assert known is not None or RELATION.search(formula), "what does it come to?"
    assert holds(formula, SETTINGS[place], known)


def test_altered_formulas_no_longer_hold() -> None:
    true: set[str] = set()
    for formula in TESTED:
        place, known = given(formula)
        for other in altered(formula, SETTINGS[place], known):
            with suppress(Senseless):
                true |= {other} if holds(other, SETTINGS[place], known) else set()
    true -= STATED.keys()
    assert {next((e for e in EQUIVALENT if e in f), f) for f in true} == EQUIVALENT


def test_gradient_is_the_sum_over_paths_of_local_gradient_products() -> None:
    x, w = Value(0.3), Value(0.8)
    y = (x * w + x) * (x + w)
    y.backward()

    def along_paths(node: Value) -> float:
        edges = zip(node._children, node._local_grads, strict=True)
        return sum(s * along_paths(child) for child, s in edges) + (node is x)

    assert x.grad == pytest.approx(along_paths(y))
