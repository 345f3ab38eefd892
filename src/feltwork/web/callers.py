"""Callers: who asks, by cookie or bearer token, and whether the rules about people let them."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends, Request, Security
from fastapi.concurrency import run_in_threadpool
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer

from feltwork.books import people
from feltwork.books.connection import Connection
from feltwork.books.requests import Line, write_audit
from feltwork.compliance import roles
from feltwork.compliance.roles import Answer, Context, Deed
from feltwork.compliance.two_person import Approval, Command
from feltwork.problem import ProblemsError
from feltwork.web.refusals import ProblemBody, RefusedError, refused
from feltwork.web.words import ShownBadge

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


def prove(
    connection: Connection, badge: str, given: str, *, place: str, by: Literal["PIN", "password"]
) -> people.Person:
    """The person behind a badge, or a refusal that does not say which half was wrong."""
    try:
        return people.prove(connection, badge, given, place=place, by=by)
    except ProblemsError as error:
        first = error.problems[0]
        body = ProblemBody(
            rule="badge-and-secret",
            requirement=first.requirement,
            what=first.what,
            remedy=first.remedy,
            where=first.where,
        )
        raise RefusedError(401, body) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Somebody who is signed in, where, and their way to the books."""

    connection: Connection
    id: str
    name: str
    role: str
    place: str
    #: Whether the session is good enough for the commands of the office.
    keyed: bool = True

    @property
    def me(self) -> dict[str, str]:
        """Who they are, as pages say it."""
        return {"id": self.id, "name": self.name, "role": self.role, "place": self.place}

    def beside(self, shown: ShownBadge) -> "Caller":
        """Somebody who stands beside them and shows a badge with its PIN."""
        person = prove(self.connection, shown.badge, shown.pin, place=self.place, by="PIN")
        return Caller(
            connection=self.connection, id=person.id, name=person.name, role=person.role, place=self.place
        )

    def may(self, command: str) -> bool:
        """Whether the role grants a command, so that a page shows its button."""
        return bool(roles.granting((self.role,), command))

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
            self.verify_keyed(command)
            return
        what = f"refused: {command.name} {command.about}"
        write_audit(self.connection, Line(who=self.id, place=self.place, what=what, why=answer.why))
        raise refused(answer, where=f"{command.name} {command.about}".strip())

    def verify_keyed(self, command: Command) -> None:
        """Raise where a command of the office comes from a session without a security key [GL-10]."""
        if self.keyed or not roles.COMMANDS[command.name].office:
            return
        answer = Answer(
            allowed=False,
            rule="security-key",
            requirement="GL-10",
            why=f"it takes a security key to {roles.COMMANDS[command.name].says}",
            remedy="sign in in the office, with password and security key",
        )
        raise refused(answer, where=f"{command.name} {command.about}".strip())


def caller(request: Request, connection: Books, token: Token) -> Caller:
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
    person = found.person
    asking = Caller(
        connection=connection,
        id=person.id,
        name=person.name,
        role=person.role,
        place=found.place,
        keyed=found.proof == "security key" or not request.app.state.settings.key_required,
    )
    # A page that refuses still says to whom.
    request.state.me = asking.me
    return asking


def visitor(request: Request, connection: Books, token: Token) -> Caller | None:
    """Who asks, where nobody needs to be signed in."""
    try:
        return caller(request, connection, token)
    except RefusedError:
        return None


SignedIn = Annotated[Caller, Depends(caller)]
Visitor = Annotated[Caller | None, Depends(visitor)]


class Permitted:
    """A dependency: the caller, once the rules let them give one of these commands."""

    def __init__(self, *commands: str) -> None:
        self.commands = commands

    def __call__(self, request: Request, asking: SignedIn) -> Caller:
        """The caller, or a refusal."""
        about = "/".join(str(value) for value in request.path_params.values())
        able = [name for name in self.commands if roles.granting((asking.role,), name)]
        asking.verify_may(Command(name=(able or self.commands)[0], about=about), waits=len(self.commands) > 1)
        return asking


Watcher = Annotated[Caller, Depends(Permitted("watch"))]
#: Who keeps the list of people, or reads the books.
Registrar = Annotated[Caller, Depends(Permitted("read_books", "manage_people"))]
Reader = Annotated[Caller, Depends(Permitted("read_books"))]
