"""Authorization: the only caller of the role rules, for every entry point."""

from collections.abc import Sequence
from typing import NoReturn

from feltwork.problem import Sentence, any_of
from feltwork.site.books import scopes
from feltwork.site.books.awards.lookup import payment_of
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.context import Actor, Operation
from feltwork.site.books.errors import not_allowed
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.people import credentials as people
from feltwork.site.books.queries import statement
from feltwork.site.compliance import roles
from feltwork.site.compliance.roles import COMMANDS, ROLES, Answer, Context, PriorAction
from feltwork.site.compliance.two_person import Approval, Command
from feltwork.site.progressive.state import Award

_INSTALL = "install"
#: Stopping wagers is allowed at any time.
_ALWAYS = ("suspend",)


def authorize(
    op: Operation,
    command: Command,
    *,
    deeds: Sequence[PriorAction] = (),
    approvals: Sequence[Approval] = (),
    waits: bool = False,
) -> None:
    """Raise unless the rules let the actor do this; a refusal is written to the audit log.

    With ``waits``, the command may still lack its second person.
    """
    actor = op.actor
    if op.policy.release and moves_money(command.name):
        refusal = refusal_of_release(op.connection, op.policy.release)
        if refusal is not None:
            raise not_allowed(refusal)
    if actor.scopes is not None:
        answer = _scopes_answer(actor, command)
    else:
        person = roles.RoleHolder(actor.id, (actor.role,) if actor.role else ())
        answer = roles.may(person, command, Context(deeds=deeds, approvals=approvals))
    if not answer.allowed and not (waits and answer.rule == "two-people"):
        _refuse(op, f"{command.name} {command.about}".strip(), answer)
    verify_keyed(op, command)


def authorize_any(op: Operation, *commands: str, about: str = "") -> None:
    """Raise unless the actor may give one of the commands; if several, one may lack its second person."""
    able = [name for name in commands if op.actor.may(name)]
    authorize(op, Command(name=(able or list(commands))[0], about=about), waits=len(commands) > 1)


def authorize_badge(op: Operation, about: str = "") -> None:
    """Raise unless the actor may submit badges with PINs: who may watch, or a token that runs the table."""
    is_person = op.actor.scopes is None
    authorize(op, Command(name="watch" if is_person else "press_hand", about=about))


def beside(op: Operation, badge: str, pin: str, *, about: str = "") -> Operation:
    """Return the operation of a person who presents badge and PIN at the actor's screen."""
    authorize_badge(op, about)
    return op.beside(badge, pin)


def verify_person(op: Operation, action: str) -> None:
    """Raise unless the actor is a person, not a service account."""
    if op.actor.scopes is not None:
        _refuse(op, action, scopes.needs_person(action))


def _scopes_answer(actor: Actor, command: Command) -> Answer:
    """Return the answer of a token's scopes; a table command is about the table, or about link/table."""
    answer = scopes.may(actor.scopes or (), command.name)
    table = command.about.rpartition("/")[2]
    is_at_table = command.name in scopes.SCOPES["tables:run"].may
    if answer.allowed and is_at_table and actor.tables and table not in actor.tables:
        return scopes.other_table(table, actor.tables)
    return answer


def _refuse(op: Operation, what: str, answer: Answer) -> NoReturn:
    """Write a refusal to the audit log and raise it."""
    line = AuditLine(who=op.actor.id, place=op.actor.place, what=f"refused: {what}", why=answer.why)
    write_audit(op.connection, line)
    raise not_allowed(answer)


def verify_keyed(op: Operation, command: Command) -> None:
    """Raise if an office command comes from a session without a security key [GL-10]."""
    known = COMMANDS[command.name]
    if op.actor.keyed or not op.policy.key_required or not known.office:
        return
    # A request carries nothing out; the person who approves it uses a security key.
    if op.actor.may_request(command.name) and not op.actor.may(command.name):
        return
    answer = Answer(
        allowed=False,
        rule="security-key",
        requirement="GL-10",
        why=Sentence("it takes a security key to %(command)s", command=known.says),
        remedy="sign in to the office with password and security key, and propose or approve it there",
    )
    raise not_allowed(answer)


def verify_second(op: Operation, command: Command, deeds: Sequence[PriorAction]) -> None:
    """Raise unless the actor may approve the command as the second person."""
    if not roles.approving((op.actor.role,), command.name):
        authorize(op, command)
    verify_keyed(op, command)
    refused = refusal_of_second(op.actor.id, command, deeds)
    if refused is not None:
        raise not_allowed(refused)


def refusal_of_second(person: str, command: Command, deeds: Sequence[PriorAction]) -> Answer | None:
    """Return the refusal of a person who already acted on the same award or link, or None."""
    for deed in deeds:
        for rule in roles.SEPARATE:
            if deed.person == person and rule.parts(deed.command, command.name):
                return Answer(
                    allowed=False,
                    rule=rule.rule,
                    requirement=rule.requirement,
                    why=roles.did_before(deed, rule),
                    remedy="ask someone else to approve",
                )
    return None


def deeds_of(connection: Connection, link: str, award: Award) -> list[PriorAction]:
    """Return the prior actions of people on an award."""
    is_over = award.status not in ("claimed", "confirmed")
    paid_by = payment_of(connection, link, award.id).get("by", "") if is_over else ""
    deeds = [
        PriorAction(award.claimed_by, "press_hand", award.id),
        PriorAction(award.supervisor, "confirm", award.id),
        PriorAction(award.executive, "confirm_executive", award.id),
        PriorAction(paid_by, "pay", award.id),
    ]
    return [deed for deed in deeds if deed.person]


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
            first=_names_with_role(connection, first),
            second=_names_with_role(connection, second),
        ),
    )


def release_waits(dsn: str, release: str) -> str:
    """Return the same as one sentence, on a connection of its own; empty if money may move."""
    if not release:
        return ""
    with connect(dsn) as connection:
        refusal = refusal_of_release(connection, release)
    return f"{refusal.why}: {refusal.remedy}" if refusal else ""


def _names_with_role(connection: Connection, roles: Sequence[str]) -> str:
    """Everyone with these roles, or the words for the roles if there is nobody."""
    names = [person.name for person in people.by_role(connection, roles)]
    return any_of(names or [ROLES[role].who for role in roles])
