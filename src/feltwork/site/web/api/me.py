"""The signed-in person: identity, and changes to their own PIN, password, and language."""

from feltwork.site.books.people import people
from feltwork.site.books.people.people import (
    ChangeOwnSecret,
    ChooseLanguage,
    LanguageView,
    OwnSecretView,
)
from feltwork.site.books.people.sign_in import SignedInView, signed_in
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/me", tags=["people"], responses={**REFUSALS})


@router.get("", summary="Who is signed in")
def show(by: SignedIn) -> SignedInView:
    """The caller and their permissions."""
    return signed_in(by)


@router.post("/secret", summary="Change your own PIN or password")
def change_secret(by: SignedIn, change: ChangeOwnSecret) -> OwnSecretView:
    """Change the caller's PIN or password; a wrong current one counts as a failed attempt [GL-10]."""
    return people.change_own_secret(by, change)


@router.post("/language", summary="Choose the language of your screens")
def choose_language(by: SignedIn, key: Key, choice: ChooseLanguage) -> LanguageView:
    """Set the caller's language for every screen where they sign in."""
    return key.run(by, people.choose_language, choice)
