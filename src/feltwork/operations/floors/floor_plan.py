"""The floor plan: links with their meters, alarms, and incidents that are not closed [GL-04]."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from feltwork.books.records import incidents
from feltwork.books.records.alarms import Alarm, last_alarms
from feltwork.operations.authorize import authorize_any
from feltwork.operations.context import Operation
from feltwork.operations.floors.site import floor_in_force, site_name
from feltwork.operations.links.meters import LinkStatus, link_statuses


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmView:
    """An alarm, and who cleared it."""

    kind: str
    place: str
    says: str
    raised_at: datetime
    cleared_at: datetime | None
    cleared_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentOnPlan:
    """A malfunction that is not closed; late where the regulator should have been notified."""

    number: int
    place: str
    what: str
    late: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorStatus:
    """The current state of the floor."""

    site: str
    links: tuple[LinkStatus, ...]
    alarms: tuple[AlarmView, ...]
    incidents: tuple[IncidentOnPlan, ...]
    #: The pit of each table of the floor in force.
    pits: Mapping[str, str]


def floor_status(op: Operation) -> FloorStatus:
    """Links, alarms with who cleared them, open incidents, and table positions."""
    authorize_any(op, "watch", about="floor plan")
    floor = floor_in_force(op.connection)
    return FloorStatus(
        site=site_name(op.connection),
        links=link_statuses(op.connection),
        alarms=tuple(map(_alarm, last_alarms(op.connection))),
        incidents=tuple(
            IncidentOnPlan(number=one.number, place=one.table or one.link, what=one.what, late=one.late)
            for one in incidents.incidents(op.connection)
            if one.closed_at is None
        ),
        pits={name: table.location for name, table in floor.table_by_id.items()} if floor else {},
    )


def _alarm(alarm: Alarm) -> AlarmView:
    return AlarmView(
        kind=alarm.kind,
        place=alarm.place,
        says="; ".join(f"{name.replace('_', ' ')} {value}" for name, value in alarm.details.items()),
        raised_at=alarm.raised_at,
        cleared_at=alarm.cleared_at,
        cleared_by=alarm.cleared_by,
    )
