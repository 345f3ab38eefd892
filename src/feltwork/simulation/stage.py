"""A floor on a stage: people with badges and PINs, open links, and meters at their first amounts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

from argon2 import PasswordHasher

from feltwork import money
from feltwork.money import Micros
from feltwork.site.books.context import Operation, Policy, connected
from feltwork.site.books.links.links import link as link_of
from feltwork.site.books.people.credentials import Person
from feltwork.site.books.people.people import register_people
from feltwork.site.books.people.proposals import carry_out_together
from feltwork.site.books.schema import migrate
from feltwork.site.books.two_person.command import TwoPersonCommand
from feltwork.site.books.two_person.floors import Reconfigure
from feltwork.site.books.two_person.links import Adjust, OpenLink, SetAmount
from feltwork.site.compliance.floor import Floor, link_from_floor
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.progressive.link import Link

#: The PIN and password of everyone on a stage.
PIN = "2580"
PASSWORD = "a long walk by the river"
#: Nobody there has a security key.
POLICY = Policy(key_required=False)
#: Link -> level -> its meter at the first round.
OpeningMeters: TypeAlias = Mapping[str, Mapping[str, str]]
_AT_SEED: OpeningMeters = MappingProxyType({})
_REASON = "opening"


@dataclass(frozen=True, slots=True)
class SimulatedCasino:
    """A floor with its links and staff."""

    floor: Floor
    links: Mapping[str, Link]
    #: Role -> people, in the order of the floor file.
    people: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class OpeningCrew:
    """Who opens a floor: accounting proposes, and an executive or a second of accounting approves."""

    accounting: str
    second: str
    executive: str


def badge_of(person: str) -> str:
    """The badge of a person."""
    return f"B-{person}"


def credentials(person: str) -> dict[str, str]:
    """A badge with its PIN."""
    return {"badge": badge_of(person), "pin": PIN}


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


def open_site(dsn: str, text: str, meters: OpeningMeters = _AT_SEED) -> SimulatedCasino:
    """Create the books as the owner of a database, open every link of a floor file, and raise its meters."""
    house = simulated_casino(read_floor(text, where="floor"))
    migrate(dsn)
    accounting, *others = house.people["accounting"]
    crew = OpeningCrew(accounting, others[0] if others else accounting, house.people["executive"][0])
    with connected(dsn, POLICY, place="office") as op:
        people = {member.id: member.roles[0] for member in house.floor.people}
        open_floor(op, house.floor, text, people, crew, password=PASSWORD)
        for link, levels in meters.items():
            for level, amount in levels.items():
                set_meter(op, crew, link, level, money.parse(amount))
    return house


def open_floor(
    op: Operation,
    floor: Floor,
    text: str,
    people: Mapping[str, str],
    crew: OpeningCrew,
    *,
    password: str = "",
) -> None:
    """Issue everyone a badge and a PIN, apply the floor and open its links; ``people`` have one role each."""
    new = [
        Person(id=person, name=person.title(), role=role, badge=badge_of(person))
        for person, role in people.items()
    ]
    register_people(op, new, pin=PIN, password=password, hasher=light_hash)
    first, approver = _proposing(op, crew), op.beside(badge_of(crew.executive), PIN).actor
    carry_out_together(first, approver, Reconfigure(floor=text, reason=_REASON))
    for link in floor.links:
        carry_out_together(first, approver, OpenLink(link=link.id, reason=_REASON))


def set_meter(op: Operation, crew: OpeningCrew, link: str, level: str, amount: Micros) -> None:
    """Bring a meter to an amount: the house adds what is missing, or takes the rest back."""
    first = _proposing(op, crew)
    view = link_of(first, link)
    change = amount - view.meters[level].meter
    if not change:
        return
    is_house = view.kind == "house"
    command: TwoPersonCommand = Adjust(
        link=link,
        level=level,
        pool="meter",
        change=change,
        adjustment=f"OPENING-{level}",
        lawful_reason="HOUSE_ADDITION" if change > 0 else "SEED_RECOVERY",
        evidence=f"OPENING-{level}",
        reason="opening balance",
    )
    if is_house:
        command = SetAmount(link=link, level=level, amount=amount, reason=_REASON)
    second = crew.executive if is_house else crew.second
    carry_out_together(first, op.beside(badge_of(second), PIN).actor, command)


def _proposing(op: Operation, crew: OpeningCrew) -> Operation:
    return replace(op.beside(badge_of(crew.accounting), PIN), name=_REASON)
