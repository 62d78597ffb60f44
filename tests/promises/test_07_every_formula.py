"""Each formula that a page states holds, and fails once a sign, digit or letter is altered.

Both sides are computed from the LaTeX, with values that the package gives to the letters.
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

from bench.results import confidence_interval
from microgpt import SGD, Adam, Config, Value, attend, linear_decay, load_model
from microgpt.nn import dot, linear, rmsnorm, softmax
from microgpt.training import document_loss
from snippets import step0, step1, step3
from snippets.ready.attention import attention_inputs
from tests.processes import ROOT
from tests.promises.latex import (
    FormulaError,
    Variables,
    autograd_gradient,
    evaluate_side,
    find_free_indices,
)
from weave.guide import Guide
from weave.markdown_text import INLINE_FORMULA

HEADING_OR_FORMULA = re.compile(
    rf"^#+ (?=(?P<heading>.*))|(?P<inline>{INLINE_FORMULA.pattern})"
    r"|^ *\$\$\n(?P<block>(?:.*\n)+?) *\$\$$",
    re.MULTILINE,
)
RELATION_SIGN = re.compile(r"( = | \\leftarrow | \\approx | \\mathrel\{\+\}= )")
# A letter, with indices if any
SINGLE_NAME = re.compile(r"(?:\\hat )?(?:\\[a-z]+|d?[A-Za-z])(?:_(?:\w|\{\w+\}))?")
# Formulas that only name or count, laws that others have measured, and sums over paths
UNTESTED_FORMULAS = {
    *(r"f(x)", r"(B, 4, T, 4)", r"(B, 4, T, T)", r"(B \cdot T,\ 16)"),
    *(r"(B \cdot T,\ 3 \cdot 16)", r"n \times n", r"x^2", r"\beta^t", r"e^{-\infty}"),
    *(r"e^H", r"e^L", r"e^{z \ln 2}", r"e^{z_i}", r"e^{z_j}", r"e^{z_t}"),
    *(r"1 - p", r"2^z", r"\max(0, h)", r"\arg\max_i p_i", r"w x + b"),
    *(r"n + 1", r"n + 2", r"n - 1", r"2n - 1", r"2n", r"2n^3", r"3n^2", r"p \log p"),
    *(r"4B", r"16N", r"16N/k", r"2\,(n-1)/n", r"\frac{\ln N}{n}"),
    *(r"L = (w x + b - y)^2", r"p_0 + p_1 + \dots + p_j > u"),
    r"\text{exposure} = \log_2 n - \log_2 r",
    r"p(\text{name}) = \prod_t p(x_t \mid x_0, \dots, x_{t-1})",
    r"p(\text{text}) = \prod_t p(x_t \mid x_0, \dots, x_{t-1})",
    r"\sum_{i=1}^{n} x_i = x_1 + x_2 + \dots + x_n",
    r"\prod_{i=1}^{n} x_i = x_1 \, x_2 \cdots x_n",
    *(r"L(N) = (N_c / N)^{\alpha_N}", r"L(D) = (D_c / D)^{\alpha_D}"),
    r"L(N, D) = E + \frac{A}{N^\alpha} + \frac{B}{D^\beta}",
    r"\sum_{\text{paths}} \prod_{\text{steps}} \text{slope}",
    (
        r"\frac{\partial y}{\partial x}"
        r" = \sum_{\text{paths}} \prod_{\text{steps}} \text{slope}"
    ),
    (
        r"\frac{\partial y}{\partial x} = \sum_{\text{paths from } y \text{ to } x}"
        r" \ \prod_{\text{edges of the path}} \text{local gradient}"
    ),
}


def to_array(values: Any) -> Any:
    return np.array(np.frompyfunc(lambda x: x.data, 1, 1)(values), dtype=float)


def call_with_values(function: Any, *arrays: Any) -> Any:
    """Call a function of the package with arrays of `Value`s; return its numbers."""
    return to_array(function(*map(np.frompyfunc(Value, 1, 1), arrays)))


def gradient_of_sum(x: Any, function: Any) -> Any:
    """Return the gradient with respect to `x` of the sum of a function's results."""
    return autograd_gradient(lambda v: function(v["x"]), "x", {"x": x}).astype(float)


