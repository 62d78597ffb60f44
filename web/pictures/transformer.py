"""The pictures of Step 4, in the order of its pages."""

from statistics import fmean

from microgpt import Config
from pictures.canvas import Axis, Canvas
from pictures.records import load_record
from snippets.ready.knockouts import read_doubled
from widgets._weights import load_weights


def draw_runs_with_openings(canvas: Canvas) -> None:
    """Draw which share of the hard cases each of ten runs gets right, by model."""
    rows = (
        ("one head", "one head"),
        ("even average", "without queries"),
        ("two heads", "two heads"),
        ("four heads", "all"),
        ("two layers", "two layers"),
        ("… of averages", "two layers, without queries"),
    )
    canvas.set_axes(Axis(20, 100, 130, 462), Axis(len(rows) - 0.5, -0.7, 252, 4))
    canvas.x_ticks((25, 50, 75, 100), "g", "hard cases right, in %", grid=True)
    rungs = load_record("sentences")["openings"]["rungs"]
    for row, (text, name) in enumerate(rows):
        canvas.label(4, canvas.y_axis.to_pixels(row) + 5, text)
        for share in rungs[name]["100000"]["right"]:
            role = "data" if "without queries" in name else "attention"
            canvas.circle(*canvas.to_pixels(100 * share, row), 6, f"{role} ring")


def draw_vector_split_into_heads(canvas: Canvas) -> None:
    """Draw how heads split a vector into lanes, which only wo mixes again."""
    left, cell, gap = 112, 19, 14  # pixels
    sizes = Config()
    heads, width = sizes.n_head, sizes.head_dim
    lane = cell * width + gap
    wide, size = heads * lane - gap, (cell, 30)
    for y, name in ((8, "query"), (136, "gathered")):
        canvas.label(4, y + 19, name)
        for head in range(heads):
            role, opacity = ("activation", 0.18) if head else ("attention", 0.75)
            cells = [[opacity] * width]
            canvas.cell_grid(left + head * lane, y, size, cells, role, gap=2)
    canvas.label(4, 291, "output")
    opacities = [[0.75] * sizes.n_embd]
    canvas.cell_grid(left + gap * 1.5, 272, size, opacities, "attention", gap=2)
    for head in range(heads):
        middle = left + head * lane + cell * width / 2
        role = "attention" if head == 0 else ""
        canvas.arrow((middle, 40), (middle, 60), role)
        name, classes = f"head {head}", f"{role} small"
        canvas.text_box(middle - 38, 62, 76, 46, name, classes, baseline=-4)
        text = f"{head * width}–{head * width + width - 1}"
        canvas.text(middle, 99, text, f"{role or 'soft'} small")
        canvas.arrow((middle, 110), (middle, 130), role)
        canvas.arrow((middle, 168), (middle, 194), role)
    text = "wo: every lane into every number"
    canvas.text_box(left, 196, wide, 40, text, "parameter small")
    canvas.arrow((left + wide / 2, 238), (left + wide / 2, 266), "attention")


def draw_matrix_cut_into_heads(canvas: Canvas) -> None:
    """Draw how the query's matrix is four small ones, whose rows make four slices."""
    cell, gap, top = 11, 6, 30  # pixels
    sizes = Config()
    for head in range(sizes.n_head):
        y = top + head * (sizes.head_dim * cell + gap)
        rows = [[0.3 if head else 0.75] * sizes.n_embd] * sizes.head_dim
        role = "parameter" if head else "attention"
        canvas.cell_grid(88, y, (cell, cell), rows, role, gap=1)
        slices = [[0.3 if head else 0.75]] * sizes.head_dim
        role = "activation" if head else "attention"
        canvas.cell_grid(418, y, (cell + 6, cell), slices, role, gap=1)
        name = "attention strong" if head == 0 else ""
        canvas.label(4, y + 27, f"head {head}", name)
    middle = top + 2 * (sizes.head_dim * cell + gap) - gap / 2
    canvas.text(290, middle + 6, "·", "strong")
    column = [[0.75]] * sizes.n_embd
    column_top = middle - cell * sizes.n_embd / 2
    canvas.cell_grid(318, column_top, (cell + 6, cell), column, "activation", gap=1)
    canvas.text(376, middle + 6, "=", "strong")
    canvas.text(88 + cell * sizes.n_embd / 2, 18, "attn_wq", "parameter small")
    canvas.text(326, 18, "x", "activation small")
    canvas.text(426, 18, "query", "small")


