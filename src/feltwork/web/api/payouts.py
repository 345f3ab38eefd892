"""Payouts through HTTP: the record of a win, its check-list and its tax record, before it is paid."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import Field

from feltwork.books import payouts
from feltwork.books.payouts import Payee
from feltwork.compliance.tax import Identity, Payer
from feltwork.web.answers import records
from feltwork.web.answers import shown as shown_as
from feltwork.web.api.awards import Payer as PayerCaller
from feltwork.web.callers import Caller, Watcher
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
        cards="As Ah Ad Ac",
        identity={"documents": 2, "photo": True, "taxpayer_number": True},
    )

    payee: Said
    cards: Said
    identity: Shown


class StepNote(Body):
    """What is to be noted about a line of the check-list."""

    note: Said = Field(examples=["48 cards, camera 12"])


@router.get("", summary="A payout", response_model=records.PayoutTold)
def show(by: Watcher, link: LinkPath, award: AwardPath) -> dict[str, Any]:
    """Its check-list with times, the forms in which it may be paid, and its record [WA-24]."""
    return _told(by, link, award)


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
    payee = Payee(name=record.payee, cards=record.cards, identity=identity)
    less_wager = request.app.state.settings.tax_less_wager
    payer = Payer(less_wager=less_wager, together=False, reports_cash=True)

    def act() -> dict[str, Any]:
        payouts.write_record(by.connection, link, award, payee, payer=payer, by=by.id)
        return _told(by, link, award)

    return key.do(by, record.model_dump(), act)


@router.post("/steps/{step}", summary="A line of the check-list is done", response_model=records.PayoutTold)
def tick(
    by: PayerCaller,
    key: Key,
    link: LinkPath,
    award: AwardPath,
    step: Annotated[Name, Path(description="The line.", examples=["countdown"])],
    noted: StepNote,
) -> dict[str, Any]:
    """Who did it and when goes into the record, once."""

    def act() -> dict[str, Any]:
        payouts.tick(by.connection, link, award, step=step, note=noted.note, by=by.id)
        return _told(by, link, award)

    return key.do(by, noted.model_dump(), act)


def _told(by: Caller, link: str, award: str) -> dict[str, Any]:
    sheet = payouts.sheet(by.connection, link, award)
    record = sheet.record or {}
    names = ("payee", "cards", "flags", "withheld", "written_by")
    return {
        "link": link,
        "award": award,
        "status": sheet.award.status,
        "amount": sheet.award.amount,
        "forms": list(sheet.forms),
        "steps": [dict(step) for step in sheet.steps],
        **{name: record.get(name) for name in names},
    }
