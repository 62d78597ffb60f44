"""How much faster a training step is than a textbook's: `python -m bench.training_step`.

Both train on the same names from the same seed, one step of each in turn, so that a
busy machine slows both alike; the losses must agree.
"""

import argparse

from bench.engines import ladder, show
from bench.machine import machine
from microgpt import load_names
from microgpt.cli.parser import positive
from microgpt.engines import load_engine


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", help="a file of names, one per line")
    parser.add_argument("--steps", type=positive, default=50)
    arguments = parser.parse_args()

    print(machine())
    names, ours = load_names(arguments.docs), {"microgpt": load_engine("dot")}
    show(ladder(names, ours, arguments.steps))


if __name__ == "__main__":
    main()
