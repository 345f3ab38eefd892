"""Sign-in with badge and PIN, and sign-out, with the session in a cookie."""

from fastapi import APIRouter, Request, Response

from feltwork.operations.people import sign_in as operations
from feltwork.operations.people.sign_in import SessionView, SignedOutView, SignIn
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import COOKIE, Anyone, SignedIn

router = APIRouter(tags=["people"], responses={**REFUSALS})


@router.post("/sign-in", summary="Sign in with badge and PIN")
def sign_in(request: Request, response: Response, by: Anyone, shown: SignIn) -> SessionView:
    """Start a session; five wrong PINs lock the badge for 15 minutes."""
    return with_cookie(request, response, operations.sign_in(by, shown))


@router.post("/sign-out", summary="End the session")
def sign_out(response: Response, by: SignedIn) -> SignedOutView:
    """End the session and revoke its token."""
    view = operations.sign_out(by)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return view


def with_cookie(request: Request, response: Response, session: SessionView) -> SessionView:
    """Set the session cookie."""
    settings = request.app.state.settings
    response.set_cookie(
        COOKIE,
        session.token,
        max_age=settings.session_seconds,
        httponly=True,
        samesite="strict",
        secure=settings.secure_cookie,
    )
    return session
