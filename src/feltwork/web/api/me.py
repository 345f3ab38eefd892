"""The signed-in person: identity, and changes of their own PIN and password."""

from feltwork.operations.people import people
from feltwork.operations.people.people import ChangeOwnSecret, ChooseLanguage, LanguageView, OwnSecretView
from feltwork.operations.people.sign_in import SignedInView, signed_in
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import SignedIn
from feltwork.web.security.idempotency import Key
from feltwork.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/me", tags=["people"], responses={**REFUSALS})


@router.get("", summary="Who is signed in")
def show(by: SignedIn) -> SignedInView:
    """The caller and their permissions."""
    return signed_in(by)


@router.post("/secret", summary="Change your own PIN or password")
def change_secret(by: SignedIn, change: ChangeOwnSecret) -> OwnSecretView:
    """Change the caller's secret with the current one; a wrong one counts as an attempt [GL-10]."""
    return people.change_own_secret(by, change)


@router.post("/language", summary="Choose the language of your screens")
def choose_language(by: SignedIn, key: Key, choice: ChooseLanguage) -> LanguageView:
    """Keep the caller's language; every screen where they sign in shows it."""
    return key.run(by, people.choose_language, choice)
