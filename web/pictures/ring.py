"""An all-reduce in a ring: how many machines' numbers each piece holds, at three moments."""

from pictures.drawing import Drawing

MACHINES = 4
MOMENTS = ((0, "at first"), (3, "after 3 turns"), (6, "after 6 turns"))
CELL, HIGH, TOP = 26, 30, 54  # pixels


def draw() -> Drawing:
    """Draw the machines below each other, and the moments beside each other."""
    sheet = Drawing(240)
    for place, (turns, said) in enumerate(MOMENTS):
        left = 44 + place * 148
        sheet.text(left + 2 * CELL, 24, said, "small")
        for machine, pieces in enumerate(after(turns)):
            y = TOP + machine * 42
            if not place:
                sheet.text(18, y + 20, machine, "small soft")
            for i, held in enumerate(pieces):
                role = "gradient" if held == MACHINES else "data"
                x = left + i * CELL
                share = held / MACHINES
                sheet.box(x, y, CELL - 3, HIGH, role, strength=0.1 + 0.6 * share)
                sheet.text(x + (CELL - 3) / 2, y + 20, held, "small")
            if machine < MACHINES - 1:
                x = left + MACHINES * CELL + 6
                sheet.arrow((x, y + HIGH - 8), (x, y + 52), weight=1)
    sheet.text(240, TOP + 178, "the last sends to the first", "small soft")
    return sheet


def after(turns: int) -> list[list[int]]:
    """Return how many machines' numbers are in each piece of each machine."""
    held = [[1] * MACHINES for _ in range(MACHINES)]
    for turn in range(turns):
        parcels = [
            ((i - turn) % MACHINES, pieces[(i - turn) % MACHINES])
            for i, pieces in enumerate(held)
        ]
        for i, (piece, count) in enumerate(parcels):
            found = held[(i + 1) % MACHINES]
            found[piece] = found[piece] + count if turn < MACHINES - 1 else count
    return held
