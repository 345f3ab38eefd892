"""The floor plan: links with their meters, alarms, and open incidents [GL-04]."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated

from psycopg.types.json import Jsonb
from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.site.books.authorize import authorize, authorize_any
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import COMMAND, Name, with_example
from feltwork.site.books.floors.site import floor_in_force, site_name
from feltwork.site.books.links.meters import LinkStatus, link_statuses
from feltwork.site.books.queries import statement
from feltwork.site.books.watch.alarms import Alarm, last_alarms
from feltwork.site.books.watch.incidents import incidents
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.refusal import refuse

#: Columns and maximum rows of the plan.
COLUMNS, ROWS = 8, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentOnPlan:
    """An open malfunction; late if the regulator should have been notified."""

    number: int
    place: str
    what: str
    late: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorStatus:
    """The current state of the floor."""

    site: str
    links: tuple[LinkStatus, ...]
    alarms: tuple[Alarm, ...]
    incidents: tuple[IncidentOnPlan, ...]
    #: The pit of each table of the floor in force.
    pits: Mapping[str, str]
    #: Column and row of each table that was placed on the plan.
    places: Mapping[str, tuple[int, int]]


@validated(config=COMMAND, frozen=True, kw_only=True)
class TablePlace:
    """The place of a table on the plan, from the top left."""

    table: Name = Field(examples=["C1"])
    column: Annotated[int, Field(ge=1, le=COLUMNS, strict=True)] = Field(examples=[3])
    row: Annotated[int, Field(ge=1, le=ROWS, strict=True)] = Field(examples=[2])


@validated(config=COMMAND, frozen=True, kw_only=True)
class ArrangeTables:
    """All tables of the plan with their places."""

    places: tuple[TablePlace, ...] = Field(
        min_length=1, max_length=COLUMNS * ROWS, examples=[[{"table": "C1", "column": 1, "row": 1}]]
    )


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class ArrangementView:
    """Column and row of each table."""

    places: dict[str, tuple[int, int]]


def floor_status(op: Operation) -> FloorStatus:
    """Show links, alarms with who cleared them, open incidents, and table positions."""
    authorize_any(op, "watch", about="floor plan")
    floor = floor_in_force(op.connection)
    arranged = op.connection.execute(statement("floor_plan")).fetchone()
    return FloorStatus(
        site=site_name(op.connection),
        links=link_statuses(op.connection),
        alarms=tuple(last_alarms(op.connection)),
        incidents=tuple(
            IncidentOnPlan(
                number=incident.number,
                place=incident.table or incident.link,
                what=incident.what,
                late=incident.late,
            )
            for incident in incidents(op.connection)
            if incident.closed_at is None
        ),
        places={table: (column, row) for table, (column, row) in arranged[0].items()} if arranged else {},
        pits={name: table.location for name, table in floor.table_by_id.items()} if floor else {},
    )


def arrange_floor_plan(op: Operation, command: ArrangeTables) -> ArrangementView:
    """Save the table positions, for everyone."""
    authorize(op, Command(name="arrange_plan", about="floor plan"))
    places = {place.table: (place.column, place.row) for place in command.places}
    if len(places) != len(command.places) or len(set(places.values())) != len(places):
        raise refuse(
            "floor plan", "a table or a place is listed twice", "give each table its own place", "GL-04"
        )

    def act() -> ArrangementView:
        op.connection.execute(statement("arrange_floor_plan"), (Jsonb(places), op.actor.id))
        return ArrangementView(places=places)

    return op.perform(asdict(command), ArrangementView, act)
