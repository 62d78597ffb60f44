"""What two pictures draw: the loss of "emma" along one parameter of the network."""

from pictures.chart import Axis, Chart
from snippets.ready import untrained
from snippets.step1 import analytic_gradient, mean_loss

COLUMN = 13  # of the row of "m" in wte


class Valley:
    """The loss, and its slope, where one parameter has a value and all others stay."""

    def __init__(self) -> None:
        _, tokenizer, self._weights = untrained()
        self._tokens = tokenizer.document("emma")
        self._m = tokenizer.encode("m")[0]

    def loss(self, value: float) -> float:
        """Return the loss of "emma", in nats."""
        self._weights["wte"][self._m][COLUMN] = value
        return mean_loss(self._tokens, self._weights)

    def slope(self, value: float) -> float:
        """Return how many times as far the loss moves."""
        self._weights["wte"][self._m][COLUMN] = value
        return analytic_gradient(self._tokens, self._weights)["wte"][self._m][COLUMN]

    def chart(self, height: float, x: Axis, start: float, end: float) -> Chart:
        """Draw the loss against values of x, from the lowest at start to the highest."""
        values = [x.first + (x.last - x.first) * i / 120 for i in range(121)]
        losses = [self.loss(value) for value in values]
        sheet = Chart(height, x, Axis(min(losses), max(losses), start, end))
        sheet.curve(zip(values, losses, strict=True), look="thick soft")
        return sheet
