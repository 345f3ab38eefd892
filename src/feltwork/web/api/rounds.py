"""Rounds through HTTP: the buttons of a table, and batches from tables that keep their own rounds."""

from collections.abc import Collection
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import Field

from feltwork.books.floors import verify_stands
from feltwork.books.rounds import book_rounds
from feltwork.books.tables import Table
from feltwork.compliance.two_person import Command
from feltwork.operations.authorize import authorize
from feltwork.operations.context import Operation
from feltwork.progressive.facts import Claimed
from feltwork.progressive.plain import as_plain
from feltwork.progressive.round_facts import RoundStarted
from feltwork.web import told
from feltwork.web.answers import play
from feltwork.web.callers import Permitted, Watcher
from feltwork.web.once import Key
from feltwork.web.refusals import REFUSALS
from feltwork.web.words import (
    Amount,
    Body,
    LinkPath,
    Name,
    Reasoned,
    RoundNumber,
    Seat,
    ShownBadge,
    TablePath,
)

router = APIRouter(prefix="/links/{link}", tags=["rounds"], responses={**REFUSALS})


class Start(Body):
    """What the sensors say when START GAME is pressed."""

    covered: list[Seat] = Field(max_length=12, description="Seats with a jackpot chip.", examples=[[1, 2, 5]])
    players: list[Seat] = Field(
        max_length=12, description="Seats with a regular wager.", examples=[[1, 2, 5, 6]]
    )


class Covered(Body):
    """The seats whose sensor has a chip on it."""

    covered: list[Seat] = Field(max_length=12, examples=[[1, 2, 5]])


class Hand(Body):
    """A seat's hand button."""

    seat: Seat = Field(examples=[2])
    hand: Name = Field(examples=["four_aces"])


class TurnedKey(Body):
    """Where the key of an Aquarius table is turned to."""

    to: Literal["JPH", "RUN"] = Field(examples=["JPH"])
    shown: ShownBadge | None = Field(
        default=None, description="Whose key it is, where somebody else is signed in at the table."
    )


class KeptRound(Body):
    """A round that a table has kept."""

    table: Name = Field(examples=["C1"])
    round: RoundNumber = Field(examples=[101])
    at: Annotated[int, Field(ge=0, le=2**53, strict=True)] = Field(
        description="Microseconds since 1970 in UTC, by the table's clock.", examples=[1_800_000_000_000_000]
    )
    wager: Amount = Field(description="Millionths.", examples=[1_000_000])
    seats: list[Seat] = Field(max_length=12, examples=[[1, 2, 5]])


class Batch(Body):
    """Rounds of one link, in any order; those that are known are left out."""

    rounds: list[KeptRound] = Field(
        min_length=1,
        max_length=2_000,
        examples=[
            [
                {
                    "table": "C1",
                    "round": 101,
                    "at": 1_800_000_000_000_000,
                    "wager": 1_000_000,
                    "seats": [1, 2, 5],
                }
            ]
        ],
    )


Starter = Annotated[Operation, Depends(Permitted("start_game"))]
Presser = Annotated[Operation, Depends(Permitted("press_hand"))]
Ender = Annotated[Operation, Depends(Permitted("end_game"))]
Misdealer = Annotated[Operation, Depends(Permitted("misdeal"))]


@router.get("/tables/{table}", summary="The round at a table", response_model=play.RoundTold)
def show(by: Watcher, link: LinkPath, table: TablePath) -> dict[str, Any]:
    """The present round, or the last one, and the buttons that answer."""
    return told.round_(_table(by, link, table).seen())


@router.put("/tables/{table}/sensors", summary="What the sensors see", response_model=play.Lit)
def cover(
    request: Request, by: Starter, link: LinkPath, table: TablePath, sees: Covered
) -> dict[str, list[int]]:
    """Light the seats on the dealer's screen. Nothing is booked: START GAME locks what is covered [LT-01]."""
    told.verify_link(by.connection, link)
    request.app.state.sensors.see(link, table, sees.covered)
    return {"covered": request.app.state.sensors.covered(link, table) or []}


