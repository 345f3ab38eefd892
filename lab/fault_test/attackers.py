"""Attackers of a fault test: a stolen table key, a dishonest dealer, and an outsider.

The stolen key publishes only for its own table, because NATS refuses every other subject. `BOUND` limits the
rounds that may be booked; anything beyond counts as accepted.
"""

import asyncio
import random
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
from msgspec.structs import replace
from nats.aio.client import Client
from nats.errors import Error as NatsError

from feltwork.simulation.people_client import NO_ANSWER, PeopleClient
from feltwork.simulation.stage import badge_of, credentials
from feltwork.simulation.tally import RoundKey, SentRound, Tally
from feltwork.site.compliance.floor_tables import ROUNDS_PER_HOUR
from feltwork.site.progressive.facts import DAY
from feltwork.site.progressive.link import Link
from feltwork.site.table.offline_policy import wall_clock
from feltwork.site.wire.subjects import subject_of, uplink_subject
from feltwork.site.wire.uplink import (
    Claim,
    Hello,
    Message,
    RoundEnded,
    RoundStarted,
    RoundVoided,
    SignOn,
    encode,
)
from lab.fault_test.cluster import BOOKKEEPERS
from lab.fault_test.comparison import Books
from lab.fault_test.devices import is_behind, request_sign_on

#: The table of the stolen key, the table of the dishonest dealer, and the dealer.
STOLEN, DEALT, DEALER = "X1", "X2", "mallory"
#: The most fabricated rounds that may be booked: the hourly quota, which each bookkeeper counts by itself,
#: and the quota of the dealer's screen.
BOUND = {STOLEN: BOOKKEEPERS * ROUNDS_PER_HOUR, DEALT: ROUNDS_PER_HOUR}
_BURST = 20
_BETWEEN_SECONDS = 0.05
#: Requests per attack by the outsider, fewer than the messages of a device attack.
_REQUESTS = 3
_HUGE = 2**62