def draw_two_layers_copying(canvas: Canvas) -> None:
    """Draw how two layers copy: the first notes what came before, the second asks."""
    pieces = ("Pot", "ter", "ran", ".", "Pot")
    first, spacing = 48, 92  # pixels
    middles = [first + spacing * i for i in range(len(pieces))]
    canvas.label(4, 84, "the second layer asks: who has noted a “Pot”?", "attention")
    ends = (middles[4], 118), (middles[1], 118)
    canvas.arrow(*ends, "attention", bend=-14, line_width=3)
    for i, (x, text) in enumerate(zip(middles, pieces, strict=True)):
        role = "attention" if i in (1, 4) else "data"
        canvas.text_box(x - 34, 124, 68, 34, text, role)
        if i:
            canvas.arrow((x - 8, 160), (middles[i - 1] + 8, 160), "soft", bend=10)
            noted = f"after {pieces[i - 1]}"
            canvas.text(x, 204, noted, "small" + " attention strong" * (i == 1))
    canvas.label(4, 232, "the first layer notes: which piece came before?", "soft")
    canvas.arrow((middles[4], 122), (middles[4], 50), "activation")
    canvas.text_box(middles[4] - 34, 12, 68, 34, "ter", "activation strong")


def draw_two_layers_looking(canvas: Canvas) -> None:
    """Draw where the last letter of "cafeca" looks: four heads in each of two layers."""
    text, left, cell = "cafeca", 176, (42, 30)
    looks, _ = read_doubled(load_weights("doubled-two-30k"), text)
    for i, letter in enumerate(f"▸{text}"):
        role = "attention" if i in (2, 3) else ""
        x = left + cell[0] * i + cell[0] / 2
        canvas.text(x, 24, letter, f"{role} strong")
        canvas.text(x, 44, i, "soft small")
    canvas.label(4, 44, "position", "soft")
    for layer, weights_by_head in enumerate(looks):
        y = 56 + layer * 144
        canvas.cell_grid(left, y, cell, weights_by_head, "attention")
        canvas.label(4, y + 20, f"layer {layer}", "strong")
        for head in range(len(weights_by_head)):
            canvas.text(left - 12, y + cell[1] * head + 20, f"head {head}", "small end")


def draw_doubling_without_each_part(canvas: Canvas) -> None:
    """Draw how many of 100 names a model doubles correctly without each part."""
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
    bars, role = [], "attention"
    for name, text in rows.items():
        right = fmean(run["right"][-1] for run in load_record("doubled")[name]["runs"])
        bars.append((text, role, right, round(right)))
        role = "data"
    canvas.bar_chart(bars, 176, 2.5)
    canvas.label(176, 326, "right names of a hundred", "soft")


def draw_loss_differences_of_variants(canvas: Canvas) -> None:
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
    differences = load_record("variants")["original"]["differences"]
    canvas.set_axes(Axis(-0.01, 0.04, 134, 444), Axis(len(rows) - 0.5, -0.7, 292, 34))
    ticks = (-0.01, 0.0, 0.01, 0.02, 0.03, 0.04)
    canvas.x_ticks(ticks, "g", "nats more than ours", grid=True)
    zero = canvas.curve([(0, -0.7), (0, len(rows) - 0.5)], classes="")[0][0]
    canvas.text(zero - 6, 22, "← better", "small soft end")
    canvas.label(zero + 6, 22, "worse →", "soft")
    for row, (text, name) in enumerate(rows):
        canvas.label(4, canvas.y_axis.to_pixels(row) + 5, text)
        mean, error = differences[f"{name}, tuned"]["100000"]
        interval = [(mean + side * error, row) for side in (-1, 1)]
        canvas.curve(interval, "attention", classes="thick")
        canvas.circle(*canvas.to_pixels(mean, row), 5, "attention")


# Of the picture of the transformer, in pixels
STREAM_X = 92  # the middle of the residual stream
BLOCK_LEFT, BLOCK_WIDTH, BLOCK_HEIGHT, ROW_HEIGHT = 222, 166, 28, 42
SIZE_LABELS_LEFT = 400  # where the counts of numbers begin


