"""The signed-in person's own page, with forms to change PIN and password."""

from fastapi import Request
from fastapi.responses import Response

from feltwork.site.books.floors.site import site_name
from feltwork.site.books.people.people import own_person
from feltwork.site.compliance.roles import ROLES
from feltwork.site.web.rendering.catalog import N_
from feltwork.site.web.rendering.templating import page
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter()


@router.get("/me")
def show(request: Request, by: SignedIn) -> Response:
    """Render the page."""
    role = ROLES.get(by.actor.role)
    model = {
        "site": site_name(by.connection),
        "known": own_person(by),
        "says": role.says if role else N_("No role. This badge can sign in but can't do anything."),
        "language_of_mine": by.actor.language,
        "pin_digits": request.app.state.settings.pin_digits,
    }
    return page(request, "me.html", model, by=by)
