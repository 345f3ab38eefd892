"""Payouts through HTTP: the record of a win, its check-list and its tax record, before it is paid."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from feltwork.compliance.tax import Identity
from feltwork.operations.awards import payouts
from feltwork.operations.awards.payouts import CompleteStep, PayoutView, WriteRecord
from feltwork.operations.fields import example
from feltwork.web.api.awards import Payer as PayerCaller
from feltwork.web.fields import AwardPath, Body, LinkPath, Name, Statement
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import Watcher
from feltwork.web.security.idempotency import Key

router = APIRouter(prefix="/payouts/{link}/{award}", tags=["payouts"], responses={**REFUSALS})


class ShownDocuments(Body):
    """Which documents the patron has shown; what stands in them is not kept."""

    documents: Annotated[int, Field(ge=0, le=9, strict=True)] = Field(examples=[2])
    photo: bool = Field(examples=[True])
    taxpayer_number: bool = Field(examples=[True])
    excepted: bool = Field(
        default=False, description="A tribal member's card, or an exception that was written down [TX-04]."
    )


class NewRecord(Body):
    """Who is paid, and for which cards."""

    model_config = example(
        payee="Pat Patron",
        patron="P-1107",
        cards="As Ah Ad Ac",
        identity={"documents": 2, "photo": True, "taxpayer_number": True},
    )

    payee: Statement
    patron: Name | None = Field(
        default=None, description="The house's own number of the patron; it tells namesakes apart [AM-01]."
    )
    cards: Statement
    identity: ShownDocuments


class StepNote(Body):
    """What is to be noted about a line of the check-list."""

    note: Statement = Field(examples=["48 cards, camera 12"])


@router.get("", summary="A payout")
def show(by: Watcher, link: LinkPath, award: AwardPath) -> PayoutView:
    """Its check-list with times, the forms in which it may be paid, and its record [WA-24].

    Who may pay it also reads whether the person's cash of the day would be reported [AM-01].
    """
    return payouts.payout(by, link, award)


@router.post("", summary="Write the payout record")
def write(by: PayerCaller, key: Key, link: LinkPath, award: AwardPath, record: NewRecord) -> PayoutView:
    """Write who is paid, once; a win that is reported waits for two documents [WA-24, TX-04]."""
    command = WriteRecord(
        link=link,
        award=award,
        payee=record.payee,
        patron=record.patron or "",
        cards=record.cards,
        identity=Identity(**record.identity.model_dump()),
    )
    return key.run(by, payouts.write_record, command)


@router.post("/steps/{step}", summary="A line of the check-list is done")
def tick(
    by: PayerCaller,
    key: Key,
    link: LinkPath,
    award: AwardPath,
    step: Annotated[Name, Path(description="The line.", examples=["countdown"])],
    noted: StepNote,
) -> PayoutView:
    """Who did it and when goes into the record, once."""
    command = CompleteStep(link=link, award=award, step=step, note=noted.note)
    return key.run(by, payouts.complete_step, command)