def draw_transformer(canvas: Canvas) -> None:
    """Draw the whole GPT as blocks: one stream of 16 numbers, and two branches."""
    sizes = Config()
    width, vocab = sizes.n_embd, sizes.vocab_size
    for x, text, matrix in ((44.0, "letter", "wte"), (140.0, "position", "wpe")):
        canvas.text_box(x - 42, 4, 84, BLOCK_HEIGHT, text, "data small")
        canvas.arrow((x, 34), (STREAM_X + (x - STREAM_X) / 5, 90), "activation")
        canvas.text(x + (26 if x > STREAM_X else -26), 60, matrix, "parameter small")
    canvas.label(214, 23, f"each looks up {width} numbers", "soft")
    canvas.box(6, 170, 468, 392, "soft dashed")
    canvas.text(462, 552, "a layer: repeat it at will", "small soft end")
    canvas.box(STREAM_X - 4.5, 152, 9, 430, "activation", opacity=0.4)
    add_plus_sign(canvas, 98)
    canvas.arrow((STREAM_X, 111), (STREAM_X, 122), "activation")
    canvas.label(STREAM_X + 22, 103, "add", "soft")
    canvas.text_box(STREAM_X - 50, 124, 100, BLOCK_HEIGHT, "RMSNorm", "small")
    canvas.label(STREAM_X + 62, 143, width, "activation strong")
    for y, text in ((262, "residual"), (280, "stream")):
        canvas.text(46, y, text, "activation small")
    canvas.text(46, 304, width, "activation strong")

    heads, head_width = sizes.n_head, BLOCK_WIDTH / sizes.n_head
    y = 184 + 2 * ROW_HEIGHT  # of the heads
    rows = {
        0: ("RMSNorm", f"{width}", ""),
        1: ("wq  wk  wv", f"3 × {width}", "parameter"),
        3: ("wo", f"{width}", "parameter"),
    }
    add_branch(canvas, 184, "attention", 40, rows)
    for i in range(heads):
        left = BLOCK_LEFT + i * head_width + (1.5 if i else 0)
        middle = BLOCK_LEFT + (i + 0.5) * head_width
        size = (head_width - 3, BLOCK_HEIGHT)
        canvas.text_box(left, y, *size, "head", "attention small")
        canvas.arrow((middle, y - 12), (middle, y - 1))
    canvas.box(122, y, 62, BLOCK_HEIGHT, "attention soft")
    canvas.text(153, y + 19, "cache", "attention small")
    keys_bottom = (BLOCK_LEFT + 2, y - ROW_HEIGHT + BLOCK_HEIGHT)
    canvas.arrow(keys_bottom, (170, y - 1), "attention")
    canvas.arrow((186, y + 14), (BLOCK_LEFT - 2, y + 14), "attention")
    canvas.label(SIZE_LABELS_LEFT, y + 19, f"{heads} × {sizes.head_dim}")

    rows = {
        0: ("RMSNorm", f"{width}", ""),
        1: ("fc1", f"{4 * width}", "parameter"),
        2: ("ReLU", f"{4 * width}", ""),
        3: ("fc2", f"{width}", "parameter"),
    }
    add_branch(canvas, 372, "MLP", 68, rows)

    canvas.text_box(STREAM_X - 60, 582, 120, BLOCK_HEIGHT, "lm_head", "parameter small")
    canvas.label(STREAM_X + 72, 601, f"{vocab} logits")
    canvas.arrow((STREAM_X, 612), (STREAM_X, 634))
    canvas.text_box(STREAM_X - 60, 636, 120, BLOCK_HEIGHT, "softmax", "small")
    canvas.label(STREAM_X + 72, 655, f"{vocab} probabilities")


def add_branch(
    canvas: Canvas,
    y: float,
    name: str,
    label_offset: float,
    rows: dict[int, tuple[str, str, str]],
) -> None:
    """Draw a branch: blocks that read the stream and whose result is added to it.

    Args:
        canvas: The canvas to draw on.
        y: The top of the first block, in pixels.
        name: The name of the branch.
        label_offset: How many pixels below the first block's middle the name stands.
        rows: For each row with a block its text, how many numbers leave it, and its
            role.
    """
    middle, last = y + BLOCK_HEIGHT / 2, y + 3 * ROW_HEIGHT + BLOCK_HEIGHT / 2
    canvas.arrow((STREAM_X + 5, middle), (BLOCK_LEFT - 1, middle), "activation")
    x = (STREAM_X + BLOCK_LEFT) / 2 + 4
    canvas.text(x, middle + label_offset, name, "small strong")
    for row, (text, size, role) in rows.items():
        top, x = y + row * ROW_HEIGHT, BLOCK_LEFT + BLOCK_WIDTH / 2
        block = BLOCK_LEFT, top, BLOCK_WIDTH, BLOCK_HEIGHT
        canvas.text_box(*block, text, f"{role} small")
        canvas.label(SIZE_LABELS_LEFT, top + 19, size)
        if row:
            canvas.arrow((x, top - 13), (x, top - 1))
    canvas.arrow((BLOCK_LEFT - 1, last), (STREAM_X + 12, last), "activation")
    add_plus_sign(canvas, last)


def add_plus_sign(canvas: Canvas, y: float) -> None:
    """Draw a plus sign in a circle on the residual stream."""
    canvas.circle(STREAM_X, y, 12, "activation ring")
    canvas.text(STREAM_X, y + 6, "+", "activation strong")
