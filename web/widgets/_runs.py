"""Training runs that a reader starts, stops, takes away and brings back."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from microgpt import Config, Run, Tokenizer, load_names, load_run, save_run
from microgpt.cli.dataset import DatasetError, read_names
from microgpt.engines import lists

FEWEST, MOST = 20, 50_000  # names
MOST_LETTERS = 1_000_000  # of all names together
MOST_CHARACTERS = 100  # different ones


def names_of(text: str) -> list[str]:
    """Return the names in a reader's text, as the command line reads its file.

    Without a text, return those that ship with the package. ValueError says in a
    sentence why a text will not do.
    """
    if not text:
        return load_names()
    if len(text) > MOST_LETTERS:
        raise ValueError(
            f"your names: take at most {MOST_LETTERS:,} characters of text"
        )
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = b"\0"
    if b"\0" in data or "\ufffd" in text:
        raise ValueError("your names: this is not text; take a text file in UTF-8")
    with TemporaryDirectory() as folder:
        path = Path(folder, "names.txt")
        path.write_bytes(data)
        try:
            names = read_names(path)
        except DatasetError:
            names = []
    if len(names) < FEWEST:
        raise ValueError(
            f"your names: write one on each line, {FEWEST} or more; these are {len(names)}"
        )
    if len(names) > MOST:
        raise ValueError(
            f"your names: {len(names):,} are too many; take at most {MOST:,}"
        )
    characters = len(Tokenizer(names).characters)
    if characters > MOST_CHARACTERS:
        raise ValueError(
            f"your names: they are made of {characters:,} different characters; this "
            f"model is meant for at most {MOST_CHARACTERS}"
        )
    return names


def begin(names: list[str], steps: int, seed: int) -> Run:
    """Return a new run of the model of Step 6."""
    config = Config(vocab_size=Tokenizer(names).vocab_size)
    return Run(names, config, steps, seed, engine=lists.Engine)


def run_from(checkpoint: str, names: list[str]) -> Run:
    """Return the run that a file of `save_run` holds; ValueError if it holds none."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "file")
        path.write_text(checkpoint, encoding="utf-8", errors="replace")
        try:
            return load_run(path, names, lists.Engine)
        except ValueError as error:
            # The reader has chosen a file, and knows nothing of this one.
            raise ValueError(str(error).replace(str(path), "this file")) from None


def file_of(run: Run) -> str:
    """Return what `save_run` writes into the file of a run."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "file")
        save_run(path, run)
        return path.read_text(encoding="utf-8")
