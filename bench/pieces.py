"""How large the pieces of a batch should be for NumPy."""

from functools import partial
from statistics import median

from bench.timing import digits, in_turn
from microgpt import Config, Run, Tokenizer, load_names

BATCH = 512
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
ROUNDS = 7


def pieces() -> dict[str, float]:
    """Return tokens per second, by how many documents are in a piece; sizes take turns."""
    from microgpt.engines.numpy import Engine

    names = load_names()
    config = Config(vocab_size=Tokenizer(names).vocab_size)
    run = Run(names, config, 1, batch_size=BATCH)
    documents = sorted(run.batch(), key=len)
    tokens = sum(min(len(each) - 1, config.block_size) for each in documents)
    engine = Engine(config, run.rng)

    def gradient(size: int) -> None:
        for i in range(0, len(documents), size):
            engine.gradient(documents[i : i + size], 1 / len(documents))

    works = {str(size): partial(gradient, size) for size in SIZES}
    taken = in_turn(works, ROUNDS)
    return {size: digits(tokens / median(times), 3) for size, times in taken.items()}
