from snippets import step1
from snippets.ready import step1_setup
from snippets.ready.gradients import numerical_slopes, wrong_slopes

names, tokenizer, weights = step1_setup()


def gradient_by_hand(tokens):
    """Return d(loss)/d(weight) for every weight."""
    gradient = step1.zeros_like(weights)
    pairs = list(zip(tokens, tokens[1:]))
    for token, target in pairs:
        x = weights["wte"][token]
        hidden = step1.linear(x, weights["fc1"])
        activated = [max(0.0, h) for h in hidden]
        logits = step1.linear(activated, weights["fc2"])
        d_logits = [p / len(pairs) for p in step1.softmax(logits)]
        d_logits[target] -= 1 / len(pairs)
        d_activated = step1.linear_backward(
            d_logits, activated, weights["fc2"], gradient["fc2"]
        )
        d_hidden = [d * (h > 0) for d, h in zip(d_activated, hidden)]
        d_x = step1.linear_backward(
            d_hidden, x, weights["fc1"], gradient["fc1"]
        )
        for j, d in enumerate(d_x):
            gradient["wte"][token][j] += d
    return gradient


ada = tokenizer.document("ada")
slopes = numerical_slopes(ada, weights, every=20)
print(wrong_slopes(gradient_by_hand(ada), slopes))
