"""The submission of a link: its devices with the exact odds of each prize, its resets and rates [GEN-17]."""

from typing import Any

from feltwork.money import WHOLE_BASIS_POINTS
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.journal.link_state import read_meters
from feltwork.site.compliance.link_odds import Uncounted, offer_at, percent, stated_returns
from feltwork.site.progressive.refusal import refuse
from feltwork.titles.paytables.paytable import Share


def submission(connection: Connection, link: str) -> list[dict[str, Any]]:
    """A row for each device and prize, from the version in force and the floor in force."""
    runs = read_meters(connection, link).state.link
    floor = floor_in_force(connection)
    about = next((candidate for candidate in floor.links if candidate.id == link), None)
    if about is None:
        remedy = "apply a floor file that contains it"
        raise refuse(f"link {link}", "the current floor file does not contain it", remedy, "GEN-17")
    levels = {level.name: level for level in runs.levels}
    fed = sum(level.contribution + level.reserve for level in runs.levels)
    rows = []
    for name in about.tables:
        table = floor.table_by_id[name]
        offered, stated = offer_at(about, table), stated_returns(about, table)
        uncounted = next((figure.why for figure in (offered, stated) if isinstance(figure, Uncounted)), "")
        for side in ("",) if isinstance(offered, Uncounted) else offered.prices:
            back = (
                () if isinstance(stated, Uncounted) else [figure for figure in stated if figure.side == side]
            )
            returned = "; ".join(f"{percent(figure.returns.total)} {figure.crowd}" for figure in back)
            for place, row in enumerate(runs.paytable.rows):
                level = levels.get(row.pays.level) if isinstance(row.pays, Share) else None
                rows.append(
                    {
                        "link": link,
                        "version": runs.fingerprint,
                        "table": table.id,
                        "game": table.game.name,
                        "location": table.location,
                        "manufacturer": table.manufacturer,
                        "sensors": table.sensors,
                        "paytable": runs.paytable.name,
                        "wager": runs.wager,
                        "side": side,
                        "hand": row.hand,
                        "pays": str(row.pays),
                        "probability": offered.why
                        if isinstance(offered, Uncounted)
                        else str(offered.prices[side].probability(place)),
                        "level": level.name if level else "",
                        "reset": level.seed + level.amount if level else None,
                        "cap": level.cap if level else None,
                        "contribution_basis_points": level.contribution if level else None,
                        "reserve_basis_points": level.reserve if level else None,
                        "house_basis_points": WHOLE_BASIS_POINTS - fed,
                        "returns": returned or uncounted,
                    }
                )
    return rows