def weight_after_steps(optimizer: SGD | Adam, *gradients: float) -> float:
    """Return an optimizer's single weight after a step for each gradient."""
    (weight,) = optimizer.parameters
    for weight.grad in gradients:
        optimizer.step(0.1)
    return weight.data


def mlp_output(x: Any) -> Any:
    """Return the output of the MLP for a vector, without RMSNorm and residual."""
    weights = {layer: LAYER_WEIGHTS[f"mlp_{layer}"] for layer in ("fc1", "fc2")}
    return np.array(step1.forward(0, weights | {"wte": [x]}))


def running_softmax(n: int, prime: str = "") -> Variables:
    """Return maximum, sum and weighted values of the first n scores, as Flash Attention."""
    scores = SCORES_ASCENDING_AND_DESCENDING[:n]
    e = np.exp(scores - (m := scores.max(axis=0)))
    variables = {"m": m, "ell": e.sum(axis=0), "y": np.tensordot(X[:n], e, 1)}
    return {name + prime: numbers for name, numbers in variables.items()}


np_rmsnorm = partial(call_with_values, rmsnorm)
linear_rows = partial(
    call_with_values, lambda rows, weight: [linear(row, weight) for row in rows]
)
softmax_rows = partial(np.apply_along_axis, partial(call_with_values, softmax), -1)
MODEL, TOKENIZER = load_model()
EMMA = TOKENIZER.document("emma")
EMMA_LOSS, FIRST_LOSS = (document_loss(MODEL, EMMA[:n]).data for n in (None, 2))
CACHE = MODEL.new_cache()
EMMA_PROBABILITIES = [
    softmax(MODEL.forward(a, CACHE))[b].data for a, b in pairwise(EMMA)
]
STEP3_WEIGHTS = step3.initial_weights(TOKENIZER.vocab_size, random.Random(1))
RNG = np.random.default_rng(1)
X, G = RNG.uniform(0.1, 0.9, (2, 5))
Y, Z, D = RNG.normal(size=(3, 5))
M, Q, K, V, DY, DS = RNG.normal(size=(6, 5, 5))
RESIDUAL_VECTOR = RNG.normal(size=MODEL.config.n_embd)
LAYER_WEIGHTS = {
    name[7:]: to_array(w) for name, w in MODEL.weights.items() if "0" in name
}
MLP_VARIABLES = {f"W_{i}": LAYER_WEIGHTS[f"mlp_fc{i}"] for i in (1, 2)}
MLP_VARIABLES["x"] = RESIDUAL_VECTOR
NORMED_X = np_rmsnorm(X)
MLP_OUTPUT = call_with_values(lambda x: MODEL.mlp(x, 0), RESIDUAL_VECTOR)
ATTENTION_RESULT = call_with_values(
    lambda x: MODEL.attention(x, 0, MODEL.new_cache()[0]), RESIDUAL_VECTOR
)
TOY_COUNTS = [[0, 5, 2], [1, 3, 3], [4, 1, 0]]
TOY_COUNTS_BEFORE = np.array(TOY_COUNTS)
TOY_PROBABILITIES = np.transpose([step0.probabilities(i, TOY_COUNTS) for i in range(3)])
step0.count_pairs([0, 1], TOY_COUNTS)
STEP1_WEIGHTS = step1.initial_weights(27, random.Random(1))
LINEAR_WEIGHT_SLOPES = [[0.0] * 5 for _ in range(5)]
LINEAR_INPUT_SLOPES = step1.linear_backward(
    D.tolist(), X.tolist(), M.tolist(), LINEAR_WEIGHT_SLOPES
)
SHARES = np.array([0.2, 0.3, 0.5])
MEAN_SURPRISE = fmean(-np.log(X[:3]).repeat([2, 3, 5]))
SURPRISES_OF_Z = np.log(np.exp(Z / 0.7).sum()) - Z / 0.7
POSITIONED_VECTOR = to_array(attention_inputs(EMMA[:4], STEP3_WEIGHTS)[3])
NORMED_EMBEDDINGS = to_array([STEP3_WEIGHTS["wte"][EMMA[3]], STEP3_WEIGHTS["wpe"][3]])
NORMED_EMBEDDINGS /= math.sqrt(fmean(NORMED_EMBEDDINGS.sum(axis=0) ** 2) + 1e-5)
LINE_GRADIENT = gradient_of_sum(np.array([1.0, 0.0]), lambda wb: (wb @ [0.4, 1]) ** 2)
SOFTMAX_JACOBIAN = [gradient_of_sum(Z, lambda z, i=i: softmax(z)[i]) for i in range(5)]
COMPLEX_ROTATIONS = np.exp(0.1j * np.arange(9))
COS, SIN = COMPLEX_ROTATIONS.real, COMPLEX_ROTATIONS.imag
ROTATION_MATRICES = np.array([[COS, -SIN], [SIN, COS]])
SORTED_SCORES = [np.sort(Z), -np.sort(-Z)]
SCORES_ASCENDING_AND_DESCENDING = np.array(SORTED_SCORES).T.reshape(5, 2, 1, 1)
ADAM, CONSTANT_GRADIENT_ADAM = (Adam([Value(0.7)]) for _ in range(2))
ADAM_OLD_WEIGHT = weight_after_steps(CONSTANT_GRADIENT_ADAM, *[0.3] * 3)
ADAM_NEW_WEIGHT = weight_after_steps(CONSTANT_GRADIENT_ADAM, 0.3)
FIRST_MOMENTS = CONSTANT_GRADIENT_ADAM.first_moments
SECOND_MOMENTS = CONSTANT_GRADIENT_ADAM.second_moments
ADAM_MOMENTS = {"m": FIRST_MOMENTS[0], "v": SECOND_MOMENTS[0]}
weight_after_steps(CONSTANT_GRADIENT_ADAM, 0.5)
SGD_NEW_WEIGHT = weight_after_steps(SGD([Value(ADAM_OLD_WEIGHT)]), 0.5)
weight_after_steps(ADAM, *G)
# Momentum's velocities with equal gradients, and the weight after each step
VELOCITIES = 0.3 * (1 - 0.9 ** np.arange(7)) / (1 - 0.9)
MOMENTUM_WEIGHTS = 3 - 0.1 * VELOCITIES.cumsum()
NESTEROV_WEIGHT = MOMENTUM_WEIGHTS[3] - np.dot(VELOCITIES[[4, 3]], [0.19, -0.09])
RMSPROP_OPTIMIZER = Adam([Value(MOMENTUM_WEIGHTS[3])], beta1=0.0)
OPERAND_COUNT = len(dot([ZERO := Value(0.0)] * 4, [ZERO] * 4)._children)
SCALARS: Variables = {"x": 0.6, "a": 0.3, "b": 0.8}
# Values of a formula's letters, by a pattern of its page#heading: the first that matches.
# A key with a space is the beginning of a formula whose first side has that value.
HEADING_VARIABLES: dict[str, Variables] = {
    "counting/ten-minutes#Four": {"p": EMMA_PROBABILITIES[0], r"-\ln p": FIRST_LOSS},
    "counting/probabilities": {"n": TOY_COUNTS_BEFORE, "p": TOY_PROBABILITIES},
    "counting/training#Training": {"n": TOY_COUNTS_BEFORE, "i": 0, "j": 1}
    | {r"n_{ij} \leftarrow": TOY_COUNTS[0][1]},
    "counting/sampling|companion/counting#(Prob|Inv)": {"p": EMMA_PROBABILITIES}
    | {r"P(\text{name}) =": math.exp(-5 * EMMA_LOSS)},
    # The surprise at each token is the logarithm of softmax's sum, less its logit.
    "inference[/#]": {"z": Z, "T": 0.7, "p": call_with_values(softmax, Z / 0.7)}
    | {"softmax": softmax_rows, r"-\log p": SURPRISES_OF_Z}
    | {"H": call_with_values(softmax, Z / 0.7) @ SURPRISES_OF_Z}
    | {r"p(\text{name}) =": np.prod(call_with_values(softmax, Z / 0.7))},
    "counting/loss": {"p": [0, *EMMA_PROBABILITIES], "n": 5, "L": EMMA_LOSS}
    | {r"\ln 27": step0.mean_loss(EMMA, step0.zero_counts(27))},
    # The shares of ten targets, whose mean surprise the sum is
    "companion/(counting#The loss|gradient-descent#To the end)": {
        "p": SHARES,
        "s": SHARES,
        "q": X,
        r"-\sum_j p_j \ln q_j": MEAN_SURPRISE,
        r"-\sum_j s_j \ln q_j": MEAN_SURPRISE,
    },
    "gradient-descent/training": {"w": 0.4, "eta": 0.1, "L": lambda v: v["w"] ** 2}
    | {r"w \leftarrow": weight_after_steps(SGD([Value(0.4)]), 2 * 0.4)},
    "gradient-descent/smallest": {"error": Z, "x": 0.4, "eta": 0.05}
    | {r"2 \cdot \text{error}": gradient_of_sum(Z, lambda z: z**2)}
    # The share of an error of 0.4 (as w is 1) that a step along both slopes leaves
    | {r"1 - 2\eta(x^2 + 1)": 1 - 0.05 * np.dot(LINE_GRADIENT, [0.4, 1]) / 0.4},
    "/parameters#": {r"27 \times 16 +": sum(map(np.size, STEP1_WEIGHTS.values()))},
    "gradient-descent/layers": {"w": M, "x": X, "y": call_with_values(linear, X, M)},
    "gradient-descent/softmax#|companion/gradient-descent#Softmax": {
        "z": Z,
        "p": call_with_values(softmax, Z),
    }
    | {"y": np.eye(5)[2]}
    | {"p_i - y_i": gradient_of_sum(Z, lambda z: -softmax(z)[2].log())},
    "gradient-descent/network": MLP_VARIABLES | {"z": mlp_output(RESIDUAL_VECTOR)},
    # On a parabola, points on both sides give the exact slope.
    "gradient-descent/numerical": {"L": lambda w: 2 * w**2, "w": 3, "varepsilon": 0.01}
    | {r"\frac{L(w + \varepsilon) - L(w)}": 4 * 3 + 2 * 0.01}
    | {r"\frac{L(w + \varepsilon) - L(w - \varepsilon)}": 4 * 3},
    r"softmax-gradient|companion/gradient-descent#The gradient of": {
        "y": np.eye(5)[2],
        "z": Z,
        "p": call_with_values(softmax, Z),
    }
    | {"p_i - y_i": gradient_of_sum(Z, lambda z: -softmax(z)[2].log())},
    "gradient-descent/analytic|companion/gradient-descent#The analytic": {
        "w": M,
        "x": X,
        "d": D,
        "z": call_with_values(linear, X, M),
        r"\frac{\partial L}{\partial w_{ij}} =": LINEAR_WEIGHT_SLOPES,
        r"\frac{\partial L}{\partial x_j} =": LINEAR_INPUT_SLOPES,
    },
    "mathematics#(exp|A deriv|Several|Slopes)|companion/efficiency#One file": SCALARS,
    "mathematics": {"w": X, "x": Z, "W": M, "n": 5, "mu": Z.mean(), "sigma": Z.std()}
    | {"p": np.array([1, 2, 3, 1, 3]) / 10, "E": fmean(Z.repeat([1, 2, 3, 1, 3]))},
    "autograd/": SCALARS
    | {"x": np.array([0.6, -0.6]), "n": 3},  # on both sides of ReLU's bend
    "attention/queries-keys-values|companion/attention#Queries": {
        "x": X,
        "W_q": Q,
        "W_k": K,
        "W_v": V,
    }
    | {"q": call_with_values(linear, X, Q), "k": call_with_values(linear, X, K)}
    | {"v": call_with_values(linear, X, V)},
    "attention/residuals|companion/attention#The residual|former/what-changes#Step 4": (
        MLP_VARIABLES
    )
    | {"MLP": mlp_output, "norm": np_rmsnorm, "f": lambda x: mlp_output(np_rmsnorm(x))}
    | {"W_o": LAYER_WEIGHTS["attn_wo"]}
    | {"y": LAYER_WEIGHTS["attn_wv"] @ np_rmsnorm(RESIDUAL_VECTOR)}
    | {"attention": lambda x: LAYER_WEIGHTS["attn_wo"] @ LAYER_WEIGHTS["attn_wv"] @ x}
    | {r"x \leftarrow x + f": MLP_OUTPUT, r"x \leftarrow x + \text{MLP}": MLP_OUTPUT}
    | {r"x \leftarrow": ATTENTION_RESULT}
    | {r"\text{MLP}(x) =": mlp_output(RESIDUAL_VECTOR)},
    # With an identity matrix as values, `attend` returns its weights. With the causal
    # mask, each row sees what it would see in a growing list of keys.
    "companion/attention#In ten": {"q": X, "k_j": K.T, "v": M, "d": 5}
    | {"softmax": softmax_rows, "a": call_with_values(attend, X, K, np.eye(5))}
    | {"y": call_with_values(attend, X, K, M), "Q": Q, "K": K, "V": V}
    | {"M": np.triu(np.full((5, 5), -math.inf), 1)}
    | {"Y": [call_with_values(attend, Q[n], K[: n + 1], V[: n + 1]) for n in range(5)]},
    "companion/transformer#What mixes": {"x": X, "z": Z, "W_q": Q, "W_k": K, "W_v": V}
    | {"q": call_with_values(linear, X, Q), "k": call_with_values(linear, Z, K)}
    | {"v": call_with_values(linear, Z, V)},
    "attention/scores|companion/attention#Scores": {"q": X, "k": K, "d": 5}
    | {"a": call_with_values(attend, X, K, np.eye(5))}
    | {"s": call_with_values(linear, X, K) / math.sqrt(5), "softmax": softmax_rows},
    "attention/recap|attention/positions#Positions": {"x =": POSITIONED_VECTOR}
    | {"x_i =": POSITIONED_VECTOR, "t": NORMED_EMBEDDINGS[0]}
    | {"p": NORMED_EMBEDDINGS[1], "s": Z, "a": call_with_values(softmax, Z), "x": X}
    | {"C": 5, "varepsilon": 1e-5, "hatx": NORMED_X, "softmax": softmax_rows},
    "companion/attention#Positions": {"i": 3, "j": 2, "u": 7, "d": 16, "theta": 0.1}
    | {"R": ROTATION_MATRICES.transpose(2, 0, 1), "q": X[:2], "k": Z[:2], "q_0": X[0]}
    | {"q_1": X[1], "p_{i,2j} =": COMPLEX_ROTATIONS[3].imag}
    | {"p_{i,2j+1} =": COMPLEX_ROTATIONS[3].real},
    "attention/average|companion/attention#The even": {
        "x": [0, *X],
        "n": 5,
        "t": Y,
        "p": Z,
    }
    | {"m_n": X.mean(), "m_n-1": X[:4].mean()},
    # LayerNorm is RMSNorm of the vector less its mean.
    "attention/rmsnorm|companion/attention#RMSNorm": {
        "x": X,
        "n": 5,
        "varepsilon": 1e-5,
    }
    | {"g": Z, "b": Y, "mu": X.mean(), "sigma": X.std(), "y": NORMED_X}
    | {r"y_i = g_i \, \frac{x_i}": Z * NORMED_X}
    | {r"y_i = g_i": Z * np_rmsnorm(X - X.mean()) + Y},
    "companion/attention#Training": {
        "barg": fmean(G),
        "t": 2.7764451,
        "s": stdev(G),
        "n": 5,
    }
    | {r"\bar g \pm t \, \frac{s}{\sqrt{n}}": confidence_interval(G.tolist())},
    "transformer/recap": {"V": 27, "L": 3, "C": 32, "T": 8}
    | {"2VC + TC + 12LC^2": Config(27, 3, 32, 4, 8).num_parameters},
    # With equal gradients, a corrected mean equals each gradient, or its square. AdamW's
    # new weight is Adam's, less the decay of the old one.
    "adam/what-changes|companion/adam#In ten": {
        "beta_1": 0.85,
        "beta_2": 0.99,
        "t": 4,
        "g": 0.5,
        "eta": 0.1,
    }
    | {"hatm": 0.3, "hatv": 0.09, "w": ADAM_OLD_WEIGHT, "varepsilon": 1e-8}
    | {"lambda": 0.01}
    | ADAM_MOMENTS
    | {r"m \leftarrow": FIRST_MOMENTS[0], r"v \leftarrow": SECOND_MOMENTS[0]}
    | {r"w \leftarrow w - \eta\, g": SGD_NEW_WEIGHT}
    | {r"w \leftarrow w - \eta \left(": ADAM_NEW_WEIGHT - 0.1 * 0.01 * ADAM_OLD_WEIGHT}
    | {r"w \leftarrow": ADAM_NEW_WEIGHT},
    # In a running mean, each gradient counts for a tenth; and Nesterov's weights are a
    # step ahead of the ball.
    "adam/momentum|companion/adam#(Momentum|Training)": {
        "beta": 0.9,
        "eta": 0.1,
        "g": 0.3,
        "w": MOMENTUM_WEIGHTS[3],
    }
    | {"t": 4, "b": VELOCITIES[4], "m": VELOCITIES[4] / 10, "u": -VELOCITIES[4] / 10}
    | {"T": 9, r"\eta_t =": linear_decay(0.1, 3, 9)}
    | {r"b \leftarrow": VELOCITIES[5], r"m \leftarrow": VELOCITIES[5] / 10}
    | {r"u \leftarrow": -VELOCITIES[5] / 10, "v": 0.09, "varepsilon": 1e-8}
    | {r"w \leftarrow w + u": MOMENTUM_WEIGHTS[4]}
    | {r"w \leftarrow w - \eta\, b": MOMENTUM_WEIGHTS[4]}
    | {r"w \leftarrow w - \eta\, m": np.dot(MOMENTUM_WEIGHTS[3:5], [0.9, 0.1])}
    | {"w_t-1": MOMENTUM_WEIGHTS[3], "w_t": MOMENTUM_WEIGHTS[4]}
    | {"w_t+1": MOMENTUM_WEIGHTS[5], "g_t": 0.3}
    | {r"w \leftarrow w - \eta\,(g": NESTEROV_WEIGHT}
    | {r"w \leftarrow": weight_after_steps(RMSPROP_OPTIMIZER, 0.3)}
    | {r"\frac{\eta}{1 - \beta}": 0.1 * sum(0.9**n for n in range(400))},
    "adam/bias-correction|companion/adam#Bias": {"beta": 0.85, "t": 5, "g": [0, *G]}
    | {"m": ADAM.first_moments[0]}
    | {"hatm": np.average(G, weights=0.85 ** np.arange(4, -1, -1))},
    "efficiency/one-node": {"a_0": 0.3, "a_1": 0.7, "b_0": 0.8, "b_1": 0.2}
    | {"z": lambda v: dot(*([v[f"{x}_{i}"] + ZERO for i in (0, 1)] for x in "ab"))}
    | {"z =": call_with_values(dot, [0.3, 0.7], [0.8, 0.2])},
    "efficiency/ways-back": {"x": X, "y": NORMED_X, "s": NORMED_X[0] / X[0], "n": 5}
    | {"dy": D, "dx": gradient_of_sum(X, lambda x: D @ rmsnorm(x))}
    | {"p": softmax_rows(Z), "d": Y}
    | {r"p_u \left( d_u": gradient_of_sum(Z, lambda z: Y @ softmax(z))},
    "efficiency/numpy-attention": {"a": M, "v": V, "dy": DY, "q": Q, "k": K, "ds": DS}
    | {"y": linear_rows(M, V.T), "s": linear_rows(Q, K)}
    | {"da": gradient_of_sum(M, lambda a: DY * (a @ V))}
    | {"dv": gradient_of_sum(V, lambda v: DY * (M @ v))}
    | {"dq": gradient_of_sum(Q, lambda q: DS * (q @ K.T))}
    | {"dk": gradient_of_sum(K, lambda k: DS * (Q @ k.T))},
    "efficiency/c#One": {"a": V, "b": M, r"c_{yx} \mathrel{+}=": linear_rows(V, M.T)},
    "efficiency/torch|companion/efficiency#PyTorch": {"bary": Y}
    | {"barx": gradient_of_sum(Z, lambda z: Y @ softmax(z))}
    | {"J": np.array(SOFTMAX_JACOBIAN)},
    "efficiency/flash": running_softmax(4)
    | running_softmax(5, "'")
    | {"s": SCORES_ASCENDING_AND_DESCENDING[4], "v": X[4]},
    # The time is the longer of two: to compute, and to move the data.
    "efficiency/roofline|companion/efficiency#The roof": {
        "P": 6,
        "I": np.array([9 / 8, 4]),
        "B": 3,
        "m": 2,
        "n": 5,
    }
    | {"v =": [9 / max(9 / 6, 8 / 3), 9 / max(9 / 6, 9 / 4 / 3)], "k": 4, "s": 8}
    | {"I =": 2 * 5 * OPERAND_COUNT / (8 * (2 * 4 + 4 * 5 + 2 * 5))},
    # One forward pass, and a backward pass that takes twice as much
    "efficiency/(speeds|scale)": {"N": 4, "D": 5, "C": 3 * OPERAND_COUNT * 5}
    | {"6N": 3 * OPERAND_COUNT},
    "efficiency/left-out": {"L": 3, "w": 16}
    | {"12Lw^2": Config(n_layer=4).num_parameters - Config(n_layer=1).num_parameters},
    "efficiency/practice": {"g": G[:, None], "c": np.array([[0.5, 5]])}
    | {r"g \leftarrow": G[:, None] * [0.5 / math.hypot(*G), 1]},
    "efficiency/assistant": {"beta": 0.5, "g": 0.3}
    | {"L": -math.log(call_with_values(softmax, [0.5 * 0.3, 0.0])[0])},
}
SYMBOL = re.compile(
    r"\\(?:text|operatorname|mathrel|begin|end)\{[^}]+\}|\\[A-Za-z]+|\d+|\S"
)
SIGN_CHANGES = {"+": "-", "-": "+", ">": "<", "'": "", "/": r"\cdot ", r"\cdot": "+"}
SIGN_CHANGES |= {r"\times": "+", r"\sum": r"\prod", r"\prod": r"\sum", r"\max": r"\min"}
SIGN_CHANGES |= {r"\min": r"\max", r"\sin": r"\cos", r"\cos": r"\sin"}
SIGN_CHANGES |= dict.fromkeys(["^", r"\frac", r"\sqrt", r"\ln", r"\log"], " ")
# Alterations that hold, too: a slope ignores constants, and a factor does not change 0
TRUE_ALTERATIONS = {
    *(r"(a + x) = 1", r"(a - b) = 1", r"(a b - b) = b", r"(a b + x) = b"),
    *(r"(13 + 2x) = 2", r"{\partial b}(a + b) = 1", r"(a + n) = 1"),
}


