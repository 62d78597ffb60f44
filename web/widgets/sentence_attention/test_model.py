"""The widget of sentences gets the weights of the Trainer's recorded runs."""

import random

import pytest

from microgpt import GPT, Config, Tokenizer
from microgpt.autograd import Value
from microgpt.engines import lists
from snippets.sentences import OPENINGS, is_hard, make_sentences, share_right
from tests.models import assert_finite_json, load_record, make_refusal_test
from widgets.sentence_attention.model import SentenceModel, sentence_attention

# Each model with its recorded weights and the openings of the sentences it has learnt
MODELS: dict[SentenceModel, tuple[str, list[str]]] = {
    "sentences-one-30k": ("sentences-one-30k-weights", [""]),
    "openings-four-end": ("openings-four-end-weights", OPENINGS),
}


@pytest.mark.parametrize("model", MODELS)
def test_recorded_weights_get_the_hard_cases_right_in_the_package(
    model: SentenceModel,
) -> None:
    record, openings = MODELS[model]
    result = sentence_attention("the cats sleep", model)
    assert_finite_json(result)
    assert result["matrices"] == load_record(record)
    sentences = make_sentences(openings)
    tokenizer = Tokenizer(sentences)
    assert result["characters"] == tokenizer.characters
    config = Config(tokenizer.vocab_size, n_head=result["heads"], block_size=72)
    gpt = GPT(config, random.Random(0))
    for name, rows in result["matrices"].items():
        gpt.weights[name] = [[Value(number) for number in row] for row in rows]

    def loss(sentence: str) -> float:
        tokens = tokenizer.document(sentence)
        return lists.document_loss(gpt, tokens) * (len(tokens) - 1)

    unseen = set(make_sentences(openings, 700, seed=1)) - set(sentences)
    hard = sorted(filter(is_hard, unseen))
    assert len(hard) > 80
    assert share_right(hard, loss) > 0.95


test_sentence_attention_refuses_unknown_letters_and_heads = make_refusal_test(
    sentence_attention,
    {"sentence": "the cats sleep", "model": "sentences-one-30k"},
    ({"sentence": "the cats sleep!"}, "sentence: expected known letters, got '!'"),
    ({"examples": ["a", "the cat?"]}, "sentence: expected known letters, got '[?]'"),
    ({"head": 1}, "head: expected a whole number from 0 to 0, got 1"),
    ({"model": "nothing"}, "run: expected one of counts, .*, got 'nothing'"),
)
