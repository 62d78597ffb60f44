"""A run that stopped and went on: with all it needs, and with one mean forgotten."""

from microgpt import Config, Run, Tokenizer
from pictures.drawing import Drawing
from snippets.ready import shuffled

STOP, STEPS = 20, 50
LEFT, ACROSS, LEVEL, NAT = 58, 396, 128, 900  # pixels; NAT for each nat


def draw() -> Drawing:
    """Draw by how much each loss differs from that of the run that never stopped."""
    names = shuffled()[0][:50]
    config = Config(Tokenizer(names).vocab_size, n_embd=8, n_head=2)
    whole = list(Run(names, config, STEPS).train())
    sheet = Drawing(226)
    for nats in (-0.05, 0.05, 0.1):
        y = LEVEL - NAT * nats
        sheet.line([(LEFT, y), (LEFT + ACROSS, y)], look="soft")
        said = f"{nats:+.2f}".replace("-", "−")
        sheet.text(LEFT - 8, y + 5, said, look="small soft", anchor="end")
    sheet.line([(x(STOP), 20), (x(STOP), 186)], look="dashed")
    sheet.text(x(STOP) - 6, 14, "stopped here", look="small", anchor="end")
    run = Run(names, config, STEPS)
    before = list(run.train(stop=STOP))
    adam = run.engine.optimizer  # type: ignore[attr-defined]
    adam.first = [0.0] * len(adam.first)
    losses = [*before, *run.train()]
    forgot = [
        (x(i), LEVEL - NAT * (a - b))
        for i, (a, b) in enumerate(zip(losses, whole, strict=True))
    ]
    sheet.line(forgot[STOP:], "cost", look="thick")
    sheet.line([(LEFT, LEVEL), (LEFT + ACROSS, LEVEL)], "activation", look="thick")
    sheet.text(
        LEFT + 6,
        LEVEL + 20,
        "everything saved:",
        "activation",
        look="small",
        anchor="start",
    )
    sheet.text(
        LEFT + 6,
        LEVEL + 36,
        "no difference",
        "activation",
        look="small",
        anchor="start",
    )
    sheet.text(LEFT + ACROSS, 62, "m lost", "cost", look="small", anchor="end")
    sheet.arrow((x(STOP), LEVEL), (x(STOP + 1), 22), "gradient", weight=2.5)
    sheet.text(
        x(STOP + 1) + 8,
        14,
        "v lost: off this page",
        "gradient",
        look="small",
        anchor="start",
    )
    for step in range(0, STEPS + 1, 10):
        sheet.text(x(step), 204, step, look="small soft")
    sheet.text(LEFT + ACROSS / 2, 222, "steps", look="small")
    return sheet


def x(step: int) -> float:
    """Return where a step stands, in pixels."""
    return LEFT + ACROSS * step / STEPS
