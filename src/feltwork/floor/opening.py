"""Opening day: the books of a house are made, its people get their badges, its links are opened."""

from datetime import UTC, datetime

from feltwork.books import life, people
from feltwork.books.connection import connect
from feltwork.books.migrate import migrate
from feltwork.compliance.floor_file import read_floor
from feltwork.floor.house import PASSWORD, PIN, House, badge_of, house_of
from feltwork.progressive.people import Asked
from feltwork.web.floors import apply_floor


def open_house(dsn: str, text: str) -> House:
    """Make the books at ``dsn``, which must own its database, and open every link of a floor file."""
    house = house_of(read_floor(text, where="floor"))
    by, second = house.people["accounting"][0], house.people["executive"][0]
    asked = Asked(by=by, approved_by=second, reason="opening day")
    migrate(dsn)
    with connect(dsn) as connection:
        badges = {
            badge_of(member.id): people.Person(id=member.id, name=member.id.title(), role=member.roles[0])
            for member in house.floor.people
        }
        people.register_people(connection, badges, people.Secrets(pin=PIN, password=PASSWORD), by=by)
        apply_floor(connection, text, asked, on=datetime.now(tz=UTC).date())
        for link in house.links:
            life.open_link(connection, link, asked)
    return house
