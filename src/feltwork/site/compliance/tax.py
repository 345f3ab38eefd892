"""Tax and cash reporting for an award, by the rules of the day."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from feltwork import money
from feltwork.money import CENT, Micros
from feltwork.problem import Sentence
from feltwork.site.compliance.jurisdiction import Rulings


@dataclass(frozen=True, slots=True, kw_only=True)
class Win:
    """One person's part of an award, on one progressive wager [TX-01]."""

    amount: Micros
    wager: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class Payer:
    """The operator's choices where the tax instructions allow one."""

    #: Whether the wager is deducted from the winnings before they are tested [TX-01].
    less_wager: bool
    #: Whether one person's identical wagers are tested together [TX-06].
    together: bool
    #: Whether the house takes in more than a million dollars a year, so cash is reported [AM-03].
    reports_cash: bool


@dataclass(frozen=True, kw_only=True)
class Identity:
    """The identification that the patron has shown."""

    documents: int
    photo: bool
    taxpayer_number: bool
    #: Whether a tribal member's card or a written exception replaces the rest [TX-04].
    excepted: bool = False
    #: Whether the patron is a nonresident: Form 1042-S with its own rate instead of Form W-2G.
    foreign: bool = False


@dataclass(frozen=True, kw_only=True)
class Entitled:
    """One of several people who are entitled to a win: a line of Form 5754 [TX-05]."""

    name: str
    address: str
    #: Empty if it was not given.
    taxpayer: str
    amount: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """One action, and the requirement behind it."""

    name: str
    requirement: str
    why: str
    amount: Micros = 0


def flags(
    wins: Sequence[Win], *, rulings: Rulings, payer: Payer, identity: Identity | None
) -> tuple[Flag, ...]:
    """Tax flags for one person's wins in a round; each share of a split is a separate win [TX-05]."""
    tested = [_together(wins)] if payer.together and len(wins) > 1 else wins
    return tuple(flag for win in tested for flag in _of_one(win, rulings, payer, identity))


def cash_flags(payments: Iterable[Micros], *, rulings: Rulings, payer: Payer) -> tuple[Flag, ...]:
    """Flag one person's reportable cash of a day; table jackpots are not exempt [AM-01, AM-02]."""
    above = rulings["cash_report_above"]
    total = sum(payments)
    if not payer.reports_cash or above.amount is None or total <= above.amount:
        return ()
    why = Sentence(
        "%(amount)s in cash in one gambling day is above %(limit)s",
        amount=money.dollars(total),
        limit=money.dollars(above.amount),
    )
    return (Flag(name="cash_report", requirement=above.requirement, why=why, amount=total),)


def revenue_flags(amount: Micros, *, rulings: Rulings, linked: bool) -> tuple[Flag, ...]:
    """Flag payouts that are not deducted from gross revenue; every game here is a card game [GEN-25]."""
    ruling = rulings["linked_card_payouts_deducted"]
    if ruling.flag or not linked:
        return ()
    why = "a payout of a link across casinos at a card game is not deducted from gross revenue"
    return (Flag(name="not_deducted", requirement=ruling.requirement, why=why, amount=amount),)


def _together(wins: Sequence[Win]) -> Win:
    return Win(amount=sum(win.amount for win in wins), wager=sum(win.wager for win in wins))


def _of_one(win: Win, rulings: Rulings, payer: Payer, identity: Identity | None) -> Iterable[Flag]:
    form, times, above = (
        rulings[name] for name in ("tax_form_from", "tax_form_times_wager", "withholding_above")
    )
    tested = win.amount - win.wager if payer.less_wager else win.amount
    proceeds = win.amount - win.wager
    if form.amount is None or times.number is None:
        return
    if tested < form.amount or tested < times.number * win.wager:
        return
    foreign = identity is not None and identity.foreign
    why: str = Sentence(
        "%(form)s: %(amount)s is at least %(limit)s and %(times)s x the wager",
        form="Form 1042-S" if foreign else "Form W-2G",
        amount=money.dollars(tested),
        limit=money.dollars(form.amount),
        times=times.number,
    )
    yield Flag(name="tax_form", requirement=form.requirement, why=why, amount=win.amount)
    known = identity is not None and (identity.excepted or (identity.documents >= 2 and identity.photo))
    if not known:
        why = "two documents, one with a photo, or a written exception"
        yield Flag(name="hold_payout", requirement="TX-04", why=why)
    if foreign:
        rate = rulings["foreign_withholding_rate"]
        withheld = money.part(win.amount, rate.rate) // CENT * CENT
        why = Sentence("%(rate)s of a nonresident's win is withheld", rate=money.rate_text(rate.rate))
        yield Flag(name="withholding", requirement=rate.requirement, why=why, amount=withheld)
        return
    rate = rulings["withholding_rate"]
    withheld = money.part(proceeds, rate.rate) // CENT * CENT
    if above.amount is not None and proceeds > above.amount and proceeds >= times.number * win.wager:
        why = Sentence(
            "proceeds of %(amount)s are above %(limit)s",
            amount=money.dollars(proceeds),
            limit=money.dollars(above.amount),
        )
        yield Flag(name="withholding", requirement=above.requirement, why=why, amount=withheld)
    elif identity is not None and not identity.taxpayer_number:
        why = Sentence("taxpayer number not given: %(rate)s is withheld", rate=money.rate_text(rate.rate))
        yield Flag(name="backup_withholding", requirement="TX-04", why=why, amount=withheld)
