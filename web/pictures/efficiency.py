"""The pictures of Step 7, in the order of its pages."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from operator import mul

from microgpt import Config, linear_decay
from pictures.drawing import Axis, Drawing
from pictures.records import descents, recorded
from snippets.ready import shuffled


def speed_ladder(sheet: Drawing) -> None:
    """How many times as fast each engine is as the textbook's graph, as recorded."""
    pieces = {
        "textbook": "a + or a ×",
        "value": "the same, tidier",
        "dot": "a dot product",
        "lists": "a matrix",
        "torch": "PyTorch's call",
        "numpy": "NumPy's call",
        "c": "a step, in C",
    }
    ladder = recorded("speeds")["ladder"]
    sheet.axes(Axis(1, 10_000, 158, 390, tens=True), Axis(6.6, -0.5, 271, 36))
    sheet.foot((1, 10, 100, 1_000, 10_000), ",", "times as fast", grid="soft")
    sheet.label(0, 20, "one piece is…", "soft")
    for row, (engine, said) in enumerate(pieces.items()):
        times = ladder["engines"][engine]["times_faster"]
        _, (x, y) = sheet.curve([(1, row), (times, row)], "activation")
        sheet.label(0, y + 5, said)
        if batches := ladder["batches"].get(engine):
            many = batches["times_faster"]
            _, (end, _) = sheet.curve(
                [(times, row), (many, row)], "gradient", look="dashed"
            )
            sheet.dot(end, y, 6, "gradient ring")
            sheet.label(end + 11, y + 5, f"{many:,.0f}", "gradient")
        else:
            sheet.label(x + 11, y + 5, f"{times:.2g}", "activation")
        sheet.dot(x, y, 6, "activation")
    sheet.label(sheet.x(2), 20, "one name a step", "activation")
    sheet.text(480, 20, "32 at once", "gradient small end")


def pushed_door(sheet: Drawing) -> None:
    """What RMSNorm lets through on the way back: the part of a slope across its row."""
    vector, gradient = (3.0, 1.0), (1.5, 2.5)
    sheet.axes(Axis(0, 1, 130, 182), Axis(0, 1, 160, 108))
    share = sum(map(mul, vector, gradient)) / sum(map(mul, vector, vector))
    along = share * vector[0], share * vector[1]
    begin, middle, slope = sheet.at(0, 0), sheet.at(*along), sheet.at(*gradient)
    row = sheet.at(1.7 * vector[0], 1.7 * vector[1])
    sheet.arrow(begin, row, "data")
    sheet.line([begin, middle], "gradient thick dashed")
    sheet.arrow(begin, slope, "gradient")
    sheet.line([middle, slope], "soft dashed")
    for (x, y), said, role in ((row, "y", "data"), (slope, "dy", "gradient")):
        sheet.text(x + 16, y - 4, said, role)
    x, y = sheet.at(gradient[0] - along[0], gradient[1] - along[1])
    sheet.arrow(begin, (x, y), "cost")
    sheet.text(x - 8, y - 10, "goes back", "cost small")
    sheet.label(middle[0] + 10, middle[1] + 22, "undone by the norm", "soft")


def padded(sheet: Drawing) -> None:
    """A batch: names below one another, padded to the longest, and what each row weighs."""
    count, left, apart, top = 4, 8, 40, 38  # how many names; pixels
    names = sorted(shuffled()[0][:count], key=len)
    longest = len(names[-1]) + 1
    cell = 360 / longest
    sheet.label(left, 18, "read", "soft")
    sheet.text(476, 18, "each weighs", "cost small end")
    for row, name in enumerate(names):
        y = top + apart * row
        read, size = f"^{name}", (cell - 3, 30)
        sheet.blocks(left, y, size, read, "data", gap=3)
        end, rest = left + cell * len(read), "·" * (longest - len(read))
        sheet.blocks(end, y, size, rest, "soft dashed", gap=3)
        share = Fraction(1, count * (len(name) + 1))
        sheet.text(476, y + 20, share, "cost end")
    low = top + apart * count + 20
    sheet.label(left, low, "dashed: padding, which weighs 0", "soft")


