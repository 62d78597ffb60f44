"""The pictures of Step 5, in the order of its pages."""

from microgpt import SGD, Adam, linear_decay
from microgpt.engines import lists
from pictures.canvas import Axis, Canvas
from snippets.ready import untrained_gpt
from snippets.ready.gradients import weight_distances


def draw_movement_with_sgd_and_adam(canvas: Canvas) -> None:
    """Draw how far each matrix of the GPT moves in 60 steps, with SGD and with Adam."""
    sgd_distances, adam_distances = (
        measure_distances_moved(SGD, 0.1),
        measure_distances_moved(Adam, 0.01),
    )
    rows = Axis(len(sgd_distances) - 0.4, -0.5, 263, 36)
    canvas.set_axes(Axis(1e-4, 1, 112, 452, is_logarithmic=True), rows)
    ticks = (0.0001, 0.001, 0.01, 0.1, 1)
    canvas.x_ticks(ticks, "g", "moved in sixty steps", grid=True)
    for row, (name, distance) in enumerate(sgd_distances.items()):
        points = canvas.curve(
            [(distance, row), (adam_distances[name], row)], line_classes="soft"
        )
        label = name.removeprefix("layer0.")
        canvas.text(
            canvas.x_axis.start_px - 14, points[0][1] + 5, label, "parameter small end"
        )
        canvas.circle(*points[0], 6, "gradient ring")
        canvas.circle(*points[1], 6, "data")
    canvas.text(canvas.x_axis.to_pixels(0.004), 22, "with SGD", "gradient small")
    canvas.text(canvas.x_axis.to_pixels(0.09), 22, "with Adam", "data small")


def measure_distances_moved(
    optimizer: type[SGD | Adam], learning_rate: float
) -> dict[str, float]:
    """Train the GPT for 60 steps, and return how far each matrix has moved, by name."""
    names, tokenizer, model = untrained_gpt()
    sgd_or_adam = optimizer(model.parameters())
    for step, name in enumerate(names[:60]):
        lists.accumulate_gradient(model, tokenizer.document(name))
        sgd_or_adam.step(linear_decay(learning_rate, step, 1000))
        sgd_or_adam.zero_grad()
    return weight_distances(model)
