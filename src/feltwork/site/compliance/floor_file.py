"""Parser of the floor file, the TOML description of a site; every problem has a location."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from feltwork import money
from feltwork.money import CENT
from feltwork.site.compliance import floor_keys, jurisdiction, roles
from feltwork.site.compliance.floor import Confirmation, Floor, GamblingDay, Member
from feltwork.site.compliance.floor_tables import read_link, read_table, read_texts
from feltwork.toml_locations import Document, Section


def read_floor(text: str, *, where: str) -> Floor:
    """Read a floor file and report all errors at once, each with its line."""
    document = Document(text, where=where)
    head = document.root
    head.refuse_unknown(floor_keys.HEAD)
    location = head.text("location")
    tables = head.sections("table")
    links = head.sections("link")
    people = head.sections("person")
    if not tables:
        head.problem("table", "has no tables", "add a [[table]] with id and game")
    for some in (tables, links, people):
        _refuse_twice(some)
    names = [str(section.data.get("id")) for section in tables]
    approvals = read_texts(head.section("approvals"))
    read_tables = [read_table(section, location=location, approvals=approvals) for section in tables]
    read_links = [read_link(section, tables=names) for section in links]
    law = head.choice("jurisdiction", jurisdiction.ids())
    floor = Floor(
        site=head.text("site"),
        location=location,
        jurisdiction=law,
        disputes=head.text("disputes", default=""),
        cannot_win=head.text("cannot_win", default=""),
        count_tolerance=head.read(
            "count_tolerance", money.parse, CENT, remedy='write an amount in dollars, like "0.01"'
        ),
        device_software=head.texts("device_software"),
        titles=read_texts(head.section("titles")),
        day=_day(head.section("gambling_day")),
        tables=tuple(table for table in read_tables if table is not None),
        links=tuple(link for link in read_links if link is not None),
        people=tuple(map(_member, people)),
        confirmations=tuple(_confirmation(section, law) for section in head.sections("confirmed")),
        document=document,
    )
    document.finish()
    return floor


def _day(section: Section) -> GamblingDay:
    section.refuse_unknown(floor_keys.DAY)
    zone = section.text("time_zone")
    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        if zone:
            section.problem("time_zone", f"{zone!r} is no time zone", 'write it like "America/Los_Angeles"')
    hour = section.whole("starts_at_hour", least=0)
    if hour > 23:
        section.problem("starts_at_hour", f"{hour} is no hour", "write 0 to 23")
    return GamblingDay(time_zone=zone, starts_at_hour=hour)


def _member(section: Section) -> Member:
    section.refuse_unknown(floor_keys.PERSON)
    role_names = section.texts("roles")
    for role in role_names:
        if role not in roles.ROLES:
            section.problem("roles", f"{role!r} is no role", f"choose from: {', '.join(roles.ROLES)}")
    if not role_names:
        section.problem("roles", "has no roles", f"choose from: {', '.join(roles.ROLES)}")
    return Member(place=section.place, id=section.text("id"), roles=role_names)


def _confirmation(section: Section, law: str) -> Confirmation:
    section.refuse_unknown(floor_keys.CONFIRMED)
    rules = jurisdiction.jurisdiction(law).rules
    rule = section.choice("rule", tuple(rules))
    try:
        rules[rule][-1].verify_alike(section.data.get("is"))
    except ValueError as error:
        section.problem("is", str(error), "write a value of the same type as the rule's own")
    return Confirmation(
        place=section.place,
        rule=rule,
        value=section.data.get("is"),
        reference=section.text("reference"),
    )


def _refuse_twice(sections: Sequence[Section]) -> None:
    """Refuse duplicate ids."""
    earlier_names: set[str] = set()
    for section in sections:
        name = str(section.data.get("id"))
        if name in earlier_names:
            section.problem("id", f"{name!r} is used twice", "give each its own")
        earlier_names.add(name)