def find_formula_headings() -> dict[str, list[str]]:
    """Map each formula of all pages to the headings (page#heading) that it stands under."""
    guide = Guide(ROOT)
    headings: dict[str, list[str]] = {}
    for path in [*guide.page_paths, *guide.lab_paths]:
        text = "\n".join(line for _, line in guide.read_page(path).prose_lines())
        heading = ""
        for match in HEADING_OR_FORMULA.finditer(text):
            heading = match["heading"] or heading
            for part in (match["block"] or match["inline"] or "").split(r"\qquad"):
                page_and_heading = f"{path.with_suffix('')}#{heading}"
                headings.setdefault(part.strip(" $\n"), []).append(page_and_heading)
    return headings


HEADINGS_BY_FORMULA = find_formula_headings()
TESTED_FORMULAS = sorted(
    formula
    for formula in HEADINGS_BY_FORMULA.keys() - UNTESTED_FORMULAS
    if formula and not SINGLE_NAME.fullmatch(formula)
)


def find_variables_and_known_value(formula: str) -> tuple[Variables, Any]:
    """Return the variables of a formula, and its first side's value, None if not known."""
    headings = HEADINGS_BY_FORMULA[formula]
    keys = (p for p in HEADING_VARIABLES if any(re.search(p, h) for h in headings))
    variables = HEADING_VARIABLES[next(keys, "nowhere")]
    starts = (k for k in variables if formula.startswith(k) and " " in k)
    return variables, variables.get(next(starts, formula))


