"""Authentication dependencies: the operation of a request, from a cookie or bearer token."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.concurrency import run_in_threadpool
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer

from feltwork.site.books.authorize import authorize_any
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation, Policy, actor_of, anonymous, is_service_token
from feltwork.site.books.errors import RefusedError, not_signed_in
from feltwork.site.books.people.sign_in import keep_active
from feltwork.site.web.addresses import API, path_of
from feltwork.site.web.rendering.catalog import switch_language
from feltwork.site.web.security.limits import address_of

COOKIE = "feltwork_session"
#: Cookie name behind TLS: no other host of the domain can set it.
_TLS_COOKIE = f"__Host-{COOKIE}"
_cookie = APIKeyCookie(name=COOKIE, auto_error=False, description="Set by sign-in.")
_bearer = HTTPBearer(
    auto_error=False, description="The token that sign-in returns, or the token of a service account."
)


async def books(request: Request) -> AsyncIterator[Connection]:
    """A connection to the books for one request.

    The semaphore is awaited outside the thread pool: waiting requests could otherwise hold every thread and
    deadlock those that have a connection.
    """
    state = request.app.state
    is_public = cookie_of(request) not in request.cookies and "authorization" not in request.headers
    async with state.places.hold(request, is_public=is_public):
        connection: Connection = await run_in_threadpool(state.pool.getconn)
        try:
            yield connection
        finally:
            await run_in_threadpool(state.pool.putconn, connection)


#: Connection that is released before the response is sent, so a stream doesn't hold it.
Books = Annotated[Connection, Depends(books, scope="function")]


def cookie_of(request: Request) -> str:
    """The name of the session cookie."""
    return _TLS_COOKIE if request.app.state.settings.secure_cookie else COOKIE


def token_of(
    request: Request,
    _: Annotated[str | None, Security(_cookie)],
    bearer: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
) -> str:
    """The token of a request, or an empty string."""
    return bearer.credentials if bearer else request.cookies.get(cookie_of(request), "")


Token = Annotated[str, Depends(token_of)]


def signed_in(request: Request, connection: Books, token: Token) -> Operation:
    """The operation of the signed-in person; raises without a session."""
    policy = _policy(request)
    if is_service_token(token) and not _is_api_request(request):
        raise not_signed_in()
    actor = actor_of(connection, token, policy, source=address_of(request))
    # A refusal page still shows who is signed in.
    request.state.me = actor.me
    switch_language(actor.language)
    operation = Operation(
        connection=connection,
        actor=actor,
        policy=policy,
        name=path_of(request),
        source=address_of(request),
        token=token,
    )
    # Pages refresh themselves, so only a command shows that someone is using them. A program has no screen.
    is_person = actor.scopes is None
    if is_person and (request.method not in ("GET", "HEAD") or "authorization" in request.headers):
        keep_active(operation)
    return operation


def _policy(request: Request) -> Policy:
    policy: Policy = request.app.state.settings.policy
    return replace(policy, release=request.app.state.release)


def _is_api_request(request: Request) -> bool:
    """Whether a program calls the API: a service account token opens no screen and is never in a cookie."""
    return request.url.path.startswith(f"{API}/") and "authorization" in request.headers


def anyone(request: Request, connection: Books) -> Operation:
    """The operation of a sign-in request or of a public display."""
    return anonymous(connection, _policy(request), source=address_of(request))


def visitor(request: Request, connection: Books, token: Token) -> Operation:
    """The operation of the signed-in person, or an anonymous one."""
    try:
        return signed_in(request, connection, token)
    except RefusedError:
        return anyone(request, connection)


Anyone = Annotated[Operation, Depends(anyone)]
SignedIn = Annotated[Operation, Depends(signed_in)]
Visitor = Annotated[Operation, Depends(visitor)]


class Permitted:
    """A dependency that authorizes the actor for any of the given commands."""

    def __init__(self, *commands: str) -> None:
        self.commands = commands

    def __call__(self, request: Request, by: SignedIn) -> Operation:
        """The operation; raises if not authorized."""
        about = "/".join(str(value) for value in request.path_params.values())
        authorize_any(by, *self.commands, about=about)
        return by


Watcher = Annotated[Operation, Depends(Permitted("watch"))]
Reader = Annotated[Operation, Depends(Permitted("read_books"))]
