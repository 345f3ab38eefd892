"""Callers: who asks, by cookie or bearer token, and whether the rules about people let them."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.concurrency import run_in_threadpool
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer

from feltwork.books import people
from feltwork.books.connection import Connection
from feltwork.books.requests import Line, write_audit
from feltwork.compliance import roles
from feltwork.compliance.roles import Context, Deed
from feltwork.compliance.two_person import Approval, Command
from feltwork.web.refusals import ProblemBody, RefusedError, refused

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Somebody who is signed in, where, and their way to the books."""

    connection: Connection
    id: str
    name: str
    role: str
    place: str

    def verify_may(
        self,
        command: Command,
        *,
        deeds: Sequence[Deed] = (),
        approvals: Sequence[Approval] = (),
        waits: bool = False,
    ) -> None:
        """Raise unless the rules let this person do this; a refusal is a line of the audit log.

        With ``waits`` a command may still lack its second person.
        """
        person = roles.Person(self.id, (self.role,))
        answer = roles.may(person, command, Context(deeds=deeds, approvals=approvals))
        if answer.allowed or (waits and answer.rule == "two-people"):
            return
        what = f"refused: {command.name} {command.about}"
        write_audit(self.connection, Line(who=self.id, place=self.place, what=what, why=answer.why))
        raise refused(answer, where=f"{command.name} {command.about}".strip())


def caller(connection: Books, token: Token) -> Caller:
    """Who asks; nobody without a session."""
    found = people.session_of(connection, token) if token else None
    if found is None:
        raise RefusedError(
            401,
            ProblemBody(
                rule="signed-in",
                requirement="GL-10",
                what="nobody is signed in, or the session is over",
                remedy="sign in with badge and PIN",
            ),
        )
    person, place = found
    return Caller(connection=connection, id=person.id, name=person.name, role=person.role, place=place)


SignedIn = Annotated[Caller, Depends(caller)]


class Permitted:
    """A dependency: the caller, once the rules let them give this command to what the path names."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __call__(self, request: Request, asking: SignedIn) -> Caller:
        """The caller, or a refusal."""
        about = "/".join(str(value) for value in request.path_params.values())
        asking.verify_may(Command(name=self.command, about=about))
        return asking


Watcher = Annotated[Caller, Depends(Permitted("watch"))]
Reader = Annotated[Caller, Depends(Permitted("read_books"))]
