"""The whole GPT as blocks: one stream of 16 numbers, and two branches added to it."""

from microgpt import Config
from pictures.drawing import Drawing

STREAM, LEFT, WIDE, HIGH, APART = 92, 222, 166, 28, 42  # pixels
SIZES = 400  # where sizes stand


def draw() -> Drawing:
    """Draw it from top to bottom; beside each block, how many numbers leave it."""
    sizes = Config()
    width, vocab = sizes.n_embd, sizes.vocab_size
    sheet = Drawing(668)
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
    return sheet


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
