"""The widget of sentences gets the weights of the Trainer's recorded runs."""

import random

import pytest

from microgpt import GPT, Config, Tokenizer
from microgpt.autograd import Value
from microgpt.engines import lists
from snippets.sentences import OPENINGS, is_hard, make_sentences, share_right
from tests.models import assert_finite_json, load_record, make_refusal_test
from widgets.sentence_attention.model import SentenceModel, sentence_attention

OPENINGS_BY_MODEL: dict[SentenceModel, list[str]] = {
    "sentences-one-30k": [""],
    "openings-four-end": OPENINGS,
}


@pytest.mark.parametrize("model", OPENINGS_BY_MODEL)
def test_recorded_weights_get_the_hard_cases_right_in_the_package(
    model: SentenceModel,
) -> None:
    result = sentence_attention("the cats sleep", model)
    assert_finite_json(result)
    assert result["matrices"] == load_record(f"{model}-weights")
    sentences = make_sentences(OPENINGS_BY_MODEL[model])
    tokenizer = Tokenizer(sentences)
    assert result["characters"] == tokenizer.characters
    config = Config(tokenizer.vocab_size, n_head=result["heads"], block_size=72)
    gpt = GPT(config, random.Random(0))
    for name, rows in result["matrices"].items():
        gpt.weights[name] = [[Value(number) for number in row] for row in rows]

    def loss(sentence: str) -> float:
        tokens = tokenizer.document(sentence)
        return lists.document_loss(gpt, tokens) * (len(tokens) - 1)

    unseen = set(make_sentences(OPENINGS_BY_MODEL[model], 700, seed=1)) - set(sentences)
    hard = sorted(filter(is_hard, unseen))
    assert len(hard) > 80
    assert share_right(hard, loss) > 0.95


test_sentence_attention_refuses_unknown_letters_and_heads = make_refusal_test(
    sentence_attention,
    {"sentence": "the cats sleep", "model": "sentences-one-30k"},
    ({"sentence": "the cats sleep!"}, "sentence: expected known letters, got '!'"),
    ({"head": 1}, "head: expected a whole number from 0 to 0, got 1"),
    ({"model": "nothing"}, "run: expected one of counts, .*, got 'nothing'"),
)
