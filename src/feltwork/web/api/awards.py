"""Awards through HTTP: confirmed with badges, paid, or refused; a reversal is a proposal of its own."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import Field

from feltwork.books import awards
from feltwork.books.command import Done
from feltwork.books.payouts import Payee, verify_payable, write_record
from feltwork.books.standing import look
from feltwork.books.tables import Table
from feltwork.compliance.tax import Identity
from feltwork.compliance.two_person import Command
from feltwork.operations.authorize import authorize
from feltwork.operations.context import Operation
from feltwork.operations.errors import unknown
from feltwork.progressive.state import Award, LinkState
from feltwork.web import told
from feltwork.web.answers import play
from feltwork.web.badges import Confirmation, Form, badge_of, proved
from feltwork.web.callers import Permitted, Watcher
from feltwork.web.claims import amount_due
from feltwork.web.once import Key
from feltwork.web.refusals import REFUSALS
from feltwork.web.words import AwardPath, Body, LinkPath, Reasoned

router = APIRouter(prefix="/links/{link}/awards", tags=["awards"], responses={**REFUSALS})


class Payment(Body):
    """How the patron is paid."""

    form: Form = Field(examples=["check"])


Payer = Annotated[Operation, Depends(Permitted("pay"))]
Voider = Annotated[Operation, Depends(Permitted("void_claim"))]


@router.get("", summary="The awards of a link", response_model=play.Awards)
def show_all(by: Watcher, link: LinkPath) -> dict[str, Any]:
    """Every award, the oldest first."""
    told.verify_link(by.connection, link)
    state = look(by.connection, link).state
    return {"awards": [_told(state, one) for one in state.awards.values()]}


@router.get("/{award}", summary="An award", response_model=play.AwardTold)
def show(by: Watcher, link: LinkPath, award: AwardPath) -> dict[str, Any]:
    """An award as it stands."""
    found = _award(by, link, award)
    return _told(look(by.connection, link).state, found)


@router.post("/{award}/confirm", summary="CONFIRM with badges", response_model=play.Done)
def confirm(
    request: Request, by: Watcher, key: Key, link: LinkPath, award: AwardPath, shown: Confirmation
) -> dict[str, Any]:
    """Confirm a claim. It is the badges that decide, each with its PIN, whoever is signed in [LT-03].

    Claims that share a prize, or that J-POT logs, are confirmed together [LT-08].
    """
    names = _together(by, link, award, shown.also)
    claims = [_award(by, link, name) for name in names]
    people = proved(by, claims, shown, link)
    badges = [badge_of(one) for one in people]
    table = Table(by.connection, link, claims[0].table)
    if shown.pay:
        authorize(people[0], Command(name="pay", about=award))

    def act() -> dict[str, Any]:
        booked = [table.confirm(claims=names, badges=badges, amount=shown.amount)]
        if shown.pay:
            booked += [_pay_at_once(request, people[0], link, claim, shown.pay) for claim in claims]
        return told.done(*booked)

    body = {
        "badges": [[one.person, one.role] for one in badges],
        "amount": shown.amount,
        "also": names[1:],
        "pay": shown.pay,
    }
    return key.do(by, body, act)


def _told(state: LinkState, award: Award) -> dict[str, Any]:
    """An award with its amount; that of a claim is what would be confirmed now."""
    level, amount = amount_due(state, list(state.awards.values()), award)
    return {**told.award(award), "level": level, "amount": amount}


def _together(by: Operation, link: str, award: str, also: Sequence[str] | None) -> list[str]:
    """The claim first, then those that are confirmed with it: as said, else all that share its prize."""
    claim = _award(by, link, award)
    beside = Table(by.connection, link, claim.table).sharing(award) if also is None else also
    return list(dict.fromkeys([award, *beside]))


def _pay_at_once(request: Request, by: Operation, link: str, claim: Award, form: Form) -> Done:
    """The dealer pays chips at the table, right after the confirmation, and whoever confirmed it watches.

    The record says so. A win with a check-list, or one that is reported, is refused here and waits for
    both [WA-24, TX-04].
    """
    settings = request.app.state.settings
    if settings.payout_record == "required":
        nobody = Identity(documents=0, photo=False, taxpayer_number=False)
        payee = Payee(name=f"table {claim.table}, seat {claim.seat}", cards="as shown", identity=nobody)
        write_record(by.connection, link, claim.id, payee, payer=settings.payer, by=by.actor.id)
        verify_payable(by.connection, link, claim.id, form=form)
    return awards.pay(
        by.connection, link, award=claim.id, form=form, by=claim.claimed_by, witness=by.actor.id
    )


@router.post("/{award}/pay", summary="Sign the payout", response_model=play.Done)
def pay(
    request: Request, by: Payer, key: Key, link: LinkPath, award: AwardPath, payment: Payment
) -> dict[str, Any]:
    """Book that the patron has the money; its payout record comes first [WA-24]."""
    _award(by, link, award)

    def act() -> dict[str, Any]:
        verify_record(request, by, link, award, payment)
        return told.done(awards.pay(by.connection, link, award=award, form=payment.form, by=by.actor.id))

    return key.do(by, payment.model_dump(), act)


@router.post("/{award}/void", summary="Refuse a claim", response_model=play.Done)
def void(by: Voider, key: Key, link: LinkPath, award: AwardPath, why: Reasoned) -> dict[str, Any]:
    """Refuse a claim that is not confirmed; later it takes a reversal by two people [LT-04]."""
    table = Table(by.connection, link, _award(by, link, award).table)
    return key.do(
        by,
        why.model_dump(),
        lambda: told.done(table.void(award=award, reason=why.reason, by=by.actor.id)),
        why=why.reason,
    )


def verify_record(request: Request, by: Operation, link: str, award: str, payment: Payment) -> None:
    """Raise where the payout record or its check-list is wanting, unless the house keeps them elsewhere."""
    if request.app.state.settings.payout_record == "required":
        verify_payable(by.connection, link, award, form=payment.form)


def _award(by: Operation, link: str, award: str) -> Award:
    told.verify_link(by.connection, link)
    found = look(by.connection, link).state.awards.get(award)
    if found is None:
        raise unknown(f"{link}, award {award}")
    return found
