"""A house that plays itself: its floor, its links, and the people who wear its badges."""

from collections.abc import Mapping
from dataclasses import dataclass

from feltwork.compliance.floor import Floor, progressive_link
from feltwork.progressive.link import Link

#: What everybody of a room that plays itself types. It is shown on its sign-in page and opens nothing else.
PIN = "2580"
PASSWORD = "a long walk by the river"


@dataclass(frozen=True, slots=True)
class SimulatedCasino:
    """A floor that is open for play."""

    floor: Floor
    links: Mapping[str, Link]
    #: Role -> the people who have it, in the order of the floor file.
    people: Mapping[str, tuple[str, ...]]


def badge_of(person: str) -> str:
    """The badge that somebody wears."""
    return f"B-{person}"


def house_of(floor: Floor) -> SimulatedCasino:
    """The house that a floor file describes."""
    roles: dict[str, list[str]] = {}
    for member in floor.people:
        for role in member.roles:
            roles.setdefault(role, []).append(member.id)
    links = {link.id: progressive_link(floor, link) for link in floor.links}
    return SimulatedCasino(floor, links, {role: tuple(ids) for role, ids in roles.items()})
