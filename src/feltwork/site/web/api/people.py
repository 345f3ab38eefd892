"""People over HTTP: the staff, their permissions, and new PINs and passwords."""

from typing import Annotated

from fastapi import Path, Query

from feltwork.site.books.people import people
from feltwork.site.books.people.people import (
    PeopleView,
    PermissionsView,
    SecretView,
    SetSecret,
)
from feltwork.site.books.people.staff import PersonView
from feltwork.site.web.fields import Name
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/people", tags=["people"], responses={**REFUSALS})
BadgePath = Annotated[Name, Path(description="The badge.", examples=["B-51"])]


@router.get("", summary="Staff")
def show_all(by: SignedIn, page: Paged) -> PeopleView:
    """Everyone with a badge; changes are `manage_people` proposals."""
    view = people.everyone(by)
    return page.of(view, "people", view.people, lambda person: person.id)


@router.get("/{badge}", summary="A person")
def show(by: SignedIn, badge: BadgePath) -> PersonView:
    """The holder of a badge."""
    return people.person(by, badge)


@router.get("/{badge}/may", summary="What a person may do, and why")
def may(
    by: SignedIn,
    badge: BadgePath,
    command: Annotated[Name | None, Query(description="One command; by default all.")] = None,
    link: Annotated[Name | None, Query(description="The link of the award.")] = None,
    award: Annotated[Name | None, Query(description="Consider who acted on this award.")] = None,
) -> PermissionsView:
    """The deciding rule for each command, as display text."""
    return people.permissions(by, badge, command, link, award)


@router.post("/{badge}/secret", summary="Set a new PIN or password")
def set_secret(by: SignedIn, key: Key, badge: BadgePath, body: SetSecret) -> SecretView:
    """Set a secret that two people granted, once, in the session of one of them [GL-10]."""
    return key.run(by, people.set_secret, badge, body)
