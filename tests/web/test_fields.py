"""A number of a command is a whole number within its bounds, and nothing that could pass for one."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from feltwork.site.books.fields import Amount, RoundNumber, Seat, SignedAmount


@pytest.mark.requirement("GEN-06")
@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [
        (Seat, 1, 12),
        (RoundNumber, 1, 10**12),
        (Amount, 0, 10**15),
        (SignedAmount, -(10**15), 10**15),
    ],
)
def test_a_number_is_within_its_bounds_and_neither_text_nor_fraction(
    kind: Any, least: int, most: int
) -> None:
    adapter = TypeAdapter(kind)
    assert [adapter.validate_python(number) for number in (least, most)] == [least, most]
    for wrong in (least - 1, most + 1, str(most), float(most), True):
        with pytest.raises(ValidationError):
            adapter.validate_python(wrong)