def tile(sheet: Drawing) -> None:
    """One turn of the innermost loop of gpt.c: what comes in, and what it's used for."""
    tall = wide = 8  # of a tile
    cell, turn, inner = 20, 2, 6  # pixels; the turn that is drawn, of so many
    left, top = 190, 166  # of the tile
    start, above = left - 26 - inner * cell, top - 26 - inner * cell
    size, now = (cell, cell), [0.7 if i == turn else 0.15 for i in range(inner)]
    sheet.cells(start, top, size, [now] * tall, "parameter", gap=2)
    sheet.cells(left, above, size, [[s] * wide for s in now], "data", gap=2)
    sheet.cells(left, top, size, [[0.7] * wide] * tall, "activation", gap=2)
    column = start + (turn + 0.5) * cell
    row = above + (turn + 0.5) * cell
    sheet.arrow((column + 14, top - 8), (left - 6, top - 8), "parameter")
    right, bottom = left + wide * cell + 18, top + tall * cell
    sheet.arrow((right - 10, row), (right - 10, top - 4), "data")
    sheet.text(start, bottom + 22, "rows of a", "parameter start")
    sheet.text(right, above + 16, "rows of b", "data start")
    for y, look, said in (
        (40, "strong", f"{tall} + {wide} numbers"),
        (60, "small", "come in,"),
        (94, "activation strong", f"{tall * wide} products"),
        (114, "activation small", "are added"),
    ):
        sheet.text(right, top + y, said, f"{look} start")
    said = "a tile of c: eight registers"
    sheet.text(left + wide * cell / 2, bottom + 22, said, "activation small")


def flash_tiles(sheet: Drawing) -> None:
    """The weights of attention: all of them in memory, or one tile at a time."""
    tokens, side = 12, 3
    read_now = (2, 1)  # the tile that is being read: of its row and its column of tiles
    cell, top, x_plain, x_tiled = 14, 46, 10, 250  # pixels
    tile = range(read_now[0] * side, (read_now[0] + 1) * side)
    across = range(read_now[1] * side, (read_now[1] + 1) * side)
    lit = [[t in tile and u in across for u in range(t + 1)] for t in range(tokens)]
    plain, tiled = sum(map(len, lit)), sum(map(sum, lit))
    size = cell, cell
    shades = [[0.75] * len(row) for row in lit]
    sheet.cells(x_plain, top, size, shades, "attention", gap=2)
    shades = [[0.75 if now else 0.14 for now in row] for row in lit]
    sheet.cells(x_tiled, top, size, shades, "attention", gap=2)
    x, y = x_tiled + tokens * cell + 10, top + tile[0] * cell
    for name, role in (("m", "parameter"), ("ℓ", "data"), ("y", "activation")):
        sheet.text(x + 6, y - 6, name, f"{role} small")
        sheet.cells(x, y, size, [[0.75]] * side, role, gap=2)
        x += 16
    for left, title, held in (
        (x_plain, "plain", f"{plain} weights in memory"),
        (x_tiled, "in tiles", f"{tiled} weights on the chip,"),
    ):
        sheet.text(left, 24, title, "strong start")
        sheet.label(left, top + tokens * cell + 22, held)
    sheet.label(x_tiled, top + tokens * cell + 42, "and m, ℓ, y for each row")


