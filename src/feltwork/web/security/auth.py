"""Callers: the operation of a request, by cookie or bearer token."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.concurrency import run_in_threadpool
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer

from feltwork.operations.authorize import authorize_any
from feltwork.operations.connection import Connection
from feltwork.operations.context import Operation, actor_of, anonymous
from feltwork.operations.errors import RefusedError

COOKIE = "feltwork_session"
_cookie = APIKeyCookie(name=COOKIE, auto_error=False, description="Set by signing in.")
_bearer = HTTPBearer(auto_error=False, description="The token that signing in answers.")


async def books(request: Request) -> AsyncIterator[Connection]:
    """A connection to the books for one request.

    Whoever waits for one waits here, outside of the threads: otherwise those who wait could hold every
    thread, and those who have a connection would never get one to finish.
    """
    state = request.app.state
    async with state.desks:
        connection: Connection = await run_in_threadpool(state.pool.getconn)
        try:
            yield connection
        finally:
            await run_in_threadpool(state.pool.putconn, connection)


#: Given back before the answer is sent, so that a stream does not keep it.
Books = Annotated[Connection, Depends(books, scope="function")]


def token_of(
    cookie: Annotated[str | None, Security(_cookie)],
    bearer: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
) -> str:
    """The token that came with a request, or nothing."""
    return bearer.credentials if bearer else cookie or ""


Token = Annotated[str, Depends(token_of)]


def signed_in(request: Request, connection: Books, token: Token) -> Operation:
    """The operation of whoever is signed in; nobody without a session."""
    actor = actor_of(connection, token)
    # A page that refuses still says to whom.
    request.state.me = actor.me
    policy = request.app.state.settings.policy
    return Operation(connection=connection, actor=actor, policy=policy, name=request.url.path, token=token)


def visitor(request: Request, connection: Books, token: Token) -> Operation | None:
    """The same where nobody needs to be signed in."""
    try:
        return signed_in(request, connection, token)
    except RefusedError:
        return None


def anyone(request: Request, connection: Books) -> Operation:
    """The operation of a request that signs somebody in."""
    return anonymous(connection, request.app.state.settings.policy)


Anyone = Annotated[Operation, Depends(anyone)]
SignedIn = Annotated[Operation, Depends(signed_in)]
Visitor = Annotated[Operation | None, Depends(visitor)]


class Permitted:
    """A dependency: the operation, once the rules let its actor give one of these commands."""

    def __init__(self, *commands: str) -> None:
        self.commands = commands

    def __call__(self, request: Request, by: SignedIn) -> Operation:
        """The operation, or a refusal."""
        about = "/".join(str(value) for value in request.path_params.values())
        authorize_any(by, *self.commands, about=about)
        return by


Watcher = Annotated[Operation, Depends(Permitted("watch"))]
Reader = Annotated[Operation, Depends(Permitted("read_books"))]
