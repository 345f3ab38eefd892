"""The page of whoever is signed in: who they are, and forms for another PIN or password."""

from fastapi import Request
from fastapi.responses import Response

from feltwork.compliance.roles import ROLES
from feltwork.operations.context import Operation
from feltwork.operations.floors.site import site_name
from feltwork.operations.people.people import own_person
from feltwork.web.rendering.templating import page


def show(request: Request, by: Operation) -> Response:
    """The page; its twin is the answer of the API."""
    role = ROLES.get(by.actor.role)
    model = {
        "site": site_name(by.connection),
        "known": own_person(by),
        "says": role.says if role else "No role: may sign in and do nothing.",
        "pin_digits": request.app.state.settings.pin_digits,
    }
    return page(request, "me.html", model, me=by.actor.me)
