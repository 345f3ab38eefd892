"""Payouts over HTTP: the payout record, checklist, and slip of a win; and a cashier's drawer."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request

from feltwork.site.books.awards import cage, drawer, exclusions, payouts
from feltwork.site.books.context import Operation
from feltwork.site.books.floors.site import site_name
from feltwork.site.web.api.awards import Payer
from feltwork.site.web.fields import AwardPath, LinkPath, Name
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.rendering import slip_printer
from feltwork.site.web.rendering.templating import time_zone
from feltwork.site.web.security.auth import Permitted, Watcher
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import DeferredRoute, SubjectRouter

_payouts = APIRouter(
    prefix="/payouts/{link}/{award}", tags=["payouts"], responses={**REFUSALS}, route_class=DeferredRoute
)
_drawer = APIRouter(prefix="/drawer", tags=["payouts"], responses={**REFUSALS}, route_class=DeferredRoute)
_exclusions = APIRouter(
    prefix="/exclusions", tags=["payouts"], responses={**REFUSALS}, route_class=DeferredRoute
)
Importer = Annotated[Operation, Depends(Permitted("import_exclusions"))]
Cashier = Annotated[Operation, Depends(Permitted("count_drawer"))]


@_payouts.get("", summary="A payout")
def show(by: Watcher, link: LinkPath, award: AwardPath) -> payouts.PayoutView:
    """The checklist with times, the permitted forms of payment, and the payout record [WA-24].

    Callers who may pay also see whether the patron's cash for the day is reportable [AM-01].
    """
    return payouts.payout(by, link, award)


@_payouts.post("", summary="Write the payout record")
def write(
    by: Payer, key: Key, link: LinkPath, award: AwardPath, body: payouts.WriteRecord
) -> payouts.PayoutView:
    """Write the payout record, or correct it before the payment; a reportable win needs its form [TX-04]."""
    return key.run(by, payouts.write, link, award, body)


@_payouts.post("/steps/{step}", summary="Complete a checklist step")
def complete_step(
    by: Payer,
    key: Key,
    link: LinkPath,
    award: AwardPath,
    step: Annotated[Name, Path(description="The step.", examples=["countdown"])],
    body: payouts.CompleteStep,
) -> payouts.PayoutView:
    """Record who completed a step and when, once."""
    return key.run(by, payouts.complete_step, link, award, step, body)


@_payouts.post("/slip", summary="Print the jackpot slip")
def print_slip(request: Request, by: Payer, key: Key, link: LinkPath, award: AwardPath) -> cage.SlipView:
    """Print the slip on the thermal printer of the cage, or print it again [LT-15]."""
    settings = request.app.state.settings
    printer = partial(
        slip_printer.print_slip,
        settings.slip_printer,
        site=site_name(by.connection),
        address=f"{settings.origin}/awards/{award}/win-page",
        zone=time_zone(by),
    )
    return key.run(by, cage.print_slip, link, award, printer=printer)


@_drawer.post("/counts", summary="Count the drawer")
def count_drawer(by: Cashier, key: Key, body: drawer.CountDrawer) -> drawer.DrawerView:
    """Open your drawer with a counted amount, or close it and get the difference from the expected cash."""
    return key.run(by, drawer.count_drawer, body)


@_exclusions.post("", summary="Import the self-exclusion list")
def import_exclusions(by: Importer, key: Key, body: exclusions.ImportExclusions) -> exclusions.ExclusionsView:
    """Put a self-exclusion list in use; only keyed marks of its people are kept [WA-36]."""
    return key.run(by, exclusions.import_exclusions, body)


router = SubjectRouter()
for _one in (_payouts, _drawer, _exclusions):
    router.include_router(_one)
