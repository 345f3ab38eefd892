"""Nothing in the letters is left unmapped."""

import pytest

from feltwork import sources
from tools.letters import PROOFS, Holder, holders, letters_page, not_rehearsed, procedures, rehearsals


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


def test_every_procedure_is_rehearsed_or_has_a_reason_not_to_be() -> None:
    numbered, rehearsed, left_out = set(procedures()), rehearsals(), not_rehearsed()
    assert numbered - rehearsed.keys() - left_out.keys() == set()
    assert left_out.keys() & rehearsed.keys() == set(), "rehearsed, so its reason is stale"
    assert left_out.keys() - numbered == set(), "no numbered procedure has this code"
    assert rehearsed.keys() - sources.paragraphs().keys() == set()


def test_the_page_links_the_rehearsals_of_a_paragraph() -> None:
    (row,) = [line for line in letters_page().splitlines() if line.startswith("| `C4.aquarius.9.g` |")]
    assert "/examples/rehearsals/crazy_4_aquarius_meter_pay.toml)" in row
