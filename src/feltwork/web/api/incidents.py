"""Incidents through HTTP: a malfunction is opened, told to the regulator in time, and closed."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from fastapi.encoders import jsonable_encoder
from pydantic import AwareDatetime, Field

from feltwork.books import incidents
from feltwork.operations.context import Operation
from feltwork.operations.errors import unknown
from feltwork.web import told
from feltwork.web.answers import records
from feltwork.web.callers import Permitted, Watcher
from feltwork.web.once import Key
from feltwork.web.refusals import REFUSALS
from feltwork.web.words import Body, Name, Said

router = APIRouter(prefix="/incidents", tags=["incidents"], responses={**REFUSALS})
Number = Annotated[int, Path(ge=1, le=2**62, description="The incident.", examples=[17])]
Opener = Annotated[Operation, Depends(Permitted("open_incident"))]
Teller = Annotated[Operation, Depends(Permitted("tell_incident"))]


class Malfunction(Body):
    """What does not work, where, and since when somebody knows."""

    what: Said = Field(examples=["a sensor fails at C1"])
    link: Name | None = Field(default=None, examples=["crazy4"])
    table: Name | None = Field(default=None, examples=["C1"])
    learned_at: AwareDatetime | None = Field(default=None, description="Now without it.")


class Noted(Body):
    """What was told to the regulator, or what the cause was."""

    says: Said = Field(examples=["by e-mail to the field office"])


@router.get("", summary="Every incident", response_model=records.Incidents)
def show_all(by: Watcher) -> dict[str, Any]:
    """Incidents, the newest first, and which are late; the report `incidents` can be handed over."""
    return {"incidents": [asdict(one) for one in incidents.incidents(by.connection)]}


@router.get("/{number}", summary="An incident", response_model=records.IncidentTold)
def show(by: Watcher, number: Number) -> dict[str, Any]:
    """An incident as it stands."""
    return _told(by, number)


@router.post("", summary="Report a malfunction", response_model=records.IncidentTold)
def open_(by: Opener, key: Key, broken: Malfunction) -> dict[str, Any]:
    """Open an incident; in Washington the regulator hears of it within 72 hours [WA-32]."""
    if broken.link is not None and broken.link not in told.links(by.connection):
        raise unknown(f"link {broken.link}")

    def act() -> dict[str, Any]:
        number = incidents.open_incident(
            by.connection,
            what=broken.what,
            by=by.actor.id,
            link=broken.link or "",
            table=broken.table or "",
            learned_at=broken.learned_at,
        )
        return _told(by, number)

    return key.do(by, broken.model_dump(mode="json"), act, why=broken.what)


@router.post("/{number}/notified", summary="The regulator was told", response_model=records.IncidentTold)
def notified(by: Teller, key: Key, number: Number, noted: Noted) -> dict[str, Any]:
    """Keep when the regulator was told, and how."""
    return _step(by, key, number, noted, "notified")


@router.post("/{number}/closed", summary="Close an incident", response_model=records.IncidentTold)
def closed(by: Teller, key: Key, number: Number, noted: Noted) -> dict[str, Any]:
    """Close it with its cause, once the regulator was told."""
    return _step(by, key, number, noted, "closed")


def _step(by: Operation, key: Key, number: int, noted: Noted, taken: Any) -> dict[str, Any]:
    def act() -> dict[str, Any]:
        incidents.step(by.connection, number, taken=taken, says=noted.says, by=by.actor.id)
        return _told(by, number)

    return key.do(by, noted.model_dump(), act, why=noted.says)


def _told(by: Operation, number: int) -> dict[str, Any]:
    found = incidents.incidents(by.connection, number)
    if not found:
        raise unknown(f"incident {number}")
    plain: dict[str, Any] = jsonable_encoder(asdict(found[0]))
    return plain
