"""The names of awards as people read them."""

import pytest

from feltwork.site.web.rendering.report_format import award_name


@pytest.mark.parametrize(
    ("award", "name"),
    [
        ("C1:214:5", "C1, round 214, seat 5"),
        ("C1:214:5:2", "C1, round 214, seat 5, claim 2"),
        ("opening", "opening"),
    ],
)
def test_an_award_is_named_by_table_round_and_seat(award: str, name: str) -> None:
    assert award_name(award) == name
