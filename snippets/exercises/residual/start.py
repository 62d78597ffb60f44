import random

from microgpt import Tokenizer, Value, load_names
from microgpt.attention import Cache, attend
from microgpt.nn import linear, rmsnorm, softmax
from snippets.step3 import initial_weights

tokenizer = Tokenizer(load_names())
weights = initial_weights(tokenizer.vocab_size, random.Random(42))


def forward(token, weights, cache):
    """Read one more token; return a logit for each to come."""
    token_embedding = weights["wte"][token]
    position_embedding = weights["wpe"][len(cache.keys)]
    x = [t + p for t, p in zip(token_embedding, position_embedding)]
    x = rmsnorm(x)

    normed = rmsnorm(x)
    query = linear(normed, weights["attn_wq"])
    cache.keys.append(linear(normed, weights["attn_wk"]))
    cache.values.append(linear(normed, weights["attn_wv"]))
    gathered = attend(query, cache.keys, cache.values)
    x = linear(gathered, weights["attn_wo"])

    hidden = linear(rmsnorm(x), weights["mlp_fc1"])
    activated = [h.relu() for h in hidden]
    x = linear(activated, weights["mlp_fc2"])

    return linear(x, weights["lm_head"])


def reaching_the_embeddings():
    """Return how long the gradient of wte is, for the loss of emma."""
    tokens, cache, losses = tokenizer.document("emma"), Cache(), []
    for token, target in zip(tokens, tokens[1:]):
        probabilities = softmax(forward(token, weights, cache))
        losses.append(-probabilities[target].log())
    (Value.sum(losses) / len(losses)).backward()
    grads = [p.grad for row in weights["wte"] for p in row]
    return sum(grad**2 for grad in grads) ** 0.5


print(f"{reaching_the_embeddings():.4f}")
times = None
