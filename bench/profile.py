"""Where the time of a training step goes.

Each figure is a share of a step, or a ratio of two steps taken in turn; the seconds
themselves depend too much on the machine.
"""

from collections.abc import Callable
from statistics import median
from time import perf_counter
from unittest.mock import patch

from bench.flops import ADAM
from bench.machine import elsewhere
from microgpt import Config, Run, Value, autograd, load_names
from microgpt.autograd import topological_order
from microgpt.engines import dot, load_engine
from microgpt.engines.run import pause_garbage_collection
from microgpt.training import document_loss

STEPS = 50


def phases(steps: int = STEPS) -> dict[str, float]:
    """Return the share of each phase in a step of the package as taught.

    `freed` is the time in which Python throws the graph away.
    """
    run = Run(load_names(), Config(), steps)
    engine = run.engine
    assert isinstance(engine, dot.Engine)
    taken: dict[str, list[float]] = {
        name: [] for name in ("forward", "order", "backward", "freed", "adam")
    }

    def timed_order(output: Value) -> list[Value]:
        start = perf_counter()
        order = topological_order(output)
        taken["order"].append(perf_counter() - start)
        return order

    with (
        pause_garbage_collection(),
        patch.object(autograd, "topological_order", timed_order),
    ):
        for _ in range(steps):
            (tokens,) = run.next_batch()
            start = perf_counter()
            loss = document_loss(engine.model, tokens)
            forward = perf_counter()
            loss.backward()
            backward = perf_counter()
            del loss
            freed = perf_counter()
            engine.optimizer.step(0.01)
            engine.optimizer.zero_grad()
            taken["adam"].append(perf_counter() - freed)
            taken["freed"].append(freed - backward)
            taken["backward"].append(backward - forward - taken["order"][-1])
            taken["forward"].append(forward - start)
    total = sum(map(sum, taken.values()))
    return {name: sum(times) / total for name, times in taken.items()}


def collector(name: str, steps: int = STEPS) -> float:
    """Return how much longer a step takes if Python looks for cycles meanwhile.

    Its search goes through all objects, those of a library too. So it is measured in a
    process of its own, which has loaded none.
    """
    found: float = elsewhere("bench.profile", f"here.awake({name!r}, {steps})")
    return found


def seconds_of(work: Callable[[], object]) -> float:
    """Return how long it takes; unlike `timeit`, with the collector as it is."""
    start = perf_counter()
    work()
    return perf_counter() - start


def awake(name: str, steps: int) -> float:
    """Return the ratio that `collector` asks for, in this process."""
    names = load_names()
    engine = load_engine(name)
    paused = Run(names, Config(), steps, engine=engine)
    searching = Run(names, Config(), steps, engine=engine)
    ratios = []
    for _ in range(steps):
        with pause_garbage_collection():
            without = seconds_of(paused.train_step)
        ratios.append(seconds_of(searching.train_step) / without)
    return median(ratios)


def arithmetic(steps: int = STEPS) -> float:
    """Return what share of a step its arithmetic takes in one loop of C.

    An edge stands for at most one operation forwards and two backwards. NumPy's dot
    product does as many, half of them multiplications and half additions.
    """
    import numpy as np

    run = Run(load_names(), Config(), steps)
    vector = np.ones(10_000)
    shares = []
    for _ in range(steps):
        (tokens,) = run.next_batch()
        nodes = topological_order(document_loss(run.model, tokens))
        edges = sum(len(node._children) for node in nodes)
        del nodes
        operations = 3 * edges + ADAM * run.config.num_parameters
        loop = seconds_of(lambda: [np.dot(vector, vector) for _ in range(100)])
        with pause_garbage_collection():
            step = seconds_of(run.train_step)
        shares.append(operations * loop / (100 * 2 * len(vector)) / step)
    return median(shares)
