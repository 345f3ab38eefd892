"""The pure tests' room over HTTP: the same methods, every step a request."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import count
from types import SimpleNamespace
from typing import Any

import httpx

from feltwork.money import Micros
from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import register_floor
from feltwork.site.books.links import lifecycle
from feltwork.site.books.tables.rounds import book_rounds
from feltwork.site.progressive.chain import Tail
from feltwork.site.progressive.fact_serializer import from_plain
from feltwork.site.progressive.facts import Fact
from feltwork.site.progressive.fold import book
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.round_facts import RoundStarted
from feltwork.site.progressive.sign_offs import Badge
from feltwork.site.progressive.state import LinkState, new_state
from tests.progressive.room import EVE, SAM, asked
from tests.web.house import HEAD, PIN, House, table_of

_ROOMS = count(1)


def _toml(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {json.dumps(field)}" for name, field in value.items()) + " }"
    return json.dumps(value)


class WebRoom:
    """The actions on one link over HTTP."""

    def __init__(self, house: House, link: Link, tables: Iterable[str] = ("T1", "T2")) -> None:
        self.house = house
        self.link = replace(link, id=f"room{next(_ROOMS)}")
        self.tables = tuple(tables)
        with connect(house.dsn) as connection:
            lifecycle.register_link(connection, self.link, by="setup")
            register_floor(connection, self.floor(), asked())

    def floor(self) -> str:
        """A floor with these tables on this link."""
        tables = "".join(table_of(f"{self.link.id}.{table}") for table in self.tables)
        meters = "".join(
            f'[[link.meter]]\nlevel = "{name}"\nseed = "0.00"\ncontribution = "0%"\nreserve = "0%"\n'
            for name in self.link.level_names
        )
        on: dict[str, Any] = {
            "id": self.link.id,
            "kind": "progressive",
            "jackpot": self.link.jackpot,
            "paytable": self.link.paytable.id,
            "variant": self.link.variant,
            "wager": "1.00",
            "tables": [f"{self.link.id}.{table}" for table in self.tables],
            "manufacturer": "Light & Wonder",
            "controls": self.link.controls,
            "lock_at": self.link.lock_at,
            "executive_above": "1000.00",
            "cut_off": "stop",
        }
        if self.link.jackpot == "dragon":
            on["options"] = {"share_with": self.link.options["share_with"]}
        link = "".join(f"{name} = {_toml(value)}\n" for name, value in on.items() if value)
        return f"{HEAD}{tables}\n[[link]]\n{link}\n{meters}"

    def path(self, table: str) -> str:
        """The path of a table; tables of different rooms have different names."""
        return f"/api/v1/links/{self.link.id}/tables/{self.link.id}.{table}"

    def ask(self, person: str, path: str, body: Any = None) -> dict[str, Any]:
        """Send a request; raise a refusal as a ProblemsError."""
        return _view(self.house.post(person, path, body))

    @property
    def facts(self) -> list[Fact]:
        """The facts in the journal report."""
        text = self.house.of("otto").get(f"/api/v1/reports/links/{self.link.id}/journal?limit=1000").text
        rows = json.loads(text.replace(f"{self.link.id}.", ""))["rows"]
        return [from_plain(row["fact"]) for row in rows]

    @property
    def state(self) -> LinkState:
        """The state folded from the facts, checked against the meters of the service."""
        first: LinkState = new_state(self.link)
        state = reduce(lambda state, fact: book(state, Tail(), [fact])[0], self.facts, first)
        meters = self.house.get("dana", f"/api/v1/links/{self.link.id}")["meters"]
        for level in self.link.level_names:
            held = (state.shown(level), state.reserve(level), state.pending(level))
            assert held == tuple(meters[level][pool] for pool in ("meter", "reserve", "pending"))
        return state

    @property
    def rounds(self) -> dict[str, Any]:
        views = {table: self.house.get("dana", self.path(table)) for table in self.tables}
        return {
            table: SimpleNamespace(buttons=tuple(view["buttons"]), seats=tuple(view["seats"]))
            for table, view in views.items()
        }

    def open(self) -> "WebRoom":
        self.house.two("ann", "eve", command="open_link", link=self.link.id)
        return self

    def start(self, table: str, seats: Iterable[int] = range(1, 8), *, booked: bool = True) -> RoundStarted:
        """Press START GAME, which also posts the round."""
        body = {"wagers": {self.link.id: list(seats)}, "players": list(range(1, 8))}
        view = self.ask("dana", f"/api/v1/tables/{self.link.id}.{table}/start", body)
        started = from_plain(view["started"][self.link.id]["started"])
        assert isinstance(started, RoundStarted)
        return started

    def contribute(self, started: Sequence[RoundStarted]) -> tuple[()]:
        """Book the same rounds once more and assert that all are duplicates."""
        with connect(self.house.dsn) as connection:
            again = book_rounds(connection, self.link.id, started)
        assert (again.rounds, len(again.duplicates)) == (0, len(started))
        return ()

    def press(self, table: str, seat: int, hand: str) -> str:
        reply = self.ask("dana", f"{self.path(table)}/hand", {"seat": seat, "hand": hand})
        return (reply["award"] or "").removeprefix(f"{self.link.id}.")

    def name(self, award: str) -> str:
        """The id of an award, which contains the table name."""
        return f"{self.link.id}.{award}"

    def confirm(self, *names: str, badges: Sequence[Badge] = (SAM, EVE)) -> None:
        first, *also = award_ids = [self.name(name) for name in names]
        credentials = [{"badge": f"B-{badge.person}", "pin": PIN} for badge in badges]
        awards = self.house.get("dana", f"/api/v1/links/{self.link.id}/awards")["awards"]
        amount = sum(award["amount"] for award in awards if award["id"] in award_ids)
        needed = self.house.cards_needed(self.link.id, *(one for one in awards if one["id"] in award_ids))
        body = {"badges": credentials, "also": also, "amount": amount, "cards": needed}
        self.ask("dana", f"/api/v1/links/{self.link.id}/awards/{first}/confirm", body)

    def turn_key(self, table: str, to: str) -> None:
        self.ask("sam", f"{self.path(table)}/key", {"to": to})

    def pay(self, award: str) -> Micros:
        path = f"/api/v1/links/{self.link.id}/awards/{self.name(award)}/pay"
        (paid,) = self.ask("cara", path, {"form": "check"})["facts"]
        amount: Micros = paid["amount"]
        return amount

    def end(self, table: str) -> Any:
        view = self.ask("dana", f"/api/v1/tables/{self.link.id}.{table}/end")
        return SimpleNamespace(**view["ended"][self.link.id]["ended"])

    def hit(self, table: str, seat: int, hand: str) -> Micros:
        award = self.press(table, seat, hand)
        self.confirm(award)
        return self.pay(award)

    def check(self) -> None:
        """Assert that the books replay and that the link's accounts sum to zero."""
        self.house.sound()
        assert sum(self.state.balances.values()) == 0


def _view(answer: httpx.Response) -> dict[str, Any]:
    body: dict[str, Any] = answer.json()
    if answer.status_code == 200:
        return body
    assert answer.status_code in (403, 409), answer.text
    raise ProblemsError([Problem(body["where"], body["detail"], body["remedy"], body["requirement"])])
