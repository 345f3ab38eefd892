"""The floor plan: tables, meters, sensors, and alarms, live [GL-04]."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from fastapi import Request
from fastapi.responses import Response

from feltwork.site.books.context import Operation
from feltwork.site.books.floors.floor_plan import COLUMNS, FloorStatus, floor_status
from feltwork.site.books.tables import table_status
from feltwork.site.books.tables.table_status import TableStatus
from feltwork.site.web.rendering.templating import page
from feltwork.site.web.screens.alarms import ShownAlarm, shown_alarm
from feltwork.site.web.security.auth import Watcher
from feltwork.site.web.streaming.sensor_cache import SensorCache
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter()
#: A table with several jackpots shows the phase that needs attention most.
_URGENT = ("claimed", "key_at_jackpot", "logged", "playing", "idle")
#: The arc of seats, open on the dealer's side.
_MIDDLE, _TOP, _WIDE, _DEEP, _OPEN = 100, 26, 82, 66, 0.13


@router.get("/floor")
def show(request: Request, by: Watcher) -> Response:
    """Tables by pit or as arranged, links with their meters, and alarms with the people who cleared them."""
    return _page(request, by, arrange=False)


@router.get("/floor/arrange")
def show_arrangement(request: Request, by: Watcher) -> Response:
    """The floor plan with movable tables."""
    return _page(request, by, arrange=True)


def _page(request: Request, by: Operation, *, arrange: bool) -> Response:
    view = floor_status(by)
    alarms = [shown_alarm(by, alarm) for alarm in view.alarms]
    places = _places(table_status.tables(by.connection), view, alarms, request.app.state.sensors)
    return page(
        request,
        "floor_plan.html",
        view,
        by=by,
        alarms=alarms,
        counts={
            "tables": len(places),
            "playing": sum(place.phase not in ("idle", "claimed") for place in places),
            "claims": sum(place.phase == "claimed" for place in places),
            "links_stopped": sum(not link.takes_wagers for link in view.links),
            "sensors_silent": sum(place.sensors == "silent" for place in places),
            "alarms": sum(alarm.cleared_at is None for alarm in alarms),
        },
        pits=[
            {"pit": pit, "tables": [place for place in places if place.pit == pit]}
            for pit in dict.fromkeys(place.pit for place in places)
        ],
        cells=_cells(places, view) if view.places or arrange else [],
        columns=COLUMNS,
        arrange=arrange,
        may_arrange=by.actor.may("arrange_plan"),
    )


def _cells(places: Sequence["Place"], view: FloorStatus) -> list["Place | None"]:
    """The cells row by row; tables without a place follow below, each pit on separate rows."""
    at = {view.places[place.id]: place for place in places if place.id in view.places}
    row = max((row for _, row in at), default=0)
    pit, column = None, COLUMNS
    for place in places:
        if place.id in view.places:
            continue
        if column == COLUMNS or place.pit != pit:
            row, column = row + 1, 0
        pit, column = place.pit, column + 1
        at[column, row] = place
    return [at.get((column, line)) for line in range(1, row + 1) for column in range(1, COLUMNS + 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOnPlan:
    """A seat with its drawing position."""

    seat: int
    lit: bool
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A table on the plan."""

    id: str
    pit: str
    game: str
    link: str
    links: list[str]
    phase: str
    round: int
    sensors: str
    seats: list[SeatOnPlan]
    alarms: list[str]


def _places(
    statuses: Sequence[TableStatus], view: FloorStatus, alarms: Sequence[ShownAlarm], sensors: SensorCache
) -> list[Place]:
    """Every table once, even if it has several jackpots."""
    by_table: dict[str, list[TableStatus]] = {}
    for status in statuses:
        by_table.setdefault(status.id, []).append(status)
    places = []
    for name, played in by_table.items():
        covered = _covered(played, sensors) if played[0].sensors else None
        has_signal = covered is not None or any(status.heard for status in played)
        at_work = min(
            played, key=lambda status: _URGENT.index(status.phase) if status.phase in _URGENT else 0
        )
        places.append(
            Place(
                id=name,
                pit=view.pits.get(name) or "floor",
                game=at_work.game,
                link=at_work.link,
                links=[status.link for status in played],
                phase=at_work.phase,
                round=at_work.number,
                sensors="none" if not played[0].sensors else "lit" if has_signal else "silent",
                seats=_seats(played[0].seats, at_work.covered or covered or []),
                alarms=[
                    alarm.title
                    for alarm in alarms
                    if alarm.cleared_at is None and alarm.place == f"table {name}"
                ],
            )
        )
    return sorted(places, key=lambda place: (place.pit, place.id))


def _covered(played: Sequence[TableStatus], sensors: SensorCache) -> list[int] | None:
    """Covered seats on any of the table's links; None without a sensor signal."""
    lines = [sensors.covered(status.link, status.id) for status in played]
    readings = [seats for seats in lines if seats is not None]
    return sorted(set[int]().union(*readings)) if readings else None


def _seats(count: int, covered: Sequence[int]) -> list[SeatOnPlan]:
    """The seats from the dealer's right to left, with their drawing positions."""
    step = (1 - 2 * _OPEN) / max(1, count - 1)
    angles = [pi * (_OPEN + step * place) for place in range(count)]
    return [
        SeatOnPlan(
            seat=number,
            lit=number in covered,
            x=round(_MIDDLE + _WIDE * cos(angle), 1),
            y=round(_TOP + _DEEP * sin(angle), 1),
        )
        for number, angle in enumerate(angles, 1)
    ]
