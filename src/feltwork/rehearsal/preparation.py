"""Preparation of a rehearsal: its people, floor, links, meters and sign-ins."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from feltwork.problem import Problem, ProblemsError
from feltwork.rehearsal.script import Script
from feltwork.simulation.stage import PIN, POLICY, OpeningCrew, badge_of, open_floor, set_meter
from feltwork.site.books.context import connected
from feltwork.site.books.errors import RefusedError
from feltwork.site.books.people.sign_in import SignIn, sign_in

#: The rehearsal's own staff: they open the links, set the meters and read the books.
OBSERVER = "rehearsal-auditor"
_CREW = OpeningCrew("rehearsal-accounting", "rehearsal-accounting-2", "rehearsal-executive")
_STAFF = {
    OBSERVER: "auditor",
    _CREW.accounting: "accounting",
    _CREW.second: "accounting",
    _CREW.executive: "executive",
    "rehearsal-it": "it",
}
_PLACE = "rehearsal"


def prepare_floor(dsn: str, script: Script) -> None:
    """Issue everyone a badge and a PIN, apply the floor and open its links."""
    people = {member.id: member.roles[0] for member in script.floor.people if member.roles} | _STAFF
    with (
        connected(dsn, POLICY, place="office") as op,
        _problems_at(f"{script.name}, floor {script.floor_name}"),
    ):
        op.name = _PLACE
        open_floor(op, script.floor, script.floor_text, people, _CREW)


def prepare_run(dsn: str, script: Script) -> dict[str, str]:
    """Set the meters of a rehearsal and sign in everyone who acts in it; return the token of each."""
    with connected(dsn, POLICY, place=_PLACE) as op:
        op.name = _PLACE
        for link, levels in script.meters.items():
            for level, amount in levels.items():
                with _problems_at(f"{script.name}, meters, {link}, {level}"):
                    set_meter(op, _CREW, link, level, amount)
        tokens = {}
        for person in sorted({OBSERVER, *(person for step in script.steps for person in step.by)}):
            # People who cannot sign in are refused when they try to act.
            with suppress(RefusedError):
                session = sign_in(op, SignIn(badge=badge_of(person), pin=PIN, place=_PLACE))
                tokens[person] = session.token
    return tokens


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
