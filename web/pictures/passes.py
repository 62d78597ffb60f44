"""What two pictures draw: all that the trained model computes from a name."""

from microgpt import load_model, rmsnorm, softmax
from microgpt.nn import linear


def passes(name: str) -> list[dict[str, list[float]]]:
    """Return the vectors of each token of a name, the start first, in their order."""
    model, tokenizer = load_model()
    weights = {key.removeprefix("layer0."): m for key, m in model.weights.items()}
    cache, found = model.new_cache()[0], []
    for place, token in enumerate(tokenizer.document(name)[:-1]):
        letter, position = weights["wte"][token], weights["wpe"][place]
        both = [t + p for t, p in zip(letter, position, strict=True)]
        x = rmsnorm(both)
        attended = model.attention(x, 0, cache)
        hidden = linear(rmsnorm(attended), weights["mlp_fc1"])
        end = model.mlp(attended, 0)
        logits = linear(end, weights["lm_head"])
        vectors = {
            "wte": letter,
            "wpe": position,
            "both": both,
            "x": x,
            "query": linear(rmsnorm(x), weights["attn_wq"]),
            "kept": cache.keys[-1] + cache.values[-1],
            "attended": attended,
            "hidden": hidden,
            "active": [h.relu() for h in hidden],
            "end": end,
            "logits": logits,
            "chances": softmax(logits),
        }
        found.append({key: [x.data for x in row] for key, row in vectors.items()})
    return found