def formula_holds(formula: str, variables: Variables, known: Any = None) -> bool:
    """Return whether all sides of a formula have the same numbers."""
    left, *rest = RELATION_SIGN.split(formula)
    indices = find_free_indices(left, variables)
    if known is None:
        known = evaluate_side(left, variables, indices)
    same = pytest.approx(np.ravel(known).tolist(), rel=1e-11, abs=1e-12)
    sides = (evaluate_side(side, variables, indices) for side in rest[1::2] or [left])
    return all(side.tolist() == same for side in sides)


def alter_formula(formula: str, variables: Variables, known: Any) -> Iterator[str]:
    """Yield the formula with each sign, digit or letter replaced by another one."""
    left, *rest = RELATION_SIGN.split(formula)
    words = {word for word in [*variables, *SYMBOL.findall(formula)] if word.isalpha()}
    names = {word for word in words if len(word) == 1}
    greek = names | {f"\\{word}" for word in words}
    start = len(left) if rest and known is not None else 0
    for piece in SYMBOL.finditer(formula, start):
        old, before, after = piece[0], formula[: piece.start()], formula[piece.end() :]
        others = {f"{int(old) + 1}"} if old.isdigit() else {SIGN_CHANGES.get(old, old)}
        if old in greek:
            others = names if old in names else greek
        yield from (before + new + after for new in sorted(others - {old}))


