"""Awards through HTTP: confirmed with badges, paid, or refused; a reversal is a proposal of its own."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends
from pydantic import Field

from feltwork.books import awards
from feltwork.books.standing import look
from feltwork.books.tables import Table
from feltwork.compliance.two_person import Command
from feltwork.progressive.people import Badge
from feltwork.progressive.state import Award
from feltwork.web import told
from feltwork.web.callers import Caller, Permitted, Watcher
from feltwork.web.deeds import deeds_of
from feltwork.web.once import Key
from feltwork.web.refusals import REFUSALS, unknown
from feltwork.web.sign_in import prove
from feltwork.web.words import AwardPath, Body, LinkPath, Name, Reasoned, Secret

router = APIRouter(prefix="/links/{link}/awards", tags=["awards"], responses={**REFUSALS})


class ShownBadge(Body):
    """A badge with its PIN: a badge alone is only a name."""

    badge: Name = Field(examples=["B-17"])
    pin: Secret = Field(examples=["2580"])


class Confirmation(Body):
    """The badges shown: a supervisor's, and an executive's above the level of the link."""

    badges: list[ShownBadge] = Field(min_length=1, max_length=3)


class Payment(Body):
    """How the patron is paid."""

    form: Literal["chips", "cash", "check"]


Payer = Annotated[Caller, Depends(Permitted("pay"))]
Voider = Annotated[Caller, Depends(Permitted("void_claim"))]


@router.get("", summary="The awards of a link")
def show_all(by: Watcher, link: LinkPath) -> dict[str, Any]:
    """Every award, the oldest first."""
    told.verify_link(by.connection, link)
    found = look(by.connection, link).state.awards.values()
    return {"awards": [told.award(one) for one in found]}


@router.get("/{award}", summary="An award")
def show(by: Watcher, link: LinkPath, award: AwardPath) -> dict[str, Any]:
    """An award as it stands."""
    return told.award(_award(by, link, award))


@router.post("/{award}/confirm", summary="CONFIRM with badges")
def confirm(by: Watcher, key: Key, link: LinkPath, award: AwardPath, shown: Confirmation) -> dict[str, Any]:
    """Confirm a claim. It is the badges that decide, each with its PIN, whoever is signed in [LT-03]."""
    claim = _award(by, link, award)
    badges = _shown(by, claim, shown.badges, link)
    table = Table(by.connection, link, claim.table)
    body = {"badges": [[badge.person, badge.role] for badge in badges]}
    return key.do(by, body, lambda: told.done(table.confirm(claims=[award], badges=badges)))


@router.post("/{award}/pay", summary="Sign the payout")
def pay(by: Payer, key: Key, link: LinkPath, award: AwardPath, payment: Payment) -> dict[str, Any]:
    """Book that the patron has the money."""
    _award(by, link, award)
    return key.do(
        by,
        payment.model_dump(),
        lambda: told.done(awards.pay(by.connection, link, award=award, form=payment.form, by=by.id)),
    )


@router.post("/{award}/void", summary="Refuse a claim")
def void(by: Voider, key: Key, link: LinkPath, award: AwardPath, why: Reasoned) -> dict[str, Any]:
    """Refuse a claim that is not confirmed; later it takes a reversal by two people [LT-04]."""
    table = Table(by.connection, link, _award(by, link, award).table)
    return key.do(
        by,
        why.model_dump(),
        lambda: told.done(table.void(award=award, reason=why.reason, by=by.id)),
        why=why.reason,
    )


def _award(by: Caller, link: str, award: str) -> Award:
    told.verify_link(by.connection, link)
    found = look(by.connection, link).state.awards.get(award)
    if found is None:
        raise unknown(f"{link}, award {award}")
    return found


def _shown(by: Caller, claim: Award, badges: Sequence[ShownBadge], link: str) -> list[Badge]:
    """Every badge proved, and its person let by the rules; wrong PINs count although nothing is booked."""
    found = []
    for one in badges:
        person = prove(by.connection, one.badge, one.pin, place=by.place, by="PIN")
        shows = Caller(
            connection=by.connection, id=person.id, name=person.name, role=person.role, place=by.place
        )
        executive = person.role == "executive"
        command = Command(name="confirm_executive" if executive else "confirm", about=claim.id)
        shows.verify_may(command, deeds=deeds_of(by.connection, link, claim))
        found.append(Badge(person.id, "executive" if executive else "supervisor"))
    return found
