"""Who is signed in, and what they change by themselves: their own PIN and password."""

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import Field

from feltwork.books import staff
from feltwork.operations.context import prove
from feltwork.progressive.refusal import refuse
from feltwork.web.answers import people
from feltwork.web.callers import SignedIn, Token
from feltwork.web.pages import wants_html
from feltwork.web.refusals import REFUSALS
from feltwork.web.screens import me as screen
from feltwork.web.sign_in import SignedInAs, grants_of
from feltwork.web.words import Body, Secret

router = APIRouter(prefix="/me", tags=["people"], responses={**REFUSALS})


class OwnSecret(Body):
    """What somebody proves themselves with, and what it shall be."""

    what: Literal["PIN", "password"] = Field(examples=["PIN"])
    old: Secret = Field(examples=["2580"])
    new: Secret = Field(examples=["4711"])


@router.get("", summary="Who is signed in", response_model=SignedInAs)
def me(request: Request, asking: SignedIn) -> Any:
    """The caller, and what the role grants."""
    if wants_html(request):
        return screen.show(request, asking)
    return SignedInAs(
        person=asking.actor.id, name=asking.actor.name, role=asking.actor.role, **grants_of(asking.actor.role)
    )


@router.post("/secret", summary="Change one's own PIN or password", response_model=people.OwnSecretSet)
def change_secret(request: Request, asking: SignedIn, token: Token, change: OwnSecret) -> dict[str, Any]:
    """Everybody for themself, with the old one: a wrong one counts as a try. Other sessions end [GL-10]."""
    connection, where = asking.connection, f"person {asking.actor.id}"
    badge = staff.known(connection, asking.actor.id).badge
    prove(connection, badge, change.old, place=asking.actor.place, by=change.what)
    if change.new == change.old:
        raise refuse(where, f"this is the old {change.what}", "take another", "GL-10")
    digits = request.app.state.settings.pin_digits
    if change.what == "PIN" and len(change.new) != digits:
        raise refuse(where, "the keypads would not take it", f"take {digits} digits", "GL-10")
    staff.change_own(
        connection, asking.actor.id, change.what, change.new, place=asking.actor.place, token=token
    )
    return {"person": asking.actor.id, "what": change.what}
