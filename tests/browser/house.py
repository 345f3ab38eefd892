"""A sample site for the screens: the example card room with played rounds."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import register_floor
from feltwork.site.books.links import lifecycle
from feltwork.site.progressive.sign_offs import TwoPersonRequest
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.progressive.room import four_card, house_jackpot
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House, table_of

FLOOR = Path(__file__).parents[2] / "examples" / "card_room.toml"
AQUARIUS = "four-aces"
POSTED = "birthday"
#: Additions to the example: tables without sensors on an Aquarius link, and a house jackpot.
_ADDITIONS = f"""
[[link]]
id = "{AQUARIUS}"
kind = "progressive"
jackpot = "four_card"
paytable = "3"
wager = "1.00"
tables = ["X1", "X2", "X9"]
manufacturer = "Light & Wonder"
controls = "aquarius"
lock_at = "run"
executive_above = "1000.00"
cut_off = "stop"

[[link.meter]]
level = "jackpot"
seed = "10000.00"
contribution = "24%"
reserve = "5%"

[[link]]
id = "{POSTED}"
kind = "house"
jackpot = "four_card"
paytable = "3"
wager = "1.00"
tables = ["X3"]
manufacturer = "Light & Wonder"
controls = "nexus"
cut_off = "stop"
executive_above = "5000.00"

[[link.meter]]
level = "jackpot"
amount = "2500.00"
"""

#: The tables of the batches that a site begins with: their controllers have not ended the last round.
_PLAYED = {"five-card": "H3", "sevens": "B6", "dragon-1": "M1", AQUARIUS: "X9"}


def furnished(server: EmbeddedPostgres, name: str, **set_to: Any) -> Iterator[House]:
    """A running service with the sample site, on new books of this name."""
    for house in serve(server, new_books(server, name), **set_to):
        furnish(house)
        yield house


def furnish(house: House) -> None:
    """Apply the example floor, an Aquarius link and a house jackpot, and open the links."""
    text = FLOOR.read_text(encoding="utf-8")
    for table in ("H3", "B6", "M1"):
        text = text.replace(f'id = "{table}"\n', f'id = "{table}"\nrounds_per_hour = 10_000\n')
    house.two("ann", "eve", command="reconfigure", floor=text, day="2026-01-01", reason="new")
    with connect(house.dsn) as connection:
        lifecycle.register_link(connection, four_card(name=AQUARIUS, lock_at="run"), by="setup")
        posted = house_jackpot("four_card", "3", {"jackpot": 2_500}, name=POSTED)
        lifecycle.register_link(connection, posted, by="setup")
        tables = "".join(table_of(name).replace('"sensors"', '"dealer"') for name in ("X1", "X2", "X3", "X9"))
        tables = tables.replace("sensors = 1\n", "").replace('"X9"\n', '"X9"\nrounds_per_hour = 10_000\n')
        head, first, rest = text.partition("[[link]]")
        whole = head + tables + first + rest + _ADDITIONS
        register_floor(connection, whole, TwoPersonRequest(by="ann", approved_by="eve", reason="setup"))
    for link in ("sevens", "five-card", "dragon-1", "dragon-2", AQUARIUS, POSTED):
        house.two("ann", "eve", command="open_link", link=link)
    _play(house)


def _play(house: House) -> None:
    """Advance the meters with a batch of rounds on each link, of an hour ago: no table plays now."""
    began = time.time_ns() // 1_000 - 3_600_000_000
    for link, table in _PLAYED.items():
        house.book(link, table, range(1, 1_701), seats=(1, 2, 3, 5, 6), at=began)


def tidy(house: House) -> None:
    """Void the claims and end the rounds that a test left: later claims are confirmed after earlier ones."""
    pit = house.get("sue", "/pit")
    for claim in pit["claims"]:
        house.void("sue", claim["link"], claim["id"], "the test is over")
    for state in pit["states"]:
        for table in state["tables"]:
            if state["phase"] != "idle" and table["id"] not in _PLAYED.values():
                # A round that a controller deals stays open: the screen may not end it.
                house.post("dana", f"/api/v1/tables/{table['id']}/end?link={table['link']}")


def minor(house: House, table: str = "C2", seat: int = 3) -> str:
    """Make a four-of-a-kind claim on the five-card link."""
    house.start("five-card", table, (1, 2, 3, 5))
    return house.claim("five-card", table, seat, "four_of_a_kind")
