"""The pictures of Step 4, in the order of its pages."""

from statistics import fmean

from microgpt import Config
from pictures.attention import asking
from pictures.drawing import Axis, Drawing
from pictures.records import recorded
from snippets.ready.attention import looks
from widgets._weights import gpt_weights


def four_heads(sheet: Drawing) -> None:
    """Draw where each of four trained heads looks at the last letter of "lena"."""
    heads = Config().n_head
    asked = looks(gpt_weights("four-end"), "len", heads)[-heads:]
    for head, given in enumerate(asked):
        y = 116 * head + 58
        sheet.text(8, y + 21, f"head {head}", "attention strong start")
        asking(sheet, "len", given, (132, y), 100, 10)


def lanes(sheet: Drawing) -> None:
    """Draw a vector in four lanes: each head has four numbers, and only wo lets them meet."""
    left, cell, gap = 112, 19, 14  # pixels
    sizes = Config()
    heads, width = sizes.n_head, sizes.head_dim
    lane = cell * width + gap
    wide, size = heads * lane - gap, (cell, 30)
    for y, name in ((8, "query"), (136, "gathered")):
        sheet.label(4, y + 19, name)
        for head in range(heads):
            role, shade = ("activation", 0.18) if head else ("attention", 0.75)
            sheet.cells(left + head * lane, y, size, [[shade] * width], role, gap=2)
    sheet.label(4, 291, "output")
    whole = [[0.75] * sizes.n_embd]
    sheet.cells(left + gap * 1.5, 272, size, whole, "attention", gap=2)
    for head in range(heads):
        middle = left + head * lane + cell * width / 2
        role = "attention" if head == 0 else ""
        sheet.arrow((middle, 40), (middle, 60), role)
        sheet.block(middle - 38, 62, 76, 46, f"head {head}", f"{role} small", down=-4)
        said = f"{head * width}–{head * width + width - 1}"
        sheet.text(middle, 99, said, f"{role or 'soft'} small")
        sheet.arrow((middle, 110), (middle, 130), role)
        sheet.arrow((middle, 168), (middle, 194), role)
    said = "wo: every lane into every number"
    sheet.block(left, 196, wide, 40, said, "parameter small")
    sheet.arrow((left + wide / 2, 238), (left + wide / 2, 266), "attention")


def copied(sheet: Drawing) -> None:
    """Draw how two layers continue a known name: one notes what came before, one asks."""
    pieces = ("Pot", "ter", "ran", ".", "Pot")
    first, apart = 48, 92  # pixels
    spots = [first + apart * i for i in range(len(pieces))]
    sheet.label(4, 84, "the second layer asks: who has noted a “Pot”?", "attention")
    sheet.arrow((spots[4], 118), (spots[1], 118), "attention", bend=-14, weight=3)
    for i, (x, said) in enumerate(zip(spots, pieces, strict=True)):
        role = "attention" if i in (1, 4) else "data"
        sheet.block(x - 34, 124, 68, 34, said, role)
        if i:
            sheet.arrow((x - 8, 160), (spots[i - 1] + 8, 160), "soft", bend=10)
            noted = f"after {pieces[i - 1]}"
            sheet.text(x, 204, noted, "small" + " attention strong" * (i == 1))
    sheet.label(4, 232, "the first layer notes: which piece came before?", "soft")
    sheet.arrow((spots[4], 122), (spots[4], 50), "activation")
    sheet.block(spots[4] - 34, 12, 68, 34, "ter", "activation strong")


def island(sheet: Drawing) -> None:
    """Draw how many of 100 names are still doubled right without each part."""
    rows = {
        "two layers": "the whole model",
        "two layers, one head": "one head a layer",
        "without mlp": "without the MLP",
        "without norm": "without norms",
        "without root": "without √d",
        "without positions": "without positions",
        "without queries": "without queries",
        "one layer": "one layer",
        "without residual": "without residuals",
    }
    found, role = [], "attention"
    for name, said in rows.items():
        right = fmean(run["right"][-1] for run in recorded("doubled")[name]["runs"])
        found.append((said, role, right, round(right)))
        role = "data"
    sheet.bars(found, 176, 2.5)
    sheet.label(176, 326, "right names of a hundred", "soft")


def choices(sheet: Drawing) -> None:
    """Draw each variant's loss minus the lesson's, on the original's names."""
    rows = (
        ("no MLP", "without mlp"),
        ("MLP 1×", "mlp 1x"),
        ("MLP 2×", "mlp 2x"),
        ("MLP 8×", "mlp 8x"),
        ("no first norm", "without first norm"),
        ("norm after", "post-norm"),
        ("tied ends", "tied"),
    )
    found = recorded("variants")["original"]["differences"]
    sheet.axes(Axis(-0.01, 0.04, 134, 444), Axis(len(rows) - 0.5, -0.7, 292, 34))
    ticks = (-0.01, 0.0, 0.01, 0.02, 0.03, 0.04)
    sheet.foot(ticks, "g", "nats more than ours", grid=True)
    zero = sheet.curve([(0, -0.7), (0, len(rows) - 0.5)], look="")[0][0]
    sheet.text(zero - 6, 22, "← better", "small soft end")
    sheet.label(zero + 6, 22, "worse →", "soft")
    for row, (said, name) in enumerate(rows):
        sheet.label(4, sheet.y(row) + 5, said)
        mean, error = found[f"{name}, tuned"]["100000"]
        ends = [(mean + side * error, row) for side in (-1, 1)]
        sheet.curve(ends, "attention", look="thick")
        sheet.dot(*sheet.at(mean, row), 5, "attention")


