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
    block(sheet, 124, "RMSNorm", left=STREAM - 50, wide=100)
    sheet.label(STREAM + 62, 143, width, "activation strong")

    for down, said in ((262, "residual"), (280, "stream")):
        sheet.text(46, down, said, "activation small")
    sheet.text(46, 304, width, "activation strong")

    heads, each = sizes.n_head, sizes.head_dim
    y = branch(sheet, 184.0, "attention")
    block(sheet, y, "RMSNorm", f"{width}")
    block(sheet, y + APART, "wq  wk  wv", f"3 × {width}", "parameter")
    for i in range(heads):
        part = WIDE / heads
        left = LEFT + i * part + (1.5 if i else 0)
        block(sheet, y + 2 * APART, "head", "", "attention", left, part - 3)
        middle = LEFT + (i + 0.5) * part
        sheet.arrow((middle, y + 2 * APART - 12), (middle, y + 2 * APART - 1))
    sheet.box(122, y + 2 * APART, 62, HIGH, "attention soft")
    sheet.text(153, y + 2 * APART + 19, "cache", "attention small")
    sheet.arrow((LEFT + 2, y + APART + HIGH), (170, y + 2 * APART - 1), "attention")
    sheet.arrow((186, y + 2 * APART + 14), (LEFT - 2, y + 2 * APART + 14), "attention")
    sheet.label(SIZES, y + 2 * APART + 19, f"{heads} × {each}")
    block(sheet, y + 3 * APART, "wo", f"{width}", "parameter")
    back(sheet, y + 3 * APART)

    y = branch(sheet, 372, "MLP")
    block(sheet, y, "RMSNorm", f"{width}")
    block(sheet, y + APART, "fc1", f"{4 * width}", "parameter")
    block(sheet, y + 2 * APART, "ReLU", f"{4 * width}")
    block(sheet, y + 3 * APART, "fc2", f"{width}", "parameter")
    back(sheet, y + 3 * APART)

    block(sheet, 582, "lm_head", "", "parameter", STREAM - 60, 120)
    sheet.label(STREAM + 72, 601, f"{vocab} logits")
    sheet.arrow((STREAM, 612), (STREAM, 634))
    block(sheet, 636, "softmax", "", "", STREAM - 60, 120)
    sheet.label(STREAM + 72, 655, f"{vocab} probabilities")
    return sheet


def block(
    sheet: Drawing,
    y: float,
    name: str,
    size: str = "",
    role: str = "",
    left: float = LEFT,
    wide: float = WIDE,
) -> None:
    """Draw a block, and on its right how many numbers leave it."""
    sheet.block(left, y, wide, HIGH, name, f"{role} small")
    if size:
        sheet.label(SIZES, y + 19, size)
    if left == LEFT and wide == WIDE and name != "RMSNorm":
        sheet.arrow((LEFT + WIDE / 2, y - 13), (LEFT + WIDE / 2, y - 1))


def branch(sheet: Drawing, y: float, name: str) -> float:
    """Leave the stream for the blocks of a branch; return where they begin."""
    middle = y + HIGH / 2
    sheet.arrow((STREAM + 5, middle), (LEFT - 1, middle), "activation")
    sheet.text(
        (STREAM + LEFT) / 2 + 4,
        middle + (40 if name == "attention" else 68),
        name,
        "small strong",
    )
    return y


def back(sheet: Drawing, y: float) -> None:
    """Return to the stream, and add."""
    middle = y + HIGH / 2
    sheet.arrow((LEFT - 1, middle), (STREAM + 12, middle), "activation")
    plus(sheet, middle)


def plus(sheet: Drawing, y: float) -> None:
    """Draw an addition on the stream."""
    sheet.dot(STREAM, y, 12, "activation ring")
    sheet.text(STREAM, y + 6, "+", "activation strong")
