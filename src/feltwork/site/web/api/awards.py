"""Awards over HTTP: confirm with badges, pay, or void. A reversal is a proposal."""

from typing import Annotated

from fastapi import Depends

from feltwork.site.books.awards import awards
from feltwork.site.books.context import Operation
from feltwork.site.books.links.links import BookedView
from feltwork.site.web.fields import AwardPath, LinkPath
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import Permitted, Watcher
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/links/{link}/awards", tags=["awards"], responses={**REFUSALS})
Payer = Annotated[Operation, Depends(Permitted("pay"))]
CardEnterer = Annotated[Operation, Depends(Permitted("enter_cards"))]


@router.get("", summary="The awards of a link")
def show_all(by: Watcher, page: Paged, link: LinkPath) -> awards.AwardsView:
    """Every award, oldest first."""
    view = awards.awards_of(by, link)
    return page.of(view, "awards", view.awards, lambda award: award.id)


@router.get("/{award}", summary="An award")
def show(by: Watcher, link: LinkPath, award: AwardPath) -> awards.AwardView:
    """The current state of an award."""
    return awards.award(by, link, award)


@router.post("/{award}/confirm", summary="CONFIRM with badges")
def confirm(by: Watcher, key: Key, link: LinkPath, award: AwardPath, body: awards.Confirm) -> BookedView:
    """Confirm a claim on the authority of the badges presented, no matter who is signed in [LT-03].

    Claims that share a prize, or that one J-POT press logged, are confirmed together [LT-08].
    """
    return key.run(by, awards.confirm, link, award, body)


@router.post("/{award}/badge", summary="Check a badge")
def check_badge(by: Watcher, link: LinkPath, award: AwardPath, body: awards.ShownBadge) -> awards.BadgeView:
    """Check one of several badges before CONFIRM; nothing is posted, but a wrong PIN counts [LT-03]."""
    return awards.check_badge(by, link, award, body)


@router.post("/{award}/cards", summary="Enter the winning cards")
def enter_cards(
    by: CardEnterer, key: Key, link: LinkPath, award: AwardPath, body: awards.EnterCards
) -> BookedView:
    """Enter the winning cards once, before payment; they must make the hand that was pressed [LT-02]."""
    return key.run(by, awards.enter_cards, link, award, body)


@router.post("/{award}/pay", summary="Pay an award")
def pay(by: Payer, key: Key, link: LinkPath, award: AwardPath, body: awards.Pay) -> awards.PaidView:
    """Post the payment; the payout record comes first [WA-24]."""
    return key.run(by, awards.pay, link, award, body)


@router.post("/{award}/void", summary="Void a claim")
def void(by: Watcher, key: Key, link: LinkPath, award: AwardPath, body: awards.VoidClaim) -> BookedView:
    """Void an unconfirmed claim by badge and PIN; a confirmed award needs a two-person reversal [LT-04]."""
    return key.run(by, awards.void_claim, link, award, body)
