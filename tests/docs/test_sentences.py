"""The sample of sentences is random, repeatable, and leads to real places."""

from tests.docs.console import ROOT
from tools.sample_sentences import PER_KIND, page, sample


def test_a_sample_has_ten_sentences_of_each_kind_with_their_locations() -> None:
    kinds = sample(7)
    assert {name: len(sentences) for name, sentences in kinds.items()} == dict.fromkeys(
        ("Screens", "Documentation", "Errors", "Docstrings"), PER_KIND
    )
    for sentence in [sentence for sentences in kinds.values() for sentence in sentences]:
        file, _, number = sentence.location.rpartition(":")
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
        assert 1 <= int(number) <= len(lines)


def test_the_same_seed_gives_the_same_sample_and_another_seed_another() -> None:
    assert sample(7) == sample(7) != sample(8)


def test_the_page_has_forty_sentences() -> None:
    text = (ROOT / "docs" / "sentences.md").read_text(encoding="utf-8")
    assert text.count("` |\n") == page(2026).count("` |\n") == 4 * PER_KIND
