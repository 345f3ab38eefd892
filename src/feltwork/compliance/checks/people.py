"""Checks of people: no badge brings together what must stay apart."""

from collections.abc import Iterator

from feltwork.compliance.finding import Finding, FloorCase
from feltwork.compliance.roles import conflicts


def check_people(case: FloorCase) -> Iterator[Finding]:
    """Every badge's roles [WA-30, TR-04, GEN-22]."""
    for person in case.floor.people:
        for one, other, rule in conflicts(person.roles):
            what = f"{person.id} is both {one} and {other}: {rule.why}"
            yield case.refused((*person.place, "roles"), rule.requirement, what, "remove one of the roles")
