import gc
import json
import math
import random
from itertools import islice, pairwise

import pytest

from bench.textbook import Textbook
from microgpt.autograd import collector_paused
from microgpt.data import load_names
from microgpt.model import GPT, Config
from microgpt.sampling import sample
from microgpt.training import Run, document_loss
from tests.thorough import nightly, one_of_each

from .helpers import NAMES, ORIGINAL

needs_original = pytest.mark.skipif(
    not (ORIGINAL / "canonical.json").exists(),
    reason="the original's names and losses are not beside the repository",
)
VOCABULARY = len(set("".join(NAMES))) + 1


@pytest.mark.parametrize("n_layer", one_of_each([2, 1]))
def test_losses_and_samples_equal_those_of_a_textbook(n_layer):
    steps = 20 if n_layer == 1 else 4
    run = Run(NAMES, Config(VOCABULARY, n_layer=n_layer), steps)
    textbook = Textbook(NAMES, steps, n_layer=n_layer)
    assert run.documents == textbook.documents
    assert list(run.train()) == pytest.approx(list(textbook.train()), rel=0, abs=1e-12)
    for _ in range(3):
        assert sample(run.model, run.tokenizer, run.rng) == textbook.sample()


@needs_original
def test_the_first_100_losses_are_those_of_the_original():
    canonical = json.loads((ORIGINAL / "canonical.json").read_text())
    run = Run(load_names(ORIGINAL / "names.txt"), Config(), canonical["steps"])
    assert len(run.documents) == canonical["num_docs"] == 32033
    assert run.documents[0] == "yuheng"
    assert run.tokenizer.vocab_size == 27
    assert len(run.engine.optimizer.parameters) == 4192
    losses = list(run.train(stop=100))
    expected = canonical["losses_first_100"]
    assert losses == pytest.approx(expected, rel=0, abs=1e-12)


@needs_original
@nightly
def test_the_whole_run_and_its_samples_are_those_of_the_original():
    canonical = json.loads((ORIGINAL / "canonical.json").read_text())
    run = Run(load_names(ORIGINAL / "names.txt"), Config(), 1000)
    losses = list(run.train())
    assert f"{losses[-1]:.4f}" == "2.6497"
    samples = [sample(run.model, run.tokenizer, run.rng) for _ in range(10)]
    assert " ".join(samples) == (
        "kamon ann karai jaire vialan karia yeran anna areli kaina"
    )
    assert losses[:100] == pytest.approx(
        canonical["losses_first_100"], rel=0, abs=1e-12
    )


def test_the_loss_is_the_mean_of_minus_log_p_over_the_tokens_that_fit():
    model = GPT(Config(4, n_embd=4, block_size=3), random.Random(0), std=0.5)
    tokens, cache, losses = [3, 0, 1, 2, 0, 3], model.new_cache(), []
    for token, target in islice(pairwise(tokens), 3):
        exps = [math.exp(logit.data) for logit in model.forward(token, cache)]
        losses.append(-math.log(exps[target] / sum(exps)))
    loss = document_loss(model, tokens)
    assert loss.data == pytest.approx(sum(losses) / 3, rel=1e-12)
    short = document_loss(model, [3, 0, 3])
    assert short.data < 3 * math.log(4)


def test_a_model_that_knows_nothing_is_as_unsure_as_a_fair_choice():
    model = GPT(Config(27), random.Random(0), std=0.0)
    assert document_loss(model, [26, 0, 1, 26]).data == pytest.approx(math.log(27))


def test_the_slopes_of_the_loss_equal_finite_differences():
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


def small_run(steps=8, seed=42):
    return Run(NAMES, Config(VOCABULARY, n_embd=4, block_size=8), steps, seed)


def test_a_run_that_stops_and_goes_on_equals_one_that_does_not():
    whole, parts = small_run(), small_run()
    losses = list(parts.train(stop=3))
    assert (parts.step, len(losses)) == (3, 3)
    losses += parts.train()
    assert losses == list(whole.train())
    assert (whole.step, parts.step) == (8, 8)


def test_a_run_never_goes_beyond_its_last_step():
    run = small_run(steps=2)
    assert len(list(run.train(stop=5))) == 2
    assert list(run.train()) == []


@pytest.mark.parametrize("vocab_size", [3, 5])
def test_a_config_for_another_vocabulary_is_refused(vocab_size):
    with pytest.raises(ValueError, match=f"must be 4 for .*, not {vocab_size}$"):
        Run(["ada", "bad"], Config(vocab_size), 5)


@pytest.mark.parametrize(("documents", "batch_size"), [([], 1), (["a"], 0)])
def test_a_run_with_nothing_to_learn_from_is_refused(documents, batch_size):
    config = Config(len(documents) + 1)
    with pytest.raises(ValueError, match=r"^each step needs a document to learn from$"):
        Run(documents, config, 5, batch_size=batch_size)


def test_documents_come_round_again():
    run = Run(["ab", "ba"], Config(3, n_embd=4), 5)
    seen = []
    encode = run.tokenizer.document
    run.tokenizer.document = lambda text: seen.append(text) or encode(text)
    list(run.train())
    assert seen == [run.documents[i % 2] for i in range(5)]


def test_training_lowers_the_loss():
    run = Run(["anna", "ben"], Config(5, n_embd=8, block_size=8), 60)
    losses = list(run.train())
    assert sum(losses[-2:]) < sum(losses[:2]) / 2


def test_the_seed_decides_on_order_and_weights():
    first, again, other = small_run(), small_run(), small_run(seed=1)
    assert first.documents == again.documents != other.documents
    assert sorted(first.documents) == sorted(NAMES)
    weights = [
        [p.data for p in run.engine.optimizer.parameters] for run in (first, again)
    ]
    assert (
        weights[0] == weights[1] != [p.data for p in other.engine.optimizer.parameters]
    )


def test_gradients_are_forgotten_after_each_step():
    run = small_run()
    next(run.train())
    assert not any(parameter.grad for parameter in run.engine.optimizer.parameters)


def test_the_collector_is_paused_during_a_step_only():
    assert gc.isenabled()
    with collector_paused():
        assert not gc.isenabled()
        with collector_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
    run, collects = small_run(2), []
    gradient = run.engine.gradient
    run.engine.gradient = lambda *given: (
        collects.append(gc.isenabled()) or gradient(*given)
    )
    for _ in run.train():
        assert gc.isenabled()
    assert collects == [False, False]
