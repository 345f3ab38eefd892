"""Sets up the books of a simulated site, and of a hub with its sites."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from feltwork import money
from feltwork.compliance.checks.network_sites import is_hub_of
from feltwork.compliance.floor_file import read_floor
from feltwork.operations.context import Actor, Operation, Policy, connected
from feltwork.operations.floors.floors import ApplyFloor, apply_floor
from feltwork.operations.links.links import link as link_of
from feltwork.operations.people.people import NewPerson, RegisterPeople, register_people
from feltwork.operations.people.proposals import carry_out_together
from feltwork.operations.schema import migrate
from feltwork.operations.two_person.command import TwoPersonCommand
from feltwork.operations.two_person.links import Adjust, OpenLink
from feltwork.operations.two_person.network import AdmitSite, OpenNetworkLink
from feltwork.simulation.staff import PASSWORD, PIN, SimulatedCasino, badge_of, light_hash, simulated_casino

#: Link -> level -> its meter at the first round.
OpeningMeters: TypeAlias = Mapping[str, Mapping[str, str]]
_AT_SEED: OpeningMeters = MappingProxyType({})
_REASON = "opening day"
#: Simulated people have no security keys.
_POLICY = Policy(key_required=False)


def open_site(dsn: str, text: str, meters: OpeningMeters = _AT_SEED) -> SimulatedCasino:
    """Create the books as the owner of a database, open every link of a floor file, and raise its meters.

    The house funds the part of a meter above its seed.
    """
    house = simulated_casino(read_floor(text, where="floor"))
    migrate(dsn)
    with connected(dsn, _POLICY, place="office") as op:
        people = [
            NewPerson(id=member.id, name=member.id.title(), role=member.roles[0], badge=badge_of(member.id))
            for member in house.floor.people
        ]
        register_people(op, RegisterPeople(people=people, pin=PIN, password=PASSWORD, hasher=light_hash))
        first, approver = _two(op, house)
        apply_floor(first, ApplyFloor(floor=text, reason=_REASON, approved_by=approver))
        for link in house.links:
            opens = OpenNetworkLink if is_hub_of(house.floor, link) else OpenLink
            carry_out_together(first, approver, opens(link=link, reason=_REASON))
        if meters:
            _raise_meters(first, op.beside(badge_of(house.people["accounting"][1]), PIN).actor, meters)
    return house


def carry_out(dsn: str, house: SimulatedCasino, commands: Iterable[TwoPersonCommand]) -> None:
    """Let accounting and an executive carry out commands, one after the other."""
    with connected(dsn, _POLICY, place="office") as op:
        first, approver = _two(op, house)
        for command in commands:
            carry_out_together(first, approver, command)


def admit_site(hub: str, site: str, link: str, text: str, key: str) -> None:
    """Let two people of a hub admit a site to a network link, with its floor file, its key and its chain."""
    house = simulated_casino(read_floor(text, where="floor"))
    own = next(floor_link for floor_link in house.floor.links if floor_link.id == link)
    with connected(site, _POLICY, place="office") as op:
        end = link_of(_two(op, house)[0], link)
    command = AdmitSite(
        link=link,
        site=own.site,
        agreement=own.agreement,
        key=key,
        limit=own.owes_at_most,
        floor=text,
        entry=end.entry,
        hash=end.hash,
        reason=_REASON,
    )
    carry_out(hub, house, [command])


def _two(op: Operation, house: SimulatedCasino) -> tuple[Operation, Actor]:
    by, second = (badge_of(house.people[role][0]) for role in ("accounting", "executive"))
    return replace(op.beside(by, PIN), name=_REASON), op.beside(second, PIN).actor


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