def roof(sheet: Drawing) -> None:
    """The roof of one core, and the engines below it, as recorded."""
    first = ("value", "dot", "lists", "torch", "numpy", "c")
    # What is drawn: its setting in the record, its engine, and where its name stands
    points = (
        *(("width", 0, name, name, 12, 5) for name in first),
        ("batch", 2, "c", "c, 64 names", 12, 5),
        ("width", 3, "c", "c, wide", -4, -12),
    )
    record = recorded("speeds")
    flops, copy = (record["roofline"][key] / 1e9 for key in ("float64", "copy"))
    sheet.axes(
        Axis(0.1, 30.0, 62, 464, tens=True), Axis(0.002, 120.0, 300, 20, tens=True)
    )
    sheet.levels((0.01, 0.1, 1, 10, 100))
    sheet.foot((0.1, 1, 10), "g", "FLOPs per byte", below=44)
    sheet.label(sheet.x.start + 4, sheet.y.end - 4, "GFLOP/s", "soft")
    narrow, wide = sheet.x.first, sheet.x.last
    sheet.curve([(narrow, narrow * copy), (flops / copy, flops), (wide, flops)])
    sheet.text(sheet.x(0.16), sheet.y(20), "memory", "small strong")
    sheet.text(sheet.x(14), sheet.y(flops) + 20, "arithmetic", "small strong")
    for size, place, engine, said, aside, down in points:
        one = record["growth"][size][place]
        x = sheet.x(one["flops"] / one["bytes"])
        y = sheet.y(one["flops"] / one["engines"][engine]["ms"] / 1e6)
        role = "activation" if engine in ("numpy", "torch", "c") else "data"
        sheet.dot(x, y, 6, role)
        anchor = "start" if aside > 0 else "end"
        sheet.text(x + aside, y + down, said, f"{role} small {anchor}")


def where_parameters(sheet: Drawing) -> None:
    """Where a model's parameters are: ours, the smallest GPT-2, and the largest Llama 2."""
    # Vocabulary, layers, width, hidden units, width of the keys (Touvron et al., 2023)
    vocab, layers, width, hidden, keys = 32000, 80, 8192, 28672, 1024
    ends, attends = 2 * vocab * width, layers * 2 * (width + keys) * width
    models = {
        "ours": shares(Config()),
        # Radford et al., 2019
        "GPT-2": shares(Config(50257, 12, 768, 12, 1024), tied=True),
        "Llama 2": [ends, attends, layers * 3 * hidden * width],
    }
    roles = ("data", "attention", "parameter")
    for row, (name, counts) in enumerate(models.items()):
        y, parts = 14 + 58 * row, [count / sum(counts) for count in counts]
        sheet.text(76, y + 22, name, "small end")
        x = 84.0
        for part, role in zip(parts, roles, strict=True):
            said = f"{part:.0%}" if part > 0.05 else ""
            sheet.block(x, y, 380 * part, 34, said, role, strength=0.35)
            x += 380 * part
    meanings = zip(("ends", "attention", "MLP"), roles)
    sheet.legend((88, 200, 340), 188, meanings, 0.35)


def shares(config: Config, *, tied: bool = False) -> list[int]:
    """Return how many parameters are in both ends, in attention and in the MLPs."""
    squares = config.n_layer * config.n_embd**2
    ends = config.num_parameters - 12 * squares
    return [ends - tied * config.vocab_size * config.n_embd, 4 * squares, 8 * squares]


STEPS, WARM = 200, 20


def schedules(sheet: Drawing) -> None:
    """Learning rates by step: ours, one that warms up and falls on a wave, and none at all."""
    sheet.axes(Axis(0, STEPS, 34, 410), Axis(0, 1, 160, 30))
    sheet.levels((0, 1), said="rate", axes="")
    sheet.label(sheet.x.end + 6, sheet.y(0.1) + 5, "a tenth", "soft")
    sheet.curve([(0, 1), (STEPS, 1)], look="dashed soft")
    ours = [(step, linear_decay(1, step, STEPS)) for step in (0, STEPS)]
    sheet.curve(ours, "parameter")
    sheet.curve([(step, wave(step)) for step in range(STEPS + 1)], "cost")
    sheet.text(sheet.x(170), sheet.y.end - 10, "constant", "small soft")
    sheet.label(sheet.x(116), sheet.y(0.72), "warm-up, then cosine", "cost")
    sheet.text(sheet.x(58), sheet.y(0.4), "ours", "parameter small end")
    sheet.foot((), "", "steps", below=34)


def wave(step: int) -> float:
    """Return a rate that rises from 0, then falls to a tenth along half a wave."""
    if step < WARM:
        return step / WARM
    along = (step - WARM) / (STEPS - WARM)
    return 0.1 + 0.9 * (1 + math.cos(math.pi * along)) / 2


