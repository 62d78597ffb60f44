"""Made-up sentences are printed, told apart, and trained on."""

from pathlib import Path

from snippets.sentences import (
    OPENINGS,
    is_hard,
    make_sentences,
    share_right,
    with_wrong_verb,
)
from tests.package.helpers import run_microgpt
from tests.processes import run_python


def test_printed_sentences_are_trained_on(tmp_path: Path) -> None:
    text = run_python("-m", "snippets.sentences").stdout
    assert text.splitlines() == make_sentences()
    text = run_python("-m", "snippets.sentences", "--openings").stdout
    assert text.splitlines() == make_sentences(OPENINGS)
    assert max(map(len, text.splitlines())) < 72
    (tmp_path / "sentences.txt").write_text(text)
    options = ("--docs", "sentences.txt", "--block-size", "72", "--steps", "2")
    output = run_microgpt("train", *options, cwd=tmp_path).stdout
    assert "30000 documents" in output and "step    2 /    2" in output


def test_hard_sentences_and_their_wrong_verbs() -> None:
    for sentence, wrong, expected in (
        ("the dogs near the cat sleep", "the dogs near the cat sleeps", True),
        (
            "we know the king above the bees runs",
            "we know the king above the bees run",
            True,
        ),
        ("the dogs near the cat behind the boys run", None, False),
        ("the dog sleeps", "the dog sleep", False),
    ):
        assert is_hard(sentence) == expected
        assert wrong in (None, with_wrong_verb(sentence))
    assert share_right(["the dog sleeps", "the dogs sleep"], len) == 0.5
