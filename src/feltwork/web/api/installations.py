"""Installations through HTTP: planned with the notice that was given, then done or cancelled."""

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path
from fastapi.encoders import jsonable_encoder
from pydantic import AwareDatetime, Field

from feltwork.books import installations
from feltwork.operations.context import Operation
from feltwork.operations.errors import unknown
from feltwork.web.answers import records
from feltwork.web.callers import Permitted, Watcher
from feltwork.web.once import Key
from feltwork.web.refusals import REFUSALS
from feltwork.web.words import Body, Said

router = APIRouter(prefix="/installations", tags=["installations"], responses={**REFUSALS})
Number = Annotated[int, Path(ge=1, le=2**62, description="The installation.", examples=[4])]
Planner = Annotated[Operation, Depends(Permitted("plan_installation"))]


class Plan(Body):
    """What will be installed or tested live, when, and how the regulator was told."""

    what: Said = Field(examples=["release 1.2 on all tables"])
    begins_at: AwareDatetime = Field(examples=["2030-05-06T06:00:00Z"])
    notice: Said = Field(examples=["by e-mail to the field office"])
    notified_at: AwareDatetime | None = Field(default=None, description="Now without it.")


class Ended(Body):
    """What became of it."""

    outcome: Literal["done", "cancelled"] = Field(examples=["done"])
    says: Said = Field(examples=["self-check and doctor found nothing"])


@router.get("", summary="Every installation", response_model=records.Installations)
def show_all(by: Watcher) -> dict[str, Any]:
    """Installations, the newest first; the report `installations` can be handed over."""
    return {"installations": [asdict(one) for one in installations.installations(by.connection)]}


@router.get("/{number}", summary="An installation", response_model=records.InstallationTold)
def show(by: Watcher, number: Number) -> dict[str, Any]:
    """An installation as it stands."""
    return _told(by, number)


@router.post("", summary="Plan an installation", response_model=records.InstallationTold)
def plan(by: Planner, key: Key, planned: Plan) -> dict[str, Any]:
    """Keep what is planned with its notice; in New York 72 hours lie between them [GEN-20]."""

    def act() -> dict[str, Any]:
        number = installations.plan(by.connection, by=by.actor.id, **planned.model_dump())
        return _told(by, number)

    return key.do(by, planned.model_dump(mode="json"), act, why=planned.what)


@router.post("/{number}/end", summary="End an installation", response_model=records.InstallationTold)
def end(by: Planner, key: Key, number: Number, ended: Ended) -> dict[str, Any]:
    """It was done, not before its time, or it will not be."""

    def act() -> dict[str, Any]:
        installations.end(by.connection, number, outcome=ended.outcome, says=ended.says, by=by.actor.id)
        return _told(by, number)

    return key.do(by, ended.model_dump(), act, why=ended.says)


def _told(by: Operation, number: int) -> dict[str, Any]:
    found = installations.installations(by.connection, number)
    if not found:
        raise unknown(f"installation {number}")
    plain: dict[str, Any] = jsonable_encoder(asdict(found[0]))
    return plain
