"""Nothing in the letters is left unmapped."""

import pytest

from feltwork import sources
from tools.letters import PROOFS, Holder, holders


@pytest.fixture(scope="module")
def held() -> dict[str, set[Holder]]:
    return holders()


def test_every_paragraph_is_held(held: dict[str, set[Holder]]) -> None:
    assert [known for known in sources.paragraphs() if known not in held] == []


def test_every_citation_exists(held: dict[str, set[Holder]]) -> None:
    assert [cited for cited in held if cited not in sources.paragraphs()] == []


def test_every_rule_is_held_by_more_than_words(held: dict[str, set[Holder]]) -> None:
    told_only = [
        paragraph.id
        for paragraph in sources.paragraphs().values()
        if paragraph.kind in ("rule", "table")
        and not any(holder.kind in PROOFS for holder in held.get(paragraph.id, set()))
    ]
    assert told_only == []
