"""The simulated site and its staff."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from argon2 import PasswordHasher

from feltwork.site.compliance.floor import Floor, link_from_floor
from feltwork.site.progressive.link import Link

#: The PIN and password of all simulated people.
PIN = "2580"
PASSWORD = "a long walk by the river"


@dataclass(frozen=True, slots=True)
class SimulatedCasino:
    """A floor with its links and staff."""

    floor: Floor
    links: Mapping[str, Link]
    #: Role -> people, in the order of the floor file.
    people: Mapping[str, tuple[str, ...]]


def badge_of(person: str) -> str:
    """The badge of a person."""
    return f"B-{person}"


@cache
def light_hash(secret: str) -> str:
    """A cheap hash for PINs of temporary databases."""
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(secret)


def simulated_casino(floor: Floor) -> SimulatedCasino:
    """Build the simulated site of a floor file."""
    roles: dict[str, list[str]] = {}
    for member in floor.people:
        for role in member.roles:
            roles.setdefault(role, []).append(member.id)
    links = {link.id: link_from_floor(floor, link) for link in floor.links}
    return SimulatedCasino(floor, links, {role: tuple(ids) for role, ids in roles.items()})
