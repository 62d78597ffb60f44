"""The pictures of Step 3, in the order of its pages."""

from microgpt import Tokenizer
from pictures.canvas import Axis, Canvas, Point
from pictures.records import LossCurve, TableLoss, add_loss_curves, load_record
from snippets.ready.attention import attention_weights
from snippets.sentences import make_sentences
from snippets.step1 import softmax
from widgets._weights import load_weights


def draw_verb_looking_back(canvas: Canvas) -> None:
    """Draw what the last letter of two sentences attends to: the subject's ending."""
    for i, sentence in enumerate(
        ("the dogs near the cat sleep", "the dog near the cats sleep")
    ):
        add_sentence_attention(canvas, sentence, (6, 58 + 96 * i), (16.6, 30))


def add_sentence_attention(
    canvas: Canvas, sentence: str, corner: Point, cell: tuple[float, float]
) -> None:
    """Draw a sentence, each letter filled by how much the last one attends to it.

    An arrow leads from the last letter to the one with the largest weight. The model
    has one head, and has learnt thirty thousand sentences.

    Args:
        canvas: The canvas to draw on.
        sentence: The sentence, without BOS, which is drawn as a dot.
        corner: The upper left corner of BOS, in pixels.
        cell: The width and height of a letter, in pixels.
    """
    trained, tokenizer = load_weights("sentences-one-30k"), Tokenizer(make_sentences())
    weights = attention_weights(trained, sentence, 1, tokenizer)[-1]
    (left, top), (width, height) = corner, cell
    opacities = [[0.06 + 0.94 * weight for weight in weights]]
    canvas.cell_grid(left, top, cell, opacities, "attention")
    middles = [left + width * (i + 0.5) for i in range(len(weights))]
    for x, letter in zip(middles, f"·{sentence}"):
        canvas.text(x - 0.5, top + 0.7 * height, letter, "large")
    most = weights.index(max(weights))
    start, end = (middles[-1], top - 3), (middles[most], top - 3)
    bend, line_width = -height, height / 8
    canvas.arrow(start, end, "attention", bend=bend, line_width=line_width)
    share = f"{100 * weights[most]:.0f}%"
    canvas.text(middles[most] - width, top - 8, share, "attention strong end")


def draw_query_matching_keys(canvas: Canvas) -> None:
    """Draw a query, the keys of letters, one of which matches it, and their values."""
    spacing, first = 116, 66  # pixels
    key_y, letter_y, value_y = 96, 158, 182
    query_x = first + 3 * spacing - 60
    canvas.text_box(query_x, 8, 112, 44, "query: is", "attention small", baseline=-3)
    canvas.text(query_x + 56, 44, "there an s?", "attention small")
    start = (query_x - 4, 40)
    cards = [("g", "letter"), ("s", "an s"), ("space", "gap"), ("p", "letter")]
    for i, (letter, key) in enumerate(cards):
        x, matches = first + spacing * i, letter == "s"
        # From the side of the query, and to its own key from below
        from_, to = (start, x + 14) if i < 3 else ((x, 54), x)
        weight = 5.0 if matches else 1.5
        canvas.arrow(from_, (to, key_y - 5), "attention", line_width=weight)
        canvas.text_box(x - 48, key_y, 96, 30, key, "parameter small")
        canvas.text(x, letter_y, letter, f"{'large' * (len(letter) == 1)} strong")
        value = "plural" if matches else "nothing"
        canvas.text_box(x - 48, value_y, 96, 30, value, "activation small")
    canvas.label(first - 48, key_y - 12, "keys", "parameter")
    canvas.label(first - 48, value_y + 54, "values", "activation")


def draw_scores_shares_and_blend(canvas: Canvas) -> None:
    """Draw the scores of all letters of "wasps", their shares, and what they take."""
    word, queries = "wasps", [0, 0, -2, 4, -2]
    keys, values = [0, 0, 1, 0, 1], [0, 0, 10, 0, 10]
    cell, top, scores_x, shares_x, blend_x = 36, 56, 26, 232, 444  # pixels
    canvas.label(scores_x, 14, "scores", "attention")
    canvas.label(shares_x, 14, "shares in %", "attention")
    canvas.text(blend_x, 14, "blend", "activation small")
    for j, letter in enumerate(word):
        for left in (scores_x, shares_x):
            canvas.text(left + cell * (j + 0.5), top - 10, letter, "strong")
    for i, (letter, query) in enumerate(zip(word, queries)):
        scores: list[float] = [query * key for key in keys]
        shares = softmax(scores[: i + 1])
        y = top + cell * i
        canvas.text(scores_x - 14, y + 23, letter, "strong")
        for j, score in enumerate(scores):
            x, role = scores_x + cell * j, "attention" if j <= i else "soft"
            if j <= i:
                canvas.box(x, y, cell - 2, cell - 2, role, opacity=0.15)
            canvas.text(x + cell / 2 - 1, y + 23, score, f"small {role}")
        for j, share in enumerate(shares):
            x, opacity = shares_x + cell * j, 0.1 + 0.6 * share
            canvas.box(x, y, cell - 2, cell - 2, "attention", opacity=opacity)
            canvas.text(x + cell / 2 - 1, y + 23, f"{100 * share:.0f}", "small")
        blend = sum(share * value for share, value in zip(shares, values))
        canvas.text(blend_x, y + 23, f"{blend:.1f}", "activation")
    values_y = top + cell * len(word) + 22
    canvas.text(shares_x - 10, values_y, "values", "activation small end")
    for j, value in enumerate(values):
        middle = shares_x + cell * (j + 0.5) - 1
        canvas.text(middle, values_y, value, "activation small")


def draw_loss_curves(canvas: Canvas) -> None:
    """Draw the loss curves of models, and the lowest losses of tables."""
    curves = (
        LossCurve("network", "one letter", "data", 6),
        LossCurve("positions", "+ position", "parameter", -9),
        LossCurve("even", "+ average", "activation", -4),
        LossCurve("one head", "one head", "attention", 7),
    )
    tables = (
        TableLoss("pairs", "table of pairs", True),
        TableLoss("Kneser-Ney", "table of four letters", True),
    )
    axis, ticks = Axis(2.29, 2.6, 280, 20), (2.3, 2.4, 2.5, 2.6)
    add_loss_curves(canvas, axis, ticks, curves, tables, "guide")


def draw_loss_increase_without_each_part(canvas: Canvas) -> None:
    """Draw how much the loss rises without each part, the largest rise first."""
    labels = {
        "attention": "attention",
        "residual": "residuals",
        "positions": "positions",
        "queries": "queries, keys",
        "mlp": "MLP",
        "root": "√d",
        "norm": "RMSNorm",
    }
    differences = load_record("ends")["guide"]["differences"]
    rows, role = [], "attention"
    for name, label in labels.items():
        cost, margin = differences[f"without {name}"]["100000"]
        rows.append((label, role, cost, f"{cost:.3f} ± {margin:.3f}"))
        role = "data"
    canvas.bar_chart(rows, 122, 4_400, row_height=36)
    canvas.label(122, 272, "nats of held-out loss that its absence costs", "soft")
