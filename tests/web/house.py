"""A site driven over HTTP: its people, and helpers for their actions."""

import time
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any

import httpx

from feltwork.money import DOLLAR
from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import register_floor
from feltwork.site.books.links import lifecycle
from feltwork.site.books.people import staff
from feltwork.site.books.people.credentials import Person
from feltwork.site.books.tables.rounds import book_rounds
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.round_facts import RoundStarted
from feltwork.site.progressive.sign_offs import TwoPersonRequest
from feltwork.site.web.rendering import hand_faces
from tests.progressive.room import four_card, house_jackpot

PIN = "2580"
#: A screen that nobody used for longer may be locked.
_AWAY_SECONDS = 300.0
PASSWORD = "a long walk by the river"
PEOPLE = (
    Person(id="dana", name="Dana", role="dealer", badge="B-dana"),
    Person(id="sam", name="Sam", role="supervisor", badge="B-sam"),
    Person(id="sue", name="Sue", role="supervisor", badge="B-sue"),
    Person(id="eve", name="Eve", role="executive", badge="B-eve"),
    Person(id="emil", name="Emil", role="executive", badge="B-emil"),
    Person(id="ann", name="Ann", role="accounting", badge="B-ann"),
    Person(id="bob", name="Bob", role="accounting", badge="B-bob"),
    Person(id="cara", name="Cara", role="cage", badge="B-cara"),
    Person(id="vic", name="Vic", role="surveillance", badge="B-vic"),
    Person(id="ivy", name="Ivy", role="it", badge="B-ivy"),
    Person(id="otto", name="Otto", role="auditor", badge="B-otto"),
)
TABLES = ["A1", "D1", "H1", "K1", "L1", "M1", "O1", "P1", "Q1", "R1", "S1", "T8", "T9", "V1", "W1"]
HEAD = """
site = "Test Room"
location = "test"
jurisdiction = "wa_cardroom"
disputes = "Ask the supervisor."
gambling_day = { time_zone = "America/Los_Angeles", starts_at_hour = 6 }
"""
_TABLE = """
[[table]]
id = "{id}"
game = "crazy_4"
seats = 7
entry = "sensors"
sensors = 1
manufacturer = "Light & Wonder"
highest_wager = "300.00"
paytables.super_bonus = "C4P-09"
"""
_ON_ALL = f"""
wager = "1.00"
jackpot = "four_card"
tables = {TABLES}
manufacturer = "Light & Wonder"
executive_above = "1000.00"
"""
_LINK = {
    "house": """
[[link]]
id = "{id}"
kind = "house"
paytable = "3"
controls = "nexus"
cut_off = "stop"
"""
    + _ON_ALL
    + """
[[link.meter]]
level = "jackpot"
amount = "5000.00"
""",
    "progressive": """
[[link]]
id = "{id}"
kind = "progressive"
paytable = "3"
controls = "nexus"
lock_at = "confirm"
cut_off = "stop"
"""
    + _ON_ALL
    + """
[[link.meter]]
level = "jackpot"
seed = "10000.00"
contribution = "24%"
reserve = "5%"
""",
}
ROLE = {person.id: person.role for person in PEOPLE}


def table_of(name: str) -> str:
    """The TOML of a table."""
    return _TABLE.format(id=name)


JSON = {"Accept": "application/json"}


