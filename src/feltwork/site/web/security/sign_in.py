"""Sign-in with badge and PIN, and sign-out, with the session in a cookie."""

from dataclasses import replace

from fastapi import Request, Response

from feltwork.site.books.people import sign_in as operations
from feltwork.site.books.people.sign_in import SessionView, SignedInView, SignedOutView, SignIn, Unlock
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import Anyone, SignedIn, Token, cookie_of
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(tags=["people"], responses={**REFUSALS})


@router.post("/sign-in", summary="Sign in with badge and PIN")
def sign_in(request: Request, response: Response, by: Anyone, body: SignIn) -> SessionView:
    """Start a session; five wrong PINs lock the badge at this address."""
    return with_cookie(request, response, operations.sign_in(by, body))


@router.post("/sign-out", summary="End the session")
def sign_out(request: Request, response: Response, by: SignedIn) -> SignedOutView:
    """End the session and revoke its token."""
    view = operations.sign_out(by)
    secure = request.app.state.settings.secure_cookie
    response.delete_cookie(cookie_of(request), httponly=True, samesite="strict", secure=secure)
    return view


@router.post("/active", summary="Keep the session from being locked")
def keep_active(by: SignedIn) -> SignedInView:
    """Report that the screen is in use."""
    return operations.keep_active(by)


@router.post("/lock", summary="Lock the session")
def lock(by: SignedIn) -> SignedInView:
    """Lock the session until its person enters the PIN again."""
    return operations.lock(by)


@router.post("/unlock", summary="Unlock the session with the PIN")
def unlock(by: Anyone, token: Token, typed: Unlock) -> SignedInView:
    """Resume a locked session; five wrong PINs lock the badge at this address."""
    return operations.unlock(replace(by, token=token), typed)


def with_cookie(request: Request, response: Response, session: SessionView) -> SessionView:
    """Set the session cookie; page scripts get no token."""
    settings = request.app.state.settings
    response.set_cookie(
        cookie_of(request),
        session.token,
        max_age=settings.session_seconds,
        httponly=True,
        samesite="strict",
        secure=settings.secure_cookie,
    )
    return replace(session, token="") if "sec-fetch-site" in request.headers else session
