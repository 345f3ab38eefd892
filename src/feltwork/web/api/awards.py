"""Awards through HTTP: confirmed with badges, paid, or refused; a reversal is a proposal of its own."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field

from feltwork.operations.awards import awards as operations
from feltwork.operations.awards.payouts import verify_payable
from feltwork.operations.context import Operation
from feltwork.operations.links.links import BookedView
from feltwork.web.badges import Form, ShownBadges
from feltwork.web.fields import AwardPath, Body, LinkPath, ReasonBody
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import Permitted, Watcher
from feltwork.web.security.idempotency import Key

router = APIRouter(prefix="/links/{link}/awards", tags=["awards"], responses={**REFUSALS})


class Payment(Body):
    """How the patron is paid."""

    form: Form = Field(examples=["check"])


Payer = Annotated[Operation, Depends(Permitted("pay"))]
Voider = Annotated[Operation, Depends(Permitted("void_claim"))]


@router.get("", summary="The awards of a link")
def show_all(by: Watcher, link: LinkPath) -> operations.AwardsView:
    """Every award, the oldest first."""
    return operations.awards_of(by, link)


@router.get("/{award}", summary="An award")
def show(by: Watcher, link: LinkPath, award: AwardPath) -> operations.AwardView:
    """An award as it stands."""
    return operations.award(by, link, award)


@router.post("/{award}/confirm", summary="CONFIRM with badges")
def confirm(by: Watcher, key: Key, link: LinkPath, award: AwardPath, shown: ShownBadges) -> BookedView:
    """Confirm a claim. It is the badges that decide, each with its PIN, whoever is signed in [LT-03].

    Claims that share a prize, or that J-POT logs, are confirmed together [LT-08].
    """
    command = operations.Confirm(
        link=link,
        award=award,
        badges=shown.shown,
        amount=shown.amount,
        also=None if shown.also is None else tuple(shown.also),
        pay=shown.pay,
    )
    return key.run(by, operations.confirm, command)


@router.post("/{award}/pay", summary="Sign the payout")
def pay(by: Payer, key: Key, link: LinkPath, award: AwardPath, payment: Payment) -> BookedView:
    """Book that the patron has the money; its payout record comes first [WA-24]."""
    return key.run(by, operations.pay, operations.Pay(link=link, award=award, form=payment.form))


@router.post("/{award}/void", summary="Refuse a claim")
def void(by: Voider, key: Key, link: LinkPath, award: AwardPath, why: ReasonBody) -> BookedView:
    """Refuse a claim that is not confirmed; later it takes a reversal by two people [LT-04]."""
    command = operations.VoidClaim(link=link, award=award, reason=why.reason)
    return key.run(by, operations.void_claim, command)


def verify_record(request: Request, by: Operation, link: str, award: str, payment: Payment) -> None:
    """Raise where the payout record or its checklist is missing, unless the operator keeps them elsewhere."""
    del request
    verify_payable(by, link, award, form=payment.form)
