"""Preparation of a rehearsal: its people, floor, links, meters and sign-ins."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from feltwork.problem import Problem, ProblemsError
from feltwork.rehearsal.script import Script
from feltwork.simulation.staff import PIN, badge_of, light_hash
from feltwork.site.books.context import Actor, Operation, Policy, connected
from feltwork.site.books.errors import RefusedError
from feltwork.site.books.floors.floors import ApplyFloor, apply_floor
from feltwork.site.books.links.links import link as link_of
from feltwork.site.books.people.people import register_people
from feltwork.site.books.people.people_rows import Person
from feltwork.site.books.people.proposals import carry_out_together
from feltwork.site.books.people.sign_in import SignIn, sign_in
from feltwork.site.books.two_person.command import TwoPersonCommand
from feltwork.site.books.two_person.links import Adjust, OpenLink, SetAmount
from feltwork.site.compliance.floor import Floor

#: The rehearsal's own staff: they open the links, set the meters and read the books.
OBSERVER = "rehearsal-auditor"
_ACCOUNTING, _SECOND, _EXECUTIVE = "rehearsal-accounting", "rehearsal-accounting-2", "rehearsal-executive"
_STAFF = {
    OBSERVER: "auditor",
    _ACCOUNTING: "accounting",
    _SECOND: "accounting",
    _EXECUTIVE: "executive",
    "rehearsal-it": "it",
}
_PLACE = "rehearsal"
_REASON = "opening"
#: Nobody in a rehearsal has a security key.
_POLICY = Policy(key_required=False)


def open_floor(dsn: str, script: Script) -> None:
    """Issue everyone a badge and a PIN, apply the floor and open its links."""
    with connected(dsn, _POLICY, place="office") as op:
        op.name = _PLACE
        _register(op, script.floor)
        with _problems_at(f"{script.name}, floor {script.floor_name}"):
            first, second = _pair(op, _EXECUTIVE)
            apply_floor(first, ApplyFloor(floor=script.floor_text, reason=_REASON, approved_by=second))
            for link in script.floor.links:
                carry_out_together(first, second, OpenLink(link=link.id, reason=_REASON))


def open_run(dsn: str, script: Script) -> dict[str, str]:
    """Set the meters of a rehearsal and sign in everyone who acts in it; return the token of each."""
    with connected(dsn, _POLICY, place=_PLACE) as op:
        op.name = _PLACE
        _set_meters(op, script)
        tokens = {}
        for person in sorted({OBSERVER, *(person for step in script.steps for person in step.by)}):
            # People who cannot sign in are refused when they try to act.
            with suppress(RefusedError):
                session = sign_in(op, SignIn(badge=badge_of(person), pin=PIN, place=_PLACE))
                tokens[person] = session.token
    return tokens


def _register(op: Operation, floor: Floor) -> None:
    roles = {member.id: member.roles[0] for member in floor.people if member.roles} | _STAFF
    people = [
        Person(id=person, name=person.title(), role=role, badge=badge_of(person))
        for person, role in roles.items()
    ]
    register_people(op, people, pin=PIN, hasher=light_hash)


def _pair(op: Operation, second: str) -> tuple[Operation, Actor]:
    """Return accounting's operation and the approver of its proposals."""
    first = replace(op.beside(badge_of(_ACCOUNTING), PIN), name=_REASON)
    return first, op.beside(badge_of(second), PIN).actor


def _set_meters(op: Operation, script: Script) -> None:
    kinds = {link.id: link.kind for link in script.floor.links}
    for link, levels in script.meters.items():
        first, second = _pair(op, _EXECUTIVE if kinds[link] == "house" else _SECOND)
        for level, to in levels.items():
            change = to - link_of(first, link).meters[level].meter
            command: TwoPersonCommand = _addition(link, level, change)
            if kinds[link] == "house":
                command = SetAmount(link=link, level=level, amount=to, reason=_REASON)
            if change:
                with _problems_at(f"{script.name}, meters, {link}, {level}"):
                    carry_out_together(first, second, command)


def _addition(link: str, level: str, change: int) -> Adjust:
    """Build the adjustment by which the house adds to a meter or takes from it."""
    return Adjust(
        link=link,
        level=level,
        pool="meter",
        change=change,
        adjustment=f"OPENING-{level}",
        lawful_reason="HOUSE_ADDITION" if change > 0 else "SEED_RECOVERY",
        evidence=f"OPENING-{level}",
        reason="opening balance",
    )


@contextmanager
def _problems_at(where: str) -> Iterator[None]:
    """Add the place in the rehearsal file to every refusal."""
    try:
        yield
    except RefusedError as error:
        problem = Problem(where, error.refusal.what, error.refusal.remedy)
        raise ProblemsError([problem]) from error
    except ProblemsError as error:
        raise ProblemsError([replace(problem, where=where) for problem in error.problems]) from error
