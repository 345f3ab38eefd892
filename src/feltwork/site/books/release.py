"""A release that nobody approved yet: nothing moves money until two people approve it [WA-31]."""

from collections.abc import Sequence

from feltwork.problem import Sentence, any_of
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.people import people_rows as people
from feltwork.site.books.queries import statement
from feltwork.site.compliance.roles import COMMANDS, ROLES, Answer

_INSTALL = "install"
#: Stopping wagers is allowed at any time.
_ALWAYS = ("suspend",)


def moves_money(command: str) -> bool:
    """Whether a command is about rounds, awards or links, and so waits for the approval."""
    return COMMANDS[command].of not in ("site", "person") and command not in _ALWAYS


def refusal_of_release(connection: Connection, release: str) -> Answer | None:
    """Return why a release, by its hash, may not move money, and who must approve it; None if it may."""
    if not release:
        return None
    ((is_approved,),) = connection.execute(statement("release_approved"), (release,)).fetchall()
    if is_approved:
        return None
    first = [role.id for role in ROLES.values() if _INSTALL in role.may]
    second = [role.id for role in ROLES.values() if _INSTALL in role.approves]
    return Answer(
        allowed=False,
        rule="unapproved-release",
        requirement="WA-31",
        why=Sentence("nobody approved the software that runs here; no money moves until two people do"),
        remedy=Sentence(
            "%(first)s requests it on the page Pit, and %(second)s approves it in the office",
            first=_names(connection, first),
            second=_names(connection, second),
        ),
    )


def release_waits(dsn: str, release: str) -> str:
    """Return the same as one sentence, on a connection of its own; empty if money may move."""
    if not release:
        return ""
    with connect(dsn) as connection:
        refusal = refusal_of_release(connection, release)
    return f"{refusal.why}: {refusal.remedy}" if refusal else ""


def _names(connection: Connection, roles: Sequence[str]) -> str:
    """Everyone with these roles, or the words for the roles if there is nobody."""
    names = [person.name for person in people.by_role(connection, roles)]
    return any_of(names or [ROLES[role].who for role in roles])