@pytest.mark.parametrize("formula", TESTED_FORMULAS)
def test_formula_on_a_page_holds(formula: str) -> None:
    variables, known = find_variables_and_known_value(formula)
    assert known is not None or RELATION_SIGN.search(formula), (
        "HEADING_VARIABLES lacks its value"
    )
    assert formula_holds(formula, variables, known)


def test_altered_formulas_no_longer_hold() -> None:
    true: set[str] = set()
    for formula in TESTED_FORMULAS:
        variables, known = find_variables_and_known_value(formula)
        for other in alter_formula(formula, variables, known):
            with suppress(FormulaError):
                if formula_holds(other, variables, known):
                    true.add(other)
    true -= HEADINGS_BY_FORMULA.keys()
    alterations = {next((e for e in TRUE_ALTERATIONS if e in f), f) for f in true}
    assert alterations == TRUE_ALTERATIONS


def test_gradient_is_a_sum_over_paths() -> None:
    x, w = Value(0.3), Value(0.8)
    y = (x * w + x) * (x + w)
    y.backward()

    def along_paths(node: Value) -> float:
        edges = zip(node._children, node._local_grads, strict=True)
        return sum(s * along_paths(child) for child, s in edges) + (node is x)

    assert x.grad == pytest.approx(along_paths(y))
