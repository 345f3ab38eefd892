"""Payouts through HTTP: the record of a win, its check-list and its tax record, before it is paid."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import Field

from feltwork.books import payouts
from feltwork.books.payouts import Payee
from feltwork.compliance.tax import Identity
from feltwork.operations.context import Operation
from feltwork.web.answers import records
from feltwork.web.answers import shown as shown_as
from feltwork.web.api.awards import Payer as PayerCaller
from feltwork.web.callers import Watcher
from feltwork.web.once import Key
from feltwork.web.refusals import REFUSALS
from feltwork.web.words import AwardPath, Body, LinkPath, Name, Said

router = APIRouter(prefix="/payouts/{link}/{award}", tags=["payouts"], responses={**REFUSALS})


class Shown(Body):
    """Which documents the patron has shown; what stands in them is not kept."""

    documents: Annotated[int, Field(ge=0, le=9, strict=True)] = Field(examples=[2])
    photo: bool = Field(examples=[True])
    taxpayer_number: bool = Field(examples=[True])
    excepted: bool = Field(
        default=False, description="A tribal member's card, or an exception that was written down [TX-04]."
    )


class NewRecord(Body):
    """Who is paid, and for which cards."""

    model_config = shown_as(
        payee="Pat Patron",
        patron="P-1107",
        cards="As Ah Ad Ac",
        identity={"documents": 2, "photo": True, "taxpayer_number": True},
    )

    payee: Said
    patron: Name | None = Field(
        default=None, description="The house's own number of the patron; it tells namesakes apart [AM-01]."
    )
    cards: Said
    identity: Shown


class StepNote(Body):
    """What is to be noted about a line of the check-list."""

    note: Said = Field(examples=["48 cards, camera 12"])


@router.get("", summary="A payout", response_model=records.PayoutTold)
def show(request: Request, by: Watcher, link: LinkPath, award: AwardPath) -> dict[str, Any]:
    """Its check-list with times, the forms in which it may be paid, and its record [WA-24].

    Who may pay it also reads whether the person's cash of the day would be reported [AM-01].
    """
    return _told(request, by, link, award)


@router.post("", summary="Write the payout record", response_model=records.PayoutTold)
def write(
    request: Request, by: PayerCaller, key: Key, link: LinkPath, award: AwardPath, record: NewRecord
) -> dict[str, Any]:
    """Write who is paid, once; a win that is reported waits for two documents [WA-24, TX-04]."""
    shown = record.identity
    identity = Identity(
        documents=shown.documents,
        photo=shown.photo,
        taxpayer_number=shown.taxpayer_number,
        excepted=shown.excepted,
    )
    payee = Payee(name=record.payee, patron=record.patron or "", cards=record.cards, identity=identity)
    payer = request.app.state.settings.payer

    def act() -> dict[str, Any]:
        payouts.write_record(by.connection, link, award, payee, payer=payer, by=by.actor.id)
        return _told(request, by, link, award)

    return key.do(by, record.model_dump(), act)


@router.post("/steps/{step}", summary="A line of the check-list is done", response_model=records.PayoutTold)
def tick(  # noqa: PLR0913, PLR0917 - the path names three of them
    request: Request,
    by: PayerCaller,
    key: Key,
    link: LinkPath,
    award: AwardPath,
    step: Annotated[Name, Path(description="The line.", examples=["countdown"])],
    noted: StepNote,
) -> dict[str, Any]:
    """Who did it and when goes into the record, once."""

    def act() -> dict[str, Any]:
        payouts.tick(by.connection, link, award, step=step, note=noted.note, by=by.actor.id)
        return _told(request, by, link, award)

    return key.do(by, noted.model_dump(), act)


def _told(request: Request, by: Operation, link: str, award: str) -> dict[str, Any]:
    sheet = payouts.sheet(by.connection, link, award)
    record = sheet.record or {}
    cash = payouts.cash_asked(by.connection, link, sheet, payer=request.app.state.settings.payer)
    names = ("payee", "patron", "cards", "flags", "withheld", "written_by")
    return {
        "link": link,
        "award": award,
        "status": sheet.award.status,
        "amount": sheet.award.amount,
        "forms": list(sheet.forms),
        "steps": [dict(step) for step in sheet.steps],
        "cash": [asdict(flag) for flag in cash] if by.actor.may("pay") else None,
        **{name: record.get(name) for name in names},
    }
