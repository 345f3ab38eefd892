"""Reviews of access through HTTP: what is on file, whether the next is overdue, and a new one."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi.encoders import jsonable_encoder
from pydantic import Field

from feltwork.books import reviews
from feltwork.operations.context import Operation
from feltwork.web.answers import records
from feltwork.web.callers import Permitted, Registrar
from feltwork.web.once import Key
from feltwork.web.refusals import REFUSALS
from feltwork.web.words import Body, Said

router = APIRouter(prefix="/access-reviews", tags=["people"], responses={**REFUSALS})
Reviewer = Annotated[Operation, Depends(Permitted("review_access"))]


class Found(Body):
    """What the review has found."""

    says: Said = Field(examples=["everybody on the list works here; two badges were given back"])


@router.get("", summary="Reviews of access", response_model=records.Reviews)
def show_all(by: Registrar) -> dict[str, Any]:
    """The reviews on file, the newest first, when the next is due, and whether it is overdue [TR-03]."""
    return _told(by)


@router.post("", summary="Review who has access", response_model=records.Reviews)
def write(by: Reviewer, key: Key, found: Found) -> dict[str, Any]:
    """Keep that everybody with a badge was gone through, with the list as it stands now [TR-03]."""

    def act() -> dict[str, Any]:
        reviews.write_review(by.connection, says=found.says, by=by.actor.id)
        return _told(by)

    return key.do(by, found.model_dump(), act, why=found.says)


def _told(by: Operation) -> dict[str, Any]:
    plain: dict[str, Any] = jsonable_encoder(asdict(reviews.reviews(by.connection)))
    return plain