@router.post("/tables/{table}/start", summary="START GAME", response_model=play.Started)
def start(by: Starter, key: Key, link: LinkPath, table: TablePath, pressed: Start) -> dict[str, Any]:
    """Lock the seats and book the round [LT-01]."""
    playing = _table(by, link, table, {*pressed.covered, *pressed.players})

    def act() -> dict[str, Any]:
        started, booked = playing.start(covered=pressed.covered, players=pressed.players)
        return {
            "started": as_plain(started),
            "meters": told.meters(booked.after.state),
            "entry": booked.after.tail.number,
        }

    return key.do(by, pressed.model_dump(), act)


@router.post("/tables/{table}/hand", summary="A hand button", response_model=play.Pressed)
def press(by: Presser, key: Key, link: LinkPath, table: TablePath, pressed: Hand) -> dict[str, Any]:
    """Name a seat's hand; where a meter pays it a claim is made. The same button again clears it [LT-02]."""
    playing = _table(by, link, table, [pressed.seat])

    def act() -> dict[str, Any]:
        booked = playing.press(seat=pressed.seat, hand=pressed.hand, by=by.actor.id)
        claims = {
            fact.seat: fact.award for done in booked for fact in done.facts if isinstance(fact, Claimed)
        }
        now = told.round_(playing.round())
        return {**told.done(*booked), "award": claims.get(pressed.seat), "round": now}

    return key.do(by, pressed.model_dump(), act)


@router.post("/tables/{table}/key", summary="The key of an Aquarius table", response_model=play.KeyTurned)
def turn_key(by: Watcher, key: Key, link: LinkPath, table: TablePath, turned: TurnedKey) -> dict[str, Any]:
    """Turn the key to JPH, or back to RUN: what was logged then leaves the meter."""
    holder = by.beside(turned.shown.badge, turned.shown.pin) if turned.shown else by
    authorize(holder, Command(name="confirm", about=f"{link}/{table}"))
    playing = _table(by, link, table)

    def act() -> dict[str, Any]:
        if turned.to == "RUN":
            return told.done(playing.key_to_run())
        playing.key_to_jackpot()
        return {"round": told.round_(playing.round())}

    return key.do(by, {"to": turned.to, "holder": holder.actor.id}, act)


@router.post("/tables/{table}/end", summary="END GAME", response_model=play.Ended)
def end(by: Ender, key: Key, link: LinkPath, table: TablePath) -> dict[str, Any]:
    """End the round: what the tray pays is totalled and booked [LT-09]."""
    playing = _table(by, link, table)
    return key.do(by, {}, lambda: {"ended": as_plain(playing.end())})


@router.post("/tables/{table}/misdeal", summary="MISDEAL", response_model=play.Done)
def misdeal(by: Misdealer, key: Key, link: LinkPath, table: TablePath, why: Reasoned) -> dict[str, Any]:
    """Void the round: its wagers go back to the players."""
    playing = _table(by, link, table)
    body = why.model_dump()
    return key.do(
        by, body, lambda: told.done(playing.misdeal(reason=why.reason, by=by.actor.id)), why=why.reason
    )


@router.post("/rounds", summary="A batch of rounds", response_model=play.BatchBooked)
def book(by: Starter, key: Key, link: LinkPath, batch: Batch) -> dict[str, Any]:
    """Book rounds that tables have kept, in one transaction; each is booked once for ever [GEN-11]."""
    told.verify_link(by.connection, link)
    for table in sorted({one.table for one in batch.rounds}):
        seats = {seat for one in batch.rounds if one.table == table for seat in one.seats}
        verify_stands(by.connection, link, table, seats)
    rounds = [
        RoundStarted(
            link=link,
            at=one.at,
            table=one.table,
            round=one.round,
            wager=one.wager,
            seats=tuple(sorted(set(one.seats))),
        )
        for one in batch.rounds
    ]

    def act() -> dict[str, Any]:
        booked = book_rounds(by.connection, link, rounds)
        return {
            "booked": booked.rounds,
            "duplicates": [list(pair) for pair in booked.duplicates],
            "refused": [
                {
                    "table": one.started.table,
                    "round": one.started.round,
                    "what": one.problem.what,
                    "remedy": one.problem.remedy,
                    "requirement": one.problem.requirement,
                }
                for one in booked.refused
            ],
            "meters": told.meters(booked.after.state),
            "entry": booked.after.tail.number,
        }

    return key.do(by, batch.model_dump(), act)


def _table(by: Operation, link: str, table: str, seats: Collection[int] = ()) -> Table:
    told.verify_link(by.connection, link)
    verify_stands(by.connection, link, table, seats)
    return Table(by.connection, link, table)