class House:
    """A running service with a client for each person."""

    def __init__(self, url: str, dsn: str) -> None:
        self.url = url
        self.dsn = dsn
        self.nobody = httpx.Client(base_url=url, timeout=60, headers=JSON)
        self._clients: dict[str, httpx.Client] = {}
        #: When each person last did something.
        self._active: dict[str, float] = {}
        self._keys = count(1)
        self.links: dict[str, str] = {}
        self._floors = count(1)
        #: Replacements applied to the floor file.
        self.changes: list[tuple[str, str]] = []

    def close(self) -> None:
        for client in (self.nobody, *self._clients.values()):
            client.close()

    def token(self, person: str) -> str:
        credentials = {"badge": f"B-{person}", "pin": PIN, "place": "pit 1"}
        answer = httpx.post(f"{self.url}/api/v1/sign-in", json=credentials, timeout=60)
        assert answer.status_code == 200, answer.text
        token: str = answer.json()["token"]
        return token

    def of(self, person: str) -> httpx.Client:
        """The client of a signed-in person."""
        if person not in self._clients:
            headers = {**JSON, "Authorization": f"Bearer {self.token(person)}"}
            self._clients[person] = httpx.Client(base_url=self.url, headers=headers, timeout=60)
        elif time.monotonic() - self._active.get(person, 0.0) > _AWAY_SECONDS:
            self._clients[person].post("/api/v1/unlock", json={"pin": PIN})
        self._active[person] = time.monotonic()
        return self._clients[person]

    def key(self) -> str:
        return f"test-key-{next(self._keys):06}"

    def post(self, person: str, path: str, body: Any = None, *, key: str = "") -> httpx.Response:
        headers = {"Idempotency-Key": key or self.key()}
        return self.of(person).post(path, json=body, headers=headers)

    def done(self, person: str, path: str, body: Any = None) -> dict[str, Any]:
        answer = self.post(person, path, body)
        assert answer.status_code == 200, answer.text
        reply: dict[str, Any] = answer.json()
        return reply

    def get(self, person: str, path: str) -> dict[str, Any]:
        answer = self.of(person).get(path)
        assert answer.status_code == 200, answer.text
        reply: dict[str, Any] = answer.json()
        return reply

    def two(self, by: str, second: str, **command: Any) -> dict[str, Any]:
        """Propose and approve a two-person command."""
        proposal = self.done(by, "/api/v1/proposals", {"reason": "as agreed", **command})
        approval = {"fingerprint": proposal["fingerprint"]}
        return self.done(second, f"/api/v1/proposals/{proposal['proposal']}/approve", approval)

    def service_token(self, account: str, *scopes: str, tables: Sequence[str] = (), days: int = 30) -> str:
        """Add a service account and make its first token."""
        about = {"command": "manage_people", "service_account": account}
        new = {"act": "add_service_account", "name": account, "scopes": scopes, "tables": tables}
        self.two("eve", "ivy", **about, **new)
        return self.new_token(account, days=days)

    def new_token(self, account: str, *, days: int = 30) -> str:
        """Grant a token by two people, and make it."""
        about = {"command": "manage_people", "service_account": account}
        granted = self.two("eve", "ivy", **about, act="grant_token", days=days)["booked"]["grant"]
        path = f"/api/v1/service-accounts/{account}/tokens"
        token: str = self.done("ivy", path, {"grant": granted})["token"]
        return token

    def register(self, name: str, *, made_by: Callable[..., Link] = four_card, **changes: Any) -> Link:
        """Register a planned link on every table."""
        link = made_by(name=name, **changes)
        with connect(self.dsn) as connection:
            lifecycle.register_link(connection, link, by="setup")
        self.links[name] = "progressive"
        self.lay()
        return link

    def post_jackpot(self, name: str, amount: int = 5_000) -> str:
        """Open a house jackpot with this amount in dollars on every table."""
        with connect(self.dsn) as connection:
            jackpot = house_jackpot("four_card", "3", {"jackpot": amount}, name=name)
            lifecycle.register_link(connection, jackpot, by="setup")
        self.links[name] = "house"
        self.lay()
        self.two("ann", "eve", command="open_link", link=name)
        return name

    def open_floor(self, text: str, *links: str) -> None:
        """Apply a floor file by two people, and open some of its links."""
        self.two("ann", "eve", command="reconfigure", floor=text)
        for link in links:
            self.two("ann", "eve", command="open_link", link=link)

    def lay(self, *changes: tuple[str, str]) -> None:
        """Apply a floor file with all links so far, with text replacements."""
        tables = "".join(map(table_of, TABLES))
        floor = HEAD + tables + "".join(_LINK[kind].format(id=link) for link, kind in self.links.items())
        for old, new in (*self.changes, *changes):
            assert old in floor, old
            floor = floor.replace(old, new)
        floor += f"# floor {next(self._floors)}\n"
        with connect(self.dsn) as connection:
            register_floor(connection, floor, TwoPersonRequest(by="ann", approved_by="eve", reason="setup"))

    def open(self, name: str, **changes: Any) -> str:
        """Register and open a link."""
        self.register(name, **changes)
        self.two("ann", "eve", command="open_link", link=name)
        return name

    def start(self, link: str, table: str, seats: tuple[int, ...] = (1, 2, 3)) -> dict[str, Any]:
        body = {"wagers": {link: seats}, "players": seats}
        started: dict[str, Any] = self.done("dana", f"/api/v1/tables/{table}/start?link={link}", body)[
            "started"
        ][link]
        return started

    def end(self, link: str, table: str) -> dict[str, Any]:
        ended: dict[str, Any] = self.done("dana", f"/api/v1/tables/{table}/end?link={link}")["ended"][link]
        return ended

    def book(
        self,
        link: str,
        table: str,
        numbers: Iterable[int],
        *,
        seats: tuple[int, ...] = (1, 2),
        wager: int = DOLLAR,
        at: int = 0,
    ) -> None:
        """Book rounds that a controller reported."""
        began = at or time.time_ns() // 1_000
        rounds = [
            RoundStarted(link=link, at=began + number, table=table, round=number, wager=wager, seats=seats)
            for number in numbers
        ]
        with connect(self.dsn) as connection:
            book_rounds(connection, link, rounds)

    def amount_change(self, proposal: str) -> tuple[int, int]:
        """The amount now and afterwards, as the page of requests shows it to who approves."""
        entries = self.get("eve", "/office/proposals")["proposals"]
        (entry,) = (entry for entry in entries if entry["proposal"] == proposal)
        return entry["now"], entry["result"]

    def claim(self, link: str, table: str, seat: int = 1, hand: str = "four_aces", *, cards: str = "") -> str:
        body = {"seat": seat, "hand": hand, "cards": cards}
        reply = self.done("dana", f"/api/v1/links/{link}/tables/{table}/hand", body)
        award: str = reply["award"]
        return award

    def confirm(self, link: str, award: str, *people: str) -> httpx.Response:
        badges = [{"badge": f"B-{person}", "pin": PIN} for person in people]
        view = self.get("dana", f"/api/v1/links/{link}/awards/{award}")
        body = {"badges": badges, "amount": view["amount"], "cards": self.cards_needed(link, view)}
        return self.post("dana", f"/api/v1/links/{link}/awards/{award}/confirm", body)

    def cards_needed(self, link: str, *awards: dict[str, Any]) -> dict[str, str]:
        """Cards that an executive's confirmation still needs: royals by seat, those of a coup once."""
        jackpot = self.get("dana", f"/api/v1/links/{link}")["jackpot"]
        needed = [award for award in awards if "executive" in award["badges"] and not award["cards"]]
        found = {}
        for award in needed[:1] if jackpot == "dragon" else needed:
            cards = " / ".join(map(" ".join, hand_faces.groups(jackpot, award["hand"])))
            if award["hand"] == "royal_flush":
                cards = cards.replace("s", "dsh"[award["seat"] % 3])
            found[award["id"]] = "As Ah Ad Ac 2c" if award["hand"] == "four_aces" else cards
        return found

    def void(self, person: str, link: str, award: str, reason: str) -> dict[str, Any]:
        """Void a claim by badge and PIN."""
        body = {"reason": reason, "shown": {"badge": f"B-{person}", "pin": PIN}}
        return self.done(person, f"/api/v1/links/{link}/awards/{award}/void", body)

    def record(self, link: str, award: str) -> None:
        """Write the payout record of a win and complete its checklist."""
        identity = {"documents": 2, "photo": True, "taxpayer_number": True}
        view = self.get("dana", f"/api/v1/links/{link}/awards/{award}")
        known = {"four_aces": "As Ah Ad Ac 2c", "royal_flush": "Ah Kh Qh Jh Th"}
        cards = view["cards"] or known.get(view["hand"], "shown to the camera")
        written = {
            "payee": "Pat Patron",
            "cards": cards,
            "identity": identity,
            "address": "1 Main St, Olympia WA 98501",
            "taxpayer": "900-00-1234",
        }
        payout = self.done("cara", f"/api/v1/payouts/{link}/{award}", written)
        for step in payout["steps"]:
            if step["name"] in ("countdown", "seal", "exclusion"):
                self.done(
                    "sam", f"/api/v1/payouts/{link}/{award}/steps/{step['name']}", {"note": "camera 12"}
                )

    def grant_key(self, person: str, name: str = "first") -> None:
        """Grant the first security key."""
        request = TwoPersonRequest(
            by="feltwork init", approved_by="owner of the database", reason="the first key"
        )
        with connect(self.dsn) as connection:
            staff.grant(
                connection, request, enrollment=f"{name}-{person}", person=person, what="security key"
            )

    def meter(self, link: str) -> int:
        amount: int = self.get("dana", f"/api/v1/links/{link}")["meters"]["jackpot"]["meter"]
        return amount

    def sound(self) -> None:
        """Assert that the books replay without a problem."""
        verdict = self.get("otto", "/api/v1/reports/verdict")
        assert verdict["sound"], verdict["problems"]
