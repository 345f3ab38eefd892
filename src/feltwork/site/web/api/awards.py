"""Awards over HTTP: confirm with badges, pay, or void. A reversal is a proposal."""

from typing import Annotated

from fastapi import Depends
from pydantic import Field

from feltwork.site.books.awards import awards as operations
from feltwork.site.books.context import Operation
from feltwork.site.books.links.links import BookedView
from feltwork.site.web.badges import Form, ShownBadges
from feltwork.site.web.fields import AwardPath, Body, Cards, LinkPath, ReasonBody
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import Permitted, Watcher
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/links/{link}/awards", tags=["awards"], responses={**REFUSALS})


class Payment(Body):
    """The form of payment."""

    form: Form = Field(examples=["check"])


class WinningCards(Body):
    """The winning cards, in the groups that the jackpot evaluates."""

    cards: Cards = Field(min_length=2, examples=["As Ah Ad Ac 2c"])


class VoidedClaim(ReasonBody):
    """The reason to void a claim, and the supervisor who authorizes it."""

    shown: operations.ShownBadge = Field(examples=[{"badge": "B-21", "pin": "1379"}])


Payer = Annotated[Operation, Depends(Permitted("pay"))]
CardEnterer = Annotated[Operation, Depends(Permitted("enter_cards"))]


@router.get("", summary="The awards of a link")
def show_all(by: Watcher, page: Paged, link: LinkPath) -> operations.AwardsView:
    """Every award, oldest first."""
    view = operations.awards_of(by, link)
    return page.of(view, "awards", view.awards, lambda award: award.id)


@router.get("/{award}", summary="An award")
def show(by: Watcher, link: LinkPath, award: AwardPath) -> operations.AwardView:
    """The current state of an award."""
    return operations.award(by, link, award)


@router.post("/{award}/confirm", summary="CONFIRM with badges")
def confirm(by: Watcher, key: Key, link: LinkPath, award: AwardPath, body: ShownBadges) -> BookedView:
    """Confirm a claim on the authority of the badges presented, no matter who is signed in [LT-03].

    Claims that share a prize, or that one J-POT press logged, are confirmed together [LT-08].
    """
    command = operations.Confirm(
        link=link,
        award=award,
        badges=body.shown,
        amount=body.amount,
        also=None if body.also is None else tuple(body.also),
        pay=body.pay,
        cards=body.cards,
    )
    return key.run(by, operations.confirm, command)


@router.post("/{award}/badge", summary="Check a badge")
def check_badge(
    by: Watcher, link: LinkPath, award: AwardPath, body: operations.ShownBadge
) -> operations.BadgeView:
    """Check one of several badges before CONFIRM; nothing is posted, but a wrong PIN counts [LT-03]."""
    return operations.check_badge(by, operations.CheckBadge(link=link, award=award, badge=body))


@router.post("/{award}/cards", summary="Enter the winning cards")
def enter_cards(
    by: CardEnterer, key: Key, link: LinkPath, award: AwardPath, body: WinningCards
) -> BookedView:
    """Enter the winning cards once, before payment; they must make the hand that was pressed [LT-02]."""
    command = operations.EnterCards(link=link, award=award, cards=body.cards)
    return key.run(by, operations.enter_cards, command)


@router.post("/{award}/pay", summary="Pay an award")
def pay(by: Payer, key: Key, link: LinkPath, award: AwardPath, payment: Payment) -> operations.PaidView:
    """Post the payment; the payout record comes first [WA-24]."""
    return key.run(by, operations.pay, operations.Pay(link=link, award=award, form=payment.form))


@router.post("/{award}/void", summary="Void a claim")
def void(by: Watcher, key: Key, link: LinkPath, award: AwardPath, why: VoidedClaim) -> BookedView:
    """Void an unconfirmed claim by badge and PIN; a confirmed award needs a two-person reversal [LT-04]."""
    supervisor = operations.beside_claim(by, link, award, why.shown)
    command = operations.VoidClaim(link=link, award=award, reason=why.reason)
    return key.run(supervisor, operations.void_claim, command)