@dataclass(kw_only=True)
class Attackers:
    """Dishonest devices and people with everything that they can get hold of."""

    client: Client
    url: str
    link: Link
    #: Rounds that may be booked, within the bounds.
    tally: Tally
    dice: random.Random
    #: The sign-on of an honest table.
    foreign_sign_on: Callable[[], str]
    attacks: Counter[str] = field(default_factory=Counter)
    #: Requests that the service should have refused.
    let_in: list[str] = field(default_factory=list)
    _sign_on: str = ""
    _number: int = 0
    _made: list[RoundStarted] = field(default_factory=list)
    #: All contents sent under a reused round number.
    _reports: dict[RoundKey, set[SentRound]] = field(default_factory=dict)
    _dealt: int = 0
    _dealer: PeopleClient = field(init=False)
    _outsider: httpx.AsyncClient = field(init=False)

    def __post_init__(self) -> None:
        self._dealer = PeopleClient(self.url, place="table", timeout=10.0)
        self._outsider = httpx.AsyncClient(base_url=self.url, timeout=10.0)

    async def run(self) -> None:
        """Attack in every way, in random order, until cancelled."""
        js = self.client.jetstream(timeout=2)
        try:
            while not self._sign_on:
                self._sign_on = await request_sign_on(self.client, self.link.id, STOLEN, badge_of(DEALER))
            await self.kinds["fabricate_rounds"]()
            while True:
                for kind in self.dice.sample(sorted(self.kinds), len(self.kinds)):
                    with suppress(NatsError, httpx.HTTPError, TimeoutError, *NO_ANSWER):
                        await self.kinds[kind]()
                    await asyncio.sleep(_BETWEEN_SECONDS)
                    while await is_behind(js, self.link.id):
                        await asyncio.sleep(_BETWEEN_SECONDS)
        finally:
            self._dealer.close()
            await self._outsider.aclose()

    async def reach(self, least: int) -> None:
        """Wait until this many attacks have been made."""
        while sum(self.attacks.values()) < least:
            await asyncio.sleep(_BETWEEN_SECONDS)

    @property
    def kinds(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """All kinds of attacks."""
        device: dict[str, Callable[[], Iterable[Any]]] = {
            "fabricate_rounds": self._fabricate,
            "reuse_numbers": lambda: [self._reused() for _ in self._some],
            "claim_for_others": lambda: [(self._claim(table="D1"), "claim") for _ in self._some],
            "claim_unlocked_seats": lambda: [self._claim(seat=7) for _ in self._some],
            "back_date": lambda: [self._new(at=wall_clock() - 40 * DAY) for _ in self._some],
            "date_ahead": lambda: [self._new(at=wall_clock() + 400 * DAY) for _ in self._some],
            "foreign_seats": lambda: [
                self._new(seats=self.dice.choice([(91,), (1, 1), (0, 1)])) for _ in self._some
            ],
            "foreign_versions": lambda: [self._new(version=secrets.token_hex(32)) for _ in self._some],
            "foreign_links": lambda: [self._new(link="dragon") for _ in self._some],
            "foreign_sign_ons": lambda: [self._new(sign_on=self.foreign_sign_on()) for _ in self._some],
            "unknown_sign_ons": lambda: [self._new(sign_on=secrets.token_hex(8)) for _ in self._some],
            "flood_ends": lambda: [self._end(self._number + _BURST * 100 + n) for n in self._some],
            "flood_voids": lambda: [self._void() for _ in self._some],
            "flood_hellos": lambda: [self._hello() for _ in self._some],
            "squat_awards": lambda: [self._claim(award=f"devices:D1:{n}:1", seat=6) for n in self._some],
            "replay": lambda: [self.dice.choice(self._made) for _ in self._some],
            "huge_numbers": lambda: [self._new(round=_HUGE + n) for n in self._some],
            "malformed": lambda: [(self.dice.randbytes(200), "round") for _ in self._some],
            "guess_badges": lambda: [self._guess() for _ in self._some],
        }
        return {
            **{kind: self._sender(kind, make) for kind, make in device.items()},
            "dealer_books_rounds": self._book_rounds,
            "dealer_signs_alone": self._sign_alone,
            "outsider": self._knock,
        }

    def expect_booked(self, books: Books) -> None:
        """Add the booked content of each reused round number to the tally.

        The first may have been lost with a server, or refused by the quota of one bookkeeper; then the number
        is free for a later content. The books never accept two.
        """
        for key, contents in self._reports.items():
            rows = books.rounds.get(key, [])
            if len(rows) == 1 and rows[0] in contents:
                self.tally.rounds[key] = rows[0]

    def accepted(self, books: Books) -> list[str]:
        """Return what the books accepted beyond the bounds."""
        breaches = list(self.let_in)
        for table, most in BOUND.items():
            booked = sum(key[1] == table for key in books.rounds)
            if booked > most:
                breaches.append(f"{booked} rounds at table {table}, at most {most}")
        breaches += [
            f"claim {fact['award']}" for fact in books.facts["Claimed"] if fact.get("table") in BOUND
        ]
        invented = [key for key in books.rounds if key[1] in BOUND and key not in self.tally.rounds]
        changed = [
            key
            for key, rows in books.rounds.items()
            if key[1] in BOUND and key not in invented and rows != [self.tally.rounds[key]]
        ]
        return breaches + [f"round {number} at table {table}" for _, table, number in invented + changed]

    # --- the stolen key ---

    def _sender(self, kind: str, make: Callable[[], Iterable[Any]]) -> Callable[[], Awaitable[None]]:
        async def send() -> None:
            for attack in make():
                message, word = attack if isinstance(attack, tuple) else (attack, "")
                data = message if isinstance(message, bytes) else encode(message)
                subject = uplink_subject(self.link.id, STOLEN, word) if word else subject_of(message)
                await self.client.publish(subject, data)
                self.attacks[kind] += 1

        return send

    def _fabricate(self) -> list[Message]:
        """Fabricate rounds that look real in every respect."""
        rounds: list[Message] = []
        for _ in self._some:
            self._number += 1
            start = self._round(self._number)
            self.tally.sent(start)
            self._made.append(start)
            rounds.append(start)
        return rounds

    def _reused(self) -> Message:
        """Make another round under a used number, with different seats."""
        start = self.dice.choice(self._made)
        reused = replace(start, at=wall_clock(), seats=self.dice.choice([(1,), (2, 3, 4)]))
        contents = self._reports.setdefault((start.link, start.table, start.round), set())
        contents |= {SentRound(report.wager, report.seats) for report in (start, reused)}
        return reused

    @property
    def _some(self) -> range:
        return range(_BURST)

    def _round(self, number: int) -> RoundStarted:
        return RoundStarted(
            link=self.link.id,
            at=wall_clock(),
            table=STOLEN,
            round=number,
            step=0,
            sign_on=self._sign_on,
            wager=self.link.wager,
            seats=(1,),
            version=self.link.fingerprint,
        )

    def _new(self, **changed: Any) -> RoundStarted:
        """Make a faulty round under an otherwise unused number."""
        return replace(self._round(1_000_000 + self.dice.randrange(10**6)), **changed)

    def _claim(self, *, table: str = STOLEN, seat: int = 1, award: str = "mine") -> Claim:
        return Claim(
            link=self.link.id,
            at=wall_clock(),
            table=table,
            round=1,
            step=self.dice.randint(1, 3),
            sign_on=self._sign_on,
            award=award,
            seat=seat,
            players=(seat,),
            hands={seat: "four_aces"},
            hand="four_aces",
        )

    def _end(self, number: int) -> RoundEnded:
        return replace(self._round(number).ended(at=wall_clock()), fixed=2**53)

    def _void(self) -> RoundVoided:
        start = self._round(1)
        return RoundVoided(
            link=start.link,
            at=start.at,
            table=start.table,
            round=1,
            step=self.dice.randint(1, 5),
            sign_on=start.sign_on,
            reason="mine",
        )

    def _hello(self) -> Hello:
        return Hello(
            link=self.link.id,
            at=wall_clock(),
            table=STOLEN,
            controller=secrets.token_hex(8),
            software="x",
            software_hash="0" * 64,
            manufacturer="x",
            game="crazy_4",
            controls="nexus",
            version=self.link.fingerprint,
            paytable="0" * 64,
            last_round=0,
        )

    def _guess(self) -> SignOn:
        badge = f"B-{secrets.token_hex(4)}"
        return SignOn(link=self.link.id, at=wall_clock(), table=STOLEN, badge=badge, pin="0000")

    # --- the dishonest dealer, and the outsider ---

    async def _book_rounds(self) -> None:
        """Start and end rounds that nobody plays; they are booked up to the quota."""
        wagers = {"wagers": {self.link.id: [1]}, "players": [1]}
        for _ in self._some:
            self.attacks["dealer_books_rounds"] += 1
            self.tally.rounds[self.link.id, DEALT, self._dealt + 1] = SentRound(self.link.wager, (1,))
            for button, body in (("start", wagers), ("end", None)):
                path = f"/api/v1/tables/{DEALT}/{button}?link={self.link.id}"
                key = secrets.token_hex(8)
                response = await self._dealer.request(DEALER, "POST", path, key=key, body=body)
                if button == "end" and response.is_success:
                    self._dealt = response.body["ended"][self.link.id]["ended"]["round"]

    async def _sign_alone(self) -> None:
        """Try to confirm, void, pay, stop and propose with only a dealer's badge."""
        award = f"/api/v1/links/{self.link.id}/awards/devices:D1:1:1"
        badge = credentials(DEALER)
        for path, body in (
            (f"{award}/confirm", {"badges": [badge, badge], "amount": 1}),
            (f"{award}/void", {"reason": "mine", "shown": badge}),
            (f"{award}/pay", {"form": "cash"}),
            (f"/api/v1/links/{self.link.id}/stop", {"cause": "suspended", "reason": "mine"}),
            ("/api/v1/proposals", {"command": "open_link", "link": self.link.id, "reason": "mine"}),
        ):
            self.attacks["dealer_signs_alone"] += 1
            key = secrets.token_hex(8)
            answer = await self._dealer.request(DEALER, "POST", path, key=key, body=body)
            if answer.is_success:
                self.let_in.append(f"POST {path}: {answer.status}")

    async def _knock(self) -> None:
        """Send junk requests with a forged session."""
        for _ in range(_REQUESTS):
            self.attacks["outsider"] += 1
            path = self.dice.choice(
                (
                    "/api/v1/tables/C1/start",
                    "/api/v1/tables/C1/end",
                    "/api/v1/proposals",
                    "/api/v1/links/devices/tables/C1/hand",
                )
            )
            headers = {"Authorization": f"Bearer {secrets.token_urlsafe(32)}", "Idempotency-Key": "mine"}
            answer = await self._outsider.post(path, headers=headers, content=b"{" * 5_000)
            if answer.is_success:
                self.let_in.append(f"POST {path}: {answer.status_code}")
