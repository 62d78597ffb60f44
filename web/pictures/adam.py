"""The pictures of Step 5, in the order of its pages."""

from microgpt import SGD, Adam, linear_decay
from microgpt.engines import lists
from pictures.canvas import Axis, Canvas
from snippets.ready import untrained_gpt
from snippets.ready.gradients import weight_distances


def draw_matrix_moves_by_optimizer(canvas: Canvas) -> None:
    """Draw how far each matrix of the GPT moves in 60 steps, with SGD and with Adam."""
    sgd_distances = measure_moves(SGD, 0.1)
    adam_distances = measure_moves(Adam, 0.01)
    rows = Axis(len(sgd_distances) - 0.4, -0.5, 263, 36)
    canvas.set_axes(Axis(1e-4, 1, 112, 452, is_log=True), rows)
    ticks = (0.0001, 0.001, 0.01, 0.1, 1)
    canvas.x_ticks(ticks, "g", "moved in sixty steps", grid=True)
    for row, (name, distance) in enumerate(sgd_distances.items()):
        ends = [(distance, row), (adam_distances[name], row)]
        sgd, adam = canvas.curve(ends, classes="soft")
        label = name.removeprefix("layer0.")
        canvas.text(98, sgd[1] + 5, label, "parameter small end")
        canvas.circle(*sgd, 6, "gradient ring")
        canvas.circle(*adam, 6, "data")
    canvas.text(canvas.x_axis.to_pixels(0.004), 22, "with SGD", "gradient small")
    canvas.text(canvas.x_axis.to_pixels(0.09), 22, "with Adam", "data small")


def measure_moves(method: type[SGD | Adam], learning_rate: float) -> dict[str, float]:
    """Train the GPT for 60 steps, and return how far each matrix has moved, by name."""
    names, tokenizer, model = untrained_gpt()
    optimizer = method(model.parameters())
    for step, name in enumerate(names[:60]):
        lists.accumulate_gradient(model, tokenizer.document(name))
        optimizer.step(linear_decay(learning_rate, step, 1000))
        optimizer.zero_grad()
    return weight_distances(model)
