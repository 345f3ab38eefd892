"""Checks of people: conflicting roles, and the roles that a win needs."""

from collections.abc import Iterator

from feltwork.compliance.approvals_register import JACKPOTS
from feltwork.compliance.finding import Finding, FloorCase
from feltwork.compliance.roles import conflicts


def check_people(case: FloorCase) -> Iterator[Finding]:
    """Check every badge's roles, and the roles that a win needs [WA-30, TR-04, GEN-22, LT-03, LT-04]."""
    for person in case.floor.people:
        for role, other, rule in conflicts(person.roles):
            what = f"{person.id} is both {role} and {other}: {rule.why}"
            yield case.refused((*person.place, "roles"), rule.requirement, what, "remove one of the roles")
    if case.rulings["approval_letters"].flag:
        yield from _who_settles_a_win(case)


def _who_settles_a_win(case: FloorCase) -> Iterator[Finding]:
    """Require a supervisor and an executive to confirm, two from accounting to reverse [LT-03, LT-04]."""
    jackpots = dict.fromkeys(link.jackpot.name for link in case.floor.links if link.jackpot.name in JACKPOTS)
    if not jackpots:
        return
    confirmation = ", ".join(JACKPOTS[name].confirmation for name in jackpots)
    reversal = ", ".join(JACKPOTS[name].reversal for name in jackpots)
    place = case.floor.people[0].place if case.floor.people else ()
    for role, count, requirement, needed, cites in (
        ("supervisor", 1, "LT-03", "no supervisor, who confirms wins", confirmation),
        ("executive", 1, "LT-03", "no executive, who confirms wins above a supervisor's level", confirmation),
        ("accounting", 2, "LT-04", "not the two people from accounting who reverse a win", reversal),
    ):
        if sum(role in person.roles for person in case.floor.people) < count:
            what = f"the floor has {needed} [{cites}]"
            yield case.refused(place, requirement, what, f'add a [[person]] with roles = ["{role}"]')
