"""People over HTTP: the staff, their permissions, and new PINs and passwords."""

from typing import Annotated

from fastapi import Path, Query
from pydantic import Field

from feltwork.site.books.people import people
from feltwork.site.books.people.people import (
    AskPermissions,
    PeopleView,
    PermissionsView,
    PersonView,
    SecretView,
    SetSecret,
)
from feltwork.site.web.fields import Body, Name, Secret
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/people", tags=["people"], responses={**REFUSALS})
BadgePath = Annotated[Name, Path(description="The badge.", examples=["B-51"])]


class NewSecret(Body):
    """A new secret and the proposal that granted it."""

    enrollment: Name = Field(examples=["P-0c1d2e3f4a5b6c7d"], description="The proposal that granted it.")
    secret: Secret = Field(repr=False, examples=["2580"])


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
    return people.permissions(by, AskPermissions(badge=badge, command=command, link=link, award=award))


@router.post("/{badge}/secret", summary="Set a new PIN or password")
def set_secret(by: SignedIn, key: Key, badge: BadgePath, typed: NewSecret) -> SecretView:
    """Set a secret that two people granted, once, in the session of one of them [GL-10]."""
    command = SetSecret(badge=badge, enrollment=typed.enrollment, secret=typed.secret)
    return key.run(by, people.set_secret, command)