def three_trainings(sheet: Drawing) -> None:
    """How much each stage of training reads, from all text there is to a few judgements."""
    # Brown et al., 2020; Ouyang et al., 2022, table 6
    stages = (
        ("pre-training", 300e9, "300 billion tokens", "data"),
        ("conversations", 12725, "12,725 demonstrations", "activation"),
        ("judgements", 33207, "33,207 questions", "gradient"),
    )
    bars_of_tens(sheet, stages, (1, 1e3, 1e6, 1e9), "")


def bars_of_tens(
    sheet: Drawing,
    rows: Sequence[tuple[str, float, str, str]],
    ticks: Iterable[float],
    unit: str,
) -> None:
    """Draw a bar for each amount on a scale of tens: its name above, what it is beside."""
    most = max(amount for _, amount, *_ in rows)
    sheet.axes(
        Axis(1, most, 12, 440, tens=True), Axis(len(rows), 0, 30 + 60 * len(rows), 20)
    )
    sheet.foot(ticks, ",.0f", unit, 36, grid="soft dashed")
    for row, (name, amount, said, role) in enumerate(rows):
        y, end = sheet.y(row) + 16, sheet.x(amount)
        sheet.label(12, y - 8, name, f"{role} strong")
        sheet.box(12, y, end - 12, 26, role, strength=0.35)
        sheet.label(22 if end > 200 else end + 10, y + 18, said)


def reading_writing(sheet: Drawing) -> None:
    """How many tokens a card reads and writes in a second, by how many users it serves."""
    # NVIDIA's data sheet of the H100; Llama 3 with 8 billion weights of two bytes, and
    # keys and values of 4,096 tokens for each user (Dubey et al., 2024)
    weights, cache = 2 * 8e9, 2 * 32 * 8 * 128 * 2 * 4096
    most = int((80e9 - weights) / cache)

    def written(users: int) -> float:
        return users * 3.35e12 / (weights + users * cache)

    speeds = (
        ("reading", 0.4 * 989e12 / weights, "activation"),
        ("writing, one user", written(1), "gradient"),
        ("writing, ten users", written(10), "gradient"),
        (f"writing, {most} users: card full", written(most), "gradient"),
    )
    rows = [(name, speed, f"{speed:,.0f}", role) for name, speed, role in speeds]
    bars_of_tens(sheet, rows, (1, 10, 100, 1_000, 10_000), "tokens per second")


def size_and_text(sheet: Drawing) -> None:
    """Held-out loss by parameters, with many names to learn from and with few."""
    sizes = {
        "four heads": Config(),
        "two layers": Config(n_layer=2),
        "four layers": Config(n_layer=4),
        "width 32": Config(n_embd=32),
        "wide": Config(n_embd=64, n_layer=2),
    }
    sets = (
        ("guide", "100000", "5,676 names", "data"),
        ("original", "300000", "29,494 names", "attention"),
    )
    ends = recorded("ends")
    sheet.axes(Axis(3_700, 117_000, 52, 452, tens=True), Axis(1.95, 2.44, 250, 20))
    sheet.levels((2.0, 2.1, 2.2, 2.3, 2.4), ".1f", "nats per token")
    sheet.foot((5_000, 20_000, 80_000), ",", "parameters")
    for which, seen, said, role in sets:
        losses = [ends[which]["rungs"][name][seen]["mean"] for name in sizes]
        counts = [size.num_parameters for size in sizes.values()]
        points = zip(counts, losses, strict=True)
        sheet.curve(points, role, dots=5, said=said, beside=(1, 12, -9))


def whole_story(sheet: Drawing) -> None:
    """The story of the guide: every model on its way down, past the floors of the tables."""
    curves = (
        ("network", "one letter", "data", -6),
        ("without attention", "+ place", "parameter", -6),
        ("one head, Adam", "one head", "attention", -8),
        ("four heads", "four heads", "activation", 8),
        ("wide", "wider", "cost", 0),
    )
    tables = (
        ("pairs", "pairs", True),
        ("letter and position", "letter and place", False),
        ("three letters", "three letters", True),
        ("Kneser-Ney", "best of four letters", True),
    )
    levels = (2.0, 2.1, 2.2, 2.3, 2.4, 2.5)
    descents(sheet, Axis(1.94, 2.56, 430, 34), levels, curves, tables)
