"""Payouts over HTTP: the payout record, checklist, and slip of a win; and a cashier's drawer."""

from datetime import date
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Request
from pydantic import Field, model_validator

from feltwork.site.books.awards import cage, drawer, payouts
from feltwork.site.books.awards.drawer import CountDrawer, DrawerView
from feltwork.site.books.awards.payouts import (
    CompleteStep,
    ExclusionsView,
    ImportExclusions,
    PayoutView,
    WriteRecord,
)
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import example
from feltwork.site.books.floors.site import site_name
from feltwork.site.compliance.tax import Entitled, Identity
from feltwork.site.web.api.awards import Payer as PayerCaller
from feltwork.site.web.fields import Amount, AwardPath, Body, LinkPath, Name, Statement
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


#: One line of a tax form, which may be empty.
Line = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]


class ShownDocuments(Body):
    """The documents the patron showed; their content is not stored."""

    documents: Annotated[int, Field(ge=0, le=9, strict=True)] = Field(examples=[2])
    photo: bool = Field(examples=[True])
    taxpayer_number: bool = Field(examples=[True])
    excepted: bool = Field(
        default=False, description="A tribal member's card, or a documented exception [TX-04]."
    )
    foreign: bool = Field(default=False, description="A nonresident: Form 1042-S instead of Form W-2G.")


class Share(Body):
    """One of several people who are entitled to a win: a line of Form 5754."""

    name: Statement = Field(examples=["Quinn Quill"])
    address: Line = Field(default="", examples=["1 Main St, Olympia WA 98501"])
    taxpayer: Line = Field(default="", examples=["900-00-1234"])
    amount: Amount = Field(examples=[5_000_000_000])


class NewRecord(Body):
    """The payee and the winning cards."""

    model_config = example(
        payee="Pat Patron",
        patron="P-1107",
        cards="As Ah Ad Ac",
        identity={"documents": 2, "photo": True, "taxpayer_number": True},
        address="1 Main St, Olympia WA 98501",
        taxpayer="900-00-1234",
    )

    payee: Statement
    patron: Name | None = Field(
        default=None, description="The operator's patron number, to tell namesakes apart [AM-01]."
    )
    cards: Statement
    identity: ShownDocuments
    address: Line = Field(default="", description="Required where the win needs a tax form.")
    taxpayer: Line = Field(default="", description="The taxpayer number; without it, tax is withheld.")
    entitled: tuple[Share, ...] = Field(default=(), max_length=12, description="For Form 5754 [TX-05].")


class StepNote(Body):
    """A note on a checklist step; for self-exclusion, a birth date to look up on the imported list."""

    note: Annotated[str, Field(max_length=500)] = Field(default="", examples=["48 cards, camera 12"])
    found: bool = Field(default=False, description="Whether the state's system shows the payee.")
    born: date | Literal[""] | None = Field(
        default=None, description="The payee's birth date; it is not stored.", examples=[None]
    )
    digits: str = Field(
        default="", pattern="^([0-9A-Za-z]{4})?$", description="The last four digits of the ID; not stored."
    )

    @model_validator(mode="after")
    def _verify_says(self) -> "StepNote":
        if not self.note.strip() and not self.born:
            raise ValueError("write a note")
        return self


@_payouts.get("", summary="A payout")
def show(by: Watcher, link: LinkPath, award: AwardPath) -> PayoutView:
    """The checklist with times, the permitted forms of payment, and the payout record [WA-24].

    Callers who may pay also see whether the patron's cash for the day is reportable [AM-01].
    """
    return payouts.payout(by, link, award)


@_payouts.post("", summary="Write the payout record")
def write(by: PayerCaller, key: Key, link: LinkPath, award: AwardPath, record: NewRecord) -> PayoutView:
    """Write the payout record, or correct it before the payment; a reportable win needs its form [TX-04]."""
    command = WriteRecord(
        link=link,
        award=award,
        payee=record.payee,
        patron=record.patron or "",
        cards=record.cards,
        identity=Identity(**record.identity.model_dump()),
        address=record.address,
        taxpayer=record.taxpayer,
        entitled=tuple(Entitled(**share.model_dump()) for share in record.entitled),
    )
    return key.run(by, payouts.write_record, command)


@_payouts.post("/steps/{step}", summary="Complete a checklist step")
def complete_step(
    by: PayerCaller,
    key: Key,
    link: LinkPath,
    award: AwardPath,
    step: Annotated[Name, Path(description="The step.", examples=["countdown"])],
    noted: StepNote,
) -> PayoutView:
    """Record who completed a step and when, once."""
    command = CompleteStep(
        link=link,
        award=award,
        step=step,
        note=noted.note,
        found=noted.found,
        born=noted.born or None,
        digits=noted.digits,
    )
    return key.run(by, payouts.complete_step, command)


@_payouts.post("/slip", summary="Print the jackpot slip")
def print_slip(
    request: Request, by: PayerCaller, key: Key, link: LinkPath, award: AwardPath
) -> cage.SlipView:
    """Print the slip on the thermal printer of the cage, or print it again [LT-15]."""
    settings = request.app.state.settings
    printer = partial(
        slip_printer.print_slip,
        settings.slip_printer,
        site=site_name(by.connection),
        address=f"{settings.origin}/awards/{award}/win-page",
        zone=time_zone(by),
    )
    operation = partial(cage.print_slip, printer=printer)
    return key.run(by, operation, cage.PrintSlip(link=link, award=award))


class CountedDrawer(Body):
    """The amount in the drawer."""

    counted: Amount = Field(examples=[20_000_000_000])


@_drawer.post("/counts", summary="Count the drawer")
def count_drawer(by: Cashier, key: Key, counted: CountedDrawer) -> DrawerView:
    """Open your drawer with a counted amount, or close it and get the difference from the expected cash."""
    return key.run(by, drawer.count_drawer, CountDrawer(counted=counted.counted))


class ExclusionList(Body):
    """A self-exclusion list as CSV."""

    people: str = Field(
        max_length=5_000_000,
        description="A line for each person: name, birth date, and the last four digits of an ID.",
        examples=["name,born,id\nPat Patron,1980-02-29,1234\n"],
    )


@_exclusions.post("", summary="Import the self-exclusion list")
def import_exclusions(by: Importer, key: Key, listed: ExclusionList) -> ExclusionsView:
    """Put a self-exclusion list in use; only keyed marks of its people are kept [WA-36]."""
    return key.run(by, payouts.import_exclusions, ImportExclusions(people=listed.people))


router = SubjectRouter()
for _one in (_payouts, _drawer, _exclusions):
    router.include_router(_one)
