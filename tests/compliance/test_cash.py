"""Cash of a day: whose payments belong together."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltwork.money import DOLLAR
from feltwork.site.compliance.cash import CashPayment, by_person

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def paid(payee: str, patron: str = "", dollars: int = 4_000, *, minute: int = 0) -> CashPayment:
    at = NOON + timedelta(minutes=minute)
    award = f"{payee}/{patron}/{minute}"
    return CashPayment(
        link="L1",
        award=award,
        payee=payee,
        patron=patron,
        amount=dollars * DOLLAR,
        paid_at=at,
        paid_by="cara",
    )


def totals(*payments: CashPayment) -> dict[tuple[str, ...], int]:
    return {person.names: sum(person.amounts) // DOLLAR for person in by_person(payments)}


@pytest.mark.requirement("AM-01")
def test_a_name_is_the_same_however_it_is_spaced_and_capitalised() -> None:
    (person,) = by_person([paid("Pat  Patron", minute=5), paid("pat patron", minute=1)])
    assert person.names == ("pat patron", "Pat  Patron"), "in the order of payment"
    assert sum(person.amounts) == 8_000 * DOLLAR
    assert totals(paid("Jo Smith"), paid("Pat Patron")) == {("Jo Smith",): 4_000, ("Pat Patron",): 4_000}


@pytest.mark.requirement("AM-01")
def test_a_number_brings_writings_of_a_name_together_and_tells_namesakes_apart() -> None:
    writings = [
        paid("Pat Patron", "P-1"),
        paid("Patricia Patron", "P-1", minute=1),
        paid("patricia patron", minute=2),
    ]
    (person,) = by_person(writings)
    assert (person.patron, sum(person.amounts)) == ("P-1", 12_000 * DOLLAR)
    apart = [paid("Jo Smith", "P-1"), paid("Jo Smith", "P-2"), paid("Jo Smith", minute=3)]
    assert sorted((person.patron, len(person.payments)) for person in by_person(apart)) == [
        ("", 1),
        ("P-1", 1),
        ("P-2", 1),
    ]


PAYMENTS = st.lists(
    st.builds(
        paid,
        st.sampled_from(["Jo", "jo", "Pat", "Sam "]),
        st.sampled_from(["", "1", "2"]),
        st.integers(1, 9_000),
        minute=st.integers(0, 600),
    ),
    max_size=12,
)


@pytest.mark.requirement("AM-01")
@given(PAYMENTS, st.randoms(use_true_random=False))
def test_no_payment_is_lost_or_counted_twice_whatever_the_order(
    payments: list[CashPayment], dice: object
) -> None:
    people = by_person(payments)
    assert sum(sum(person.amounts) for person in people) == sum(payment.amount for payment in payments)
    assert sum(len(person.payments) for person in people) == len(payments)
    turned = by_person(list(reversed(payments)))
    assert sorted(sum(person.amounts) for person in turned) == sorted(
        sum(person.amounts) for person in people
    )
    for person in people:
        assert len({payment.patron for payment in person.payments} - {""}) <= 1
