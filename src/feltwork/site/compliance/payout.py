"""Payout of a win: steps before payment, forms of payment, and deadlines."""

from collections.abc import Iterator
from dataclasses import dataclass

from feltwork import money
from feltwork.money import Micros
from feltwork.problem import Sentence
from feltwork.site.compliance.jurisdiction import Rulings
from feltwork.site.progressive.facts import DAY, Instant

HOUR: Instant = DAY // 24


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistStep:
    """One line of a checklist; ``by`` is the deadline, 0 for none."""

    name: str
    requirement: str
    says: str
    by: Instant = 0


#: What follows a look at the self-exclusion list that found somebody: another person answers the question.
MATCH = ChecklistStep(
    name="match",
    requirement="WA-35",
    says=(
        "the patron may be self-excluded: a second person compares the ID with the state's list and writes "
        "why it is somebody else, or two people confiscate the award"
    ),
)


def payout_steps(
    amount: Micros, *, rulings: Rulings, confirmed_at: Instant, named: bool = True
) -> tuple[ChecklistStep, ...]:
    """Return the payout checklist for a win of this amount, paid to a named person or not [WA-24]."""
    return tuple(_steps(amount, rulings, confirmed_at, named=named))


def forms(amount: Micros, *, rulings: Rulings) -> tuple[str, ...]:
    """Return the allowed forms of payment [WA-24]."""
    bound = rulings["cash_up_to"].amount
    return ("chips", "cash", "check") if bound is None or amount <= bound else ("check",)


def notify_by(learned_at: Instant, *, rulings: Rulings, rule: str = "malfunction_hours") -> Instant | None:
    """Return the deadline to notify the regulator of a malfunction or a confiscation, or None [WA-32]."""
    hours = rulings[rule].number
    return None if hours is None else learned_at + hours * HOUR


def _steps(
    amount: Micros, rulings: Rulings, confirmed_at: Instant, *, named: bool
) -> Iterator[ChecklistStep]:
    countdown, cash, hours, sealed = (
        rulings[name] for name in ("countdown_from", "cash_up_to", "check_hours", "sealed_days")
    )
    yield ChecklistStep(
        name="record", requirement="WA-24", says="write the payout record and both signatures"
    )
    if countdown.amount is not None and amount >= countdown.amount:
        yield ChecklistStep(
            name="countdown",
            requirement=countdown.requirement,
            says="show each card to the camera and count down the rest of the deck",
        )
        if sealed.number is not None:
            until = confirmed_at + sealed.number * DAY
            text = Sentence("seal hand and deck with the record for %(days)s days", days=sealed.number)
            yield ChecklistStep(name="seal", requirement=sealed.requirement, says=text, by=until)
    excluded = rulings["exclusion_hours"]
    if named and excluded.number is not None:
        says = "look the payee up on the self-exclusion list, or in the state's system"
        yield ChecklistStep(name="exclusion", requirement=excluded.requirement, says=says)
    if cash.amount is not None and amount > cash.amount and hours.number is not None:
        text = Sentence(
            "pay by check within %(hours)s hours; cash and chips end at %(limit)s",
            hours=hours.number,
            limit=money.dollars(cash.amount),
        )
        until = confirmed_at + hours.number * HOUR
        yield ChecklistStep(name="check", requirement=hours.requirement, says=text, by=until)
