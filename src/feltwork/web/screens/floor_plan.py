"""The floor plan: the room live, table by table, with its meters, its sensors and its alarms [GL-04]."""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from feltwork.books import incidents
from feltwork.books.alarms import Alarm, last_alarms
from feltwork.books.connection import Connection
from feltwork.books.standing import look_at_meters
from feltwork.compliance.floor import Floor
from feltwork.web import room, told
from feltwork.web.callers import Watcher
from feltwork.web.pages import page, plain_name
from feltwork.web.room import RoomTable
from feltwork.web.sensors import Sensors

router = APIRouter()
#: What a table with several jackpots is said to do: whatever most needs a person.
_URGENT = ("claimed", "key_at_jackpot", "logged", "playing", "idle")
#: Where the seats of a table are drawn: an arc that leaves the dealer's side open.
_MIDDLE, _TOP, _WIDE, _DEEP, _OPEN = 100, 26, 82, 66, 0.13


@router.get("/floor")
def show(request: Request, by: Watcher) -> Response:
    """Tables by pit, links with their meters, alarms with who cleared them."""
    floor = room.floor_in_force(by.connection)
    links = _links(by.connection)
    alarms = last_alarms(by.connection)
    places = _places(by.connection, floor, request.app.state.sensors, alarms)
    open_alarms = [one for one in alarms if one.cleared_at is None]
    waiting = [one for one in incidents.incidents(by.connection) if one.closed_at is None]
    model = {
        "site": room.site_name(by.connection),
        "counts": {
            "tables": len(places),
            "playing": sum(one["phase"] not in ("idle", "claimed") for one in places),
            "claims": sum(one["phase"] == "claimed" for one in places),
            "links_stopped": sum(not one["takes_wagers"] for one in links),
            "sensors_silent": sum(one["sensors"] == "silent" for one in places),
            "alarms": len(open_alarms),
        },
        "pits": [
            {"pit": pit, "tables": [one for one in places if one["pit"] == pit]}
            for pit in dict.fromkeys(one["pit"] for one in places)
        ],
        "links": links,
        "alarms": [_alarm(one) for one in alarms],
        "incidents": [
            {"number": one.number, "place": one.table or one.link, "what": one.what, "late": one.late}
            for one in waiting
        ],
    }
    return page(request, "floor_plan.html", model, me=by.actor.me)


def _links(connection: Connection) -> list[dict[str, Any]]:
    states = {
        name: look_at_meters(connection, name).state
        for name, kind in told.links(connection).items()
        if kind == "progressive"
    }
    return [
        {
            "link": name,
            "title": state.link.title.title,
            "life": state.life,
            "takes_wagers": state.takes_wagers,
            "stops": sorted(state.stops),
            "levels": [{"level": level, "amount": state.meter(level)} for level in state.link.level_names],
        }
        for name, state in states.items()
    ]


def _places(
    connection: Connection, floor: Floor | None, sensors: Sensors, alarms: Sequence[Alarm]
) -> list[dict[str, Any]]:
    """Every table once, whatever number of jackpots it has."""
    by_table: dict[str, list[RoomTable]] = {}
    for one in room.tables(connection):
        by_table.setdefault(one.id, []).append(one)
    places = []
    for name, played in by_table.items():
        stands = floor.table_by_id.get(name) if floor else None
        covered = _covered(played, sensors) if played[0].sensors else None
        heard = covered is not None or any(one.heard for one in played)
        at_work = min(played, key=lambda one: _URGENT.index(one.phase) if one.phase in _URGENT else 0)
        places.append(
            {
                "id": name,
                "pit": stands.location if stands and stands.location else "floor",
                "game": at_work.game,
                "link": at_work.link,
                "links": [one.link for one in played],
                "phase": at_work.phase,
                "round": at_work.number,
                "sensors": "none" if not played[0].sensors else "lit" if heard else "silent",
                "seats": _seats(played[0].seats, at_work.covered or covered or []),
                "alarms": [
                    one.kind for one in alarms if one.cleared_at is None and one.place == f"table {name}"
                ],
            }
        )
    return sorted(places, key=lambda one: (str(one["pit"]), str(one["id"])))


def _covered(played: Sequence[RoomTable], sensors: Sensors) -> list[int] | None:
    """The seats with a chip on any line of a table; none where all of its lines are silent."""
    lines = [sensors.covered(one.link, one.id) for one in played]
    heard = [seats for seats in lines if seats is not None]
    return sorted(set[int]().union(*heard)) if heard else None


def _seats(count: int, covered: Sequence[int]) -> list[dict[str, Any]]:
    """The seats from the dealer's right to left, with their place in the drawing."""
    step = (1 - 2 * _OPEN) / max(1, count - 1)
    angles = [pi * (_OPEN + step * place) for place in range(count)]
    return [
        {
            "seat": number,
            "lit": number in covered,
            "x": round(_MIDDLE + _WIDE * cos(angle), 1),
            "y": round(_TOP + _DEEP * sin(angle), 1),
        }
        for number, angle in enumerate(angles, 1)
    ]


def _alarm(one: Alarm) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "place": one.place,
        "says": "; ".join(f"{plain_name(name)} {value}" for name, value in one.told.items()),
        "raised_at": one.raised_at,
        "cleared_at": one.cleared_at,
        "cleared_by": one.cleared_by,
    }
