import math
import random
from collections import Counter

import pytest

from microgpt.model import GPT, Config
from microgpt.sampling import sample
from microgpt.tokenizer import Tokenizer


def model_and_tokenizer(std: float = 0.6, block_size: int = 6) -> tuple[GPT, Tokenizer]:
    tokenizer = Tokenizer(["abc"])
    config = Config(tokenizer.vocab_size, 1, 4, 2, block_size)
    return GPT(config, random.Random(3), std=std), tokenizer


def next_probabilities(
    model: GPT, tokenizer: Tokenizer, temperature: float, prompt: str
) -> list[float]:
    cache = model.new_cache()
    logits = model.forward(tokenizer.bos, cache)
    for token in tokenizer.encode(prompt):
        logits = model.forward(token, cache)
    exps = [math.exp(logit.data / temperature) for logit in logits]
    return [e / sum(exps) for e in exps]


@pytest.mark.parametrize(
    ("temperature", "prompt"), [(1.0, ""), (0.5, "ca"), (3.0, "b")]
)
def test_letters_come_as_often_as_the_model_predicts(
    temperature: float, prompt: str
) -> None:
    model, tokenizer = model_and_tokenizer(block_size=len(prompt) + 1)
    rng, n = random.Random(0), 1000
    drawn = Counter(
        sample(model, tokenizer, rng, temperature, prompt) for _ in range(n)
    )
    expected = next_probabilities(model, tokenizer, temperature, prompt)
    for letter, p in zip(["a", "b", "c", ""], expected, strict=True):
        deviation = math.sqrt(p * (1 - p) / n)
        assert drawn[prompt + letter] / n == pytest.approx(p, abs=4 * deviation)


def test_a_prompt_may_fill_the_context_and_not_be_longer() -> None:
    model, tokenizer = model_and_tokenizer()
    assert sample(model, tokenizer, random.Random(1), prompt="abcabc") == "abcabc"
    with pytest.raises(IndexError):
        sample(model, tokenizer, random.Random(1), prompt="abcabca")
    tokenizer = Tokenizer(["ab\u00e9"])  # which may be typed as two characters
    assert sample(model, tokenizer, random.Random(1), prompt="e\u0301" * 6) == (
        "\u00e9" * 6
    )


@pytest.mark.parametrize("temperature", [0, 0.0, -1.0, math.nan])
def test_a_temperature_that_is_not_above_0_is_refused(temperature: float) -> None:
    told = f"^the temperature must be above 0, not {temperature}$"
    with pytest.raises(ValueError, match=told):
        model, tokenizer = model_and_tokenizer()
        sample(model, tokenizer, random.Random(1), temperature)