STREAM, LEFT, WIDE, HIGH, APART = 92, 222, 166, 28, 42  # pixels
SIZES = 400  # where sizes stand


def transformer(sheet: Drawing) -> None:
    """Draw the whole GPT as blocks: one stream of 16 numbers, and two branches added to it."""
    sizes = Config()
    width, vocab = sizes.n_embd, sizes.vocab_size
    for x, said, matrix in ((44.0, "letter", "wte"), (140.0, "position", "wpe")):
        sheet.block(x - 42, 4, 84, HIGH, said, "data small")
        sheet.arrow((x, 34), (STREAM + (x - STREAM) / 5, 90), "activation")
        sheet.text(x + (26 if x > STREAM else -26), 60, matrix, "parameter small")
    sheet.label(214, 23, f"each looks up {width} numbers", "soft")
    sheet.box(6, 170, 468, 392, "soft dashed")
    sheet.text(462, 552, "a layer: repeat it at will", "small soft end")
    sheet.box(STREAM - 4.5, 152, 9, 430, "activation", strength=0.4)
    plus(sheet, 98)
    sheet.arrow((STREAM, 111), (STREAM, 122), "activation")
    sheet.label(STREAM + 22, 103, "add", "soft")
    sheet.block(STREAM - 50, 124, 100, HIGH, "RMSNorm", "small")
    sheet.label(STREAM + 62, 143, width, "activation strong")
    for down, said in ((262, "residual"), (280, "stream")):
        sheet.text(46, down, said, "activation small")
    sheet.text(46, 304, width, "activation strong")

    heads, each, part = sizes.n_head, sizes.head_dim, WIDE / sizes.n_head
    y = 184 + 2 * APART  # of the heads
    rows = {
        0: ("RMSNorm", f"{width}", ""),
        1: ("wq  wk  wv", f"3 × {width}", "parameter"),
        3: ("wo", f"{width}", "parameter"),
    }
    branch(sheet, 184, "attention", 40, rows)
    for i in range(heads):
        left, middle = LEFT + i * part + (1.5 if i else 0), LEFT + (i + 0.5) * part
        sheet.block(left, y, part - 3, HIGH, "head", "attention small")
        sheet.arrow((middle, y - 12), (middle, y - 1))
    sheet.box(122, y, 62, HIGH, "attention soft")
    sheet.text(153, y + 19, "cache", "attention small")
    sheet.arrow((LEFT + 2, y - APART + HIGH), (170, y - 1), "attention")
    sheet.arrow((186, y + 14), (LEFT - 2, y + 14), "attention")
    sheet.label(SIZES, y + 19, f"{heads} × {each}")

    rows = {
        0: ("RMSNorm", f"{width}", ""),
        1: ("fc1", f"{4 * width}", "parameter"),
        2: ("ReLU", f"{4 * width}", ""),
        3: ("fc2", f"{width}", "parameter"),
    }
    branch(sheet, 372, "MLP", 68, rows)

    sheet.block(STREAM - 60, 582, 120, HIGH, "lm_head", "parameter small")
    sheet.label(STREAM + 72, 601, f"{vocab} logits")
    sheet.arrow((STREAM, 612), (STREAM, 634))
    sheet.block(STREAM - 60, 636, 120, HIGH, "softmax", "small")
    sheet.label(STREAM + 72, 655, f"{vocab} probabilities")


def branch(
    sheet: Drawing,
    y: float,
    name: str,
    down: float,
    rows: dict[int, tuple[str, str, str]],
) -> None:
    """Leave the stream for blocks, each with how many numbers leave it; return, and add."""
    middle, last = y + HIGH / 2, y + 3 * APART + HIGH / 2
    sheet.arrow((STREAM + 5, middle), (LEFT - 1, middle), "activation")
    sheet.text((STREAM + LEFT) / 2 + 4, middle + down, name, "small strong")
    for row, (said, size, role) in rows.items():
        top, x = y + row * APART, LEFT + WIDE / 2
        sheet.block(LEFT, top, WIDE, HIGH, said, f"{role} small")
        sheet.label(SIZES, top + 19, size)
        if row:
            sheet.arrow((x, top - 13), (x, top - 1))
    sheet.arrow((LEFT - 1, last), (STREAM + 12, last), "activation")
    plus(sheet, last)


def plus(sheet: Drawing, y: float) -> None:
    """Draw an addition on the stream."""
    sheet.dot(STREAM, y, 12, "activation ring")
    sheet.text(STREAM, y + 6, "+", "activation strong")
