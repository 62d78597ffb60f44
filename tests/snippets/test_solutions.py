"""Solutions of exercises give the same results as the package and the programs."""

import math
import random
from importlib.resources import files
from itertools import pairwise
from typing import Any

from pytest import approx

from microgpt import GPT, Adam, Config, Value, document_loss, topological_order
from snippets import exercises, step1
from snippets.exercises.batch_gradient.check import DOCUMENTS
from snippets.exercises.bias_correction.check import UNSTEADY
from snippets.exercises.centring.check import DERIVATIVES
from snippets.exercises.multiplications.check import CASES
from snippets.exercises.stable_softmax.check import LOGITS
from snippets.exercises.walk_to_repair import check as walk


def run_solution(exercise: str) -> Any:
    """Run the solution of an exercise; return its namespace."""
    text = files(exercises).joinpath(exercise, "solution.py").read_text("utf-8")
    return exercises.run_definitions(text)


def test_solutions_of_operations_equal_the_package() -> None:
    for number in (0.5, -1.5, 1000.0):
        x = Value(number)
        y = run_solution("tanh")["tanh"](x)
        y.backward()
        slope = 1 - math.tanh(number) ** 2
        assert (y.data, x.grad) == approx((math.tanh(number), slope))
    for logits in LOGITS:
        softmax = run_solution("stable_softmax")["softmax"]
        assert softmax(logits) == step1.softmax(logits)
    for slopes in DERIVATIVES:
        row = [Value(float(i * i)) for i in range(len(slopes))]
        mean = Value.sum(row) / len(row)
        Value.sum((x - mean) * d for x, d in zip(row, slopes)).backward()
        backward = run_solution("centring")["backward"]
        assert backward(slopes) == approx([x.grad for x in row])


def test_solutions_of_gradients_equal_backward() -> None:
    for graph in walk.CASES.values():
        gradients = walk.run_case(run_solution("walk_to_repair"), graph)
        a, b = Value(2.0), Value(3.0)
        graph(a, b).backward()
        assert list(gradients.values()) == [a.grad, b.grad]
    a, b = Value(2.0), Value(3.0)
    c = a * b
    d = c + a
    e = d * b
    e.backward()
    assert run_solution("gradients_by_hand")["gradients"]() == {
        name: node.grad for name, node in zip("edcba", (e, d, c, b, a), strict=True)
    }
    program = run_solution("broken_gradient")
    tokens = program["tokenizer"].document("emma")
    expected = step1.analytic_gradient(tokens, program["weights"])
    assert program["gradient_by_hand"](tokens) == expected
    models = [GPT(Config(5, n_embd=4), random.Random(1)) for _ in range(2)]
    loss = Value.sum(document_loss(models[0], tokens) for tokens in DOCUMENTS) / 3
    loss.backward()
    learn = run_solution("batch_gradient")["learn"]
    assert learn(models[1], DOCUMENTS) == approx(loss.data)
    one, other = ([p.grad for p in model.parameters()] for model in models)
    assert one == approx(other)


def test_solution_of_bias_correction_equals_adam() -> None:
    parameter, path = Value(0.0), [0.0]
    optimizer = Adam([parameter], 0.5, 0.9)
    for parameter.grad in UNSTEADY:
        optimizer.step(0.01)
        path.append(parameter.data)
    moves = run_solution("bias_correction")["moves"](UNSTEADY, 0.01, 0.5, 0.9)
    assert moves == approx([b - a for a, b in pairwise(path)])


def test_solutions_of_counts_equal_real_models() -> None:
    assert run_solution("count_parameters")["count_parameters"](7, 8, 8, 3) == (
        Config(7, 3, 8, 4, 8).num_parameters
    )
    for config, length in CASES.values():
        model = GPT(config, random.Random(1))
        cache, total = model.new_cache(), 0
        rows = [model.forward(0, cache) for _ in range(length)]
        for node in topological_order(Value.sum(x for row in rows for x in row)):
            half = len(node._children) // 2
            # RMSNorm's product of a vector with itself is left out
            is_norm = node._children[:half] == node._children[half:]
            total += half if node._op == "dot" and not is_norm else 0
        multiplications = run_solution("multiplications")["multiplications"]
        assert multiplications(config, length) == total
