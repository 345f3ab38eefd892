"""The dealer's screen: seats with their lights, one button for each seat and hand, and what the tray pays."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from feltwork.books import people
from feltwork.books.standing import look_at_meters
from feltwork.books.tables import Table
from feltwork.operations.context import Operation
from feltwork.paytables.paytable import Push
from feltwork.progressive.pays import TrayPay, tray_pays
from feltwork.progressive.round import CONTROLS, Action, TableRound, can
from feltwork.web import claims, room, shown, told
from feltwork.web.callers import Permitted, Watcher
from feltwork.web.pages import page
from feltwork.web.room import RoomTable
from feltwork.web.screens import faces
from feltwork.web.words import LinkPath, TablePath

router = APIRouter(prefix="/dealer")
Dealer = Annotated[Operation, Depends(Permitted("start_game"))]
_ACTIONS: tuple[Action, ...] = ("start", "hand", "end", "misdeal", "confirm", "key_to_jackpot", "key_to_run")


@router.get("")
def choose(request: Request, by: Dealer) -> Response:
    """The tables, to choose one's own."""
    links = [name for name, kind in told.links(by.connection).items() if kind == "progressive"]
    tables = [
        {"id": one.id, "link": one.link, "game": one.game, "phase": one.phase}
        for one in room.tables(by.connection, links)
    ]
    return page(
        request,
        "choose_table.html",
        {"site": room.site_name(by.connection), "tables": tables},
        me=by.actor.me,
    )


@router.get("/{link}/{table}")
def show(request: Request, by: Watcher, link: LinkPath, table: TablePath) -> Response:
    """The screen of one table. Whoever may watch sees it; its buttons answer to a dealer."""
    told.verify_link(by.connection, link)
    place = room.table(by.connection, link, table)
    played = Table(by.connection, link, table, seats=place.seats).seen()
    covered = request.app.state.sensors.covered(link, table) if place.sensors else None
    model = _model(by, place, played.round, covered)
    model["driver"] = played.driver
    model["pin_digits"] = request.app.state.settings.pin_digits
    return page(request, "dealer.html", model, me=by.actor.me)


def _model(by: Operation, place: RoomTable, playing: TableRound, covered: list[int] | None) -> dict[str, Any]:
    state = look_at_meters(by.connection, place.link).state
    link = playing.link
    pays = tray_pays(link, hands=playing.hands, bettors=playing.seats) if playing.phase != "idle" else {}
    rows = [row for row in link.paytable.rows if not isinstance(row.pays, Push)]
    open_claims = claims.waiting(by.connection, link=place.link, table=place.id)
    return {
        "site": room.site_name(by.connection),
        "table": place.id,
        "game": place.game or link.title.title,
        "link": place.link,
        "title": link.title.title,
        "controls": link.controls,
        "labels": dict(CONTROLS[link.controls].labels),
        "can": {action: can(playing, action) for action in _ACTIONS},
        "round": told.round_(playing),
        "takes_wagers": state.takes_wagers,
        "levels": [{"level": name, "amount": state.meter(name)} for name in link.level_names],
        "sensors": "none" if not place.sensors else "silent" if covered is None else "lit",
        "seats": _seats(place, playing, covered, pays),
        "hands": [
            {
                **row,
                "claim": link.takes_from_meter(rule),
                "cards": faces.example(link.jackpot, row["hand"]),
            }
            for row, rule in zip(shown.paytable_of(link), link.paytable.rows, strict=True)
            if rule in rows
        ],
        "totals": {
            "fixed": sum(pay.fixed + pay.stake_returned for pay in pays.values()),
            "envy": sum(pay.envy for pay in pays.values()),
        },
        "claims": [one for one in open_claims if one["round"] == playing.number and playing.phase != "idle"],
        "people": people.by_role(by.connection, ["supervisor", "executive"]),
        "dealer": by.actor.may("start_game"),
    }


def _seats(
    place: RoomTable, playing: TableRound, covered: list[int] | None, pays: dict[int, TrayPay]
) -> list[dict[str, Any]]:
    """Every seat; while the table is idle the lights are those of the sensors, or of the round before."""
    idle = playing.phase == "idle"
    lit = (covered if covered is not None else list(playing.seats)) if idle else list(playing.seats)
    return [
        {
            "seat": seat,
            "lit": seat in lit,
            "plays": idle or seat in playing.players,
            "hand": "" if idle else playing.hands.get(seat, ""),
            "confirmed": not idle and seat in playing.confirmed,
            "claim": not idle and seat in playing.claims,
            "fixed": pays[seat].fixed + pays[seat].stake_returned if seat in pays else 0,
            "envy": pays[seat].envy if seat in pays else 0,
        }
        for seat in range(1, place.seats + 1)
    ]
