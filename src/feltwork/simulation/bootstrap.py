"""Sets up the books of a simulated site."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from feltwork import money
from feltwork.simulation.staff import PASSWORD, PIN, SimulatedCasino, badge_of, light_hash, simulated_casino
from feltwork.site.books.context import Actor, Operation, Policy, connected
from feltwork.site.books.floors.floors import ApplyFloor, apply_floor
from feltwork.site.books.links.links import link as link_of
from feltwork.site.books.people.people import register_people
from feltwork.site.books.people.people_rows import Person
from feltwork.site.books.people.proposals import carry_out_together
from feltwork.site.books.schema import migrate
from feltwork.site.books.two_person.links import Adjust, OpenLink
from feltwork.site.compliance.floor_file import read_floor

#: Link -> level -> its meter at the first round.
OpeningMeters: TypeAlias = Mapping[str, Mapping[str, str]]
_AT_SEED: OpeningMeters = MappingProxyType({})
_REASON = "opening day"


def open_site(dsn: str, text: str, meters: OpeningMeters = _AT_SEED) -> SimulatedCasino:
    """Create the books as the owner of a database, open every link of a floor file, and raise its meters.

    The house funds the part of a meter above its seed.
    """
    house = simulated_casino(read_floor(text, where="floor"))
    migrate(dsn)
    # Simulated people have no security keys.
    with connected(dsn, Policy(key_required=False), place="office") as op:
        people = [
            Person(id=member.id, name=member.id.title(), role=member.roles[0], badge=badge_of(member.id))
            for member in house.floor.people
        ]
        register_people(op, people, pin=PIN, password=PASSWORD, hasher=light_hash)
        by, second = (badge_of(house.people[role][0]) for role in ("accounting", "executive"))
        first = replace(op.beside(by, PIN), name=_REASON)
        approver = op.beside(second, PIN).actor
        apply_floor(first, ApplyFloor(floor=text, reason=_REASON, approved_by=approver))
        for link in house.links:
            carry_out_together(first, approver, OpenLink(link=link, reason=_REASON))
        if meters:
            _raise_meters(first, op.beside(badge_of(house.people["accounting"][1]), PIN).actor, meters)
    return house


def _raise_meters(first: Operation, second: Actor, meters: OpeningMeters) -> None:
    for link, levels in meters.items():
        held = link_of(first, link).meters
        for level, amount in levels.items():
            addition = Adjust(
                link=link,
                adjustment=f"OPENING-{link}-{level}",
                lawful_reason="HOUSE_ADDITION",
                pool="meter",
                level=level,
                change=money.parse(amount) - held[level].meter,
                evidence=_REASON,
                reason=_REASON,
            )
            carry_out_together(first, second, addition)
