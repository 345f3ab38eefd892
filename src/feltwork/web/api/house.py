"""House jackpots through HTTP: claimed, confirmed with badges, paid or refused; the amount is a proposal."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import Field

from feltwork.books import house
from feltwork.books.floors import verify_stands
from feltwork.operations.awards import badge_of, prove_badges
from feltwork.operations.context import Operation
from feltwork.operations.errors import unknown
from feltwork.progressive.house import HouseState
from feltwork.progressive.state import Award
from feltwork.web import told
from feltwork.web.answers import play
from feltwork.web.api.awards import Payer, Payment, Voider, verify_record
from feltwork.web.api.rounds import Presser
from feltwork.web.badges import ShownBadges
from feltwork.web.callers import Watcher
from feltwork.web.once import Key
from feltwork.web.refusals import REFUSALS
from feltwork.web.words import AwardPath, Body, Name, Reasoned, RoundNumber, Seat

router = APIRouter(prefix="/house-jackpots/{jackpot}", tags=["house jackpots"], responses={**REFUSALS})
JackpotPath = Annotated[Name, Path(description="The house jackpot.", examples=["four-aces"])]


class Won(Body):
    """Where the winning hand lies."""

    table: Name = Field(examples=["S1"])
    round: RoundNumber = Field(examples=[101])
    seat: Seat = Field(examples=[2])


@router.get("", summary="A house jackpot", response_model=play.HouseTold)
def show(by: Watcher, jackpot: JackpotPath) -> dict[str, Any]:
    """Its posted amount and its awards, the oldest first."""
    state = _look(by, jackpot)
    return {
        "jackpot": jackpot,
        "hand": state.jackpot.hand,
        "amount": state.amount,
        "executive_above": state.jackpot.executive_above,
        "awards": [told.award(one) for one in state.awards.values()],
    }


@router.post("/claims", summary="Claim a house jackpot", response_model=play.HouseAward)
def claim(by: Presser, key: Key, jackpot: JackpotPath, won: Won) -> dict[str, Any]:
    """The winning hand at a table that stands in the floor; a seat wins once in a round [WA-03]."""
    _look(by, jackpot)
    verify_stands(by.connection, jackpot, won.table, [won.seat])
    award = f"H-{key.name(by)}"
    place = (won.table, won.round, won.seat)
    return _step(
        key,
        by,
        won.model_dump(),
        award,
        lambda: house.claim(by.connection, jackpot, award=award, place=place, by=by.actor.id),
    )


@router.post("/awards/{award}/confirm", summary="Confirm with badges", response_model=play.HouseAward)
def confirm(
    by: Watcher, key: Key, jackpot: JackpotPath, award: AwardPath, shown: ShownBadges
) -> dict[str, Any]:
    """Confirm a claim: the whole posted amount is owed to this winner, as to every other [WA-03]."""
    people = prove_badges(by, jackpot, [_award(by, jackpot, award)], shown.shown)
    badges = [badge_of(one) for one in people]
    body = {"badges": [[badge.person, badge.role] for badge in badges], "amount": shown.amount}
    return _step(
        key,
        by,
        body,
        award,
        lambda: house.confirm(by.connection, jackpot, award=award, badges=badges, amount=shown.amount),
    )


@router.post("/awards/{award}/pay", summary="Sign the payout", response_model=play.HouseAward)
def pay(
    request: Request, by: Payer, key: Key, jackpot: JackpotPath, award: AwardPath, payment: Payment
) -> dict[str, Any]:
    """Book that the patron has the money; its payout record comes first [WA-24]."""
    _award(by, jackpot, award)

    def act() -> HouseState:
        verify_record(request, by, jackpot, award, payment)
        return house.pay(by.connection, jackpot, award=award, form=payment.form, by=by.actor.id)

    return _step(key, by, payment.model_dump(), award, act)


@router.post("/awards/{award}/void", summary="Refuse a claim", response_model=play.HouseAward)
def void(by: Voider, key: Key, jackpot: JackpotPath, award: AwardPath, why: Reasoned) -> dict[str, Any]:
    """Refuse a claim that is not confirmed."""
    _award(by, jackpot, award)
    return _step(
        key,
        by,
        why.model_dump(),
        award,
        lambda: house.void(by.connection, jackpot, award=award, reason=why.reason, by=by.actor.id),
        why=why.reason,
    )


def _step(
    key: Key, by: Operation, body: dict[str, Any], award: str, act: Callable[[], HouseState], *, why: str = ""
) -> dict[str, Any]:
    def act_and_tell() -> dict[str, Any]:
        state = act()
        found = told.award(state.awards[award])
        return {"jackpot": state.jackpot.id, "posted": state.amount, "award": found}

    return key.do(by, body, act_and_tell, why=why)


def _look(by: Operation, jackpot: str) -> HouseState:
    told.verify_link(by.connection, jackpot, "house")
    return house.look(by.connection, jackpot)


def _award(by: Operation, jackpot: str, award: str) -> Award:
    found = _look(by, jackpot).awards.get(award)
    if found is None:
        raise unknown(f"{jackpot}, award {award}")
    return found
