"""The dealer's screen: seat lights, a button per seat and hand, and the tray pays.

A table with two jackpots has a board for each, but one START GAME and one END GAME.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, get_args

from fastapi import Depends, Request
from fastapi.responses import Response

from feltwork.site.books.context import Operation
from feltwork.site.books.floors.floor_plan import floor_status
from feltwork.site.books.floors.site import (
    holders_with_role,
    links_at,
    may_deal,
    site_name,
    verify_link,
)
from feltwork.site.books.links.links import link_view
from feltwork.site.books.links.signs import folded_hands_notice, paytable_of
from feltwork.site.books.tables.decisions import TableDecision, recent_decisions
from feltwork.site.books.tables.table_status import TableStatus, played_at, table_status, tables
from feltwork.site.books.tables.tables import round_view
from feltwork.site.progressive.button_pays import TrayPay, tray_pays
from feltwork.site.progressive.round import Action, TableRound, can, labels_of
from feltwork.site.web.fields import LinkPath, TablePath
from feltwork.site.web.rendering import hand_faces
from feltwork.site.web.rendering.templating import page
from feltwork.site.web.screens import claims
from feltwork.site.web.screens.claims import MISDEAL_REASONS, ShownClaim
from feltwork.site.web.screens.demo.page import DemoControls
from feltwork.site.web.security.auth import Permitted, Watcher
from feltwork.site.web.subject_router import SubjectRouter
from feltwork.titles.meter_pays import in_pay_order
from feltwork.titles.paytables.paytable import Push

router = SubjectRouter(prefix="/dealer")
Dealer = Annotated[Operation, Depends(Permitted("start_game"))]
_ACTIONS: tuple[Action, ...] = get_args(Action)


@router.get("")
def choose(request: Request, by: Dealer) -> Response:
    """The tables that this person may deal, by pit, each once even if it has several jackpots."""
    view = floor_status(by)
    is_open = {link.link for link in view.links if link.takes_wagers}
    dealer_tables = [
        table
        for table in tables(by.connection)
        if table.id in view.pits and may_deal(by.connection, by.actor.id, table.id)
    ]
    dealer_tables.sort(key=lambda table: (table.link not in is_open, table.link))
    first = {table.id: table for table in reversed(dealer_tables)}
    stage: DemoControls | None = request.app.state.stage
    own = first.pop(stage.table, None) if stage else None
    model = {
        "site": view.site,
        "own": own,
        "pits": [
            {"pit": pit, "tables": [table for name, table in sorted(first.items()) if view.pits[name] == pit]}
            for pit in sorted(set(view.pits.values()))
        ],
        "is_open": sorted(is_open),
    }
    return page(request, "choose_table.html", model, by=by)


@router.get("/{link}/{table}")
def show(request: Request, by: Watcher, link: LinkPath, table: TablePath) -> Response:
    """The screen of a table; anyone who may watch sees it, but only a dealer can use the buttons."""
    verify_link(by.connection, link)
    others = [name for name in links_at(by.connection, table) if name != link]
    jackpots = [_jackpot(request, by, name, table) for name in (link, *others)]
    first = jackpots[0]
    rounds = {jackpot["link"]: jackpot["round"].round for jackpot in jackpots}
    number = max(rounds.values())
    stage: DemoControls | None = request.app.state.stage
    is_simulated = stage is not None and table != stage.table
    model = {
        **first,
        "site": site_name(by.connection),
        "table": table,
        "jackpots": jackpots,
        "can": {**first["can"], **_main_keys(jackpots)},
        "is_controller": any(
            jackpot["driver"] == "controller" and not jackpot["can"]["start"] for jackpot in jackpots
        ),
        "misdeal_reasons": MISDEAL_REASONS,
        "number": number,
        "decisions": _decisions(by, table, rounds),
        "phase": next(
            (jackpot["round"].phase for jackpot in jackpots if jackpot["claims"]), first["round"].phase
        ),
        "takes_wagers": any(jackpot["takes_wagers"] for jackpot in jackpots),
        "totals": {name: sum(jackpot["totals"][name] for jackpot in jackpots) for name in ("fixed", "envy")},
        "claims": [claim for jackpot in jackpots for claim in jackpot["claims"]],
        "people": holders_with_role(by.connection, "supervisor", "executive"),
        "own_table": stage.own_table if stage and is_simulated else "",
        "may_deal": by.actor.may("start_game"),
        "may_correct": by.actor.may("misdeal") and not is_simulated,
        "dealer": by.actor.may("start_game")
        and not is_simulated
        and may_deal(by.connection, by.actor.id, table),
        "pin_digits": request.app.state.settings.pin_digits,
    }
    return page(request, "dealer.html", model, by=by)


def _decisions(by: Operation, table: str, rounds: Mapping[str, int]) -> list[TableDecision]:
    """The voided claims of the round, and its misdeal, once even if the table has several jackpots."""
    decisions = [
        decision
        for decision in recent_decisions(by, table=table)
        if decision.round == rounds.get(decision.link)
    ]
    misdeals = [decision for decision in decisions if decision.kind == "misdealt"][:1]
    return [decision for decision in decisions if decision.kind == "voided"] + misdeals


def _main_keys(jackpots: list[dict[str, Any]]) -> dict[str, bool]:
    """START GAME needs every jackpot idle; END GAME needs no open claim."""
    playing = [jackpot for jackpot in jackpots if not jackpot["can"]["start"]]
    return {
        "start": not playing,
        "correct": any(jackpot["can"]["correct"] for jackpot in playing),
        "misdeal": bool(playing) and all(jackpot["can"]["misdeal"] for jackpot in playing),
        "end": bool(playing) and all(jackpot["can"]["end"] for jackpot in playing),
    }


def _jackpot(request: Request, by: Operation, name: str, table: str) -> dict[str, Any]:
    """The board of one jackpot."""
    place = table_status(by.connection, name, table)
    played = played_at(by.connection, place)
    covered = request.app.state.sensors.covered(name, table) if place.sensors else None
    playing = played.round
    state = link_view(by.connection, name)
    link = playing.link
    pays = tray_pays(link, hands=playing.hands, bettors=playing.seats) if playing.phase != "idle" else {}
    rows = [row for row in link.paytable.rows if not isinstance(row.pays, Push)]
    open_claims = claims.waiting(by.connection, link=name, table=table)
    return {
        "game": place.game or link.title.title,
        "link": name,
        "title": link.title.title,
        "driver": played.driver,
        "controls": link.controls,
        "folds": not link.folded_hands_qualify,
        "notices": folded_hands_notice(by.connection, link),
        "labels": labels_of(link),
        "can": _can(playing, by_screen=played.driver == "screen"),
        "round": round_view(played),
        "takes_wagers": state.takes_wagers,
        "levels": [{"level": level, "amount": pools.meter} for level, pools in state.meters.items()],
        "sensors": "none" if not place.sensors else "silent" if covered is None else "lit",
        "seats": _seats(place, playing, covered, pays, open_claims),
        "hands": [
            {
                **asdict(row),
                "claim": link.takes_from_meter(rule),
                "side": link.divides(row.hand) and link.options.get("share_with") == "winning_side",
                "cards": hand_faces.example(link.jackpot, row.hand),
            }
            for row, rule in zip(paytable_of(link), link.paytable.rows, strict=True)
            if rule in rows
        ],
        "totals": {
            "fixed": sum(pay.fixed + pay.stake_returned for pay in pays.values()),
            "envy": sum(pay.envy for pay in pays.values()),
        },
        "claims": [
            claim for claim in open_claims if claim.round == playing.number and playing.phase != "idle"
        ],
    }


def _can(playing: TableRound, *, by_screen: bool) -> dict[str, bool]:
    """The actions that succeed here: a round dealt by a controller can only be confirmed."""
    is_ours = by_screen or playing.phase == "idle"
    return {action: can(playing, action) and (is_ours or action == "confirm") for action in _ACTIONS}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOnScreen:
    """A seat with its light, hand, and tray pay."""

    seat: int
    lit: bool
    plays: bool
    hand: str
    confirmed: bool
    claim: bool
    folded: bool
    fixed: int
    envy: int
    #: The jackpot award of the seat, claimed or confirmed, and its place among several winners.
    award: int
    #: Part of its total pay below the smallest chip, paid in coin.
    coin: int
    order: int


def _seats(
    place: TableStatus,
    playing: TableRound,
    covered: list[int] | None,
    pays: Mapping[int, TrayPay],
    won: Sequence[ShownClaim],
) -> list[SeatOnScreen]:
    """Every seat; an idle table shows the sensors or, without them, the previous round."""
    idle = playing.phase == "idle"
    lit = covered if idle and covered is not None else playing.seats
    awards = {claim.seat: claim.amount for claim in won if claim.round == playing.number and not idle}
    order = in_pay_order(awards)
    return [
        SeatOnScreen(
            seat=seat,
            lit=seat in lit,
            plays=idle or seat in playing.players,
            hand="" if idle else playing.hands.get(seat, ""),
            confirmed=not idle and seat in playing.confirmed,
            claim=not idle and seat in playing.claims,
            folded=not idle and seat in playing.folded,
            fixed=pays[seat].fixed + pays[seat].stake_returned if seat in pays else 0,
            envy=pays[seat].envy if seat in pays else 0,
            award=awards.get(seat, 0),
            coin=_coin(place, pays.get(seat), awards.get(seat, 0)),
            order=order.index(seat) + 1 if seat in awards and len(awards) > 1 else 0,
        )
        for seat in range(1, place.seats + 1)
    ]


def _coin(place: TableStatus, pay: TrayPay | None, award: int) -> int:
    """The amount that the dealer pays in coin, so nothing is rounded away."""
    tray = pay.fixed + pay.stake_returned + pay.envy if pay else 0
    return (tray + award) % place.smallest_chip
