import math
import random
from itertools import islice, pairwise

import pytest

from microgpt.engines.run import Run
from microgpt.model import GPT, Config
from microgpt.sampling import sample
from microgpt.training import document_loss, train

from .helpers import NAMES, VOCABULARY


def test_the_loss_is_the_mean_of_minus_log_p_over_the_tokens_that_fit() -> None:
    model = GPT(Config(4, n_embd=4, block_size=3), random.Random(0), std=0.5)
    tokens, cache, losses = [3, 0, 1, 2, 0, 3], model.new_cache(), []
    for token, target in islice(pairwise(tokens), 3):
        exps = [math.exp(logit.data) for logit in model.forward(token, cache)]
        losses.append(-math.log(exps[target] / sum(exps)))
    loss = document_loss(model, tokens)
    assert loss.data == pytest.approx(sum(losses) / 3, rel=1e-12)
    short = document_loss(model, [3, 0, 3])
    assert short.data < 3 * math.log(4)


def test_the_slopes_of_the_loss_equal_finite_differences() -> None:
    model = GPT(Config(4, 2, 4, 2, 4), random.Random(5), std=0.5)
    tokens = [3, 0, 1, 2, 3]
    document_loss(model, tokens).backward()
    for parameter in model.parameters()[::7]:
        data, losses = parameter.data, []
        for step in (1e-5, -1e-5):
            parameter.data = data + step
            losses.append(document_loss(model, tokens).data)
        parameter.data = data
        difference = (losses[0] - losses[1]) / 2e-5
        assert parameter.grad == pytest.approx(difference, rel=1e-5, abs=1e-8)


def test_the_loop_of_the_lesson_takes_the_steps_of_a_run() -> None:
    run = Run(NAMES, Config(VOCABULARY, n_embd=8, block_size=8), 12)
    rng, names = random.Random(42), list(NAMES)
    rng.shuffle(names)
    model = GPT(run.config, rng)
    documents = [run.tokenizer.document(name) for name in names]
    assert list(train(model, documents, 12)) == list(run.train())
    assert sample(model, run.tokenizer, rng) == sample(
        run.model, run.tokenizer, run.rng
    )
