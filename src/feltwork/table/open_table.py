"""A controller made from a floor file: which link, by which policy, under which name on the wire."""

from collections.abc import Callable
from datetime import UTC, datetime

from nats.aio.client import Client

from feltwork.compliance.floor import Floor, FloorLink, progressive_link
from feltwork.problem import Problem, ProblemsError
from feltwork.table.conformance_device import DeviceIdentity
from feltwork.table.controller import Controller
from feltwork.table.line import TableLine
from feltwork.table.policy import policy_of
from feltwork.wire.rights import names_on


def open_table(
    client: Client,
    floor: Floor,
    table: str,
    *,
    link: str = "",
    site_domain: str = "",
    show: Callable[[str], None] = lambda text: None,
) -> Controller:
    """The controller of a table as its floor file describes it."""
    chosen = _link_of(floor, table, link)
    line = TableLine(
        client,
        link=chosen.id,
        table=names_on(floor, floor.table_by_id[table])[chosen.id],
        site_domain=site_domain,
    )
    return Controller(
        line,
        progressive_link(floor, chosen),
        policy_of(floor, chosen, on=datetime.now(tz=UTC).date()),
        game=floor.table_by_id[table].game.name,
        show=show,
    )


def device_of(floor: Floor, table: str, link: str = "") -> DeviceIdentity:
    """Who a played device must say that it is, to stand for a table of a floor."""
    chosen = _link_of(floor, table, link)
    played = progressive_link(floor, chosen)
    return DeviceIdentity(
        link=chosen.id,
        table=names_on(floor, floor.table_by_id[table])[chosen.id],
        version=played.fingerprint,
        paytable=played.paytable.fingerprint,
        wager=played.wager,
        game=floor.table_by_id[table].game.name,
    )


def _link_of(floor: Floor, table: str, link: str) -> FloorLink:
    if table not in floor.table_by_id:
        remedy = f"choose from: {', '.join(floor.table_by_id)}"
        raise ProblemsError([Problem(f"table {table}", "the floor file has no such table", remedy)])
    carried = {one.id: one for one in floor.links_of(floor.table_by_id[table])}
    if link not in carried and (link or len(carried) != 1):
        remedy = f"choose with --link from: {', '.join(carried) or 'none'}"
        raise ProblemsError([Problem(f"table {table}", f"it has {len(carried)} jackpots", remedy)])
    return carried.get(link) or next(iter(carried.values()))
