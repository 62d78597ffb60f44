"""The model over lists of floats, with a row for each position."""

from collections.abc import Sequence
from itertools import islice, pairwise

from microgpt.engines import dot
from microgpt.engines.protocol import check_documents
from microgpt.engines.tape import Node, Tape
from microgpt.model import GPT


class Engine(dot.Engine):
    """An engine that computes with lists of floats, by a `Tape`.

    Only the weights are `Value`s: the tape gives their slopes.
    """

    def accumulate_gradient(self, tokens: Sequence[int]) -> float:
        """Add the gradient of a document's loss to every `grad`."""
        return accumulate_gradient(self.model, tokens)


def accumulate_gradient(model: GPT, tokens: Sequence[int]) -> float:
    """Add the gradient of a document's loss to every `grad`.

    Return the loss. Both agree with the graph's, but for rounding.
    """
    tape, weights = Tape(), weight_matrices(model)
    inputs, targets = inputs_and_targets(model, tokens)
    logits = compute_logits(tape, model, weights, inputs)
    loss = tape.loss(logits, targets)
    tape.backward()
    for name, matrix in model.weights.items():
        for row, slopes in zip(matrix, weights[name].grad, strict=True):
            for parameter, slope in zip(row, slopes, strict=True):
                parameter.grad += slope
    return loss


def document_loss(model: GPT, tokens: Sequence[int]) -> float:
    """Return the mean of −log p(next token), in nats."""
    check_documents([tokens], model.config)
    tape, weights = Tape(), weight_matrices(model)
    inputs, targets = inputs_and_targets(model, tokens)
    logits = compute_logits(tape, model, weights, inputs)
    return tape.loss(logits, targets)


def inputs_and_targets(
    model: GPT, tokens: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Return the tokens that are read, and the one that follows each.

    A document longer than the model's context is cut.
    """
    read = list(islice(pairwise(tokens), model.config.block_size))
    return [token for token, _ in read], [target for _, target in read]


def weight_matrices(model: GPT) -> dict[str, Node]:
    """Return a node for each weight matrix of a model, by its name."""
    return {
        name: Node([[p.data for p in row] for row in matrix])
        for name, matrix in model.weights.items()
    }


def compute_logits(
    tape: Tape,
    model: GPT,
    weights: dict[str, Node],
    tokens: Sequence[int],
) -> Node:
    """Return the logits of `GPT.forward`, (tokens, vocabulary)."""
    config = model.config
    token_rows = tape.take_rows(weights["wte"], tokens)
    position_rows = tape.take_rows(weights["wpe"], range(len(tokens)))
    x = tape.rmsnorm(tape.add(token_rows, position_rows))
    for layer in range(config.n_layer):
        normed = tape.rmsnorm(x)
        queries, keys, values = (
            tape.linear(normed, weights[f"layer{layer}.attn_w{kind}"])
            for kind in "qkv"
        )
        gathered = tape.attend(queries, keys, values, config.head_dim)
        output = tape.linear(gathered, weights[f"layer{layer}.attn_wo"])
        x = tape.add(output, x)
        normed = tape.rmsnorm(x)
        hidden = tape.linear(normed, weights[f"layer{layer}.mlp_fc1"])
        active = tape.relu(hidden)
        output = tape.linear(active, weights[f"layer{layer}.mlp_fc2"])
        x = tape.add(output, x)
    return tape.linear(x, weights["lm_head"])
