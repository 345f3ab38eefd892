"""Cash paid to one person in a day, for currency reports [AM-01]."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from feltwork.money import Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class CashPayment:
    """A cash payment to a person, less withholding."""

    link: str
    award: str
    payee: str
    #: The house's patron number; empty if none was given.
    patron: str
    amount: Micros
    paid_at: datetime
    paid_by: str


@dataclass(frozen=True, slots=True)
class CashOfPerson:
    """The payments of one person, in order."""

    payments: tuple[CashPayment, ...]

    @property
    def amounts(self) -> tuple[Micros, ...]:
        """The amount of each payment."""
        return tuple(payment.amount for payment in self.payments)

    @property
    def names(self) -> tuple[str, ...]:
        """Every spelling of the name."""
        return tuple(dict.fromkeys(payment.payee for payment in self.payments))

    @property
    def patron(self) -> str:
        """The patron number, if any payment has one."""
        return next((payment.patron for payment in self.payments if payment.patron), "")


def by_person(payments: Iterable[CashPayment]) -> tuple[CashOfPerson, ...]:
    """Group payments by patron number, or by name where no number is known.

    A payment without a number belongs to the only number of that name, if there is exactly one.
    """
    all_payments = list(payments)
    numbers: dict[str, set[str]] = {}
    for payment in all_payments:
        if payment.patron:
            numbers.setdefault(_folded(payment.payee), set()).add(payment.patron)
    people: dict[tuple[str, str], list[CashPayment]] = {}
    for payment in all_payments:
        name = _folded(payment.payee)
        known = numbers.get(name, set())
        number = payment.patron or (next(iter(known)) if len(known) == 1 else "")
        people.setdefault((number, "" if number else name), []).append(payment)
    return tuple(map(_in_order, people.values()))


def _in_order(payments: Sequence[CashPayment]) -> CashOfPerson:
    return CashOfPerson(tuple(sorted(payments, key=lambda payment: payment.paid_at)))


def _folded(name: str) -> str:
    """Normalize the case and spacing of a name."""
    return " ".join(name.casefold().split())
