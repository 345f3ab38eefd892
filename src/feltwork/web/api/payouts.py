"""Payouts over HTTP: the payout record, checklist, and tax record of a win."""

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
    """The documents the patron showed; their content is not stored."""

    documents: Annotated[int, Field(ge=0, le=9, strict=True)] = Field(examples=[2])
    photo: bool = Field(examples=[True])
    taxpayer_number: bool = Field(examples=[True])
    excepted: bool = Field(
        default=False, description="A tribal member's card, or a documented exception [TX-04]."
    )


class NewRecord(Body):
    """The payee and the winning cards."""

    model_config = example(
        payee="Pat Patron",
        patron="P-1107",
        cards="As Ah Ad Ac",
        identity={"documents": 2, "photo": True, "taxpayer_number": True},
    )

    payee: Statement
    patron: Name | None = Field(
        default=None, description="The operator's patron number, to tell namesakes apart [AM-01]."
    )
    cards: Statement
    identity: ShownDocuments


class StepNote(Body):
    """A note on a checklist step."""

    note: Statement = Field(examples=["48 cards, camera 12"])


@router.get("", summary="A payout")
def show(by: Watcher, link: LinkPath, award: AwardPath) -> PayoutView:
    """The checklist with times, the permitted forms of payment, and the payout record [WA-24].

    Callers who may pay also see whether the patron's cash of the day is reportable [AM-01].
    """
    return payouts.payout(by, link, award)


@router.post("", summary="Write the payout record")
def write(by: PayerCaller, key: Key, link: LinkPath, award: AwardPath, record: NewRecord) -> PayoutView:
    """Write the payout record once; a reportable win needs two documents [WA-24, TX-04]."""
    command = WriteRecord(
        link=link,
        award=award,
        payee=record.payee,
        patron=record.patron or "",
        cards=record.cards,
        identity=Identity(**record.identity.model_dump()),
    )
    return key.run(by, payouts.write_record, command)


@router.post("/steps/{step}", summary="Complete a checklist step")
def complete_step(
    by: PayerCaller,
    key: Key,
    link: LinkPath,
    award: AwardPath,
    step: Annotated[Name, Path(description="The step.", examples=["countdown"])],
    noted: StepNote,
) -> PayoutView:
    """Record who completed a step and when, once."""
    command = CompleteStep(link=link, award=award, step=step, note=noted.note)
    return key.run(by, payouts.complete_step, command)
