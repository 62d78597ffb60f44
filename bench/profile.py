"""Where the time of a training step goes.

Each result is a share of a step, or a ratio of two steps taken in turn: seconds depend
too much on the machine.
"""

from collections.abc import Callable
from statistics import median
from time import perf_counter
from unittest.mock import patch

from bench.flops import ADAM_FLOPS
from bench.machine import evaluate_in_subprocess
from bench.timing import round_significant
from microgpt import Config, Run, Value, autograd, load_names
from microgpt.autograd import topological_order
from microgpt.engines import dot, load_engine
from microgpt.engines.run import pause_garbage_collection
from microgpt.training import document_loss

TIMED_STEPS = 50


def measure_phase_shares(steps: int = TIMED_STEPS) -> dict[str, float]:
    """Return each phase's share of the time of a step of the engine `dot`.

    In the phase `freed`, Python deletes the graph.
    """
    run = Run(load_names(), Config(), steps)
    engine = run.engine
    assert isinstance(engine, dot.Engine)
    seconds: dict[str, list[float]] = {
        name: [] for name in ("forward", "order", "backward", "freed", "adam")
    }

    def timed_order(output: Value) -> list[Value]:
        start = perf_counter()
        order = topological_order(output)
        seconds["order"].append(perf_counter() - start)
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
            seconds["adam"].append(perf_counter() - freed)
            seconds["freed"].append(freed - backward)
            seconds["backward"].append(backward - forward - seconds["order"][-1])
            seconds["forward"].append(forward - start)
    total = sum(map(sum, seconds.values()))
    return {name: sum(times) / total for name, times in seconds.items()}


def measure_collector_costs() -> dict[str, float]:
    """Return the ratio of step times with and without garbage collection, by engine.

    The collector searches all objects, those of libraries too, so each engine is
    measured in a fresh process without libraries.
    """
    return {
        name: evaluate_in_subprocess(
            "bench.profile", f"module.measure_collector_cost({name!r})"
        )
        for name in ("dot", "value")
    }


def time_call(function: Callable[[], object]) -> float:
    """Return the seconds of a call; unlike `timeit`, leave the garbage collector on."""
    start = perf_counter()
    function()
    return perf_counter() - start


def measure_collector_cost(engine_name: str) -> float:
    """Return the median slowdown of a step by the garbage collector, 1 for none."""
    engine = load_engine(engine_name)
    without_gc, with_gc = (
        Run(load_names(), Config(), TIMED_STEPS, engine=engine) for _ in range(2)
    )
    ratios = []
    for _ in range(TIMED_STEPS):
        with pause_garbage_collection():
            seconds = time_call(without_gc.train_step)
        ratios.append(time_call(with_gc.train_step) / seconds)
    return round_significant(median(ratios), 3)


def measure_arithmetic_share() -> float:
    """Return the share of a step's time that its arithmetic would take in C.

    Each edge of the graph counts as one operation forward and two backward, an upper
    bound. The speed of C is that of NumPy's dot product, two operations per element.
    """
    import numpy as np

    run = Run(load_names(), Config(), TIMED_STEPS)
    vector = np.ones(10_000)
    shares = []
    for _ in range(TIMED_STEPS):
        (tokens,) = run.next_batch()
        nodes = topological_order(document_loss(run.model, tokens))
        edges = sum(len(node._children) for node in nodes)
        del nodes
        operations = 3 * edges + ADAM_FLOPS * run.config.num_parameters
        loop = time_call(lambda: [np.dot(vector, vector) for _ in range(100)])
        with pause_garbage_collection():
            step = time_call(run.train_step)
        shares.append(operations * loop / (100 * 2 * len(vector)) / step)
    return median(shares)
