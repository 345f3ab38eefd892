"""A network link at a hub for tests of the service and the screens: its floors, sites, sums and proposals."""

from dataclasses import dataclass
from typing import Any

from feltwork.books.connection import connect
from feltwork.compliance.floor import link_from_floor
from feltwork.compliance.floor_file import read_floor
from feltwork.money import DOLLAR
from feltwork.operations.network.hub import HubLink
from feltwork.progressive.link import Link
from feltwork.progressive.network import messages as m
from tests.books.hub_room import AT_ONCE, the_sum
from tests.compliance.floors import SMALL
from tests.web.house import House

KEY = "U" + "A" * 55
TERMS = """lock_at = "claim"
hub = "network-one"
site = "{site}"
countersign_above = "9000.00"
options = {{ several_winners = "seat_order", fixed_pays_from = "tray" }}"""


@dataclass(frozen=True)
class Room:
    """A network link of its own, at the hub of a service."""

    house: House
    link: str

    def floor(self, site: str, *changes: tuple[str, str]) -> str:
        """The floor file of a site, or of the hub, which is its own site."""
        text = SMALL.replace('"wa_cardroom"', '"generic"').replace('wager = "5.00"', 'wager = "1.00"')
        text = text.replace('"20%"', '"24%"').replace('"5%"', '"5%"\nunreasonable = "20.00"')
        text = text.replace('lock_at = "confirm"', TERMS.format(site=site))
        for old, new in (('id = "four-aces"', f'id = "{self.link}"'), *changes):
            assert old in text, old
            text = text.replace(old, new)
        return text

    def version(self, *changes: tuple[str, str]) -> Link:
        floor = read_floor(self.floor("network-one", *changes), where="floor")
        return link_from_floor(floor, floor.links[0])

    def sum(self, site: str, entry: int, wagers: int) -> m.SiteSum:
        return the_sum(self.version(), site, entry, wagers)

    def opened(self, *sites: str) -> "Room":
        """Open the link and let sites join."""
        self.house.open_floor(self.floor("network-one"))
        self.two("open_network_link")
        for site in sites:
            self.house.two("ann", "eve", **self.asks(site))
        return self

    def asks(self, site: str, **changes: Any) -> dict[str, Any]:
        """What a site hands in to join."""
        admission = {"agreement": "AG-1", "key": KEY, "limit": 50_000 * DOLLAR, "entry": 0, "hash": "0" * 64}
        admission |= {"floor": self.floor(site), "command": "admit_site", "link": self.link, "site": site}
        return {**admission, **changes}

    def two(self, command: str, **fields: Any) -> None:
        self.house.two("ann", "eve", command=command, link=self.link, **fields)

    def refused(self, command: str, **fields: Any) -> str:
        """Propose and approve something that is refused at either step; the answer says why."""
        body = {"reason": "as agreed", "command": command, "link": self.link, **fields}
        response = self.house.post("ann", "/api/v1/proposals", body)
        if response.status_code == 200:
            approval = {"fingerprint": response.json()["fingerprint"]}
            response = self.house.post(
                "eve", f"/api/v1/proposals/{response.json()['proposal']}/approve", approval
            )
        assert response.status_code in (404, 409, 422), response.text
        return response.text

    def receive(self, message: m.Up) -> tuple[m.Down, ...]:
        """Give the hub process a message."""
        with connect(self.house.dsn) as connection:
            return HubLink(self.link, AT_ONCE).receive(connection, message)

    def hear(self, *sums: m.SiteSum) -> None:
        """Give the hub process sums, one window each."""
        with connect(self.house.dsn) as connection:
            hub = HubLink(self.link, AT_ONCE)
            for site_sum in sums:
                hub.hear(site_sum)
                hub.tick(connection)

    def shown(self) -> dict[str, Any]:
        links = self.house.get("ann", "/api/v1/network")["links"]
        view: dict[str, Any] = next(link for link in links if link["link"] == self.link)
        return view

    def site(self, name: str) -> dict[str, Any]:
        view: dict[str, Any] = next(site for site in self.shown()["sites"] if site["site"] == name)
        return view
