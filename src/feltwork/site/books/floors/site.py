"""The site: its name, floor file and links."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from feltwork.problem import ProblemsError, Sentence
from feltwork.site.books.connection import Connection
from feltwork.site.books.errors import not_allowed, unknown
from feltwork.site.books.floors import floor_files
from feltwork.site.books.floors.floor_files import Period, period_of
from feltwork.site.books.links.versions import link_kinds
from feltwork.site.books.people import credentials as people
from feltwork.site.books.people import staff
from feltwork.site.books.people.credentials import Person
from feltwork.site.compliance.floor import Floor
from feltwork.site.compliance.roles import Answer


def floor_in_force(connection: Connection) -> Floor | None:
    """The floor that was applied last; None before the first."""
    try:
        return floor_files.floor_in_force(connection)
    except ProblemsError:
        return None


def site_name(connection: Connection) -> str:
    """The name of the site."""
    floor = floor_in_force(connection)
    return floor.site if floor else "Feltwork"


def badge_holders(connection: Connection, badges: Sequence[str]) -> list[Person]:
    """Return the holders of badges."""
    return people.by_badge(connection, badges)


def holders_with_role(connection: Connection, *roles: str) -> list[Person]:
    """Return everyone with these roles, with their badges."""
    return people.by_role(connection, roles)


def local_time(connection: Connection, at: datetime, form: str = "%b %-d, %Y, %-I:%M %p") -> str:
    """A time as the clocks of the site show it."""
    floor = floor_in_force(connection)
    return f"{at.astimezone(ZoneInfo(floor.day.time_zone) if floor else UTC):{form}}"


def already_done(connection: Connection, by: str, at: datetime) -> str:
    """What to tell a person who asks for what another did a moment ago; empty after ten minutes."""
    if datetime.now(tz=UTC) - at > timedelta(minutes=10):
        return ""
    name, time = staff_names(connection).get(by, by), local_time(connection, at, "%-I:%M %p")
    return Sentence("already done by %(name)s at %(time)s", name=name, time=time)


def period(connection: Connection, day: str) -> Period:
    """A gambling day; TODAY covers all days until the first floor file sets the hours."""
    try:
        return period_of(connection, day)
    except ProblemsError:
        if day == "TODAY":
            return Period()
        raise


def links_at(connection: Connection, table: str) -> list[str]:
    """Return the links of a table on the floor in effect, by name; none before the first floor."""
    floor = floor_in_force(connection)
    place = floor.table_by_id.get(table) if floor else None
    links = floor.links_of(place) if floor and place else ()
    return sorted(link.id for link in links)


def may_deal(connection: Connection, person: str, table: str) -> bool:
    """Whether the floor in effect lets a dealer deal a table."""
    floor = floor_in_force(connection)
    place = floor.table_by_id.get(table) if floor else None
    return place is None or not place.dealers or person in place.dealers


def staff_names(connection: Connection) -> dict[str, str]:
    """Return everyone's name by id."""
    return {person.id: person.name for person in staff.everyone(connection)}


def verify_dealer(connection: Connection, person: str, table: str) -> None:
    """Raise unless the floor in effect lets a dealer deal a table."""
    if not may_deal(connection, person, table):
        answer = Answer(
            allowed=False,
            rule="dealers-of-table",
            requirement="WA-30",
            why=Sentence(
                "%(person)s is not one of the dealers of table %(table)s", person=person, table=table
            ),
            remedy="deal another table, or have the floor file name you for this one",
        )
        raise not_allowed(answer)


def verify_link(connection: Connection, link: str) -> None:
    """Raise unless the link exists."""
    if link not in link_kinds(connection):
        raise unknown(f"link {link}")
