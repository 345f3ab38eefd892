"""The manager's overview: meters, hits and drop of the gambling day, and who is on duty."""

from dataclasses import dataclass

from feltwork.site.books.authorize import authorize
from feltwork.site.books.awards.lookup import wins_since
from feltwork.site.books.context import Operation
from feltwork.site.books.floors.site import period, site_name
from feltwork.site.books.journal.link_state import drop_between, read_meters
from feltwork.site.books.links.meters import LevelAmount, level_amounts
from feltwork.site.books.links.signs import WinAnnouncement, hits_of
from feltwork.site.books.links.versions import link_kinds
from feltwork.site.books.people import staff
from feltwork.site.books.people.staff import PersonOnDuty
from feltwork.site.compliance.two_person import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkToday:
    """A link with its meters and stops, and its hits and drop of the gambling day."""

    link: str
    title: str
    life: str
    takes_wagers: bool
    #: Causes with their times in microseconds.
    stops: dict[str, int]
    levels: tuple[LevelAmount, ...]
    hits: tuple[WinAnnouncement, ...]
    #: None if the person may not read the books.
    drop: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The floor at a glance, for a manager."""

    site: str
    #: The gambling day; ALL before the first floor file sets its hours.
    day: str
    links: tuple[LinkToday, ...]
    on_duty: tuple[PersonOnDuty, ...]


def overview(op: Operation) -> Overview:
    """Show meters, hits and drop of the gambling day, stopped links, and who is on duty."""
    authorize(op, Command(name="oversee", about="overview"))
    today = period(op.connection, "TODAY")
    reads_books = op.actor.may("read_books")
    links = []
    for name in link_kinds(op.connection):
        snapshot = read_meters(op.connection, name)
        state = snapshot.state
        links.append(
            LinkToday(
                link=name,
                title=state.link.title.title,
                life=state.life,
                takes_wagers=state.takes_wagers,
                stops=dict(state.stops),
                levels=level_amounts(state),
                hits=hits_of(state.link, wins_since(op.connection, name, today.since)),
                drop=drop_between(op.connection, name, today.since, snapshot.tail.number)
                if reads_books
                else None,
            )
        )
    return Overview(
        site=site_name(op.connection),
        day=today.name,
        links=tuple(links),
        on_duty=tuple(staff.on_duty(op.connection)),
    )
