"""The change feed: award facts after the last published entry."""

import json

from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement
from feltwork.site.progressive.fact_serializer import from_plain
from feltwork.site.progressive.facts import Fact


def unpublished_facts(connection: Connection, link: str, *, most: int) -> list[tuple[int, Fact]]:
    """The next facts about awards, each with its entry, in the order of the books."""
    row = connection.execute(statement("change_feed_position"), (link,)).fetchone()
    about = {"link": link, "after": row[0] if row else 0, "most": most}
    rows = connection.execute(statement("award_changes"), about).fetchall()
    return [(number, from_plain(json.loads(fact))) for number, fact in rows]


def mark_published(connection: Connection, link: str, number: int) -> None:
    """Record that everything up to an entry has been published."""
    connection.execute(statement("save_change_feed_position"), (link, number))


def stop_reasons(connection: Connection, link: str) -> dict[str, str]:
    """The last reason for each cause that stops a link."""
    return dict(connection.execute(statement("stops_of"), (link,)).fetchall())
