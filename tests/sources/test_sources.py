"""The catalogue of the letters and how it is cited."""

from feltwork import sources


def test_five_letters_are_known_by_their_public_names() -> None:
    assert {code: str(letter) for code, letter in sources.letters().items()} == {
        "C4": "WSGC submission 3119 of 2023-06-14, Crazy 4 Poker - Coverall",
        "DB": "WSGC submission 3119 of 2023-06-14, Dragon Bonus",
        "TH": "WSGC submission 3119 of 2023-06-14, Texas Hold'Em Bonus",
        "HM": "WSGC submission 3119 of 2023-06-14, House Money – Dual Progressives",
        "SF": "WSGC submission 3119 of 2023-06-14, 6-5-4 Poker",
    }


def test_every_paragraph_has_a_kind_and_words() -> None:
    for paragraph in sources.paragraphs().values():
        assert paragraph.kind in {"rule", "condition", "procedure", "advice", "courtesy"}
        assert paragraph.says.endswith(".")


def test_citations_are_found_and_spelled_out() -> None:
    text = "A sentence [C4.deal.6.b.ii], and [C4.{aquarius,nexus}.9.a]; see 6.5 and x.y."
    assert sources.citations(text) == ["C4.deal.6.b.ii", "C4.aquarius.9.a", "C4.nexus.9.a"]
    below = sources.citations("[C4.irregularities.2.*]")
    assert "C4.irregularities.2.7" in below
    assert len(below) == 8


def test_a_wrong_citation_stays_visible() -> None:
    assert sources.citations("[C4.deal.99] [C4.nothing.*]") == ["C4.deal.99", "C4.nothing.*"]
