"""Builds controllers from a floor file."""

from collections.abc import Callable
from datetime import UTC, datetime

from nats.aio.client import Client

from feltwork.problem import Problem, ProblemsError
from feltwork.site.compliance.floor import Floor, FloorLink, link_from_floor
from feltwork.site.table.controller import Controller
from feltwork.site.table.offline_policy import policy_of
from feltwork.site.table.publisher import TablePublisher
from feltwork.site.table.table_controller import TableController


def open_table(
    client: Client,
    floor: Floor,
    table: str,
    *,
    site_domain: str = "",
    show: Callable[[str], None] = lambda text: None,
) -> TableController:
    """Build the controller of a table."""
    today = datetime.now(tz=UTC).date()
    return TableController(
        {
            name: Controller(
                TablePublisher(client, link=name, table=table, site_domain=site_domain),
                link_from_floor(floor, link),
                policy_of(floor, link, on=today),
                game=floor.table_by_id[table].game.name,
                show=show,
            )
            for name, link in links_of(floor, table).items()
        }
    )


def links_of(floor: Floor, table: str) -> dict[str, FloorLink]:
    """Return the links of a table by id; raise if there is none."""
    if table not in floor.table_by_id:
        remedy = f"choose from: {', '.join(floor.table_by_id)}"
        raise ProblemsError([Problem(f"table {table}", "the floor file has no such table", remedy)])
    carried = {link.id: link for link in floor.links_of(floor.table_by_id[table])}
    if not carried:
        raise ProblemsError(
            [Problem(f"table {table}", "the table has no jackpot", "choose a table with a jackpot")]
        )
    return carried
